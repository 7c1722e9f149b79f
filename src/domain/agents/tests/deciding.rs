//! Decisions on single commands, and the tables of states at the gate.

use super::*;
use crate::domain::agents::ask::{AskAnswer, AskKind};
use crate::domain::agents::changed::ChangedFiles;
use crate::domain::agents::limits::{MOST_ASKS, MOST_QUEUED};
use crate::domain::agents::state::{Foreground, SessionState, TurnState};
use crate::domain::agents::usage::UsageReport;

fn question() -> Command {
    Command::Ask { kind: AskKind::Question, words: line("which one?") }
}

fn answer(number: u32) -> Command {
    Command::Answer { number, answer: AskAnswer::Person { words: line("the first") } }
}

#[test]
fn a8_prompts_are_queued_behind_the_active_turn_and_sent_in_order() {
    let mut played = Played::active().then(&send()).then(&send());
    assert_eq!(played.refusal(&Command::RecordSent), "turn_active");
    assert_eq!(played.session.queue().map(|turn| turn.handle).collect::<Vec<_>>(), [turn(2), turn(3)]);
    played = played.then(&Command::RecordRunning).then(&rest());
    assert_eq!(played.record(Event::TurnSent { turn: turn(3) }).unwrap_err().code(), "turn_out_of_order");
    played = played.then(&Command::RecordSent);
    assert_eq!(played.session.active_turn().unwrap().handle, turn(2));
    assert_eq!(played.session.backend.as_ref().unwrap().as_str(), "backend-1", "the agent's session is the same");
}

#[test]
fn a8_a_session_that_is_over_takes_no_prompt_and_says_why() {
    let cancelled = Played::active().then(&Command::Cancel);
    let failed = Played::active().then(&Command::Fail { failure: failure(FailureCode::BackendSilent) });
    let cleaned = cancelled.clone().then(&Command::RecordEnd).then(&Command::CleanUp);
    for (played, state) in [(cancelled, "was cancelled"), (failed, "has failed"), (cleaned, "was cleaned up")] {
        for command in [send(), Command::RecordSent, Command::Cancel, question(), launch(300)] {
            assert_eq!(played.refusal(&command), "session_terminal", "{state} {command:?}");
        }
        let refused = decide(&played.session, &send()).unwrap_err();
        assert_eq!(refused.to_string(), format!("no prompt was added: session g1 {state}"));
        assert_eq!(refused.hint(), "git grill agent start begins a new session");
    }
    let missing = Refusal::SessionNotFound { deed: "no prompt was added", handle: agent(7) };
    assert_eq!(
        (missing.code(), missing.to_string().as_str()),
        ("session_not_found", "no prompt was added: there is no agent session g7")
    );
}

#[test]
fn a7_a_turn_that_is_over_is_not_cancelled_and_the_refusal_says_what_became_of_it() {
    let cancel = |number| Command::CancelTurn { turn: turn(number) };
    for (played, became) in [
        (Played::active().then(&rest()), "it has completed"),
        (Played::active().then(&cancel(1)), "it was cancelled"),
        (Played::active().then(&Command::FailTurn { failure: failure(FailureCode::Refused) }), "it has failed"),
    ] {
        let refused = decide(&played.session, &cancel(1)).unwrap_err();
        assert_eq!(refused.to_string(), format!("cannot cancel t1 of g1: {became}"));
        let refused = decide(&played.session, &cancel(9)).unwrap_err();
        assert_eq!(refused.to_string(), "session g1 has no turn t9");
    }
}

#[test]
fn a18_what_the_rules_answer_at_once_never_waits() {
    let rule = Command::Rule { kind: AskKind::Permission, words: line("rm"), why: line("it changes files") };
    let asking = Played::active().then(&question());
    for (mut played, before) in [(Played::active(), Foreground::Running), (asking, Foreground::Waits)] {
        let open = played.session.asks.clone();
        played.obey(&rule).unwrap();
        assert_eq!((&played.session.asks, played.session.foreground), (&open, before));
        let [.., asked, answered] = &played.records[..] else { panic!() };
        assert!(matches!(&asked.event, Event::Asked { ask } if ask.number == played.session.asked), "{asked:?}");
        let is_policy = matches!(&answered.event, Event::Answered { answer: AskAnswer::Policy { .. }, .. });
        assert!(is_policy, "{answered:?}");
    }
}

