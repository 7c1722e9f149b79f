//! Whoever is killed, by a signal that nobody can catch: nothing that was acknowledged is lost, no process is left, and
//! whoever comes next finds a session that is true (A10, A30, A37).

use std::process::{Command, Stdio};
use std::thread;

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::{Value, json};

use super::{Lent, ends, of_kind, text};
use crate::bench::{crowd, in_path, wait_until};
use crate::leading::{lets, play, until, walled};

fn kill(process: Pid) {
    kill_process(process, Signal::KILL).unwrap();
}

fn says(words: &str) -> Value {
    json!([{"say": words}])
}

/// How the agent's own session was opened, each time.
fn openings(records: &[Value]) -> Vec<&str> {
    of_kind(records, "backend-opened").into_iter().map(|one| text(&one["opening"])).collect()
}

#[test]
fn a10_a37_a_killed_supervisor_takes_its_agent_along_and_the_next_prompt_starts_it_again() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    play(
        &lent,
        &json!({"turns": [[{"say": "half of it"}, {"shell": "sleep 600 >/dev/null 2>&1 &"}, until(&lent, "never")]],
            "loaded": [says("again: $PROMPT"), says("and again: $PROMPT")]}),
    );
    lent.agrees(&["look"]);
    wait_until("the turn", || ends(&lent.session("g1")) == ["t1 streaming"]);
    wait_until("what the agent started", || lent.words("g1", "t1").contains("exit status: 0"));
    assert_eq!(lent.sends("g1", "behind"), "t2");
    let before = lent.records("g1");
    kill(lent.supervisor("g1"));
    // Before anybody looks.
    lent.is_over();
    assert_eq!(lent.records("g1"), before);

    let found = lent.session("g1");
    assert_eq!(ends(&found), ["t1 failed: supervisor_gone", "t2 dropped"]);
    assert_eq!((&found["state"], &found["doing"]), (&json!("idle"), &json!("t1 failed: supervisor_gone")));
    assert!(lent.words("g1", "t1").starts_with("half of it"));
    let records = lent.legal("g1");
    assert_eq!(records[..before.len()], before, "what was acknowledged stays");
    let kinds: Vec<&str> = records[before.len()..].iter().map(|record| text(&record["event"])).collect();
    assert_eq!(kinds, ["turn-failed", "turn-dropped", "supervisor-lost", "agent-ended"]);
    assert_eq!(lent.session("g1"), found, "once");

    // It is started again where it was, wherever the prompt comes from.
    lent.write("below/file", "x");
    let sent = lent.at("below").run("git grill agent send g1 --confirm-provider-use --json go on");
    sent.assert_code(0).assert_contains("\"t3\"");
    assert_eq!(ends(&lent.rests("g1"))[2], "t3 completed");
    assert_eq!(lent.words("g1", "t3"), "again: go on");
    let wire = lent.wire("g1");
    let load = wire.lines().find(|line| line.contains("\"session/load\"")).unwrap();
    assert!(load.contains(&format!("\"cwd\":\"{}\"", lent.repo().display())), "{load}");
    assert_eq!(openings(&lent.legal("g1")), ["new", "loaded"]);

    // While it is idle.
    kill(lent.supervisor("g1"));
    lent.is_over();
    let before = ends(&lent.session("g1"));
    assert_eq!(lent.session("g1")["state"], "idle");
    assert_eq!(ends(&lent.session("g1")), before);

    // What it knew is gone: it says so, and starts nothing without it. Twice, since the first time must not forget it.
    let forgets = json!({"load": {"error": {"code": -32602, "message": "no such session"}}, "turns": [says("anew")]});
    let cannot = json!({"initialize": {"agentCapabilities": {}}, "turns": [says("anew")]});
    // It cannot be started again, which is no end of it either.
    let (exits, dies) = (json!({"exit": 3, "stderr": "no key"}), json!({"dies": "initialize"}));
    for script in [&forgets, &cannot, &exits, &dies, &forgets] {
        play(&lent, script);
        lent.refused("send g1 --confirm-provider-use more", 1, "context_lost");
        lent.is_over();
        assert!(!lent.wire("g1").contains("\"session/prompt\""));
        assert_eq!(ends(&lent.session("g1")), before);
        assert_eq!(openings(&lent.legal("g1")), ["new", "loaded"]);
    }
    play(&lent, &json!({"loaded": [says("I remember")]}));
    assert_eq!(lent.sends("g1", "more"), "t4");
    lent.rests("g1");
    assert_eq!(lent.words("g1", "t4"), "I remember");

    // Without one, a cancel and a cleanup work as well.
    kill(lent.supervisor("g1"));
    let cancelled = lent.told("cancel g1");
    assert_eq!(cancelled["session"]["state"], "cancelled");
    assert!(!lent.told("cleanup g1")["paths"].as_array().unwrap().is_empty());
    assert_eq!(lent.session("g1")["state"], "cleaned");
    lent.legal("g1");
    lent.is_over();
}

