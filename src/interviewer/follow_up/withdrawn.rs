//! Answers that do not hold any more because a later one said so: of two that contradict each other the one that was taken
//! back, and a decision that fell to its challenge. They stay in the transcript; nothing is built on them.

use crate::domain::ids::QuestionId;
use crate::domain::interview::{AnswerKind, Asked};
use crate::domain::session::Session;

use super::super::catalogue::Withdraws;
use super::super::signals::chosen;
use super::{Way, find, way};

/// An answer that was taken back.
pub(in super::super) struct Withdrawn<'a> {
    /// The question it answered.
    pub question: &'a QuestionId,
    /// The question whose answer took it back.
    pub by: &'a Asked,
    /// The question whose answer holds in its place; none when that of `by` itself does.
    pub for_the_sake_of: Option<&'a QuestionId>,
}

/// Every answer that was taken back. Whoever settles a contradiction in words of their own replaces both answers.
pub(in super::super) fn withdrawn(session: &Session) -> Vec<Withdrawn<'_>> {
    let mut found = Vec::new();
    for (by, answer) in session.transcript.answered() {
        let Some((way, of)) = by.question.probe.as_deref().and_then(way) else { continue };
        let Some(of) = find(session, of).map(|one| &one.question.id) else { continue };
        let choice = chosen(session, by, answer).map(|choice| choice.withdraws);
        match way {
            Way::Contradiction { earlier } => {
                let Some(earlier) = find(session, earlier).map(|one| &one.question.id) else { continue };
                match (choice, answer.kind) {
                    (Some(Withdraws::Earlier), _) => {
                        found.push(Withdrawn { question: earlier, by, for_the_sake_of: Some(of) });
                    }
                    (Some(Withdraws::Later), _) => {
                        found.push(Withdrawn { question: of, by, for_the_sake_of: Some(earlier) });
                    }
                    (None, AnswerKind::Own | AnswerKind::Reported) => {
                        found.extend([earlier, of].map(|question| Withdrawn { question, by, for_the_sake_of: None }));
                    }
                    (Some(Withdraws::Nothing | Withdraws::Followed), _)
                    | (None, AnswerKind::Alternative | AnswerKind::Unknown) => {}
                }
            }
            Way::Challenge { .. } if choice == Some(Withdraws::Followed) => {
                found.push(Withdrawn { question: of, by, for_the_sake_of: None });
            }
            Way::Challenge { .. } | Way::Measure { .. } | Way::Deepen { .. } => {}
        }
    }
    found
}
