//! What a question came to, as its caller is told: one kind and one text for each, the same at every surface (Q7, Q10,
//! Q11).

use std::time::Duration;

use crate::domain::command::Reply;
use crate::domain::interview::{AnswerKind, QuestionStatus, TranscriptEntry};
use crate::domain::meaning::{ParsedReply, meant};
use crate::domain::question::{Form, Question};
use crate::domain::refusal::Refusal;
use crate::domain::session::Session;
use crate::domain::text::{Line, Prose};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Its number, counted from 1.
    pub number: usize,
    pub label: Line,
}

/// What a question came to. No two of these ever stand for one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuestionResult {
    /// Options were taken, in their order.
    Selected {
        taken: Vec<Taken>,
        /// What was added (Q6).
        note: Option<Prose>,
    },
    /// Words of the person's own.
    Wrote {
        text: Prose,
        note: Option<Prose>,
    },
    Discuss,
    Cancelled,
    Unavailable {
        why: String,
    },
    /// Nobody answered in time; never an answer.
    TimedOut {
        after: Duration,
    },
    /// The person put the question off, or refused it.
    Declined {
        because: Option<Prose>,
    },
}

impl QuestionResult {
    /// What a recorded question has come to; `None` while it waits for an answer.
    pub fn of(session: &Session, asked: &TranscriptEntry) -> Option<Self> {
        if session.discussed() == Some(&asked.question.id) {
            return Some(Self::Discuss);
        }
        match &asked.standing {
            QuestionStatus::Open | QuestionStatus::SetAside | QuestionStatus::Stale => None,
            QuestionStatus::Deferred => Some(Self::Declined { because: None }),
            QuestionStatus::PushedBack { because } => Some(Self::Declined { because: Some(because.clone()) }),
            QuestionStatus::Answered => {
                let answer = asked.answer()?;
                Some(told(&asked.question, &answer.text, answer.kind, &answer.chosen, answer.note.clone()))
            }
        }
    }

    /// What a reply comes to that is handed back and not recorded.
    pub fn at_once(question: &Question, reply: &Reply, note: Option<Prose>) -> Result<Self, Refusal> {
        Ok(match meant(question, reply)? {
            ParsedReply::Talk => Self::Discuss,
            ParsedReply::Answer { text, kind, chosen } => told(question, &text, kind, &chosen, note),
        })
    }

    pub fn kind(&self) -> &'static str {
        match self {
            Self::Selected { .. } => "selected",
            Self::Wrote { .. } => "wrote",
            Self::Discuss => "discuss",
            Self::Cancelled => "cancelled",
            Self::Unavailable { .. } => "unavailable",
            Self::TimedOut { .. } => "timed_out",
            Self::Declined { .. } => "declined",
        }
    }

    /// The text. A note is not in it: it is a value of its own.
    pub fn text(&self, form: Form) -> String {
        match self {
            Self::Selected { taken, .. } => {
                let numbered = |one: &Taken| format!("{}. {}", one.number, one.label);
                let shown: Vec<String> = match form {
                    Form::Grill | Form::Select => taken.iter().map(numbered).collect(),
                    Form::MultiSelect => taken.iter().map(|one| one.label.to_string()).collect(),
                };
                format!("User selected: {}", shown.join(", "))
            }
            Self::Wrote { text, .. } => format!("User wrote: {text}"),
            Self::Discuss => {
                "User wants to discuss this topic in conversation. Switch to conversational mode: ask in plain \
                              text, without the question tools, until it is clear; then call resume_structured with a \
                              summary of what you learned."
                    .to_owned()
            }
            Self::Cancelled => "User cancelled the selection.".to_owned(),
            Self::Unavailable { why } => format!("Nobody could be asked: {why}. This is no answer."),
            Self::TimedOut { after } => {
                format!("Nobody answered within {} seconds. This is no answer.", after.as_secs())
            }
            Self::Declined { because: None } => "User declined to answer.".to_owned(),
            Self::Declined { because: Some(because) } => format!("User declined to answer: {because}"),
        }
    }

    pub fn note(&self) -> Option<&Prose> {
        match self {
            Self::Selected { note, .. } | Self::Wrote { note, .. } => note.as_ref(),
            Self::Discuss
            | Self::Cancelled
            | Self::Unavailable { .. }
            | Self::TimedOut { .. }
            | Self::Declined { .. } => None,
        }
    }
}

