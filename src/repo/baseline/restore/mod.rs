//! Bringing the baseline back: what is there now is kept first, then replaced, part by part. A second run goes on where
//! the first one stopped, since every part only does what still differs.

mod files;
mod index;
mod operations;
mod refs;
mod stashes;
pub(super) mod undo;

use std::error::Error;

use jiff::Timestamp;
use rustix::fs::FileType;

use super::compare::{Differing, differing};
use super::folders::Found;
use super::kept::{Kept, replaced_ref};
use super::snapshot::{Scene, Snapshot};
use super::uncovered::is_rules;
use super::worktrees::Others;
use crate::app::ports::{BaselineError, Restored};
use crate::domain::harmless::on_one_line;
use crate::domain::ids::SessionId;

/// How often one baseline can be brought back.
const MOST: u32 = 100_000;
/// How many bytes of a diff are shown before it says where the rest can be read.
const SHOWN: usize = 200_000;

/// Whether something can be kept in a tree.
pub(super) fn has_content(found: &Found) -> bool {
    matches!(found.kind, FileType::RegularFile | FileType::Symlink)
}

/// Everything that bringing one baseline back needs.
pub(super) struct Restoring<'a> {
    pub scene: Scene<'a>,
    pub id: &'a SessionId,
    pub base: &'a Kept,
    /// Why what seems to be new may have been ignored before.
    pub doubt: Option<String>,
    pub at: Timestamp,
}

/// Looks once more at files and index, and names new files that nobody was asked about.
type Again<'a> = dyn Fn(&Snapshot) -> Result<(Snapshot, Vec<String>), BaselineError> + 'a;

impl Restoring<'_> {
    /// Keeps what there is now, and replaces it. `again` looks once more at files and index, and names new files that
    /// nobody was asked about.
    pub(super) fn run(&self, now: Snapshot, again: &Again<'_>) -> Result<Restored, BaselineError> {
        let others = Others::of(&self.scene.common_dir, &self.scene.git);
        let mut left = refs::left(self.base, &now, &others);
        if self.is_same(&now, &others) {
            return Ok(Restored { left, ..Restored::default() });
        }
        let kept = self.keep(&now)?;
        let now = if self.rules(&now)? {
            // An ignored file that was added meanwhile is tracked until the index is back, and would seem to be new.
            let (found, _) = again(&now)?;
            if let (Some(checkout), Some((tree, _))) = (&found.checkout, self.base.trees) {
                index::restore(&self.scene, self.base, tree, checkout, &mut Vec::new())?;
            }
            let (found, unasked) = again(&now)?;
            left.extend(
                unasked.iter().map(|name| format!("{name} stays: it was not listed, since a new rule ignored it")),
            );
            found
        } else {
            now
        };
        // From here on something may have been replaced: what fails is said beside it, and takes no other part with it.
        let files = self.files(&now, &mut left);
        or_left(files, "the working tree", &mut left);
        let mut refs = refs::restore(&self.scene, self.base, &now, &others, &mut left);
        if let (Some(checkout), Some((tree, _))) = (&now.checkout, self.base.trees) {
            let index = index::restore(&self.scene, self.base, tree, checkout, &mut left);
            or_left(index, "the index", &mut left);
        }
        let stashes = stashes::restore(&self.scene, self.base, &now, &others, &mut left);
        refs.extend(or_left(stashes, "the stash", &mut left));
        undo::put_in_order(&mut refs);
        let operations = operations::restore(&self.scene, self.base, &now);
        or_left(operations, "the operation that was in progress", &mut left);
        left.sort();
        left.dedup();
        Ok(Restored { kept: Some(kept), left, refs })
    }

    /// Whether nothing is to be brought back.
    fn is_same(&self, now: &Snapshot, others: &Others) -> bool {
        let (base, found) = (self.base, Kept::of(now));
        let refs = |kept: &Kept| -> Vec<(Vec<u8>, super::refs::Target)> {
            let theirs = |name: &[u8]| {
                let then = base.record.refs.get(name);
                super::refs::is_of_others(name)
                    || others.branches.contains(name)
                    || others.keeps_ref(name, then, &now.head).is_some()
            };
            let own = kept.record.refs.iter().filter(|(name, _)| !theirs(name));
            own.map(|(name, target)| (name.clone(), target.clone())).collect()
        };
        let modes = files::permissions(base, now).is_empty();
        base.trees == found.trees
            && base.record.head == found.record.head
            && others.stashes(&base.record.stashes, &now.stashes) == now.stashes
            && base.record.special == found.record.special
            && base.operations == found.operations
            && refs(base) == refs(&found)
            && modes
    }

    /// Keeps what is there now under the next free name.
    fn keep(&self, now: &Snapshot) -> Result<String, BaselineError> {
        let repo = self.scene.repo;
        let free =
            (1..=MOST).map(|number| replaced_ref(self.id, number)).find(|name| matches!(repo.tip(name), Ok(None)));
        let name =
            free.ok_or_else(|| BaselineError::failed("keeping what is replaced", "it was replaced too often"))?;
        let message = format!("replaced by the baseline of {}\n", self.id);
        let commit = Kept::of(now).write(repo, None, &message, self.at)?;
        self.scene.own_refs.set(repo, &name, None, commit)?;
        Ok(name)
    }

    /// Brings back first what says which files are ignored: a file that is only visible because a rule is gone is none
    /// that appeared. Whether anything was done. What is in the way of one may go with the other files, which are tried with
    /// them once more: only then it is said what is left.
    fn rules(&self, now: &Snapshot) -> Result<bool, BaselineError> {
        let rules = |one: &Differing| is_rules(&one.path);
        let some: Vec<Differing> = self.differing(now)?.into_iter().filter(rules).collect();
        let held = files::restore(&self.scene, self.base, now, &some, &mut Vec::new())?;
        match held.into_iter().next() {
            // The next look would take it for what was kept.
            Some(path) => Err(BaselineError::Changed { path, undone: "nothing more was brought back" }),
            None => Ok(!some.is_empty()),
        }
    }

    fn files(&self, now: &Snapshot, left: &mut Vec<String>) -> Result<(), BaselineError> {
        let mut some = self.differing(now)?;
        if let Some(why) = self.doubt.as_ref().map(|why| format!("stays, since {why}")) {
            let appeared = |one: &Differing| one.old.is_none();
            left.extend(
                some.iter().filter(|one| appeared(one)).map(|one| format!("{} {why}", super::git::quoted(&one.path))),
            );
            some.retain(|one| !appeared(one));
        }
        files::restore(&self.scene, self.base, now, &some, left)?;
        files::restore_permissions(&self.scene, self.base, now, left)
    }

    fn differing(&self, now: &Snapshot) -> Result<Vec<Differing>, BaselineError> {
        match (&now.checkout, self.base.trees) {
            (Some(checkout), Some((_, tree))) => differing(self.scene.repo, tree, checkout.tree),
            (None, _) | (_, None) => Ok(Vec::new()),
        }
    }
}

