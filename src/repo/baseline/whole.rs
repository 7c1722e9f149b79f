//! A baseline's ref names a whole snapshot, and goes on doing so.

use std::collections::BTreeSet;
use std::ffi::OsStr;

use super::kept::{Kept, baseline_ref};
use super::{GitBaseline, taken};
use crate::app::ports::BaselineError;
use crate::domain::ids::SessionId;
use crate::git::Oid;

/// How often a snapshot is taken anew whose objects were deleted before a ref named it.
const TAKEN_ANEW: u32 = 8;
const DOING: &str = "keeping the baseline";
/// The file that `git gc` has for as long as it runs.
const COLLECTING: &str = "gc.pid";

impl GitBaseline<'_> {
    /// Points the baseline's ref to a snapshot that nothing named until now. A `git gc --prune=now` may have deleted
    /// objects of it meanwhile, and a ref to what is left would have every later one fail: then it is taken anew. If that
    /// goes on, the ref is taken back.
    pub(super) fn set_whole(&self, id: &SessionId, earlier: Option<Oid>, taken: Oid) -> Result<(), BaselineError> {
        let (name, mut commit, mut tries) = (baseline_ref(id), taken, 0);
        loop {
            let repo = self.repo()?;
            // Its object may be among the deleted ones.
            let now = repo.named(&name).map_err(|error| BaselineError::failed(format!("reading {name}"), error))?;
            taken::note(&self.notes(id), commit)?;
            let set = self.own_refs.set(repo, &name, now.or(earlier), commit);
            if self.stays_whole(commit, earlier) {
                return set;
            }
            if tries == TAKEN_ANEW {
                self.take_back(id, earlier)?;
                return Err(set.err().unwrap_or_else(|| {
                    let why = "another process deletes its objects again and again, as git gc --prune=now does";
                    BaselineError::failed(DOING, why)
                }));
            }
            tries += 1;
            let snapshot = self.scene()?.take(&BTreeSet::new(), None)?;
            let message = format!("baseline of {id}, taken anew\n");
            commit = Kept::of(&snapshot).write(repo, earlier, &message, self.clock.now())?;
        }
    }

    /// Whether all of a snapshot is there, and stays there: a collection that read the refs before ours was set deletes its
    /// objects only now, and spares those in a pack that is newer than itself.
    fn stays_whole(&self, commit: Oid, earlier: Option<Oid>) -> bool {
        let Ok(repo) = self.repo() else { return false };
        // What cannot be read is not whole.
        let Ok(kept) = Kept::at(repo, commit) else { return false };
        if self.common_dir.join(COLLECTING).exists() {
            // A collection may take the pack away while it is written. Where git cannot make it at all, as in a partial clone
            // whose remote is gone, what is there now still decides.
            let _ = self.pack(&kept, earlier).or_else(|_| self.pack(&kept, earlier));
        }
        self.scene().is_ok_and(|scene| scene.holds(&kept))
    }

    /// Has git write a pack of a snapshot, without what the user's own refs reach.
    fn pack(&self, kept: &Kept, earlier: Option<Oid>) -> Result<(), BaselineError> {
        use std::fmt::Write as _;
        let repo = self.repo()?;
        let Some(commit) = kept.commit else { return Ok(()) };
        let mut wanted = format!("{commit}\n");
        for known in kept.tips(repo).into_iter().chain(earlier) {
            // Writing to a String cannot fail.
            let _ = writeln!(wanted, "^{known}");
        }
        let packs = self.common_dir.join("objects/pack/pack");
        let words = ["pack-objects", "-q", "--revs", "--window=0"].map(OsStr::new);
        let git = self.git.git(words.into_iter().chain([packs.as_os_str()])).fed(wanted.into_bytes());
        self.git.succeed(DOING, git).map(drop)
    }

    /// Has the baseline's ref name what it named before, or nothing.
    fn take_back(&self, id: &SessionId, earlier: Option<Oid>) -> Result<(), BaselineError> {
        let (repo, name) = (self.repo()?, baseline_ref(id));
        let now = repo.named(&name).map_err(|error| BaselineError::failed(format!("reading {name}"), error))?;
        match earlier {
            Some(earlier) => self.own_refs.set(repo, &name, now, earlier),
            // First, so that whoever is cut off here leaves no baseline that seems lost.
            None => taken::forget(&self.notes(id)).and_then(|()| self.own_refs.remove(repo, &self.git, &name)),
        }
    }
}
