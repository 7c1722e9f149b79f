//! What the agent words and what it records by itself is the person's only where they say so, and they see it in any case.

use serde_json::{Value, json};

use super::story::walled;
use super::{ENTER, scripted, started, takes_first};
use crate::bench::Bench;

fn subject(bench: &Bench) -> String {
    bench.run("git log -1 --format=%s GRILL_HEAD").assert_code(0).stdout().to_owned()
}

/// A question whose alternatives would do these things, were they typed.
fn with_values(values: &[&str]) -> Value {
    let alternatives: Vec<Value> = values
        .iter()
        .zip(["Yes", "Yes!"])
        .map(|(value, label)| json!({"label": label, "description": "so", "value": value}))
        .collect();
    json!([{"tool": "grill_set_alternatives", "arguments": {"question": "Shall we go on?", "noChange": "x",
        "evidence": [{"path": "README.md"}], "alternatives": alternatives}}])
}

#[test]
fn g55_an_alternative_of_the_agent_is_an_answer_and_never_a_verb() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [with_values(&["/verify --restore --yes", "/stop --without-output"])]}));
    bench.run("echo mine >>README.md").assert_code(0);
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", "Tab alternatives");
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("› “/verify --restore --yes”");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("✓ answered 1");
    assert!(bench.read("README.md").ends_with("mine\n"));
    bench.run("git grill status --questions").assert_contains("“/verify --restore --yes”");
}

/// An output selection in the agent's words.
fn gate(alternatives: &Value) -> Value {
    json!({"tool": "grill_enter_output_selection_phase", "arguments": {"question": "Shall I go on asking?",
        "readinessRationale": "Nothing is left that would change the plan.", "recommendedOutputs": ["design-doc"],
        "recommendedStrategy": "vertical-slices", "alternatives": alternatives}})
}

#[test]
fn g26_an_output_selection_that_the_agent_opened_says_why_and_what_each_choice_does() {
    if !walled() {
        return;
    }
    let choices = json!([{"value": "stop", "label": "Keep asking me", "description": "more questions"},
        {"value": "/stop --without-output", "label": "Yes", "description": "so"}]);
    let bench = scripted(&json!({"turns": [super::asks("First?"), [
        {"tool": "grill_update_checkpoint", "arguments": {"markdown": "# A\n\n- Before: First?\n", "changeSummary": "m"}},
        gate(&choices)]]}));
    let mut sitting = started(&bench);
    takes_first(&mut sitting, "question 1 ·");
    sitting.pty.wait_for("Nothing is left that would change the plan.");
    sitting.pty.wait_for("what can come out of it");
    for choice in ["1. Stop without output", "Produce design-doc", "Go on with the interview", "Review the checkpoint"]
    {
        sitting.pty.wait_for(choice);
    }
    assert!(!sitting.pty.screen().contains("/stop --without-output"));
    bench.run("git grill status").assert_code(0).assert_contains("phase        output selection");
}

#[test]
fn g58_an_answer_that_the_agent_replaces_is_told_and_stays_told_at_the_gate() {
    if !walled() {
        return;
    }
    let revise = |words: &str| json!({"tool": "grill_revise_answer", "arguments": {"question": "1", "answer": words}});
    let mut again = super::goes_on("Second?");
    again.as_array_mut().unwrap().insert(0, revise("forged once"));
    again.as_array_mut().unwrap().insert(1, revise("forged twice"));
    let bench = scripted(&json!({"turns": [super::asks("First?"), again]}));
    let mut sitting = started(&bench);
    takes_first(&mut sitting, "question 1 ·");
    sitting.pty.wait_for("scripted replaced your answer to question 1: forged twice");
    sitting.pty.wait_for("/back 1 brings the question back");
    sitting.below("question 2 ·", "digits jump");
    sitting.pause();
    assert!(!subject(&bench).contains("stop"));
    bench.run("git grill select").assert_contains("The agent's report replaced an answer of your own: question 1.");
}