/// A part of a restore; where it failed, that is said.
fn or_left<T: Default>(done: Result<T, BaselineError>, part: &str, left: &mut Vec<String>) -> T {
    done.unwrap_or_else(|error| {
        left.push(format!("not all of {part} is back: {}", why(&error)));
        T::default()
    })
}

/// Why something was not brought back, with every cause, on one line: some of it is git's words.
fn why(error: &BaselineError) -> String {
    let first = error.source().unwrap_or(error);
    let causes = std::iter::successors(Some(first), |error| Error::source(*error));
    on_one_line(&causes.map(ToString::to_string).collect::<Vec<_>>().join(": "))
}

/// What of a worktree a diff is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Files,
    Index,
}

/// What bringing a baseline back does to the files, or to the index: from now to then.
pub(super) fn diff(scene: &Scene<'_>, then: &Kept, now: &Snapshot, place: Place) -> Result<String, BaselineError> {
    let (Some(checkout), Some((index, tree))) = (&now.checkout, then.trees) else {
        return Ok(String::new());
    };
    let (from, to) = match place {
        Place::Files => (checkout.tree, tree),
        Place::Index => (checkout.index, index),
    };
    let failed = |error| BaselineError::failed("comparing the files", error);
    scene.repo.flush().map_err(failed)?;
    let (from, to) = (from.to_string(), to.to_string());
    let args = ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--submodule=short"];
    let run = [args.as_slice(), &[from.as_str(), to.as_str()]].concat();
    let bytes = scene.git.ask("comparing the files", &run, Vec::new())?;
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if text.len() > SHOWN {
        let end = (0..=SHOWN).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.truncate(text[..end].rfind('\n').map_or(end, |line| line + 1));
        text.extend(["... the whole diff: git diff ", &from, " ", &to, "\n"]);
    }
    Ok(text)
}
