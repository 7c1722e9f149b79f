//! The verdict of `git grill guard --explain` as JSON.

use serde::Serialize;

use crate::policy::shell::Refused;

/// The verdict on one command, in the order in which its keys are written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explained {
    /// `allow` or `deny`.
    pub verdict: &'static str,
    /// Why not.
    pub reason: Option<String>,
    /// The part that decided.
    pub part: Option<String>,
}

impl Explained {
    /// The verdict in this form.
    pub fn of(judged: Result<(), Refused>) -> Self {
        match judged {
            Ok(()) => Self { verdict: "allow", reason: None, part: None },
            Err(refused) => Self { verdict: "deny", reason: Some(refused.why), part: Some(refused.part) },
        }
    }

    /// As one line of JSON.
    pub fn json(&self) -> String {
        let text = serde_json::to_string(self).expect("three strings are always JSON");
        text + "\n"
    }
}
