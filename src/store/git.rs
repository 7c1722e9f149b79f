//! Sessions in a git repository.
//!
//! A write takes the session's lock, reads the tip, writes the objects, has the commit signed where that is wanted, and
//! only then moves the ref in a short transaction; whatever dies on the way leaves objects that nobody names, and the
//! session as it was. Here it goes through git's library; where that does not open the repository, through the `git`
//! program ([`crate::git::Program`]), in the same order and to the same bytes.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;

use super::changes::{self, Changes};
use super::claim::Claim;
use super::commit::Identity;
use super::copies::{self, Reach};
use super::durable::Durability;
use super::files::{self, Broken};
use super::lock::{self, Held, Locks, PATIENCE};
use super::publish;
use super::tree::CommitFiles;
use super::writers::Writing;
use super::{active, granted, listing, replies, versions, watch};
use crate::app::ports::{Appended, Batch, Head, Listed, Loaded, SessionStore, StoreError, Version};
use crate::domain::checkpoint::Checkpoint;
use crate::domain::event::Recorded;
use crate::domain::ids::{ObjectId, QuestionId, SessionId};
use crate::domain::production::Draft;
use crate::domain::session::Session;
use crate::domain::undoing::TakenBack;
use crate::files::lock::FAR;
use crate::git::object::in_words;
use crate::git::signing::Signer;
use crate::git::{Error, Oid, Repo};

/// After so many events of a session git is to look whether the repository wants packing. A commit holds one event at
/// least, and nothing has to be counted for it.
const MAINTENANCE: u64 = 256;

#[derive(Clone, Debug)]
pub struct Options {
    /// Who signs.
    pub identity: Identity,
    /// How hard writes are pressed onto the disk.
    pub durability: Durability,
    /// How long a busy session is waited for.
    pub patience: Duration,
}

impl Options {
    /// Git's defaults with this identity.
    pub fn new(identity: Identity) -> Self {
        Self { identity, durability: Durability::System, patience: PATIENCE }
    }
}

/// A state that was read or written.
struct Seen {
    at: Oid,
    session: Session,
    /// Whether all that it claims is known to count here.
    counts: bool,
}

/// The sessions of one repository, seen from one of its worktrees.
pub struct GitStore {
    pub(super) repo: Repo,
    pub(super) options: Options,
    locks: Locks,
    pub(super) signer: Option<Signer>,
    /// The last state that was read or written, so that nobody who wants it next need read it again.
    seen: RefCell<Option<Seen>>,
    notices: RefCell<Vec<String>>,
    typed: replies::Typed,
    wants_maintenance: Cell<bool>,
}

impl GitStore {
    pub fn open(repo: impl Into<Repo>, options: Options) -> Self {
        let repo = repo.into();
        let locks = Locks::new(repo.common_dir(), options.patience);
        Self {
            repo,
            options,
            locks,
            signer: None,
            seen: RefCell::default(),
            notices: RefCell::default(),
            typed: replies::Typed::default(),
            wants_maintenance: Cell::new(false),
        }
    }

    /// The same store, whose commits are signed from now on, whoever's words they hold.
    #[must_use]
    pub fn signed_by(self, signer: Signer) -> Self {
        Self { signer: Some(signer), ..self }
    }

    pub fn repo(&self) -> &Repo {
        &self.repo
    }

    /// What happened on the side and should be said, once.
    pub fn take_notices(&self) -> Vec<String> {
        let mut said = self.notices.take();
        said.extend(copies::take_told());
        said
    }

    /// Has something said once the command is over.
    pub(super) fn say(&self, notice: String) {
        self.notices.borrow_mut().push(notice);
    }

    /// Whether git should look after the repository: a session has been left, or has grown for a while.
    pub fn wants_maintenance(&self) -> bool {
        self.wants_maintenance.get()
    }

