//! The registry of the tools: one row each.

use super::Tool;
use crate::domain::subsystem;

/// A tool with all that is said of it without calling it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    pub tool: Tool,
    /// The name under which callers know it.
    pub name: &'static str,
    /// Name, description and input schema as one JSON object, for whoever lists it. The check itself is the request's.
    pub schema: &'static str,
    /// The arguments of a valid call as one line of JSON, for a caller whose arguments were not taken.
    pub example: &'static str,
    /// Whether a call adds to the session. Twice the same call is once, and nothing else changes.
    pub records: bool,
    /// Whether an agent that git grill leads can ever use it in an interview. Its session is open before it starts; at the
    /// gate the terminal asks, and every other call waits; afterwards it gets no turn.
    pub led: bool,
}

/// Those of the interview and the output phase and the one for agents, in the order in which they are listed.
const ROWS: &[Row] = &[
    Row {
        tool: Tool::Status,
        name: "grill_status",
        schema: include_str!("schema/grill_status.json"),
        example: "{}",
        records: false,
        led: true,
    },
    Row {
        tool: Tool::Start,
        name: "grill_start",
        schema: include_str!("schema/grill_start.json"),
        example: r#"{"topic":"limits for uploads"}"#,
        records: true,
        led: false,
    },
    Row {
        tool: Tool::SetAlternatives,
        name: "grill_set_alternatives",
        schema: include_str!("schema/grill_set_alternatives.json"),
        example: r#"{"question":"Where do the counters live?","alternatives":[{"label":"In memory","description":"no new service","recommended":true},{"label":"In SQLite","description":"survives a restart"}]}"#,
        records: true,
        led: true,
    },
    Row {
        tool: Tool::RecordAnswer,
        name: "grill_record_answer",
        schema: include_str!("schema/grill_record_answer.json"),
        example: r#"{"answer":"In memory, for now."}"#,
        records: true,
        led: true,
    },
    Row {
        tool: Tool::ReviseAnswer,
        name: "grill_revise_answer",
        schema: include_str!("schema/grill_revise_answer.json"),
        example: r#"{"question":"3","answer":"In SQLite after all."}"#,
        records: true,
        led: true,
    },
    Row {
        tool: Tool::UpdateCheckpoint,
        name: "grill_update_checkpoint",
        schema: include_str!("schema/grill_update_checkpoint.json"),
        example: r##"{"markdown":"# Shared Understanding\n\n- The counters live in memory.\n","changeSummary":"the counters live in memory"}"##,
        records: true,
        led: true,
    },
    Row {
        tool: Tool::AskQuestion,
        name: "ask_question",
        schema: include_str!("schema/ask_question.json"),
        example: r#"{"question":"Where do the counters live?","options":[{"label":"In memory"},{"label":"In SQLite"}]}"#,
        records: true,
        led: true,
    },
    Row {
        tool: Tool::AskMultiSelect,
        name: "ask_multi_select",
        schema: include_str!("schema/ask_multi_select.json"),
        example: r#"{"question":"Which topics come next?","options":[{"label":"Storage"},{"label":"Limits"}]}"#,
        records: true,
        led: true,
    },
    Row {
        tool: Tool::ResumeStructured,
        name: "resume_structured",
        schema: include_str!("schema/resume_structured.json"),
        example: r#"{"summary":"The counters stay in memory."}"#,
        records: true,
        led: true,
    },
    Row {
        tool: Tool::Questionnaire,
        name: "questionnaire",
        schema: include_str!("schema/questionnaire.json"),
        example: r#"{"questions":[{"id":"store","prompt":"Where do the counters live?","options":[{"value":"memory","label":"In memory"}]}]}"#,
        records: false,
        led: true,
    },
    Row {
        tool: Tool::EnterSelection,
        name: "grill_enter_output_selection_phase",
        schema: include_str!("schema/grill_enter_output_selection_phase.json"),
        example: r#"{"readinessRationale":"Every area is settled.","recommendedOutputs":["design-doc"],"recommendedStrategy":"vertical-slices","question":"What comes out of it?","alternatives":[{"label":"The design"},{"label":"More questions"}]}"#,
        records: true,
        led: true,
    },
    Row {
        tool: Tool::FinishSelection,
        name: "grill_finish_output_selection_phase",
        schema: include_str!("schema/grill_finish_output_selection_phase.json"),
        example: r#"{"outcome":"continue-grilling"}"#,
        records: true,
        led: false,
    },
    Row {
        tool: Tool::EnterOutput,
        name: "grill_enter_output_phase",
        schema: include_str!("schema/grill_enter_output_phase.json"),
        example: r#"{"outputPlan":"Write the design.","outputs":[{"destination":"design-doc"}]}"#,
        records: true,
        led: false,
    },
    Row {
        tool: Tool::SubmitDraft,
        name: "grill_submit_draft",
        schema: include_str!("schema/grill_submit_draft.json"),
        example: r##"{"path":"docs/design/limits.md","content":"# Limits\n"}"##,
        records: true,
        led: false,
    },
    Row {
        tool: Tool::FinishOutput,
        name: "grill_finish_output_phase",
        schema: include_str!("schema/grill_finish_output_phase.json"),
        example: r#"{"summary":"The design is written."}"#,
        records: true,
        led: false,
    },
    Row {
        tool: Tool::Agent,
        name: "grill_agent",
        schema: include_str!("schema/grill_agent.json"),
        example: r#"{"action":"result","session":"g1","wait_seconds":30}"#,
        records: false,
        led: false,
    },
];

/// Every tool there is: these, and those of the subsystems.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    ROWS.iter().chain(subsystem::TOOLS.iter().copied().flatten())
}

impl Tool {
    pub fn row(self) -> &'static Row {
        // A test sees to it that every tool has one.
        rows().find(|row| row.tool == self).unwrap_or(&ROWS[0])
    }

    pub fn name(self) -> &'static str {
        self.row().name
    }

    pub fn named(name: &str) -> Option<Self> {
        rows().find(|row| row.name == name).map(|row| row.tool)
    }
}
