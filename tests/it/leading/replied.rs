//! What reaches the agent when a turn did not end in an answer: a reply of another kind, a refusal that ended it, and a
//! conversation of before that it cannot load.

use serde_json::{Value, json};

use super::refereed::{prompts, puts};
use super::story::{deeds, walled};
use super::{agree, answers, asks, decides, goes_on, play, scripted, started, takes_first};
use crate::conversation::Sitting;

#[test]
fn g58_g67_what_is_put_off_not_known_and_objected_to_reaches_the_agent_and_is_the_person_s() {
    if !walled() {
        return;
    }
    let turns = ["First?", "Second?", "Third?", "Fourth?"].map(puts);
    let bench = scripted(&json!({ "turns": turns }));
    let mut sitting = started(&bench);
    let replies =
        [(1, "/skip\r"), (2, "/unknown\r"), (3, "/skip --because \"it is not ours to decide\"\r"), (4, "\x1b")];
    for (number, reply) in replies {
        sitting.below(&format!("question {number} ·"), "Tab alternatives");
        sitting.pty.send(reply);
    }
    sitting.ends_with(0);
    let prompts = prompts(&bench);
    let [_, skipped, unknown, objected] = &prompts[..] else { panic!("{prompts:#?}") };
    // A line end is written out in the file.
    for (prompt, question, became) in [
        (skipped, "First?", "The user put it off."),
        (unknown, "Second?", "The user does not know"),
        (objected, "Third?", "The user pushed back: it is not ours to decide"),
    ] {
        assert!(prompt.contains(&format!("{question}\\n{became}")), "{became}: {prompt}");
        assert!(!prompt.contains("The user answered"), "nothing of it is an answer: {prompt}");
    }
    assert!(!objected.contains("First?"), "it is told once: {objected}");
    let deeds = deeds(&bench);
    let by_the_person = deeds.lines().filter(|deed| deed.starts_with("human ")).count();
    assert!(by_the_person >= 3 && !deeds.contains("agent:scripted answer"), "{deeds}");
}

#[test]
fn g67_what_a_command_answered_and_what_the_agent_reported_is_not_told_as_the_user_s_own_word() {
    if !walled() {
        return;
    }
    let mut revises = puts("Second?");
    let revise = json!({"tool": "grill_revise_answer", "arguments": {"question": "1", "answer": "the agent's words"}});
    revises.as_array_mut().unwrap().insert(0, revise);
    let bench = scripted(&json!({"turns": [puts("First?"), revises, puts("Third?")]}));
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", "Tab alternatives");
    bench.run("git grill answer 'from a script'").assert_code(0);
    sitting.below("question 2 ·", "Tab alternatives");
    sitting.pty.send("my own words");
    sitting.pty.wait_for("› my own words");
    decides(&mut sitting, "", "question 3 ·");
    sitting.below("question 3 ·", "Tab alternatives");
    sitting.pause();
    let prompts = prompts(&bench);
    let [_, first, second] = &prompts[..] else { panic!("{prompts:#?}") };
    assert!(first.contains("A command without a terminal answered: from a script"), "{first}");
    for told in [
        "The user, as reported by the agent scripted, answered: the agent's words\\nin place of: from a script",
        "The user answered: my own words",
    ] {
        assert!(second.contains(told), "{told}: {second}");
    }
}

/// A turn that asks for something which is refused, and says no more.
fn is_refused() -> Value {
    json!([{"permission": {"kind": "edit", "title": "Write it"}}])
}

#[test]
fn a27_a_refusal_that_ended_a_turn_is_said_in_the_next_one_and_the_agent_goes_on() {
    if !walled() {
        return;
    }
    let silent = json!([{"say": "I looked around."}]);
    let bench = scripted(&json!({"turns": [is_refused(), silent, asks("First?"), goes_on("Second?")]}));
    let mut sitting = started(&bench);
    takes_first(&mut sitting, "question 1 ·");
    sitting.below("question 2 ·", "digits jump");
    sitting.pause();
    let prompts = prompts(&bench);
    let [_, refused, silent, _] = &prompts[..] else { panic!("{prompts:#?}") };
    assert!(refused.contains("- “Write it”: nothing changes in this conversation\\nDo without it."), "{refused}");
    assert!(refused.contains("The refusal ended your turn."), "{refused}");
    assert!(!silent.contains("Write it") && silent.contains("No question is open"), "{silent}");
    assert!(bench.read(".git/grill/agents/scripted.log").contains("\"no\""), "the option that rejects once is chosen");
}

