//! The tools in a trial (A28): who calls one is told outside, and nothing is looked at or recorded.

use serde_json::json;

use super::LocalToolbox;
use crate::app::preflight;
use crate::app::toolbox::{Call, ToolText};
use crate::world::run::{ASKS, TRIAL, broker};

impl LocalToolbox {
    pub(super) fn is_trial(&self) -> bool {
        self.environment.text(ASKS).is_some_and(|asks| asks == TRIAL)
    }

    /// Tells whoever is outside that a client has come.
    pub(super) fn greet_in_trial(&self) {
        if let Some(broker) = broker(&self.environment) {
            // Not greeted, it is taken for a server that did not start, and that is said.
            self.greeted.get_or_init(|| drop(broker.greet(&preflight::id())));
        }
    }

    /// A call, which is told outside.
    pub(super) fn call_in_trial(&self, call: &Call) -> ToolText {
        match preflight::answer(&call.tool) {
            Ok(text) => {
                // What is not told counts as not called.
                let _ = broker(&self.environment).map(|broker| broker.called(&preflight::id(), &call.tool));
                ToolText { text: text.to_owned(), value: json!({"kind": "trial", "text": text}), failed: false }
            }
            Err(why) => {
                let value = json!({"error": {"code": "trial", "message": why, "hint": "call grill_status"}});
                ToolText { text: why.to_owned(), value, failed: true }
            }
        }
    }
}
