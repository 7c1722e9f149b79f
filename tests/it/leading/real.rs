//! Real agents that git grill starts, with a scripted model on 127.0.0.1: one command begins, the agent's question comes up
//! in our terminal, and the answer goes back to it. They take the agents' programs; see the top of `agents.rs`.

use std::time::{Duration, Instant};
use std::{fs, thread};

use serde_json::{Value, json};

use super::{ENTER, decides};
use crate::agents::known::{Deed, Known, QUIET, named};
use crate::agents::led::{model, world};
use crate::agents::programs;
use crate::bench::Bench;
use crate::conversation::Sitting;

/// Calls of the script before the person pauses.
const BEFORE_THE_PAUSE: usize = 6;

/// What the agent's model orders: it looks, tries to write behind our back with its shell and with its own tool, asks, and
/// goes on once it has heard what the person said.
fn script(known: &Known) -> Value {
    let ask = |heard: &str, question: &str, one: &str, other: &str| {
        let input = json!({ "question": question, "options": [{ "label": one }, { "label": other }] });
        known.led(heard, &Deed::Ours("ask_question", input))
    };
    let understood = |heard: &str, markdown: &str, change: &str| {
        let input = json!({ "markdown": markdown, "changeSummary": change });
        known.led(heard, &Deed::Ours("grill_update_checkpoint", input))
    };
    json!([
        known.led("", &Deed::Read("src/limit.rs")),
        known.led("", &Deed::Shell("touch behind.txt; echo tried")),
        known.led("", &Deed::Write("written.txt")),
        ask("", "Who is counted?", "the account", "the address"),
        understood("The user answered: the account", "# Limits\n\n- They count by account.\n", "who is counted"),
        ask("", "What is over the limit told?", "429", "a queue"),
        understood(
            ", the user, alternative 2): a queue",
            "# Limits\n\n- They count by account.\n- Over the limit one waits.\n",
            "what is told"
        ),
        ask("", "Who sets the limit?", "operations", "each customer"),
    ])
}

/// What the agent's model orders in a trial: the tool, and the write.
fn trial(known: &Known) -> Value {
    json!([known.led("", &Deed::Ours("grill_status", json!({}))), known.led("", &Deed::Write("grill-preflight.txt")),])
}

/// A person at a terminal, with the agent's programs at hand.
fn at_terminal(bench: &Bench, known: &Known, words: &str) -> Sitting {
    Sitting::of_a_line(bench, &format!("{}\nexec git grill {words}", at_hand(known)))
}

/// The lines that put the agent's programs and its model at hand.
fn at_hand(known: &Known) -> String {
    format!("export {QUIET} PATH={}:$PATH PORT=$(cat ../port);\n{}", programs(), known.set_up)
}

/// What the session's commits say, the oldest first.
fn deeds(bench: &Bench) -> String {
    let format = "%(trailers:key=Grill-Actor,valueonly,separator=%x20) %s";
    bench
        .run(&format!("git log --reverse --format='{format}' --glob='refs/grill/sessions/*'"))
        .assert_code(0)
        .stdout()
        .to_owned()
}

