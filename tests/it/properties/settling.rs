//! Paying what is owed: however often it fails and is tried again, every approved file ends up written once, byte for
//! byte, and noted by us alone.

use std::collections::BTreeMap;

use git_grill::app::dispatcher::{Dispatcher, Envelope};
use git_grill::app::error::AppError;
use git_grill::app::ports::SessionStore;
use git_grill::app::reply::Outcome;
use git_grill::app::settling::World;
use git_grill::domain::actor::Actor;
use git_grill::domain::command::Command;
use git_grill::domain::facts::RepoFacts;
use git_grill::domain::ids::SessionId;
use git_grill::domain::production::{self, Command as Produce, Draft, Origin, Plan, PlannedOutput, TargetPath};
use git_grill::domain::session::{Phase, Session};
use git_grill::domain::settings::Settings;
use proptest::prelude::*;

use super::board::Board;
use super::doubles::{Adverse, Counter, Fault, Folder, JumpyClock, Mishap, begin};
use super::laws;
use super::texts::text;
use super::wishes::blob;

fn path(place: usize) -> TargetPath {
    TargetPath::parse(&format!("docs/{place}.md")).unwrap()
}

fn draft(place: usize, content: &str) -> Draft {
    Draft {
        target: path(place).into(),
        destination: "design-doc".parse().unwrap(),
        blob: blob(content),
        replaces: None,
        origin: Origin::Generated,
        content: content.to_owned(),
        replaced: None,
    }
}

/// A session in the output phase, with a draft for each content; `approved` says which of them are.
fn producing(dispatcher: &Dispatcher<'_>, drafts: &[(String, bool)]) -> SessionId {
    let id = begin(dispatcher, Settings::default(), RepoFacts::default()).after.id;
    let say = |actor: Actor, command: Command| dispatcher.handle(&id, &Envelope { actor, command }).unwrap().after;
    let gate = git_grill::app::drafting::gate(&dispatcher.store.load(&id).unwrap().session);
    say(Actor::Human, Produce::OpenSelection(Box::new(gate)).into());
    let output = PlannedOutput {
        destination: "design-doc".parse().unwrap(),
        strategy: "vertical-slices".parse().unwrap(),
        paths: (0..drafts.len()).map(path).collect(),
        tracker: None,
    };
    say(
        Actor::Human,
        Produce::SelectOutputs(Plan { outputs: vec![output], prose: None, permitted: Vec::new() }).into(),
    );
    for (place, (content, approved)) in drafts.iter().enumerate() {
        let draft = draft(place, content);
        let approve: Command = Produce::ApproveDraft { target: draft.target.clone(), blob: draft.blob.clone() }.into();
        say(Actor::System, Produce::SubmitDraft(Box::new(draft)).into());
        if *approved {
            say(Actor::Human, approve);
        }
    }
    id
}

/// Every file that is noted as written stands there as approved, and nothing that was not approved does.
fn check(session: &Session, folder: &Folder, drafts: &[(String, bool)]) {
    laws::state(session);
    let files = folder.files.borrow();
    let Phase::Production(production) = &session.phase else { panic!("{:?}", session.phase) };
    for written in production.written() {
        assert_eq!(files.get(written.path().unwrap()), Some(&written.content));
    }
    for (place, (content, approved)) in drafts.iter().enumerate() {
        assert!(files.get(&path(place)).is_none_or(|found| *approved && found == content));
    }
}

fn settle(dispatcher: &Dispatcher<'_>, id: &SessionId, files: &Folder, tracker: &Board) -> Result<Outcome, AppError> {
    dispatcher.settle(id, &mut World { files, tracker, progress: &mut |_| {} })
}

fn mishap() -> impl Strategy<Value = Mishap> {
    proptest::sample::select(&[Mishap::None, Mishap::None, Mishap::Before, Mishap::After][..])
}

