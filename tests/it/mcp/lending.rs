//! `grill_agent` (A1): the agents that have it, a call that is not taken, and the yes of a person that it needs (A11).

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
        (json!({"action": "result", "session": "../g1"}), "is not an agent session; they are named g1, g2, …"),
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

/// A repository whose account knows an agent, which is never started here.
fn with_an_agent() -> Bench {
    let bench = Bench::new();
    bench.with_account();
    bench.global_config("[grill \"agent.mine\"]\n\tcommand = sh -c true\n");
    bench
}

fn start() -> Value {
    json!({"grill_agent": {"action": "start", "agent": "mine", "prompt": "Look.", "confirm_provider_use": true}})
}

/// The entry of a form that says no, which is its last.
fn no(form: &Value) -> Value {
    let choice = &form["requestedSchema"]["properties"]["choice"];
    let entries = choice.get("enum").or_else(|| choice.get("oneOf")).and_then(Value::as_array);
    let last = entries.and_then(|entries| entries.last()).unwrap_or_else(|| panic!("{form}"));
    last.get("const").unwrap_or(last).clone()
}

/// Nothing was started, with this code.
fn refused_with(bench: &Bench, wire: &mut Wire, code: &str) -> Value {
    let frame = wire.answered();
    let result = frame["result"].clone();
    assert_eq!(
        (&result["isError"], &result["structuredContent"]["error"]["code"]),
        (&json!(true), &json!(code)),
        "{frame}"
    );
    assert!(!bench.repo().join(".git/grill/agents/g1").exists(), "{frame}");
    result
}

#[test]
fn a11_the_clients_form_asks_the_person_and_only_their_yes_starts_anything() {
    let bench = with_an_agent();
    for speaks in [Speaks::First(Shows::Forms), Speaks::Second(Shows::Forms)] {
        let mut wire = Wire::to(&bench, speaks);
        wire.call(&start());
        let form = wire.form();
        let asked = form["message"].as_str().unwrap_or_default();
        assert!(asked.contains("Start mine (") && asked.contains("with the profile local-review?"), "{form}");
        let no = no(&form);
        wire.fill(&json!({"action": "accept", "content": {"choice": no}}));
        let said = refused_with(&bench, &mut wire, "cancelled");
        let text = said["content"][0]["text"].as_str().unwrap_or_default();
        assert!(text.contains("do not call grill_agent for it again"), "{said}");

        wire.call(&start());
        wire.form();
        wire.fill(&json!({"action": "decline"}));
        let said = refused_with(&bench, &mut wire, "needs_person");
        assert!(said.to_string().contains("This is not the user's answer."), "{said}");

        wire.call(&start());
        wire.form();
        wire.fill(&json!({"action": "accept", "content": {"choice": "something else"}}));
        refused_with(&bench, &mut wire, "needs_person");
    }
    assert!(!bench.repo().join(".git/grill/replies").exists(), "a yes or a no to one call is kept for no other");
}

#[test]
fn a11_where_no_form_is_shown_the_command_is_named_that_asks_the_person() {
    let bench = with_an_agent();
    for speaks in [Speaks::First(Shows::Nothing), Speaks::Second(Shows::Nothing)] {
        let mut wire = Wire::to(&bench, speaks);
        wire.call(&start());
        let said = refused_with(&bench, &mut wire, "needs_person");
        let hint = said["structuredContent"]["error"].to_string();
        assert!(hint.contains("git grill agent start --agent mine --profile local-review"), "{said}");
    }
}