fn told(question: &Question, text: &Prose, kind: AnswerKind, chosen: &[usize], note: Option<Prose>) -> QuestionResult {
    // A question of the interview keeps what was sent, not its number.
    let sent = match (question.form, kind) {
        (Form::Grill, AnswerKind::Alternative | AnswerKind::Reported) => question.alternatives.taken_by(text.as_str()),
        (Form::Grill | Form::Select | Form::MultiSelect, _) => None,
    };
    let named = |number: &usize| {
        let one = question.alternatives.numbered(*number)?;
        Some(Taken { number: *number, label: one.label.clone() })
    };
    let taken: Vec<Taken> = chosen.iter().chain(sent.iter()).filter_map(named).collect();
    if taken.is_empty() {
        QuestionResult::Wrote { text: text.clone(), note }
    } else {
        QuestionResult::Selected { taken, note }
    }
}

/// What `resume_structured` always returns (Q11).
pub fn resumed(summary: &Prose) -> String {
    let summary = summary.as_str().trim_end();
    // A summary that ends as a sentence brings its own full stop.
    let stop = if summary.ends_with(['.', '!', '?', '…']) { "" } else { "." };
    format!("Conversation summary captured: {summary}{stop} Resuming structured questions.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn q7_q10_q14_seven_kinds_and_their_texts() {
        let prose = |text: &str| Prose::parse("it", text).unwrap();
        let taken = |number, label: &str| Taken { number, label: Line::parse("it", label).unwrap() };
        let one = QuestionResult::Selected { taken: vec![taken(2, "Reuse ListView")], note: Some(prose("for now")) };
        let many = QuestionResult::Selected {
            taken: vec![taken(1, "Session handling"), taken(3, "Multi-device policy")],
            note: None,
        };
        let rows = [
            (one, Form::Select, "selected", "User selected: 2. Reuse ListView"),
            (many, Form::MultiSelect, "selected", "User selected: Session handling, Multi-device policy"),
            (
                QuestionResult::Wrote { text: prose("I want a kanban board layout"), note: None },
                Form::Select,
                "wrote",
                "User wrote: I want a kanban board layout",
            ),
            (QuestionResult::Cancelled, Form::Select, "cancelled", "User cancelled the selection."),
            (QuestionResult::Cancelled, Form::MultiSelect, "cancelled", "User cancelled the selection."),
            (QuestionResult::Declined { because: None }, Form::Select, "declined", "User declined to answer."),
        ];
        for (told, form, kind, text) in rows {
            assert_eq!((told.kind(), told.text(form).as_str()), (kind, text));
        }
        let discuss = QuestionResult::Discuss.text(Form::Select);
        assert!(discuss.starts_with("User wants to discuss this topic in conversation. "), "{discuss}");
        assert!(discuss.contains("resume_structured"), "{discuss}");
        let late = QuestionResult::TimedOut { after: Duration::from_secs(5) };
        let nobody = QuestionResult::Unavailable { why: "there is no terminal".to_owned() };
        assert_eq!(
            (late.kind(), nobody.kind(), QuestionResult::Discuss.kind()),
            ("timed_out", "unavailable", "discuss")
        );
        for told in [late, nobody] {
            assert!(told.text(Form::Select).contains("no answer") && !told.text(Form::Select).starts_with("User"));
        }
    }

    #[test]
    fn q11_the_summary_comes_back() {
        let summary = Prose::parse("it", "sqlite it is").unwrap();
        assert_eq!(resumed(&summary), "Conversation summary captured: sqlite it is. Resuming structured questions.");
        let sentence = Prose::parse("it", "Sqlite it is.").unwrap();
        assert_eq!(resumed(&sentence), "Conversation summary captured: Sqlite it is. Resuming structured questions.");
    }
}
