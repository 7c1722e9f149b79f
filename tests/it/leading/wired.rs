//! What stands on the wire of an interview that an agent leads: what is offered to it, what its server gets, when it is
//! cancelled, and what its log keeps. And the server itself: it never asks by a form, and holds one question open (G67).

use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use super::story::walled;
use super::{asks, at_the_second_question, scripted, started_with};
use crate::bench::{Bench, wait_until};

const LOG: &str = ".git/grill/agents/scripted.log";

/// The requests of this method that the agent was sent.
fn sent(bench: &Bench, method: &str) -> Vec<Value> {
    let log = bench.read(LOG);
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("> ")?).ok());
    lines.filter(|message| message["method"] == method).collect()
}

#[test]
fn a36_forms_are_offered_files_and_terminals_are_not_and_the_server_has_the_run_s_variable() {
    if !walled() {
        return;
    }
    let (bench, sitting) = at_the_second_question();
    // Turns that end by themselves are not cancelled (G67).
    assert_eq!(sent(&bench, "session/cancel"), Vec::<Value>::new());
    sitting.pause();
    let greeted = sent(&bench, "initialize");
    let [greeting] = &greeted[..] else { panic!("{greeted:?}") };
    let offered = &greeting["params"]["clientCapabilities"];
    assert_eq!(offered["elicitation"], json!({"form": {}}));
    assert_eq!(offered["fs"], json!({"readTextFile": false, "writeTextFile": false}));
    assert_eq!(offered["terminal"], false);
    let opened = sent(&bench, "session/new");
    let [opening] = &opened[..] else { panic!("{opened:?}") };
    let servers = opening["params"]["mcpServers"].as_array().unwrap();
    let [server] = &servers[..] else { panic!("{servers:?}") };
    assert_eq!((&server["name"], &server["args"]), (&json!("grillinterview"), &json!(["mcp"])));
    let variables: Vec<&str> =
        server["env"].as_array().unwrap().iter().filter_map(|variable| variable["name"].as_str()).collect();
    // All that the relay needs: an agent that hands on nothing of its own environment starts our tools all the same.
    assert_eq!(variables, ["GRILL_HOST"]);
}

#[test]
fn a31_a_log_is_the_account_s_own_and_keeps_no_secret_whoever_says_it() {
    const SECRET: &str = "hunter2hunter2hunter2";
    if !walled() {
        return;
    }
    let says = [
        json!({"stderr": format!("the key is {SECRET}")}),
        json!({"say": format!("It is {SECRET}, and written \"{SECRET}\".")}),
        json!({"permission": {"kind": "execute", "title": "curl", "rawInput": {"command": format!("curl -H {SECRET}")}}}),
    ];
    let turn: Value = says.into_iter().chain(asks("First?").as_array().unwrap().clone()).collect();
    let bench = scripted(&json!({"turns": [turn]}));
    let sitting = started_with(&bench, &[("SOME_SERVICE_TOKEN", SECRET)]);
    sitting.below("question 1 ·", "digits jump");
    wait_until("what it printed", || bench.read(LOG).contains("\n! the key is "));
    sitting.pause();
    let log = bench.read(LOG);
    assert!(!log.contains(SECRET), "{log}");
    let kept = |begins: &str| log.lines().any(|line| line.starts_with(begins) && line.contains("[left out]"));
    assert!(kept("< ") && kept("! "), "what came on its output and on its standard error is there: {log}");
    let mode = |path: &str| bench.repo().join(path).metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(".git/grill/agents"), mode(LOG)), (0o700, 0o600));
}

/// What the server of a terminal that puts the questions answers to these calls, and every line that it wrote.
fn answers(bench: &Bench, calls: &[Value]) -> (Vec<Value>, String) {
    let hello = json!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {"elicitation": {}}, "clientInfo": {"name": "c", "version": "1"}}});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let frames: Vec<String> = [hello, ready].iter().chain(calls).map(|frame| format!("{frame}\n")).collect();
    let file = bench.root().join("told");
    std::fs::write(&file, "").unwrap();
    let mut server = bench.spawn("GRILL_ASKS=terminal git grill mcp >>../told");
    server.send(frames.concat());
    let told = || std::fs::read_to_string(&file).unwrap();
    let lines = || -> Vec<Value> { told().lines().filter_map(|line| serde_json::from_str(line).ok()).collect() };
    let answer = |call: &Value| lines().into_iter().find(|line| line["id"] == call["id"]);
    wait_until("the answers", || calls.iter().all(|call| answer(call).is_some()));
    server.finish().assert_code(0);
    (calls.iter().map(|call| answer(call).unwrap()["result"].clone()).collect(), told())
}

fn call(tool: &str, arguments: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": tool, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

#[test]
fn a36_g67_no_form_is_shown_and_while_a_question_is_open_every_tool_but_the_status_says_the_same() {
    let bench = Bench::new();
    bench.run("git grill start --research off --interviewer agent:c 'add rate limiting'").assert_code(0);
    let question = json!({"question": "First?", "options": [{"label": "yes"}, {"label": "no"}]});
    let (asked, told) = answers(&bench, &[call("ask_question", &question)]);
    assert_eq!(asked[0]["structuredContent"]["kind"], "pending");
    assert!(!told.contains("elicitation/create"), "the server never elicits: {told}");
    let list = json!({"jsonrpc": "2.0", "id": "list", "method": "tools/list"});
    let (listed, _) = answers(&bench, &[list]);
    let tools: Vec<&str> =
        listed[0]["tools"].as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert!(tools.len() >= 10 && tools.contains(&"grill_record_answer"), "{tools:?}");
    let said = |result: &Value| result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
    let waits = "The question is on the user's screen. End your turn now";
    for tool in tools {
        let (told, _) = answers(&bench, &[call(tool, &json!({}))]);
        assert_eq!(said(&told[0]).starts_with(waits), tool != "grill_status", "{tool}: {told:?}");
    }
    bench.run("git grill answer yes").assert_code(0);
    // A call with the same question returns what was answered, and asks nothing anew.
    let (again, _) = answers(&bench, &[call("ask_question", &question)]);
    assert!(said(&again[0]).starts_with("User selected: 1. yes"), "{again:?}");
    bench.run("git grill status --json").assert_code(0).assert_contains("\"resolved\":1");
}
