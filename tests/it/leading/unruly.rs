//! An agent that keeps no order: it says things after the end of a turn, for another session or over again, asks for much
//! at once and takes it back, does not read, or never stops. The interview goes on, or it is said why not.

use serde_json::{Value, json};

use super::story::{deeds, walled};
use super::terminals::agents;
use super::{ENTER, ESCAPE, asks, decides, goes_on, jotted, lets, play, scripted, started, takes_first, then, until};
use crate::bench::{Bench, wait_until};
use crate::conversation::Sitting;

/// Waits until the client has answered all that was sent before, in a step that shows nothing.
fn is_heard() -> Value {
    json!({"together": [{"id": "heard", "method": "scripted/heard", "params": {}}]})
}

/// A step that writes what the client answered to the last `together`.
fn jots() -> Value {
    json!({"shell": "echo \"$ANSWER\" >> $TMPDIR/answers"})
}

fn says(text: &str) -> Value {
    json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}})
}

/// How many questions the agent asked, as the history has it.
fn questions(bench: &Bench) -> usize {
    deeds(bench).lines().filter(|deed| deed.starts_with("agent:scripted ask q-")).count()
}

#[test]
fn a31_what_a_loaded_session_replays_is_no_part_of_the_next_turn() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    let entries = json!([{"content": "An old step", "status": "pending", "priority": "low"}]);
    let loaded = then(&[until(&bench, "seen")], &goes_on("Second?"));
    play(
        &bench,
        &json!({"turns": [asks("First?")], "loaded": [loaded], "replays": [
            says("An old word.\n"), {"sessionUpdate": "plan", "entries": entries},
            {"sessionUpdate": "tool_call", "toolCallId": "old", "title": "Read old.rs", "kind": "read", "status": "in_progress"},
            {"sessionUpdate": "hologram"}]}),
    );
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", "digits jump");
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);
    let mut sitting = Sitting::at(&bench, &["next"], 50, 100, &[]);
    takes_first(&mut sitting, "question 1 ·");
    sitting.pty.wait_for("scripted thinks");
    lets(&bench, "seen");
    sitting.below("question 2 ·", "digits jump");
    let shown = sitting.pty.raw();
    for old in ["An old word", "works through its plan", "old.rs"] {
        assert!(!shown.contains(old), "{old}");
    }
    assert_eq!(questions(&bench), 2);
}

#[test]
fn a35_what_comes_after_the_end_of_a_turn_is_taken_in_and_is_no_part_of_the_next() {
    if !walled() {
        return;
    }
    let late = json!({"late": [{"update": says("A late word.\n")}, {"update": {"sessionUpdate": "hologram"}},
        {"tool": "ask_question", "arguments": {"question": "Late?", "options": [{"label": "a"}, {"label": "b"}]}},
        is_heard(), jots()]});
    let bench = scripted(&json!({"turns": [then(&[late], &asks("First?")), goes_on("Second?")]}));
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", "digits jump");
    wait_until("what comes late", || jotted(&bench, "answers").contains("heard="));
    takes_first(&mut sitting, "question 1 ·");
    sitting.below("question 2 ·", "digits jump");
    assert!(!sitting.pty.raw().contains("A late word"));
    assert_eq!(questions(&bench), 2, "the question that stood open keeps the late one out");
}

#[test]
fn a35_what_comes_after_a_cancel_is_taken_in_and_is_no_part_of_the_next_turn() {
    if !walled() {
        return;
    }
    let explains = json!([{"late": [{"update": says("A late word.\n")}, is_heard(), jots()]},
        {"say": "It is a long story.\n"}, {"sleep": 600_000}]);
    let bench =
        scripted(&json!({"turns": [asks("First?"), explains, [{"say": "It is short.\n"}], goes_on("Second?")]}));
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", "digits jump");
    sitting.pty.send("/why\r");
    sitting.pty.wait_for("scripted: It is a long story.");
    sitting.pty.send(ESCAPE);
    sitting.below("question 1 ·", "digits jump");
    wait_until("what comes late", || jotted(&bench, "answers").contains("heard="));
    sitting.pty.send("/why\r");
    sitting.pty.wait_for("It is short.");
    takes_first(&mut sitting, "It is short.");
    sitting.below("question 2 ·", "digits jump");
    assert!(!sitting.pty.raw().contains("A late word"));
}

#[test]
fn a31_what_is_said_in_another_session_is_not_said_in_ours() {
    if !walled() {
        return;
    }
    let entries = json!([{"content": "Not ours", "status": "pending", "priority": "low"}]);
    let explains = json!([{"update": says("A word of another."), "session": "another"},
        {"update": {"sessionUpdate": "plan", "entries": entries}, "session": "another"},
        {"say": "It is short.\n"}]);
    let bench = scripted(&json!({"turns": [asks("First?"), explains, goes_on("Second?")]}));
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", "digits jump");
    sitting.pty.send("/why\r");
    sitting.pty.wait_for("scripted: It is short.");
    takes_first(&mut sitting, "It is short.");
    sitting.below("question 2 ·", "digits jump");
    let shown = sitting.pty.raw();
    assert!(!shown.contains("A word of another") && !shown.contains("works through its plan"));
}