    fn notice<'a>(&self, removed: impl IntoIterator<Item = &'a PathBuf>) {
        let told =
            removed.into_iter().map(|path| format!("removed {}, which a process that died had left", path.display()));
        self.notices.borrow_mut().extend(told);
    }

    /// Every event of a session from its beginning. Walks the whole history: for checks alone.
    pub fn history(&self, id: &SessionId) -> Result<Vec<Recorded>, StoreError> {
        versions::history(&self.repo, self.existing_tip(id)?).map_err(|broken| broken.of(id))
    }

    fn tip(&self, id: &SessionId) -> Result<Option<Oid>, StoreError> {
        publish::tip(&self.repo, &id.ref_name()).map_err(|error| Broken::at(id.ref_name(), error.0).of(id))
    }

    /// Whether a session has ended or is gone. One that cannot be read is not known to be over.
    fn is_over(&self, id: &SessionId) -> bool {
        match self.tip(id) {
            Ok(None) => true,
            Ok(Some(tip)) => self.read(id, tip).is_ok_and(|session| session.is_closed()),
            Err(_) => false,
        }
    }

    fn existing_tip(&self, id: &SessionId) -> Result<Oid, StoreError> {
        self.tip(id)?.ok_or_else(|| StoreError::NoSuchSession(id.to_string()))
    }

    fn read(&self, id: &SessionId, commit: Oid) -> Result<Session, StoreError> {
        read(&self.repo, id, commit)
    }

    /// The state that is recorded at a commit, from memory when we were the last to see it.
    pub(super) fn state_at(&self, id: &SessionId, commit: Oid) -> Result<Session, StoreError> {
        self.seen_at(id, commit).map(|seen| seen.session)
    }

    fn seen_at(&self, id: &SessionId, commit: Oid) -> Result<Seen, StoreError> {
        match self.seen.take() {
            Some(seen) if seen.at == commit && seen.session.id == *id => Ok(seen),
            Some(_) | None => Ok(Seen { at: commit, session: self.read(id, commit)?, counts: false }),
        }
    }

    /// What a batch changes on top of a commit, and the files of that commit; the first one has nothing before it.
    pub(super) fn changes_on(
        &self,
        parent: Option<Oid>,
        batch: Batch<'_>,
    ) -> Result<(Changes, Option<CommitFiles<'_>>), StoreError> {
        let id = &batch.after.id;
        let Some(parent) = parent else {
            return Ok((changes::between(None, &BTreeMap::new(), batch)?, None));
        };
        let files = CommitFiles::of(&self.repo, parent).map_err(|broken| broken.of(id))?;
        files::check_format(&files).map_err(|broken| broken.of(id))?;
        let before = self.state_at(id, parent)?;
        Ok((changes::between(Some(&before), &files, batch)?, Some(files)))
    }

    /// Writes objects and moves the ref.
    fn write(&self, parent: Option<Oid>, batch: Batch<'_>, held: &Held) -> Result<Option<Oid>, StoreError> {
        let mut removed = Vec::new();
        let published = self.write_commit(parent, batch, held, &mut removed);
        self.notice(&removed);
        let new = published?;
        if let Some(new) = new {
            if is_a_while(batch) {
                self.wants_maintenance.set(true);
            }
            self.seen.replace(Some(Seen { at: new, session: batch.after.clone(), counts: true }));
        }
        Ok(new)
    }
}

/// What went wrong while a session was written.
pub(super) fn git(id: &SessionId, error: Error) -> StoreError {
    StoreError::Git { doing: format!("writing session {id}"), why: error.0 }
}

/// The session at a commit, whole, as it is recorded there; [`granted::counting`] tells what of it counts here.
pub(super) fn read(repo: &Repo, id: &SessionId, commit: Oid) -> Result<Session, StoreError> {
    let session =
        CommitFiles::of(repo, commit).and_then(|files| files::read_session(&files)).map_err(|broken| broken.of(id))?;
    if session.id == *id {
        Ok(session)
    } else {
        let why = format!("it is the session {}", session.id);
        Err(Broken::at(super::layout::SESSION, why).of(id))
    }
}

