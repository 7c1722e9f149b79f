//! Real agents that are lent work, with a scripted model on 127.0.0.1: what they change in their copy is accepted, what they
//! try outside of it comes to nothing, and their tools for the web are held as the manual tells. They take the agents'
//! programs; see the top of `agents.rs`.

use serde_json::{Value, json};

use super::{Lent, of_kind, text};
use crate::agents::known::{Deed, Known, QUIET, named};
use crate::agents::led::{model, world};
use crate::agents::programs;
use crate::bench::Bench;
use crate::conversation::Sitting;
use crate::leading::ENTER;

/// What the agent's model orders, in its copy.
fn script(bench: &Bench, known: &Known) -> Value {
    let outside = bench.repo().join("evil.txt");
    let script = json!([
        known.led("", &Deed::Read("src/limit.rs")),
        known.led("", &Deed::Write("written.txt")),
        known.led("", &Deed::Shell("echo shell >shell.txt; git add -A; git commit -qm mine; echo done")),
        known.led("", &Deed::Shell(&format!("echo evil >{}; echo tried", outside.display()))),
    ]);
    let copy = bench.repo().join(".git/grill/agents/g1/tree");
    serde_json::from_str(&script.to_string().replace("{repo}", &copy.display().to_string())).unwrap()
}

/// Lends the agent work, and waits until its turn is over.
#[track_caller]
fn works(lent: &Lent, known: &Known, profile: &str) {
    let agent = known.name;
    let at_hand = format!("export {QUIET} PATH={}:$PATH PORT=$(cat ../port);\n{}", programs(), known.set_up);
    let started = format!("{at_hand}\nexec git grill agent start --agent {agent} --profile {profile} 'do it'");
    let mut sitting = Sitting::of_a_line(lent, &started);
    sitting.below("with the profile", "digits jump");
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    sitting.ends_with(0);
    let seen = lent.told("status g1 --wait 60")["session"].clone();
    let log = lent.read(".git/grill/agents/g1/supervisor.log");
    assert_eq!(seen["turns"][0]["state"], "completed", "{agent}: {seen}\n{}\n{log}", lent.wire("g1"));
}

/// An agent that is said to ask about its tools for the web asks about this one, and is refused.
fn asks_about_the_web(agent: &str, tool: &str, input: &Value) {
    let known = named(agent);
    let lent = Lent { bench: Bench::on_disk(Bench::new) };
    let led = model(&lent, &json!([{"name": tool, "input": input}]));
    works(&lent, known, "local-review");
    drop(led);
    let records = lent.records("g1");
    let mut refused: Vec<&str> = of_kind(&records, "answered").iter().map(|one| text(&one["answer"]["why"])).collect();
    refused.retain(|why| why.contains(" does not allow "));
    assert_eq!(refused, ["local-review does not allow the web"], "{agent}: {}", lent.wire("g1"));
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn a4_claude_asks_about_the_web() {
    asks_about_the_web("claude", "WebFetch", &json!({"url": "http://127.0.0.1:1/x", "prompt": "read it"}));
}

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn a4_gemini_asks_about_the_web() {
    asks_about_the_web("gemini", "web_fetch", &json!({"prompt": "read http://127.0.0.1:1/x"}));
}

fn edits(agent: &str) {
    let known = named(agent);
    let lent = Lent { bench: Bench::on_disk(Bench::new) };
    lent.commit("src/limit.rs", "pub struct Limit;\n");
    let led = model(&lent, &script(&lent, known));
    let before = world(&lent);
    works(&lent, known, "worktree-edit");
    let shown = || lent.wire("g1");
    drop(led);
    assert_eq!(world(&lent), before, "{agent} changed something outside of its copy");
    let changed: Vec<String> =
        of_kind(&lent.records("g1"), "files-changed").iter().map(|one| one["files"].to_string()).collect();
    assert_eq!(changed.last().map(String::as_str), Some(r#"{"paths":["shell.txt","written.txt"]}"#), "{}", shown());

    let mut sitting = Sitting::at(&lent, &["agent", "accept", "g1"], 50, 110, &[]);
    sitting.below("Accept these 2 files of g1?", "digits jump");
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    sitting.ends_with(0);
    assert_eq!((lent.read("shell.txt").as_str(), lent.read("written.txt").trim()), ("shell\n", "x"));
    assert_eq!(text(&lent.session("g1")["doing"]), "idle; all changes accepted");
    lent.told("cancel g1");
    lent.told("cleanup g1");
    lent.is_over();
}

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn a4_a16_claude_edits_to_an_accepted_diff() {
    edits("claude");
}

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn a4_a16_codex_edits_to_an_accepted_diff() {
    edits("codex");
}

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn a4_a16_gemini_edits_to_an_accepted_diff() {
    edits("gemini");
}

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn a4_a16_grok_edits_to_an_accepted_diff() {
    edits("grok");
}

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn a4_a16_opencode_edits_to_an_accepted_diff() {
    edits("opencode");
}
