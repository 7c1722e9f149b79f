//! Sessions in memory, behind the same port, with faults on request: for tests of everything above the store.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::PathBuf;

use super::commit;
use crate::app::ports::{Appended, Batch, Head, Listed, ListedState, Loaded, SessionStore, StoreError, Version};
use crate::domain::checkpoint::Checkpoint;
use crate::domain::committed::DraftSearch;
use crate::domain::event::Recorded;
use crate::domain::ids::{ObjectId, QuestionId, SessionId};
use crate::domain::production::{self, Draft};
use crate::domain::session::Session;
use crate::domain::undoing::TakenBack;
use crate::git::object::{in_words, name_of};
use crate::git::{Kind, Naming};

/// One commit that never was.
#[derive(Clone, Debug)]
struct Entry {
    head: Head,
    state: Session,
    events: Vec<Recorded>,
    version: Version,
}

/// Sessions that live as long as the store.
#[derive(Debug, Default)]
pub struct MemoryStore {
    sessions: RefCell<BTreeMap<SessionId, Vec<Entry>>>,
    active: RefCell<Option<SessionId>>,
    elsewhere: RefCell<BTreeMap<SessionId, PathBuf>>,
    replies: RefCell<Vec<(SessionId, QuestionId, String)>>,
    /// What was kept or brought back last.
    ours: RefCell<Vec<(SessionId, QuestionId, String)>>,
    sent: RefCell<Vec<(SessionId, QuestionId, String)>>,
    writes: Cell<u64>,
    fail_at: Cell<Option<u64>>,
    move_at: Cell<Option<u64>>,
}

fn is_about((session, asked, _): &(SessionId, QuestionId, String), id: &SessionId, question: &QuestionId) -> bool {
    session == id && asked == question
}

impl MemoryStore {
    pub fn new() -> Self {
        Self::default()
    }

    /// The `n`th write from now on fails as a full disk would, counted from 1.
    pub fn fail_at(&self, n: u64) {
        self.fail_at.set(Some(self.writes.get() + n));
    }

    /// At the `n`th write from now on somebody else is faster, counted from 1: the session gets a commit that changes
    /// nothing but its head.
    pub fn move_at(&self, n: u64) {
        self.move_at.set(Some(self.writes.get() + n));
    }

    pub fn active_elsewhere(&self, id: &SessionId, worktree: impl Into<PathBuf>) {
        self.elsewhere.borrow_mut().insert(id.clone(), worktree.into());
    }

    fn knows(&self, id: &SessionId, question: &QuestionId, text: &str) {
        let mut ours = self.ours.borrow_mut();
        ours.retain(|one| !is_about(one, id, question));
        ours.push((id.clone(), question.clone(), text.to_owned()));
    }

    pub fn history(&self, id: &SessionId) -> Result<Vec<Recorded>, StoreError> {
        let sessions = self.sessions.borrow();
        let entries = sessions.get(id).ok_or_else(|| none(id))?;
        Ok(entries.iter().flat_map(|entry| entry.events.clone()).collect())
    }

    /// Counts a write, and fails it when that was asked for.
    fn count(&self) -> Result<(), StoreError> {
        self.writes.set(self.writes.get() + 1);
        if self.fail_at.get() == Some(self.writes.get()) {
            return Err(StoreError::Io {
                doing: "writing the session".to_owned(),
                source: std::io::ErrorKind::StorageFull.into(),
            });
        }
        Ok(())
    }

    fn entry(&self, batch: Batch<'_>, place: usize) -> Entry {
        let message = commit::message(batch);
        let name = format!("{}\n{place}\n{}\n{message}", batch.after.id, self.writes.get());
        let head = Head(object(name.as_bytes()));
        Entry {
            version: Version {
                commit: head.0.clone(),
                subject: message.lines().next().unwrap_or_default().to_owned(),
                author: batch.events.first().map_or_else(String::new, |first| first.by.to_string()),
                at: batch.events.first().map_or(batch.after.updated_at, |first| first.at),
            },
            head,
            state: batch.after.clone(),
            events: batch.events.to_vec(),
        }
    }
}

fn none(id: &SessionId) -> StoreError {
    StoreError::NoSuchSession(id.to_string())
}

fn object(bytes: &[u8]) -> ObjectId {
    in_words(name_of(Naming::Sha1, Kind::Blob, bytes).expect("nobody makes these bytes collide"))
}

