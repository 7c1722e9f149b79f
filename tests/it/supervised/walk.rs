//! From the first prompt to the last result.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use super::{Lent, ends, of_kind, text};
use crate::bench::wait_until;
use crate::conversation::Sitting;
use crate::leading::{ENTER, lets, play, until, walled};

/// How often the lines of a ledger say something, in their order.
fn order(records: &[Value], kinds: &[&str]) -> Vec<String> {
    let told = records.iter().filter(|record| kinds.contains(&text(&record["event"])));
    told.map(|record| format!("{} {}", text(&record["turn"]), text(&record["event"]))).collect()
}

#[test]
fn a1_a6_a8_a9_work_is_lent_followed_read_and_gone_on_with() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    let mut reads = json!({"does": {"kind": "read", "title": "Read README.md"}});
    reads["until"] = until(&lent, "seen")["until"].clone();
    let says = |what: &str| json!([{"say": format!("{what}: $PROMPT")}]);
    play(&lent, &json!({"turns": [[reads, {"say": "first: $PROMPT"}], says("second"), says("third"), says("fourth")]}));
    let screen = lent.agrees(&["look", "around"]);
    assert!(screen.contains("g1 began: scripted works on t1 (local-review)"), "{screen}");
    wait_until("the call of its tool", || lent.session("g1")["doing"] == "runs a tool: Read README.md");

    // A wait that runs out says so, by its code as well.
    let waited = lent.run("git grill agent status g1 --wait 1 --json").assert_code(7);
    let waited: Value = serde_json::from_str(waited.stdout()).unwrap();
    assert_eq!(waited["wait"]["requested_seconds"], 1);
    assert_eq!(waited["wait"]["outcome"], "timed_out");
    assert!(waited["wait"]["elapsed_ms"].as_u64().unwrap() >= 1_000, "{waited}");
    assert_eq!(waited["session"]["state"], "turn_active");
    lent.run("git grill agent status g1 --wait 61").assert_code(2);

    // What comes meanwhile waits behind it.
    for (turn, before) in [("t2", 1), ("t3", 2)] {
        let sent = lent.told(&format!("send g1 --confirm-provider-use 'about {turn}'"));
        assert_eq!((text(&sent["turn"]), sent["before"].as_u64()), (turn, Some(before)), "{sent}");
    }
    assert_eq!(ends(&lent.session("g1")), ["t1 streaming", "t2 queued", "t3 queued"]);
    lent.refused("result g1 t2", 1, "no_result");
    lets(&lent, "seen");
    let last = lent.told("result g1 t3 --wait 60");
    assert_eq!(last["result"]["preview"], "third: about t3");
    let outcome = text(&last["wait"]["outcome"]);
    assert!(["reached", "already_over"].contains(&outcome), "{last}");
    let first = lent.told("result g1 t1");
    assert_eq!(first["result"]["preview"], "first: look around");
    assert_eq!((first["result"]["cut"].as_u64(), &first["result"]["note"]), (Some(0), &Value::Null));
    let path = text(&first["result"]["path"]);
    assert_eq!(std::fs::read_to_string(path).unwrap(), "first: look around");
    assert_eq!(lent.told("result g1")["result"]["turn"], "t3");
    assert_eq!(lent.session("g1")["doing"], "idle");

    // One after the other, in their order.
    let records = lent.legal("g1");
    let steps = order(&records, &["turn-sent", "turn-completed"]);
    let expected = ["t1", "t2", "t3"].map(|turn| [format!("{turn} turn-sent"), format!("{turn} turn-completed")]);
    assert_eq!(steps, expected.concat());
    assert_eq!(of_kind(&records, "backend-opened").len(), 1, "the same session of the agent");
    is_private(&lent, "g1");

    // Another session, with a prompt of several lines; the one that leads elsewhere is not touched by it.
    let input = "one\n\n  two\n";
    let started = lent.run_with_input("git grill agent start --agent scripted --confirm-provider-use --json -", input);
    started.assert_code(0).assert_contains("\"g2\"");
    lent.rests("g2");
    assert_eq!(lent.words("g2", "t1"), "first: one\n\n  two");
    let listed = lent.told("status");
    let handles: Vec<&str> = listed["sessions"].as_array().unwrap().iter().map(|one| text(&one["session"])).collect();
    assert_eq!(handles, ["g1", "g2"]);
    assert_eq!((&listed["waiting"], &listed["unreadable"]), (&json!([]), &json!([])));
    lent.run("git grill agent log g1").assert_code(0).assert_contains("t3 is completed (end_turn)");

    // What is not there, and what is no handle.
    lent.refused("send g9 --confirm-provider-use more", 6, "session_not_found");
    lent.refused("result g1 t9", 1, "turn_not_found");
    for handle in ["../g1", "g01", "G1", "t1"] {
        lent.refused(&format!("status {handle}"), 2, "usage");
    }

    // A session that is over takes nothing more.
    for session in ["g1", "g2"] {
        lent.told(&format!("cancel {session}"));
        lent.refused(&format!("send {session} --confirm-provider-use more"), 1, "session_terminal");
        lent.legal(session);
    }
    lent.is_over();
}

/// Whether nobody else can read what lies there.
#[track_caller]
fn is_private(lent: &Lent, session: &str) {
    let folder = lent.repo().join(".git/grill/agents");
    let mode = |path: &std::path::Path| path.symlink_metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(&folder.join(session))), (0o700, 0o700));
    for name in ["ledger.jsonl", "writer.lock", "wire.log", "socket", "turns/t1/prompt.md", "turns/t1/result.md"] {
        assert_eq!(mode(&folder.join(session).join(name)), 0o600, "{name}");
    }
}

#[test]
fn a10_a_session_whose_path_is_too_long_for_a_socket_is_reached_all_the_same() {
    if !walled() {
        return;
    }
    let lent = Lent::playing(&json!({"turns": [[{"say": "first"}], [{"say": "second"}]]}));
    let runtime = lent.root().join("runtime");
    let deep = format!("../{}/repo", "deep".repeat(30));
    let there = format!("cd {deep} && XDG_RUNTIME_DIR='{}' git grill agent", runtime.display());
    lent.run(&format!("mkdir -m 700 ../runtime && git clone -q . {deep}")).assert_code(0);
    let mut sitting = Sitting::of_a_line(&lent, &format!("{there} start --agent scripted look"));
    sitting.below("Start scripted (", "digits jump");
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    sitting.ends_with(0);
    lent.run(&format!("{there} status g1 --wait 60")).assert_code(0);
    let sockets = || -> Vec<u32> {
        let all = std::fs::read_dir(runtime.join("git-grill")).unwrap().flatten();
        all.map(|socket| socket.metadata().unwrap().permissions().mode() & 0o777).collect()
    };
    assert_eq!(sockets(), [0o600]);
    lent.run(&format!("{there} send g1 --confirm-provider-use more")).assert_code(0);
    lent.run(&format!("{there} result g1 t2 --wait 60")).assert_code(0).assert_contains("> second");
    lent.run(&format!("{there} cancel g1")).assert_code(0);
    lent.is_over();
    assert_eq!(sockets(), [0; 0]);
}