#[test]
fn a10_a_prompt_that_would_lose_the_context_is_refused() {
    let context = AgentContext::Lost { why: line("it cannot load a session") };
    let lost = Command::Send { context, media: Vec::new() };
    let refused = decide(&Played::idle().session, &lost).unwrap_err();
    assert_eq!(refused.code(), "context_lost");
    assert_eq!(
        refused.to_string(),
        "no prompt was added to g1: its agent cannot go on with what it knew: it cannot load a session"
    );
}

#[test]
fn a5_silence_fails_the_turn_and_the_session() {
    let silent = failure(FailureCode::BackendSilent);
    let played = Played::active().then(&send()).then(&Command::Fail { failure: silent.clone() });
    let states: Vec<TurnState> = played.session.turns.iter().map(|turn| turn.state).collect();
    assert_eq!(states, [TurnState::Failed, TurnState::Dropped]);
    assert_eq!(played.session.turns[0].failure, Some(silent.clone()));
    assert_eq!((played.session.state, played.session.failure), (SessionState::Failed, Some(silent)));
}

#[test]
fn a34_a_turn_follows_the_foreground_state_in_either_version_of_the_protocol() {
    let sent = Played::active();
    assert_eq!((sent.session.foreground, sent.session.state), (Foreground::Running, SessionState::TurnActive));
    // An agent that ends without a word has streamed as well: the table has no shorter way.
    let silent = sent.clone().then(&rest());
    let events: Vec<&Event> = silent.records.iter().rev().take(2).map(|record| &record.event).collect();
    assert!(matches!(events[..], [Event::TurnCompleted { .. }, Event::TurnStreaming { .. }]), "{events:?}");
    assert_eq!((silent.session.foreground, silent.session.state), (Foreground::Idle, SessionState::Idle));
    let waits = sent.then(&question());
    assert_eq!((waits.session.foreground, waits.session.turns[0].state), (Foreground::Waits, TurnState::Streaming));
    let goes_on = waits.then(&answer(1));
    assert_eq!(goes_on.session.foreground, Foreground::Running);
    assert!(decide(&goes_on.session, &Command::RecordRunning).unwrap().is_empty(), "nothing changed");
    // Version 2 may tell a state while no turn of ours is active.
    let beside = Played::idle().then(&Command::RecordRunning);
    assert_eq!((beside.session.foreground, beside.session.state), (Foreground::Running, SessionState::Idle));
    assert_eq!(beside.then(&rest()).session.foreground, Foreground::Idle);
}

#[test]
fn a35_each_ask_gets_one_answer_and_a_later_one_is_void() {
    let played = Played::active().then(&question()).then(&question());
    let answered = played.clone().then(&answer(2));
    assert_eq!(answered.session.foreground, Foreground::Waits, "one is open still");
    assert_eq!(answered.refusal(&answer(2)), "answer_void");
    let cancelled = played.then(&Command::CancelTurn { turn: turn(1) });
    let answers = cancelled.records.iter().filter(|record| matches!(record.event, Event::Answered { .. }));
    assert!(
        answers.clone().all(|record| { matches!(&record.event, Event::Answered { answer: AskAnswer::Cancelled, .. }) })
    );
    assert_eq!((answers.count(), cancelled.session.asks.len()), (2, 0));
    assert_eq!(cancelled.refusal(&answer(1)), "answer_void");
    assert_eq!(cancelled.session.state, SessionState::Idle);
    // What comes late is taken in all the same.
    let report = UsageReport { context: Some(line("7 tokens")), turn: None };
    let late = cancelled.then(&Command::ReportUsage { report: report.clone() });
    assert_eq!(late.session.usage, report);
}

#[test]
fn a14_no_prompt_is_sent_before_the_worktree_is_proved() {
    let editing = Played::begin(1, Profile::WorktreeEdit).then(&launch(200)).then(&open()).then(&send());
    assert_eq!(editing.refusal(&Command::RecordSent), "not_ready");
    let proved = editing.then(&Command::RecordProof { proof: Box::new(proof()) }).then(&Command::RecordSent);
    assert_eq!(proved.session.state, SessionState::TurnActive);
    assert_eq!(Played::idle().refusal(&Command::RecordProof { proof: Box::new(proof()) }), "not_ready");
    let relative = Box::new(WorktreeProof { path: "tree".to_owned(), ..proof() });
    assert_eq!(proved.then(&rest()).refusal(&Command::RecordProof { proof: relative }), "bad_path");
}

