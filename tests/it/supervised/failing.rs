//! Agents that fail: each fault ends the turn and the session with its own code, and leaves no process (A5).

use serde_json::{Value, json};

use super::{Lent, ends, text};
use crate::bench::wait_until;
use crate::leading::{lets, play, until, walled};

const MIB: usize = 1024 * 1024;

/// A fault: the keys that are set for it, what is played, and what becomes of the first turn and of the session.
struct Fault<'f> {
    limits: &'f [(&'f str, u32)],
    script: Value,
    turn: &'f str,
    session: &'f str,
}

fn fault<'f>(limits: &'f [(&'f str, u32)], script: Value, turn: &'f str, session: &'f str) -> Fault<'f> {
    Fault { limits, script, turn, session }
}

fn in_a_turn(steps: &Value) -> Value {
    json!({"turns": [steps]})
}

impl Lent {
    fn limit(&self, (name, seconds): (&str, u32)) {
        self.run(&format!("git config grill.{name} {seconds}")).assert_code(0);
    }

    fn usual(&self, (name, _): (&str, u32)) {
        self.run(&format!("git config --unset grill.{name}")).assert_code(0);
    }

    /// The session once it is over.
    #[track_caller]
    fn ended(&self, session: &str) -> Value {
        self.rests(session);
        wait_until("the end of the session", || text(&self.session(session)["state"]) == "failed");
        self.session(session)
    }

    /// Plays each fault in a session of its own; the first one is begun by the person.
    #[track_caller]
    fn fails(&self, faults: &[Fault<'_>]) {
        for (place, fault) in faults.iter().enumerate() {
            // Shown where something fails.
            eprintln!("{}", fault.script);
            play(self, &fault.script);
            for limit in fault.limits {
                self.limit(*limit);
            }
            let session = if place == 0 {
                self.agrees(&["look"]);
                "g1".to_owned()
            } else {
                self.lends("look")
            };
            let ended = self.ended(&session);
            assert_eq!(ended["failure"]["code"], fault.session, "{ended}");
            assert_eq!(ends(&ended), [fault.turn], "{ended}");
            assert_eq!(ended["doing"], format!("failed: {}", fault.session));
            self.legal(&session);
            self.agents_end();
            self.refused(&format!("send {session} --confirm-provider-use more"), 1, "session_terminal");
            for limit in fault.limits {
                self.usual(*limit);
            }
        }
        self.is_over();
    }
}

#[test]
fn a5_an_agent_that_dies_is_told_of_in_each_state() {
    if !walled() {
        return;
    }
    let no = json!({"error": {"code": -32603, "message": "boom"}});
    Lent::new().fails(&[
        fault(&[], json!({"exit": 3, "stderr": "no key"}), "t1 dropped", "agent_gone"),
        fault(&[], json!({"dies": "initialize"}), "t1 dropped", "agent_gone"),
        fault(&[], json!({"dies": "session/new"}), "t1 dropped", "agent_gone"),
        fault(&[], json!({"open": no}), "t1 dropped", "refused"),
        fault(&[], json!({"dies": "session/prompt"}), "t1 failed: agent_gone", "agent_gone"),
        fault(&[], in_a_turn(&json!([{"say": "half of"}, {"die": 9}])), "t1 failed: agent_gone", "agent_gone"),
        fault(
            &[],
            in_a_turn(&json!([{"half": "{\"jsonrpc\": \"2.0\", \"method\": \"session/upd"}, {"die": 9}])),
            "t1 failed: agent_gone",
            "agent_gone",
        ),
        // It is idle.
        fault(&[], in_a_turn(&json!([{"say": "whole"}, {"late": [{"die": 9}]}])), "t1 completed", "agent_gone"),
    ]);
}

#[test]
fn a5_an_agent_that_passes_a_limit_or_talks_nonsense_is_ended() {
    if !walled() {
        return;
    }
    let forever = json!({"sleep": 600_000});
    let lent = Lent::new();
    lent.fails(&[
        fault(
            &[("agent.silenceTimeout", 1)],
            in_a_turn(&json!([{"think": "Hm."}, forever])),
            "t1 failed: backend_silent",
            "backend_silent",
        ),
        fault(&[("handshakeTimeout", 1)], json!({"slow": {"initialize": "never"}}), "t1 dropped", "time_limit"),
        fault(&[("handshakeTimeout", 1)], json!({"slow": {"session/new": "never"}}), "t1 dropped", "time_limit"),
        // It is anything but silent.
        fault(&[("turnTimeout", 1)], in_a_turn(&json!([{"flood": "endless"}])), "t1 failed: time_limit", "time_limit"),
        fault(
            &[],
            in_a_turn(&json!([{"junk": "Loading…", "times": 10}, forever])),
            "t1 failed: protocol_failure",
            "protocol_failure",
        ),
    ]);
    let flooded = lent.repo().join(".git/grill/agents/g4/wire.log");
    assert!(flooded.metadata().unwrap().len() <= 2 * MIB as u64);

    // Nine such lines are none, and neither is a tool that takes its time silence.
    let mut tool = json!({"does": {"kind": "execute", "title": "Run the tests"}});
    tool["until"] = until(&lent, "tested")["until"].clone();
    let turn = json!([{"junk": "Loading…", "times": 9}, tool, {"say": "They pass."}]);
    play(&lent, &in_a_turn(&turn));
    let limit = ("agent.silenceTimeout", 2);
    lent.limit(limit);
    let session = lent.lends("test");
    wait_until("a tool that runs for longer than an agent may be silent", || {
        let seen = lent.session(&session);
        assert_eq!(seen["failure"], Value::Null, "{seen}");
        seen["doing"] == "runs a tool: Run the tests" && seen["live"]["quietMs"].as_u64() > Some(3_000)
    });
    lets(&lent, "tested");
    assert_eq!(ends(&lent.rests(&session)), ["t1 completed"]);
    assert_eq!(lent.words(&session, "t1"), "They pass.");
    lent.legal(&session);
    lent.usual(limit);

    // One that does not stop its turn is ended, and the turn stays cancelled.
    play(&lent, &json!({"turns": [[{"think": "Hm."}, forever]], "deaf": true, "stays": true}));
    let limit = ("cancelTimeout", 1);
    lent.limit(limit);
    let deaf = lent.lends("look");
    wait_until("the turn", || ends(&lent.session(&deaf)) == ["t1 streaming"]);
    lent.told(&format!("cancel {deaf} t1"));
    let ended = lent.ended(&deaf);
    assert_eq!((&ended["failure"]["code"], ends(&ended)), (&json!("time_limit"), vec!["t1 cancelled".to_owned()]));
    lent.legal(&deaf);
    lent.told(&format!("cancel {session}"));
    lent.agents_end();
    lent.is_over();
}

#[test]
fn a9_a_flood_of_updates_and_a_result_without_end_are_bounded_and_that_is_said() {
    says_too_much(5);
}

#[test]
#[ignore = "a minute; .ci/thorough kills"]
fn a9_a_hundred_mebibytes_are_no_more_than_what_is_kept() {
    says_too_much(25);
}

/// The agent says so many times 4 MiB.
fn says_too_much(times: usize) {
    if !walled() {
        return;
    }
    let mut turn = vec![json!({"flood": 5_000}), json!({"say": "begin "})];
    turn.resize(turn.len() + times, json!({"huge": 4 * MIB}));
    turn.push(json!({"flood": 1_000}));
    let lent = Lent::playing(&json!({"turns": [turn, [{"say": "short"}]]}));
    lent.agrees(&["tell", "all"]);
    assert_eq!(ends(&lent.rests("g1")), ["t1 completed"]);
    let told = lent.told("result g1");
    let (path, preview) = (text(&told["result"]["path"]), text(&told["result"]["preview"]));
    assert!(preview.starts_with("begin xxx") && preview.chars().count() == 2_000, "{preview}");
    let length = std::fs::metadata(path).unwrap().len();
    assert!(length > 16 * MIB as u64 && length < 16 * MIB as u64 + 200, "{length}");
    let words = lent.words("g1", "t1");
    assert!(words.ends_with("[git grill: the agent said more, which was not kept]\n"));
    assert_eq!(told["result"]["cut"], length - 2_000);
    assert!(text(&told["result"]["note"]).ends_with(path), "{}", told["result"]["note"]);
    assert!(lent.wire("g1").len() <= 2 * MIB);
    // The ledger holds none of it, and the session goes on.
    assert!(lent.read(".git/grill/agents/g1/ledger.jsonl").len() < 16 * 1024);
    assert_eq!(lent.sends("g1", "more"), "t2");
    lent.rests("g1");
    assert_eq!(lent.words("g1", "t2"), "short");
    lent.legal("g1");
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a5_a35_a_cancelled_turn_whose_provider_fails_afterwards_ends_no_session() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    let boom = json!({"error": {"code": -32603, "message": "overloaded"}});
    let first = json!([{"think": "Hm."}, until(&lent, "cancelled"), boom]);
    play(&lent, &json!({"turns": [first, [{"say": "well"}]], "deaf": true}));
    lent.agrees(&["look"]);
    wait_until("the turn", || ends(&lent.session("g1")) == ["t1 streaming"]);
    lent.told("cancel g1 t1");
    lets(&lent, "cancelled");
    assert_eq!(lent.sends("g1", "more"), "t2");
    assert_eq!(ends(&lent.rests("g1")), ["t1 cancelled", "t2 completed"]);
    assert_eq!(lent.words("g1", "t2"), "well");
    lent.legal("g1");
    lent.told("cancel g1");
    lent.is_over();
}
