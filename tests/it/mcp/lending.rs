//! `grill_agent` (A1): the agents that have it, and a call that is not taken.

use serde_json::{Value, json};

use super::wire::{Shows, Speaks, Wire};
use crate::bench::Bench;

/// A client of a server that these variables reach.
fn with(bench: &Bench, variables: &str) -> Wire {
    let line = format!("{variables} exec git grill mcp");
    Wire::by(bench, &line, Speaks::First(Shows::Nothing))
}

fn listed(wire: &mut Wire) -> Vec<String> {
    wire.request("tools/list", &json!({}));
    let frame = wire.answered();
    let tools = frame["result"]["tools"].as_array().unwrap_or_else(|| panic!("{frame}"));
    tools.iter().filter_map(|tool| tool["name"].as_str()).map(str::to_owned).collect()
}

fn has_it(wire: &mut Wire) -> bool {
    listed(wire).iter().any(|tool| tool == "grill_agent")
}

#[test]
fn a1_a_host_agent_outside_has_the_tool_in_every_phase_and_without_a_session() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    assert!(has_it(&mut with(&bench, "")), "without a session");
    for line in [
        "git grill start --research off 'rate limiting'",
        "git grill answer 'at most 10 requests each second for each key' && git grill discuss",
        "git grill discuss --done 'the limit is for each key' && git grill select design-doc --path docs/limits.md",
        "git grill stop --without-output",
    ] {
        bench.run(line).assert_code(0);
        assert!(has_it(&mut with(&bench, "")), "{line}");
    }
}

#[test]
fn a1_no_agent_that_git_grill_started_has_it() {
    let bench = Bench::new();
    for variables in [
        "export GRILL_ASKS=terminal;",
        "export GRILL_ASKS=trial;",
        "export GRILL_RUN=claude;",
        "export GRILL_ASKS=terminal GRILL_RUN=claude;",
        "export GRILL_ASKS=trial GRILL_RUN=claude;",
    ] {
        let mut wire = with(&bench, variables);
        let tools = listed(&mut wire);
        assert!(tools.contains(&"grill_status".to_owned()), "{variables}: {tools:?}");
        assert!(!tools.contains(&"grill_agent".to_owned()), "{variables}: {tools:?}");
        wire.call(&json!({"grill_agent": {"action": "status"}}));
        let refused = wire.answered();
        let why = refused["error"]["message"].as_str().unwrap_or_default();
        assert!(why.contains("there is no tool grill_agent"), "{variables}: {refused}");
    }
}

#[test]
fn a1_an_agent_that_work_was_lent_to_has_none_of_our_tools() {
    let bench = Bench::new();
    for variables in ["export GRILL_ASKS=lent;", "export GRILL_ASKS=lent GRILL_RUN=claude;"] {
        let mut wire = with(&bench, variables);
        let told = wire.seen.pointer("/result/instructions").and_then(Value::as_str).unwrap_or_default();
        assert!(told.contains("there is nothing to do"), "{told}");
        assert_eq!(listed(&mut wire), Vec::<String>::new(), "{variables}");
        wire.request("prompts/list", &json!({}));
        assert_eq!(wire.answered()["result"]["prompts"], json!([]), "{variables}");
        wire.request("prompts/get", &json!({"name": "grill"}));
        assert!(wire.answered()["error"]["message"].is_string(), "{variables}");
        for tool in ["grill_status", "grill_agent", "ask_question"] {
            wire.call(&json!({tool: {}}));
            assert!(wire.answered()["error"]["message"].is_string(), "{variables}: {tool}");
        }
    }
}

#[test]
fn a1_a_call_that_is_not_taken_says_which_field_and_shows_one_that_is() {
    let bench = Bench::new();
    let mut wire = with(&bench, "");
    for (call, says) in [
        (json!({"action": "accept", "session": "g1"}), "'accept' is no action"),
        (
            json!({"action": "status", "prompt": "x"}),
            "the action status takes no prompt; it takes session, wait_seconds",
        ),
        (json!({"action": "status", "cwd": "/"}), "unknown field `cwd`"),
        (json!({"action": "start", "prompt": "x"}), "needs confirm_provider_use: true"),
        (json!({"action": "result", "session": "../g1"}), "is no handle of an agent session"),
    ] {
        wire.call(&json!({"grill_agent": call}));
        let frame = wire.answered();
        let (result, error) = (&frame["result"], &frame["result"]["structuredContent"]["error"]);
        assert_eq!((&result["isError"], &error["code"]), (&json!(true), &json!("usage")), "{frame}");
        assert!(error["message"].as_str().unwrap_or_default().contains(says), "{frame}");
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        assert!(text.starts_with("Call grill_agent again, as in the example below"), "{frame}");
        assert!(text.contains("\nfor example: grill_agent {"), "{frame}");
    }
}
