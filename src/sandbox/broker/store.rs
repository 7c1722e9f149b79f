//! Sessions seen from behind the walls: read directly, never written from here.

use std::any::Any;
use std::path::PathBuf;

use crate::app::ports::{Appended, Batch, Head, Listed, Loaded, Recorder, SessionStore, StoreError, Version};
use crate::domain::checkpoint::Checkpoint;
use crate::domain::ids::{ObjectId, QuestionId, SessionId};
use crate::domain::production::Draft;
use crate::domain::session::Session;
use crate::domain::undoing::TakenBack;

/// A store whose reading is another's, and whose writing is the broker's.
pub struct ReadOnlyStore<'a> {
    pub store: &'a dyn SessionStore,
    /// Writes what may be written.
    pub recorder: &'a dyn Recorder,
}

fn not_here(what: &str) -> StoreError {
    let source = std::io::Error::other("this is a read-only run; type it outside");
    StoreError::Io { doing: what.to_owned(), source }
}

impl SessionStore for ReadOnlyStore<'_> {
    fn backend(&self) -> &'static str {
        self.store.backend()
    }

    fn lock(&self, _id: &SessionId) -> Result<Box<dyn Any>, StoreError> {
        Ok(Box::new(()))
    }

    fn lock_production(&self, _id: &SessionId) -> Result<Box<dyn Any>, StoreError> {
        Err(not_here("creating issues"))
    }

    fn lock_runs(&self, _id: &SessionId) -> Result<Box<dyn Any>, StoreError> {
        Err(not_here("leaving the output phase"))
    }

    fn create(&self, _batch: Batch<'_>) -> Result<Head, StoreError> {
        Err(not_here("starting a session"))
    }

    fn load(&self, id: &SessionId) -> Result<Loaded, StoreError> {
        self.store.load(id)
    }

    fn watch(&self, id: &SessionId) -> Box<dyn Fn() -> bool> {
        self.store.watch(id)
    }

    fn append(&self, _expected: &Head, _batch: Batch<'_>) -> Result<Appended, StoreError> {
        Err(not_here("recording"))
    }

    fn ids(&self) -> Result<Vec<SessionId>, StoreError> {
        self.store.ids()
    }

    fn list_entries(&self, ids: &[SessionId]) -> Result<Vec<Listed>, StoreError> {
        self.store.list_entries(ids)
    }

    fn recorded_here(&self, id: &SessionId) -> bool {
        self.store.recorded_here(id)
    }

    fn active(&self) -> Result<Option<SessionId>, StoreError> {
        self.store.active()
    }

    /// Whoever records the end holds it.
    fn claim(&self) -> Result<Box<dyn std::any::Any>, StoreError> {
        Ok(Box::new(()))
    }

    fn step(&self, _id: &SessionId) -> Result<Box<dyn std::any::Any>, StoreError> {
        Err(not_here("having a role play"))
    }

    fn activate(&self, _id: &SessionId) -> Result<(), StoreError> {
        Err(not_here("making a session the active one"))
    }

    fn tidy(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Whoever recorded the end has done it.
    fn deactivate(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn versions(&self, id: &SessionId, limit: usize) -> Result<Vec<Version>, StoreError> {
        self.store.versions(id, limit)
    }

    fn checkpoint_at(&self, id: &SessionId, version: &str) -> Result<Checkpoint, StoreError> {
        self.store.checkpoint_at(id, version)
    }

    fn previous_checkpoint(&self, id: &SessionId) -> Result<Checkpoint, StoreError> {
        self.store.previous_checkpoint(id)
    }

    fn taken_back(&self, id: &SessionId) -> Result<TakenBack, StoreError> {
        self.store.taken_back(id)
    }

    fn drafted(&self, id: &SessionId, drafts: &[&Draft]) -> Result<Vec<Session>, StoreError> {
        self.store.drafted(id, drafts)
    }

    fn blob(&self, id: &ObjectId) -> Result<Option<Vec<u8>>, StoreError> {
        self.store.blob(id)
    }

    fn blob_id(&self, bytes: &[u8]) -> Result<ObjectId, StoreError> {
        self.store.blob_id(bytes)
    }

    fn keep_draft(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, StoreError> {
        self.recorder.keep(id, question, text).map_err(|error| StoreError::Io {
            doing: "keeping the reply".to_owned(),
            source: std::io::Error::other(error),
        })
    }

    /// Nothing inside takes the place of what a person typed: it is kept beside.
    fn replace_draft(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, StoreError> {
        self.keep_draft(id, question, text)
    }

    /// It is for the person.
    fn kept_draft(&self, _id: &SessionId, _question: &QuestionId) -> Result<Option<String>, StoreError> {
        Ok(None)
    }

    /// It stays for the person.
    fn take_draft(&self, _id: &SessionId, _question: &QuestionId) -> Result<Option<String>, StoreError> {
        Ok(None)
    }

    /// Whatever leaves a run is kept as that.
    fn keep_sent(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, StoreError> {
        self.keep_draft(id, question, text)
    }

    /// What this run has had kept is taken away, and nothing else that is kept outside; what stays is superfluous at worst.
    fn drop_sent(&self, id: &SessionId, question: &QuestionId, text: &str) -> Result<(), StoreError> {
        let _ = self.recorder.drop_kept(id, question, text);
        Ok(())
    }

    /// They are told outside.
    fn sent(&self, _id: &SessionId, _question: &QuestionId) -> Vec<PathBuf> {
        Vec::new()
    }
}
