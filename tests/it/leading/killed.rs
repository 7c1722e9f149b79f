//! The agent, git grill, or both are killed in the middle of an interview, after so many lines of their conversation:
//! no process is left, what was acknowledged is recorded once, the session goes on, and the repository is as it was.

use std::process::Command;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::story::{deeds, walled};
use super::terminals::agent_processes;
use super::{ENTER, ESCAPE, agree, asks, goes_on, play, scripted};
use crate::bench::{Bench, program_of_an_account, side_by_side, wait_until};
use crate::conversation::Sitting;
use crate::faults::killed::after_kill;
use crate::faults::traces::{Traces, assert_same, lasting};
use crate::pty::{Pty, shows};

#[derive(Clone, Copy, Debug)]
enum Victim {
    Agent,
    Ourselves(Signal),
    Both,
}

const VICTIMS: [Victim; 6] = [
    Victim::Agent,
    Victim::Ourselves(Signal::KILL),
    Victim::Ourselves(Signal::TERM),
    Victim::Ourselves(Signal::HUP),
    Victim::Ourselves(Signal::INT),
    Victim::Both,
];

/// Lines that are sent in any case before the third question is on the screen.
const LINES: usize = 26;
const QUESTIONS: [&str; 3] = ["question 1 ·", "question 2 ·", "question 3 ·"];

/// Every victim after every number of lines, in an order that is far apart.
fn round(number: usize) -> (Victim, usize) {
    let (sweep, at) = (number / VICTIMS.len(), number % VICTIMS.len());
    (VICTIMS[at], 1 + (11 * sweep + 5 * at) % LINES)
}

/// The same turn with more to say.
fn talkative(turn: &Value) -> Value {
    let before = [json!({"say": "Let me see.\n"}), json!({"think": "Something may be missing. "})];
    let steps = before.iter().chain(turn.as_array().unwrap());
    steps.cloned().chain([json!({"say": "That is all.\n"})]).collect()
}

/// How many lines both sides have sent.
fn lines(bench: &Bench) -> usize {
    let log = std::fs::read(bench.repo().join(".git/grill/agents/scripted.log")).unwrap_or_default();
    log.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"<") || line.starts_with(b">")).count()
}

/// Answers until so many lines were sent; how many questions came up.
fn answers_until(sitting: &mut Sitting, bench: &Bench, many: usize) -> usize {
    for (at, question) in QUESTIONS.iter().enumerate() {
        let is_put = |screen: &str| screen.rsplit_once(question).is_some_and(|(_, below)| shows(below, "digits jump"));
        sitting.pty.wait_until("the next question", |screen| is_put(screen) || lines(bench) >= many);
        if lines(bench) >= many {
            return at;
        }
        sitting.pty.send("1");
        sitting.pty.send(ENTER);
    }
    wait_until("the lines of the last turn", || lines(bench) >= many);
    QUESTIONS.len()
}

/// Whatever runs in this world, by its arguments: all of it has the world's home in its environment.
fn left(bench: &Bench) -> Vec<String> {
    let root = bench.root().to_string_lossy();
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let ours = processes.filter_map(|process| {
        process.file_name().to_str()?.parse::<u32>().ok()?;
        let [line, environment] = ["cmdline", "environ"].map(|name| {
            let text = std::fs::read(process.path().join(name)).unwrap_or_default();
            String::from_utf8_lossy(&text).replace('\0', " ")
        });
        (line.contains(&*root) || environment.contains(&*root)).then_some(line)
    });
    ours.collect()
}

/// The repository without what the session leaves on purpose.
pub fn repository(bench: &Bench) -> Traces {
    let mut found = lasting(bench.repo());
    found.retain(|path, _| ![".git/grill", ".grill", ".git/logs"].iter().any(|folder| path.starts_with(folder)));
    found
}

