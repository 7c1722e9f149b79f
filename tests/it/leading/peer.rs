//! An agent made of the protocol's own crates (`tests/peer`), which holds each line that we send against the official
//! types. It takes that program: `.ci/thorough peer` builds it, and `GRILL_PEER` names it.

use std::path::Path;

use serde_json::{Value, json};

use super::story::{deeds, walled};
use super::{ENTER, ESCAPE, agree, chooses_the_design, knows, play, takes_first, writes_and_stops};
use crate::bench::Bench;
use crate::conversation::Sitting;

fn peer() -> String {
    std::env::var("GRILL_PEER").expect("GRILL_PEER names the program: .ci/thorough peer builds it")
}

/// A world whose account knows the peer under this name, with this to play.
fn played_as(agent: &str, script: &Value) -> Bench {
    let bench = Bench::on_disk(Bench::new);
    bench.with_account();
    play(&bench, script);
    knows(&bench, agent, Path::new(&peer()));
    bench
}

/// What the raw log of this name has, by the kind of message. Every line of ours fits.
fn fitting(bench: &Bench, log: &str) -> String {
    let log = bench.repo().join(".git/grill/agents").join(log);
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(!text.contains("misfit:"), "{text}");
    let checked = bench.run(&format!("{} check {}", peer(), log.display()));
    assert!(checked.stdout.contains(" 0 lines were cut"), "{}", checked.stdout);
    checked.assert_code(0).stdout().to_owned()
}

fn permission(call: &str, kind: &str, options: &[&str]) -> Value {
    let option = |kind: &&str| json!({"optionId": kind, "name": kind, "kind": kind});
    let call = json!({"toolCallId": call, "name": call, "title": call, "kind": kind});
    let options: Vec<Value> = options.iter().map(option).collect();
    asks("session/request_permission", &json!({"toolCall": call, "options": options}))
}

fn asks(method: &str, params: &Value) -> Value {
    json!({"ask": {"method": method, "params": params}})
}

fn form(message: &str, schema: &Value) -> Value {
    json!({"mode": "form", "message": message, "requestedSchema": schema})
}

fn question(text: &str) -> Value {
    let options = json!([{"label": "yes"}, {"label": "no"}]);
    json!({"tool": {"name": "ask_question", "arguments": {"question": text, "options": options}}})
}

fn understood(markdown: &str) -> Value {
    let arguments = json!({"markdown": markdown, "changeSummary": "what is counted"});
    json!({"tool": {"name": "grill_update_checkpoint", "arguments": arguments}})
}

/// A turn that asks the client for everything that an agent may ask for.
fn asks_for_everything() -> Value {
    let both = ["allow_once", "reject_once"];
    let plan = json!([{"content": "Look", "priority": "high", "status": "in_progress"}]);
    let address = json!({"mode": "url", "elicitationId": "e", "url": "https://example.org", "message": "Log in"});
    let nothing = json!({"type": "object", "properties": {}});
    let fields = json!({"type": "object", "required": ["a", "b", "c", "d", "e"], "properties": {
        "a": {"type": "string", "default": "AP"},
        "b": {"type": "integer", "default": 7},
        "c": {"type": "boolean", "default": true},
        "d": {"type": "array", "items": {"type": "string", "enum": ["x", "y"]}},
        "e": {"type": "number", "default": 1.5}}});
    json!([
        {"say": "I look around.\n"},
        {"update": {"sessionUpdate": "plan", "entries": plan}},
        permission("mcp__grillinterview__ask_question", "other", &both),
        permission("Write", "edit", &both),
        permission("Write again", "edit", &["allow_once"]),
        asks("fs/read_text_file", &json!({"path": "/etc/hostname"})),
        asks("fs/write_text_file", &json!({"path": "/tmp/x", "content": "x"})),
        asks("terminal/create", &json!({"command": "touch x"})),
        asks("_peer/unknown", &json!({})),
        asks("_x.ai/mcp/elicit", &address),
        asks("elicitation/create", &address),
        {"takes_back": {"method": "elicitation/create", "params": form("Never mind", &nothing)}},
        asks("elicitation/create", &form("Which project?", &fields)),
        question("By account?"),
    ])
}

/// A turn that goes on asking when it was cancelled.
fn asks_late() -> Value {
    json!([{"say": "Since it matters.\n"}, "cancelled",
        permission("Read", "read", &["allow_once", "reject_once"]),
        asks("elicitation/create", &form("Late?", &json!({"type": "object", "properties": {}})))])
}

fn offers() -> Value {
    let arguments = json!({
        "question": "Which output?", "readinessRationale": "Nothing is left.",
        "recommendedOutputs": ["design-doc"], "recommendedStrategy": "vertical-slices",
        "alternatives": [
            {"value": "select design-doc", "label": "A design", "description": "a page", "recommended": true},
            {"value": "continue", "label": "More", "description": "more questions"}]});
    json!([understood("# Limits\n\n- By account.\n- Over the limit: 429.\n"),
        {"tool": {"name": "grill_enter_output_selection_phase", "arguments": arguments}}])
}