/// Whether a session has grown for a while with this batch.
fn is_a_while(batch: Batch<'_>) -> bool {
    let before = batch.events.first().map_or(batch.after.seq, |first| first.seq.saturating_sub(1));
    before / MAINTENANCE != batch.after.seq / MAINTENANCE
}

/// When a commit is dated: when its first event happened, and never before its parent.
pub(super) fn time_of(batch: Batch<'_>, parent: Option<i64>) -> Timestamp {
    let at = batch.events.first().map_or(batch.after.updated_at, |first| first.at);
    let earliest = parent.and_then(|seconds| Timestamp::from_second(seconds).ok()).unwrap_or(Timestamp::UNIX_EPOCH);
    at.max(earliest)
}

fn head(oid: Oid) -> Head {
    Head(in_words(oid))
}

impl SessionStore for GitStore {
    fn backend(&self) -> &'static str {
        self.repo.backend().word()
    }

    fn lock(&self, id: &SessionId) -> Result<Box<dyn Any>, StoreError> {
        Ok(Box::new(self.locks.hold(id)?))
    }

    fn lock_production(&self, id: &SessionId) -> Result<Box<dyn Any>, StoreError> {
        Ok(Box::new(self.locks.hold_production(id)?))
    }

    fn lock_runs(&self, id: &SessionId) -> Result<Box<dyn Any>, StoreError> {
        Ok(Box::new(Writing::none(self.repo.common_dir(), id)?))
    }

    fn create(&self, batch: Batch<'_>) -> Result<Head, StoreError> {
        let id = &batch.after.id;
        let held = self.locks.hold(id)?;
        let taken =
            || StoreError::Git { doing: format!("creating session {id}"), why: "there is one of that name".to_owned() };
        if self.tip(id)?.is_some() {
            return Err(taken());
        }
        let new = self.write(None, batch, &held)?;
        new.map(head).ok_or_else(taken)
    }

    fn watch(&self, id: &SessionId) -> Box<dyn Fn() -> bool> {
        watch::watch(self.repo.common_dir(), &id.ref_name())
    }

    fn load(&self, id: &SessionId) -> Result<Loaded, StoreError> {
        let tip = self.existing_tip(id)?;
        copies::bring_back(&self.repo, id, Reach::Newest);
        // A commit never changes, so what was seen at it need not be read again.
        let seen = self.seen_at(id, tip)?;
        let (session, counts) = (seen.session.clone(), seen.counts);
        self.seen.replace(Some(seen));
        let session = if counts { session } else { granted::counting(self.repo.common_dir(), session)? };
        Ok(Loaded { session, head: head(tip) })
    }

    fn append(&self, expected: &Head, batch: Batch<'_>) -> Result<Appended, StoreError> {
        let id = &batch.after.id;
        let held = self.locks.hold(id)?;
        let tip = self.existing_tip(id)?;
        if head(tip) != *expected {
            return Ok(Appended::Moved);
        }
        Ok(match self.write(Some(tip), batch, &held)? {
            Some(new) => Appended::At(head(new)),
            None => Appended::Moved,
        })
    }

    fn ids(&self) -> Result<Vec<SessionId>, StoreError> {
        Ok(listing::ids(&self.repo)?.into_iter().rev().collect())
    }

    fn list_entries(&self, ids: &[SessionId]) -> Result<Vec<Listed>, StoreError> {
        Ok(listing::list_entries(&self.repo, ids))
    }

    fn recorded_here(&self, id: &SessionId) -> bool {
        listing::recorded_here(&self.repo, id)
    }

    fn active(&self) -> Result<Option<SessionId>, StoreError> {
        Ok(active::active(&self.repo)?.map(|(id, _)| id))
    }

    fn claim(&self) -> Result<Box<dyn Any>, StoreError> {
        Ok(Box::new(Claim::take(self.repo.git_dir(), FAR)?))
    }

    fn step(&self, id: &SessionId) -> Result<Box<dyn Any>, StoreError> {
        Ok(Box::new(self.locks.hold_step(id)?))
    }

    fn activate(&self, id: &SessionId) -> Result<(), StoreError> {
        let _held = self.locks.hold(id)?;
        self.existing_tip(id)?;
        active::activate(&self.repo, id, self.options.durability)
    }

    fn deactivate(&self) -> Result<(), StoreError> {
        // It may be the last command about the session for a long time.
        if let Ok(Some((id, _))) = active::active(&self.repo) {
            copies::bring_back(&self.repo, &id, Reach::All);
        }
        active::deactivate(&self.repo, self.options.durability)?;
        self.wants_maintenance.set(true);
        // What cannot be tidied up is in nobody's way, and doctor names it.
        let _ = self.tidy();
        Ok(())
    }

    fn tidy(&self) -> Result<(), StoreError> {
        granted::sweep(self.repo.common_dir(), &|id| self.is_over(id));
        replies::sweep(self.repo.common_dir(), &|id| self.is_over(id));
        copies::sweep(&self.repo, &self.locks);
        self.notice(&lock::sweep(self.repo.common_dir()));
        self.notice(&active::tidy(&self.repo)?);
        Ok(())
    }

    fn versions(&self, id: &SessionId, limit: usize) -> Result<Vec<Version>, StoreError> {
        versions::versions(&self.repo, self.existing_tip(id)?, limit).map_err(|broken| broken.of(id))
    }

    fn checkpoint_at(&self, id: &SessionId, version: &str) -> Result<Checkpoint, StoreError> {
        versions::checkpoint_at(&self.repo, id, self.existing_tip(id)?, version)
    }

    fn previous_checkpoint(&self, id: &SessionId) -> Result<Checkpoint, StoreError> {
        versions::previous_checkpoint(&self.repo, self.existing_tip(id)?).map_err(|broken| broken.of(id))
    }

    fn taken_back(&self, id: &SessionId) -> Result<TakenBack, StoreError> {
        versions::taken_back(&self.repo, self.existing_tip(id)?).map_err(|broken| broken.of(id))
    }

    fn drafted(&self, id: &SessionId, drafts: &[&Draft]) -> Result<Vec<Session>, StoreError> {
        versions::drafted(&self.repo, self.existing_tip(id)?, drafts).map_err(|broken| broken.of(id))
    }

    fn blob(&self, id: &ObjectId) -> Result<Option<Vec<u8>>, StoreError> {
        versions::blob(&self.repo, id)
    }

    fn blob_id(&self, bytes: &[u8]) -> Result<ObjectId, StoreError> {
        self.repo
            .blob_name(bytes)
            .map(in_words)
            .map_err(|error| StoreError::Git { doing: "naming a blob".to_owned(), why: error.0 })
    }

    fn keep_draft(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, StoreError> {
        self.typed.keep(self.repo.common_dir(), id, question, text)
    }

    fn replace_draft(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, StoreError> {
        self.typed.replace(self.repo.common_dir(), id, question, text)
    }

    fn kept_draft(&self, id: &SessionId, question: &QuestionId) -> Result<Option<String>, StoreError> {
        self.typed.kept(self.repo.common_dir(), id, question)
    }

    fn take_draft(&self, id: &SessionId, question: &QuestionId) -> Result<Option<String>, StoreError> {
        self.typed.take(self.repo.common_dir(), id, question)
    }

    fn keep_sent(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, StoreError> {
        replies::keep_sent(self.repo.common_dir(), id, question, text)
    }

    fn drop_sent(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<(), StoreError> {
        replies::drop_sent(self.repo.common_dir(), id, question, text)
    }

    fn sent(&self, id: &SessionId, question: &QuestionId) -> Vec<PathBuf> {
        replies::sent(self.repo.common_dir(), id, question)
    }
}
