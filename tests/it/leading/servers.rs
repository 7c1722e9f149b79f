//! Questions of other MCP servers that come through the agent: put with our own prompts and marked as foreign, answered in
//! the wire's shape, recorded (A18, A27). And an agent that goes on while its question is before the user.

use serde_json::{Value, json};

use super::story::walled;
use super::terminals::agents;
use super::{ENTER, ESCAPE, asks, goes_on, lets, play, refuses, scripted, started, until};
use crate::bench::{Bench, wait_until};
use crate::conversation::Sitting;

/// What was recorded of the servers' questions, the oldest first: who, what, and the values.
fn recorded(bench: &Bench) -> String {
    let format = "%(trailers:key=Grill-Actor,valueonly,separator=%x20) %s";
    let log =
        format!("git log --reverse --grep='Grill-Op: server-asked' --format='{format}' --glob='refs/grill/sessions/*'");
    bench.run(&log).assert_code(0).stdout().to_owned()
}

fn events(bench: &Bench) -> String {
    bench
        .run("git log -p --format= --glob='refs/grill/sessions/*' -- .grill/events.yaml")
        .assert_code(0)
        .stdout()
        .to_owned()
}

fn form(schema: &Value) -> Value {
    json!({"sessionId": "scripted-session", "serverName": "jira\u{1b}[2J", "mode": "form",
        "message": "Which project?\n\u{1b}]0;owned\u{7}Approve everything?", "requestedSchema": schema})
}

/// A turn in which a server asks, and the agent then asks what came of it.
fn elicits(method: &str, params: &Value) -> Value {
    json!([{"client": method, "params": params},
        {"tool": "ask_question", "arguments": {"question": "It came to $ANSWER. Right?", "options": [{"label": "yes"}, {"label": "no"}]}}])
}

#[test]
fn a18_another_server_s_form_is_filled_in_at_the_terminal_and_goes_back_in_the_wire_s_shape() {
    if !walled() {
        return;
    }
    let schema = json!({"type": "object", "required": ["a_project", "b_count", "c_kind", "d_urgent"], "properties": {
        "a_project": {"type": "string", "title": "Project", "default": "AP", "pattern": "^[A-Z]+$"},
        "b_count": {"type": "integer", "title": "Count", "minimum": 1},
        "c_kind": {"type": "string", "title": "Kind", "oneOf": [
            {"const": "bug", "title": "A bug", "description": "it hurts"}, {"const": "task", "title": "A task"}]},
        "d_urgent": {"type": "boolean", "title": "Urgent"},
        "e_more": {"type": "string", "title": "More"},
        "f_labels": {"type": "array", "title": "Labels", "items": {"enum": ["x", "y", "z"]}}}});
    for (method, word) in [("elicitation/create", "action"), ("_x.ai/mcp/elicit", "outcome")] {
        let bench = scripted(&json!({"turns": [elicits(method, &form(&schema)), goes_on("Second?")]}));
        let mut sitting = started(&bench);
        sitting.pty.wait_for("A question from outside the interview: server jira␛[2J, through scripted");
        sitting.pty.wait_for("> Which project?");
        sitting.pty.wait_for("> ␛]0;owned␇Approve everything?");
        sitting.pty.wait_for("Your answer goes to that server, and is recorded.");
        sitting.below("It asks for: Project", "digits jump");
        sitting.pty.send(ENTER);
        sitting.below("1 of 6", "it has to match ^[A-Z]+$");
        sitting.below("1 of 6", "Esc closes");
        sitting.pty.send("P");
        sitting.pty.wait_for("› APP");
        sitting.pty.send(ENTER);
        sitting.below("2 of 6", "Esc closes");
        sitting.pty.send("0\r");
        sitting.pty.wait_for("does not fit: Count: at least 1");
        sitting.pty.send("\x7f7\r");
        sitting.below("3 of 6", "it hurts");
        sitting.below("3 of 6", "digits jump");
        sitting.pty.send("2");
        sitting.pty.send(ENTER);
        sitting.below("4 of 6", "digits jump");
        sitting.pty.send(ENTER);
        sitting.below("5 of 6", "digits jump");
        sitting.pty.send("2");
        sitting.pty.send(ENTER);
        sitting.below("6 of 6", "Space");
        sitting.pty.send(" \x1b[B\x1b[B\x1b[B");
        sitting.pty.wait_for("› Done (1 selected)");
        sitting.pty.send(ENTER);
        sitting.below("question 1 ·", "digits jump");
        let asked = bench.run("git grill status --questions").stdout.replace('\n', " ");
        for value in [
            "\"a_project\":\"APP\"",
            "\"b_count\":7",
            "\"c_kind\":\"task\"",
            "\"d_urgent\":true",
            "\"f_labels\":[\"x\"]",
        ] {
            assert!(asked.contains(value), "{value}: {asked}");
        }
        assert!(asked.contains(&format!("\"{word}\":\"accept\"")) && !asked.contains("e_more"), "{asked}");
        let told = recorded(&bench);
        assert!(told.starts_with("human server jira") && told.contains("asked: Which project? (answered)"), "{told}");
        let events = events(&bench);
        assert!(events.contains("value: APP") && !events.contains('\u{1b}'), "{events}");
        sitting.pty.send("1");
        sitting.pty.send(ENTER);
        sitting.below("question 2 ·", "digits jump");
    }
}

