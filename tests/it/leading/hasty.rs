//! Keys that come too soon: what comes up by itself behind the line that says what the agent does is not what they were for.

use serde_json::json;

use super::story::walled;
use super::{ENTER, ESCAPE, TOO_SOON, asks, decides, goes_on, lets, play, scripted, started_with, then, until};
use crate::bench::Bench;

/// Nobody pauses for so long: every key comes too soon.
const NEVER: [(&str, &str); 1] = [("GRILL_TEST_PAUSE", "600000")];
/// As in the program that is shipped.
const A_SECOND: [(&str, &str); 1] = [("GRILL_TEST_PAUSE", "1000")];

/// What stands below a list.
const LISTED: &str = "digits jump";

#[track_caller]
pub(super) fn nothing_is_answered(bench: &Bench) {
    let status = bench.run("git grill status --json");
    assert!(status.stdout.contains("\"resolved\":0"), "{}", status.stdout);
}

#[test]
fn g55_enter_just_after_the_agent_s_question_came_up_is_no_answer() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?")]}));
    let mut sitting = started_with(&bench, &NEVER);
    sitting.below("question 1 ·", LISTED);
    sitting.pty.send(ENTER);
    sitting.below("question 1 ·", TOO_SOON);
    // Whoever holds it down says no more than that.
    sitting.pty.send("\r\r\r");
    sitting.pty.wait_until_read();
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);
    nothing_is_answered(&bench);
}

#[test]
fn g55_a_person_who_paused_answers_the_agent_s_question() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?"), goes_on("Second?")]}));
    let mut sitting = started_with(&bench, &A_SECOND);
    sitting.below("question 1 ·", LISTED);
    decides(&mut sitting, "2", "question 2 ·");
}

#[test]
fn a18_enter_just_after_a_server_s_form_came_up_sends_nothing() {
    if !walled() {
        return;
    }
    let schema = json!({"type": "object", "properties": {}});
    let form = json!({"sessionId": "scripted-session", "serverName": "jira", "mode": "form", "message": "Go on?",
        "requestedSchema": schema});
    let asked = [json!({"client": "elicitation/create", "params": form})];
    let bench = scripted(&json!({"turns": [then(&asked, &asks("First?"))]}));
    let mut sitting = started_with(&bench, &NEVER);
    sitting.below("A question from outside the interview", LISTED);
    sitting.pty.send(ENTER);
    sitting.below("A question from outside the interview", TOO_SOON);
}

#[test]
fn a5_enter_decides_neither_an_offer_nor_the_question_that_takes_it_back() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    let turn = then(&[until(&bench, "asked")], &asks("First?"));
    play(&bench, &json!({"turns": [turn]}));
    bench.run("git config grill.firstTokenTimeout 1").assert_code(0);
    let mut sitting = started_with(&bench, &NEVER);
    sitting.below("scripted's model has sent nothing for", LISTED);
    sitting.pty.send(ENTER);
    sitting.below("scripted's model has sent nothing for", TOO_SOON);
    lets(&bench, "asked");
    sitting.below("question 1 ·", LISTED);
    sitting.pty.send(ENTER);
    sitting.below("question 1 ·", TOO_SOON);
    nothing_is_answered(&bench);
}

#[test]
fn g56_the_menu_that_esc_opens_was_asked_for_so_enter_waits_at_once() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [[{"sleep": 600_000}]]}));
    let mut sitting = started_with(&bench, &[NEVER[0], ("GRILL_TEST_QUIET", "1000")]);
    sitting.pty.wait_for("scripted waits for the model (");
    sitting.pty.send(ESCAPE);
    sitting.below("1. Wait for scripted", LISTED);
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("scripted waits for the model (");
    assert!(!sitting.pty.raw().contains(TOO_SOON), "{}", sitting.pty.screen());
    nothing_is_answered(&bench);
}
