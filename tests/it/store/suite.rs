//! One suite over every back end: what the port promises, whoever keeps it.

use git_grill::app::ports::{Appended, Batch, Head, SessionStore, StoreError};
use git_grill::domain::actor::Actor;
use git_grill::domain::event::Event;
use git_grill::domain::ids::{ObjectId, QuestionId};
use git_grill::domain::production::{Draft, Event as Produced, Origin};
use git_grill::store::memory::MemoryStore;

use super::bench::*;

fn both(check: fn(&dyn SessionStore)) {
    check(&MemoryStore::new());
    check(&Bench::new().store());
}

#[test]
fn what_is_appended_is_loaded() {
    both(|store| {
        let id = session_id(1);
        let (session, head) = begin(store, &id);
        let (session, head) = go_on(store, &session, &head, vec![(Actor::System, question(1, "Which?"))]);
        let (session, head) = go_on(
            store,
            &session,
            &head,
            vec![(Actor::Human, answer(1, 1, "a: [b] #c", at(9))), (Actor::System, checkpoint("# S\n"))],
        );
        let loaded = store.load(&id).unwrap();
        assert_eq!(loaded.session, session);
        assert_eq!(loaded.head, head);
    });
}

#[test]
fn an_id_is_given_once() {
    both(|store| {
        let id = session_id(1);
        begin(store, &id);
        let events = [started(&id)];
        let after = git_grill::domain::session::Session::replay(&events).unwrap();
        let again = store.create(Batch { events: &events, after: &after, base: None });
        assert!(again.is_err());
        assert_eq!(store.versions(&id, 9).unwrap().len(), 1);
    });
}

#[test]
fn an_old_head_writes_nothing() {
    both(|store| {
        let id = session_id(1);
        let (session, first) = begin(store, &id);
        let (newer, _) = go_on(store, &session, &first, vec![(Actor::System, question(1, "Which?"))]);
        let (after, events) = after(&session, vec![(Actor::Human, checkpoint("# lost?\n"))]);
        let batch = Batch { events: &events, after: &after, base: None };
        assert_eq!(store.append(&first, batch).unwrap(), Appended::Moved);
        let nowhere = Head(ObjectId::parse(&"1".repeat(40)).unwrap());
        assert_eq!(store.append(&nowhere, batch).unwrap(), Appended::Moved);
        assert_eq!(store.load(&id).unwrap().session, newer);
    });
}

#[test]
fn a_missing_session_is_said_to_be_missing() {
    both(|store| {
        let id = session_id(7);
        assert!(matches!(store.load(&id), Err(StoreError::NoSuchSession(_))));
        assert!(matches!(store.activate(&id), Err(StoreError::NoSuchSession(_))));
        assert!(matches!(store.versions(&id, 1), Err(StoreError::NoSuchSession(_))));
        assert_eq!(store.active().unwrap(), None);
        assert!(store.list().unwrap().is_empty());
    });
}

#[test]
fn versions_and_the_checkpoint_at_each() {
    both(|store| {
        let id = session_id(1);
        let (session, head) = begin(store, &id);
        let first = session.checkpoint.clone();
        let (session, two) = go_on(store, &session, &head, vec![(Actor::Human, checkpoint("# two\n"))]);
        let (session, head) = go_on(store, &session, &two, vec![(Actor::System, question(1, "Which?"))]);
        let (session, head) = go_on(store, &session, &head, vec![(Actor::Human, checkpoint("# three\n"))]);
        go_on(store, &session, &head, vec![(Actor::Human, checkpoint("# two\n"))]);
        let versions = store.versions(&id, 3).unwrap();
        assert_eq!(versions.len(), 3);
        assert_eq!(versions[2].subject, format!("ask {}: Which?", QuestionId::from_nonce(1)));
        let text = |version: &str| store.checkpoint_at(&id, version).map(|found| found.as_str().to_owned()).ok();
        for (version, expect) in [
            ("~0", Some("# two\n")),
            ("~1", Some("# three\n")),
            ("~3", Some("# two\n")),
            ("~4", Some(first.as_str())),
            ("~5", None),
            ("@1", Some(first.as_str())),
            ("@2", Some("# two\n")),
            ("@3", Some("# three\n")),
            ("@4", Some("# two\n")),
            ("@5", None),
            ("@0", None),
            (&two.0.as_str()[..10], Some("# two\n")),
            ("dead", None),
            ("HEAD", None),
            ("", None),
            ("~x", None),
        ] {
            assert_eq!(text(version).as_deref(), expect, "{version}");
        }
    });
}

