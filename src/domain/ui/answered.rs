//! What came of a call, and how it goes back over the wire (P1, P15, P18, P19).

use serde::Serialize;

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered {
    /// A person answered the questions, one each, in their order.
    Questions(Vec<OneAnswer>),
    /// A person said yes or no.
    Confirmed(bool),
    /// It was shown.
    Shown,
    /// There is no answer.
    Without(Without),
}

/// An answer to one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneAnswer {
    /// What was taken, in the order of the options; exactly one where one is taken.
    pub chosen: Vec<Chosen>,
    /// What was added to the choice.
    pub note: Option<String>,
}

/// Something that was taken: an option, or a person's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// What is returned.
    pub value: String,
    /// Its name as it was shown.
    pub label: String,
    /// Whether these are the person's own words (P15).
    pub other: bool,
}

impl Chosen {
    /// A person's own words.
    pub fn own(words: impl Into<String>) -> Self {
        let words = words.into();
        Self { value: words.clone(), label: words, other: true }
    }
}

/// Why there is no answer. None of these is an approval, and none stands for another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Without {
    /// The person closed it, or the extension took it back.
    Cancelled,
    /// The client's form was declined.
    Declined,
    /// Nobody answered in time.
    TimedOut,
    /// Nobody can be asked, for this reason.
    Unavailable(String),
    /// Whoever was asked went away while it was open.
    Lost,
}

impl Without {
    /// What an extension compares; cancelling is a result, not an error.
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
            Self::TimedOut => f.write_str("nobody answered in time"),
            Self::Unavailable(why) => write!(f, "nobody can be asked here: {why}"),
            Self::Lost => f.write_str("whoever was asked went away"),
        }
    }
}

/// A result as it goes back over the wire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Returned {
    /// Of `ui.select`.
    One {
        /// What was taken.
        value: Option<String>,
        /// Its name as it was shown.
        label: Option<String>,
        /// Whether these are the person's own words.
        #[serde(skip_serializing_if = "is_false")]
        other: bool,
        /// Whether the person closed it.
        cancelled: bool,
    },
    /// Of `ui.multi_select`.
    Several {
        /// What was taken.
        values: Vec<String>,
        /// Their names as they were shown.
        labels: Vec<String>,
        /// Whether the last of them is the person's own words.
        #[serde(skip_serializing_if = "is_false")]
        other: bool,
        /// Whether the person closed it.
        cancelled: bool,
    },
    /// Of `ui.form`.
    Form {
        /// One each, in the order of the questions; none where it was closed.
        answers: Vec<ReturnedAnswer>,
        /// Whether the person closed it.
        cancelled: bool,
    },
    /// Of `ui.confirm`.
    Confirm {
        /// Whether the person said yes.
        confirmed: bool,
        /// Whether the person closed it.
        cancelled: bool,
    },
    /// Of `ui.notify`.
    Notice {},
}

/// An answer of a form as it goes back over the wire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReturnedAnswer {
    /// The question's id.
    pub id: String,
    /// What was taken.
    #[serde(flatten)]
    pub taken: Taken,
    /// Whether it is, or ends with, the person's own words.
    #[serde(skip_serializing_if = "is_false")]
    pub other: bool,
    /// What was added to the choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What was taken of the options of one question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Taken {
    /// One.
    One {
        /// What is returned.
        value: String,
        /// Its name as it was shown.
        label: String,
    },
    /// Several.
    Several {
        /// What is returned.
        values: Vec<String>,
        /// Their names as they were shown.
        labels: Vec<String>,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}

impl Answered {
    /// How this answer to `call` goes back; the error of a call without one.
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
                    let taken = answer.and_then(|answer| answer.chosen.into_iter().next());
                    let other = taken.as_ref().is_some_and(|taken| taken.other);
                    let (value, label) = taken.map(|taken| (taken.value, taken.label)).unzip();
                    Returned::One { value, label, other, cancelled }
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
