//! A snapshot: everything of a repository that drift is measured by, read in one go.

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

use super::folders::Folders;
use super::git::GitAt;
use super::gitdir::{self, Operations};
use super::ignored::Ignored;
use super::index::{GITLINK, Index, Listed};
use super::kept::Kept;
use super::own_ref::OwnRefs;
use super::refs::{self, Refs, Stash, Target};
use super::trees::Trees;
use super::worktree::{Reader, Reading, Worktree};
use crate::app::ports::BaselineError;
use crate::git::object::parsed;
use crate::git::{Error, Oid, Repo};

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
    pub index: Oid,
    /// The entries that a tree cannot describe.
    pub special: Listed,
    pub tree: Oid,
    pub files: Worktree,
    /// What is ignored, where that is watched.
    pub ignored: Option<Ignored>,
}

/// What some other object keeps.
struct Already {
    trees: Vec<Oid>,
    files: HashSet<Oid>,
}

/// Where snapshots are taken.
pub(super) struct Scene<'a> {
    pub git: GitAt<'a>,
    pub repo: &'a Repo,
    pub common_dir: PathBuf,
    pub reading: &'a Reading,
    pub own_refs: &'a OwnRefs,
}

impl Scene<'_> {
    /// Takes a snapshot, and looks at `also` these paths, whether they are ignored or not. What it shares with the snapshot
    /// `before` is kept by that one.
    pub(super) fn take(&self, also: &BTreeSet<Vec<u8>>, before: Option<&Kept>) -> Result<Snapshot, BaselineError> {
        let (head, refs) = (refs::head(&self.git)?, refs::refs(&self.git)?);
        let already = self.already(&head, &refs, before);
        let checkout = match self.folders()? {
            None => None,
            Some(folders) => {
                let index = Index::read(&self.git)?;
                let files = Reader::new(self, &folders, &already.files).read(&index, also)?;
                let mut trees = Trees::new(self.repo, &already.trees);
                Some(Checkout {
                    index: trees.write(index.plain())?,
                    special: index.special(),
                    tree: files.tree(&mut trees)?,
                    files,
                    ignored: None,
                })
            }
        };
        Ok(Snapshot {
            head,
            refs,
            stashes: refs::stashes(&self.git, &self.common_dir)?,
            operations: gitdir::operations(self.repo, &self.git.dir, gitdir::OPERATIONS)?,
            checkout,
        })
    }

    /// What need not be written: the newest commit's tree, and what the snapshot `before` has. To both of them leads what
    /// the new one holds on to as well, so no garbage collection takes them.
    fn already(&self, head: &Target, refs: &Refs, before: Option<&Kept>) -> Already {
        let committed = committed(self.repo, head, refs);
        let before = before.and_then(|before| before.trees);
        let differing = committed.zip(before).map(|(committed, (_, tree))| self.repo.differing(committed, tree));
        let files = differing.into_iter().flatten().flatten().filter_map(|one| Some(one.new?.1));
        let trees = committed.into_iter().chain(before.into_iter().flat_map(|(index, tree)| [index, tree]));
        Already { trees: trees.collect(), files: files.collect() }
    }

    /// A snapshot with what is compared besides while an agent is watched.
    pub(super) fn watched(&self, mut snapshot: Snapshot, ignored: Ignored) -> Result<Snapshot, BaselineError> {
        if let Some(checkout) = &mut snapshot.checkout {
            checkout.ignored = Some(ignored);
            snapshot.operations.append(&mut gitdir::operations(self.repo, &self.git.dir, gitdir::PASSING)?);
            snapshot.refs.append(&mut refs::passing(&self.git)?);
        }
        Ok(snapshot)
    }

    /// Whether all of a written snapshot is there. What the newest commit has as well is git's to keep.
    pub(super) fn holds(&self, kept: &Kept) -> bool {
        let head = kept.record.head.as_ref();
        let known = head.and_then(|head| committed(self.repo, head, &kept.record.refs));
        kept.commit.is_some_and(|commit| is_whole(self.repo, commit, known).unwrap_or(false))
    }

    /// The working tree, opened.
    pub(super) fn folders(&self) -> Result<Option<Folders>, BaselineError> {
        self.git
            .top
            .as_ref()
            .map(|top| Folders::open(top).map_err(|error| BaselineError::failed("opening the working tree", error)))
            .transpose()
    }
}

/// The tree of the newest commit.
fn committed(repo: &Repo, head: &Target, refs: &Refs) -> Option<Oid> {
    let named = match head {
        Target::Symbolic(branch) => refs.get(branch)?,
        Target::Object(_) => head,
    };
    match named {
        Target::Object(id) => Some(repo.commit(parsed(id)?).ok()??.tree),
        Target::Symbolic(_) => None,
    }
}

/// Whether a snapshot's commit is there with everything in its tree, except for what `known` has.
fn is_whole(repo: &Repo, commit: Oid, known: Option<Oid>) -> Result<bool, Error> {
    let Some(commit) = repo.commit(commit)? else { return Ok(false) };
    for entry in repo.tree(commit.tree)? {
        let new: Vec<(u32, Oid)> = match known.filter(|_| entry.is_folder()) {
            Some(known) => repo.differing(known, entry.id)?.into_iter().filter_map(|one| one.new).collect(),
            None if entry.is_folder() => repo.files(entry.id)?.into_values().collect(),
            None => vec![(entry.mode, entry.id)],
        };
        if !new.iter().all(|(mode, id)| *mode == GITLINK || repo.seems_to_hold(*id)) {
            return Ok(false);
        }
    }
    Ok(true)
}