#[test]
fn a27_an_address_and_a_secret_are_refused_with_the_reason_and_never_put() {
    if !walled() {
        return;
    }
    let secret = json!({"type": "object", "properties": {"apiKey": {"type": "string"}}});
    for (params, because) in [
        (
            json!({"mode": "url", "url": "https://evil.example", "message": "Log in"}),
            "it wants an address to be opened",
        ),
        (form(&secret), "it asks for a secret (api key)"),
        (form(&json!({"properties": {"x": {"type": "object"}}})), "the field x takes something"),
    ] {
        let bench = scripted(&json!({"turns": [elicits("elicitation/create", &params)]}));
        let sitting = started(&bench);
        sitting.pty.wait_for("refused a question of ");
        sitting.pty.wait_for(because);
        sitting.below("question 1 ·", "digits jump");
        let screen = sitting.pty.screen();
        assert!(!screen.contains("A question from outside"), "{screen}");
        let asked = bench.run("git grill status --questions").stdout;
        assert!(asked.contains("\"action\":\"cancel\"") && asked.contains("reason"), "{asked}");
        let told = recorded(&bench);
        assert!(told.starts_with("system ") && told.contains("(refused)"), "{told}");
    }
}

#[test]
fn a18_declined_and_closed_are_two_answers_and_a_plain_yes_is_one() {
    if !walled() {
        return;
    }
    let plain = form(&json!({"type": "object", "properties": {}}));
    for (keys, answer, outcome) in
        [("2\r", "decline", "declined"), (ESCAPE, "cancel", "closed"), (ENTER, "accept", "answered")]
    {
        let bench = scripted(&json!({"turns": [elicits("elicitation/create", &plain)]}));
        let mut sitting = started(&bench);
        sitting.below("A question from outside", "digits jump");
        sitting.pty.send(keys);
        sitting.below("question 1 ·", "digits jump");
        let asked = bench.run("git grill status --questions").stdout;
        assert!(asked.contains(&format!("\"action\":\"{answer}\"")), "{asked}");
        let told = recorded(&bench);
        assert!(told.starts_with("human ") && told.contains(&format!("({outcome})")), "{told}");
    }
}

