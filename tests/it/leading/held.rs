//! An output selection that the referee holds is told to the person at the terminal, who waves it through by name or has the
//! agent go on asking (G57).

use serde_json::{Value, json};

use super::refereed::{prompts, puts};
use super::story::{deeds, walled};
use super::{ENTER, agree, answers, scripted, then};
use crate::bench::{Bench, wait_until};
use crate::conversation::Sitting;
use crate::pty::{one_line, shows};

const END: &str = "\x1b[F";
const HELD: &str = "scripted wants to open the output selection; at intensity hard these come first";

fn update() -> Value {
    json!({"tool": "grill_update_checkpoint", "arguments": {
        "markdown": "# Rate limiting\n\n- Limits count by account.\n", "changeSummary": "who is counted"}})
}

fn gate() -> Value {
    json!({"tool": "grill_enter_output_selection_phase", "arguments": {
        "question": "Which output?", "readinessRationale": "Nothing is left that would change the plan.",
        "recommendedOutputs": ["design-doc"], "recommendedStrategy": "vertical-slices",
        "alternatives": [{"value": "select design-doc", "label": "A design"}, {"value": "continue", "label": "More"}]}})
}

/// An interview at `hard` whose first question is answered; then the agent plays these turns.
fn after_an_answer(turns: &[Value]) -> (Bench, Sitting) {
    let first = puts("How is the first attempt?");
    let turns: Vec<Value> = std::iter::once(first).chain(turns.iter().cloned()).collect();
    let bench = scripted(&json!({ "turns": turns }));
    let words = ["start", "--research", "off", "--intensity", "hard", "--interviewer", "scripted", "add rate limiting"];
    let mut sitting = Sitting::at(&bench, &words, 90, 100, &[]);
    agree(&mut sitting);
    sitting.below("question 1 ·", "Tab alternatives");
    answers(&mut sitting, "Limits count by account");
    (bench, sitting)
}

#[test]
fn g57_all_that_holds_the_gate_is_shown_and_waved_through_at_the_terminal() {
    if !walled() {
        return;
    }
    let (bench, mut sitting) = after_an_answer(&[json!([update(), gate()]), json!([gate()])]);
    sitting.below(HELD, "Done (0 selected)");
    sitting.pty.wait_for("nothing has challenged the answer to question 1 yet");
    sitting.pty.wait_for("no question was about risks yet");
    sitting.pty.send("a");
    sitting.pty.wait_for("Done (7 selected)");
    sitting.pty.send(END);
    sitting.pty.send(ENTER);
    sitting.below("output selection", "Tab choices");
    sitting.pause();
    let prompts = prompts(&bench);
    let [_, _, told] = &prompts[..] else { panic!("{prompts:#?}") };
    assert!(
        told.contains(
            "The user waived these concerns, so they no longer block the output selection: challenge:1, area:"
        ),
        "{told}"
    );
    assert!(told.contains("call grill_enter_output_selection_phase again"), "{told}");
    let deeds = deeds(&bench);
    assert!(deeds.lines().any(|deed| deed.starts_with("human waive challenge:1, area:")), "{deeds}");
}

#[test]
fn g57_one_is_waved_through_by_name_and_the_agent_asks_about_the_others() {
    if !walled() {
        return;
    }
    let asks = [json!([update(), gate()]), puts("What is out of scope?"), puts("What is left?")];
    let (bench, mut sitting) = after_an_answer(&asks);
    sitting.below(HELD, "Done (0 selected)");
    sitting.pty.send(" ");
    sitting.pty.wait_for("Done (1 selected)");
    sitting.pty.send(END);
    sitting.pty.send(ENTER);
    sitting.below("question 2 ·", "Tab alternatives");
    sitting.pty.send("/waive area:risks\r");
    sitting.below("waived: area:risks", "Tab alternatives");
    answers(&mut sitting, "other protocols");
    sitting.below("question 3 ·", "Tab alternatives");
    sitting.pause();
    let prompts = prompts(&bench);
    let [_, _, second, third] = &prompts[..] else { panic!("{prompts:#?}") };
    assert!(second.contains("block the output selection: challenge:1."), "{second}");
    assert!(second.contains("still block the output selection, and the user wants you to resolve them"), "{second}");
    assert!(second.contains("To close it: ask about it, with dimension risks"), "{second}");
    assert!(!second.contains("To close it: ask what speaks against it"), "{second}");
    assert!(third.contains("block the output selection: area:risks."), "{third}");
    assert!(third.contains("The user answered: other protocols"), "{third}");
}

#[test]
fn g57_what_held_the_gate_stands_above_the_question_that_the_agent_asks_instead() {
    if !walled() {
        return;
    }
    let turn = then(&[update(), gate()], &puts("What is out of scope?"));
    let (bench, mut sitting) = after_an_answer(&[turn, puts("What is left?")]);
    sitting.below(HELD, "- challenge:1: nothing has challenged the answer to question 1 yet");
    sitting.below("/waive challenge:1 waives that one", "question 2 ·");
    answers(&mut sitting, "other protocols");
    sitting.below("question 3 ·", "Tab alternatives");
    sitting.pause();
    assert!(!prompts(&bench)[2].contains("The user waived"));
}

#[test]
fn g57_an_agent_that_is_held_again_and_again_called_nothing_wrong() {
    if !walled() {
        return;
    }
    let (bench, mut sitting) = after_an_answer(&[json!([update(), gate()]), json!([gate()]), json!([gate()])]);
    for lists in 1..=3 {
        // The question of each stays above the next one.
        sitting.pty.wait_until("the next list", |screen| {
            let screen = one_line(screen);
            let below = screen.rsplit_once(HELD).map(|(_, below)| shows(below, "Done (0 selected)"));
            screen.matches(HELD).count() >= lists && below == Some(true)
        });
        sitting.pty.send(END);
        sitting.pty.send(ENTER);
    }
    wait_until("its next turn", || prompts(&bench).len() >= 5);
}
