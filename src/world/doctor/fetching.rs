//! Whether a plain `git fetch` would overwrite sessions.

use crate::app::error::AppError;
use crate::app::ports::{Code, Finding, Severity};
use crate::repo::config::{Config, Overwriting};
use crate::repo::open::open;
use crate::store::listing;

use super::super::guardian::HookProtection;
use super::Section;

/// The refspecs of the configuration, which belongs to the user: nothing of it is ever changed here.
pub(super) struct Fetching<'a> {
    pub guardian: &'a HookProtection<'a>,
    pub config: &'a Config,
}

impl Section for Fetching<'_> {
    fn examine(&self) -> Result<Vec<Finding>, AppError> {
        let overwriting = self.config.overwriting();
        if overwriting.is_empty() {
            return Ok(Vec::new());
        }
        let any = !listing::ids(&open(&self.guardian.env)?.repo)?.is_empty();
        let severity = if any { Severity::Error } else { Severity::Warning };
        Ok(overwriting.iter().map(|one| finding(one, severity)).collect())
    }

    fn look(&self) -> String {
        "git config --show-origin --get-regexp '^remote[.].*[.]fetch$'".to_owned()
    }
}

fn finding(one: &Overwriting, severity: Severity) -> Finding {
    let Overwriting { remote, refspec, origin } = one;
    let what = format!("remote.{remote}.fetch has {refspec}, {origin}");
    let why = "a plain git fetch overwrites sessions of this repository with those of that remote";
    let finding = |why: &str| Finding::new(Code::ForcedRefspec, severity, what.clone(), why);
    match one.unset() {
        Some(command) => finding(why).typed([command]),
        None => {
            finding(&format!("{why}; it is in no file, so whoever sets it has to leave it out")).shown_by(one.show())
        }
    }
}
