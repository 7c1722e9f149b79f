//! Instructions, once for each client: a reply that would repeat them says that they stand, and how to hear them again.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::app::toolbox::{Call, ToolText};
use crate::domain::fnv::fnv1a;
use crate::domain::tool::Tool;

/// The words in place of instructions that the client has.
const STANDS: &str =
    "How to lead this phase stands as you were told it; grill_status with \"instructions\": true tells it again.";

/// The instructions that one client was told, by their hashes.
#[derive(Debug, Default)]
pub(super) struct ToldOnce(Mutex<BTreeSet<u64>>);

impl ToldOnce {
    /// The reply without instructions that the client was told before and does not ask for.
    pub(super) fn shortened(&self, said: ToolText, call: &Call) -> ToolText {
        let Some(told) = said.value.get("instructions").and_then(Value::as_str) else { return said };
        let is_new = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(fnv1a(told.bytes()));
        let asked = call.tool == Tool::Status.name() && call.arguments.get("instructions") == Some(&json!(true));
        if is_new || asked {
            return said;
        }
        let text = said.text.replacen(told, STANDS, 1);
        let ToolText { mut value, failed, .. } = said;
        value["instructions"] = json!(STANDS);
        ToolText { text, value, failed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(arguments: Value) -> Call {
        Call { tool: "grill_status".to_owned(), arguments, client: String::new(), again: None, given: Value::Null }
    }

    fn status(told: &str) -> ToolText {
        let value = json!({"text": "It is open.", "instructions": told});
        ToolText { text: format!("It is open.\n{told}"), value, failed: false }
    }

    #[test]
    fn instructions_are_told_once_and_on_request() {
        let once = ToldOnce::default();
        let plain = call(json!({}));
        assert_eq!(once.shortened(status("Ask one."), &plain), status("Ask one."));
        assert_eq!(once.shortened(status("Ask one."), &plain), status(STANDS));
        assert_eq!(once.shortened(status("Ask one."), &call(json!({"instructions": true}))), status("Ask one."));
        assert_eq!(once.shortened(status("Draft."), &plain), status("Draft."), "another phase is told in full");
        let bare = ToolText { text: "Done.".to_owned(), value: json!({"text": "Done."}), failed: false };
        assert_eq!(once.shortened(bare.clone(), &plain), bare);
    }
}
