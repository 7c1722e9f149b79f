//! Snapshots as commits below `refs/grill/local/`: the trees, the record, and as parents everything that the refs of the
//! user reach, so that no garbage collection takes away what a restore needs.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::gitdir::{self, Operations};
use super::record::Record;
use super::refs::{Target, is_of_others};
use super::snapshot::{Checkout, Snapshot};
use crate::app::ports::BaselineError;
use crate::domain::ids::SessionId;
use crate::git::object::parsed;
use crate::git::tree::{Entry, FILE, FOLDER};
use crate::git::{Error, Kind, Oid, Repo};

/// How many parents one commit gets; what is more goes into commits before it.
const PARENTS: usize = 500;

const BY: &str = "git grill <git-grill@localhost>";

/// A snapshot that was read back.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// Its commit; none before it is written.
    pub commit: Option<Oid>,
    pub record: Record,
    pub operations: Operations,
    /// The trees of the index and of the working tree.
    pub trees: Option<(Oid, Oid)>,
}

pub(super) fn own_folder(id: &SessionId) -> String {
    format!("refs/grill/local/{id}")
}

pub(super) fn baseline_ref(id: &SessionId) -> String {
    format!("refs/grill/local/{id}/baseline")
}

/// The ref of what there was when a session ended from which something had drifted.
pub(super) fn ended_ref(id: &SessionId) -> String {
    format!("refs/grill/local/{id}/ended")
}

/// The ref of what was replaced the `number`th time.
pub(super) fn replaced_ref(id: &SessionId, number: u32) -> String {
    format!("refs/grill/local/{id}/replaced/{number}")
}

fn failed(error: Error) -> BaselineError {
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
        if let Some(Checkout { special, files, ignored, .. }) = &snapshot.checkout {
            record.ignored.clone_from(ignored);
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
            commit: None,
            record: Record::of(snapshot),
            operations: snapshot.operations.clone(),
            trees: snapshot.checkout.as_ref().map(|checkout| (checkout.index, checkout.tree)),
        }
    }

    /// Writes the commit; no ref names it yet.
    pub(super) fn write(
        &self,
        repo: &Repo,
        before: Option<Oid>,
        message: &str,
        at: Timestamp,
    ) -> Result<Oid, BaselineError> {
        let entry = |mode: u32, name: &str, id: Oid| Entry { mode, name: name.as_bytes().to_vec(), id };
        let mut top = Vec::new();
        if let Some((index, worktree)) = self.trees {
            top.extend([entry(FOLDER, "index", index), entry(FOLDER, "worktree", worktree)]);
        }
        if !self.operations.is_empty() {
            top.push(entry(FOLDER, "operations", gitdir::tree(repo, &self.operations)?));
        }
        let blobs: BTreeSet<Oid> =
            self.record.special.values().map(|entry| entry.id).filter(|id| is_blob(repo, *id)).collect();
        if !blobs.is_empty() {
            let blobs: Vec<Entry> = blobs.into_iter().map(|id| entry(FILE, &id.to_string(), id)).collect();
            top.push(entry(FOLDER, "entries", repo.write_tree(&blobs).map_err(failed)?));
        }
        top.push(entry(FILE, "record", repo.write(Kind::Blob, self.record.write()).map_err(failed)?));
        let tree = repo.write_tree(&top).map_err(failed)?;
        let mut parents: Vec<Oid> = before.into_iter().chain(self.tips(repo)).collect();
        while parents.len() > PARENTS {
            let some: Vec<Oid> = parents.drain(..PARENTS).collect();
            parents.push(commit(repo, tree, &some, "what the refs reach\n", at)?);
        }
        let commit = commit(repo, tree, &parents, message, at)?;
        repo.flush().map_err(failed)?;
        Ok(commit)
    }

    /// The commits that the user's own refs name, each once.
    pub(super) fn tips(&self, repo: &Repo) -> Vec<Oid> {
        let refs = self.record.refs.iter().filter(|(name, _)| !is_of_others(name)).map(|(_, target)| target);
        let ids = refs.chain(&self.record.head).filter_map(|target| match target {
            Target::Object(id) => Some(id.as_str()),
            Target::Symbolic(_) => None,
        });
        let ids = ids.chain(self.record.stashes.iter().map(|stash| stash.id.as_str()));
        let commit = |id: &str| repo.peeled(parsed(id)?).ok()?;
        let mut seen = BTreeSet::new();
        ids.filter_map(commit).filter(|id| seen.insert(*id)).collect()
    }

    pub(super) fn at(repo: &Repo, commit: Oid) -> Result<Self, BaselineError> {
        let failed = |error: Error| BaselineError::Unreadable { why: error.0 };
        let found = repo.commit(commit).map_err(failed)?.ok_or_else(|| failed(Error::missing(commit)))?;
        let top = repo.tree(found.tree).map_err(failed)?;
        let entry = |name: &str| top.iter().find(|entry| entry.name == name.as_bytes()).map(|entry| entry.id);
        let record = entry("record").ok_or_else(|| BaselineError::Unreadable { why: "it has no record".to_owned() })?;
        let record = Record::read(&repo.blob(record).map_err(failed)?)?;
        let mut operations = Operations::new();
        if let Some(tree) = entry("operations") {
            let files = repo.files(tree).map_err(failed)?.into_iter();
            operations.extend(files.filter_map(|(path, (_, id))| Some((String::from_utf8(path).ok()?, id))));
        }
        let commit = Some(commit);
        Ok(Self { commit, record, operations, trees: entry("index").zip(entry("worktree")) })
    }
}

fn is_blob(repo: &Repo, id: Oid) -> bool {
    repo.header(id).is_ok_and(|found| found.is_some_and(|(kind, _)| kind == Kind::Blob))
}

/// Writes a commit of ours.
fn commit(repo: &Repo, tree: Oid, parents: &[Oid], message: &str, at: Timestamp) -> Result<Oid, BaselineError> {
    use std::fmt::Write as _;
    let mut text = format!("tree {tree}\n");
    for parent in parents {
        if !repo.exists(*parent) {
            return Err(failed(Error::missing(*parent)));
        }
        // Writing to a String cannot fail.
        let _ = writeln!(text, "parent {parent}");
    }
    let seconds = at.as_second();
    let _ = write!(text, "author {BY} {seconds} +0000\ncommitter {BY} {seconds} +0000\n\n{message}");
    repo.write(Kind::Commit, text.into_bytes()).map_err(failed)
}
