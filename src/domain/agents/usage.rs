//! Usage of a model, in the words in which the agent reported it (A32). It is kept and shown; nothing is decided by it,
//! so it is text and never a number.

use serde::{Deserialize, Serialize};

use crate::domain::text::Line;

/// Newest report of each sort.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageReport {
    /// How full the agent's context is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Line>,
    /// What its last turn used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Line>,
}

impl UsageReport {
    /// Takes a newer report in; a sort that it does not mention stays.
    pub fn update(&mut self, newer: &Self) {
        for (kept, new) in [(&mut self.context, &newer.context), (&mut self.turn, &newer.turn)] {
            if new.is_some() {
                kept.clone_from(new);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a32_the_newest_report_of_each_sort_is_kept_as_it_was_worded() {
        let line = |text: &str| Some(Line::parse("a report", text).unwrap());
        let mut usage = UsageReport::default();
        usage.update(&UsageReport { context: line("100 of 200000 tokens"), turn: None });
        usage.update(&UsageReport { context: None, turn: line("inputTokens 3") });
        usage.update(&UsageReport { context: line("7 tokens"), turn: None });
        assert_eq!(usage, UsageReport { context: line("7 tokens"), turn: line("inputTokens 3") });
    }
}
