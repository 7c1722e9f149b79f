//! The question tools, which an agent calls in a shell or over MCP: those that write, killed before each of their writes.

use super::killed::every_step;
use super::rows::{AGENT, ANSWER, DOSSIER, EXECUTE, NEXT, PLAN, ROW, Row, START, STEPS, tried};

/// What an agent hands in.
const WORDS: &str =
    r##"printf %s '{"markdown":"# Limits\n\n- by client","changeSummary":"how it is counted"}' >../tmp/words.json"##;
/// An agent's question is open.
const ASKED: &str = r#"{ echo '{"question":"Who?","options":[{"label":"we"},{"label":"they"}]}' | CLAUDECODE=1 git grill tool ask_question; test $? = 3; }"#;
/// A proposal that a host brings.
const PROPOSED: &str = r###"printf %s '{"action":"submit","debate":1,"role":"proposer","round":1,"text":"## Architecture overview\na\n## Key technical decisions\n- b: c\n## File structure changes\nd\n## Potential risks\ne\n## Options considered\n- f: chosen\n"}' >../tmp/call.json"###;
const ANSWERED: &str = "git grill answer 'we are'";
const DRAFTING: &str = "git grill select design-doc";
const CODES: &[i32] = &[1, 3];

/// A tool call as a shell line; its request is in a file, so that the line is one program.
macro_rules! tool {
    ($name:literal) => {
        concat!("CLAUDECODE=1 exec git-grill tool ", $name, " <../tmp/call.json")
    };
}

tried! {
    EVERY_STEP: every_step, 2;
    p1_tool_record: Row { before: &[AGENT, ASKED, r#"echo '{"answer":"we are"}' >../tmp/call.json"#], line: tool!("grill_record_answer"), codes: CODES, words: "we are", ..ROW };
    [whole]
    p1_tool_start: Row { before: &[r#"echo '{"topic":"rate limiting","confirmed":"yes, that","research":"off"}' >../tmp/call.json"#], line: tool!("grill_start"), codes: CODES, ..ROW };
    p1_tool_alternatives: Row { before: &[AGENT, r#"echo '{"question":"Who?","alternatives":[{"label":"we","recommended":true},{"label":"they"}]}' >../tmp/call.json"#], line: tool!("grill_set_alternatives"), codes: CODES, ..ROW };
    p1_tool_revise: Row { before: &[AGENT, ASKED, ANSWERED, r#"echo '{"question":"1","answer":"they are"}' >../tmp/call.json"#], line: tool!("grill_revise_answer"), codes: CODES, again: &[("go back to ", "git grill status")], ..ROW };
    p1_tool_checkpoint: Row { before: &[START, WORDS], line: "CLAUDECODE=1 exec git-grill tool grill_update_checkpoint <../tmp/words.json", ..ROW };
    p1_tool_ask: Row { before: &[AGENT, r#"echo '{"question":"Who?","options":[{"label":"we"},{"label":"they"}]}' >../tmp/call.json"#], line: tool!("ask_question"), codes: CODES, ..ROW };
    p1_tool_ask_for_many: Row { before: &[AGENT, r#"echo '{"question":"Who?","options":[{"label":"we"},{"label":"they"}]}' >../tmp/call.json"#], line: tool!("ask_multi_select"), codes: CODES, ..ROW };
    p1_tool_resume: Row { before: &[START, "git grill discuss", r#"echo '{"summary":"by client"}' >../tmp/call.json"#], line: tool!("resume_structured"), codes: CODES, ..ROW };
    p1_tool_enter_selection: Row { before: &[AGENT, ASKED, ANSWERED, r#"echo '{"readinessRationale":"enough","recommendedOutputs":["prd"],"recommendedStrategy":"vertical-slices","question":"What now?","alternatives":[{"label":"prd"},{"label":"more"}]}' >../tmp/call.json"#], line: tool!("grill_enter_output_selection_phase"), codes: CODES, ..ROW };
    p1_tool_finish_selection: Row { before: &[START, ANSWER, "git grill select", r#"echo '{"outcome":"continue-grilling"}' >../tmp/call.json"#], line: tool!("grill_finish_output_selection_phase"), codes: CODES, then: NEXT, ..ROW };
    p1_tool_enter_output: Row { before: &[START, ANSWER, "git grill select", r#"echo '{"outputPlan":"a document","outputs":[{"destination":"design-doc"}]}' >../tmp/call.json"#], line: tool!("grill_enter_output_phase"), codes: CODES, ..ROW };
    p1_tool_draft: Row { before: &[START, ANSWER, DRAFTING, r##"printf %s '{"path":"docs/design/rate-limiting.md","content":"# Ours\n"}' >../tmp/call.json"##], line: tool!("grill_submit_draft"), codes: CODES, ..ROW };
    p1_tool_set_plan: Row { before: &[PLAN, r#"echo '{"steps":["count","limit"]}' >../tmp/call.json"#], line: tool!("grill_set_plan"), codes: CODES, ..ROW };
    p1_tool_step_done: Row { before: &[PLAN, STEPS, EXECUTE, r#"echo '{"step":1}' >../tmp/call.json"#], line: tool!("grill_step_done"), codes: CODES, ..ROW };
    p1_tool_debate: Row { before: &[START, DOSSIER, "git grill debate start --dossier ../tmp/dossier.md --proposer host", PROPOSED], line: tool!("grill_debate"), codes: CODES, ..ROW };
    p1_tool_finish_output: Row { before: &[START, ANSWER, DRAFTING, r#"echo '{"summary":"done"}' >../tmp/call.json"#], line: tool!("grill_finish_output_phase"), codes: CODES, then: NEXT, ..ROW };
}
