//! Talking with the agent that leads: why it asks, and a discussion, both streamed and neither recorded.

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::refereed::prompts;
use super::story::walled;
use super::{ENTER, ESCAPE, asks, goes_on, scripted, started, takes_first};
use crate::bench::{Bench, wait_until};
use crate::conversation::Sitting;

/// What was recorded of the session, as plain git tells it.
pub(super) fn recorded(bench: &Bench) -> String {
    bench.run("git log -p --format=%B --glob='refs/grill/sessions/*'").assert_code(0).stdout().to_owned()
}

#[test]
fn g55_why_goes_to_the_agent_and_the_question_stays_open() {
    if !walled() {
        return;
    }
    let says = json!([
        {"say": "Two of your\nhandlers "}, {"say": "share one socket.\u{1b}[2J"}, {"sleep": 400},
        {"tool": "ask_question", "arguments": {"question": "Another?", "options": [{"label": "a"}, {"label": "b"}]}},
        {"say": "\nSo it matters."}
    ]);
    let bench = scripted(&json!({"turns": [asks("First?"), says, [{"say": "$PROMPT"}], goes_on("Second?")]}));
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", "digits jump");
    sitting.pty.send("/why\r");
    sitting.pty.wait_for("scripted: Two of your");
    // It is shown while the agent still has its turn, and harmless.
    sitting.pty.wait_for("handlers share one socket.␛[2J");
    sitting.below("So it matters.", "digits jump");
    assert!(!sitting.pty.raw().contains("the interviewer gave no reason"));
    // Asked again, it is told what was asked before, and what it is asked for.
    sitting.pty.send("/why\r");
    sitting.pty.wait_for("The user asks why question 1 is asked: First?");
    takes_first(&mut sitting, "call no tool");
    sitting.below("question 2 ·", "digits jump");
    let recorded = recorded(&bench);
    assert!(recorded.contains("Second?") && !recorded.contains("Another?"), "{recorded}");
    assert!(!recorded.contains("share one socket"), "{recorded}");
}

#[test]
fn g55_what_the_agent_says_is_laid_out_as_our_own_pages_are() {
    if !walled() {
        return;
    }
    let says = json!([{"say": "## Two ways\n\n- by acc"}, {"say": "ount\n- by address\n\n&#27;[2J"}]);
    let looks = json!([{"say": "# Notes\n\n1. the gateway\n2. its tests\n"}]);
    let bench = scripted(&json!({"turns": [looks, asks("First?"), says, goes_on("Second?")]}));
    let mut sitting = started(&bench);
    sitting.below("scripted:", "1. the gateway");
    sitting.below("question 1 ·", "digits jump");
    sitting.pty.send("/why\r");
    sitting.below("Two ways", "• by account");
    sitting.below("• by address", "␛[2J");
    let screen = sitting.pty.screen();
    assert!(!screen.contains("## Two ways") && !screen.contains("# Notes"), "{screen}");
}

#[test]
fn g55_esc_ends_an_explanation_and_nothing_else() {
    if !walled() {
        return;
    }
    let long = json!([{"say": "It is a long story.\n"}, {"sleep": 60_000}]);
    let bench = scripted(&json!({"turns": [asks("First?"), long, goes_on("Second?")]}));
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", "digits jump");
    sitting.pty.send("/why\r");
    sitting.pty.wait_for("scripted: It is a long story.");
    sitting.pty.send(ESCAPE);
    takes_first(&mut sitting, "question 1 ·");
    sitting.below("question 2 ·", "digits jump");
}

#[test]
fn g55_a_discussion_is_talked_with_the_agent_until_it_is_summed_up() {
    if !walled() {
        return;
    }
    let sums_up = json!([
        {"say": "Then it is settled.\n"},
        {"tool": "resume_structured", "arguments": {"summary": "the gateway counts, per account"}},
    ]);
    let script: Value = json!({"turns": [
        asks("First?"), [{"say": "What runs before "}, {"sleep": 200}, {"say": "the gateway?"}], sums_up, goes_on("Second?")
    ]});
    let bench = scripted(&script);
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", "digits jump");
    sitting.pty.send("/discuss\r");
    sitting.below("discussion with scripted", "Enter sends, Esc pauses");
    sitting.pty.send("is the gateway the right place?\r");
    sitting.below("scripted: What runs before the gateway?", "Enter sends, Esc pauses");
    sitting.pty.send("nothing does\r");
    sitting.pty.wait_for("scripted: Then it is settled.");
    sitting.below("question 2 ·", "digits jump");
    let recorded = recorded(&bench);
    assert!(recorded.contains("the gateway counts, per account"), "{recorded}");
    assert!(!recorded.contains("What runs before"), "{recorded}");
    let prompts = prompts(&bench);
    assert!(prompts[1].contains("The user talks question 1 over with you"), "{prompts:#?}");
}