fn fault() -> impl Strategy<Value = Fault> {
    prop_oneof![3 => Just(Fault::None), 1 => Just(Fault::Full), 1 => Just(Fault::Late), 1 => Just(Fault::Moved)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn settling_bears_any_mishap_and_being_done_again(
        drafts in proptest::collection::vec((text(), any::<bool>()), 1..5),
        mishaps in proptest::collection::vec(mishap(), 0..8),
        faults in proptest::collection::vec(fault(), 0..8),
    ) {
        let (store, clock, nonce) = (Adverse::default(), JumpyClock::default(), Counter::from(1));
        let dispatcher = Dispatcher { store: &store, clock: &clock, nonce: &nonce, base: None, outside: None };
        let id = producing(&dispatcher, &drafts);
        let (folder, board) = (Folder::default(), Board::default());
        store.faults.replace(faults.clone().into());
        folder.mishaps.replace(mishaps.clone().into());
        // Each try uses up at least one mishap or fault, so that many tries are enough.
        let mut settled = None;
        for _ in 0..=mishaps.len() + faults.len() {
            let owed = store.load(&id).unwrap().session.pending();
            let stood = folder.files.borrow().clone();
            let result = settle(&dispatcher, &id, &folder, &board);
            let session = store.load(&id).unwrap().session;
            check(&session, &folder, &drafts);
            match result {
                Ok(outcome) => {
                    prop_assert!(session.pending().is_empty());
                    prop_assert_eq!(&outcome.after, &session);
                    prop_assert_eq!(outcome.events.iter().filter_map(|one| one.event.facets().written).count(), owed.len());
                    settled = Some(session);
                    break;
                }
                Err(error @ (AppError::Write(_) | AppError::Store(_))) => {
                    // All of them or none: what was written before the one that failed is taken back.
                    if matches!(error, AppError::Write(_)) {
                        prop_assert_eq!(&*folder.files.borrow(), &stood);
                    }
                    // What is still owed was owed before: an approval is never lost to a full disk.
                    prop_assert!(session.pending().iter().all(|one| owed.contains(one)));
                }
                Err(other) => panic!("{other:?}"),
            }
        }
        let settled = settled.expect("every mishap is over by now");
        let approved: BTreeMap<TargetPath, String> = drafts
            .iter()
            .enumerate()
            .filter(|(_, (_, approved))| *approved)
            .map(|(place, (content, _))| (path(place), content.clone()))
            .collect();
        prop_assert_eq!(&*folder.files.borrow(), &approved);
        let history = store.inner.history(&id).unwrap();
        let notes: Vec<_> =
            history.iter().filter(|one| matches!(one.event.production(), Some(production::Event::FileWritten { .. }))).collect();
        prop_assert_eq!(notes.len(), approved.len(), "each file is noted once");
        prop_assert!(notes.iter().all(|one| one.by == Actor::System));
        // Once more: nothing is owed, nothing happens.
        store.faults.take();
        let again = settle(&dispatcher, &id, &folder, &board).unwrap();
        prop_assert!(again.events.is_empty());
        prop_assert_eq!(again.after, settled);
    }

    /// What changed on disk since the draft was shown is left alone, and the approval stays.
    #[test]
    fn a_file_that_changed_is_left_alone(content in text(), theirs in text()) {
        prop_assume!(content != theirs);
        let (store, clock, nonce) = (Adverse::default(), JumpyClock::default(), Counter::from(1));
        let dispatcher = Dispatcher { store: &store, clock: &clock, nonce: &nonce, base: None, outside: None };
        let drafts = [(content, true)];
        let id = producing(&dispatcher, &drafts);
        let (folder, board) = (Folder::default(), Board::default());
        folder.files.borrow_mut().insert(path(0), theirs.clone());
        let error = settle(&dispatcher, &id, &folder, &board).unwrap_err();
        prop_assert_eq!((error.code(), error.exit_code()), ("target_changed", 4));
        prop_assert_eq!(folder.files.borrow().get(&path(0)).cloned(), Some(theirs));
        prop_assert_eq!(store.load(&id).unwrap().session.pending().len(), 1);
    }
}
