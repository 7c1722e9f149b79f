//! What the ref policy asks about a repository, answered by libgit2.
//!
//! The objects of a commit are in the object store before git asks the hook about its refs, so they can be read.

use std::collections::BTreeSet;

use git2::{Delta, DiffOptions, ErrorCode, Oid, Repository};

use crate::hooks::packed;
use crate::hooks::under_way::under_way;
use crate::policy::leavings::UnderWay;
use crate::policy::ref_line::{RefName, RefValue};
use crate::policy::refs::{CommitShape, PackedRefs, RefFacts, Unreadable};

/// Facts about an open repository, as this moment finds it.
pub struct GitFacts<'repo> {
    repo: &'repo Repository,
}

impl<'repo> GitFacts<'repo> {
    /// Answers for `repo`, opened at the worktree whose hook runs.
    pub fn new(repo: &'repo Repository) -> Self {
        Self { repo }
    }

    fn raw(&self, name: &RefName) -> Result<Option<RefValue>, Unreadable> {
        let text = std::str::from_utf8(name.as_bytes()).map_err(|_| Unreadable("its name is not UTF-8".to_owned()))?;
        match self.repo.find_reference(text) {
            Ok(found) => match (found.target(), found.symbolic_target_bytes()) {
                (Some(id), _) => Ok(Some(RefValue::Object(id.to_string()))),
                (None, Some(target)) => Ok(Some(RefValue::Symbolic(target.to_vec()))),
                (None, None) => Err(Unreadable(format!("'{text}' points to nothing"))),
            },
            Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
            Err(error) => Err(unreadable(&error)),
        }
    }

    fn paths(&self, commit: &git2::Commit<'_>) -> Result<Vec<Vec<u8>>, git2::Error> {
        let (old, new) = (commit.parent(0)?.tree()?, commit.tree()?);
        let mut options = DiffOptions::new();
        options.ignore_submodules(false).include_typechange(true);
        let diff = self.repo.diff_tree_to_tree(Some(&old), Some(&new), Some(&mut options))?;
        let mut paths = BTreeSet::new();
        for delta in diff.deltas().filter(|delta| delta.status() != Delta::Unmodified) {
            paths.extend(
                [delta.old_file(), delta.new_file()].iter().filter_map(git2::DiffFile::path_bytes).map(<[u8]>::to_vec),
            );
        }
        Ok(paths.into_iter().collect())
    }
}

impl RefFacts for GitFacts<'_> {
    fn current(&self, name: &RefName) -> Result<Option<RefValue>, Unreadable> {
        self.raw(name)
    }

    fn packed_refs(&self) -> PackedRefs {
        packed::lock(self.repo.commondir())
    }

    fn packed(&self, name: &RefName) -> Result<Option<String>, Unreadable> {
        packed::value(self.repo.commondir(), name)
    }

    fn head_branch(&self) -> Result<Option<RefName>, Unreadable> {
        match self.raw(&RefName::new(*b"HEAD"))? {
            Some(RefValue::Symbolic(target)) => Ok(Some(RefName::new(target))),
            Some(RefValue::Object(_)) => Ok(None),
            Some(RefValue::Zero) | None => Err(Unreadable("there is no HEAD".to_owned())),
        }
    }

    fn under_way(&self) -> Option<UnderWay> {
        under_way(self.repo.path())
    }

    fn commit(&self, id: &str) -> Result<CommitShape, Unreadable> {
        let read = || {
            let commit = self.repo.find_commit(Oid::from_str(id)?)?;
            let parents: Vec<String> = commit.parent_ids().map(|parent| parent.to_string()).collect();
            let paths = if parents.len() == 1 { self.paths(&commit)? } else { Vec::new() };
            Ok(CommitShape { parents, paths })
        };
        read().map_err(|error: git2::Error| unreadable(&error))
    }
}

fn unreadable(error: &git2::Error) -> Unreadable {
    Unreadable(error.message().to_lowercase())
}