fn killed(sitting: Sitting, bench: &Bench, victim: Victim) {
    let ourselves = Pid::from_raw(sitting.pty.pid().try_into().unwrap()).unwrap();
    let kill_agent = || {
        // It may still be behind our own program, which becomes it.
        wait_until("the start of the agent", || !agent_processes(bench).is_empty());
        for agent in agent_processes(bench) {
            kill_process(agent, Signal::KILL).unwrap();
        }
    };
    let Sitting { mut pty } = sitting;
    match victim {
        Victim::Agent => {
            kill_agent();
            pty.wait_until("what comes of it", |screen| {
                shows(screen, "How should the interview continue?") || shows(screen, "digits jump")
            });
            pty.hang_up();
        }
        Victim::Ourselves(signal) => {
            kill_process(ourselves, signal).unwrap();
            pty.exit_code();
        }
        Victim::Both => {
            kill_agent();
            kill_process(ourselves, Signal::KILL).unwrap();
            assert_eq!(pty.exit_code(), 137);
        }
    }
}

/// What was asked and answered, each with its id, and the questions' own words.
fn asked_and_answered(bench: &Bench) -> (Vec<String>, Vec<String>) {
    let (mut done, mut words) = (Vec::new(), Vec::new());
    for deed in deeds(bench).lines() {
        let parts: Vec<&str> = deed.splitn(4, ' ').collect();
        if let [_, verb @ ("ask" | "answer"), id, said] = parts[..] {
            done.push(format!("{verb} {id}"));
            words.extend((verb == "ask").then(|| said.to_owned()));
        }
    }
    (done, words)
}

#[track_caller]
fn assert_once(mut all: Vec<String>) {
    let many = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), many, "something is recorded twice; each once: {all:?}");
}

fn kills(number: usize) {
    let (victim, many) = round(number);
    // Shown where something fails.
    eprintln!("round {number}: {victim:?} after {many} lines");
    let turns = [asks("First?"), goes_on("Second?"), goes_on("Third?")].map(|turn| talkative(&turn));
    let bench = scripted(&json!({"turns": turns}));
    let before = repository(&bench);
    // Without git in between, so that a signal hits the program itself.
    let mut command = Command::new(program_of_an_account());
    command.args(["start", "--research", "off", "--interviewer", "scripted", "add rate limiting"]);
    command.current_dir(bench.repo()).envs(bench.environment());
    let mut sitting = Sitting { pty: Pty::spawn(&command, 50, 100) };
    agree(&mut sitting);
    let seen = answers_until(&mut sitting, &bench, many);
    killed(sitting, &bench, victim);
    wait_until("the end of every process", || left(&bench).is_empty());

    bench.run("git fsck --no-dangling").assert_code(0);
    let status = after_kill(&bench, "git grill status --porcelain").assert_code(0).stdout().to_owned();
    if status.lines().any(|line| line.starts_with("question\t")) {
        after_kill(&bench, "git grill answer 'after the kill'").assert_code(0);
    }
    bench.run("find .git -name '*.lock' -exec touch -d '1 hour ago' {} +").assert_code(0);
    // Whatever the checkpoint has by now: an agent that was started anew has not seen it.
    let mut last = asks("Last?");
    last[0]["arguments"]["noChange"] = json!("it was asked before");
    play(&bench, &json!({"turns": [last], "loaded": [last]}));
    let mut sitting = Sitting::at(&bench, &["next"], 50, 100, &[]);
    sitting.below("Last?", "digits jump");
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);
    let (done, words) = asked_and_answered(&bench);
    let answers = done.iter().filter(|done| done.starts_with("answer ")).count();
    // Each question that came up says that the one before it was answered.
    assert!(answers + 1 >= seen, "{answers} answers of {seen} questions: {done:?}");
    assert!(words.iter().any(|words| words == "Last?"), "{words:?}");
    assert_once(done);
    assert_once(words);
    bench.run("git grill stop --without-output").assert_code(0);
    assert_same(&before, &repository(&bench), "after the stop");
    wait_until("the end of what went on by itself", || left(&bench).is_empty());
}

#[test]
fn a37_whoever_is_killed_leaves_no_process_and_a_session_that_goes_on() {
    if !walled() {
        return;
    }
    let many = std::env::var("GRILL_KILLS").ok().and_then(|many| many.parse().ok()).unwrap_or(2 * VICTIMS.len());
    let rounds: Vec<usize> = (0..many).collect();
    side_by_side(&rounds, |number| kills(*number));
}
