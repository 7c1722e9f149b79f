//! What a person is told of a text that they wrote and that could not be taken: what became of its place, and what can be
//! done with the text.

use super::AppError;
use crate::domain::production;
use crate::text::shell::{quoted, word};

impl AppError {
    /// What it means for a thing that a text was written for.
    pub(super) fn not_taken(&self, what: &str) -> String {
        if let Some(production::Refusal::DraftChanged { .. }) = self.production() {
            return format!("{what} was changed elsewhere while you edited it, and your text did not replace it");
        }
        format!("{what} is as before: {}", self.reason())
    }

    /// What can be done with a text that was kept because of this.
    pub(super) fn after_an_edit(&self, kept: &str) -> Option<String> {
        if let Some(production::Refusal::BadIssue { slot, .. }) = self.production() {
            return Some(format!("mend it there, then git grill draft --edit {slot} --from {}", quoted(kept)));
        }
        if let Some(production::Refusal::DraftChanged { target, .. }) = self.production() {
            let (named, kept) = (word(&target.to_string()), quoted(kept));
            return Some(format!(
                "git grill draft {named} shows it as it is now; git grill draft --edit {named} --from {kept} takes its \
                 place"
            ));
        }
        self.hint().or_else(|| Some("try again with the kept text".to_owned()))
    }
}
