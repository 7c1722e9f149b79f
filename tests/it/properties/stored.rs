//! Sessions as files: what any wishes come to reads back as it was, and what a later git grill put beside our fields
//! is still there after we wrote.

use std::collections::BTreeMap;

use git_grill::app::ports::{Batch, StoreError};
use git_grill::domain::actor::Actor;
use git_grill::domain::decide::decide;
use git_grill::domain::event::{Event, Recorded};
use git_grill::domain::session::Session;
use git_grill::store::changes::{Change, between};
use git_grill::store::codec::{self, STATE_LIMIT};
use git_grill::store::{events, files, layout};
use proptest::prelude::*;

use super::wishes::{Wish, at, settings, started, wishes};

/// The files of one commit.
pub(super) type Tree = BTreeMap<String, Vec<u8>>;

/// A key that we do not know, with the value that it keeps.
const FOREIGN: (&str, &str) = ("x-later", "not ours");

/// The tree after a batch; `None` when a record would be too large to be read back.
pub(super) fn commit(tree: &Tree, before: Option<&Session>, events: &[Recorded], after: &Session) -> Option<Tree> {
    let changes = match between(before, tree, Batch { events, after, base: None }) {
        Ok(changes) => changes,
        Err(StoreError::TooLarge { .. }) => return None,
        Err(other) => panic!("{other:?}"),
    };
    let mut tree = tree.clone();
    for (path, change) in changes {
        match change {
            Change::Put(bytes) => drop(tree.insert(path, bytes)),
            Change::Remove => drop(tree.remove(&path)),
        }
    }
    Some(tree)
}

/// Puts a key of somebody else's into every record that is rewritten as the session goes on.
fn add_foreign(tree: &mut Tree) {
    for (path, bytes) in tree.iter_mut() {
        if !is_rewritten(path) {
            continue;
        }
        let mut map = codec::into_mapping(codec::read(bytes, STATE_LIMIT).unwrap());
        map.insert(FOREIGN.0.into(), FOREIGN.1.into());
        *bytes = codec::write(&serde_yaml::Value::Mapping(map));
    }
}

fn is_rewritten(path: &str) -> bool {
    let record = path == layout::SESSION || path == layout::EVIDENCE || path.starts_with(layout::QUESTIONS);
    record || path.starts_with(layout::ANSWERS)
}

fn has_foreign(bytes: &[u8]) -> bool {
    let map = codec::into_mapping(codec::read(bytes, STATE_LIMIT).unwrap());
    map.get(FOREIGN.0).and_then(serde_yaml::Value::as_str) == Some(FOREIGN.1)
}

/// Plays wishes commit by commit, each read back before the next.
fn play(settings: git_grill::domain::settings::Settings, wishes: &[Wish], foreign_at: usize) {
    let started = started(settings);
    let mut session = Session::begin(&started, at(1), 1);
    let event = Event::Started(Box::new(started));
    let first = Recorded { seq: 1, at: at(1), by: Actor::Human, event };
    let mut tree = commit(&Tree::new(), None, std::slice::from_ref(&first), &session).unwrap();
    // The paths that hold something foreign, until their record goes.
    let mut foreign: Vec<String> = Vec::new();
    for (place, wish) in wishes.iter().enumerate() {
        if place == foreign_at {
            add_foreign(&mut tree);
            foreign = tree.keys().filter(|path| is_rewritten(path)).cloned().collect();
            assert_eq!(files::read_session(&tree).unwrap(), session, "a field that we do not know is in the way");
        }
        let serial = u64::try_from(place).unwrap() + 2;
        let Ok(decided) = decide(&session, &wish.actor, at(serial), &wish.command(&session, serial)) else { continue };
        let (mut after, mut batch) = (session.clone(), Vec::new());
        for event in decided {
            let recorded = Recorded { seq: after.seq + 1, at: at(serial), by: wish.actor.clone(), event };
            after = after.evolve(&recorded);
            batch.push(recorded);
        }
        if batch.is_empty() {
            continue;
        }
        let Some(next) = commit(&tree, Some(&session), &batch, &after) else { continue };
        assert_eq!(files::read_session(&next).unwrap(), after);
        assert_eq!(events::read(&next).unwrap(), batch);
        foreign.retain(|path| next.contains_key(path));
        for path in &foreign {
            assert!(has_foreign(&next[path]), "{path} lost what was not ours at {:?}", batch[0].event.facets().op);
        }
        (session, tree) = (after, next);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn g39_what_is_written_is_read_and_what_is_not_ours_stays(
        settings in settings(),
        wishes in wishes(40),
        foreign_at in 0_usize..20,
    ) {
        play(settings, &wishes, foreign_at);
    }
}
