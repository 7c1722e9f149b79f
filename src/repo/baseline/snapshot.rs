//! A snapshot: everything of a repository that drift is measured by, read in one go.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::folders::Folders;
use super::git::Git;
use super::gitdir::{self, Operations};
use super::index::{Index, Listed};
use super::own_ref::OwnRefs;
use super::refs::{self, Refs, Stash, Target};
use super::trees::Trees;
use super::worktree::{Reader, Reading, Worktree};
use crate::app::ports::BaselineError;
use crate::git::{Oid, Repo};

/// What a repository looks like.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    pub head: Target,
    pub refs: Refs,
    /// The oldest first.
    pub stashes: Vec<Stash>,
    pub operations: Operations,
    /// What a working tree has; none in a bare repository.
    pub checkout: Option<Checkout>,
}

/// Index and working tree.
#[derive(Clone, Debug)]
pub(super) struct Checkout {
    /// The tree of the index.
    pub index: Oid,
    /// The entries that a tree cannot describe.
    pub special: Listed,
    /// The tree of the files.
    pub tree: Oid,
    pub files: Worktree,
}

/// Where snapshots are taken.
pub(super) struct Scene<'a> {
    pub git: Git<'a>,
    pub repo: &'a Repo,
    pub common_dir: PathBuf,
    pub reading: &'a Reading,
    pub own_refs: &'a OwnRefs,
}

impl Scene<'_> {
    /// Takes a snapshot, and looks at `also` these paths, whether they are ignored or not.
    pub(super) fn take(&self, also: &BTreeSet<Vec<u8>>) -> Result<Snapshot, BaselineError> {
        let checkout = match self.folders()? {
            None => None,
            Some(folders) => {
                let index = Index::read(&self.git)?;
                let files = Reader::new(&self.git, self.repo, self.reading, &folders).read(&index, also)?;
                let mut trees = Trees::new(self.repo);
                Some(Checkout {
                    index: trees.write(index.plain())?,
                    special: index.special(),
                    tree: files.tree(&mut trees)?,
                    files,
                })
            }
        };
        Ok(Snapshot {
            head: refs::head(&self.git)?,
            refs: refs::refs(&self.git)?,
            stashes: refs::stashes(&self.git, &self.common_dir)?,
            operations: gitdir::operations(self.repo, &self.git.dir)?,
            checkout,
        })
    }

    /// The working tree, opened.
    pub(super) fn folders(&self) -> Result<Option<Folders>, BaselineError> {
        self.git
            .worktree
            .as_ref()
            .map(|top| Folders::open(top).map_err(|error| BaselineError::failed("opening the working tree", error)))
            .transpose()
    }
}
