//! Two writers on one repository, each with a dispatcher and a store of its own: no event that was acknowledged to
//! either of them is lost, and none is there twice.

use std::path::Path;

use git_grill::app::dispatcher::{Dispatcher, Envelope};
use git_grill::app::error::AppError;
use git_grill::app::ports::{SessionStore, StoreError};
use git_grill::domain::event::Recorded;
use git_grill::domain::facts::RepoFacts;
use git_grill::domain::ids::SessionId;
use git_grill::domain::session::Session;
use git_grill::store::commit::{Identity, Person};
use git_grill::store::git::{GitStore, Options};
use proptest::prelude::*;

use super::doubles::{Counter, JumpyClock, begin};
use super::laws;
use super::wishes::{Wish, settings, wishes};

fn store(dir: &Path) -> GitStore {
    let identity = Identity::of(Person::new("Ada", "ada@example.com"));
    GitStore::open(git2::Repository::open(dir).unwrap(), Options::new(identity))
}

/// Says one wish after another; what was acknowledged.
fn write(dir: &Path, id: &SessionId, first: u64, wishes: &[Wish]) -> Vec<Recorded> {
    let (store, clock, nonce) = (store(dir), JumpyClock::default(), Counter::from(first));
    let dispatcher = Dispatcher { store: &store, clock: &clock, nonce: &nonce, base: None, outside: None };
    let mut acknowledged = Vec::new();
    for (place, wish) in wishes.iter().enumerate() {
        let session = store.load(id).unwrap().session;
        let command = wish.command(&session, first + 1_000 + u64::try_from(place).unwrap());
        for result in [
            dispatcher.handle(id, &Envelope { actor: wish.actor.clone(), command }),
            dispatcher.advance(id, &|_| Vec::new()),
        ] {
            match result {
                Ok(outcome) => {
                    laws::step(outcome.before.as_ref().unwrap(), &outcome.events, &outcome.after);
                    acknowledged.extend(outcome.events);
                }
                Err(AppError::Refused(_) | AppError::Contended(_) | AppError::Store(StoreError::TooLarge { .. })) => {}
                Err(other) => panic!("{other:?}"),
            }
        }
    }
    acknowledged
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn two_writers_lose_no_acknowledged_event(settings in settings(), ours in wishes(12), theirs in wishes(12)) {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path();
        git2::Repository::init(dir).unwrap();
        let begun = {
            let (store, clock, nonce) = (store(dir), JumpyClock::default(), Counter::from(1));
            let dispatcher = Dispatcher { store: &store, clock: &clock, nonce: &nonce, base: None, outside: None };
            begin(&dispatcher, settings, RepoFacts::default())
        };
        let id = &begun.after.id;
        let (here, there) = std::thread::scope(|scope| {
            let here = scope.spawn(|| write(dir, id, 1 << 20, &ours));
            let there = scope.spawn(|| write(dir, id, 1 << 24, &theirs));
            (here.join().unwrap(), there.join().unwrap())
        });
        let mut acknowledged = [begun.events.clone(), here, there].concat();
        acknowledged.sort_by_key(|recorded| recorded.seq);
        let fresh = store(dir);
        let history = fresh.history(id).unwrap();
        prop_assert_eq!(&history, &acknowledged);
        let stored = fresh.load(id).unwrap().session;
        laws::state(&stored);
        prop_assert_eq!(Session::replay(&history), Some(stored));
    }
}
