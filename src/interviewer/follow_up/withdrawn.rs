//! Answers that do not hold any more because a later one said so: of two that contradict each other the one that was taken
//! back, and a decision that fell to its challenge. They stay in the transcript; nothing is built on them.

use crate::domain::ids::QuestionId;
use crate::domain::interview::{AnswerKind, TranscriptEntry};
use crate::domain::session::Session;
use crate::domain::text::Prose;

use super::super::catalogue::Withdraws;
use super::super::reading::contents;
use super::super::signals::chosen;
use super::{Way, contradiction, find, way};

/// An answer that was taken back.
pub(in super::super) struct Withdrawn<'a> {
    pub question: &'a QuestionId,
    /// The question whose answer took it back.
    pub by: &'a TranscriptEntry,
    /// The question whose answer holds in its place; none when that of `by` itself does.
    pub for_the_sake_of: Option<&'a QuestionId>,
    /// The sentence that was taken back; none when it is the whole answer.
    sentence: Option<String>,
}

impl Withdrawn<'_> {
    /// The sentence that was taken back, where it is not the whole answer.
    pub fn sentence(&self) -> Option<&str> {
        self.sentence.as_deref()
    }

    /// What is left of the answer without the sentence that was taken back.
    pub fn rest(&self, text: &Prose) -> Option<Prose> {
        let (before, after) = text.as_str().split_once(self.sentence.as_deref()?)?;
        let after = after.trim_start_matches(['.', '!', ';', ',', ' ']);
        let rest = format!("{} {after}", before.trim_end());
        // A conjunction is nothing that could stand alone.
        let says = !contents(&rest).is_empty();
        says.then(|| Prose::parse("the rest", &rest).ok())?
    }
}

/// Every answer that was taken back. Whoever settles a contradiction in words of their own replaces both answers.
pub(in super::super) fn withdrawn(session: &Session) -> Vec<Withdrawn<'_>> {
    let mut found = Vec::new();
    for (by, answer) in session.transcript.answered() {
        let Some((way, of)) = by.question.probe.as_deref().and_then(way) else { continue };
        let Some(second) = find(session, of) else { continue };
        let choice = chosen(session, by, answer).map(|choice| choice.withdraws);
        match way {
            Way::Contradiction { earlier } => {
                let Some(first) = find(session, earlier) else { continue };
                let clash = contradiction::between(session, first, second, Some(by.question.text.as_str()));
                let (one, other) = clash.map(|clash| (clash.earlier, clash.later)).unzip();
                let (earlier, of) = (&first.question.id, &second.question.id);
                match (choice, answer.kind) {
                    (Some(Withdraws::Earlier), _) => {
                        found.push(Withdrawn { question: earlier, by, for_the_sake_of: Some(of), sentence: one });
                    }
                    (Some(Withdraws::Later), _) => {
                        found.push(Withdrawn { question: of, by, for_the_sake_of: Some(earlier), sentence: other });
                    }
                    (None, AnswerKind::Own | AnswerKind::Reported | AnswerKind::Summarised) => {
                        found.extend([(earlier, one), (of, other)].map(|(question, sentence)| Withdrawn {
                            question,
                            by,
                            for_the_sake_of: None,
                            sentence,
                        }));
                    }
                    (Some(Withdraws::Nothing | Withdraws::Followed), _)
                    | (None, AnswerKind::Alternative | AnswerKind::Unknown) => {}
                }
            }
            Way::Challenge { .. } if choice == Some(Withdraws::Followed) => {
                found.push(Withdrawn { question: &second.question.id, by, for_the_sake_of: None, sentence: None });
            }
            Way::Challenge { .. } | Way::Measure { .. } | Way::Deepen { .. } => {}
        }
    }
    found
}
