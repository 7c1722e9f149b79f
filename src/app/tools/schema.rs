//! What the tools take, as JSON schemas: data for whoever lists them. The check itself is the domain's.

use crate::domain::tool::Tool;

/// A tool with its schema.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// The tool.
    pub tool: Tool,
    /// Name, description and input schema as one JSON object.
    pub json: &'static str,
}

/// Every tool that exists.
pub fn schemas() -> Vec<Schema> {
    let json = |tool| match tool {
        Tool::AskQuestion => include_str!("ask_question.json"),
        Tool::AskMultiSelect => include_str!("ask_multi_select.json"),
        Tool::ResumeStructured => include_str!("resume_structured.json"),
        Tool::Questionnaire => include_str!("questionnaire.json"),
        Tool::SetAlternatives => include_str!("grill_set_alternatives.json"),
        Tool::RecordAnswer => include_str!("grill_record_answer.json"),
        Tool::ReviseAnswer => include_str!("grill_revise_answer.json"),
        Tool::UpdateCheckpoint => include_str!("grill_update_checkpoint.json"),
        Tool::EnterSelection => include_str!("grill_enter_output_selection_phase.json"),
        Tool::FinishSelection => include_str!("grill_finish_output_selection_phase.json"),
        Tool::EnterOutput => include_str!("grill_enter_output_phase.json"),
        Tool::SubmitDraft => include_str!("grill_submit_draft.json"),
        Tool::FinishOutput => include_str!("grill_finish_output_phase.json"),
        Tool::Status => include_str!("grill_status.json"),
        Tool::Start => include_str!("grill_start.json"),
    };
    Tool::ALL.iter().map(|tool| Schema { tool: *tool, json: json(*tool) }).collect()
}