#[test]
fn a38_nothing_is_claimed_of_what_a_killed_turn_changed_before_somebody_compares() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    play(&lent, &json!({"turns": [[{"shell": "echo new >new.txt"}, until(&lent, "never")]]}));
    lent.agrees(&["--profile", "worktree-edit", "write"]);
    let made = lent.repo().join(".git/grill/agents/g1/tree/new.txt");
    wait_until("what the agent wrote", || std::fs::read_to_string(&made).is_ok_and(|text| text == "new\n"));
    kill(lent.supervisor("g1"));
    lent.is_over();
    let failed = "t1 failed: supervisor_gone";
    let unknown = format!("{failed}; its changes are not known yet: git grill agent changes g1");
    assert_eq!(lent.session("g1")["doing"], unknown.as_str());
    lent.run("git grill agent changes g1").assert_code(0).assert_contains("A new.txt (+1 -0)");
    // That is a comparison.
    assert_eq!(lent.session("g1")["doing"], format!("{failed}; 1 file to accept").as_str());
    lent.legal("g1");
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a8_a10_two_prompts_at_once_are_two_turns_whether_the_agent_runs_or_not() {
    if !walled() {
        return;
    }
    let echo = says("$PROMPT");
    let lent = Lent::playing(&json!({"turns": vec![echo.clone(); 8], "loaded": vec![echo; 8]}));
    lent.agrees(&["look"]);
    lent.rests("g1");
    for killed in [false, true] {
        if killed {
            kill(lent.supervisor("g1"));
            lent.is_over();
        }
        // They have to run at once.
        let _crowd = crowd();
        let mut sent: Vec<(String, String)> = thread::scope(|scope| {
            let all = ["this", "that"].map(|prompt| {
                let lent = &lent;
                scope.spawn(move || (lent.sends("g1", prompt), prompt.to_owned()))
            });
            all.map(|one| one.join().unwrap()).into()
        });
        sent.sort();
        lent.rests("g1");
        assert_ne!(sent[0].0, sent[1].0, "{sent:?}");
        for (turn, prompt) in sent {
            assert_eq!(lent.words("g1", &turn), prompt);
        }
    }
    assert_eq!(ends(&lent.session("g1")), ["t1", "t2", "t3", "t4", "t5"].map(|turn| format!("{turn} completed")));
    let records = lent.legal("g1");
    assert_eq!(of_kind(&records, "turn-sent").len(), 5);
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a10_whoever_types_start_can_be_killed_and_the_work_is_whole_or_was_never_begun() {
    if !walled() {
        return;
    }
    let lent = Lent::playing(&json!({"turns": [says("$PROMPT")]}));
    lent.agrees(&["look"]);
    lent.rests("g1");
    let prompt = format!("begin {} end", "middle ".repeat(20_000));
    let file = lent.root().join("prompt");
    std::fs::write(&file, &prompt).unwrap();
    let line = format!("git grill agent start --agent scripted --confirm-provider-use - <{}", file.display());
    let mut at = 2;
    for moment in ["", "", "supervisor.log", "ledger.jsonl", "turns/t1/prompt.md"] {
        let mut starting = lent.spawn(&line);
        let session = lent.repo().join(format!(".git/grill/agents/g{at}"));
        if !moment.is_empty() {
            wait_until(moment, || session.join(moment).exists());
        }
        starting.signal(Signal::KILL);
        drop(starting.finish());
        // A supervisor that was started has its ledger, or ends.
        wait_until("what becomes of its supervisor", || {
            session.join("ledger.jsonl").exists() || !lent.is_supervised(&format!("g{at}"))
        });
        // Those that were begun go on by themselves.
        wait_until("what becomes of it", || {
            let listed = lent.told("status");
            assert_eq!(listed["unreadable"], json!([]));
            let all = listed["sessions"].as_array().unwrap();
            all.iter().all(|one| ["idle", "failed"].contains(&text(&one["state"])))
        });
        // A folder in which nothing was begun goes with the next start, which takes its number.
        while lent.repo().join(format!(".git/grill/agents/g{at}/ledger.jsonl")).exists() {
            at += 1;
        }
    }
    for session in lent.told("status")["sessions"].as_array().unwrap() {
        let handle = text(&session["session"]);
        let ended = lent.rests(handle);
        if handle != "g1" && ended["state"] == "idle" {
            assert_eq!(ends(&ended), ["t1 completed"]);
            assert_eq!(lent.words(handle, "t1"), prompt);
        }
        lent.legal(handle);
        // One that failed is over already.
        drop(lent.run(&format!("git grill agent cancel {handle}")));
    }
    lent.is_over();
}

#[test]
fn a30_a_process_that_only_has_the_number_of_ours_is_neither_taken_for_it_nor_ended() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    play(&lent, &json!({"turns": [[{"say": "half of it"}, until(&lent, "never")]]}));
    lent.agrees(&["look"]);
    wait_until("the turn", || ends(&lent.session("g1")) == ["t1 streaming"]);
    let supervisor = lent.supervisor("g1");
    let agent = of_kind(&lent.records("g1"), "agent-launched")[0]["process"]["id"].as_u64().unwrap();
    kill(supervisor);
    lent.is_over();
    // Another program has their number by now.
    let mut other = Command::new(in_path("sleep")).arg("600").stdin(Stdio::null()).spawn().unwrap();
    let ledger = lent.read(".git/grill/agents/g1/ledger.jsonl");
    let numbers = [u64::try_from(supervisor.as_raw_nonzero().get()).unwrap(), agent];
    let reused = numbers
        .iter()
        .fold(ledger, |text, number| text.replace(&format!("\"id\":{number},"), &format!("\"id\":{},", other.id())));
    assert_eq!(reused.matches(&format!("\"id\":{},", other.id())).count(), 2, "{reused}");
    lent.write(".git/grill/agents/g1/ledger.jsonl", reused);
    assert_eq!(ends(&lent.session("g1")), ["t1 failed: supervisor_gone"]);
    lent.told("cancel g1");
    lent.told("cleanup g1");
    lent.legal("g1");
    let process = Pid::from_raw(other.id().try_into().unwrap()).unwrap();
    assert!(test_kill_process(process).is_ok() && other.try_wait().unwrap().is_none(), "it goes on");
    other.kill().unwrap();
    other.wait().unwrap();
    // Nor is a supervisor that lives taken for one that is gone.
    play(&lent, &json!({"turns": [[until(&lent, "seen"), {"say": "whole"}]]}));
    assert_eq!(lent.lends("look"), "g2");
    lent.session("g2");
    lets(&lent, "seen");
    assert_eq!(ends(&lent.rests("g2")), ["t1 completed"]);
    lent.legal("g2");
    lent.told("cancel g2");
    lent.is_over();
}
