//! Who asks changes in the middle of a session, from the terminal that leads and from another one: nothing that was
//! answered is lost, and an agent that comes back is told what happened meanwhile (G56).

use serde_json::{Value, json};

use super::refereed::prompts;
use super::story::{deeds, walled};
use super::terminals::agents;
use super::{agree, answers, asks, decides, goes_on, play, scripted, started, takes_first};
use crate::bench::{Bench, wait_until};
use crate::conversation::Sitting;

/// What the agent plays, whether it begins a conversation or goes on with one.
fn either(turns: &[Value]) -> Value {
    json!({ "turns": turns, "loaded": turns })
}

/// The agent that came back was told what it asked before, what the built-in interviewer asked, and both answers.
fn knows_what_happened(bench: &Bench) {
    let prompts = prompts(bench);
    let [told] = &prompts[..] else { panic!("{prompts:#?}") };
    for words in ["3 questions: 3 answered", "Q: Second?", "the user): our customers"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let deeds = deeds(bench);
    let asked: Vec<&str> = deeds.lines().filter(|deed| deed.contains(" ask q-")).collect();
    let by = ["agent:scripted", "agent:scripted", "system", "agent:scripted"];
    assert_eq!(asked.len(), by.len(), "{deeds}");
    assert!(asked.iter().zip(by).all(|(deed, by)| deed.starts_with(by)), "{deeds}");
    assert_eq!(deeds.lines().filter(|deed| deed.starts_with("human answer q-")).count(), 3, "{deeds}");
}

#[test]
fn g56_agent_built_in_agent_by_the_verb_at_the_terminal_that_leads() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?"), goes_on("Second?")]}));
    let mut sitting = started(&bench);
    takes_first(&mut sitting, "question 1 ·");
    sitting.below("question 2 ·", "digits jump");
    sitting.pty.send("/interviewer built-in\r");
    // The agent's question stays the one that is open.
    sitting.below("✓ interviewer built-in", "Second?");
    wait_until("the end of the agent", || agents(&bench) == 0);
    takes_first(&mut sitting, "✓ interviewer built-in");
    sitting.below("question 3 ·", "Tab alternatives");
    play(&bench, &either(&[goes_on("Back again?")]));
    sitting.pty.send("/interviewer scripted\r");
    agree(&mut sitting);
    sitting.below("✓ interviewer agent:scripted", "Tab alternatives");
    answers(&mut sitting, "our customers");
    sitting.below("question 4 ·", "digits jump");
    knows_what_happened(&bench);
}

#[test]
fn g56_agent_built_in_agent_from_a_second_terminal_while_one_leads() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?"), goes_on("Second?")]}));
    let mut first = started(&bench);
    takes_first(&mut first, "question 1 ·");
    first.below("question 2 ·", "digits jump");
    bench.run("git grill interviewer built-in").assert_code(0);
    first.below("scripted was ended: the interviewer was changed elsewhere", "digits jump");
    wait_until("the end of the agent that leads no more", || agents(&bench) == 0);
    decides(&mut first, "1", "question 3 ·");
    first.below("question 3 ·", "Tab alternatives");
    play(&bench, &either(&[goes_on("Back again?")]));
    let mut second = Sitting::at(&bench, &["interviewer", "scripted"], 50, 100, &[]);
    agree(&mut second);
    second.ends_with(0);
    first.below("question 3 · ", "· still open");
    first.below("· still open", "Tab alternatives");
    first.pty.send("our customers");
    first.pty.wait_for("› our customers");
    decides(&mut first, "", "question 4 ·");
    first.below("question 4 ·", "digits jump");
    assert_eq!(agents(&bench), 1);
    knows_what_happened(&bench);
}

#[test]
fn g56_while_the_agent_thinks_another_terminal_has_the_built_in_interviewer_ask() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?"), [{"sleep": 600_000}]]}));
    let mut first = started(&bench);
    takes_first(&mut first, "question 1 ·");
    first.pty.wait_for("scripted thinks");
    bench.run("git grill interviewer built-in").assert_code(0);
    first.below("question 2 ·", "Tab alternatives");
    wait_until("the end of the agent that leads no more", || agents(&bench) == 0);
}
