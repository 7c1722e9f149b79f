//! Which agent leads, and by whose word: the account's own configuration can name it for every interview, a yes can be
//! remembered, and one that cannot be led from here is refused before anything begins.

use std::path::Path;

use serde_json::json;

use super::story::walled;
use super::{ENTER, agent, agree, asks, knows, scripted, takes_first};
use crate::bench::Bench;
use crate::conversation::Sitting;

fn starts(bench: &Bench, words: &[&str]) -> Sitting {
    let all: Vec<&str> = std::iter::once("start").chain(words.iter().copied()).collect();
    Sitting::at(bench, &all, 50, 110, &[])
}

/// Pauses the interview and ends its session.
fn stops(bench: &Bench, sitting: Sitting) {
    sitting.pause();
    bench.run("git grill stop --without-output").assert_code(0);
}

#[test]
fn g55_the_account_s_own_configuration_names_who_asks_and_the_yes_is_asked_for_all_the_same() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?")]}));
    bench.global_config("[grill]\n\tinterviewer = scripted\n");
    // Where nobody can be asked, no program is started and no session begins.
    let said = bench.run("git grill start --research off 'add rate limiting'");
    said.assert_code(3).assert_contains("starting an agent as the interviewer");
    bench.run("git grill status").assert_contains("no session is active");
    let mut sitting = starts(&bench, &["--research", "off", "add rate limiting"]);
    agree(&mut sitting);
    sitting.below("question 1 ·", "digits jump");
    bench.run("git grill interviewer").assert_code(0).assert_contains("agent:scripted");
    // The words of one command are nearer than the configuration.
    stops(&bench, sitting);
    let sitting = starts(&bench, &["--research", "off", "--interviewer", "built-in", "add rate limiting"]);
    sitting.below("question 1 ·", "Tab alternatives");
    bench.run("git grill interviewer").assert_code(0).assert_stdout("built-in\n");
}

#[test]
fn a11_a_remembered_yes_starts_the_next_interview_and_not_one_that_asks_about_research() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?")]}));
    let words = |research| ["--research", research, "--interviewer", "scripted", "add rate limiting"];
    let mut sitting = starts(&bench, &words("auto"));
    sitting.below("as the interviewer?", "2. Start it, and do not ask again");
    sitting.below("as the interviewer?", "digits jump");
    sitting.pty.send("2\r");
    sitting.below("question 1 ·", "digits jump");
    stops(&bench, sitting);

    let sitting = starts(&bench, &words("auto"));
    sitting.below("question 1 ·", "digits jump");
    assert!(!sitting.pty.raw().contains("as the interviewer?"));
    stops(&bench, sitting);

    // It says how much is read, and what is remembered was about something else.
    let sitting = starts(&bench, &words("ask"));
    sitting.pty.wait_for("It can read all of this repository, even what you do not allow git grill to read");
    sitting.below("as the interviewer?", "digits jump");
    assert!(!sitting.pty.screen().contains("do not ask again"));
    drop(sitting);

    // It was about that command.
    let other = format!("{} --script {} --more", agent().display(), bench.root().join("script.json").display());
    bench.run(&format!("git config --global grill.agent.scripted.command '{other}'")).assert_code(0);
    let mut sitting = starts(&bench, &words("auto"));
    agree(&mut sitting);
    takes_first(&mut sitting, "question 1 ·");
}

#[test]
fn a33_an_agent_that_leads_only_from_inside_says_so_and_nothing_begins() {
    let bench = Bench::new();
    let sitting = starts(&bench, &["--interviewer", "pi", "add rate limiting"]);
    sitting.pty.wait_for("pi cannot be started as the interviewer: its adapter does not pass");
    sitting.pty.wait_for("/grill inside pi; there --interviewer agent:pi");
    sitting.ends_with(2);
    assert_eq!(bench.run("git for-each-ref refs/grill").stdout, "");
}

#[test]
fn g56_whoever_takes_no_other_agent_has_the_built_in_interviewer_ask() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?")]}));
    knows(&bench, "gone", Path::new("/nowhere/gone"));
    bench.run("git grill start --research off --interviewer agent:scripted 'rate limiting'").assert_code(0);
    // Its command is missing, or the person says no to its start.
    for (name, choice, keys) in
        [("gone", "1. Use the built-in interviewer", ENTER), ("scripted", "2. No, use the built-in interviewer", "2\r")]
    {
        bench.run("git grill interviewer agent:scripted").assert_code(0);
        let mut sitting = Sitting::at(&bench, &["interviewer", name], 50, 100, &[]);
        sitting.below(choice, "digits jump");
        sitting.pty.send(keys);
        sitting.ends_with(0);
        bench.run("git grill interviewer").assert_code(0).assert_stdout("built-in\n");
    }
}