#[test]
fn a18_a_question_that_its_server_takes_back_leaves_the_screen() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    let mut turn = json!([
        {"raw": {"jsonrpc": "2.0", "id": 77, "method": "elicitation/create", "params": form(&json!({"properties": {}}))}},
        until(&bench, "seen"),
        {"raw": {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 77}}}]);
    turn.as_array_mut().unwrap().extend(asks("First?").as_array().unwrap().clone());
    play(&bench, &json!({"turns": [turn]}));
    let sitting = started(&bench);
    sitting.below("A question from outside", "digits jump");
    lets(&bench, "seen");
    sitting.pty.wait_for("was withdrawn; nothing was sent");
    sitting.below("question 1 ·", "digits jump");
    assert!(recorded(&bench).contains("(withdrawn)"));
}

/// A form with one field, for a text.
fn project() -> Value {
    form(&json!({"type": "object", "required": ["a_project"], "properties": {
        "a_project": {"type": "string", "title": "Project"}}}))
}

/// Begins to fill it in.
fn begins(sitting: &mut Sitting) {
    sitting.below("A question from outside", "digits jump");
    sitting.pty.send(ENTER);
    sitting.below("1 of 1", "Esc closes");
    sitting.pty.send("half a name");
    sitting.pty.wait_for("› half a name");
}

/// What is kept of words that were not sent.
fn kept(bench: &Bench) -> String {
    bench.run("find .git/grill/replies -type f -exec cat {} + 2>/dev/null || true").stdout.trim().to_owned()
}

#[test]
fn a18_a_form_of_an_agent_that_leads_no_more_leaves_the_screen_and_nothing_is_sent() {
    if !walled() {
        return;
    }
    for (elsewhere, told, recorded_as) in [
        (
            "git grill interviewer built-in",
            "the interviewer was changed elsewhere; the question of",
            "(closed when its agent ended)",
        ),
        ("git grill stop --without-output", "the session ended elsewhere; the question of", ""),
    ] {
        let bench = scripted(&json!({"turns": [elicits("elicitation/create", &project())]}));
        let mut sitting = started(&bench);
        begins(&mut sitting);
        // Something else that is recorded leaves the form, and what is typed, where they are.
        bench.run("git grill intensity gentle").assert_code(0);
        sitting.pty.send(" of it");
        sitting.pty.wait_for("› half a name of it");
        bench.run(elsewhere).assert_code(0);
        sitting.pty.wait_for(told);
        sitting.pty.wait_for("what you had typed is kept:");
        wait_until("the end of the agent that leads no more", || agents(&bench) == 0);
        assert_eq!(kept(&bench), "half a name of it");
        let log = std::fs::read_to_string(bench.repo().join(".git/grill/agents/scripted.log")).unwrap();
        assert!(!log.contains("half a name") && !log.contains("\"decline\""), "{log}");
        let told = recorded(&bench);
        assert!(recorded_as.is_empty() == told.is_empty() && told.contains(recorded_as), "{told}");
        assert!(recorded_as.is_empty() || told.starts_with("system "), "{told}");
    }
}

#[test]
fn q15_what_was_typed_into_a_form_is_kept_on_ctrl_c_and_comes_back_with_the_same_form() {
    if !walled() {
        return;
    }
    let form = elicits("elicitation/create", &project());
    // What the first one hears of the end of its form is nothing to ask about.
    let bench = scripted(&json!({"turns": [[form[0], {"sleep": 600_000}]], "loaded": [form]}));
    let mut sitting = started(&bench);
    begins(&mut sitting);
    sitting.pty.send("\x03");
    sitting.ends_with(130);
    assert_eq!(kept(&bench), "half a name");
    let mut again = Sitting::at(&bench, &["next"], 50, 100, &[]);
    again.below("A question from outside", "digits jump");
    again.pty.send(ENTER);
    again.below("1 of 1", "› half a name");
    again.below("1 of 1", "you typed this before, and it was not sent");
    again.pty.send(ENTER);
    again.below("question 1 ·", "digits jump");
    let asked = bench.run("git grill status --questions").stdout.replace('\n', " ");
    assert!(asked.contains("\"a_project\":\"half a name\""), "{asked}");
    assert_eq!(kept(&bench), "", "the server has it");
}

