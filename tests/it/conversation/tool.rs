//! `git grill tool` with real keys: the request on standard input, the prompt on the terminal, the result on standard
//! output. Proves Q1 to Q16 where a person sits, and that the answer is theirs.

use std::process::Command;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::{CTRL_C, ENTER, ESCAPE, Sitting, deeds, kept, said};
use crate::bench::Bench;
use crate::pty::Pty;

const DOWN: &str = "\x1b[B";
const PICK: &str = "Enter selects";

const ASK: &str = r#"{"question":"How is it laid out?","options":[
    {"label":"Reuse Card","description":"as elsewhere","evidence":{"path":"src/card.rs","lines":[1]}},
    {"label":"Reuse ListView"}]}"#;
const SHORT: &str =
    r#"{"question":"How is it laid out?","timeoutSeconds":10,"options":[{"label":"Card"},{"label":"List"}]}"#;
const AREAS: &str =
    r#"{"question":"Which areas?","options":[{"label":"Sessions"},{"label":"Errors"},{"label":"Policy"}]}"#;
const FORM: &str = r#"{"questions":[
    {"id":"db","label":"Store","prompt":"Which store?","options":[{"value":"s","label":"sqlite"},{"value":"p","label":"postgres"}]},
    {"id":"when","prompt":"By when?"}]}"#;

/// A session that an agent leads, with requests to put.
fn led() -> Bench {
    let bench = Bench::new();
    bench.write("src/card.rs", "struct Card;\n");
    for (name, request) in [("ask", ASK), ("short", SHORT), ("areas", AREAS), ("form", FORM)] {
        bench.write(&format!("../{name}.json"), request);
    }
    bench.run("git grill start 'a timeline' --interviewer agent:claude --research off").assert_code(0);
    bench
}

/// A call as an agent's shell makes it, on a terminal.
fn call(bench: &Bench, tool: &str, request: &str) -> Sitting {
    let mut command = Command::new("sh");
    let line = format!("git grill tool {tool} < ../{request}.json > ../out.json");
    command.args(["-c", &line]).current_dir(bench.repo());
    command.envs(bench.environment()).env("CLAUDECODE", "1");
    Sitting { pty: Pty::spawn(&command, 40, 100) }
}

/// What the last call came to.
fn result(bench: &Bench) -> Value {
    serde_json::from_str(&bench.read("../out.json")).expect("one JSON object")
}

#[track_caller]
fn comes_to(bench: &Bench, sitting: Sitting, code: i32, kind: &str, text: &str) {
    sitting.ends_with(code);
    let result = result(bench);
    assert_eq!((result["kind"].as_str(), result["text"].as_str()), (Some(kind), Some(text)), "{result}");
}

#[test]
fn q4_q6_q16_an_option_with_a_note_is_recorded_as_the_persons() {
    let bench = led();
    let mut sitting = call(&bench, "ask_question", "ask");
    sitting.pty.wait_for("4. Let's discuss this");
    sitting.pty.wait_for("as elsewhere · src/card.rs:1");
    sitting.pty.wait_for(PICK);
    sitting.pty.send(DOWN);
    sitting.pty.wait_for("› 2.");
    sitting.pty.send("n");
    sitting.pty.send("for now");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for(PICK);
    sitting.pty.send(ENTER);
    comes_to(&bench, sitting, 0, "selected", "User selected: 2. Reuse ListView");
    assert_eq!(result(&bench)["note"], "for now");
    assert_eq!(deeds(&bench), ["unattended start:", "agent:claude ask", "human answer"]);
    let blob = said(&bench, "git hash-object src/card.rs");
    bench.run("git grep -h blob GRILL_HEAD -- .grill/questions").assert_code(0).assert_contains(&blob);
}

#[test]
fn q5_words_of_ones_own() {
    let bench = led();
    let mut sitting = call(&bench, "ask_question", "ask");
    sitting.pty.wait_for(PICK);
    sitting.pty.send("3");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("Enter submits");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("nothing is written yet");
    sitting.pty.send("  a kanban board ");
    sitting.pty.send(ENTER);
    comes_to(&bench, sitting, 0, "wrote", "User wrote: a kanban board");
    assert_eq!(kept(&bench), [""; 0]);
}

