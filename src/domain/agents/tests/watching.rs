//! The watch over the repository while an agent without walls works (A25).

use super::*;
use crate::domain::agents::parent_watch::ParentWatch;
use crate::domain::agents::reconcile::{Presence, reconcile};
use crate::domain::agents::waiting::{WaitsFor, waiting};

fn changed() -> Command {
    Command::RecordParentChange { found: line("1 change in the repository: a.txt (modified)") }
}

/// An agent without walls that is open and idle.
fn idle() -> Played {
    Played::with(unwalled(1, Profile::LocalReview)).then(&Command::RecordWatch).then(&launch(200)).then(&open())
}

#[test]
fn a25_no_prompt_goes_to_an_agent_without_walls_before_the_repository_is_watched() {
    let unwatched = Played::with(unwalled(1, Profile::LocalReview)).then(&launch(200)).then(&open()).then(&send());
    assert_eq!(unwatched.refusal(&Command::RecordSent), "not_ready");
    unwatched.then(&Command::RecordWatch).then(&Command::RecordSent);
    assert_eq!(Played::idle().refusal(&Command::RecordWatch), "not_ready", "behind walls there is nothing to watch");
}

#[test]
fn a25_a_change_holds_the_queue_and_the_clean_up_until_it_is_settled() {
    let held = idle().then(&send()).then(&Command::RecordSent).then(&send()).then(&changed()).then(&rest());
    assert_eq!(held.refusal(&Command::RecordSent), "parent_undecided");
    let listed = waiting([&held.session]);
    assert_eq!((listed.len(), listed[0].what, listed[0].since.as_second()), (1, WaitsFor::Parent, 8));
    assert_eq!(listed[0].command(), "git grill agent answer g1");
    let over =
        held.clone().then(&Command::CancelTurn { turn: turn(2) }).then(&Command::RecordEnd).then(&Command::Leave);
    assert_eq!(over.refusal(&Command::CleanUp), "parent_undecided");
    over.then(&Command::SettleParent).then(&Command::CleanUp);
    let settled = held.then(&Command::SettleParent);
    assert_eq!(settled.refusal(&Command::RecordSent), "not_ready", "it is watched anew first");
    settled.then(&Command::RecordWatch).then(&Command::RecordSent);
}

#[test]
fn a25_whose_a_change_is_outlives_the_session_and_what_a_dead_supervisor_did_not_compare_is_undecided() {
    let cancelled = idle().then(&changed()).then(&Command::Cancel);
    assert_eq!(waiting([&cancelled.session]).len(), 1);
    let mut dead = idle().then(&send()).then(&Command::RecordSent);
    for event in reconcile(&dead.session, Presence::Gone) {
        dead.record(event).unwrap();
    }
    let Some(ParentWatch::Undecided { found, .. }) = &dead.session.parent else { panic!("{:?}", dead.session.parent) };
    assert!(found.as_str().contains("was not compared"), "{found}");
}