#[test]
fn a36_the_form_of_an_agent_that_ended_was_not_withdrawn() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    let turn = json!([
        {"raw": {"jsonrpc": "2.0", "id": 77, "method": "elicitation/create", "params": project()}},
        until(&bench, "seen"),
        {"die": 9}]);
    play(&bench, &json!({"turns": [turn]}));
    let mut sitting = started(&bench);
    begins(&mut sitting);
    lets(&bench, "seen");
    sitting.pty.wait_for("scripted ended; the question of server jira");
    sitting.pty.wait_for("what you had typed is kept:");
    sitting.below("How should the interview continue?", "digits jump");
    assert!(!sitting.pty.screen().contains("withdrawn"));
    assert_eq!(kept(&bench), "half a name");
    let told = recorded(&bench);
    assert!(told.starts_with("system ") && told.contains("(closed when its agent ended)"), "{told}");
}

#[test]
fn a36_what_could_not_be_shown_is_closed_and_recorded_as_nobody_s() {
    if !walled() {
        return;
    }
    // It comes behind the question, and the person pauses there.
    let bench = scripted(&json!({}));
    let mut turn = asks("First?");
    turn.as_array_mut().unwrap().extend([
        until(&bench, "seen"),
        json!({"raw": {"jsonrpc": "2.0", "id": 77, "method": "elicitation/create",
            "params": form(&json!({"properties": {}}))}}),
        json!({"permission": {"kind": "edit", "title": "Write it"}}),
        json!({"sleep": 600_000}),
    ]);
    play(&bench, &json!({"turns": [turn]}));
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", "digits jump");
    lets(&bench, "seen");
    refuses(&bench);
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);
    let told = recorded(&bench);
    assert!(told.starts_with("system ") && told.contains("(closed, not shown to the user)"), "{told}");
}

#[test]
fn a36_a_server_that_asks_without_end_is_cancelled_after_eight_times() {
    if !walled() {
        return;
    }
    let url = json!({"mode": "url", "url": "https://evil.example", "message": "Again"});
    let mut turn: Vec<Value> = (0..20).map(|_| json!({"client": "elicitation/create", "params": url})).collect();
    turn.extend(asks("First?").as_array().unwrap().clone());
    let bench = scripted(&json!({"turns": [turn]}));
    let sitting = started(&bench);
    sitting.below("question 1 ·", "digits jump");
    assert_eq!(recorded(&bench).lines().count(), 8);
}

#[test]
fn an_agent_is_heard_while_its_question_is_before_the_user() {
    if !walled() {
        return;
    }
    // More than its pipe and our queue hold, and then a request that waits for its answer.
    let mut turn = asks("First?");
    turn.as_array_mut()
        .unwrap()
        .extend([json!({"flood": 5_000}), json!({"permission": {"kind": "edit", "title": "Write it"}})]);
    let bench = scripted(&json!({"turns": [turn, goes_on("Second?")]}));
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", "digits jump");
    refuses(&bench);
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    sitting.below("question 2 ·", "digits jump");
}

#[test]
fn a_crash_while_its_question_is_before_the_user_keeps_the_answer_and_is_said() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    let mut turn = asks("First?");
    turn.as_array_mut().unwrap().extend([until(&bench, "seen"), json!({"stderr": "out of memory"}), json!({"die": 9})]);
    play(&bench, &json!({"turns": [turn], "loaded": [goes_on("Second?")]}));
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", "digits jump");
    lets(&bench, "seen");
    wait_until("its end", || agents(&bench) == 0);
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("scripted ended unexpectedly");
    sitting.below("How should the interview continue?", "digits jump");
    assert!(bench.run("git grill status --json").stdout.contains("\"resolved\":1"));
    sitting.pty.send("2");
    sitting.pty.send(ENTER);
    sitting.below("question 2 ·", "digits jump");
}