#[test]
fn a7_a19_a_turn_that_cannot_be_sent_fails_and_the_next_one_goes_on() {
    let context = AgentContext::Kept;
    let with = Command::Send { context, media: vec![picture()] };
    let played = Played::idle().then(&with).then(&send());
    assert_eq!(played.session.turns[0].media, [picture()]);
    let failed = played.then(&Command::FailQueued { failure: failure(FailureCode::EmbeddedContextUnsupported) });
    let states: Vec<TurnState> = failed.session.turns.iter().map(|turn| turn.state).collect();
    assert_eq!((states, failed.session.state), (vec![TurnState::Failed, TurnState::Queued], SessionState::Idle));
    assert_eq!(failed.then(&Command::RecordSent).session.active_turn().map(|turn| turn.handle), Some(turn(2)));
    assert_eq!(
        Played::idle().refusal(&Command::FailQueued { failure: failure(FailureCode::MediaLost) }),
        "nothing_queued"
    );
    let nine = Command::Send { context: AgentContext::Kept, media: vec![picture(); 9] };
    assert_eq!(Played::idle().refusal(&nine), "too_many_media");
}

#[test]
fn a20_media_belong_to_the_turn_in_which_they_were_made() {
    let made = Command::RecordMade { media: vec![picture()] };
    let played = Played::active().then(&made).then(&rest());
    assert_eq!(played.session.turns[0].made, [picture()]);
    assert_eq!(played.refusal(&made), "no_active_turn");
    assert!(decide(&played.session, &Command::RecordMade { media: Vec::new() }).unwrap().is_empty());
}

#[test]
fn a17_nothing_is_cleaned_up_while_a_turn_is_open_or_an_agent_may_live() {
    assert_eq!(Played::active().refusal(&Command::CleanUp), "turn_active");
    assert_eq!(Played::idle().then(&send()).refusal(&Command::CleanUp), "turn_active");
    assert_eq!(Played::idle().refusal(&Command::CleanUp), "not_ready");
    let cleaned = Played::idle().then(&Command::RecordEnd).then(&Command::CleanUp);
    assert_eq!(cleaned.session.state, SessionState::Cleaned);
    assert_eq!(Played::begin(1, Profile::Media).refusal(&Command::CleanUp), "illegal_transition");
}

#[test]
fn a30_no_second_agent_is_started_before_the_first_is_proven_dead() {
    let played = Played::idle();
    assert_eq!(played.refusal(&launch(201)), "not_ready");
    assert_eq!(played.refusal(&Command::Leave), "not_ready");
    assert_eq!(played.refusal(&Command::Supervise { process: process(101) }), "not_ready");
    let left = played.then(&Command::RecordEnd).then(&Command::Leave);
    assert_eq!((&left.session.supervisor, &left.session.agent), (&None, &None));
    assert_eq!(left.refusal(&send()), "not_ready", "a prompt is taken by a supervisor");
    let again = left.then(&Command::Supervise { process: process(101) }).then(&send()).then(&launch(201));
    assert_eq!(again.session.supervisor, Some(process(101)));
}

#[test]
fn a9_a_turn_without_a_result_says_why_it_failed_and_which_command_helps() {
    let refused = |played: &Played, named| {
        let refusal = played.session.result_turn(named).unwrap_err();
        (refusal.causes(), refusal.hint())
    };
    let log = "git grill agent log g1 shows what happened".to_owned();
    let first = Some(turn(1));
    let failed = Played::active().then(&Command::FailTurn { failure: failure(FailureCode::Refused) });
    assert_eq!(refused(&failed, first), (vec!["because".to_owned()], log.clone()));
    assert_eq!(refused(&failed, None), (vec!["t1 failed: because".to_owned()], log.clone()));
    let waits = failed.then(&send());
    let wait = "git grill agent result g1 t2 --wait 60 waits for it".to_owned();
    assert_eq!(refused(&waits, Some(turn(2))), (Vec::new(), wait));
    let over = Command::Fail { failure: failure(FailureCode::AgentGone) };
    let dropped = Played::idle().then(&send()).then(&over);
    assert_eq!(refused(&dropped, first), (vec!["because".to_owned()], log.clone()));
    assert_eq!(refused(&dropped, None), (vec!["the session failed: because".to_owned()], log.clone()));
    let cancelled = Played::active().then(&Command::Cancel);
    assert_eq!(refused(&cancelled, first), (Vec::new(), log));
}