#[test]
fn a18_what_was_refused_in_a_turn_that_went_on_is_told_with_the_answer_and_once() {
    if !walled() {
        return;
    }
    let mut turn = is_refused();
    let edit = turn[0].clone();
    let command = json!({"permission": {"kind": "execute", "title": "Run it", "rawInput": {"command": "make all"}}});
    let allowed = json!({"permission": {"kind": "think", "title": "Weigh it"}});
    turn.as_array_mut().unwrap().extend([edit, command, allowed]);
    turn.as_array_mut().unwrap().extend(puts("First?").as_array().unwrap().clone());
    let bench = scripted(&json!({"turns": [turn, puts("Second?"), puts("Third?")]}));
    let mut sitting = started(&bench);
    for number in 1..3 {
        sitting.below(&format!("question {number} ·"), "Tab alternatives");
        answers(&mut sitting, "my own words");
    }
    sitting.below("question 3 ·", "Tab alternatives");
    sitting.pause();
    let prompts = prompts(&bench);
    let [_, first, second] = &prompts[..] else { panic!("{prompts:#?}") };
    let told = "git grill's rules refused this, and the user was not asked about it:\\n- “Write it”: nothing changes in this \
                conversation\\n- “make all”: the user keeps the repository from you\\nDo without it.";
    assert!(first.contains(told) && first.contains("The user answered: my own words"), "{first}");
    assert!(!first.contains("Weigh it"), "what was allowed is no refusal: {first}");
    assert!(!second.contains("refused"), "it is told once: {second}");
}

#[test]
fn g55_an_agent_that_loads_no_conversation_is_told_all_that_was_said_before() {
    if !walled() {
        return;
    }
    let forgetful = |turns: &[Value]| json!({"initialize": {"agentCapabilities": {}}, "turns": turns});
    let bench = scripted(&forgetful(&[asks("First?"), goes_on("Second?")]));
    let mut sitting = started(&bench);
    takes_first(&mut sitting, "question 1 ·");
    sitting.below("question 2 ·", "digits jump");
    sitting.pause();
    play(&bench, &forgetful(&[goes_on("Third?")]));
    let mut sitting = Sitting::at(&bench, &["next"], 50, 100, &[]);
    takes_first(&mut sitting, "question 2 ·");
    sitting.below("question 3 ·", "digits jump");
    sitting.pause();
    let log = bench.read(".git/grill/agents/scripted.log");
    assert!(log.contains("session/new") && !log.contains("session/load"), "{log}");
    let prompts = prompts(&bench);
    let [told] = &prompts[..] else { panic!("{prompts:#?}") };
    for known in [
        "You are the interviewer",
        "2 questions: 2 answered",
        "Q: First?",
        "Q: Second?",
        "turned down: 2 no",
        "Before: Second?",
        "Bring the checkpoint up to date",
    ] {
        assert!(told.contains(known), "{known}: {told}");
    }
}

#[test]
fn a11_after_a_pause_the_yes_of_this_session_is_enough() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?")], "loaded": [goes_on("Second?")]}));
    let words = ["start", "--research", "off", "--interviewer", "scripted", "add rate limiting"];
    let mut sitting = Sitting::at(&bench, &words, 50, 100, &[]);
    agree(&mut sitting);
    sitting.below("question 1 ·", "digits jump");
    sitting.pause();
    let mut sitting = Sitting::at(&bench, &["next"], 50, 100, &[]);
    takes_first(&mut sitting, "question 1 ·");
    sitting.below("question 2 ·", "digits jump");
    assert!(!sitting.pty.raw().contains("as the interviewer?"));
    sitting.pause();
}
