//! Agents that work is lent to: the real program, the scripted agent behind its walls, and the ledger that stays. What a
//! session went through is held against the tables of states, whatever the test is about (A7).

mod accepted;
mod allowed;
mod asked;
mod below;
mod cleaned;
mod committed;
mod consent;
mod deciding;
mod doing;
mod elsewhere;
mod failing;
mod guarded;
mod hints;
mod killed;
mod media;
mod moments;
mod planned;
mod real;
mod refused;
mod replaced;
mod restoring;
mod set_up;
mod told;
mod unwalled;
mod walk;

use std::collections::BTreeMap;
use std::ops::Deref;

use git_grill::domain::agents::state::{SessionState, TurnState};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::bench::{Bench, wait_until};
use crate::conversation::Sitting;
use crate::leading::{ENTER, agent_processes, play, scripted};

/// A world in which work is lent to the scripted agent. Nothing of it goes on when the test is over, however that ends.
struct Lent {
    bench: Bench,
}

impl Lent {
    fn new() -> Self {
        Self { bench: scripted(&json!({})) }
    }

    /// Where the agent plays this when it is started the next time.
    fn playing(script: &Value) -> Self {
        let lent = Self::new();
        play(&lent, script);
        lent
    }

    /// Lends work at a terminal, where the person agrees for good.
    #[track_caller]
    fn agrees(&self, words: &[&str]) -> String {
        let all: Vec<&str> = ["agent", "start", "--agent", "scripted"].iter().chain(words).copied().collect();
        let mut sitting = Sitting::at(self, &all, 50, 110, &[]);
        sitting.below("Start scripted (", "digits jump");
        sitting.pty.send("2");
        sitting.pty.send(ENTER);
        let (code, screen) = sitting.end();
        assert_eq!(code, 0, "{screen}");
        screen
    }

    /// Lends more where that yes is remembered; the session.
    #[track_caller]
    fn lends(&self, words: &str) -> String {
        let told = self.told(&format!("start --agent scripted --confirm-provider-use {words}"));
        told["session"].as_str().unwrap().to_owned()
    }

    /// The turn of another prompt.
    #[track_caller]
    fn sends(&self, session: &str, prompt: &str) -> String {
        let told = self.told(&format!("send {session} --confirm-provider-use '{prompt}'"));
        told["turn"].as_str().unwrap().to_owned()
    }

    /// What a verb tells programs.
    #[track_caller]
    fn told(&self, words: &str) -> Value {
        let done = self.run(&format!("git grill agent {words} --json")).assert_code(0);
        serde_json::from_str(done.stdout()).unwrap()
    }

    /// Sees that a verb is refused, with this code.
    #[track_caller]
    fn refused(&self, words: &str, exit: i32, code: &str) {
        let done = self.run(&format!("git grill agent {words} --json")).assert_code(exit);
        let told: Value = serde_json::from_str(done.stdout()).unwrap();
        assert_eq!(told["error"]["code"], code, "{words}: {told}");
    }

    /// The session as it is now.
    #[track_caller]
    fn session(&self, session: &str) -> Value {
        self.told(&format!("status {session}"))["session"].clone()
    }

    /// The session once no turn of it goes on, or the person is needed.
    #[track_caller]
    fn rests(&self, session: &str) -> Value {
        self.told(&format!("status {session} --wait 60"))["session"].clone()
    }

    /// What the agent said in a turn, from its file.
    fn words(&self, session: &str, turn: &str) -> String {
        self.read(&format!(".git/grill/agents/{session}/turns/{turn}/result.md"))
    }

    /// The same so far, which may be nothing yet.
    fn words_or_none(&self, session: &str, turn: &str) -> String {
        let path = self.repo().join(format!(".git/grill/agents/{session}/turns/{turn}/result.md"));
        std::fs::read_to_string(path).unwrap_or_default()
    }

    /// What both sides sent since the agent was started last.
    fn wire(&self, session: &str) -> String {
        self.read(&format!(".git/grill/agents/{session}/wire.log"))
    }

    /// The records of a ledger: whole lines, numbered without a gap (A6).
    #[track_caller]
    fn records(&self, session: &str) -> Vec<Value> {
        let text = self.read(&format!(".git/grill/agents/{session}/ledger.jsonl"));
        assert!(text.ends_with('\n'), "{text}");
        let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for (place, record) in records.iter().enumerate() {
            assert_eq!(record["seq"], place + 1, "{text}");
        }
        records
    }

