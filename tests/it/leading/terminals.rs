//! A second terminal: one leads, both show the question, and whoever is first answers it.

use rustix::process::Pid;
use serde_json::json;

use super::story::walled;
use super::{ESCAPE, TOO_SOON, asks, goes_on, scripted, started, started_with, takes_first};
use crate::bench::Bench;
use crate::conversation::Sitting;
use crate::pty::shows;

const SIZE: (u16, u16) = (50, 100);

fn next(bench: &Bench) -> Sitting {
    Sitting::at(bench, &["next"], SIZE.0, SIZE.1, &[])
}

#[test]
fn g55_an_answer_from_a_second_terminal_reaches_the_agent_and_the_first_one_goes_on() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?"), goes_on("Second?"), goes_on("Third?")]}));
    let mut first = started_with(&bench, &[("GRILL_TEST_PAUSE", "1000")]);
    first.below("question 1 ·", "digits jump");
    // Half an answer, which is not lost.
    first.pty.send("/half an answer");
    bench.run("git grill answer yes").assert_code(0);
    first.pty.wait_for("question 1 was answered elsewhere: yes");
    first.pty.wait_for("what you had typed is kept:");
    first.below("question 2 ·", "digits jump");
    let mut second = next(&bench);
    takes_first(&mut second, "question 2 ·");
    first.pty.wait_for("question 2 was answered elsewhere: yes");
    // The second one starts no agent of its own: the first one has it.
    second.below("question 3 ·", "digits jump");
    first.below("question 3 ·", "digits jump");
    assert_eq!(agents(&bench), 1);
    second.pty.send(ESCAPE);
    second.end();
    // What is sent in one go with what came before is not meant for a question that came by itself.
    first.pty.send("1\r");
    first.pty.wait_until_read();
    // A person's pause, which is what is tested.
    std::thread::sleep(std::time::Duration::from_millis(1_200));
    first.below("question 3 ·", TOO_SOON);
    first.pty.send("1");
    first.pty.send("\r");
    first.pty.wait_for("without a question");
}

#[test]
fn g55_while_the_agent_thinks_a_second_terminal_says_who_leads_it_and_takes_over_when_that_ends() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?"), [{"sleep": 60_000}]], "loaded": [goes_on("Second?")]}));
    let mut first = started(&bench);
    takes_first(&mut first, "question 1 ·");
    first.pty.wait_for("Esc pauses, Tab shows the steps");
    let second = next(&bench);
    second.pty.wait_for("scripted is led from another terminal, git-grill (process ");
    assert_eq!(agents(&bench), 1);
    first.pty.send(ESCAPE);
    first.end();
    second.below("question 2 ·", "digits jump");
}

#[test]
fn g55_a_second_terminal_says_that_the_discussion_goes_on_in_the_first_and_what_can_be_done() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?"), [{"say": "Let us see."}]]}));
    let mut first = started(&bench);
    first.below("question 1 ·", "digits jump");
    let waiting = next(&bench);
    waiting.below("question 1 ·", "digits jump");
    first.pty.send("/discuss");
    first.pty.send("\r");
    first.pty.wait_for("discussion with scripted");
    let ways = "git grill discuss --done \"<what it came to>\" sums it up, and git grill back leaves it";
    // One that showed the question, and one that comes to it.
    waiting.pty.wait_for("question 1 is talked about elsewhere");
    let second = next(&bench);
    for sitting in [&waiting, &second] {
        sitting.pty.wait_for("the discussion with scripted goes on in another terminal, git-grill (process ");
        sitting.pty.wait_for("Esc leaves this one; then git grill discuss --done");
    }
    second.pause();
    let (_, screen) = Sitting::at(&bench, &["status"], SIZE.0, SIZE.1, &[]).end();
    assert!(shows(&screen, "with scripted in another terminal, git-grill (process "), "{screen}");
    assert!(shows(&screen, ways), "{screen}");
    bench.run("git grill status").assert_code(0).assert_contains("discussion   with scripted in another terminal");
    assert_eq!(agents(&bench), 1);
    Sitting::at(&bench, &["discuss", "--done", "limits count by account"], SIZE.0, SIZE.1, &[]).ends_with(0);
    first.pty.wait_for("the discussion was ended elsewhere");
}

#[test]
fn an_answer_from_a_second_terminal_ends_the_prompt_of_the_first_without_an_agent_too() {
    let bench = Bench::new();
    let mut first = Sitting::at(&bench, &["start", "--research", "off", "add rate limiting"], SIZE.0, SIZE.1, &[]);
    first.below("question 1 ·", "Tab alternatives");
    bench.run("git grill answer 'our customers'").assert_code(0);
    first.pty.wait_for("question 1 was answered elsewhere: our customers");
    first.below("question 2 ·", "Tab alternatives");
    // Something else that is recorded meanwhile leaves the question, and what is typed, where they are.
    first.pty.send("half an answ");
    bench.run("git grill intensity gentle").assert_code(0);
    first.below("question 2 ·", "half an answ");
    bench.run("git grill stop --without-output").assert_code(0);
    first.pty.wait_for("no session is active");
}

/// How many scripted agents run in this world.
pub(super) fn agents(bench: &Bench) -> usize {
    agent_processes(bench).len()
}

/// The processes of scripted agents in this world.
pub fn agent_processes(bench: &Bench) -> Vec<Pid> {
    let script = bench.root().join("script.json");
    let is_one = |line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        let program = line.split('\0').next().is_some_and(|program| program.ends_with("scripted-agent"));
        program && line.contains(&*script.to_string_lossy())
    };
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let ours =
        processes.filter(|process| std::fs::read(process.path().join("cmdline")).is_ok_and(|line| is_one(&line)));
    ours.filter_map(|process| Pid::from_raw(process.file_name().to_str()?.parse().ok()?)).collect()
}
