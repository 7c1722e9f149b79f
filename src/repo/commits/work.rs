//! A commit of files as they stand, gone ones too: work of an agent that was accepted. The person's hooks, identity and
//! signature count as in any commit of theirs.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;

use super::GitCommits;
use super::wording::{failed, not_run, odd, words};
use crate::app::ports::{CommitError, WorkCommit};
use crate::domain::ids::ObjectId;
use crate::git::paths::{pieces, quoted};

const AGAIN: &str = "git grill agent accept";

/// A file that differs from HEAD.
struct Differs {
    /// git does not know it.
    is_new: bool,
    path: Vec<u8>,
}

impl GitCommits<'_> {
    /// Refuses where no commit could be made, and where it would hold a change of the user's as well.
    pub(super) fn work_is_ready(&self, paths: &[Vec<u8>]) -> Result<(), CommitError> {
        self.branch(AGAIN)?;
        match self.status_of(paths)?.first() {
            Some(changed) => Err(CommitError::Blocked {
                why: format!("{} has changes of yours, which the commit would hold as well", quoted(&changed.path)),
                hint: "commit or stash them first, or accept without --commit".to_owned(),
            }),
            None => Ok(()),
        }
    }

    /// Commits the files; the commit, and the branch that it is on.
    pub(super) fn commit_of_work(&self, wanted: &WorkCommit<'_>) -> Result<(ObjectId, String), CommitError> {
        let _alone = self.alone()?;
        let (branch, tip) = self.branch(AGAIN)?;
        // git commits no file that it does not know.
        let new: Vec<Differs> = self.status_of(wanted.paths)?.into_iter().filter(|one| one.is_new).collect();
        if !new.is_empty() {
            let names: Vec<u8> = new.iter().flat_map(|one| one.path.iter().copied().chain([0])).collect();
            self.done(words(&["update-index", "--add", "-z", "--stdin"]), names)?;
        }
        let mut args = words(&["commit", "--quiet", "--only", "--file=-", "--"]);
        args.extend(wanted.paths.iter().map(|path| literally(path)));
        let git = self.git(args, wanted.message.as_bytes().to_vec());
        let ran = git.run_hooked(self.process).map_err(|error| not_run(&error));
        let now = self.tip()?.ok_or_else(|| odd("HEAD names no commit any more"))?;
        if now != tip && matches!(&ran, Ok(ran) if ran.code == 0) {
            return Ok((now, branch));
        }
        if !new.is_empty() {
            let mut args = words(&["reset", "--quiet", "--"]);
            args.extend(new.iter().map(|one| literally(&one.path)));
            self.done(args, Vec::new())?;
        }
        Err(ran.map_or_else(|error| error, |ran| failed(&ran)))
    }

    /// Those of the files that differ from HEAD in the index or the working tree.
    fn status_of(&self, paths: &[Vec<u8>]) -> Result<Vec<Differs>, CommitError> {
        let mut args = words(&["--no-optional-locks", "status", "--porcelain", "-z", "--no-renames"]);
        args.extend(words(&["--untracked-files=all", "--ignore-submodules=all", "--"]));
        args.extend(paths.iter().map(|path| literally(path)));
        let told = self.done(args, Vec::new())?.stdout;
        let entry = |line: &[u8]| Some(Differs { is_new: line.get(..2)? == b"??", path: line.get(3..)?.to_vec() });
        Ok(pieces(&told).filter_map(entry).filter(|one| paths.contains(&one.path)).collect())
    }
}

/// The path as a pathspec that means this path and nothing else.
fn literally(path: &[u8]) -> OsString {
    OsString::from_vec([b":(top,literal)".as_slice(), path].concat())
}
