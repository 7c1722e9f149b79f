//! What a debate is about: the checkpoint as a whole, a file, the open question, or one decision of the checkpoint (D4, D26).

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::document::Document;
use super::sentence::without_origin;
use crate::domain::ids::QuestionId;
use crate::domain::question::Question;
use crate::domain::text::Line;

/// Where the text comes from that is debated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "from")]
pub enum Dossier {
    /// The checkpoint, as it stood then.
    Checkpoint,
    /// A file of this name.
    File { path: Line },
    /// A question of the interview, with the checkpoint.
    Question { question: QuestionId },
    /// A decision of the checkpoint, with the checkpoint.
    Decision { decision: Line },
}

/// The decisions of a checkpoint, one line each.
pub fn decisions(checkpoint: &str) -> Vec<Line> {
    let entries = Document::of(checkpoint).entries("Decisions").unwrap_or_default();
    entries.iter().filter_map(|entry| Line::parse("the decision", &entry.first).ok()).collect()
}

/// The dossier of a question: its wording, what was offered, and what is understood so far.
pub fn of_question(question: &Question, checkpoint: &str) -> String {
    let mut text = format!("# {}\n", question.text.first_line());
    let rest: Vec<&str> = question.text.as_str().lines().skip(1).collect();
    if !rest.is_empty() {
        // Writing to a String cannot fail.
        let _ = write!(text, "\n{}\n", rest.join("\n").trim());
    }
    let alternatives = question.alternatives.as_slice();
    if !alternatives.is_empty() {
        text.push_str("\n## Alternatives\n\n");
    }
    for one in alternatives {
        let because = one.description.as_ref().map(|said| format!(" {said}")).unwrap_or_default();
        let recommended = if one.recommended { " (recommended)" } else { "" };
        let _ = writeln!(text, "- {}{recommended}: {}{because}", one.label, one.value);
    }
    with_checkpoint(text, checkpoint)
}

/// The dossier of a decision that stands in the checkpoint.
pub fn of_decision(decision: &Line, checkpoint: &str) -> String {
    with_checkpoint(format!("# {}\n\nIs this the right decision?\n", without_origin(decision.as_str())), checkpoint)
}

/// The checkpoint stands behind it, quoted: its headings are none of the dossier's.
fn with_checkpoint(mut text: String, checkpoint: &str) -> String {
    text.push_str("\n## What is understood so far\n\n");
    for line in checkpoint.lines() {
        text.push_str(format!("> {line}").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d4_d26_a_decision_of_the_checkpoint_can_be_debated() {
        let checkpoint = "# S\n\n## Decisions\n\n- SQLite.\n  - Reason: one file.\n- One process.\n\n## Risks / Unknowns\n\n- none\n";
        let found = decisions(checkpoint);
        assert_eq!(found.iter().map(Line::as_str).collect::<Vec<_>>(), ["SQLite.", "One process."]);
        let text = of_decision(&found[0], checkpoint);
        assert!(text.starts_with("# SQLite.\n") && text.contains("\n> - One process.\n"), "{text}");
        assert!(decisions("# S\n").is_empty());
    }
}
