//! Running an extension: it asks the person, and each answer is recorded as soon as it is given (P28). Also the tools
//! that agents get from the extensions that a person enabled.

mod offered;
mod recording;
mod session_book;
#[cfg(test)]
mod tests;

pub use offered::{AgentTool, Offered, offered, tool_called};

use serde_json::Value;

use super::context::Context;
use super::error::AppError;
use super::form::Scripted;
use super::ports::extensions::{ExtensionAction, Gave, Ran};
use super::tools::active;
use crate::domain::actor::Actor;
use crate::domain::ui::Name;

use recording::Recording;
use session_book::SessionBook;

/// Runs a command or a tool of an extension. Remarks on its answers, such as that nothing was recorded, are added to
/// its result.
pub fn run(
    context: &mut Context<'_>,
    name: &Name,
    deed: &ExtensionAction,
    scripted: Option<&mut Scripted>,
) -> Result<Ran, AppError> {
    let mut remarks = Vec::new();
    Ok(match run_noting(context, name, deed, scripted, &mut remarks)? {
        Ran::Done(gave) => Ran::Done(remarking(gave, remarks)),
        Ran::Later => Ran::Later,
    })
}

/// The same, for a caller that shows remarks in its own place. It gets them even if the run fails.
pub fn run_noting(
    context: &mut Context<'_>,
    name: &Name,
    deed: &ExtensionAction,
    scripted: Option<&mut Scripted>,
    remarks: &mut Vec<String>,
) -> Result<Ran, AppError> {
    let session = active(context)?;
    let extensions = context.extensions;
    let mut book = SessionBook::new(context, name, deed, scripted);
    let ran = extensions.run(name, deed, session.as_ref(), &mut Recording::new(&mut book));
    let goes_on = matches!(ran, Ok(Ran::Later));
    remarks.extend(book.close(goes_on));
    ran
}

/// Who answers: the person who was asked; or whoever brought a file of answers, which is never a person's word.
pub(super) fn respondent(scripted: bool, actor: &Actor) -> Actor {
    match (scripted, actor) {
        (false, _) => Actor::Human,
        (true, Actor::Agent(name)) => Actor::Agent(name.clone()),
        (true, Actor::Human | Actor::Unattended | Actor::System) => Actor::Unattended,
    }
}

pub fn remarking(gave: Gave, remarks: Vec<String>) -> Gave {
    if remarks.is_empty() {
        return gave;
    }
    let Gave { text, mut value, failed, errors } = gave;
    let text = text.into_iter().chain(remarks.iter().cloned()).collect::<Vec<_>>().join("\n");
    if let Value::Object(all) = &mut value {
        // An extension may use the word for something else, which stays as it is.
        let told = all.entry("remarks").or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(told) = told {
            told.extend(remarks.into_iter().map(Value::String));
        }
    }
    Gave { text: Some(text), value, failed, errors }
}
