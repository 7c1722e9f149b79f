//! What a session is doing, from facts (A38). Where it runs a tool, waits for the person and changes files, other tests see.

use serde_json::{Value, json};

use super::Lent;
use crate::bench::wait_until;
use crate::leading::{lets, play, until, walled};

#[test]
fn a38_one_that_thinks_is_told_from_one_that_is_silent_and_from_one_that_ended() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    let thinks = json!({"think": "It is a long story. "});
    play(&lent, &json!({"turns": [[thinks, until(&lent, "on"), thinks, until(&lent, "end")]]}));
    lent.agrees(&["look"]);
    wait_until("the turn", || lent.session("g1")["state"] == "turn_active");
    assert_eq!(lent.session("g1")["doing"], "thinks");
    // Long enough for most of what has to pass.
    let waited = lent.run("git grill agent status g1 --wait 18 --json").assert_code(7);
    let waited: Value = serde_json::from_str(waited.stdout()).unwrap();
    assert_eq!(waited["wait"]["outcome"], "timed_out");
    wait_until("silence that is told", || lent.session("g1")["doing"] == "silent");
    lent.run("git grill agent status").assert_code(0).assert_contains("silent");
    // It was not ended for that, and is heard of again.
    lets(&lent, "on");
    wait_until("a sign of life", || lent.session("g1")["doing"] == "thinks");
    lets(&lent, "end");
    let rests = lent.rests("g1");
    assert_eq!((&rests["state"], &rests["doing"]), (&json!("idle"), &json!("idle")));
    lent.legal("g1");
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn a38_a_turn_that_failed_is_named_where_the_sessions_are_listed() {
    if !walled() {
        return;
    }
    let limit = json!({"error": {"code": -32000, "message": "rate limit"}});
    let lent = Lent::playing(&json!({"turns": [[{"say": "a"}], [limit], [{"say": "b"}]]}));
    lent.agrees(&["look"]);
    assert_eq!(lent.rests("g1")["doing"], "idle");
    assert_eq!(lent.sends("g1", "more"), "t2");
    let failed = lent.rests("g1");
    assert_eq!((&failed["state"], &failed["doing"]), (&json!("idle"), &json!("t2 failed: refused")));
    for line in ["git grill agent status", "git grill agent status g1", "git grill status"] {
        lent.run(line).assert_contains("t2 failed: refused");
    }
    // It is the newest turn that counts.
    assert_eq!(lent.sends("g1", "again"), "t3");
    assert_eq!(lent.rests("g1")["doing"], "idle");
    let cancelled = lent.told("cancel g1");
    assert_eq!((&cancelled["cancelled"], &cancelled["session"]["doing"]), (&json!("g1"), &json!("cancelled")));
    lent.legal("g1");
    lent.is_over();
}

#[test]
fn a9_a44_a_failed_turn_is_told_with_its_reason_to_people_and_to_programs() {
    if !walled() {
        return;
    }
    let quota = json!({"error": {"code": -32603, "message": "Internal error: quota exceeded, try at 5pm"}});
    let lent = Lent::playing(&json!({"turns": [[{"say": "a"}], [quota], [{"say": "b"}]]}));
    lent.agrees(&["look"]);
    lent.rests("g1");
    lent.sends("g1", "two");
    lent.rests("g1");
    let reason = "quota exceeded, try at 5pm";
    lent.run("git grill agent result g1 t2")
        .assert_code(1)
        .assert_contains("turn t2 of g1 has no result: it has failed")
        .assert_contains("caused by: ")
        .assert_contains(reason)
        .assert_contains("hint: git grill agent log g1 shows what happened");
    lent.run("git grill agent log g1").assert_code(0).assert_contains(reason);
    let refused = lent.run("git grill agent result g1 t2 --json").assert_code(1);
    let told: Value = serde_json::from_str(refused.stdout()).unwrap();
    assert!(told["error"]["causes"][0].as_str().unwrap().contains(reason), "{told}");
    // The newest result stays readable, and does not hide what failed since.
    lent.run("git grill agent result g1").assert_code(0).assert_contains("! t2 failed: ").assert_contains(reason);
    lent.sends("g1", "three");
    lent.rests("g1");
    lent.run("git grill agent status g1").assert_code(0).assert_contains(reason);
    lent.told("cancel g1");
    lent.is_over();
}
