//! The server of an agent that git grill leads: no more than such an agent needs. Real agents handed the method to their
//! model twice, from here and from the first prompt, and one cut ours off; so the prompt alone has it, and the status for
//! an agent that lost its beginning. Tools that it can never use are not listed.

use serde_json::json;

use super::Desks;
use crate::app::instructions::instructions;
use crate::app::toolbox::Said;
use crate::domain::tool::Tool;
use crate::store::foreground::foreground;

impl Desks {
    /// Whether the client is listed this tool.
    pub(super) fn lists(&self, tool: Tool) -> bool {
        !(self.asks_at_terminal() || self.is_trial()) || is_of_use(tool)
    }

    /// Where the interview stands, with how it is led.
    pub(super) fn with_method(&self, mut said: Said) -> Said {
        if said.value.get("instructions").is_some() {
            return said;
        }
        let session = self.opened().and_then(|opened| foreground(&opened.repo).ok().flatten());
        if let (false, Some(told)) = (said.failed, session.and_then(|session| instructions(&session))) {
            said.text = format!("{}\n\n{told}", said.text);
            said.value["instructions"] = json!(told);
        }
        said
    }
}

/// Whether an agent that leads can ever use this tool. Its session is open before it starts; at the gate the terminal
/// asks, and every other call waits; afterwards it gets no turn.
fn is_of_use(tool: Tool) -> bool {
    match tool {
        Tool::AskQuestion
        | Tool::AskMultiSelect
        | Tool::ResumeStructured
        | Tool::Questionnaire
        | Tool::SetAlternatives
        | Tool::RecordAnswer
        | Tool::ReviseAnswer
        | Tool::UpdateCheckpoint
        | Tool::EnterSelection
        | Tool::Status => true,
        Tool::Start | Tool::FinishSelection | Tool::EnterOutput | Tool::SubmitDraft | Tool::FinishOutput => false,
    }
}
