//! How much a leading agent is handed by git grill (G59): the first prompt and the tools, in characters, with a bound for
//! each agent. What its makers tell it besides is not ours.

use serde_json::{Value, json};

use super::{ENTER, asks, scripted};
use crate::bench::wait_until;
use crate::conversation::Sitting;

/// How each agent names a tool of ours to its model, and the most characters that it is handed before it has read anything:
/// the prompt with what is known of a small repository, and the tools.
const BOUNDS: &[(&str, &str, usize)] = &[
    ("claude", "mcp__grillinterview__", 18_600),
    ("codex", "mcp__grillinterview__", 18_600),
    ("gemini", "mcp_grillinterview_", 18_600),
    ("grok", "grillinterview__", 18_600),
    ("opencode", "grillinterview_", 18_600),
];
/// The most that the prompt takes without what is known.
const METHOD: usize = 3_000;

/// Frames of a client that asks for everything.
fn frames() -> String {
    let client = json!({"name": "c", "version": "1"});
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
    let status = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call",
        "params": {"name": "grill_status", "arguments": {}}});
    let start = json!({"jsonrpc": "2.0", "id": 4, "method": "tools/call",
        "params": {"name": "grill_start", "arguments": {"topic": "x"}}});
    [hello, ready, list, status, start].map(|frame| format!("{frame}\n")).concat()
}

#[test]
fn g59_what_an_agent_is_handed_is_measured_and_bounded() {
    if !super::story::walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?")]}));
    bench.write("src/limit.rs", "pub struct Limit;\n");
    bench.run("git add -A && git commit -qm begun").assert_code(0);
    let words = ["start", "--interviewer", "scripted", "add rate limiting"];
    let mut sitting = Sitting::at(&bench, &words, 50, 100, &[]);
    super::agree(&mut sitting);
    sitting.below("question 1 ·", "digits jump");
    let log = bench.read(".git/grill/agents/scripted.log");
    let prompt = log.lines().find(|line| line.contains("session/prompt")).unwrap();
    let prompt: Value = serde_json::from_str(prompt.trim_start_matches("> ")).unwrap();
    let prompt = prompt["params"]["prompt"][0]["text"].as_str().unwrap().to_owned();
    assert_eq!(prompt.matches("Work as Socrates").count(), 1);

    // A call that is not waited for is answered in its own time.
    let mut server = bench.spawn("GRILL_ASKS=terminal git grill mcp >../told");
    server.send(frames());
    let told = || -> Vec<Value> {
        let told = std::fs::read_to_string(bench.root().join("told")).unwrap_or_default();
        told.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    };
    wait_until("all four answers", || (1..=4_u64).all(|id| told().iter().any(|answer| answer["id"] == id)));
    server.finish().assert_code(0);
    let answers = told();
    let answer = |id: u64| &answers.iter().find(|answer| answer["id"] == id).unwrap()["result"];
    // The prompt has it, and the status for an agent that lost its beginning.
    assert!(answer(1)["instructions"].is_null(), "{}", answer(1));
    assert!(answer(3)["content"][0]["text"].as_str().unwrap().contains("Work as Socrates"), "{}", answer(3));
    let refused = answers.iter().find(|answer| answer["id"] == 4).unwrap();
    assert!(refused["error"]["message"].as_str().unwrap().contains("there is no tool grill_start"), "{refused}");

    let tools = answer(2)["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 10, "{tools:?}");
    let of_tools: usize = tools.iter().map(|tool| tool.to_string().chars().count()).sum();
    let (method, _) = prompt.split_at(prompt.find("if you lose track.").unwrap());
    assert!(method.chars().count() <= METHOD, "the method takes {} characters", method.chars().count());
    for (agent, prefix, most) in BOUNDS {
        let all = prompt.chars().count() + of_tools + prefix.len() * tools.len();
        assert!(all <= *most, "{agent} is handed {all} characters");
        // A bound that nothing comes near guards nothing.
        assert!(all * 5 >= most * 4, "{agent} is handed {all} characters, and may be handed {most}");
    }
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
}
