//! What the user sums a discussion up to reaches the agent, whatever the discussion was about (G55, Q11).

use serde_json::json;

use super::refereed::{prompts, puts};
use super::story::walled;
use super::{ESCAPE, asks, goes_on, scripted, started, takes_first};
use crate::conversation::Sitting;

#[test]
fn g55_a_summary_of_the_user_without_a_question_is_told_to_the_agent() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({
        "turns": [asks("First?"), [{"sleep": 600_000}]],
        "loaded": [[{"say": "What runs before the gateway?"}], goes_on("Second?"), goes_on("Third?")],
    }));
    let mut sitting = started(&bench);
    takes_first(&mut sitting, "question 1 ·");
    sitting.pty.wait_for("scripted thinks");
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);
    bench.run("git grill discuss").assert_code(0);
    let mut sitting = Sitting::at(&bench, &["next"], 50, 100, &[]);
    sitting.below("discussion with scripted", "Enter sends, Esc pauses");
    sitting.pty.send("is the gateway the right place?\r");
    sitting.below("scripted: What runs before the gateway?", "Enter sends, Esc pauses");
    sitting.pty.send("/discuss --done 'the gateway counts, per account'\r");
    takes_first(&mut sitting, "question 2 ·");
    sitting.below("question 3 ·", "digits jump");
    sitting.pause();
    let prompts = prompts(&bench);
    let told: Vec<bool> = prompts
        .iter()
        .map(|one| one.contains("The user summed up the discussion: the gateway counts, per account"))
        .collect();
    assert_eq!(told, [false, true, false], "{prompts:#?}");
    // It was told with all that there is when its discussion began, and not once more.
    let told: Vec<bool> = prompts.iter().map(|one| one.contains("First?")).collect();
    assert_eq!(told[..2], [true, false], "{prompts:#?}");
    assert!(prompts[1].contains("Bring the checkpoint up to date"), "{prompts:#?}");
}

#[test]
fn g55_a_summary_that_answers_its_question_is_told_as_the_answer() {
    if !walled() {
        return;
    }
    let turns = json!([puts("Where is it counted?"), [{"say": "It depends."}], puts("What is left?")]);
    let bench = scripted(&json!({ "turns": turns }));
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", "Tab alternatives");
    sitting.pty.send("/discuss\r");
    sitting.below("discussion with scripted", "Enter sends, Esc pauses");
    sitting.pty.send("is the gateway the right place?\r");
    sitting.below("scripted: It depends.", "Enter sends, Esc pauses");
    sitting.pty.send("/discuss --done 'the gateway sees them all'\r");
    sitting.below("question 2 ·", "Tab alternatives");
    sitting.pause();
    let last = &prompts(&bench)[2];
    assert!(last.contains("The user answered: the gateway sees them all"), "{last}");
    assert!(!last.contains("The user summed up the discussion"), "{last}");
}
