//! A commit's events: what reads is written and reads as the same, and replaying them never fails, whatever they say.

use git_grill::app::ports::Batch;
use git_grill::domain::event::Event;
use git_grill::domain::session::Session;
use git_grill::store::changes::{Change, between};
use git_grill::store::commit::message;
use git_grill::store::events;
use git_grill::store::files::read_session;

use super::session::shown;
use super::tree::tree;

pub fn run(data: &[u8]) {
    let files = tree(data);
    let Ok(events) = events::read(&files) else { return };
    if events.is_empty() {
        return;
    }
    let begun = match &events[0].event {
        Event::Started(started) => Some(Session::begin(started, events[0].at, events[0].seq)),
        _ => None,
    };
    let Some(session) = begun.or_else(|| read_session(&files).ok()) else { return };
    let mut after = session;
    let again = events.iter().fold(after.clone(), Session::evolve);
    let mut seq = after.seq;
    for recorded in &events {
        after = after.evolve(recorded);
        assert!(after.seq >= seq && after.seq >= recorded.seq, "the clock went back");
        seq = after.seq;
        let facets = recorded.event.facets();
        assert!(!facets.op.is_empty());
        assert!(!facets.subject.trim().is_empty(), "{:?} has no words", facets.op);
    }
    assert_eq!(after, again, "twice the same replay is the same session");
    let batch = Batch { events: &events, after: &after, base: None };
    let said = message(batch);
    assert!(said.lines().next().is_some_and(|subject| !subject.is_empty()), "{said:?}");
    let Ok(changes) = between(None, &super::tree::Tree::new(), batch) else { return };
    let mut written = super::tree::Tree::new();
    for (path, change) in changes {
        if let Change::Put(bytes) = change {
            written.insert(path, bytes);
        }
    }
    let read = events::read(&written).unwrap_or_else(|broken| panic!("{broken:?}:\n{}", shown(&written)));
    assert_eq!(read, events, "{}", shown(&written));
}
