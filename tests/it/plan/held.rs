//! What plan mode holds, by every gate, and what lifts it.

use std::path::Path;

use super::{at_terminal, call, commits_are_refused, execute, planned};
use crate::bench::Bench;
use crate::guard::{guard, reading_alone_passes, says, whatever_is_understood_passes};

#[test]
fn p10_the_guard_of_every_agent_refuses_until_a_person_executes_and_again_afterwards() {
    let bench = planned();
    reading_alone_passes(&bench);
    execute(&bench);
    whatever_is_understood_passes(&bench);
    bench.run("git grill plan on").assert_code(0);
    reading_alone_passes(&bench);
}

#[test]
fn p10_the_hooks_refuse_a_commit_until_a_person_executes_and_again_afterwards() {
    let bench = planned();
    commits_are_refused(&bench);
    execute(&bench);
    bench.run("git add . && git commit --quiet -m 'add src'").assert_code(0);
    bench.run("git grill plan on").assert_code(0);
    commits_are_refused(&bench);
    at_terminal(&bench, &["plan", "off"]).ends_with(0);
    bench.run("git commit --quiet --allow-empty -m more").assert_code(0);
}

#[test]
fn p10_a_tool_that_sets_a_plan_passes_and_one_that_hands_in_a_file_does_not() {
    let bench = planned();
    for tool in ["mcp__grill__grill_set_plan", "mcp__grill__grill_step_done"] {
        let payload = serde_json::json!({ "cwd": "$REPO", "tool_name": tool, "tool_input": {} });
        let output = guard(&bench, Path::new("."), "claude", payload.to_string().as_bytes());
        assert_eq!(says("claude", &output), "pass", "{tool}");
    }
    let (code, result) = call(&bench, "grill_set_plan", r#"{"steps":["another one"]}"#);
    assert_eq!((code, result["kind"].as_str()), (0, Some("recorded")), "{result}");
    let (code, result) = call(&bench, "grill_submit_draft", r#"{"path":"docs/a.md","content":"x"}"#);
    assert_eq!((code, result["error"]["code"].as_str()), (1, Some("wrong_phase")), "{result}");
    bench.run("test ! -e docs/a.md").assert_code(0);
}

#[test]
fn p14_in_an_interview_turning_it_off_lifts_nothing() {
    let bench = Bench::new();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill plan on").assert_code(0);
    bench.run("git grill status --short").assert_contains("Plan Mode: ON");
    commits_are_refused(&bench);
    bench.run("git grill plan off").assert_code(3).assert_contains("a command without a terminal cannot give it");
    at_terminal(&bench, &["plan", "off"]).ends_with(0);
    bench.run("git grill status --short").assert_code(0).assert_lacks("Plan Mode");
    commits_are_refused(&bench);
}
