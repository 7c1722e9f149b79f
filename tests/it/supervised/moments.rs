//! Supervisor, agent and client are killed at any moment of their work: what was acknowledged is there, nothing goes on by
//! itself, every turn ends as its table says, and nothing stays but what is kept (A10, A17, A26, A30, A37).

use std::cell::RefCell;

use rustix::process::{Signal, kill_process};
use serde_json::{Value, json};

use super::{Lent, text};
use crate::bench::{side_by_side, wait_until};
use crate::leading::{agent_processes, play, walled};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Victim {
    Supervisor,
    Agent,
    Client,
    Everyone,
}

const VICTIMS: [Victim; 4] = [Victim::Supervisor, Victim::Agent, Victim::Client, Victim::Everyone];

/// Who is killed, and once how many lines are in the ledger and the log of the wire together.
fn round(number: usize) -> (Victim, usize) {
    const LINES: usize = 47;
    let turn = number / VICTIMS.len();
    (VICTIMS[number % VICTIMS.len()], 1 + (turn * 10 + number % VICTIMS.len() * 7 + 5) % LINES)
}

impl Lent {
    fn lines_of(&self, session: &str) -> usize {
        let lines = |name: &str| {
            let path = self.repo().join(format!(".git/grill/agents/{session}/{name}"));
            String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).lines().count()
        };
        lines("ledger.jsonl") + lines("wire.log")
    }

    /// The whole lines of a ledger, which may have half a line behind them.
    fn acknowledged(&self, session: &str) -> Vec<Value> {
        let path = self.repo().join(format!(".git/grill/agents/{session}/ledger.jsonl"));
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn kill_supervisors(&self, session: &str) {
        let words = format!("supervise\0{session}\0");
        for process in self.processes() {
            let line = std::fs::read(format!("/proc/{}/cmdline", process.as_raw_nonzero())).unwrap_or_default();
            if String::from_utf8_lossy(&line).contains(&words) {
                // It may just have ended.
                let _ = kill_process(process, Signal::KILL);
            }
        }
    }

    fn kill_agents(&self) {
        for process in agent_processes(self) {
            let _ = kill_process(process, Signal::KILL);
        }
    }
}

fn kills(number: usize) {
    let (victim, many) = round(number);
    // Shown where something fails.
    eprintln!("round {number}: {victim:?} after {many} lines");
    let lent = Lent::new();
    let writes = |word: &str| json!([{"say": "a"}, {"shell": format!("echo {word} >>work.txt")}, {"say": "b"}]);
    play(&lent, &json!({"turns": [writes("one"), writes("two")], "loaded": [[{"say": "again"}]]}));
    lent.agrees(&["look"]);
    lent.rests("g1");
    lent.told("cancel g1");
    lent.is_over();

    let line = "git grill agent start --agent scripted --confirm-provider-use --profile worktree-edit one && \
                git grill agent send g2 --confirm-provider-use two && git grill agent result g2 t2 --wait 60";
    let client = RefCell::new(lent.spawn(line));
    wait_until("the moment", || lent.lines_of("g2") >= many || !client.borrow_mut().is_running());
    let mut client = client.into_inner();
    if matches!(victim, Victim::Supervisor | Victim::Everyone) {
        lent.kill_supervisors("g2");
    }
    if matches!(victim, Victim::Agent | Victim::Everyone) {
        lent.kill_agents();
    }
    if matches!(victim, Victim::Client | Victim::Everyone) {
        client.signal(Signal::KILL);
    }
    drop(client.finish());
    let before = lent.acknowledged("g2");
    wait_until("what becomes of it", || {
        !lent.is_supervised("g2")
            || !lent.acknowledged("g2").is_empty() && {
                let now = lent.session("g2");
                let turns = now["turns"].as_array().unwrap();
                turns.iter().all(|turn| ["completed", "failed", "cancelled", "dropped"].contains(&text(&turn["state"])))
            }
    });
    let listed = lent.told("status");
    assert_eq!(listed["unreadable"], json!([]));
    if lent.acknowledged("g2").is_empty() {
        // Nobody was told of it.
        lent.is_over();
        return;
    }
    let now = lent.rests("g2");
    let records = lent.legal("g2");
    assert_eq!(records[..before.len()], before, "what was acknowledged stays");
    if now["state"] == "idle" {
        lent.sends("g2", "go on");
        let rested = lent.rests("g2");
        assert_eq!(rested["turns"].as_array().unwrap().last().unwrap()["state"], "completed", "{rested}");
    }
    // A kill may have come between the file and its content.
    let work = std::fs::read_to_string(lent.repo().join(".git/grill/agents/g2/tree/work.txt")).ok();
    drop(lent.run("git grill agent cancel g2"));
    lent.told("cleanup g2");
    lent.legal("g2");
    for name in ["tree", "lent", "turns", "socket"] {
        assert!(!lent.repo().join(".git/grill/agents/g2").join(name).exists(), "{name} stays");
    }
    if let Some(work) = work {
        lent.run("git show refs/grill/local/agents/g2:work.txt").assert_code(0).assert_stdout(&work);
    }
    lent.run("git fsck --no-dangling && git status --porcelain").assert_code(0).assert_stdout("");
    lent.is_over();
}

#[test]
fn a10_a30_a37_whoever_is_killed_at_any_moment_takes_nothing_along() {
    if !walled() {
        return;
    }
    let many = std::env::var("GRILL_KILLS").ok().and_then(|many| many.parse::<usize>().ok());
    let rounds: Vec<usize> = (0..many.map_or(VICTIMS.len(), |many| many / 5)).collect();
    side_by_side(&rounds, |number| kills(*number));
}
