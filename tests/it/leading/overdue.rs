//! The limits of A5 at a terminal: an agent that passes one is not ended before the person says so, and what it does
//! meanwhile takes the question back. Only one that does not stop its turn is ended without a word of theirs.

use serde_json::{Value, json};

use super::story::walled;
use super::{
    ENTER, ESCAPE, agent, agree, asks, decides, decides_until, goes_on, knows, lets, play, scripted, started,
    started_with, takes_first, then, until,
};
use crate::bench::{Bench, wait_until};
use crate::conversation::Sitting;
use crate::pty::shows;

const WAIT: &str = "1";
const BUILT_IN: &str = "2";
const RESTART: &str = "3";
const PAUSE: &str = "4";

/// What stands below a list.
const LISTED: &str = "digits jump";

fn limited(bench: &Bench, name: &str) {
    bench.run(&format!("git config grill.{name}Timeout 1")).assert_code(0);
}

/// Takes this way at the offer about this, and waits until that shows. Where the machine is slow, the offer may have come
/// in the place of another one, which the agent took back.
#[track_caller]
fn takes(sitting: &mut Sitting, about: &str, way: &str, then: &str) {
    sitting.below(about, LISTED);
    decides(sitting, way, then);
}

/// Waits on, until it is asked about again.
#[track_caller]
fn waits_on(sitting: &mut Sitting, about: &str) {
    sitting.below(about, LISTED);
    let seconds = |screen: &str| {
        let (_, behind) = screen.rsplit_once(about)?;
        behind.trim_start().split(' ').next()?.parse::<u64>().ok()
    };
    let before = seconds(&sitting.pty.screen()).expect("the offer says how long it took");
    decides_until(sitting, WAIT, "the same offer, later", |screen| seconds(screen) >= Some(before * 2));
}

#[track_caller]
fn is_led_by(bench: &Bench, who: &str) {
    bench.run("git grill interviewer").assert_code(0).assert_contains(who);
}

#[test]
fn a5_an_agent_that_does_not_greet_is_waited_for_or_left() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"slow": {"initialize": "never"}}));
    limited(&bench, "handshake");
    let mut sitting = started(&bench);
    let about = "scripted has not answered ACP initialize for";
    sitting.below(about, "git grill agent doctor scripted checks how it starts");
    waits_on(&mut sitting, about);
    takes(&mut sitting, about, BUILT_IN, "question 1 ·");
    is_led_by(&bench, "built-in");
}

#[test]
fn a5_a_session_that_is_not_opened_is_offered_and_the_agent_can_be_started_again() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"slow": {"session/new": "never"}}));
    limited(&bench, "handshake");
    let mut sitting = started(&bench);
    let about = "scripted has not answered ACP session/new for";
    sitting.below(about, LISTED);
    play(&bench, &json!({"turns": [asks("First?")]}));
    takes(&mut sitting, about, RESTART, "First?");
    is_led_by(&bench, "scripted");
}

#[test]
fn a5_a_session_that_is_opened_after_all_takes_the_offer_back() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    play(&bench, &json!({"slow": {"session/new": bench.root().join("open")}, "turns": [asks("First?")]}));
    limited(&bench, "handshake");
    let sitting = started(&bench);
    sitting.below("scripted has not answered ACP session/new for", LISTED);
    lets(&bench, "open");
    sitting.below("scripted went on by itself; there is nothing to choose", "First?");
    is_led_by(&bench, "scripted");
}

#[test]
fn a5_a_conversation_that_is_not_loaded_is_offered_and_a_pause_loses_nothing() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?")]}));
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", LISTED);
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);
    play(&bench, &json!({"slow": {"session/load": "never"}}));
    limited(&bench, "handshake");
    let mut sitting = Sitting::at(&bench, &["next"], 50, 100, &[]);
    takes_first(&mut sitting, "question 1 ·");
    takes(&mut sitting, "scripted has not answered ACP session/load for", PAUSE, "paused; the session stays active");
    sitting.ends_with(0);
    let status = bench.run("git grill status --json");
    assert!(status.stdout.contains("\"resolved\":1"), "{}", status.stdout);
}

#[test]
fn a5_a_setting_that_is_not_answered_is_offered() {
    if !walled() {
        return;
    }
    // Under the name of an agent whose mode is set.
    let bench = scripted(&json!({"slow": {"session/set_config_option": "never"}}));
    knows(&bench, "claude", &agent());
    limited(&bench, "handshake");
    let words = ["start", "--research", "off", "--interviewer", "claude", "add rate limiting"];
    let mut sitting = Sitting::at(&bench, &words, 50, 100, &[]);
    agree(&mut sitting);
    takes(&mut sitting, "claude has not answered ACP a setting of its session for", BUILT_IN, "question 1 ·");
    is_led_by(&bench, "built-in");
}

#[test]
fn a5_a_turn_over_its_limit_is_offered_until_its_question_comes() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    let turn = then(&[json!({"think": "It is a long story."}), until(&bench, "asked")], &asks("First?"));
    play(&bench, &json!({"turns": [turn]}));
    limited(&bench, "turn");
    let mut sitting = started(&bench);
    let about = "scripted's turn has taken";
    waits_on(&mut sitting, about);
    // This time the agent is faster than the person.
    sitting.below(about, LISTED);
    lets(&bench, "asked");
    sitting.below("there is nothing to choose", "First?");
    is_led_by(&bench, "scripted");
}

