//! The guardian: git hooks, armed while a session is active.

use crate::app::desk::Guardian;
use crate::app::error::AppError;
use crate::app::reply::Protection;
use crate::hooks::{self, Disarmed, Place, Rule};

use super::process::Programs;

/// Arms and disarms the hooks of one worktree.
pub(super) struct HookGuardian {
    /// Where.
    pub place: Place,
}

impl Guardian for HookGuardian {
    fn arm(&self) -> Result<Protection, AppError> {
        let rule = hooks::arm(&self.place, &Programs)?;
        let hooks = match rule {
            Rule::Configured => "configured hooks reference-transaction and pre-push",
            Rule::Beside => "hooks reference-transaction and pre-push",
            Rule::Folder => "hooks reference-transaction and pre-push, in a folder of ours that calls yours",
        };
        Ok(Protection { hooks: hooks.to_owned(), warnings: Vec::new() })
    }

    fn disarm(&self) -> Result<Vec<String>, AppError> {
        Ok(match hooks::disarm(&self.place, &Programs)? {
            Disarmed::Removed { left } => {
                left.iter().map(|path| format!("{} was changed by somebody else and stays", path.display())).collect()
            }
            Disarmed::ArmedElsewhere => {
                vec!["another worktree has an active session, so its hooks stay; they let this one pass".to_owned()]
            }
        })
    }
}
