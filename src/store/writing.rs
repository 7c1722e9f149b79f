//! A new commit of a session: its objects, then the commit, signed where that is wanted, then a copy of them all
//! ([`super::copies`]), and only then the ref; afterwards the objects are read back. git's
//! library and the `git` program write the same bytes, so that both can work on one session in turns.

use std::path::PathBuf;

use super::changes::Changes;
use super::commit;
use super::copies::{self, Copy};
use super::git::{GitStore, git, time_of};
use super::granted::Marking;
use super::lock::Held;
use super::patience::awaited;
use super::publish::{Move, Published, publish};
use super::tree::{self, CommitFiles, flat};
use crate::app::ports::{Batch, StoreError};
use crate::git::signing::{CommitParts, date};
use crate::git::{Commit, Error, Kind, Oid};

/// How often a commit is written again that is deleted before its ref moves.
const TRIES: u32 = 8;

impl GitStore {
    /// Writes objects and moves the ref; `None` when somebody was faster.
    pub(super) fn write_commit(
        &self,
        parent: Option<Oid>,
        batch: Batch<'_>,
        held: &Held,
        removed: &mut Vec<PathBuf>,
    ) -> Result<Option<Oid>, StoreError> {
        let id = &batch.after.id;
        let name = id.ref_name();
        let fail = |error: Error| git(id, error);
        let (changes, files) = self.changes_on(parent, batch)?;
        keep_freed_memory();
        let mut copy = Copy::default();
        let tree = self.write_tree(files.as_ref(), &changes, &mut copy).map_err(fail)?;
        let before = match parent {
            Some(parent) => Commit::parse(parent, &awaited(&self.repo, parent).map_err(fail)?.bytes),
            None => None,
        };
        let at = time_of(batch, before.map(|commit| commit.committed));
        let unsigned = |error: git2::Error| fail(error.into());
        let (author, committer) = self.options.identity.signatures(batch, at).map_err(unsigned)?;
        let message = commit::message(batch);
        let mut headers = format!("tree {tree}\n").into_bytes();
        if let Some(parent) = parent {
            headers.extend(format!("parent {parent}\n").bytes());
        }
        headers.extend(line("author", &author));
        headers.extend(line("committer", &committer));
        let text = match &self.signer {
            None => [headers.as_slice(), b"\n", message.as_bytes()].concat(),
            Some(signer) => {
                // git reads the tree.
                self.repo.flush().map_err(fail)?;
                let (author, committer, headers) = (&author, &committer, headers.as_slice());
                let commit = CommitParts { tree, parent, author, committer, headers, message: &message };
                self.with_object(tree, &copy, || signer.sign(&self.repo, &commit))?
            }
        };
        let new = copy.write(&self.repo, Kind::Commit, text).map_err(fail)?;
        let reflog = format!("grill: {}", message.lines().next().unwrap_or_default());
        let step = Move { name: &name, from: parent, to: new, by: &committer, message: &reflog };
        self.repo.flush().map_err(fail)?;
        let grown = copy.keep(&self.repo, id, new)?;
        let marking = Marking::begin(self.repo.common_dir(), batch.after, self.options.durability)?;
        // After an error nobody knows whether it moved: what was granted keeps its mark.
        let published = self.with_object(new, &copy, || publish(&self.repo, &step, held, removed))?;
        match published {
            Published::Moved => {
                marking.undo();
                Ok(None)
            }
            Published::Done => {
                marking.done();
                if !copy.read_back(&self.repo) {
                    self.say(format!(
                        "git deleted objects of session {id} while git grill recorded it; the next command restores them"
                    ));
                }
                copies::tend(&self.repo, id, grown);
                let io = |source| StoreError::Io { doing: format!("forcing session {id} onto the disk"), source };
                self.options.durability.after_the_ref(&self.repo, &name).map_err(io)?;
                Ok(Some(new))
            }
        }
    }

    /// Has git do what needs an object. git refuses one that a collection has just deleted: then it is written again.
    fn with_object<T>(
        &self,
        needed: Oid,
        copy: &Copy,
        mut attempt: impl FnMut() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut tries = 0;
        loop {
            match attempt() {
                Err(_) if tries < TRIES && !self.repo.holds(needed) => {
                    copy.read_back(&self.repo);
                    tries += 1;
                }
                done => return done,
            }
        }
    }

    fn write_tree(&self, files: Option<&CommitFiles<'_>>, changes: &Changes, copy: &mut Copy) -> Result<Oid, Error> {
        let mut put = |kind, bytes| copy.write(&self.repo, kind, bytes);
        match tree::write(&self.repo, files.map(CommitFiles::tree_id), &flat(changes), &mut put)? {
            Some(tree) => Ok(tree),
            None => put(Kind::Tree, Vec::new()),
        }
    }
}

/// `author Name <address> seconds zone`
fn line(word: &str, by: &git2::Signature<'_>) -> Vec<u8> {
    [word.as_bytes(), b" ", by.name_bytes(), b" <", by.email_bytes(), b"> ", date(by).as_bytes(), b"\n"].concat()
}

/// Has the allocator keep what is given back. Each object is packed with a quarter of a megabyte of scratch memory, which
/// glibc would return to the system and fetch anew, a page fault for each page, for every object; it does so no more once
/// it has seen a larger block come and go. Elsewhere nothing comes of it.
fn keep_freed_memory() {
    const LARGER: usize = 1 << 20;
    drop(std::hint::black_box(Vec::<u8>::with_capacity(LARGER)));
}
