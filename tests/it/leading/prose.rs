//! A question that the agent writes as plain text, turn after turn, can be answered all the same, or is put with a tool
//! (G67).

use serde_json::{Value, json};

use super::refereed::prompts;
use super::story::{deeds, walled};
use super::{ENTER, ESCAPE, asks, goes_on, scripted, started, takes_first};
use crate::bench::Bench;
use crate::conversation::Sitting;

const ASKS: &str = "Who is counted, accounts or addresses?";
const HEADING: &str = "scripted asks in plain text";

/// Turns that end with the question in plain text, until it is put; then these.
fn in_prose(then: &[Value]) -> Vec<Value> {
    let says = json!([{"say": format!("I read the limiter.\n\n{ASKS}")}]);
    vec![says; 3].into_iter().chain(then.iter().cloned()).collect()
}

fn types(sitting: &mut Sitting, words: &str) {
    sitting.below(HEADING, "Tab choices");
    sitting.pty.send(words);
    sitting.pty.wait_for(&format!("› {words}"));
}

fn answered(bench: &Bench) -> usize {
    deeds(bench).lines().filter(|deed| deed.starts_with("human answer")).count()
}

#[test]
fn g67_prose_that_asks_is_answered_in_a_discussion_and_summed_up_by_whoever_asked() {
    if !walled() {
        return;
    }
    let sums_up =
        json!([{"say": "Good."}, {"tool": "resume_structured", "arguments": {"summary": "limits count accounts"}}]);
    let mut turns = vec![asks("First?")];
    turns.extend(in_prose(&[sums_up, goes_on("Second?")]));
    let bench = scripted(&json!({ "turns": turns }));
    let mut sitting = started(&bench);
    takes_first(&mut sitting, "question 1 ·");
    types(&mut sitting, "accounts, of course");
    sitting.below(HEADING, ASKS);
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("scripted: Good.");
    sitting.pty.wait_for("scripted summed the discussion up: limits count accounts");
    sitting.below("question 2 ·", "digits jump");
    sitting.pause();
    let prompts = prompts(&bench);
    let said = "The user answers the question that you wrote as plain text: accounts, of course";
    assert_eq!(prompts.iter().filter(|one| one.contains(said)).count(), 1, "{prompts:#?}");
    // No answer of the person's: what it came to is the agent's summary.
    assert_eq!(answered(&bench), 1, "{}", deeds(&bench));
}

#[test]
fn g67_prose_that_asks_is_put_with_a_tool_where_the_user_wants_that() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": in_prose(&[asks(ASKS)])}));
    let mut sitting = started(&bench);
    sitting.below(HEADING, "Tab choices");
    // The choice that Tab offers.
    sitting.pty.send("\t");
    sitting.pty.wait_for("› /next");
    sitting.pty.send(ENTER);
    takes_first(&mut sitting, "question 1 ·");
    sitting.pty.wait_for("✓ answered 1");
    let prompts = prompts(&bench);
    assert!(prompts[3].contains("wants it as a question: ask it with one of git grill's tools"), "{prompts:#?}");
    assert_eq!(answered(&bench), 1, "{}", deeds(&bench));
}

#[test]
fn g67_what_is_typed_at_prose_and_not_sent_is_kept() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": in_prose(&[]), "loaded": in_prose(&[])}));
    let mut sitting = started(&bench);
    types(&mut sitting, "half an answer");
    sitting.pty.send(ESCAPE);
    sitting.pty.wait_for("git grill next continues with what you typed");
    sitting.ends_with(0);
    let mut sitting = Sitting::at(&bench, &["next"], 50, 100, &[]);
    sitting.below(HEADING, "› half an answer");
    // A verb leaves the question where it is.
    sitting.pty.send("\x15/status\r");
    sitting.below("progress", HEADING);
    sitting.below(HEADING, "Tab choices");
    sitting.pause();
}

#[test]
fn g67_words_to_an_agent_that_is_gone_stand_in_the_editor_again() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": in_prose(&[json!([{"die": 1}])])}));
    let mut sitting = started(&bench);
    types(&mut sitting, "accounts, of course");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("scripted ended unexpectedly");
    sitting.below("How should the interview continue?", "digits jump");
    sitting.pty.send(ENTER);
    sitting.below("✓ interviewer built-in", "› accounts, of course");
}
