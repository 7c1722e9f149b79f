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
    };
    Tool::ALL.iter().map(|tool| Schema { tool: *tool, json: json(*tool) }).collect()
}