#[test]
fn q7_escape_puts_the_question_off_and_the_same_call_puts_it_again() {
    let bench = led();
    let mut sitting = call(&bench, "ask_question", "ask");
    sitting.pty.wait_for(PICK);
    sitting.pty.send(ESCAPE);
    comes_to(&bench, sitting, 5, "cancelled", "User cancelled the selection.");
    bench.run("git grill status --questions").assert_code(0).assert_contains("deferred");
    let mut sitting = call(&bench, "ask_question", "ask");
    sitting.pty.wait_for("question 1 · asked by the agent claude");
    sitting.pty.wait_for(PICK);
    sitting.pty.send(ENTER);
    comes_to(&bench, sitting, 0, "selected", "User selected: 1. Reuse Card");
    assert_eq!(result(&bench)["question"]["number"], 1);
}

#[test]
fn q12_a_conversation_refuses_the_tools_until_it_is_summed_up() {
    let bench = led();
    let mut sitting = call(&bench, "ask_question", "ask");
    sitting.pty.wait_for(PICK);
    sitting.pty.send("4");
    sitting.pty.send(ENTER);
    sitting.ends_with(0);
    assert_eq!(result(&bench)["kind"], "discuss");
    for (tool, request) in [("ask_question", "ask"), ("ask_multi_select", "areas"), ("questionnaire", "form")] {
        call(&bench, tool, request).ends_with(1);
        assert_eq!(result(&bench)["error"]["code"], "in_discussion");
    }
    bench.run("echo '{\"summary\":\"cards\"}' | git grill tool resume_structured").assert_code(0);
    bench.run("git grill status --questions").assert_code(0).assert_contains("cards");
}

#[test]
fn q14_a_time_limit_ends_the_prompt_and_is_no_answer() {
    let bench = led();
    let mut sitting = call(&bench, "ask_question", "short");
    sitting.pty.wait_for(PICK);
    sitting.pty.send("3\rhalf a thought");
    comes_to(&bench, sitting, 7, "timed_out", "Nobody answered within 10 seconds. This is no answer.");
    assert_eq!(deeds(&bench), ["unattended start:", "agent:claude ask"]);
    assert_eq!(kept(&bench), ["half a thought"]);
    let begun = Instant::now();
    call(&bench, "questionnaire", "form").ends_with(1);
    assert_eq!(result(&bench)["error"]["code"], "question_open", "one question at a time (Q13)");
    assert!(begun.elapsed() < Duration::from_mins(2));
}

#[test]
fn q15_what_was_typed_survives_an_interrupt_a_kill_and_another_place() {
    let bench = led();
    let mut sitting = call(&bench, "ask_question", "ask");
    sitting.pty.wait_for(PICK);
    sitting.pty.send("3");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("Enter submits");
    sitting.pty.send("half a thought");
    sitting.pty.wait_for("half a thought");
    sitting.pty.send(CTRL_C);
    sitting.ends_with(130);
    assert_eq!(kept(&bench), ["half a thought"]);
    // The conversation puts it with the same list, and has the words.
    let mut command = Command::new(env!("CARGO_BIN_EXE_git-grill"));
    command.arg("next").current_dir(bench.repo()).envs(bench.environment());
    let mut pty = Pty::spawn(&command, 40, 100);
    pty.wait_for(PICK);
    pty.wait_for("half a thought");
    pty.send("3");
    pty.send(ENTER);
    pty.wait_for("Enter submits");
    pty.send(", and more");
    pty.wait_for("half a thought, and more");
    let kept_file = "for i in $(seq 600); do grep -rh 'and more' .git/grill/replies && exit; sleep 0.1; done";
    bench.run(kept_file).assert_contains("half a thought, and more");
    kill_process(Pid::from_raw(pty.pid().try_into().unwrap()).unwrap(), Signal::KILL).unwrap();
    assert_eq!(pty.exit_code(), 128 + 9);
    assert_eq!(kept(&bench), ["half a thought, and more"], "it takes the place of what was kept before");
    let mut sitting = Sitting::wide(&bench, &["next"]);
    sitting.pty.wait_for(PICK);
    sitting.pty.send("3");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("Enter submits");
    sitting.pty.send(ENTER);
    let (code, screen) = sitting.end();
    assert_eq!(code, 0, "{screen}");
    assert!(screen.contains("claude asks the next one"), "{screen}");
    bench.run("git grill status --questions").assert_code(0).assert_contains("half a thought, and more — human");
    assert_eq!(kept(&bench), [""; 0]);
}

