//! What is said of edited drafts that do not come back when their output is chosen again: they are kept, and can be read.

use crate::domain::production::some_of;
use crate::domain::session::Session;

use super::error::AppError;

/// Names the edited drafts of the chosen outputs that did not come back, and what prints them.
pub(super) fn kept_behind(session: &Session) -> Option<AppError> {
    let kept = session.kept_behind();
    let first = kept.first()?.draft.printed_by();
    let names = some_of(kept.iter().map(|one| one.draft.target.to_string()).collect());
    let (message, hint) = if kept.len() == 1 {
        let why = "its output has other files now, or is split in another way";
        (format!("the edited draft of {names} did not come back: {why}; it is kept"), format!("{first} prints it"))
    } else {
        let why = "their outputs have other files now, or are split in another way";
        (
            format!("the edited drafts of {names} did not come back: {why}; they are kept"),
            format!("{first} prints the first one; git grill status names the others"),
        )
    };
    Some(AppError::Declined { code: "edits_kept", message, causes: Vec::new(), hint })
}
