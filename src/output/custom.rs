//! An output of the user's own: `custom:<path>` names a template in the repository.

use super::cannot::Cannot;
use super::existing::{Existing, Wants, path};
use super::template::fill_own;
use super::view::View;
use crate::domain::production::TargetPath;
use crate::domain::text::Line;

/// What has to be seen of the repository.
pub(super) fn wants(name: &Line) -> Wants {
    Wants { files: path(name.as_str()).into_iter().collect(), ..Wants::default() }
}

/// Refuses a name that reads as a path and is none of this repository. A label such as `a poster` names no template.
pub(super) fn check_name(name: &Line) -> Result<(), Cannot> {
    let text = name.as_str();
    let reads_as_path = text.contains(['/', '\\']) || text.starts_with(['.', '~']);
    match TargetPath::parse(text) {
        Err(bad) if reads_as_path => Err(Cannot::NoPlace { name: bad.path, because: bad.because }),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// A template with the place it came from.
#[derive(Debug)]
pub(super) struct Template<'e> {
    path: TargetPath,
    text: &'e str,
}

pub(super) fn template<'e>(name: &Line, existing: &'e Existing) -> Result<Template<'e>, Cannot> {
    let found = path(name.as_str()).and_then(|path| existing.text(&path).map(|text| Template { path, text }));
    found.ok_or_else(|| Cannot::NoTemplate { name: name.to_string() })
}

impl Template<'_> {
    pub fn fill(&self, view: &View) -> Result<String, Cannot> {
        fill_own(self.text, view).map_err(|why| Cannot::Template { path: self.path.clone(), why })
    }
}
