//! One valid call of each tool, for a caller whose arguments were not taken.

use super::Tool;

impl Tool {
    /// A valid call: its arguments as one line of JSON.
    pub fn example(self) -> &'static str {
        match self {
            Self::AskQuestion => {
                r#"{"question":"Where do the counters live?","options":[{"label":"In memory"},{"label":"In SQLite"}]}"#
            }
            Self::AskMultiSelect => {
                r#"{"question":"Which topics come next?","options":[{"label":"Storage"},{"label":"Limits"}]}"#
            }
            Self::ResumeStructured => r#"{"summary":"The counters stay in memory."}"#,
            Self::Questionnaire => {
                r#"{"questions":[{"id":"store","prompt":"Where do the counters live?","options":[{"value":"memory","label":"In memory"}]}]}"#
            }
            Self::SetAlternatives => {
                r#"{"question":"Where do the counters live?","alternatives":[{"label":"In memory","description":"no new service","recommended":true},{"label":"In SQLite","description":"survives a restart"}]}"#
            }
            Self::RecordAnswer => r#"{"answer":"In memory, for now."}"#,
            Self::ReviseAnswer => r#"{"question":"3","answer":"In SQLite after all."}"#,
            Self::UpdateCheckpoint => {
                r##"{"markdown":"# Shared Understanding\n\n- The counters live in memory.\n","changeSummary":"the counters live in memory"}"##
            }
            Self::EnterSelection => {
                r#"{"readinessRationale":"Every area is settled.","recommendedOutputs":["design-doc"],"recommendedStrategy":"vertical-slices","question":"What comes out of it?","alternatives":[{"label":"The design"},{"label":"More questions"}]}"#
            }
            Self::FinishSelection => r#"{"outcome":"continue-grilling"}"#,
            Self::EnterOutput => r#"{"outputPlan":"Write the design.","outputs":[{"destination":"design-doc"}]}"#,
            Self::SubmitDraft => r##"{"path":"docs/design/limits.md","content":"# Limits\n"}"##,
            Self::FinishOutput => r#"{"summary":"The design is written."}"#,
            Self::Status => "{}",
            Self::Start => r#"{"topic":"limits for uploads"}"#,
        }
    }
}
