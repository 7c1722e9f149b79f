//! git in the parent with an index and objects of ours: it reads the parent's files and attributes, as for a command of
//! the user's, and writes nothing there.

use std::ffi::OsString;
use std::path::PathBuf;

use super::drivers::Drivers;
use super::error::LendError;
use super::notes::Notes;
use super::own_git::listed;
use super::parent::Parent;
use crate::app::ports::Process;
use crate::git::{Error, Git};

/// The folder of the index in our notes.
const INDEX: &str = "index.parent";

pub(super) struct Aside<'p> {
    parent: &'p Parent<'p>,
    index: PathBuf,
    objects: PathBuf,
}

impl<'p> Aside<'p> {
    /// With the index as it was left.
    pub(super) fn of(parent: &'p Parent<'p>, notes: &Notes) -> Self {
        Self { parent, index: notes.path(INDEX).join("index"), objects: notes.git_dir().join("objects") }
    }

    /// With an index that is HEAD's.
    pub(super) fn at_head(parent: &'p Parent<'p>, notes: &Notes, doing: &str) -> Result<Self, LendError> {
        notes.emptied(INDEX).map_err(|error| LendError::failed(doing, error))?;
        let aside = Self::of(parent, notes);
        aside.ask(doing, &["read-tree", "HEAD"], Vec::new())?;
        Ok(aside)
    }

    pub(super) fn process(&self) -> &'p dyn Process {
        self.parent.process
    }

    /// The filters of the user's.
    pub(super) fn drivers(&self) -> Result<Drivers, Error> {
        Drivers::of(self.parent)
    }

    pub(super) fn git<A: Into<OsString>>(&self, words: impl IntoIterator<Item = A>) -> Git {
        // A split one would have a part of it in the parent's git directory.
        let git = self.parent.git(words).setting("core.splitIndex=false").with("GIT_INDEX_FILE", &self.index);
        let git = git.with("GIT_OBJECT_DIRECTORY", &self.objects);
        git.with("GIT_ALTERNATE_OBJECT_DIRECTORIES", listed(&self.parent.objects()))
    }

    pub(super) fn ask(&self, doing: &str, words: &[&str], stdin: Vec<u8>) -> Result<Vec<u8>, LendError> {
        let git = self.git(words.iter().copied()).fed(stdin);
        git.ask(self.parent.process).map_err(|error| LendError::failed(doing, error))
    }
}
