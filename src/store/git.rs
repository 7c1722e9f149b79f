//! Sessions in a git repository, through git's library.
//!
//! A write takes the session's lock, reads the tip, writes the objects, has the commit signed where that is wanted, and
//! only then moves the ref in a short transaction; whatever dies on the way leaves objects that nobody names, and the session as it was.

use std::any::Any;
use std::cell::RefCell;
use std::path::PathBuf;
use std::time::Duration;

use git2::{ErrorCode, ObjectType, Oid, Repository};
use jiff::Timestamp;

use super::changes;
use super::commit::{self, Identity};
use super::durable::Durability;
use super::files::{self, Broken};
use super::lock::{self, Held, Locks, PATIENCE};
use super::patience::{look_anew, patiently, really_there};
use super::publish::{self, Move, Published};
use super::tree::{self, CommitFiles};
use super::{active, listing, replies, versions};
use crate::app::ports::{Appended, Batch, Head, Listed, Loaded, SessionStore, Signer, StoreError, Version};
use crate::domain::checkpoint::Checkpoint;
use crate::domain::event::Recorded;
use crate::domain::ids::{ObjectId, QuestionId, SessionId};
use crate::domain::session::Session;

/// How a store is to work.
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

/// The sessions of one repository, seen from one of its worktrees.
pub struct GitStore {
    repo: Repository,
    options: Options,
    locks: Locks,
    signer: Option<Box<dyn Signer + Send>>,
    /// The last state that was read or written, so that an append need not read it again.
    seen: RefCell<Option<(Oid, Session)>>,
    notices: RefCell<Vec<String>>,
}

impl GitStore {
    /// A store in a repository that somebody opened; [`super::support::refusal`] explains one that cannot be.
    pub fn open(repo: Repository, options: Options) -> Self {
        let locks = Locks::new(repo.commondir(), options.patience);
        Self { repo, options, locks, signer: None, seen: RefCell::default(), notices: RefCell::default() }
    }

    /// The same store, whose commits are signed from now on, whoever's words they hold.
    #[must_use]
    pub fn signed_by(self, signer: Box<dyn Signer + Send>) -> Self {
        Self { signer: Some(signer), ..self }
    }

    /// What happened on the side and should be said, once.
    pub fn take_notices(&self) -> Vec<String> {
        self.notices.take()
    }

    /// Every event of a session from its beginning. Walks the whole history: for checks alone.
    pub fn history(&self, id: &SessionId) -> Result<Vec<Recorded>, StoreError> {
        versions::history(&self.repo, self.existing_tip(id)?).map_err(|broken| broken.of(id))
    }

    fn tip(&self, id: &SessionId) -> Result<Option<Oid>, StoreError> {
        publish::tip(&self.repo, &id.ref_name()).map_err(|error| Broken::at(id.ref_name(), error.message()).of(id))
    }

    fn existing_tip(&self, id: &SessionId) -> Result<Oid, StoreError> {
        self.tip(id)?.ok_or_else(|| StoreError::NoSuchSession(id.to_string()))
    }

    fn read(&self, id: &SessionId, commit: Oid) -> Result<Session, StoreError> {
        read(&self.repo, id, commit)
    }

    /// The state at a commit, from memory when we were the last to see it.
    fn state_at(&self, id: &SessionId, commit: Oid) -> Result<Session, StoreError> {
        match self.seen.take() {
            Some((seen, session)) if seen == commit && session.id == *id => Ok(session),
            Some(_) | None => self.read(id, commit),
        }
    }

    /// Writes objects and moves the ref.
    fn write(&self, parent: Option<Oid>, batch: Batch<'_>, held: &Held) -> Result<Option<Oid>, StoreError> {
        let id = &batch.after.id;
        let name = id.ref_name();
        let fail = |error: git2::Error| StoreError::Git {
            doing: format!("writing session {id}"),
            why: error.message().to_owned(),
        };
        // What a pack held that is gone by now must not be taken for written.
        patiently(&self.repo, || look_anew(&self.repo)).map_err(fail)?;
        let mut written = Vec::new();
        let (tree, parent_commit) = match parent {
            None => {
                let nothing = std::collections::BTreeMap::new();
                let changes = changes::between(None, &nothing, batch)?;
                let tree =
                    patiently(&self.repo, || tree::write(&self.repo, None, &changes, &mut written)).map_err(fail)?;
                (tree, None)
            }
            Some(parent) => {
                let files = CommitFiles::of(&self.repo, parent).map_err(|broken| broken.of(id))?;
                files::check_format(&files).map_err(|broken| broken.of(id))?;
                let before = self.state_at(id, parent)?;
                let changes = changes::between(Some(&before), &files, batch)?;
                let tree =
                    patiently(&self.repo, || tree::write(&self.repo, Some(files.tree()), &changes, &mut written))
                        .map_err(fail)?;
                (tree, Some(patiently(&self.repo, || self.repo.find_commit(parent)).map_err(fail)?))
            }
        };
        let at = time_of(batch, parent_commit.as_ref());
        let (author, committer) = self.options.identity.signatures(batch, at).map_err(fail)?;
        let message = commit::message(batch);
        let tree = patiently(&self.repo, || self.repo.find_tree(tree)).map_err(fail)?;
        let parents: Vec<&git2::Commit<'_>> = parent_commit.iter().collect();
        let new = match &self.signer {
            None => patiently(&self.repo, || self.repo.commit(None, &author, &committer, &message, &tree, &parents)),
            Some(signer) => {
                let unsigned =
                    self.repo.commit_create_buffer(&author, &committer, &message, &tree, &parents).map_err(fail)?;
                let signature = signer.sign(&unsigned)?;
                let unsigned = unsigned.as_str().expect("a commit of UTF-8 strings is UTF-8");
                patiently(&self.repo, || self.repo.commit_signed(unsigned, &signature, Some("gpgsig")))
            }
        }
        .map_err(fail)?;
        written.push(new);
        patiently(&self.repo, || really_there(&self.repo, &written)).map_err(fail)?;
        let io = |source| StoreError::Io { doing: format!("forcing session {id} onto the disk"), source };
        self.options.durability.before_the_ref(&self.repo, &written).map_err(io)?;
        let reflog = format!("grill: {}", message.lines().next().unwrap_or_default());
        let step = Move { name: &name, from: parent, to: new, by: &committer, message: &reflog };
        let mut removed = Vec::new();
        let published = publish::publish(&self.repo, &step, held, &mut removed);
        self.notices.borrow_mut().extend(
            removed.iter().map(|path| format!("removed {}, which a process that died had left", path.display())),
        );
        match published? {
            Published::Moved => Ok(None),
            Published::Done => {
                self.options.durability.after_the_ref(&self.repo, &name).map_err(io)?;
                self.seen.replace(Some((new, batch.after.clone())));
                Ok(Some(new))
            }
        }
    }
}

