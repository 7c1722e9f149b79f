//! The outcome of a call, and the result that the extension gets (P1, P15, P18, P19).

use serde::Serialize;

/// The outcome of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered {
    /// A person answered the questions, one each, in their order.
    Questions(Vec<OneAnswer>),
    Confirmed(bool),
    Shown,
    Without(Without),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneAnswer {
    /// The chosen options, in the order in which they were offered; exactly one if the question takes one.
    pub chosen: Vec<Chosen>,
    pub note: Option<String>,
}

/// A chosen option, or a person's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The value that the extension gets.
    pub value: String,
    pub label: String,
    /// Whether these are the person's own words (P15).
    pub other: bool,
}

impl Chosen {
    pub fn own(words: impl Into<String>) -> Self {
        let words = words.into();
        Self { value: words.clone(), label: words, other: true }
    }
}

/// Why there is no answer. None of these is an approval, and none means the same as another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Without {
    /// The user closed the prompt, or the extension cancelled its call.
    Cancelled,
    /// The client's form was declined.
    Declined,
    TimedOut,
    /// The user cannot be asked, for this reason.
    Unavailable(String),
    /// The terminal or the client went away while the prompt was open.
    Lost,
}

impl Without {
    /// The word that an extension compares; cancelling is a result, not an error.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::Declined => "ui_declined",
            Self::TimedOut => "ui_timed_out",
            Self::Unavailable(_) => "ui_unavailable",
            Self::Lost => "ui_lost",
        }
    }
}

impl std::fmt::Display for Without {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cancelled => f.write_str("the prompt was closed"),
            Self::Declined => f.write_str("the form was declined"),
            Self::TimedOut => f.write_str("the user did not answer in time"),
            Self::Unavailable(why) => write!(f, "the user cannot be asked here: {why}"),
            Self::Lost => f.write_str("the terminal or the client went away"),
        }
    }
}

/// The result that the extension gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Returned {
    /// Of `ui.select`.
    One {
        value: Option<String>,
        label: Option<String>,
        /// Whether these are the person's own words.
        #[serde(skip_serializing_if = "super::is_default")]
        other: bool,
        /// The note on the choice, which a list takes unasked.
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<String>,
        /// Whether the user closed the prompt.
        cancelled: bool,
    },
    /// Of `ui.multi_select`.
    Several {
        values: Vec<String>,
        labels: Vec<String>,
        /// Whether the last of them is the person's own words.
        #[serde(skip_serializing_if = "super::is_default")]
        other: bool,
        /// Whether the user closed the prompt.
        cancelled: bool,
    },
    /// Of `ui.form`.
    Form {
        /// One answer for each question, in their order; none if the form was closed.
        answers: Vec<ReturnedAnswer>,
        /// Whether the user closed the prompt.
        cancelled: bool,
    },
    /// Of `ui.confirm`.
    Confirm {
        confirmed: bool,
        /// Whether the user closed the prompt.
        cancelled: bool,
    },
    /// Of `ui.notify`.
    Notice {},
}

/// An answer of a form, as the extension gets it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReturnedAnswer {
    pub id: String,
    #[serde(flatten)]
    pub taken: Taken,
    /// Whether it is, or ends with, the person's own words.
    #[serde(skip_serializing_if = "super::is_default")]
    pub other: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The chosen options of one question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Taken {
    One { value: String, label: String },
    Several { values: Vec<String>, labels: Vec<String> },
}

impl Answered {
    /// The result of `call` with this answer; an error where there is no answer.
    pub fn returned(self, call: &super::Call) -> Result<Returned, Without> {
        use super::{Call, Kind};
        let cancelled = match &self {
            Self::Without(Without::Cancelled) => true,
            Self::Without(other) => return Err(other.clone()),
            Self::Questions(_) | Self::Confirmed(_) | Self::Shown => false,
        };
        let answers = match self {
            Self::Questions(answers) => answers,
            Self::Confirmed(confirmed) => return Ok(Returned::Confirm { confirmed, cancelled }),
            Self::Shown => return Ok(Returned::Notice {}),
            Self::Without(_) => Vec::new(),
        };
        Ok(match call {
            Call::Ask(question) => match (question.kind, answers.into_iter().next()) {
                (Kind::One, answer) => {
                    let (chosen, note) = answer.map(|answer| (answer.chosen, answer.note)).unzip();
                    let taken = chosen.and_then(|chosen| chosen.into_iter().next());
                    let other = taken.as_ref().is_some_and(|taken| taken.other);
                    let (value, label) = taken.map(|taken| (taken.value, taken.label)).unzip();
                    Returned::One { value, label, other, note: note.flatten(), cancelled }
                }
                (Kind::Many, answer) => {
                    let chosen = answer.map(|answer| answer.chosen).unwrap_or_default();
                    let (values, labels, other) = several(chosen);
                    Returned::Several { values, labels, other, cancelled }
                }
            },
            Call::Form(questions) => {
                let answers = questions.iter().zip(answers).filter_map(|(question, answer)| one(question, answer));
                Returned::Form { answers: answers.collect(), cancelled }
            }
            Call::Confirm(_) => Returned::Confirm { confirmed: false, cancelled },
            Call::Notify(..) => Returned::Notice {},
        })
    }
}

fn one(question: &super::Question, answer: OneAnswer) -> Option<ReturnedAnswer> {
    let OneAnswer { chosen, note } = answer;
    let (taken, other) = match question.kind {
        super::Kind::One => {
            let Chosen { value, label, other } = chosen.into_iter().next()?;
            (Taken::One { value, label }, other)
        }
        super::Kind::Many => {
            let (values, labels, other) = several(chosen);
            (Taken::Several { values, labels }, other)
        }
    };
    Some(ReturnedAnswer { id: question.id.clone(), taken, other, note })
}

fn several(chosen: Vec<Chosen>) -> (Vec<String>, Vec<String>, bool) {
    let other = chosen.iter().any(|one| one.other);
    let (values, labels) = chosen.into_iter().map(|one| (one.value, one.label)).unzip();
    (values, labels, other)
}
