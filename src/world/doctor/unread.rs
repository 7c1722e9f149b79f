//! Keys of ours in git's configuration that nobody reads: a slip there changes nothing, and `start` alone warns of it.

use crate::app::error::AppError;
use crate::app::ports::{Code, Finding, Severity};
use crate::repo::config::{Config, UnknownKey};

use super::Section;

/// The configuration, which belongs to the user: nothing of it is ever changed here.
pub(super) struct Unread<'a> {
    pub config: &'a Config,
}

impl Section for Unread<'_> {
    fn examine(&self) -> Result<Vec<Finding>, AppError> {
        Ok(self.config.unknown_keys().iter().map(finding).collect())
    }

    fn look(&self) -> String {
        "git config --show-origin --get-regexp '^grill[.]'".to_owned()
    }
}

fn finding(key: &UnknownKey) -> Finding {
    let what = format!("'{}' {} is no key of git grill", key.name, key.origin);
    let why = "nothing reads it; the section CONFIGURATION of git-grill(1) lists the keys";
    let finding = Finding::new(Code::UnknownKey, Severity::Warning, what, why).shown_by(key.show());
    match key.unset() {
        Some(command) => finding.typed([command]),
        None => finding,
    }
}
