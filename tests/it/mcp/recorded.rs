//! `fixtures/mcp-recorded`: what the stories of `agents::story` wrote down between six real agents and us, an agent and its
//! version a file (`GRILL_RECORD=1`). The server of today hears the same frames in the same order, and answers each with
//! the same kind of result; pi calls `git grill tool` with the same input, and gets the same exit code too.
//!
//! What a person did beside the agent is done again where it was done: the second question is answered before it is asked
//! once more, and what waits for an approval is approved at a terminal.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::wire::{Speaks, Wire};
use crate::agents::known::{ALL, Known};
use crate::bench::Bench;
use crate::pty::Pty;

/// The recorded lines of an agent, with this bench's own folders in them.
fn recorded(bench: &Bench, known: &Known) -> Vec<Value> {
    let file = format!("fixtures/mcp-recorded/{}-{}.jsonl", known.name, known.version);
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&file))
        .unwrap_or_else(|error| panic!("{file}: {error}; its story records it with GRILL_RECORD=1"));
    let home = bench.root().join("home").display().to_string();
    let text = text.replace("$REPO", &bench.repo().display().to_string()).replace("$HOME", &home);
    text.replace("$ROOT", &bench.root().display().to_string())
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// What a result comes to: its kind or its error, without words, names and times.
fn kind(frame: &Value) -> Value {
    let result = &frame["result"];
    let ours = &result["structuredContent"];
    let forms = result["inputRequests"].as_object().map(|forms| forms.keys().collect::<Vec<_>>());
    json!({
        "method": frame["method"],
        "error": frame["error"]["code"],
        "type": result["resultType"],
        "forms": forms,
        "refused": result["isError"],
        "kind": ours["kind"],
        "why": ours["error"]["code"],
        "tool": ours["tool"],
    })
}

/// What the person beside the agent did, as the story tells it.
struct Beside<'b> {
    bench: &'b Bench,
    asked: Value,
}

impl<'b> Beside<'b> {
    fn of(bench: &'b Bench) -> Self {
        Self { bench, asked: Value::Null }
    }

    /// Before a call: a question that is asked once more has been answered.
    fn before(&mut self, call: &Value) {
        if call["inputResponses"].is_null() && call["arguments"]["question"].is_string() {
            if self.asked == call["arguments"] {
                self.bench.run("git grill answer --choose 2").assert_code(0);
            }
            self.asked = call["arguments"].clone();
        }
    }

    /// After a result: what waits is granted or approved.
    fn after(&self, kind: &Value) {
        match kind.as_str() {
            Some("approval_required") => self.says_yes("Grant it?", "[y/n]"),
            Some("drafted") => self.says_yes("They live in one file", "[y/n]"),
            _ => {}
        }
    }

    fn says_yes(&self, seen: &str, asked: &str) {
        let mut command = Command::new("git");
        command.args(["grill", "approve"]).current_dir(self.bench.repo()).envs(self.bench.environment());
        let mut pty = Pty::spawn(&command, 50, 100);
        pty.wait_for(seen);
        pty.wait_for(asked);
        pty.send("y");
        assert_eq!(pty.exit_code(), 0, "{}", pty.screen());
    }
}

fn repository() -> Bench {
    let bench = Bench::new();
    bench.commit("src/link.rs", "pub struct Link;\n");
    bench
}

fn ends_with_the_document(bench: &Bench, name: &str) {
    assert_eq!(bench.read("docs/links.md"), crate::agents::story::DOCUMENT, "{name}");
    bench.run("git status --porcelain --untracked-files=all").assert_stdout("?? docs/links.md\n");
}

/// The number of results that were compared.
fn replay_frames(known: &Known) -> usize {
    let name = known.name;
    let bench = repository();
    let mut wire = Wire::to(&bench, Speaks::Frames);
    let mut beside = Beside::of(&bench);
    // By its recorded id, the server's own request or the state that came now.
    let (mut requests, mut states) = (BTreeMap::new(), BTreeMap::new());
    let mut compared = 0;
    for (at, line) in recorded(&bench, known).iter().enumerate() {
        let place = format!("{name}, frame {}", at + 1);
        let mut frame = line["frame"].clone();
        if line["from"] == "agent" {
            if frame.get("method").is_none() {
                frame["id"] = requests.remove(&frame["id"].to_string()).expect(&place);
            } else if let Some(state) = frame.pointer_mut("/params/requestState") {
                *state = states.remove(&state.to_string()).expect(&place);
            }
            beside.before(&frame["params"]);
            wire.line(&frame.to_string());
            continue;
        }
        let asks = frame.get("method");
        let found = wire.next(|one| one.get("method") == asks && (asks.is_some() || one["id"] == frame["id"]));
        assert_eq!(kind(&found), kind(&frame), "{place}\nwas {frame}\nis  {found}");
        let offers = |frame: &Value| frame["result"]["tools"].as_array().cloned().unwrap_or_default();
        let offered: Vec<Value> = offers(&found).iter().map(|tool| tool["name"].clone()).collect();
        for tool in offers(&frame) {
            assert!(offered.contains(&tool), "{place}: {tool} is offered no more: {offered:?}");
        }
        if asks.is_some() {
            requests.insert(frame["id"].to_string(), found["id"].clone());
        }
        if let Some(state) = frame.pointer("/result/requestState") {
            states.insert(state.to_string(), found["result"]["requestState"].clone());
        }
        beside.after(&frame["result"]["structuredContent"]["kind"]);
        compared += 1;
    }
    wire.close();
    ends_with_the_document(&bench, name);
    compared
}

/// The same for calls of `git grill tool`.
fn replay_calls(known: &Known) -> usize {
    let bench = repository();
    let mut beside = Beside::of(&bench);
    let calls = recorded(&bench, known);
    for call in &calls {
        let name = call["tool"].as_str().unwrap();
        beside.before(&json!({ "arguments": call["input"] }));
        let output = bench.run_with_input(&format!("git grill tool {name}"), call["input"].to_string());
        let said: Value = serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output}"));
        let came = (json!(output.code), said["kind"].clone(), said["error"]["code"].clone());
        let wanted = &call["output"];
        let was = (call["code"].clone(), wanted["kind"].clone(), wanted["error"]["code"].clone());
        assert_eq!(came, was, "{}: {call}\n{output}", known.name);
        beside.after(&wanted["kind"]);
    }
    ends_with_the_document(&bench, known.name);
    calls.len()
}

#[test]
fn g24_g30_what_real_agents_sent_is_answered_as_it_was() {
    for known in &ALL {
        let compared = if known.name == "pi" { replay_calls(known) } else { replay_frames(known) };
        // A whole story is at least this long.
        assert!(compared >= 14, "{}: only {compared} results", known.name);
    }
}
