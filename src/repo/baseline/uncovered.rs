//! Files that seem to be new and are not: rules of the baseline that are gone had ignored them.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::compare::differing;
use super::folders::split;
use super::git::pieces;
use super::kept::Kept;
use super::snapshot::{Scene, Snapshot};
use crate::app::ports::BaselineError;
use crate::files::regular;

const DOING: &str = "looking for files that were ignored";

/// Whether this file says which files are ignored.
pub(super) fn is_rules(path: &[u8]) -> bool {
    split(path).1 == b".gitignore"
}

/// The files that the baseline's own rules ignored; `notes` is a folder for what git is to read.
pub(super) fn uncovered(
    scene: &Scene<'_>,
    base: &Kept,
    now: &Snapshot,
    notes: &Path,
) -> Result<BTreeSet<Vec<u8>>, BaselineError> {
    let (Some(checkout), Some((_, tree)), Some(worktree)) = (&now.checkout, base.trees, &scene.git.top) else {
        return Ok(BTreeSet::new());
    };
    let all = differing(scene.repo, tree, checkout.tree)?;
    let appeared: BTreeSet<&[u8]> = all.iter().filter(|one| one.old.is_none()).map(|one| one.path.as_slice()).collect();
    let mut found = BTreeSet::new();
    for one in all.iter().filter(|one| is_rules(&one.path) && !appeared.is_empty()) {
        let (folder, _) = split(&one.path);
        let top = worktree.join(OsStr::from_bytes(folder));
        let (Some((_, blob)), true) = (one.old, top.is_dir()) else { continue };
        let failed = |error| BaselineError::failed(DOING, error);
        let content = scene.repo.blob(blob).map_err(|error| BaselineError::failed(DOING, error))?;
        let rules = notes.join("rules.tmp");
        regular::write(&rules, content).map_err(failed)?;
        // Rules hold from the folder that they are in; without an index nothing is tracked.
        let words = ["ls-files", "-z", "--others", "--ignored", "-X"].map(OsStr::new);
        let git = scene.git.git(words.into_iter().chain([rules.as_os_str()]));
        let git = git.at_work_in(Some(&top)).with("GIT_INDEX_FILE", notes.join("no-index"));
        let listed = scene.git.succeed(DOING, git);
        fs::remove_file(&rules).map_err(failed)?;
        for path in pieces(&listed?) {
            let path = if folder.is_empty() { path.to_vec() } else { [folder, b"/", path].concat() };
            if appeared.contains(path.as_slice()) {
                found.insert(path);
            }
        }
    }
    Ok(found)
}
