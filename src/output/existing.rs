//! What already stands in the repository, as far as an output has to fit in with it. A generator says beforehand what it
//! wants to see; somebody else reads it and hands it over.

use super::cannot::Cannot;
use std::collections::{BTreeMap, BTreeSet};

use crate::domain::production::TargetPath;

/// What was found. What nobody looked at is not in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Existing {
    files: BTreeMap<TargetPath, Option<String>>,
    folders: BTreeMap<TargetPath, Vec<String>>,
}

/// What has to be seen next. Once all of it is in [`Existing`], more may be wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wants {
    /// Files that are read; one that is there and cannot be read stops the output.
    pub files: BTreeSet<TargetPath>,
    /// Files that are only an example of how things are written here; one that cannot be read is passed over.
    pub samples: BTreeSet<TargetPath>,
    /// Folders whose names are listed.
    pub folders: BTreeSet<TargetPath>,
}

impl Wants {
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.samples.is_empty() && self.folders.is_empty()
    }
}

impl Existing {
    /// Enters a file; `None` when there is none.
    pub fn file(&mut self, path: TargetPath, text: Option<String>) {
        self.files.insert(path, text);
    }

    /// Enters the names of the files in a folder; empty when there is no such folder.
    pub fn folder(&mut self, path: TargetPath, mut names: Vec<String>) {
        names.sort();
        self.folders.insert(path, names);
    }

    pub(super) fn text(&self, path: &TargetPath) -> Option<&str> {
        self.files.get(path)?.as_deref()
    }

    pub(super) fn names(&self, folder: &TargetPath) -> &[String] {
        self.folders.get(folder).map_or(&[], Vec::as_slice)
    }

    pub(super) fn missing(&self, mut wants: Wants) -> Wants {
        wants.files.retain(|path| !self.files.contains_key(path));
        wants.samples.retain(|path| !self.files.contains_key(path));
        wants.folders.retain(|path| !self.folders.contains_key(path));
        wants
    }
}

/// A fixed path, or one that was put together from checked parts; `None` when it may not be written.
pub(super) fn path(text: &str) -> Option<TargetPath> {
    TargetPath::parse(text).ok()
}

/// The folder that a path is in; `None` at the top.
pub(super) fn folder_of(path: &TargetPath) -> Option<TargetPath> {
    let (folder, _) = path.as_str().rsplit_once('/')?;
    TargetPath::parse(folder).ok()
}

/// What has to be seen to find a file that goes by one of several names; where one was chosen, that one alone.
pub(super) fn wants_one(chosen: Option<&TargetPath>, names: &[&str], foreign: &[&str]) -> Wants {
    let files = match chosen {
        Some(chosen) => std::iter::once(chosen.clone()).collect(),
        None => names.iter().chain(foreign).filter_map(|name| path(name)).collect(),
    };
    Wants { files, ..Wants::default() }
}

/// The file that is there under one of `names`, or a new one under the first of them; one that is there in a `foreign`
/// form is in the way, and `why` says how.
pub(super) fn place_of(
    existing: &Existing,
    names: &[&str],
    foreign: &[&str],
    why: &'static str,
) -> Result<TargetPath, Cannot> {
    if let Some((path, _)) = first_of(existing, names) {
        return Ok(path);
    }
    if let Some((path, _)) = first_of(existing, foreign) {
        return Err(Cannot::UnknownForm { path, why });
    }
    names.first().and_then(|name| path(name)).ok_or(Cannot::NothingToSay { what: "no place" })
}

pub(super) fn first_of<'e>(existing: &'e Existing, names: &[&str]) -> Option<(TargetPath, &'e str)> {
    names.iter().find_map(|name| {
        let path = path(name)?;
        existing.text(&path).map(|text| (path.clone(), text))
    })
}