#[test]
#[ignore = "takes the peer: .ci/thorough peer"]
fn a31_the_protocol_s_own_crate_leads_an_interview_and_reads_all_that_we_send() {
    if !walled() {
        return;
    }
    let goes_on = json!([understood("# Limits\n\n- By account.\n"), question("With 429?")]);
    let turns = json!([asks_for_everything(), asks_late(), goes_on]);
    let bench = played_as("peer", &json!({"turns": turns, "loaded": [offers()]}));
    let words = ["start", "--research", "off", "--interviewer", "peer", "add rate limiting"];
    let mut sitting = Sitting::at(&bench, &words, 50, 100, &[]);
    agree(&mut sitting);
    takes_first(&mut sitting, "A question from outside the interview");
    sitting.below("1 of 5", "Esc closes");
    sitting.pty.send(ENTER);
    sitting.below("2 of 5", "Esc closes");
    sitting.pty.send(ENTER);
    takes_first(&mut sitting, "3 of 5");
    sitting.below("4 of 5", "Space");
    sitting.pty.send(" \x1b[B\x1b[B");
    sitting.pty.wait_for("› Done (1 selected)");
    sitting.pty.send(ENTER);
    sitting.below("5 of 5", "Esc closes");
    sitting.pty.send(ENTER);

    sitting.below("question 1 ·", "digits jump");
    sitting.pty.send("/why\r");
    sitting.pty.wait_for("peer: Since it matters.");
    sitting.pty.send(ESCAPE);
    takes_first(&mut sitting, "question 1 ·");
    sitting.below("question 2 ·", "digits jump");
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);

    // Another process of it loads the conversation, and brings it to its end.
    let mut sitting = Sitting::at(&bench, &["next"], 50, 100, &[]);
    takes_first(&mut sitting, "question 2 ·");
    chooses_the_design(&mut sitting);
    writes_and_stops(sitting);

    let first = fitting(&bench, "peer.log.1");
    for kind in [
        "initialize: 1",
        "session/new: 1",
        "session/prompt: 3",
        "session/cancel, a notice: 1",
        "session/request_permission, answered: 4",
        "elicitation/create, answered: 3",
        "elicitation/create, refused: 1",
        "fs/read_text_file, refused: 1",
        "fs/write_text_file, refused: 1",
        "terminal/create, refused: 1",
        "_peer/unknown, refused: 1",
        "_x.ai/mcp/elicit, answered: 1",
    ] {
        assert!(first.lines().any(|line| line == format!("client: {kind}")), "{kind}: {first}");
    }
    let second = fitting(&bench, "peer.log");
    for kind in ["initialize: 1", "session/load: 1", "session/prompt: 1"] {
        assert!(second.lines().any(|line| line == format!("client: {kind}")), "{kind}: {second}");
    }
    // Nothing was chosen where only a yes was offered, and nothing that it asked after the cancel was allowed or shown.
    let log = bench.read(".git/grill/agents/peer.log.1");
    let ours: Vec<&str> = log.lines().filter(|line| line.starts_with("> ")).collect();
    let answers = |part: &str| ours.iter().filter(|line| line.contains(part)).count();
    assert_eq!(answers(r#""result":{"outcome":{"outcome":"cancelled"}}"#), 2, "{log}");
    assert_eq!(answers(r#""action":"accept""#), 1, "{log}");
    assert_eq!(answers(r#""action":"cancel""#), 2, "{log}");
    let deeds = deeds(&bench);
    for (who, what) in
        [("agent:peer", "checkpoint:"), ("human", "approve docs/design/"), ("system", "write docs/design/")]
    {
        assert!(deeds.lines().any(|deed| deed.starts_with(&format!("{who} {what}"))), "{who} {what}:\n{deeds}");
    }
}

#[test]
#[ignore = "takes the peer: .ci/thorough peer"]
fn a31_what_a_preset_adds_and_what_is_offered_without_walls_fits_as_well() {
    if !walled() {
        return;
    }
    for (agent, walls, sets) in
        [("claude", true, true), ("codex", true, true), ("codex", false, true), ("peer", false, false)]
    {
        let bench = played_as(agent, &json!({"turns": [[question("By account?")]]}));
        // The programs that the adapters speak for.
        bench
            .run("mkdir ../stub && cd ../stub && printf '#!/bin/sh\\n' | tee claude >codex && chmod 755 *")
            .assert_code(0);
        let bare = if walls { "" } else { "GRILL_TEST_NO_WALLS=1" };
        let stub = bench.root().join("stub");
        let line = format!(
            "export {bare} PATH={}:$PATH; exec git grill start --research auto --interviewer {agent} 'add rate limiting'",
            stub.display()
        );
        let mut sitting = Sitting::of_a_line(&bench, &line);
        agree(&mut sitting);
        sitting.below("question 1 ·", "digits jump");
        sitting.pty.send(ESCAPE);
        sitting.ends_with(0);
        let kinds = fitting(&bench, &format!("{agent}.log"));
        assert_eq!(kinds.contains("client: session/set_config_option: 1"), sets, "{agent}: {kinds}");
        let log = bench.read(&format!(".git/grill/agents/{agent}.log"));
        assert_eq!(log.contains(r#""writeTextFile":true"#), !walls, "{agent}: {log}");
    }
}
