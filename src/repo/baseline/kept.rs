//! Snapshots as commits below `refs/grill/local/`: the trees, the record, and as parents everything that the refs of the
//! user reach, so that no garbage collection takes away what a restore needs.

use std::collections::BTreeSet;

use git2::{Commit, ErrorCode, ObjectType, Oid, Repository, Signature, Time};
use jiff::Timestamp;

use super::gitdir::{self, Operations};
use super::record::Record;
use super::refs::{Target, is_of_others};
use super::snapshot::{Checkout, Snapshot};
use crate::app::ports::BaselineError;
use crate::domain::ids::SessionId;

/// How many parents one commit gets; what is more goes into commits before it.
const PARENTS: usize = 500;

const TREE: i32 = 0o040_000;
const BLOB: i32 = 0o100_644;

/// A snapshot that was read back.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub commit: Oid,
    pub record: Record,
    pub operations: Operations,
    /// The trees of the index and of the working tree.
    pub trees: Option<(Oid, Oid)>,
}

/// The ref of a session's baseline.
pub(super) fn baseline_ref(id: &SessionId) -> String {
    format!("refs/grill/local/{id}/baseline")
}

/// The ref of what was replaced the `number`th time.
pub(super) fn replaced_ref(id: &SessionId, number: u32) -> String {
    format!("refs/grill/local/{id}/replaced/{number}")
}

fn failed(error: git2::Error) -> BaselineError {
    BaselineError::failed("keeping the snapshot", error)
}

impl Record {
    /// What of a snapshot is in no tree.
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        let mut record = Self {
            head: Some(snapshot.head.clone()),
            refs: snapshot.refs.clone(),
            stashes: snapshot.stashes.clone(),
            ..Self::default()
        };
        if let Some(Checkout { special, files, .. }) = &snapshot.checkout {
            record.special.clone_from(special);
            record.unkept.clone_from(&files.unkept);
            record.nested.clone_from(&files.nested);
            record.enter_permissions(files);
        }
        record
    }
}

