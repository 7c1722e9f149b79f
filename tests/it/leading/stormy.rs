//! A whole interview in one terminal in which much goes wrong: the agent dies while its question is before the person, they
//! start it again, talk a question over, go back, and answer one from another terminal. It ends with an approved document,
//! and everything stands under the name of whoever did it.

use serde_json::json;

use super::story::{deeds, walled};
use super::terminals::agents;
use super::{
    ENTER, asks, chooses_the_design, goes_on, lets, offers, play, scripted, started, takes_first, until,
    writes_and_stops,
};
use crate::bench::wait_until;

/// The checkpoint of the agent at the end.
const TOLD: &str =
    "# Rate limiting\n\n## Decided\n\n- Limits count by account.\n- Over the limit: 429, with Retry-After.\n";

#[test]
fn g55_g56_a_crash_a_discussion_a_way_back_and_another_terminal_end_in_an_approved_document() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    let mut dies = goes_on("With 429?");
    dies.as_array_mut().unwrap().extend([until(&bench, "seen"), json!({"die": 9})]);
    let sums_up = json!([{"say": "Then it is settled.\n"},
        {"tool": "resume_structured", "arguments": {"summary": "with Retry-After in seconds"}}]);
    let loaded = json!([
        goes_on("With Retry-After?"),
        [{"say": "What do clients read today?\n"}],
        sums_up,
        goes_on("By token as well?"),
        goes_on("For how long?"),
        offers(TOLD),
    ]);
    play(&bench, &json!({"turns": [asks("By account?"), dies], "loaded": loaded}));
    let mut sitting = started(&bench);
    takes_first(&mut sitting, "question 1 ·");

    // A crash in the middle of a question: its answer counts.
    sitting.below("question 2 ·", "digits jump");
    lets(&bench, "seen");
    wait_until("its end", || agents(&bench) == 0);
    takes_first(&mut sitting, "question 2 ·");
    sitting.pty.wait_for("scripted ended unexpectedly");
    sitting.below("How should the interview continue?", "digits jump");
    sitting.pty.send("2");
    sitting.pty.send(ENTER);

    // A discussion, which the agent sums up.
    sitting.below("question 3 ·", "digits jump");
    sitting.pty.send("/discuss\r");
    sitting.below("discussion with scripted", "Enter sends, Esc pauses");
    sitting.pty.send("seconds or a date?\r");
    sitting.below("scripted: What do clients read today?", "Enter sends, Esc pauses");
    sitting.pty.send("they read seconds\r");
    sitting.pty.wait_for("scripted summed the discussion up: with Retry-After in seconds");

    // The way back to an earlier question; the one that was open is set aside.
    sitting.below("question 4 ·", "digits jump");
    sitting.pty.send("/back 1\r");
    sitting.below("back at an earlier question", "digits jump");
    sitting.pty.send("2");
    sitting.pty.send(ENTER);

    // An answer from another terminal, and the gate that comes by itself.
    sitting.below("question 5 ·", "digits jump");
    bench.run("git grill answer yes").assert_code(0);
    sitting.pty.wait_for("question 5 was answered elsewhere: yes");
    chooses_the_design(&mut sitting);
    writes_and_stops(sitting);
    assert_eq!(agents(&bench), 0);

    let written = bench.run("cat docs/design/*.md").assert_code(0).stdout().to_owned();
    assert!(written.contains("- Over the limit: 429, with Retry-After."), "{written}");
    let deeds = deeds(&bench);
    let mut left = deeds.lines();
    for deed in [
        "human answer q-",
        "agent:scripted ask q-",
        "human answer q-",
        "human discuss q-",
        "agent:scripted resume: with Retry-After in seconds",
        "human go back to q-",
        "human answer q-",
        "unattended answer q-",
        "agent:scripted open the output selection",
        "human select design-doc",
        "human approve docs/design/",
        "system write docs/design/",
        "human stop",
    ] {
        assert!(left.any(|line| line.starts_with(deed)), "{deed}, in this order:\n{deeds}");
    }
}
