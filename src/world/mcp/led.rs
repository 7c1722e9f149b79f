//! The server of an agent that git grill leads: no more than such an agent needs. Real agents handed the method to their
//! model twice, from here and from the first prompt, and one cut ours off; so the prompt alone has it, and the status for
//! an agent that lost its beginning. Tools that it can never use are not listed.

use serde_json::{Value, json};

use super::LocalToolbox;
use crate::app::instructions::at_terminal;
use crate::app::toolbox::ToolText;
use crate::domain::session::Session;
use crate::domain::tool::{Row, Tool};
use crate::store::foreground::foreground;

impl LocalToolbox {
    pub(super) fn lists(&self, row: &Row) -> bool {
        !(self.asks_at_terminal() || self.is_trial()) || row.led || self.is_for_plans(row)
    }

    /// Whether this is a tool with which an agent hands in a plan and marks its steps, in plan mode or in a session in which
    /// nothing is asked.
    fn is_for_plans(&self, row: &Row) -> bool {
        let is_own = matches!(row.tool, Tool::Own(_)) && !self.is_trial();
        is_own && self.session().is_some_and(|session| session.phase.asks_nothing() || session.own.plan.is_on())
    }

    fn session(&self) -> Option<Session> {
        self.opened().and_then(|opened| foreground(&opened.repo).ok().flatten())
    }

    /// Where the interview stands, with how it is led from here: what an agent in a client of its own is told is more.
    pub(super) fn with_method(&self, mut said: ToolText) -> ToolText {
        let told = self.session().as_ref().and_then(at_terminal).filter(|_| !said.failed);
        let Some(told) = told else { return said };
        said.text = match said.value.get("instructions").and_then(Value::as_str) {
            Some(general) => said.text.replace(general, &told),
            None => format!("{}\n\n{told}", said.text),
        };
        said.value["instructions"] = json!(told);
        said
    }
}