#[test]
fn g11_a_verb_can_be_typed_where_words_of_ones_own_can() {
    let bench = led();
    bench.run("git grill tool ask_question < ../ask.json").assert_code(3);
    let mut sitting = Sitting::wide(&bench, &["next"]);
    sitting.pty.wait_for(PICK);
    sitting.pty.send("3");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("Enter submits");
    sitting.line("/status");
    sitting.below("progress     0 resolved", PICK);
    sitting.pause();
}

#[test]
fn g11_a_verb_can_be_typed_at_a_checklist() {
    let bench = led();
    bench.run("git grill tool ask_multi_select < ../areas.json").assert_code(3);
    let mut sitting = Sitting::wide(&bench, &["next"]);
    sitting.pty.wait_for("Done (select at least one)");
    sitting.pty.send("/status");
    sitting.pty.wait_for("/status · Enter ends this line, Esc clears it");
    sitting.pty.wait_for("Done (select at least one)");
    sitting.pty.send(ENTER);
    sitting.below("progress     0 resolved", "a toggles all");
    sitting.pause();
    assert_eq!(deeds(&bench), ["unattended start:", "agent:claude ask"], "nothing was answered");
}

#[test]
fn g11_a_tool_serves_no_verb_and_keeps_the_question_open() {
    let bench = led();
    let mut sitting = call(&bench, "ask_question", "ask");
    sitting.pty.wait_for(PICK);
    sitting.line("/why");
    sitting.pty.wait_for("no verb is taken here, and nothing was sent; with a blank before the / it is an answer");
    sitting.pty.send("\x1b[H");
    sitting.line(" ");
    comes_to(&bench, sitting, 0, "wrote", "User wrote: /why");
    // The answer is due in the checkpoint of the first session, so the next question is of another one.
    let bench = led();
    let mut sitting = call(&bench, "ask_multi_select", "areas");
    sitting.pty.wait_for("Done (select at least one)");
    sitting.line("/back");
    sitting.pty.wait_for("no verb is taken here, and nothing was sent");
    sitting.pty.wait_for("Done (select at least one)");
    sitting.pty.send(" ");
    sitting.pty.wait_for("Done (1 selected)");
    sitting.pty.send("4");
    sitting.pty.send(ENTER);
    comes_to(&bench, sitting, 0, "selected", "User selected: Sessions");
}

#[test]
fn q8_q9_several_at_once_and_never_none() {
    let bench = led();
    let mut sitting = call(&bench, "ask_multi_select", "areas");
    sitting.pty.wait_for("Done (select at least one)");
    for keys in [" ", DOWN, DOWN, " "] {
        sitting.pty.send(keys);
    }
    sitting.pty.wait_for("Done (2 selected)");
    sitting.pty.send(DOWN);
    sitting.pty.send(ENTER);
    comes_to(&bench, sitting, 0, "selected", "User selected: Sessions, Policy");
    bench.run("git grill status --json").assert_code(0).assert_contains("\"resolved\":1");
}

#[test]
fn q13_q15_what_is_answered_elsewhere_while_the_prompt_stands_open_is_the_answer() {
    let bench = led();
    let mut sitting = call(&bench, "ask_question", "ask");
    sitting.pty.wait_for(PICK);
    bench.run("git grill answer --choose 2").assert_code(0);
    sitting.pty.send(ENTER);
    // The person is told as well as the agent.
    sitting.pty.wait_for("your reply was not recorded, because question 1 was settled elsewhere first");
    comes_to(&bench, sitting, 0, "selected", "User selected: 2. Reuse ListView");
    let remark = result(&bench)["remarks"][0].as_str().unwrap().to_owned();
    assert!(remark.contains("was settled elsewhere") && remark.contains("1. Reuse Card"), "{remark}");
    assert!(remark.contains("which has the answer “Reuse ListView”"), "{remark}");
    assert_eq!(kept(&bench).len(), 1, "what came late is kept");
}

