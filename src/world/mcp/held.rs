//! What holds an output selection: the person waves it through in a form, by name, and without one the call is refused
//! (G57).

use serde_json::Value;

use crate::app::error::AppError;
use crate::app::reply::Reply;
use crate::app::toolbox::{Call, Called, ToolText, Waiting};
use crate::domain::production;

use super::LocalToolbox;
use super::form_prompter::{Asked, FormPrompter};
use super::telling::failed;

/// Whether this is the refusal of an output selection that is held.
pub(super) fn is_held(said: &ToolText) -> bool {
    said.value.pointer("/error/code").and_then(Value::as_str) == Some("held")
}

impl LocalToolbox {
    /// The form for a call that is refused for what holds it.
    pub(super) fn held(&self, call: &Call, served: &Result<Reply, AppError>, noting: &FormPrompter) -> Option<Called> {
        let held = |error: &&AppError| matches!(error.production(), Some(production::Refusal::Held { .. }));
        let error = served.as_ref().err().filter(held)?;
        let Asked { message, fields, within } = noting.clone().asked()?;
        let (handle, meanwhile) = (self.stand(call), failed(error, &call.tool));
        Some(Called::Waiting(Box::new(Waiting { handle, message, fields, within, given: Value::Null, meanwhile })))
    }
}
