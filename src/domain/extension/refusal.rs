//! Expected refusals around extensions: code, message and hint, side by side.

use crate::domain::subsystem::Refused;

/// Why the answer to an extension is not recorded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// An agent wants to answer in place of the user.
    #[error("the answer to the extension was not recorded: only the user who was asked can answer it")]
    NotThePersons,
}

impl Refused for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Self::NotThePersons => "not_the_persons_answer",
        }
    }

    fn hint(&self) -> String {
        match self {
            Self::NotThePersons => {
                "git grill <extension> lists the commands of an extension, which ask you at a terminal".to_owned()
            }
        }
    }

    fn advice(&self, _: &str) -> String {
        match self {
            Self::NotThePersons => "Call the extension's tool, which asks the user in a form.".to_owned(),
        }
    }
}