impl Kept {
    /// A snapshot as it would be read back, before it is written.
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        Self {
            commit: Oid::ZERO_SHA1,
            record: Record::of(snapshot),
            operations: snapshot.operations.clone(),
            trees: snapshot.checkout.as_ref().map(|checkout| (checkout.index, checkout.tree)),
        }
    }

    /// Writes the commit; no ref names it yet.
    pub(super) fn write(
        &self,
        repo: &Repository,
        before: Option<Oid>,
        message: &str,
        at: Timestamp,
    ) -> Result<Oid, BaselineError> {
        let mut top = repo.treebuilder(None).map_err(failed)?;
        if let Some((index, worktree)) = self.trees {
            top.insert("index", index, TREE).map_err(failed)?;
            top.insert("worktree", worktree, TREE).map_err(failed)?;
        }
        if !self.operations.is_empty() {
            top.insert("operations", gitdir::tree(repo, &self.operations)?, TREE).map_err(failed)?;
        }
        let blobs: BTreeSet<Oid> =
            self.record.special.values().map(|entry| entry.id).filter(|id| is_blob(repo, *id)).collect();
        if !blobs.is_empty() {
            let mut conflicts = repo.treebuilder(None).map_err(failed)?;
            for id in blobs {
                conflicts.insert(id.to_string(), id, BLOB).map_err(failed)?;
            }
            top.insert("entries", conflicts.write().map_err(failed)?, TREE).map_err(failed)?;
        }
        let record = repo.blob(&self.record.write()).map_err(failed)?;
        top.insert("record", record, BLOB).map_err(failed)?;
        let tree = repo.find_tree(top.write().map_err(failed)?).map_err(failed)?;
        let by = Signature::new("git grill", "git-grill@localhost", &Time::new(at.as_second(), 0)).map_err(failed)?;
        let mut parents: Vec<Oid> = before.into_iter().chain(self.tips(repo)).collect();
        while parents.len() > PARENTS {
            let some: Vec<Oid> = parents.drain(..PARENTS).collect();
            let some = commits(repo, &some)?;
            let some: Vec<&Commit<'_>> = some.iter().collect();
            let text = "what the refs reach\n";
            parents.push(repo.commit(None, &by, &by, text, &tree, &some).map_err(failed)?);
        }
        let parents = commits(repo, &parents)?;
        let parents: Vec<&Commit<'_>> = parents.iter().collect();
        repo.commit(None, &by, &by, message, &tree, &parents).map_err(failed)
    }

    /// The commits that the user's own refs name, each once.
    fn tips(&self, repo: &Repository) -> Vec<Oid> {
        let refs = self.record.refs.iter().filter(|(name, _)| !is_of_others(name)).map(|(_, target)| target);
        let ids = refs.chain(&self.record.head).filter_map(|target| match target {
            Target::Object(id) => Some(id.as_str()),
            Target::Symbolic(_) => None,
        });
        let ids = ids.chain(self.record.stashes.iter().map(|stash| stash.id.as_str()));
        let commit = |id: &str| {
            let object = repo.find_object(Oid::from_str(id).ok()?, None).ok()?;
            Some(object.peel_to_commit().ok()?.id())
        };
        let mut seen = BTreeSet::new();
        ids.filter_map(commit).filter(|id| seen.insert(*id)).collect()
    }

    /// Reads the snapshot that a ref names; none when there is no such ref.
    pub(super) fn read(repo: &Repository, name: &str) -> Result<Option<Self>, BaselineError> {
        let id = match repo.refname_to_id(name) {
            Ok(id) => id,
            Err(error) if error.code() == ErrorCode::NotFound => return Ok(None),
            Err(error) => return Err(BaselineError::failed(format!("reading {name}"), error)),
        };
        Self::at(repo, id).map(Some)
    }

    /// Reads the snapshot in a commit.
    pub(super) fn at(repo: &Repository, commit: Oid) -> Result<Self, BaselineError> {
        let failed = |error: git2::Error| BaselineError::Unreadable { why: error.message().to_owned() };
        let tree = repo.find_commit(commit).and_then(|commit| commit.tree()).map_err(failed)?;
        let entry = |name: &str| tree.get_name(name).map(|entry| entry.id());
        let record = entry("record").ok_or_else(|| BaselineError::Unreadable { why: "it has no record".to_owned() })?;
        let record = Record::read(repo.find_blob(record).map_err(failed)?.content())?;
        let mut operations = Operations::new();
        if let Some(tree) = entry("operations") {
            let tree = repo.find_tree(tree).map_err(failed)?;
            tree.walk(git2::TreeWalkMode::PreOrder, |folder, entry| {
                if let (Some(ObjectType::Blob), Ok(name)) = (entry.kind(), entry.name()) {
                    operations.insert(format!("{folder}{name}"), entry.id());
                }
                git2::TreeWalkResult::Ok
            })
            .map_err(failed)?;
        }
        Ok(Self { commit, record, operations, trees: entry("index").zip(entry("worktree")) })
    }
}

fn is_blob(repo: &Repository, id: Oid) -> bool {
    repo.odb().and_then(|odb| odb.read_header(id)).is_ok_and(|(_, kind)| kind == ObjectType::Blob)
}

fn commits<'a>(repo: &'a Repository, ids: &[Oid]) -> Result<Vec<Commit<'a>>, BaselineError> {
    ids.iter().map(|id| repo.find_commit(*id).map_err(failed)).collect()
}

/// Sets a ref of ours, if it still names what it named.
pub(super) fn point(repo: &Repository, name: &str, from: Option<Oid>, to: Oid) -> Result<(), BaselineError> {
    let message = "grill: snapshot";
    let set = match from {
        None => repo.reference(name, to, false, message),
        Some(from) => repo.reference_matching(name, to, true, from, message),
    };
    set.map(drop).map_err(|error| BaselineError::failed(format!("writing {name}"), error))
}
