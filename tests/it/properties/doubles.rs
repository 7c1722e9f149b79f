//! Doubles of the ports: a store with bad days, a clock that jumps, files that fail before or after the write.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;

use git_grill::app::dispatcher::{Beginning, Dispatcher};
use git_grill::app::ports::{
    Appended, Batch, Clock, Head, Listed, Loaded, Nonce, SessionStore, StoreError, TargetFiles, TargetState, Version,
    WriteError,
};
use git_grill::app::reply::Outcome;
use git_grill::domain::actor::Actor;
use git_grill::domain::checkpoint::Checkpoint;
use git_grill::domain::decide::decide;
use git_grill::domain::event::Recorded;
use git_grill::domain::facts::RepoFacts;
use git_grill::domain::ids::{ObjectId, QuestionId, SessionId};
use git_grill::domain::production::{Approved, Draft, TargetPath};
use git_grill::domain::session::Session;
use git_grill::domain::settings::Settings;
use git_grill::domain::text::Topic;
use git_grill::domain::undoing::TakenBack;
use git_grill::store::memory::MemoryStore;
use jiff::Timestamp;

use super::wishes::{Wish, at};

/// What goes wrong with one append.
#[derive(Clone, Debug)]
pub enum Fault {
    None,
    /// The disk is full: nothing is written.
    Full,
    /// It is written, and then the disk says no.
    Late,
    /// Somebody was faster, with a commit that changes nothing.
    Moved,
    /// Somebody was faster, with a wish of their own.
    Rival(Box<Wish>),
}

/// Who wrote a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    Us,
    Rival,
}

/// Sessions in memory, with a list of faults to come and a note of every commit.
#[derive(Default)]
pub struct Adverse {
    pub inner: MemoryStore,
    pub faults: RefCell<VecDeque<Fault>>,
    pub commits: RefCell<Vec<(Writer, Vec<Recorded>)>>,
    /// Appends that found somebody else to be faster.
    pub moved: Cell<u32>,
    serial: Cell<u64>,
}

impl Adverse {
    fn note(&self, writer: Writer, events: &[Recorded]) {
        self.commits.borrow_mut().push((writer, events.to_vec()));
    }

    fn rival(&self, id: &SessionId, wish: &Wish) -> Result<(), StoreError> {
        self.serial.set(self.serial.get() + 1);
        let Loaded { session, head } = self.inner.load(id)?;
        let command = wish.command(&session, 1_000_000 + self.serial.get());
        let Ok(decided) = decide(&session, &wish.actor, session.updated_at, &command) else {
            return Ok(());
        };
        let (mut after, mut events) = (session, Vec::new());
        for event in decided {
            let recorded = Recorded { seq: after.seq + 1, at: after.updated_at, by: wish.actor.clone(), event };
            after = after.evolve(&recorded);
            events.push(recorded);
        }
        if !events.is_empty() {
            self.inner.append(&head, Batch { events: &events, after: &after, base: None })?;
            self.note(Writer::Rival, &events);
        }
        Ok(())
    }
}

impl SessionStore for Adverse {
    fn tidy(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn backend(&self) -> &'static str {
        "memory"
    }

    fn lock(&self, id: &SessionId) -> Result<Box<dyn Any>, StoreError> {
        self.inner.lock(id)
    }

    fn lock_production(&self, id: &SessionId) -> Result<Box<dyn Any>, StoreError> {
        self.inner.lock_production(id)
    }

    fn lock_runs(&self, id: &SessionId) -> Result<Box<dyn Any>, StoreError> {
        self.inner.lock_runs(id)
    }

    fn create(&self, batch: Batch<'_>) -> Result<Head, StoreError> {
        let head = self.inner.create(batch)?;
        self.note(Writer::Us, batch.events);
        Ok(head)
    }

    fn load(&self, id: &SessionId) -> Result<Loaded, StoreError> {
        self.inner.load(id)
    }