#[test]
fn a9_a_result_is_of_the_named_turn_or_of_the_latest_completed_one() {
    let played = Played::active();
    let code = |played: &Played, named| played.session.result_turn(named).unwrap_err().code();
    assert_eq!((code(&played, None), code(&played, Some(turn(1)))), ("no_result", "no_result"));
    let played = played.then(&rest()).then(&send()).then(&Command::RecordSent).then(&rest());
    let played = played.then(&send()).then(&Command::CancelTurn { turn: turn(3) });
    let result = |named| played.session.result_turn(named).map(|turn| turn.handle);
    assert_eq!((result(None), result(Some(turn(1)))), (Ok(turn(2)), Ok(turn(1))));
    assert_eq!((code(&played, Some(turn(3))), code(&played, Some(turn(4)))), ("no_result", "turn_not_found"));
}

#[test]
fn every_queue_has_its_limit() {
    let mut played = Played::active();
    for _ in 0..MOST_QUEUED {
        played = played.then(&send());
    }
    assert_eq!(played.refusal(&send()), "queue_full");
    for _ in 0..MOST_ASKS {
        played = played.then(&question());
    }
    assert_eq!(played.refusal(&question()), "too_many_questions");
    let files = ChangedFiles { paths: vec!["x".to_owned(); 10_000], ..ChangedFiles::default() };
    assert_eq!(played.refusal(&Command::RecordChanges { files }), "too_many_files");
}

/// Every pair of states of a turn, at the gate: a record is taken exactly where the table has the transition.
#[test]
fn a7_no_turn_goes_where_the_table_has_no_way() {
    type Way = (TurnState, fn(TurnHandle) -> Event);
    let ways: [Way; 6] = [
        (TurnState::Sent, |turn| Event::TurnSent { turn }),
        (TurnState::Streaming, |turn| Event::TurnStreaming { turn }),
        (TurnState::Completed, |turn| Event::TurnCompleted { turn, stop: line("end_turn") }),
        (TurnState::Failed, |turn| Event::TurnFailed { turn, failure: failure(FailureCode::AgentGone) }),
        (TurnState::Cancelled, |turn| Event::TurnCancelled { turn }),
        (TurnState::Dropped, |turn| Event::TurnDropped { turn }),
    ];
    let cancelling = Command::CancelTurn { turn: turn(1) };
    let failing = Command::FailTurn { failure: failure(FailureCode::AgentGone) };
    let queued = Played::idle().then(&send());
    let mut dropped = queued.clone();
    dropped.record(Event::TurnDropped { turn: turn(1) }).unwrap();
    let states = [
        queued.clone(),
        Played::active(),
        Played::active().then(&Command::RecordRunning),
        Played::active().then(&rest()),
        Played::active().then(&failing),
        queued.then(&cancelling),
        dropped,
    ];
    for (played, from) in states.iter().zip(TurnState::ALL) {
        assert_eq!(played.session.turns[0].state, from);
        for (to, event) in ways {
            let before = played.session.clone();
            let mut after = played.clone();
            let taken = after.record(event(turn(1)));
            assert_eq!(taken.is_ok(), from.may_become(to), "{from:?} to {to:?}: {taken:?}");
            assert!(taken.is_ok() || after.session == before, "a refusal changes nothing");
        }
    }
}

/// The same for the states of a session.
#[test]
fn a7_no_session_goes_where_the_table_has_no_way() {
    let begun = Played::begin(1, Profile::LocalReview).then(&launch(200));
    let cancelled = Played::idle().then(&Command::Cancel);
    let states = [
        begun,
        Played::active(),
        Played::idle(),
        Played::idle().then(&Command::Fail { failure: failure(FailureCode::Refused) }),
        cancelled.clone(),
        cancelled.then(&Command::RecordEnd).then(&Command::CleanUp),
    ];
    let ends = [
        (SessionState::Failed, Event::SessionFailed { failure: failure(FailureCode::Refused) }),
        (SessionState::Cancelled, Event::SessionCancelled),
        (SessionState::Cleaned, Event::SessionCleaned),
    ];
    for (played, from) in states.iter().zip(SessionState::ALL) {
        assert_eq!(played.session.state, from);
        for (to, event) in &ends {
            let mut after = played.clone();
            // What keeps a session from an end besides its own state is over first.
            if from == SessionState::TurnActive {
                assert!(after.clone().record(event.clone()).is_err(), "{from:?} to {to:?}");
                continue;
            }
            if after.session.agent.is_some() {
                after.record(Event::AgentEnded).unwrap();
            }
            let taken = after.record(event.clone());
            assert_eq!(taken.is_ok(), from.may_become(*to), "{from:?} to {to:?}: {taken:?}");
        }
    }
}
