//! What is typed while the agent thinks: it stands in the next editor, not sent, and answers nothing by itself.

use serde_json::json;

use super::hasty::nothing_is_answered;
use super::story::walled;
use super::talked::recorded;
use super::{ENTER, ESCAPE, asks, goes_on, lets, play, scripted, started, then, until};
use crate::bench::Bench;
use crate::conversation::Sitting;

const CTRL_C: &str = "\x03";
/// What is said of text that is typed while the agent thinks.
const KEPT: &str = "kept for your next reply, not sent";
/// What the editor says that has it.
const STANDS: &str = "what you typed meanwhile stands here";
/// Where a list is answered in plain lines.
const LEAD: &str = "number or your words> ";
const TOO_SOON: &str = "that line was not for it";

/// A world whose agent asks its first question once it is let.
fn thinking() -> Bench {
    let bench = scripted(&json!({}));
    let turn = then(&[until(&bench, "asked")], &asks("First?"));
    play(&bench, &json!({"turns": [turn, goes_on("Second?")]}));
    bench
}

/// Starts in plain lines, where a person pauses for so long, in milliseconds.
fn in_lines(bench: &Bench, pause: &str) -> Sitting {
    let words = ["start", "--research", "off", "--interviewer", "scripted", "add rate limiting"];
    let mut sitting = Sitting::at(bench, &words, 50, 100, &[("TERM", "dumb"), ("GRILL_TEST_PAUSE", pause)]);
    sitting.pty.wait_for("as the interviewer?");
    sitting.pty.wait_for("number> ");
    sitting.pty.send("1\r");
    sitting.pty.wait_for("(Enter pauses)");
    sitting
}

#[test]
fn g55_a_line_typed_while_the_agent_thinks_answers_nothing_in_plain_lines() {
    if !walled() {
        return;
    }
    let bench = thinking();
    let mut sitting = in_lines(&bench, "600000");
    sitting.pty.send("2\r");
    sitting.pty.wait_for(KEPT);
    lets(&bench, "asked");
    sitting.below(STANDS, LEAD);
    sitting.pty.wait_for("not sent yet: 2");
    // Nobody pauses for so long: every line comes too soon.
    sitting.pty.send("1\r");
    sitting.below(TOO_SOON, LEAD);
    sitting.pty.send(ENTER);
    sitting.below("sent nothing; after a second's pause it does\n", LEAD);
    nothing_is_answered(&bench);
    sitting.pty.send(CTRL_C);
    sitting.ends_with(130);
}

#[test]
fn g55_half_a_line_typed_while_the_agent_thinks_answers_nothing_however_late_it_ends() {
    if !walled() {
        return;
    }
    let bench = thinking();
    let mut sitting = in_lines(&bench, "0");
    sitting.pty.send("1");
    lets(&bench, "asked");
    sitting.below(STANDS, LEAD);
    sitting.pty.send(ENTER);
    sitting.below(TOO_SOON, LEAD);
    nothing_is_answered(&bench);
    sitting.pty.send("2\r");
    sitting.pty.wait_for("question 2 ·");
}

#[test]
fn g55_what_is_typed_while_the_agent_thinks_stands_in_the_editor_of_its_question() {
    if !walled() {
        return;
    }
    let bench = thinking();
    let mut sitting = started(&bench);
    sitting.pty.wait_for("scripted thinks");
    // Neither the digit nor Enter is for the list that comes.
    sitting.pty.send("by 2 accounts");
    sitting.pty.send(ENTER);
    sitting.pty.send("\x1b[200~pasted\x1b[201~");
    sitting.below("› pasted", KEPT);
    lets(&bench, "asked");
    sitting.below("question 1 ·", STANDS);
    nothing_is_answered(&bench);
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("question 2 ·");
    let recorded = recorded(&bench);
    assert!(recorded.contains("by 2 accounts") && recorded.contains("pasted"), "{recorded}");
}

#[test]
fn g55_what_was_typed_is_shown_to_a_person_who_leaves_an_agent_that_thinks() {
    if !walled() {
        return;
    }
    let bench = thinking();
    let mut sitting = started(&bench);
    sitting.pty.wait_for("scripted thinks");
    sitting.pty.send("by account");
    sitting.below("› by account", KEPT);
    sitting.pty.send(ESCAPE);
    sitting.below("what you typed meanwhile was not sent:", "by account");
    sitting.ends_with(0);
}