    fn append(&self, expected: &Head, batch: Batch<'_>) -> Result<Appended, StoreError> {
        let fault = self.faults.borrow_mut().pop_front().unwrap_or(Fault::None);
        match &fault {
            Fault::None | Fault::Late => {}
            Fault::Full => self.inner.fail_at(1),
            Fault::Moved => self.inner.move_at(1),
            Fault::Rival(wish) => self.rival(&batch.after.id, wish)?,
        }
        let appended = self.inner.append(expected, batch)?;
        match &appended {
            Appended::At(_) => self.note(Writer::Us, batch.events),
            Appended::Moved => self.moved.set(self.moved.get() + 1),
        }
        if matches!((&fault, &appended), (Fault::Late, Appended::At(_))) {
            let source = std::io::ErrorKind::StorageFull.into();
            return Err(StoreError::Io { doing: "forcing it onto the disk".to_owned(), source });
        }
        Ok(appended)
    }

    fn ids(&self) -> Result<Vec<SessionId>, StoreError> {
        self.inner.ids()
    }

    fn list_entries(&self, ids: &[SessionId]) -> Result<Vec<Listed>, StoreError> {
        self.inner.list_entries(ids)
    }

    fn active(&self) -> Result<Option<SessionId>, StoreError> {
        self.inner.active()
    }

    fn claim(&self) -> Result<Box<dyn std::any::Any>, StoreError> {
        self.inner.claim()
    }

    fn step(&self, _id: &SessionId) -> Result<Box<dyn std::any::Any>, StoreError> {
        Ok(Box::new(()))
    }

    fn activate(&self, id: &SessionId) -> Result<(), StoreError> {
        self.inner.activate(id)
    }

    fn deactivate(&self) -> Result<(), StoreError> {
        self.inner.deactivate()
    }

    fn versions(&self, id: &SessionId, limit: usize) -> Result<Vec<Version>, StoreError> {
        self.inner.versions(id, limit)
    }

    fn checkpoint_at(&self, id: &SessionId, version: &str) -> Result<Checkpoint, StoreError> {
        self.inner.checkpoint_at(id, version)
    }

    fn previous_checkpoint(&self, id: &SessionId) -> Result<Checkpoint, StoreError> {
        self.inner.previous_checkpoint(id)
    }

    fn taken_back(&self, id: &SessionId) -> Result<TakenBack, StoreError> {
        self.inner.taken_back(id)
    }

    fn drafted(&self, id: &SessionId, drafts: &[&Draft]) -> Result<Vec<Session>, StoreError> {
        self.inner.drafted(id, drafts)
    }

    fn blob(&self, id: &ObjectId) -> Result<Option<Vec<u8>>, StoreError> {
        self.inner.blob(id)
    }

    fn blob_id(&self, bytes: &[u8]) -> Result<ObjectId, StoreError> {
        self.inner.blob_id(bytes)
    }

