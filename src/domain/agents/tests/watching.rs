//! The watch over the repository while an agent without walls works (A25).

use super::*;
use crate::domain::agents::parent_watch::ParentWatch;
use crate::domain::agents::reconcile::{Presence, reconcile};
use crate::domain::agents::waiting::{WaitsFor, waiting};

fn changed() -> Command {
    Command::RecordParentChange { found: line("1 change in the repository: a.txt (modified)") }
}

fn restored() -> Command {
    Command::RecordRestored {
        places: ChangedFiles::new(["a.txt".to_owned()]),
        left: 0,
        copy: None,
        rest: Some(line("1 change")),
    }
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
    over.then(&settle()).then(&Command::CleanUp);
    let settled = held.then(&settle());
    assert_eq!(settled.refusal(&Command::RecordSent), "not_ready", "it is watched anew first");
    settled.then(&Command::RecordWatch).then(&Command::RecordSent);
}

#[test]
fn a25_what_was_restored_or_kept_is_recorded_while_something_is_to_be_decided_and_decides_nothing() {
    assert_eq!(idle().refusal(&restored()), "not_ready");
    let held = idle().then(&changed()).then(&restored());
    let Some(ParentWatch::Undecided { found, since }) = &held.session.parent else {
        panic!("{:?}", held.session.parent)
    };
    assert_eq!((found.as_str(), since.as_second()), ("1 change", 5), "it is asked since the first change");
    assert!(!held.then(&settle()).session.kept_here, "nothing was kept");
    let settled = Command::SettleParent { kept: ChangedFiles::new(["a.rs".to_owned()]), unseen: false };
    assert!(idle().then(&changed()).then(&settled).session.kept_here);
    let kept = |places: &ChangedFiles| Command::RecordParentKept { places: places.clone(), rest: None };
    let one = ChangedFiles::new(["a.txt".to_owned()]);
    assert_eq!(idle().refusal(&kept(&one)), "not_ready");
    let held = idle().then(&changed()).then(&kept(&one));
    assert!(held.session.is_undecided(), "what is kept before the end decides nothing");
    let left = Command::RecordParentKept { places: one, rest: Some(line("1 change in the repository: b.txt (new)")) };
    let told = held.clone().then(&left).session.undecided().map(ToString::to_string);
    assert_eq!(told.as_deref(), Some("1 change in the repository: b.txt (new)"));
    let many = ChangedFiles { paths: vec!["x".to_owned(); 10_000], ..ChangedFiles::default() };
    assert_eq!(held.refusal(&kept(&many)), "too_many_files");
    let settled = Command::SettleParent { kept: many.clone(), unseen: false };
    assert_eq!(idle().then(&changed()).refusal(&settled), "too_many_files");
    let restored = Command::RecordRestored { places: many, left: 0, copy: None, rest: None };
    assert_eq!(idle().then(&changed()).refusal(&restored), "too_many_files");
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
