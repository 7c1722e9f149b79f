//! A form and what it came back with: one value notes what would be asked, another answers with what came back. Between the
//! two lies a person.

use std::time::Duration;

use serde_json::Value;

use crate::app::prompt::Prompted;
use crate::app::toolbox::Field;

pub(super) const NOBODY: &str = "this client shows no forms";
pub(super) const EMPTY: &str = "the form came back without an answer that it offered";

/// What would be asked: what stands above the form, and its fields.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Asked {
    pub message: String,
    pub fields: Vec<Field>,
    /// How long it may stand open.
    pub within: Option<Duration>,
}

/// Whether a form may have fields beside one another. A client that sends a form only with every field filled in gets
/// one field at a time, and another form for words of one's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fields {
    Several,
    One,
}

/// What a form came back with.
#[derive(Clone, Debug)]
pub(super) enum FormPrompter {
    /// Nothing yet; what is asked is noted, with the limit that holds then.
    Noting { asked: Option<Asked>, within: Option<Duration>, fields: Fields },
    /// These values, by the names of the fields.
    Given {
        values: Value,
        fields: Fields,
        /// The form that takes what is still missing.
        further: Option<Asked>,
        /// What was sent beside the answer and is no part of it.
        beside: Option<String>,
        /// What stood above the form.
        shown: String,
        /// Whether a yes came back for a form that says something else by now.
        moved: bool,
        /// Whether the values were used: as an answer, or for the form that asks for the rest.
        used: bool,
    },
}

impl FormPrompter {
    pub(super) fn noting(fields: Fields) -> Self {
        Self::Noting { asked: None, within: None, fields }
    }

    /// One that answers with these values, which came back from a form with `shown` above it.
    pub(super) fn given(values: Value, fields: Fields, shown: &str) -> Self {
        let shown = shown.to_owned();
        Self::Given { values, fields, further: None, beside: None, shown, moved: false, used: false }
    }

    /// Whether what would be asked is not what was shown: it is asked anew, and nothing counts as said to it.
    pub(super) fn moved(&self) -> bool {
        matches!(self, Self::Given { moved: true, .. })
    }

    /// Whether the returned values were not used.
    pub(super) fn unused(&self) -> bool {
        matches!(self, Self::Given { used: false, .. })
    }

    /// What was asked meanwhile, or is still missing.
    pub(super) fn asked(self) -> Option<Asked> {
        match self {
            Self::Noting { asked, .. } => asked,
            Self::Given { further, .. } => further,
        }
    }

    pub(super) fn one_field(&self) -> bool {
        let (Self::Noting { fields, .. } | Self::Given { fields, .. }) = self;
        *fields == Fields::One
    }

    /// Whether another form than this one came back. Then this one is asked, and nothing counts as said to it.
    pub(super) fn asks_anew(&mut self, form: impl FnOnce() -> (String, Vec<Field>)) -> bool {
        let Self::Given { shown, moved, further, .. } = self else { return false };
        let (message, fields) = form();
        if *shown == message {
            return false;
        }
        *moved = true;
        *further = Some(Asked { message, fields, within: None });
        true
    }

    /// Notes what is asked, or hands the values out.
    pub(super) fn meet<T>(
        &mut self,
        form: impl FnOnce() -> (String, Vec<Field>),
        answer: impl FnOnce(&Value) -> Met<T>,
    ) -> Prompted<T> {
        match self {
            Self::Noting { asked, within, .. } => {
                let (message, fields) = form();
                *asked = Some(Asked { message, fields, within: *within });
                Prompted::Unavailable(NOBODY)
            }
            Self::Given { values, further, beside, used, .. } => match answer(values) {
                Met::Answer(answer, words) => {
                    (*beside, *used) = (words, true);
                    Prompted::Answered(answer)
                }
                Met::Needs(message, fields) => {
                    *used = true;
                    *further = Some(Asked { message, fields, within: None });
                    Prompted::Unavailable(EMPTY)
                }
                Met::Nothing => Prompted::Unavailable(EMPTY),
            },
        }
    }
}

/// What the values of a form come to.
pub(super) enum Met<T> {
    /// An answer, and what was sent beside it.
    Answer(T, Option<String>),
    /// Another form is needed: its message and its fields.
    Needs(String, Vec<Field>),
    /// No answer that it offered.
    Nothing,
}

impl<T> From<Option<T>> for Met<T> {
    fn from(answer: Option<T>) -> Self {
        answer.map_or(Self::Nothing, |answer| Self::Answer(answer, None))
    }
}
