//! What git grill has git look at or stage for its own ends: there git runs no filter that the repository's own
//! configuration names. A file that one converts may then seem changed. The commit itself is the user's, with all
//! filters.

use std::ffi::OsString;

use super::GitCommits;
use super::wording::{failed, not_run, odd, words};
use crate::app::ports::{CommitError, Ran};
use crate::domain::production::TargetPath;
use crate::git::{Git, filters};

impl GitCommits<'_> {
    /// Runs git to its end, as [`Self::done`] does, without the filters of the repository's own.
    pub(super) fn looked(&self, args: Vec<OsString>) -> Result<Ran, CommitError> {
        self.unfiltered(self.git(args, Vec::new()))
    }

    pub(super) fn unfiltered(&self, git: Git) -> Result<Ran, CommitError> {
        let off = filters::switched_off(|git| self.here(git), self.process).map_err(|error| odd(&error.to_string()))?;
        let ran = git.settings(off).run(self.process).map_err(|error| not_run(&error))?;
        if ran.code == 0 { Ok(ran) } else { Err(failed(&ran)) }
    }
}

/// The files with the blobs that git makes of them, filters and line ends included unless the options say otherwise.
pub(super) fn hashed(
    run: impl FnOnce(Vec<OsString>) -> Result<Ran, CommitError>,
    options: &[&str],
    paths: &[TargetPath],
) -> Result<Vec<(TargetPath, String)>, CommitError> {
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let mut args = words(&["hash-object"]);
    args.extend(words(options));
    args.push("--".into());
    args.extend(paths.iter().map(|path| OsString::from(path.as_str())));
    let ran = run(args)?;
    let blobs = String::from_utf8_lossy(&ran.stdout);
    Ok(paths.iter().cloned().zip(blobs.lines().map(str::to_owned)).collect())
}