    fn keep_draft(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, StoreError> {
        self.inner.keep_draft(id, question, text)
    }

    fn replace_draft(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, StoreError> {
        self.inner.replace_draft(id, question, text)
    }

    fn kept_draft(&self, id: &SessionId, question: &QuestionId) -> Result<Option<String>, StoreError> {
        self.inner.kept_draft(id, question)
    }

    fn take_draft(&self, id: &SessionId, question: &QuestionId) -> Result<Option<String>, StoreError> {
        self.inner.take_draft(id, question)
    }

    fn keep_sent(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, StoreError> {
        self.inner.keep_sent(id, question, text)
    }

    fn drop_sent(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<(), StoreError> {
        self.inner.drop_sent(id, question, text)
    }

    fn sent(&self, id: &SessionId, question: &QuestionId) -> Vec<PathBuf> {
        self.inner.sent(id, question)
    }
}

/// Goes on by seven seconds and back by five, so that it is behind what was recorded every second time.
#[derive(Default)]
pub struct JumpyClock(Cell<u64>);

impl Clock for JumpyClock {
    fn now(&self) -> Timestamp {
        let n = self.0.get() + 1;
        self.0.set(n);
        at(100 + if n.is_multiple_of(2) { n + 7 } else { n.saturating_sub(5) })
    }
}

pub struct Counter(Cell<u64>);

impl Counter {
    pub fn from(first: u64) -> Self {
        Self(Cell::new(first))
    }
}

impl Nonce for Counter {
    fn next(&self) -> u64 {
        self.0.replace(self.0.get() + 1)
    }
}

/// Begins a session through a dispatcher.
pub fn begin(dispatcher: &Dispatcher<'_>, settings: Settings, facts: RepoFacts) -> Outcome {
    let topic = Topic::parse("rate limiting: yes or no?").unwrap();
    let beginning = Beginning { topic, settings, branch: None, facts, reported: None, no_interview: false };
    dispatcher.create(&Actor::Human, beginning).unwrap()
}

/// What goes wrong with one write of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mishap {
    None,
    Before,
    /// The file is there, and we die before we can say so.
    After,
}

/// A working tree in memory.
#[derive(Default)]
pub struct Folder {
    pub files: RefCell<BTreeMap<TargetPath, String>>,
    pub mishaps: RefCell<VecDeque<Mishap>>,
}

impl TargetFiles for Folder {
    fn tidy(&self, _path: &TargetPath, _blob: &ObjectId) {}

    fn read(&self, path: &TargetPath) -> std::io::Result<Option<String>> {
        Ok(self.files.borrow().get(path).cloned())
    }

    fn check_links(&self, _path: &TargetPath) -> Result<(), WriteError> {
        Ok(())
    }

    fn names(&self, folder: &TargetPath) -> std::io::Result<Vec<String>> {
        let within = format!("{folder}/");
        let files = self.files.borrow();
        let names = files.keys().filter_map(|path| path.as_str().strip_prefix(&within).map(str::to_owned));
        Ok(names.filter(|name| !name.contains('/')).collect())
    }

    fn write(&self, approved: &Approved<TargetPath>) -> Result<(), WriteError> {
        let (path, draft) = (approved.target(), approved.draft());
        let failed = || Err(WriteError::Io { path: path.clone(), source: std::io::ErrorKind::StorageFull.into() });
        let mishap = self.mishaps.borrow_mut().pop_front().unwrap_or(Mishap::None);
        if mishap == Mishap::Before {
            return failed();
        }
        let stands = self.files.borrow().get(path).map(|text| super::wishes::blob(text));
        if stands != draft.replaces && stands.as_ref() != Some(&draft.blob) {
            return Err(WriteError::Changed { path: path.clone() });
        }
        self.files.borrow_mut().insert(path.clone(), draft.content.clone());
        if mishap == Mishap::After { failed() } else { Ok(()) }
    }

    fn check(&self, approved: &Approved<TargetPath>) -> Result<TargetState, WriteError> {
        let (path, draft) = (approved.target(), approved.draft());
        let stands = self.files.borrow().get(path).map(|text| super::wishes::blob(text));
        if stands.as_ref() == Some(&draft.blob) {
            return Ok(TargetState::Draft);
        }
        if stands == draft.replaces {
            return Ok(TargetState::Replaced);
        }
        Err(WriteError::Changed { path: path.clone() })
    }

    fn put_back(&self, path: &TargetPath, written: &ObjectId, before: Option<&str>) -> Result<(), WriteError> {
        self.check_back(path, written, before)?;
        let mut files = self.files.borrow_mut();
        match before {
            Some(text) => drop(files.insert(path.clone(), text.to_owned())),
            None => drop(files.remove(path)),
        }
        Ok(())
    }

    fn check_back(&self, path: &TargetPath, written: &ObjectId, before: Option<&str>) -> Result<(), WriteError> {
        let files = self.files.borrow();
        let stands = files.get(path).map(String::as_str);
        if stands == before || stands.map(super::wishes::blob).as_ref() == Some(written) {
            return Ok(());
        }
        Err(WriteError::Changed { path: path.clone() })
    }
}