#[test]
fn g7_p3_p8_a_form_for_several_questions_is_recorded_answer_by_answer() {
    let bench = led();
    let mut sitting = call(&bench, "questionnaire", "form");
    sitting.pty.wait_for("Store");
    sitting.pty.wait_for("Which store?");
    sitting.pty.send("2");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("By when?");
    sitting.pty.send(ENTER);
    sitting.pty.send("in May");
    sitting.pty.wait_for("in May");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("Enter submits, or");
    sitting.pty.send(ENTER);
    sitting.ends_with(0);
    let result = result(&bench);
    assert_eq!((&result["kind"], &result["cancelled"]), (&Value::from("selected"), &Value::from(false)));
    assert_eq!(result["answers"][0]["value"], "p", "{result}");
    assert_eq!((&result["answers"][1]["value"], &result["answers"][1]["other"]), (&"in May".into(), &true.into()));
    let each = ["agent:claude ask", "human answer"];
    assert_eq!(deeds(&bench), [&["unattended start:"][..], &each, &each].concat());
}

#[test]
fn q15_what_was_typed_into_a_questionnaire_survives_an_interrupt() {
    let bench = led();
    let mut sitting = call(&bench, "questionnaire", "form");
    sitting.pty.wait_for("Which store?");
    sitting.pty.send("2");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("By when?");
    sitting.pty.send(ENTER);
    sitting.pty.send("in May");
    sitting.pty.wait_for("in May");
    sitting.pty.send(CTRL_C);
    sitting.ends_with(130);
    assert_eq!(kept(&bench), ["in May"]);
    assert_eq!(deeds(&bench), ["unattended start:"]);
}

#[test]
fn q15_a_note_on_an_option_that_was_not_sent_comes_back_as_that() {
    let bench = led();
    let mut sitting = call(&bench, "ask_question", "ask");
    sitting.pty.wait_for(PICK);
    sitting.pty.send(DOWN);
    sitting.pty.wait_for("› 2.");
    sitting.pty.send("n");
    sitting.pty.send("only if cheap");
    sitting.pty.wait_for("only if cheap");
    sitting.pty.send(CTRL_C);
    sitting.ends_with(130);
    assert_eq!(kept(&bench), ["note on 2. Reuse ListView: only if cheap"]);
    let mut sitting = Sitting::wide(&bench, &["next"]);
    sitting.below("› 2.", "note: only if cheap");
    sitting.pty.wait_for(PICK);
    sitting.pty.send(ENTER);
    let (code, screen) = sitting.end();
    assert_eq!(code, 0, "{screen}");
    bench.run("git grill status --questions").assert_code(0).assert_contains("Reuse ListView");
    bench.run("git log -p GRILL_HEAD").assert_code(0).assert_contains("only if cheap");
    assert_eq!(kept(&bench), [""; 0]);
}

#[test]
fn a_question_without_a_session_is_put_and_not_recorded() {
    let bench = led();
    bench.run("git grill stop --without-output").assert_code(0);
    let refs = said(&bench, "git for-each-ref");
    let mut sitting = call(&bench, "ask_question", "ask");
    sitting.pty.wait_for(PICK);
    sitting.pty.send(ENTER);
    comes_to(&bench, sitting, 0, "selected", "User selected: 1. Reuse Card");
    assert_eq!((result(&bench)["session"].clone(), said(&bench, "git for-each-ref")), (Value::Null, refs));
}

#[test]
fn a_request_from_the_keyboard_is_not_waited_for() {
    let bench = led();
    let sitting = Sitting::wide(&bench, &["tool", "ask_question"]);
    let (code, screen) = sitting.end();
    assert_eq!(code, 2, "{screen}");
    assert!(screen.contains("reads its request from standard input"), "{screen}");
}

#[test]
fn q15_a_reply_whose_session_ended_meanwhile_is_kept_and_told() {
    let bench = led();
    let mut sitting = call(&bench, "ask_question", "ask");
    sitting.pty.wait_for(PICK);
    sitting.pty.send("n");
    sitting.pty.send("for now");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for(PICK);
    bench.run("git grill stop --without-output").assert_code(0);
    sitting.pty.send(ENTER);
    sitting.ends_with(4);
    let message = result(&bench)["error"]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("its text is kept in "), "{message}");
    assert_eq!(kept(&bench), ["1. Reuse Card\nfor now"]);
}