#[test]
fn g55_all_that_is_said_before_the_summary_is_shown_however_much_it_is() {
    if !walled() {
        return;
    }
    // More than is taken in at one look, so that the summary is recorded before all of it was heard.
    let mut sums_up: Vec<Value> = (0..1500).map(|_| json!({"say": "so "})).collect();
    sums_up.push(json!({"say": "\nThen it is settled."}));
    sums_up.push(json!({"tool": "resume_structured", "arguments": {"summary": "the gateway counts"}}));
    let bench = scripted(&json!({"turns": [asks("First?"), sums_up, goes_on("Second?")]}));
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", "digits jump");
    sitting.pty.send("/discuss\r");
    sitting.below("discussion with scripted", "Enter sends, Esc pauses");
    sitting.pty.send("nothing does\r");
    sitting.pty.wait_for("Then it is settled.");
    sitting.below("question 2 ·", "digits jump");
}

#[test]
fn g55_a_discussion_is_left_with_nothing_recorded_and_the_agent_is_told() {
    if !walled() {
        return;
    }
    let script: Value = json!({"turns": [
        asks("First?"), [{"say": "What runs before the gateway?"}], [{"say": "$PROMPT"}], goes_on("Second?")
    ]});
    let bench = scripted(&script);
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", "digits jump");
    sitting.pty.send("/discuss\r");
    sitting.pty.wait_for("/back leaves it with nothing recorded");
    sitting.below("discussion with scripted", "Enter sends, Esc pauses");
    sitting.pty.send("is the gateway the right place?\r");
    sitting.below("scripted: What runs before the gateway?", "Enter sends, Esc pauses");
    sitting.pty.send("/back\r");
    sitting.pty.wait_for("✓ nothing of the discussion was recorded; question 1 is open again");
    sitting.below("question 1 ·", "digits jump");
    // The next prompt tells it, whatever that is about.
    sitting.pty.send("/why\r");
    sitting.pty.wait_for("The user left the discussion about question 1. Nothing of it was recorded");
    takes_first(&mut sitting, "call no tool");
    sitting.below("question 2 ·", "digits jump");
    let recorded = recorded(&bench);
    assert!(!recorded.contains("What runs before") && !recorded.contains("the right place"), "{recorded}");
    assert!(!recorded.contains("Grill-Op: resume-questions"), "{recorded}");
}

#[test]
fn g55_an_agent_that_is_loaded_later_is_told_that_its_discussion_was_left() {
    if !walled() {
        return;
    }
    let script: Value = json!({
        "turns": [asks("First?"), [{"say": "What runs before the gateway?"}]],
        "loaded": [[{"say": "$PROMPT"}], goes_on("Second?")],
    });
    let bench = scripted(&script);
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", "digits jump");
    sitting.pty.send("/discuss\r");
    sitting.below("discussion with scripted", "Enter sends, Esc pauses");
    sitting.pty.send("is the gateway the right place?\r");
    sitting.below("scripted: What runs before the gateway?", "Enter sends, Esc pauses");
    sitting.pty.send(ESCAPE);
    sitting.pty.wait_for("paused; the session stays active");
    bench.run("git grill back").assert_code(0);
    let mut sitting = Sitting::at(&bench, &["next"], 120, 100, &[]);
    sitting.below("question 1 ·", "digits jump");
    sitting.pty.send("/why\r");
    sitting.pty.wait_for("they left it and nothing of it was recorded");
    takes_first(&mut sitting, "call no tool");
    sitting.below("question 2 ·", "digits jump");
}

#[test]
fn q15_words_on_their_way_to_the_agent_are_kept_until_it_says_something() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({
        "turns": [asks("First?"), [{"sleep": 600_000}]],
        "loaded": [[{"sleep": 600_000}]],
    }));
    let mut sitting = started(&bench);
    takes_first(&mut sitting, "question 1 ·");
    sitting.pty.wait_for("scripted thinks");
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);
    // About no question, so that nothing else keeps them.
    bench.run("git grill discuss").assert_code(0);
    let words = "is the gateway the right place?";
    let log = bench.repo().join(".git/grill/agents/scripted.log");
    // Without git in between, so that the signal hits the program itself.
    let mut sitting = Sitting::of_a_line(&bench, "exec git-grill next");
    sitting.below("discussion with scripted", "Enter sends, Esc pauses");
    sitting.pty.send(words);
    sitting.pty.send(ENTER);
    wait_until("its prompt", || std::fs::read_to_string(&log).is_ok_and(|log| log.contains(words)));
    kill_process(Pid::from_raw(sitting.pty.pid().try_into().unwrap()).unwrap(), Signal::KILL).unwrap();
    assert_eq!(sitting.pty.exit_code(), 128 + 9);
    let mut sitting = Sitting::at(&bench, &["next"], 50, 100, &[]);
    sitting.below("discussion with scripted", words);
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("scripted thinks");
    sitting.pty.send(ESCAPE);
    sitting.pty.wait_for("git grill next continues with what you typed");
    sitting.ends_with(0);
}