/// A question of another server, which takes a plain yes.
fn form(id: &str, message: &str) -> Value {
    json!({"id": id, "method": "elicitation/create", "params": {"sessionId": "scripted-session", "serverName": "jira",
        "mode": "form", "message": message, "requestedSchema": {"type": "object", "properties": {}}}})
}

#[test]
fn a35_each_of_several_requests_gets_its_one_answer_whenever_it_is_there() {
    if !walled() {
        return;
    }
    let options = json!([{"optionId": "yes", "kind": "allow_once"}, {"optionId": "no", "kind": "reject_once"}]);
    let requests = json!([
        form("a", "The first?"),
        form("b", "The other?"),
        {"id": "p", "method": "session/request_permission", "params": {"sessionId": "scripted-session",
            "toolCall": {"toolCallId": "c", "kind": "edit", "title": "Write it"}, "options": options}},
        {"id": "w", "method": "fs/write_text_file", "params": {"sessionId": "scripted-session", "path": "x", "content": "x"}},
        // This id is taken.
        form("a", "Twice?"),
    ]);
    let turn = then(&[json!({"together": requests}), jots()], &asks("First?"));
    let bench = scripted(&json!({"turns": [turn, goes_on("Second?")]}));
    let mut sitting = started(&bench);
    sitting.below("The first?", "digits jump");
    sitting.pty.send(ENTER);
    sitting.below("The other?", "digits jump");
    sitting.pty.send("2");
    sitting.pty.send(ENTER);
    sitting.below("question 1 ·", "digits jump");
    assert_eq!(jotted(&bench, "answers").trim(), "p=no w=-32602 a=-32600 a=accept b=decline");
    takes_first(&mut sitting, "question 1 ·");
    sitting.below("question 2 ·", "digits jump");
    assert!(!sitting.pty.raw().contains("Twice?"));
}

#[test]
fn a35_a_request_that_is_taken_back_gets_one_answer_and_the_other_stays() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    let mut asked = json!({"together": [form("a", "The first?"), form("b", "The other?")], "withdraw": ["a", "gone"]});
    asked["until"] = json!(bench.root().join("seen"));
    play(&bench, &json!({"turns": [then(&[asked, jots()], &asks("First?"))]}));
    let mut sitting = started(&bench);
    sitting.below("The first?", "digits jump");
    lets(&bench, "seen");
    sitting.pty.wait_for("was withdrawn; nothing was sent");
    // It came by itself.
    sitting.below("The other?", "digits jump");
    decides(&mut sitting, "", "question 1 ·");
    sitting.below("question 1 ·", "digits jump");
    assert_eq!(jotted(&bench, "answers").trim(), "a=-32800 b=accept");
}

#[test]
fn g56_an_agent_that_reads_nothing_is_told_of_and_ended() {
    if !walled() {
        return;
    }
    let asked = json!({"jsonrpc": "2.0", "id": "x", "method": "scripted/unread", "params": {}}).to_string();
    // More answers than its pipe and our queue hold.
    let turn = json!([{"reads": "nothing"}, {"junk": asked, "times": 20_000}, {"sleep": 600_000}]);
    let bench = scripted(&json!({"turns": [turn]}));
    let mut sitting = started(&bench);
    sitting.pty.wait_for("scripted does not read what is sent to it");
    sitting.below("How should the interview continue?", "digits jump");
    sitting.pty.send(ENTER);
    sitting.below("question 1 ·", "Tab alternatives");
    // It cannot see the end of what it does not read.
    wait_until("its end", || agents(&bench) == 0);
}

#[test]
fn a5_one_huge_line_and_one_that_is_longer_than_any_message_stop_nothing() {
    const MIB: usize = 1024 * 1024;
    if !walled() {
        return;
    }
    let turn = then(&[json!({"huge": 4 * MIB}), json!({"huge": 17 * MIB})], &asks("First?"));
    let bench = scripted(&json!({"turns": [turn, goes_on("Second?")]}));
    let mut sitting = started(&bench);
    takes_first(&mut sitting, "question 1 ·");
    sitting.below("question 2 ·", "digits jump");
    assert!(bench.read(".git/grill/agents/scripted.log").len() < MIB, "the log has the beginning of a line");
}

#[test]
fn a5_beside_a_flood_without_end_the_question_is_answered_and_left() {
    if !walled() {
        return;
    }
    let mut turn = asks("First?");
    turn.as_array_mut().unwrap().push(json!({"flood": "endless"}));
    let bench = scripted(&json!({"turns": [turn], "loaded": [goes_on("Second?")]}));
    let mut sitting = started(&bench);
    takes_first(&mut sitting, "question 1 ·");
    sitting.pty.wait_for("Esc pauses, Tab shows the steps");
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);
    assert_eq!(agents(&bench), 0);
    assert!(bench.read(".git/grill/agents/scripted.log").len() <= 2 * 1024 * 1024);
    let sitting = Sitting::at(&bench, &["next"], 50, 100, &[]);
    sitting.below("question 2 ·", "digits jump");
}
