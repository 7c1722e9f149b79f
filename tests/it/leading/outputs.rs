//! The way to the outputs of an interview that an agent leads: what the person sees at the output selection, and that the
//! agent takes no part in the output phase.

use serde_json::json;

use super::story::walled;
use super::terminals::agents;
use super::{ENTER, agree, asks, chooses_the_design, lets, offers, play, scripted, started, takes_first, then, until};
use crate::bench::wait_until;
use crate::conversation::Sitting;
use crate::pty::one_line;

const TOLD: &str = "# Rate limiting\n\n## Decided\n\n- Limits count by account.\n";

#[test]
fn g55_in_the_output_phase_the_agent_is_ended_and_its_user_is_told_who_drafts_and_how_it_asks_again() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?"), offers(TOLD)], "loaded": [asks("After the outputs?")]}));
    let mut sitting = started(&bench);
    takes_first(&mut sitting, "question 1 ·");
    sitting.below("output selection", "Tab choices");
    // There it waits: the person may go on with the interview.
    assert_eq!(agents(&bench), 1);
    chooses_the_design(&mut sitting);
    let ended = "git grill itself drafts the outputs from the checkpoint, and scripted was ended; git grill finish \
                 returns to the interview, where scripted asks again";
    assert_eq!(one_line(&sitting.pty.raw()).matches(ended).count(), 1, "{}", sitting.pty.screen());
    wait_until("the end of the agent", || agents(&bench) == 0);
    sitting.below("Write exactly this as docs/design/", "[y/n]");
    sitting.pty.send("n");
    sitting.below("What becomes of docs/design/", "digits jump");
    sitting.pty.send(ENTER);
    sitting.below("Not everything is written.", "Tab choices");
    // There is nobody to talk with, which is said.
    sitting.pty.send("/discuss\r");
    sitting.below("opening a discussion is not possible in the output phase", "Not everything is written.");
    sitting.below("git grill finish returns to the interview", "Tab choices");
    sitting.pause();
    // Where it is opened again, nothing is started, and that is said too.
    let mut sitting = Sitting::at(&bench, &["next"], 60, 100, &[]);
    sitting.below("Write exactly this as docs/design/", "[y/n]");
    assert_eq!(agents(&bench), 0);
    let without = "git grill itself drafts the outputs from the checkpoint, without scripted;";
    assert_eq!(one_line(&sitting.pty.raw()).matches(without).count(), 1, "{}", sitting.pty.screen());
    sitting.pty.send("y");
    sitting.below("✓ wrote docs/design/", "Tab choices");
    sitting.pty.send("finish");
    sitting.pty.send(ENTER);
    sitting.below("question 2 ·", "digits jump");
    assert_eq!(one_line(&sitting.pty.raw()).matches("itself drafts").count(), 1, "{}", sitting.pty.screen());
    sitting.pause();
}

#[test]
fn g26_the_reasons_for_the_outputs_are_in_sight_above_the_choices_in_a_small_window() {
    if !walled() {
        return;
    }
    let why = ["Nothing is left that would change the plan."; 12].join(" ");
    let mut turn = offers(TOLD);
    turn[1]["arguments"]["readinessRationale"] = json!(why);
    let bench = scripted(&json!({"turns": [asks("First?"), turn]}));
    let words = ["start", "--research", "off", "--interviewer", "scripted", "add rate limiting"];
    let mut sitting = Sitting::at(&bench, &words, 24, 80, &[]);
    agree(&mut sitting);
    takes_first(&mut sitting, "question 1 ·");
    sitting.below("output selection", "Tab choices");
    assert!(sitting.pty.raw().contains("what can come out of it"), "the whole list was printed");
    let parts =
        ["output selection", why.as_str(), "No question was about these yet:", "Which output?", "4. Stop without"];
    for part in parts {
        assert!(one_line(&sitting.pty.screen()).contains(part), "{part}:\n{}", sitting.pty.screen());
    }
    sitting.pause();
}

#[test]
fn g14_g46_after_the_way_back_from_the_output_selection_no_question_is_called_open_beside_none() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    let mut second = asks("Second?");
    second[0]["arguments"]["buildsOn"] = json!(["1"]);
    second[0]["arguments"]["noChange"] = json!("nothing new");
    let mut third = then(&[until(&bench, "seen")], &asks("Third?"));
    third[1]["arguments"]["noChange"] = json!("nothing new");
    play(&bench, &json!({"turns": [asks("First?"), second, offers(TOLD), third]}));
    let mut sitting = started(&bench);
    takes_first(&mut sitting, "question 1 ·");
    takes_first(&mut sitting, "question 2 ·");
    sitting.below("output selection", "Tab choices");
    sitting.pty.send("/back 1\r");
    sitting.below("back at an earlier question", "digits jump");
    sitting.pty.send("2");
    sitting.pty.send(ENTER);
    sitting.below("✓ answered 1", "1 question waits to be asked again; scripted asks next");
    bench
        .run("git grill status")
        .assert_code(0)
        .assert_contains("phase        interview, a question waits to be asked again")
        .assert_contains("1 resolved, 0 unknown, 1 open")
        .assert_contains("scripted asks next")
        .assert_lacks("no question");
    lets(&bench, "seen");
    sitting.below("question 3 ·", "digits jump");
    sitting.pause();
}
