//! An undo of written files that was cut off: some are restored, and the session lists all of them as written.

use crate::app::error::AppError;
use crate::app::ports::{Code, Finding, Severity};
use crate::app::undoing::half_taken_back;
use crate::domain::ids::SessionId;
use crate::domain::undoing::WrittenPhase;
use crate::git::object::in_words;
use crate::repo::open::open;
use crate::repo::targets::WorktreeFiles;
use crate::store::active;
use crate::store::mending::tip::{TipState, standing};

use super::super::guardian::HookProtection;
use super::Section;

/// The files of this worktree.
pub(super) struct HalfUndone<'a> {
    pub guardian: &'a HookProtection<'a>,
}

impl Section for HalfUndone<'_> {
    fn examine(&self) -> Result<Vec<Finding>, AppError> {
        let opened = open(&self.guardian.env)?;
        let (Some(files), Some((id, _))) = (WorktreeFiles::new(&opened), active::here(&opened.repo)) else {
            return Ok(Vec::new());
        };
        // One that cannot be read is named elsewhere.
        let TipState::Sound { session, .. } = standing(&opened.repo, &id)? else {
            return Ok(Vec::new());
        };
        let blob = |bytes: &[u8]| opened.repo.blob_name(bytes).ok().map(in_words);
        Ok(half_taken_back(&session, &files, blob).map(|phase| finding(&phase, &id)).into_iter().collect())
    }

    fn look(&self) -> String {
        "git grill status".to_owned()
    }
}

fn finding(phase: &WrittenPhase, id: &SessionId) -> Finding {
    let why = "some of its files are restored already, and the session still lists all of them as written";
    Finding::new(Code::HalfUndone, Severity::Error, phase.half_way(), why)
        .typed([phase.command()])
        .shown_by("git grill status")
        .of(id)
}
