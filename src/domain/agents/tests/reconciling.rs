//! Reconciling after the death of a supervisor.

use super::*;
use crate::domain::agents::ask::AskKind;
use crate::domain::agents::changed::ChangedFiles;
use crate::domain::agents::reconcile::{Presence, reconcile};
use crate::domain::agents::state::{Foreground, SessionState, TurnState};

/// The session after reconciling; a second time finds nothing to do.
fn reconciled(mut played: Played) -> Played {
    for event in reconcile(&played.session, Presence::Gone) {
        played.record(event).unwrap();
    }
    assert_eq!(reconcile(&played.session, Presence::Gone), [], "it is done once");
    played
}

fn states(played: &Played) -> Vec<TurnState> {
    played.session.turns.iter().map(|turn| turn.state).collect()
}

#[test]
fn a10_a_living_supervisor_is_left_alone() {
    for played in [Played::active(), Played::idle(), Played::begin(1, Profile::Media)] {
        assert_eq!(reconcile(&played.session, Presence::There), []);
    }
}

#[test]
fn a10_the_turn_of_a_dead_process_failed_and_what_waited_is_dropped() {
    let ask = Command::Ask { kind: AskKind::Permission, words: line("rm -rf /") };
    let played = reconciled(Played::active().then(&send()).then(&send()).then(&ask));
    assert_eq!(states(&played), [TurnState::Failed, TurnState::Dropped, TurnState::Dropped]);
    let failure = played.session.turns[0].failure.as_ref().unwrap();
    assert_eq!(failure.code, FailureCode::SupervisorGone);
    assert_eq!(failure.why.as_str(), "the supervisor, process 100, ended before the turn did");
    assert_eq!((played.session.state, played.session.foreground), (SessionState::Idle, Foreground::Idle));
    assert!(played.session.asks.is_empty(), "what it asked is void");
    assert_eq!(played.session.supervisor, None);
    assert_eq!(played.session.agent, Some(process(200)), "whether that died is to be proven");
    assert_eq!(played.refusal(&Command::CleanUp), "not_ready");
    let again = played.then(&Command::RecordEnd).then(&Command::Supervise { process: process(101) });
    assert_eq!(again.then(&launch(201)).then(&open()).then(&send()).session.queue().count(), 1);
}

#[test]
fn a10_cancel_and_cleanup_work_without_a_supervisor() {
    let idle = reconciled(Played::active()).then(&Command::RecordEnd);
    assert_eq!(idle.clone().then(&Command::CleanUp).session.state, SessionState::Cleaned);
    assert_eq!(idle.then(&Command::Cancel).then(&Command::CleanUp).session.state, SessionState::Cleaned);
}

#[test]
fn a10_a_session_that_was_never_opened_failed() {
    let played = reconciled(Played::begin(1, Profile::LocalReview).then(&send()).then(&launch(200)));
    assert_eq!((states(&played), played.session.state), (vec![TurnState::Dropped], SessionState::Failed));
    let played = reconciled(Played::idle().then(&Command::Cancel));
    assert_eq!((played.session.state, played.session.supervisor), (SessionState::Cancelled, None));
}

/// Whoever reconciles may die as well, after any event.
#[test]
fn a10_reconciling_that_was_broken_off_is_finished_by_the_next_one() {
    let ask = Command::Ask { kind: AskKind::Question, words: line("which?") };
    for start in [Played::active().then(&send()).then(&ask), Played::begin(1, Profile::Media).then(&send())] {
        let whole = reconciled(start.clone()).session;
        let events = reconcile(&start.session, Presence::Gone);
        for done in 0..=events.len() {
            let mut played = start.clone();
            for event in &events[..done] {
                played.record(event.clone()).unwrap();
            }
            let again = reconciled(played).session;
            assert_eq!(
                (&again.turns, again.state, &again.failure),
                (&whole.turns, whole.state, &whole.failure),
                "{done}"
            );
        }
    }
}

/// Nobody compared the copy when the turn was cut off, so nothing is claimed of what is in it.
#[test]
fn a38_what_a_turn_changed_that_was_cut_off_is_not_known_until_somebody_compares() {
    let copy = Played::begin(1, Profile::WorktreeEdit).then(&launch(200)).then(&open());
    let proved = copy.then(&Command::RecordProof { proof: Box::new(proof()) });
    let at_work = proved.clone().then(&send()).then(&Command::RecordSent);
    let before = ChangedFiles::new(["a".to_owned()]);
    let lost = reconciled(at_work.then(&Command::RecordChanges { files: before.clone() }));
    assert_eq!(lost.session.changed, ChangedFiles { unread: true, ..before });
    let compared = lost.then(&Command::RecordChanges { files: ChangedFiles::default() });
    assert_eq!(compared.session.changed, ChangedFiles::default());
    assert!(!reconciled(proved).session.changed.unread, "where nothing was going on, the last look holds");
    assert!(!reconciled(Played::active()).session.changed.unread, "one without a copy changes nothing");
}