#[test]
fn g56_a_model_that_sends_nothing_is_offered_and_the_built_in_interviewer_goes_on() {
    if !walled() {
        return;
    }
    let script = json!({"turns": [[{"stderr": "Attempt 1 failed with status: 429"}, {"sleep": 600_000}]]});
    let bench = scripted(&script);
    limited(&bench, "firstToken");
    let mut sitting = started(&bench);
    let about = "scripted's model has sent nothing for";
    sitting.below(about, "after an error 429");
    takes(&mut sitting, about, BUILT_IN, "question 1 ·");
    is_led_by(&bench, "built-in");
}

#[test]
fn g56_the_first_that_a_model_sends_takes_the_offer_back_and_there_is_no_second_one() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    let thinks = [until(&bench, "thinks"), json!({"think": "It is a long story."}), until(&bench, "asked")];
    let turn = then(&thinks, &asks("First?"));
    play(&bench, &json!({"turns": [turn]}));
    limited(&bench, "firstToken");
    let sitting = started(&bench);
    sitting.below("scripted's model has sent nothing for", LISTED);
    lets(&bench, "thinks");
    sitting.pty.wait_for("scripted went on by itself; there is nothing to choose");
    // Longer than the limit, and than twice what the first offer took.
    sitting.pty.wait_until("a turn that goes on", |screen| {
        (4..600).any(|seconds| shows(screen, &format!("scripted thinks: It is a long story, {seconds} s")))
    });
    lets(&bench, "asked");
    sitting.below("question 1 ·", "First?");
}

#[test]
fn a5_an_agent_that_dies_while_it_is_overdue_is_not_said_to_go_on() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    play(&bench, &json!({"turns": [[until(&bench, "dies"), {"die": 9}]]}));
    limited(&bench, "firstToken");
    let sitting = started(&bench);
    sitting.below("scripted's model has sent nothing for", LISTED);
    lets(&bench, "dies");
    sitting.below("scripted failed; there is nothing to wait for", "scripted ended unexpectedly");
    sitting.below("How should the interview continue?", LISTED);
    assert!(!shows(&sitting.pty.screen(), "went on by itself"), "{}", sitting.pty.screen());
}

#[test]
fn a5_what_is_decided_in_another_terminal_takes_the_offer_back() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [[{"sleep": 600_000}]]}));
    limited(&bench, "firstToken");
    let sitting = started(&bench);
    sitting.below("scripted's model has sent nothing for", LISTED);
    bench.run("git grill interviewer built-in").assert_code(0);
    sitting.below("the session changed; there is nothing to choose", "question 1 ·");
}

/// A turn that goes on after its question was answered, and the next one.
fn runs_on() -> Value {
    let mut first = asks("First?");
    first.as_array_mut().unwrap().push(json!({"sleep": 600_000}));
    json!({"turns": [first, goes_on("Second?")], "loaded": [goes_on("Second?")]})
}

/// It is cancelled a moment after the answer.
const SOON_CANCELLED: [(&str, &str); 1] = [("GRILL_TEST_RUNS_ON", "100")];

#[test]
fn a5_a_turn_that_stops_when_it_is_cancelled_is_followed_by_the_next() {
    if !walled() {
        return;
    }
    let bench = scripted(&runs_on());
    let mut sitting = started_with(&bench, &SOON_CANCELLED);
    takes_first(&mut sitting, "question 1 ·");
    sitting.below("question 2 ·", LISTED);
}

#[test]
fn a5_an_agent_that_does_not_stop_is_ended_with_all_it_started_and_that_is_said() {
    if !walled() {
        return;
    }
    let mut script = runs_on();
    script["deaf"] = json!(true);
    // Neither does the end of its input move it.
    script["stays"] = json!(true);
    let bench = scripted(&script);
    limited(&bench, "cancel");
    let mut sitting = started_with(&bench, &SOON_CANCELLED);
    takes_first(&mut sitting, "question 1 ·");
    sitting.pty.wait_for("scripted did not stop its turn within 1 s, so git grill ended the agent");
    sitting.below("How should the interview continue?", LISTED);
    // Whoever looks is named as well.
    let look = format!("pgrep -f {} || true", bench.root().join("script.json").display());
    wait_until("the end of what the agent ran", || bench.run(&look).stdout.lines().count() <= 2);
    sitting.pty.send("2");
    sitting.pty.send(ENTER);
    sitting.below("question 2 ·", LISTED);
    let status = bench.run("git grill status --json");
    assert!(status.stdout.contains("\"resolved\":1"), "{}", status.stdout);
}

#[test]
fn a5_where_no_person_follows_an_interview_a_limit_is_a_failure() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"slow": {"initialize": "never"}}));
    limited(&bench, "handshake");
    bench.write("README.md", "# As it was\n");
    bench.run("git add -A && git commit -qm begun").assert_code(0);
    let failure = "scripted did not answer ACP initialize within";
    bench.run("git grill agent doctor scripted").assert_code(1).assert_contains(failure);
    let mut sitting = Sitting::at(&bench, &["agent", "preflight", "scripted"], 50, 110, &[]);
    sitting.below("for a trial of one turn?", LISTED);
    sitting.pty.send(ENTER);
    let (code, screen) = sitting.end();
    assert_eq!(code, 128, "{screen}");
    assert!(shows(&screen, failure), "{screen}");
}