#[test]
fn g31_the_states_that_drafts_were_made_of_are_found_in_the_history() {
    both(|store| {
        let draft = |path: &str, content: &str| Draft {
            target: path.parse().unwrap(),
            destination: "design-doc".parse().unwrap(),
            blob: store.blob_id(content.as_bytes()).unwrap(),
            replaces: None,
            origin: Origin::Generated,
            content: content.to_owned(),
            replaced: None,
        };
        let (one, two, other) = (draft("a.md", "one\n"), draft("b.md", "two\n"), draft("b.md", "other\n"));
        let handed_in = |draft: &Draft| -> Event { Produced::DraftSubmitted { draft: Box::new(draft.clone()) }.into() };
        let id = session_id(1);
        let (mut session, mut head) = begin(store, &id);
        for event in [
            checkpoint("# of one\n"),
            handed_in(&one),
            checkpoint("# of two\n"),
            handed_in(&two),
            checkpoint("# of none\n"),
        ] {
            (session, head) = go_on(store, &session, &head, vec![(Actor::System, event)]);
        }
        let states = |drafts: &[&Draft]| -> Vec<String> {
            let found = store.drafted(&id, drafts).unwrap();
            found.into_iter().map(|state| state.checkpoint.as_str().to_owned()).collect()
        };
        assert_eq!(states(&[&one]), ["# of one\n"]);
        assert_eq!(states(&[&one, &two]), ["# of two\n", "# of one\n"]);
        assert_eq!(states(&[&other]), [""; 0]);
    });
}

#[test]
fn the_list_has_the_newest_first_and_says_what_is_active() {
    both(|store| {
        let (session, head) = begin(store, &session_id(1));
        begin(store, &session_id(2));
        go_on(store, &session, &head, vec![(Actor::System, question(1, "Which?"))]);
        store.activate(&session_id(2)).unwrap();
        let list = store.list().unwrap();
        assert_eq!(list.len(), 2);
        assert_eq!(list[0].id, session_id(1));
        assert_eq!(list[0].state.as_ref().unwrap().phase, "interview");
        assert!(list[0].active_in.is_none() && list[1].active_in.is_some());
        store.activate(&session_id(1)).unwrap();
        assert_eq!(store.active().unwrap(), Some(session_id(1)));
        store.deactivate().unwrap();
        store.deactivate().unwrap();
        assert_eq!(store.active().unwrap(), None);
    });
}

#[test]
fn kept_replies_come_back_newest_first_and_once() {
    both(|store| {
        let (id, question) = (session_id(1), QuestionId::from_nonce(1));
        store.keep_draft(&id, &question, "one\n").unwrap();
        store.keep_draft(&id, &question, "two").unwrap();
        store.keep_draft(&id, &QuestionId::from_nonce(2), "other").unwrap();
        for text in ["two", "one\n"] {
            assert_eq!(store.kept_draft(&id, &question).unwrap().as_deref(), Some(text));
            assert_eq!(store.take_draft(&id, &question).unwrap().as_deref(), Some(text));
            // Only what was brought back is taken.
            assert_eq!(store.take_draft(&id, &question).unwrap(), None);
        }
        assert_eq!(store.kept_draft(&id, &question).unwrap(), None);
    });
}

#[test]
fn a_kept_reply_is_looked_at_and_replaced_where_it_is() {
    both(|store| {
        let (id, question) = (session_id(1), QuestionId::from_nonce(1));
        assert_eq!(store.kept_draft(&id, &question).unwrap(), None);
        store.replace_draft(&id, &question, "one").unwrap();
        store.keep_draft(&id, &question, "a long second one").unwrap();
        for text in ["two", "two again"] {
            store.replace_draft(&id, &question, text).unwrap();
            assert_eq!(store.kept_draft(&id, &question).unwrap().as_deref(), Some(text));
        }
        assert_eq!(store.take_draft(&id, &question).unwrap().as_deref(), Some("two again"));
        assert_eq!(store.kept_draft(&id, &question).unwrap().as_deref(), Some("one"));
        assert_eq!(store.take_draft(&id, &question).unwrap().as_deref(), Some("one"));
        assert_eq!(store.kept_draft(&id, &question).unwrap(), None);
    });
}

#[test]
fn blobs_are_named_as_git_names_them() {
    both(|store| {
        let name = store.blob_id(b"a\n").unwrap();
        let long = "f8625e43f9e04f24291f77cdbe4c71b3c2a3b0003f60419b3ed06a058d766c8b";
        let short = "78981922613b2afb6025042ff6bd878ac1994e85";
        assert_eq!(name.as_str(), if name.as_str().len() == 64 { long } else { short });
    });
}

#[test]
fn the_lock_is_lent_again_to_its_holder() {
    both(|store| {
        let id = session_id(1);
        let (session, head) = begin(store, &id);
        let _held = store.lock(&id).unwrap();
        let _twice = store.lock(&id).unwrap();
        go_on(store, &session, &head, vec![(Actor::System, question(1, "Which?"))]);
    });
}

#[test]
fn faults_in_memory_lose_nothing_that_was_there() {
    let store = MemoryStore::new();
    let (session, head) = begin(&store, &session_id(1));
    let (later, events) = after(&session, vec![(Actor::System, question(1, "Which?"))]);
    let batch = Batch { events: &events, after: &later, base: None };
    store.fail_at(1);
    assert!(matches!(store.append(&head, batch), Err(StoreError::Io { .. })));
    assert_eq!(store.load(&session.id).unwrap().session, session);
    store.move_at(1);
    assert_eq!(store.append(&head, batch).unwrap(), Appended::Moved);
    let loaded = store.load(&session.id).unwrap();
    assert_eq!(loaded.session, session);
    assert!(matches!(store.append(&loaded.head, batch).unwrap(), Appended::At(_)));
    assert_eq!(store.history(&session.id).unwrap().len(), 2);
}