impl SessionStore for MemoryStore {
    fn backend(&self) -> &'static str {
        "memory"
    }

    fn lock(&self, id: &SessionId) -> Result<Box<dyn Any>, StoreError> {
        Ok(Box::new(id.clone()))
    }

    fn lock_production(&self, id: &SessionId) -> Result<Box<dyn Any>, StoreError> {
        Ok(Box::new(id.clone()))
    }

    fn lock_runs(&self, id: &SessionId) -> Result<Box<dyn Any>, StoreError> {
        Ok(Box::new(id.clone()))
    }

    fn create(&self, batch: Batch<'_>) -> Result<Head, StoreError> {
        self.count()?;
        let entry = self.entry(batch, 0);
        let head = entry.head.clone();
        let mut sessions = self.sessions.borrow_mut();
        if sessions.contains_key(&batch.after.id) {
            return Err(StoreError::Git {
                doing: format!("creating session {}", batch.after.id),
                why: "there is one of that name".to_owned(),
            });
        }
        sessions.insert(batch.after.id.clone(), vec![entry]);
        Ok(head)
    }

    fn load(&self, id: &SessionId) -> Result<Loaded, StoreError> {
        let sessions = self.sessions.borrow();
        let newest = sessions.get(id).and_then(|entries| entries.last()).ok_or_else(|| none(id))?;
        Ok(Loaded { session: newest.state.clone(), head: newest.head.clone() })
    }

    fn append(&self, expected: &Head, batch: Batch<'_>) -> Result<Appended, StoreError> {
        self.count()?;
        let mut sessions = self.sessions.borrow_mut();
        let entries = sessions.get_mut(&batch.after.id).ok_or_else(|| none(&batch.after.id))?;
        if self.move_at.get() == Some(self.writes.get())
            && let Some(newest) = entries.last().cloned()
        {
            let name = format!("somebody else at {}", self.writes.get());
            entries.push(Entry { head: Head(object(name.as_bytes())), events: Vec::new(), ..newest });
        }
        if entries.last().map(|newest| &newest.head) != Some(expected) {
            return Ok(Appended::Moved);
        }
        let entry = self.entry(batch, entries.len());
        let head = entry.head.clone();
        entries.push(entry);
        Ok(Appended::At(head))
    }

    fn ids(&self) -> Result<Vec<SessionId>, StoreError> {
        let mut ids: Vec<SessionId> = self.sessions.borrow().keys().cloned().collect();
        ids.sort_by(|a, b| b.cmp(a));
        Ok(ids)
    }

    fn list_entries(&self, ids: &[SessionId]) -> Result<Vec<Listed>, StoreError> {
        let here = self.active.borrow();
        let elsewhere = self.elsewhere.borrow();
        let mut listed: Vec<(jiff::Timestamp, Listed)> = self
            .sessions
            .borrow()
            .iter()
            .filter(|(id, _)| ids.contains(id))
            .filter_map(|(id, entries)| {
                let state = &entries.last()?.state;
                let active_in =
                    if here.as_ref() == Some(id) { Some(PathBuf::from(".")) } else { elsewhere.get(id).cloned() };
                let one = Listed {
                    id: id.clone(),
                    state: Ok(ListedState {
                        topic: state.topic.clone(),
                        phase: state.phase.name(),
                        called: state.own.called().filter(|_| state.phase.asks_nothing()),
                        updated_at: state.updated_at,
                    }),
                    active_in,
                };
                Some((state.updated_at, one))
            })
            .collect();
        listed.sort_by(|(a_at, a), (b_at, b)| (b_at, &b.id).cmp(&(a_at, &a.id)));
        Ok(listed.into_iter().map(|(_, one)| one).collect())
    }

    fn active(&self) -> Result<Option<SessionId>, StoreError> {
        Ok(self.active.borrow().clone())
    }

    fn claim(&self) -> Result<Box<dyn std::any::Any>, StoreError> {
        Ok(Box::new(()))
    }

    fn step(&self, _id: &SessionId) -> Result<Box<dyn std::any::Any>, StoreError> {
        Ok(Box::new(()))
    }

    fn activate(&self, id: &SessionId) -> Result<(), StoreError> {
        if !self.sessions.borrow().contains_key(id) {
            return Err(none(id));
        }
        if let Some(worktree) = self.elsewhere.borrow().get(id) {
            return Err(StoreError::ActiveElsewhere { id: id.clone(), worktree: worktree.clone() });
        }
        *self.active.borrow_mut() = Some(id.clone());
        Ok(())
    }

    fn tidy(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn deactivate(&self) -> Result<(), StoreError> {
        *self.active.borrow_mut() = None;
        Ok(())
    }

    fn versions(&self, id: &SessionId, limit: usize) -> Result<Vec<Version>, StoreError> {
        let sessions = self.sessions.borrow();
        let entries = sessions.get(id).ok_or_else(|| none(id))?;
        Ok(entries.iter().rev().take(limit).map(|entry| entry.version.clone()).collect())
    }

    fn previous_checkpoint(&self, id: &SessionId) -> Result<Checkpoint, StoreError> {
        let sessions = self.sessions.borrow();
        let entries = sessions.get(id).ok_or_else(|| none(id))?;
        let texts = || entries.iter().rev().map(|entry| &entry.state.checkpoint);
        let newest = texts().next().cloned().unwrap_or_default();
        Ok(texts().find(|text| **text != newest).cloned().unwrap_or(newest))
    }

    fn taken_back(&self, id: &SessionId) -> Result<TakenBack, StoreError> {
        let mut back = TakenBack::default();
        let history = self.history(id)?;
        // Whether it came to the beginning is the same to it.
        let _ = history.iter().rev().try_for_each(|one| back.look_back(&one.event));
        Ok(back)
    }

    fn drafted(&self, id: &SessionId, drafts: &[&Draft]) -> Result<Vec<Session>, StoreError> {
        let sessions = self.sessions.borrow();
        let entries = sessions.get(id).ok_or_else(|| none(id))?;
        let mut search = DraftSearch::new(drafts);
        let found = entries.iter().rev().filter(|entry| search.finds(&entry.events));
        Ok(found.map(|entry| entry.state.clone()).collect())
    }

    fn checkpoint_at(&self, id: &SessionId, version: &str) -> Result<Checkpoint, StoreError> {
        let sessions = self.sessions.borrow();
        let entries = sessions.get(id).ok_or_else(|| none(id))?;
        let found = if let Some(back) = version.strip_prefix('~') {
            back.parse::<usize>().ok().and_then(|back| entries.iter().rev().nth(back))
        } else if let Some(number) = version.strip_prefix('@') {
            let mut texts: Vec<&Entry> = Vec::new();
            for entry in entries {
                if texts.last().map(|last| &last.state.checkpoint) != Some(&entry.state.checkpoint) {
                    texts.push(entry);
                }
            }
            let place = number.parse::<usize>().ok();
            place.and_then(|number| number.checked_sub(1)).and_then(|place| texts.get(place).copied())
        } else {
            let wanted = ObjectId::parse(version).ok();
            wanted.and_then(|wanted| {
                let text = |entry: &&Entry| object(entry.state.checkpoint.as_str().as_bytes());
                let named = |entry: &&Entry| {
                    entry.head.0.as_str().starts_with(wanted.as_str())
                        || text(entry).as_str().starts_with(wanted.as_str())
                };
                entries.iter().rev().find(named)
            })
        };
        found
            .map(|entry| entry.state.checkpoint.clone())
            .ok_or_else(|| StoreError::NoSuchVersion { id: id.clone(), version: version.to_owned() })
    }

    fn blob(&self, id: &ObjectId) -> Result<Option<Vec<u8>>, StoreError> {
        let sessions = self.sessions.borrow();
        let events = sessions.values().flatten().flat_map(|entry| &entry.events);
        let texts = events.filter_map(|recorded| {
            if let Some(production::Event::DraftSubmitted { draft }) = recorded.event.production() {
                Some(draft)
            } else {
                None
            }
        });
        let mut texts = texts.flat_map(|draft| std::iter::once(&draft.content).chain(&draft.replaced));
        Ok(texts.find(|text| object(text.as_bytes()) == *id).map(|text| text.as_bytes().to_vec()))
    }

    fn blob_id(&self, bytes: &[u8]) -> Result<ObjectId, StoreError> {
        Ok(object(bytes))
    }

    fn keep_draft(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, StoreError> {
        let mut replies = self.replies.borrow_mut();
        replies.push((id.clone(), question.clone(), text.to_owned()));
        self.knows(id, question, text);
        Ok(PathBuf::from(format!("memory/{id}/{question}.txt")))
    }

    fn replace_draft(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, StoreError> {
        self.take_draft(id, question)?;
        self.keep_draft(id, question, text)
    }

    fn kept_draft(&self, id: &SessionId, question: &QuestionId) -> Result<Option<String>, StoreError> {
        let replies = self.replies.borrow();
        let newest = replies.iter().rfind(|(session, asked, _)| session == id && asked == question);
        if let Some((_, _, text)) = newest {
            self.knows(id, question, text);
        }
        Ok(newest.map(|(_, _, text)| text.clone()))
    }

    fn take_draft(&self, id: &SessionId, question: &QuestionId) -> Result<Option<String>, StoreError> {
        let mut known = self.ours.borrow_mut();
        let Some(known) = known.iter().position(|one| is_about(one, id, question)).map(|place| known.remove(place))
        else {
            return Ok(None);
        };
        let mut replies = self.replies.borrow_mut();
        let place = replies.iter().rposition(|one| *one == known);
        Ok(place.map(|place| replies.remove(place).2))
    }

    fn keep_sent(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, StoreError> {
        self.drop_sent(id, question, text)?;
        self.sent.borrow_mut().push((id.clone(), question.clone(), text.to_owned()));
        Ok(PathBuf::from(format!("memory/{id}/{question}.sent.txt")))
    }

    fn drop_sent(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<(), StoreError> {
        self.sent.borrow_mut().retain(|one| !(is_about(one, id, question) && one.2 == text));
        Ok(())
    }

    fn sent(&self, id: &SessionId, question: &QuestionId) -> Vec<PathBuf> {
        let sent = self.sent.borrow();
        let about = sent.iter().filter(|one| is_about(one, id, question));
        about.map(|_| PathBuf::from(format!("memory/{id}/{question}.sent.txt"))).collect()
    }
}
