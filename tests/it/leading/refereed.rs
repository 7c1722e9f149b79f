//! What a leading agent is told by the prompt that brings an answer: what the rules see in it (G57), and the settings that
//! the user changed.

use serde_json::{Value, json};

use super::story::walled;
use super::{agree, answers, scripted, started};
use crate::bench::Bench;
use crate::conversation::Sitting;

/// A turn that asks this, to be answered in one's own words.
pub(super) fn puts(question: &str) -> Value {
    json!([{"tool": "grill_set_alternatives", "arguments": {"question": question, "noChange": "nothing new",
        "alternatives": [{"label": "this", "description": "r", "recommended": true}, {"label": "that", "description": "r"}]}}])
}

/// The prompts that the agent was given, each as the file of its lines has it.
pub(super) fn prompts(bench: &Bench) -> Vec<String> {
    let log = bench.read(".git/grill/agents/scripted.log");
    log.lines().filter(|line| line.contains("session/prompt")).map(str::to_owned).collect()
}

/// The prompts of an interview about this in which these questions are put and answered, and a last one is put.
fn told(topic: &str, exchanged: &[(&str, &str)]) -> Vec<String> {
    let last = [puts("What is left?")];
    let turns: Vec<Value> = exchanged.iter().map(|(question, _)| puts(question)).chain(last).collect();
    let bench = scripted(&json!({ "turns": turns }));
    let words = ["start", "--research", "off", "--interviewer", "scripted", topic];
    let mut sitting = Sitting::at(&bench, &words, 50, 100, &[]);
    agree(&mut sitting);
    for (at, (_, answer)) in exchanged.iter().enumerate() {
        sitting.below(&format!("question {} ·", at + 1), "Tab alternatives");
        answers(&mut sitting, answer);
    }
    sitting.below(&format!("question {} ·", exchanged.len() + 1), "Tab alternatives");
    sitting.pause();
    let prompts = prompts(&bench);
    assert_eq!(prompts.len(), exchanged.len() + 1, "each answer begins one turn: {prompts:#?}");
    prompts
}

#[test]
fn g57_a_vague_word_and_a_contradiction_stand_in_the_prompt_with_the_answer() {
    if !walled() {
        return;
    }
    let prompts = told(
        "add rate limiting",
        &[
            ("How is the first attempt?", "It has to be fast"),
            ("How long may a request take?", "A request is answered in under 50 ms"),
            ("How slow may it get?", "A request may take 200 ms"),
        ],
    );
    let [_, first, second, third] = &prompts[..] else { panic!("{prompts:#?}") };
    for (prompt, answer) in [(first, "It has to be fast"), (third, "A request may take 200 ms")] {
        assert!(prompt.contains(&format!("The user answered: {answer}")), "{prompt}");
        assert!(prompt.contains("What the rules see:"), "{prompt}");
    }
    assert!(first.contains("vague:1:speed: “fast” in answer 1 measures nothing"), "{first}");
    assert!(!second.contains("contradiction:"), "{second}");
    let clash = "contradiction:2:3: answers 2 and 3 may not both hold: “A request is answered in under 50 ms”";
    assert!(third.contains(clash), "{third}");
}

#[test]
fn g54_words_that_turn_the_intent_are_said_to_the_agent_with_them_and_not_again() {
    if !walled() {
        return;
    }
    let prompts = told(
        "where links live",
        &[
            ("What is it for?", "I want to learn and understand how it works, and to study it"),
            ("How many links are there?", "about 300"),
        ],
    );
    let [_, turned, stays] = &prompts[..] else { panic!("{prompts:#?}") };
    assert!(turned.contains("the interview looks like learn; until now it looked like plan"), "{turned}");
    assert!(!stays.contains("looks like"), "{stays}");
}

#[test]
fn g67_settings_that_the_user_changed_are_told_once() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [puts("What is first?"), puts("What is second?"), puts("What is left?")]}));
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", "Tab alternatives");
    sitting.pty.send("/intensity hard\r");
    sitting.below("still open", "Tab alternatives");
    for (number, answer) in [(1, "alpha words"), (2, "beta words")] {
        sitting.below(&format!("question {number} ·"), "Tab alternatives");
        answers(&mut sitting, answer);
    }
    sitting.below("question 3 ·", "Tab alternatives");
    sitting.pause();
    let prompts = prompts(&bench);
    let told: Vec<bool> = prompts.iter().map(|one| one.contains("The user changed the settings")).collect();
    assert_eq!(told, [false, true, false], "{prompts:#?}");
    assert!(prompts[1].contains(", intensity hard."), "{}", prompts[1]);
}
