//! What a commit of accepted work stages before git makes it. It is noted before it is staged: a kill leaves the note, and
//! the next command takes exactly that out of the index again. Beside it, the locks that a killed git leaves.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use super::GitCommits;
use super::wording::{SIGNALLED, not_run, words};
use super::work::{LISTED, listed};
use crate::app::ports::{CommitError, Ran};
use crate::domain::ids::ObjectId;
use crate::files::folders::upwards;
use crate::files::fresh::{self, OnDisk};
use crate::files::regular;
use crate::git::holder;
use crate::git::paths::pieces;

/// The longest note and index that are read, in bytes: millions of files.
const LONGEST: u64 = 1024 * 1024 * 1024;
/// How an entry begins that takes a file out of the index.
const GONE: &[u8] = b"0 ";

impl GitCommits<'_> {
    /// Stages the files as they stand, gone ones too, so that a kill after the commit leaves an index that agrees with it;
    /// the paths of which git can be told then.
    pub(super) fn stage_noted<'p>(&self, tip: &ObjectId, paths: &'p [Vec<u8>]) -> Result<Vec<&'p [u8]>, CommitError> {
        let index = self.done(words(&["ls-files", "-z"]), Vec::new())?.stdout;
        let known: BTreeSet<&[u8]> = pieces(&index).collect();
        let all: BTreeSet<&'p [u8]> = paths.iter().map(Vec::as_slice).collect();
        let there = |path: &[u8]| self.root.join(OsStr::from_bytes(path));
        let is_there = |path: &&[u8]| self.spot(path) == *path && there(path).symlink_metadata().is_ok();
        let present: BTreeSet<&'p [u8]> = all.iter().copied().filter(is_there).collect();
        let listing = self.as_git_stages(&present)?;
        let entries: BTreeMap<&[u8], &[u8]> =
            pieces(&listing).filter_map(of_path).filter(|(path, _)| present.contains(path)).collect();
        let is_gone = |path: &&[u8]| known.contains(path) && !entries.contains_key(path);
        let gone: BTreeSet<&'p [u8]> = all.iter().copied().filter(is_gone).collect();
        let (mut note, zeros) = (Vec::new(), "0".repeat(tip.as_str().len()));
        // What is gone comes first: a folder may have taken its place.
        for path in &gone {
            note.extend([GONE, zeros.as_bytes(), b" 0\t", path, b"\0"].concat());
        }
        for entry in entries.values() {
            note.extend([entry, b"\0".as_slice()].concat());
        }
        let place = self.note();
        let mode = 0o600;
        fresh::replace(&place, &place.with_extension("new"), mode, OnDisk::First, &note)
            .map_err(|error| not_run(&error))?;
        self.done(words(&["update-index", "-z", "--index-info"]), note)?;
        // A folder that took the place of a file takes it in the commit, too, and git adds no folder by its name.
        let is_told = |path: &&[u8]| entries.contains_key(path) || gone.contains(path) && !there(path).is_dir();
        Ok(all.into_iter().filter(is_told).collect())
    }

    /// The whole index as it would be if these files were staged, as `git ls-files -s -z` tells it.
    fn as_git_stages(&self, present: &BTreeSet<&[u8]>) -> Result<Vec<u8>, CommitError> {
        let scratch = self.git_dir.join("grill/staging");
        let tidy = || {
            for name in [scratch.clone(), scratch.with_extension("lock")] {
                let _ = fs::remove_file(name);
            }
        };
        tidy();
        let copied = fs::create_dir_all(self.git_dir.join("grill"))
            .and_then(|()| regular::write(&scratch, regular::bytes(self.git_dir.join("index"), LONGEST)?));
        copied.map_err(|error| not_run(&error))?;
        let run = |args: &[&str], stdin: Vec<u8>| {
            let git = self.git(words(args), stdin).with("GIT_INDEX_FILE", &scratch);
            self.unfiltered(git).map(|ran| ran.stdout)
        };
        let names: Vec<u8> = present.iter().flat_map(|path| path.iter().copied().chain([0])).collect();
        let staged = run(&["update-index", "--add", "--remove", "--replace", "-z", "--stdin"], names)
            .and_then(|_| run(&["ls-files", "-s", "-z"], Vec::new()));
        tidy();
        staged
    }

    /// Takes out of the index what a commit that came to nothing has staged, where it is still there as it was staged.
    pub(super) fn unstage_noted(&self) -> Result<(), CommitError> {
        let note = match regular::bytes(self.note(), LONGEST) {
            Ok(note) => note,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(not_run(&error)),
        };
        let index = self.done(words(&["ls-files", "-s", "-z"]), Vec::new())?.stdout;
        let held: BTreeMap<&[u8], &[u8]> = pieces(&index).filter_map(of_path).collect();
        let is_as_staged = |(path, entry): &(&[u8], &[u8])| match held.get(path) {
            Some(there) => there == entry,
            None => entry.starts_with(GONE),
        };
        let ours = pieces(&note).filter_map(of_path).filter(is_as_staged);
        let ours: BTreeSet<Vec<u8>> = ours.map(|(path, _)| path.to_vec()).collect();
        let paths: Vec<Vec<u8>> = ours.iter().cloned().collect();
        let staged = self.all_staged_at(&paths)?;
        let staged: Vec<&[u8]> = staged.iter().filter(|path| ours.contains(*path)).map(Vec::as_slice).collect();
        self.reset(&staged)?;
        self.forget_note();
        Ok(())
    }

    /// The same where nobody is at such a commit just now.
    pub(super) fn unstage_what_is_left(&self) -> Result<(), CommitError> {
        if self.note().symlink_metadata().is_err() {
            return Ok(());
        }
        // Without locks it cannot be told whether another git grill is at its commit.
        match self.alone()? {
            Some(_alone) => self.unstage_noted(),
            None => Ok(()),
        }
    }

    /// Puts what HEAD has at these paths into the index. git looks at all files whose times have changed, too.
    fn reset(&self, paths: &[&[u8]]) -> Result<(), CommitError> {
        if paths.is_empty() {
            return Ok(());
        }
        let args = words(&["reset", "--quiet"]).into_iter().chain(words(&LISTED)).collect();
        self.unfiltered(self.git(args, listed(paths.iter()))).map(drop)
    }

    /// Puts paths that a hook added to the commit into the index as well. git commits named paths from an index of its
    /// own, so the user's index still has what `tip`, the commit before, has there, as if they had staged the reverse.
    /// Where the user has staged something, it stays.
    pub(super) fn follow(&self, tip: &ObjectId, paths: &[Vec<u8>]) -> Result<(), CommitError> {
        if paths.is_empty() {
            return Ok(());
        }
        let args = words(&["diff", "--cached", "--name-only", "-z", "--no-renames", tip.as_str(), "--"]);
        let staged = self.done(args, Vec::new())?.stdout;
        let staged: BTreeSet<&[u8]> = pieces(&staged).collect();
        let above: BTreeSet<&[u8]> = staged.iter().flat_map(|path| upwards(path)).collect();
        // A file in the place of a folder takes all of it out of the index, and the other way round.
        let is_theirs = |path: &[u8]| above.contains(path) || upwards(path).any(|above| staged.contains(above));
        let free: Vec<&[u8]> = paths.iter().map(Vec::as_slice).filter(|path| !is_theirs(path)).collect();
        self.reset(&free)
    }

    fn note(&self) -> PathBuf {
        self.git_dir.join("grill/staged")
    }

    fn forget_note(&self) {
        if fs::remove_file(self.note()).is_ok() {
            // Fails when something else is in it, as it should.
            let _ = fs::remove_dir(self.git_dir.join("grill"));
        }
    }

    /// git's locks of the index that are there.
    pub(super) fn locks(&self) -> BTreeSet<PathBuf> {
        let names = fs::read_dir(&self.git_dir).into_iter().flatten().flatten().map(|entry| entry.path());
        let is_of_the_index = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().as_bytes();
            name == b"index.lock" || name.starts_with(b"next-index-") && name.ends_with(b".lock")
        };
        names.filter(is_of_the_index).collect()
    }

    /// Removes the locks that a git which we started has left, if it was killed. Those that were there before are another
    /// one's, and so may be those that a living git works with.
    pub(super) fn unlock(&self, ran: &Result<Ran, CommitError>, before: &BTreeSet<PathBuf>) {
        let was_killed = match ran {
            Ok(ran) => SIGNALLED.contains(&ran.code),
            Err(error) => *error == CommitError::Interrupted,
        };
        let left = if was_killed { self.locks() } else { BTreeSet::new() };
        for lock in left.difference(before).filter(|lock| holder::is_nobodys(lock, &self.folders())) {
            let _ = fs::remove_file(lock);
        }
    }

    /// The lock of the index, where the system tells that no living git is at work with it.
    pub(super) fn lock_of_nobody(&self) -> Option<PathBuf> {
        Some(self.git_dir.join("index.lock")).filter(|lock| holder::is_nobodys(lock, &self.folders()))
    }

    /// The lock of the index, where no living git is seen at work with it, as far as the system tells.
    pub(super) fn lock_left_over(&self) -> Option<PathBuf> {
        let lock = self.git_dir.join("index.lock");
        (lock.symlink_metadata().is_ok() && holder::at_work(&lock, &self.folders()).is_none()).then_some(lock)
    }

    fn folders(&self) -> [PathBuf; 2] {
        [self.root.clone(), self.git_dir.clone()]
    }
}

/// The path of an entry as git lists it, and the entry.
fn of_path(entry: &[u8]) -> Option<(&[u8], &[u8])> {
    let tab = entry.iter().position(|byte| *byte == b'\t')?;
    Some((&entry[tab + 1..], entry))
}