    /// The same of a session at rest, after every step of it was found in the tables, and its end in `status` (A7).
    #[track_caller]
    fn legal(&self, session: &str) -> Vec<Value> {
        let now = self.session(session);
        let records = self.records(session);
        let (state, turns) = folded(&records);
        assert_eq!(now["state"], state.as_str(), "{now}");
        let told = now["turns"].as_array().unwrap().iter();
        let told: BTreeMap<String, String> =
            told.map(|turn| (text(&turn["turn"]).to_owned(), text(&turn["state"]).to_owned())).collect();
        assert_eq!(told, turns);
        records
    }

    /// The process of the newest supervisor.
    #[track_caller]
    fn supervisor(&self, session: &str) -> Pid {
        let records = self.records(session);
        let began = records.iter().rev().find_map(|record| match text(&record["event"]) {
            "started" => record["supervisor"]["id"].as_i64(),
            "supervisor-began" => record["process"]["id"].as_i64(),
            _ => None,
        });
        Pid::from_raw(began.unwrap().try_into().unwrap()).unwrap()
    }

    /// Everything that goes on in this world: all of it has the world's folder in its arguments or its environment.
    fn processes(&self) -> Vec<Pid> {
        let root = self.root().to_string_lossy();
        let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let ours = all.filter_map(|process| {
            let number = process.file_name().to_str()?.parse().ok()?;
            let names_it = |name: &str| {
                let text = std::fs::read(process.path().join(name)).unwrap_or_default();
                String::from_utf8_lossy(&text).contains(&*root)
            };
            if names_it("cmdline") || names_it("environ") { Pid::from_raw(number) } else { None }
        });
        ours.collect()
    }

    /// Whether a process is there that is a supervisor of this session, or becomes one.
    fn is_supervised(&self, session: &str) -> bool {
        let words = format!("supervise\0{session}\0");
        let line = |process: &Pid| {
            let line = std::fs::read(format!("/proc/{}/cmdline", process.as_raw_nonzero())).unwrap_or_default();
            String::from_utf8_lossy(&line).into_owned()
        };
        self.processes().iter().any(|process| line(process).contains(&words))
    }

    /// Waits until nothing of this world goes on by itself (A37).
    #[track_caller]
    fn is_over(&self) {
        wait_until("the end of every process", || self.processes().is_empty());
    }

    /// Waits until no agent runs.
    #[track_caller]
    fn agents_end(&self) {
        wait_until("the end of every agent", || agent_processes(self).is_empty());
    }
}

impl Deref for Lent {
    type Target = Bench;

    fn deref(&self) -> &Bench {
        &self.bench
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        for process in self.processes() {
            // It may have ended by itself.
            let _ = kill_process(process, Signal::KILL);
        }
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The state of the session, and of each turn, at the end of these records. Every step has to stand in its table.
#[track_caller]
fn folded(records: &[Value]) -> (String, BTreeMap<String, String>) {
    let (mut state, mut turns) = ("starting".to_owned(), BTreeMap::<String, String>::new());
    assert_eq!(records[0]["event"], "started");
    for record in &records[1..] {
        let event = text(&record["event"]);
        let next = match (event, event.strip_prefix("turn-")) {
            (_, Some(to)) => {
                let before = turns.insert(text(&record["turn"]).to_owned(), to.to_owned());
                let is_step = |from: &str| TurnState::MOVES.iter().any(|(a, b)| (a.name(), b.name()) == (from, to));
                assert!(before.as_deref().map_or(to == "queued", is_step), "{before:?} became {to}: {record}");
                match (before.as_deref(), to) {
                    (_, "sent") => Some("turn_active"),
                    (Some("sent" | "streaming"), "completed" | "failed" | "cancelled" | "dropped") => Some("idle"),
                    _ => None,
                }
            }
            ("backend-opened", _) => (state == "starting").then_some("idle"),
            (_, None) => event.strip_prefix("session-"),
        };
        if let Some(to) = next {
            let is_step = SessionState::MOVES.iter().any(|(a, b)| (a.name(), b.name()) == (state.as_str(), to));
            assert!(is_step, "the session was {state} and became {to}: {record}");
            to.clone_into(&mut state);
        }
    }
    (state, turns)
}

/// The events of a kind.
fn of_kind<'r>(records: &'r [Value], kind: &str) -> Vec<&'r Value> {
    records.iter().filter(|record| record["event"] == kind).collect()
}

/// What each turn of a session became, and why it failed.
fn ends(session: &Value) -> Vec<String> {
    let turns = session["turns"].as_array().unwrap().iter();
    turns
        .map(|turn| match turn["failure"]["code"].as_str() {
            Some(code) => format!("{} {}: {code}", text(&turn["turn"]), text(&turn["state"])),
            None => format!("{} {}", text(&turn["turn"]), text(&turn["state"])),
        })
        .collect()
}
