//! A person's yes to an agent stands as long as the walls do that it was given for.

use serde_json::json;

use super::story::walled;
use super::{ENTER, agent, agree, asks, goes_on, play, scripted, started, takes_first};
use crate::bench::Bench;
use crate::conversation::Sitting;

const BARE: [(&str, &str); 1] = [("GRILL_TEST_NO_WALLS", "1")];

/// What the agent was sent; each start begins it anew.
fn log(bench: &Bench) -> String {
    bench.read(".git/grill/agents/scripted.log")
}

#[test]
fn a11_a25_next_without_the_walls_that_were_agreed_to_takes_another_yes() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?")], "loaded": [goes_on("Second?")]}));
    let words = ["start", "--research", "auto", "--interviewer", "scripted", "add rate limiting"];
    let mut sitting = Sitting::at(&bench, &words, 50, 110, &[]);
    agree(&mut sitting);
    sitting.below("question 1 ·", "digits jump");
    sitting.pause();
    let before = log(&bench);
    // Without it nothing is started.
    let mut sitting = Sitting::at(&bench, &["next"], 50, 110, &BARE);
    takes_first(&mut sitting, "question 1 ·");
    sitting.pty.wait_for("You agreed to start this agent in a sandbox, and that sandbox is not available now.");
    sitting.pty.wait_for("Nothing here keeps it from changing files");
    sitting.below("as the interviewer?", "digits jump");
    sitting.pause();
    assert_eq!(log(&bench), before);
    let mut sitting = Sitting::at(&bench, &["next"], 50, 110, &BARE);
    agree(&mut sitting);
    sitting.below("question 2 ·", "digits jump");
    sitting.pause();
    // It is about this session, and is not asked for again in it.
    play(&bench, &json!({"loaded": [[{"sleep": 600_000}]]}));
    let mut sitting = Sitting::at(&bench, &["next"], 50, 110, &BARE);
    takes_first(&mut sitting, "question 2 ·");
    sitting.pty.wait_for("scripted thinks");
    assert!(!sitting.pty.raw().contains("as the interviewer?"));
    sitting.pause();
}

#[test]
fn g55_with_research_off_an_agent_is_not_started_once_the_walls_are_missing() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?")], "loaded": [goes_on("Second?")]}));
    let sitting = started(&bench);
    sitting.below("question 1 ·", "digits jump");
    sitting.pause();
    let before = log(&bench);
    let mut sitting = Sitting::at(&bench, &["next"], 50, 110, &BARE);
    takes_first(&mut sitting, "question 1 ·");
    sitting.pty.wait_for("scripted was not started: with research off it must not read the repository");
    sitting.below("How should the interview continue?", "digits jump");
    sitting.pty.send(ENTER);
    sitting.below("question 2 ·", "Tab alternatives");
    sitting.pause();
    assert_eq!(log(&bench), before);
    bench.run("git grill interviewer").assert_contains("built-in");
}

#[test]
fn a25_a_mode_that_the_agent_refuses_is_a_comfort_within_walls_and_ends_it_without() {
    if !walled() {
        return;
    }
    // Under the name of an agent whose mode is set.
    let refuses = json!({"setting": {"error": {"code": -32602, "message": "unknown mode"}}, "turns": [asks("First?")]});
    let bench = scripted(&refuses);
    let command = format!("{} --script {}", agent().display(), bench.root().join("script.json").display());
    bench.global_config(&format!("[grill \"agent.codex\"]\n\tcommand = {command}\n"));
    let words = ["start", "--research", "auto", "--interviewer", "codex", "add rate limiting"];
    let mut sitting = Sitting::at(&bench, &words, 50, 110, &[]);
    agree(&mut sitting);
    sitting.below("question 1 ·", "First?");
    sitting.below("question 1 ·", "digits jump");
    sitting.pause();
    bench.run("git grill stop --without-output").assert_code(0);
    // Here it is all that would keep the agent from writing.
    let mut sitting = Sitting::at(&bench, &words, 50, 110, &BARE);
    agree(&mut sitting);
    sitting.pty.wait_for("codex rejected ACP a setting of its session: unknown mode");
    sitting.below("How should the interview continue?", "digits jump");
    sitting.pty.send(ENTER);
    sitting.below("question 1 ·", "Tab alternatives");
    bench.run("git grill interviewer").assert_contains("built-in");
    let log = bench.read(".git/grill/agents/codex.log");
    assert!(!log.contains("session/prompt"), "{log}");
}
