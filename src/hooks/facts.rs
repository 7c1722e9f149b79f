//! What the ref policy asks about a repository, answered by libgit2.
//!
//! The objects of a commit are in the object store before git asks the hook about its refs, so they can be read.

use git2::{ErrorCode, Repository};

use crate::app::ports::Process;
use crate::files::regular;
use crate::git::object::{message, parsed};
use crate::git::tree::{GITLINK, SYMLINK};
use crate::git::{Commit, Error, Kind, Oid, Repo, asker};
use crate::hooks::packed;
use crate::hooks::refspecs::Refspecs;
use crate::hooks::under_way::under_way;
use crate::policy::half_done::UnderWay;
use crate::policy::ref_line::{RefName, RefValue};
use crate::policy::refs::{CommitShape, PackedRefs, RefFacts, Unreadable};

/// Facts about an open repository, as this moment finds it.
pub struct GitFacts<'repo> {
    repo: &'repo Repo,
    library: &'repo Repository,
    refspecs: Refspecs<'repo>,
}

impl<'repo> GitFacts<'repo> {
    /// Answers for `repo`, opened at the worktree whose hook runs by the `library`. The `process` port runs git for the
    /// refspecs of a fetch alone.
    pub fn new(repo: &'repo Repo, library: &'repo Repository, process: &'repo dyn Process) -> Self {
        Self { repo, library, refspecs: Refspecs::new(process) }
    }

    fn raw(&self, name: &RefName) -> Result<Option<RefValue>, Unreadable> {
        let text = std::str::from_utf8(name.as_bytes()).map_err(|_| Unreadable("its name is not UTF-8".to_owned()))?;
        match self.library.find_reference(text) {
            Ok(found) => match (found.target(), found.symbolic_target_bytes()) {
                (Some(id), _) => Ok(Some(RefValue::Object(id.to_string()))),
                (None, Some(target)) => Ok(Some(RefValue::Symbolic(target.to_vec()))),
                (None, None) => Err(Unreadable(format!("'{text}' points to nothing"))),
            },
            Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
            Err(error) => Err(unreadable(&error)),
        }
    }

    /// What the commit changes against its single parent, and what of that is no file afterwards.
    fn paths(&self, parent: Oid, tree: Oid) -> Result<CommitShape, Error> {
        let old = self.repo.commit(parent)?.ok_or_else(|| Error::missing(parent))?.tree;
        let (mut paths, mut no_files) = (Vec::new(), Vec::new());
        for change in self.repo.differing(old, tree)? {
            if let Some((SYMLINK | GITLINK, _)) = change.new {
                no_files.push(change.path.clone());
            }
            paths.push(change.path);
        }
        Ok(CommitShape { paths, no_files, ..CommitShape::default() })
    }
}

impl RefFacts for GitFacts<'_> {
    fn current(&self, name: &RefName) -> Result<Option<RefValue>, Unreadable> {
        self.raw(name)
    }

    fn packed_refs(&self) -> PackedRefs {
        packed::lock(self.library.commondir())
    }

    fn is_hidden(&self, name: &RefName) -> bool {
        packed::is_hidden(self.library.commondir(), name)
    }

    fn packed(&self, name: &RefName) -> Result<Option<String>, Unreadable> {
        packed::value(self.library.commondir(), name)
    }

    fn head_branch(&self) -> Result<Option<RefName>, Unreadable> {
        match self.raw(&RefName::new(*b"HEAD"))? {
            Some(RefValue::Symbolic(target)) => Ok(Some(RefName::new(target))),
            Some(RefValue::Object(_)) => Ok(None),
            Some(RefValue::Zero) | None => Err(Unreadable("there is no HEAD".to_owned())),
        }
    }

    fn pointed_to(&self) -> Option<RefName> {
        // The library would wait at a pipe in its place.
        let text = regular::bytes(self.library.path().join("GRILL_HEAD"), regular::SHORT).ok()?;
        Some(RefName::new(text.strip_prefix(b"ref:")?.trim_ascii()))
    }

    fn under_way(&self) -> Option<UnderWay> {
        under_way(self.library.path())
    }

    fn asked_by(&self) -> Vec<Vec<u8>> {
        asker::arguments()
    }

    fn configured_refspecs(&self) -> Result<Vec<Vec<u8>>, Unreadable> {
        self.refspecs.of(self.library.commondir())
    }

    fn commit(&self, id: &str) -> Result<CommitShape, Unreadable> {
        let read = || {
            let missing = || Error(format!("there is no commit {id}"));
            let name = parsed(id).ok_or_else(missing)?;
            let object = self.repo.read(name)?.filter(|object| object.kind == Kind::Commit).ok_or_else(missing)?;
            let commit = Commit::parse(name, &object.bytes).ok_or_else(missing)?;
            let changes = match commit.parents.as_slice() {
                [parent] => self.paths(*parent, commit.tree)?,
                _ => CommitShape::default(),
            };
            let parents = commit.parents.iter().map(ToString::to_string).collect();
            Ok(CommitShape { parents, message: message(&object.bytes).to_vec(), ..changes })
        };
        read().map_err(|error: Error| Unreadable(error.0.to_lowercase()))
    }
}

fn unreadable(error: &git2::Error) -> Unreadable {
    Unreadable(error.message().to_lowercase())
}
