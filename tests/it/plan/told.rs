//! What an agent is told of plan mode and of a plan, on every way on which it is instructed, within 1,000 characters.

use serde_json::{Value, json};

use super::{at_terminal, call, execute, planned, set};
use crate::bench::Bench;

/// What Claude Code's hook is told at this moment; empty where it is told nothing.
fn hook(bench: &Bench, moment: &str, source: &str) -> String {
    let payload = json!({"session_id": "s", "cwd": bench.repo(), "prompt": "go on", "source": source}).to_string();
    let line = format!("git-grill instructions --for claude --hook {moment}");
    let output = bench.run_with_input(&line, payload).assert_code(0).stdout().to_owned();
    if output.is_empty() {
        return output;
    }
    let told: Value = serde_json::from_str(&output).unwrap();
    told["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned()
}

/// What the MCP server begins with.
fn mcp(bench: &Bench) -> String {
    let hello =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
    let frame = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello});
    let said = bench.run_with_input("git grill mcp", format!("{frame}\n")).assert_code(0).stdout().to_owned();
    let said: Value = serde_json::from_str(said.lines().next().unwrap()).unwrap();
    said["result"]["instructions"].as_str().unwrap_or_default().to_owned()
}

/// Everything that an agent is told now, each with its way.
fn every_way(bench: &Bench) -> Vec<(&'static str, String)> {
    let served = cfg!(feature = "mcp").then(|| ("mcp", mcp(bench)));
    let ways = [
        ("startup", hook(bench, "session-start", "startup")),
        ("compact", hook(bench, "session-start", "compact")),
        ("prompt", hook(bench, "prompt", "")),
        ("instructions", bench.run("git grill instructions").assert_code(0).stdout().to_owned()),
    ];
    ways.into_iter().chain(served).collect()
}

#[test]
fn p21_on_every_way_an_agent_is_told_that_plan_mode_is_on() {
    let bench = planned();
    for (way, told) in every_way(&bench) {
        assert!(told.contains("Plan mode is on: this repository is read-only"), "{way}: {told}");
        assert!(
            told.contains("grill_set_plan") && told.contains("A plan of 3 steps waits for the user"),
            "{way}: {told}"
        );
    }
    at_terminal(&bench, &["plan", "off"]).ends_with(0);
    for (way, told) in every_way(&bench) {
        assert!(!told.contains("Plan mode is on") && !told.contains("the user's plan"), "{way}: {told}");
    }
}

#[test]
fn p21_on_every_way_an_agent_is_told_its_current_step_and_what_is_left() {
    let bench = planned();
    execute(&bench);
    let (code, result) = call(&bench, "grill_step_done", r#"{"step":1}"#);
    assert_eq!(code, 0, "{result}");
    for (way, told) in every_way(&bench) {
        assert!(told.contains("Current step 2: Call it\n3. Say so in the README\n"), "{way}: {told}");
        assert!(told.contains("0 of 3 steps finished, 1 claimed") && !told.contains("Add `Limiter`"), "{way}: {told}");
        assert!(told.contains("call grill_step_done"), "{way}: {told}");
    }
    at_terminal(&bench, &["todos", "done", "2,3"]).ends_with(0);
    for (way, told) in every_way(&bench) {
        assert!(
            told.contains("Every step of the user's plan is marked: 2 of 3 steps finished (2 done), 1 claimed"),
            "{way}: {told}"
        );
    }
}

#[test]
fn p21_a_hundred_long_steps_are_told_within_a_thousand_characters() {
    let bench = Bench::new();
    bench.run("git grill plan on").assert_code(0);
    // It is more than the window shows.
    bench.run("git config core.pager cat").assert_code(0);
    let long = "a word and another one, ".repeat(12);
    set(&bench, &(1..=100).map(|number| format!("{number}. begins {number} {long}ends\n")).collect::<String>());
    let told_within = |wanted: &str| {
        for (way, told) in every_way(&bench) {
            let characters = told.trim_end().chars().count();
            assert!(characters <= 1_000, "{way}: {characters} characters: {told}");
            assert!(told.contains(wanted), "{way}: {told}");
        }
    };
    told_within("A plan of 100 steps waits for the user");
    execute(&bench);
    told_within("Current step 1: begins 1 ");
    told_within("git grill todos shows all in full");
    let done: Vec<String> = (1..=99).map(|number: u32| number.to_string()).collect();
    at_terminal(&bench, &["todos", "done", &done.join(",")]).ends_with(0);
    told_within("Current step 100: begins 100 ");
}