/// The session at a commit, whole.
pub(super) fn read(repo: &Repository, id: &SessionId, commit: Oid) -> Result<Session, StoreError> {
    let session =
        CommitFiles::of(repo, commit).and_then(|files| files::read_session(&files)).map_err(|broken| broken.of(id))?;
    if session.id == *id {
        Ok(session)
    } else {
        let why = format!("it is the session {}", session.id);
        Err(Broken::at(super::layout::SESSION, why).of(id))
    }
}

/// When a commit is dated: when its first event happened, and never before its parent.
fn time_of(batch: Batch<'_>, parent: Option<&git2::Commit<'_>>) -> Timestamp {
    let at = batch.events.first().map_or(batch.after.updated_at, |first| first.at);
    let earliest =
        parent.and_then(|parent| Timestamp::from_second(parent.time().seconds()).ok()).unwrap_or(Timestamp::UNIX_EPOCH);
    at.max(earliest)
}

fn head(oid: Oid) -> Head {
    Head(ObjectId::parse(&oid.to_string()).expect("git's ids are hexadecimal"))
}

impl SessionStore for GitStore {
    fn lock(&self, id: &SessionId) -> Result<Box<dyn Any>, StoreError> {
        Ok(Box::new(self.locks.hold(id)?))
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

    fn load(&self, id: &SessionId) -> Result<Loaded, StoreError> {
        let tip = self.existing_tip(id)?;
        let session = self.read(id, tip)?;
        self.seen.replace(Some((tip, session.clone())));
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

    fn list(&self) -> Result<Vec<Listed>, StoreError> {
        listing::list(&self.repo)
    }

    fn active(&self) -> Result<Option<SessionId>, StoreError> {
        Ok(active::active(&self.repo)?.map(|(id, _)| id))
    }

    fn activate(&self, id: &SessionId) -> Result<(), StoreError> {
        let _held = self.locks.hold(id)?;
        self.existing_tip(id)?;
        active::activate(&self.repo, id)
    }

    fn deactivate(&self) -> Result<(), StoreError> {
        active::deactivate(&self.repo)?;
        lock::sweep(self.repo.commondir());
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

    fn blob(&self, id: &ObjectId) -> Result<Option<Vec<u8>>, StoreError> {
        let broken = |error: git2::Error| StoreError::Git {
            doing: format!("reading the blob {}", id.short()),
            why: error.message().to_owned(),
        };
        let oid = Oid::from_str(id.as_str()).map_err(broken)?;
        match patiently(&self.repo, || self.repo.find_blob(oid)) {
            Ok(blob) => Ok(Some(blob.content().to_vec())),
            Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
            Err(error) => Err(broken(error)),
        }
    }

    fn blob_id(&self, bytes: &[u8]) -> Result<ObjectId, StoreError> {
        Oid::hash_object(ObjectType::Blob, bytes)
            .map(|oid| head(oid).0)
            .map_err(|error| StoreError::Git { doing: "naming a blob".to_owned(), why: error.message().to_owned() })
    }

    fn keep_draft(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, StoreError> {
        replies::keep(self.repo.commondir(), id, question, text)
    }

    fn replace_draft(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, StoreError> {
        replies::replace(self.repo.commondir(), id, question, text)
    }

    fn kept_draft(&self, id: &SessionId, question: &QuestionId) -> Result<Option<String>, StoreError> {
        replies::kept(self.repo.commondir(), id, question)
    }

    fn take_draft(&self, id: &SessionId, question: &QuestionId) -> Result<Option<String>, StoreError> {
        replies::take(self.repo.commondir(), id, question)
    }
}