/// Waits until the agent has told its model that the question is open.
fn told_its_model(bench: &Bench, agent: &str) {
    let began = Instant::now();
    while bench.read("../said").lines().count() < BEFORE_THE_PAUSE {
        assert!(began.elapsed() < Duration::from_mins(2), "{agent} does not tell its model that the question is open");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Processes of a run in this world.
fn left(bench: &Bench) -> Vec<String> {
    let ours = format!("HOME={}", bench.root().join("home").display());
    let of_a_run = |environment: &[u8]| {
        let variables: Vec<&[u8]> = environment.split(|byte| *byte == 0).collect();
        variables.contains(&ours.as_bytes()) && variables.iter().any(|variable| variable.starts_with(b"GRILL_RUN="))
    };
    let processes = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
    let left = processes.filter(|process| fs::read(process.join("environ")).is_ok_and(|read| of_a_run(&read)));
    left.map(|process| fs::read_to_string(process.join("cmdline")).unwrap_or_default()).collect()
}

fn leads(agent: &str) {
    let known = named(agent);
    let bench = Bench::on_disk(Bench::new);
    bench.commit("src/limit.rs", "pub struct Limit;\n");
    let script = script(known);
    let led = model(&bench, &script);
    // It opens a session, which one of them does only when it is logged in.
    bench
        .run(&format!("{}\ngit grill agent doctor {agent}", at_hand(known)))
        .assert_code(0)
        .assert_contains("with which git grill was tested");
    let before = world(&bench);
    let mut sitting = at_terminal(&bench, known, &format!("start --interviewer {agent} 'rate limiting'"));
    super::agree(&mut sitting);
    sitting.below("Who is counted?", "digits jump");
    decides(&mut sitting, "1", "+ - They count by account.");
    sitting.below("What is over the limit told?", "digits jump");
    told_its_model(&bench, agent);
    sitting.pty.send(super::ESCAPE);
    sitting.ends_with(0);

    let said: Vec<Value> = bench.read("../said").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(said[0]["text"].as_str().unwrap().contains("pub struct Limit"), "{agent} read nothing: {}", said[0]);

    // Another process of the agent goes on, with its own conversation, or with a new one and all that is recorded.
    drop(led);
    let mut rest = script.as_array().unwrap()[BEFORE_THE_PAUSE..].to_vec();
    rest[0]["later"] = json!(true);
    let based_on = json!("{{heard:The checkpoint, version ([0-9a-f]+)}}");
    let input = &mut rest[0]["input"];
    let input = if input["tool_input"].is_object() { &mut input["tool_input"] } else { input };
    input["basedOn"] = based_on;
    let led = model(&bench, &Value::from(rest));
    let mut sitting = at_terminal(&bench, known, "next");
    sitting.below("What is over the limit told?", "digits jump");
    decides(&mut sitting, "2", "+ - Over the limit one waits.");
    sitting.below("Who sets the limit?", "digits jump");
    sitting.pty.send(super::ESCAPE);
    sitting.ends_with(0);

    drop(led);
    // How it is led reaches its model, and only once (G59).
    let most = bench.read("../asked").lines().map(|request| request.matches("Work as Socrates").count()).max();
    assert_eq!(most, Some(1), "{agent}");
    assert_eq!(world(&bench), before, "{agent} changed something");
    let deeds = deeds(&bench);
    for (who, what) in [
        (format!("agent:{agent}"), "ask q-"),
        ("human".to_owned(), "answer q-"),
        (format!("agent:{agent}"), "checkpoint: who is counted"),
        (format!("agent:{agent}"), "checkpoint: what is told"),
    ] {
        assert!(deeds.lines().any(|deed| deed.starts_with(&format!("{who} {what}"))), "{who} {what}:\n{deeds}");
    }
    assert!(
        !deeds.lines().any(|deed| deed.starts_with(&format!("agent:{agent} answer"))),
        "only the person answers:\n{deeds}"
    );
    let left = left(&bench);
    assert!(left.is_empty(), "{agent} left {left:?} running");
}

fn is_proved(agent: &str) {
    let known = named(agent);
    let bench = Bench::on_disk(Bench::new);
    let led = model(&bench, &trial(known));
    let before = world(&bench);
    let mut sitting = at_terminal(&bench, known, &format!("agent preflight {agent}"));
    sitting.pty.wait_for("for a trial of one turn?");
    sitting.pty.wait_for("digits jump");
    sitting.pty.send(ENTER);
    let (code, screen) = sitting.end();
    drop(led);
    let log = || bench.read(&format!(".git/grill/agents/{agent}.preflight.log"));
    assert_eq!(code, 0, "{agent}: {screen}\n{}", log());
    for line in ["greeted and really called, under the name", "it tried to write grill-preflight.txt, and was refused"]
    {
        assert!(screen.contains(line), "{agent}: {line}: {screen}");
    }
    assert_eq!(world(&bench), before, "{agent} changed something");
    let doctor = format!("export {QUIET} PATH={}:$PATH; git grill agent doctor {agent}", programs());
    bench.run(&doctor).assert_code(0).assert_contains("proved   on ");
    let left = left(&bench);
    assert!(left.is_empty(), "{agent} left {left:?} running");
}

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn a28_claude_is_proved() {
    is_proved("claude");
}

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn a28_codex_is_proved() {
    is_proved("codex");
}

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn a28_gemini_is_proved() {
    is_proved("gemini");
}

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn a28_grok_is_proved() {
    is_proved("grok");
}

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn a28_opencode_is_proved() {
    is_proved("opencode");
}

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn g55_claude_leads() {
    leads("claude");
}

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn g55_codex_leads() {
    leads("codex");
}

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn g55_gemini_leads() {
    leads("gemini");
}

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn g55_grok_leads() {
    leads("grok");
}

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn g55_opencode_leads() {
    leads("opencode");
}
