//! Going back in an interview that an agent leads: it is told what became of each question by that.

use serde_json::json;

use super::refereed::{prompts, puts};
use super::story::walled;
use super::{answers, scripted, started};

const CTRL_U: &str = "\x15";

#[test]
fn g46_g52_g67_who_goes_back_has_the_agent_told_of_the_new_answer_and_of_what_it_overtook() {
    if !walled() {
        return;
    }
    let mut fourth = puts("What follows from the third?");
    fourth[0]["arguments"]["buildsOn"] = json!(["3"]);
    let turns = json!([
        puts("What is the first?"),
        puts("What is the second?"),
        puts("What is the third?"),
        fourth,
        puts("What is the fifth?"),
        puts("What is left?"),
    ]);
    let bench = scripted(&json!({ "turns": turns }));
    let mut sitting = started(&bench);
    for (number, answer) in [(1, "alpha words"), (2, "beta words"), (3, "gamma words"), (4, "delta words")] {
        sitting.below(&format!("question {number} ·"), "Tab alternatives");
        answers(&mut sitting, answer);
    }
    sitting.below("question 5 ·", "Tab alternatives");
    sitting.pty.send("/back 3\r");
    // The answer that it had stands in the editor.
    sitting.below("back at an earlier question", "› gamma words");
    sitting.pty.send(CTRL_U);
    answers(&mut sitting, "epsilon words");
    sitting.below("question 6 ·", "Tab alternatives");
    sitting.pause();
    let prompts = prompts(&bench);
    assert_eq!(prompts.len(), 6, "going back begins no turn, and each answer one: {prompts:#?}");
    let last = &prompts[5];
    // A line end is written out in the file.
    assert!(last.contains("The user answered: epsilon words\\nin place of: gamma words"), "{last}");
    assert!(last.contains("What follows from the third?\\nAn answer that it stands on has changed"), "{last}");
    assert!(
        last.contains("What is the fifth?\\nIt was set aside: the user went back to an earlier question."),
        "{last}"
    );
    assert!(!last.contains("The user answered: alpha words"), "it knows that: {last}");
}
