//! Records which snapshots were taken in this worktree. Any ref can be fetched, even under `refs/grill/local/`, and
//! restoring a snapshot writes its files. So a snapshot counts only if the notes of this worktree name it.
//!
//! A snapshot is noted before a ref names it. If the process dies in between, the note names a snapshot without a ref.

use std::fs;
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::Path;

use crate::app::ports::BaselineError;
use crate::files::regular;
use crate::git::Oid;
use crate::git::object::parsed;

/// The file of their names, in the folder of notes beside a baseline or a watch.
const FILE: &str = "taken";
/// The largest file that is read: some hundred thousand names.
const LARGEST: u64 = 16 * 1024 * 1024;

/// Notes a snapshot in this directory, which exists.
pub(super) fn note(folder: &Path, commit: Oid) -> Result<(), BaselineError> {
    let opened = regular::made_at_its_end(folder.join(FILE));
    // Ends a partial line that a killed process may have left.
    let written = opened.and_then(|mut file| file.write_all(format!("\n{commit}\n").as_bytes()));
    written.map_err(|error| BaselineError::failed("noting that a snapshot was taken here", error))
}

pub(super) fn is_noted(folder: &Path, commit: Oid) -> Result<bool, BaselineError> {
    Ok(all(folder)?.contains(&commit))
}

/// The snapshots that are noted in this folder, the newest first.
pub(super) fn all(folder: &Path) -> Result<Vec<Oid>, BaselineError> {
    let failed = |error| BaselineError::failed("reading which snapshots were taken here", error);
    let file = match regular::open(folder.join(FILE)) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut names = Vec::new();
    file.take(LARGEST).read_to_end(&mut names).map_err(failed)?;
    let lines = names.rsplit(|byte| *byte == b'\n');
    Ok(lines.filter_map(|line| parsed(std::str::from_utf8(line).ok()?)).collect())
}

/// Takes these notes away.
pub(super) fn forget(folder: &Path) -> Result<(), BaselineError> {
    match fs::remove_file(folder.join(FILE)) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(BaselineError::failed("forgetting which snapshots were taken here", error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_name_that_was_noted_counts() {
        let temp = tempfile::tempdir().unwrap();
        let [ours, later, foreign] = [1_u8, 2, 3].map(|byte| Oid::from([byte; 20]));
        assert!(!is_noted(temp.path(), ours).unwrap());
        note(temp.path(), ours).unwrap();
        let mut file = regular::at_its_end(temp.path().join(FILE)).unwrap();
        file.write_all(&later.to_string().as_bytes()[..10]).unwrap();
        assert!(!is_noted(temp.path(), later).unwrap());
        note(temp.path(), later).unwrap();
        assert!(is_noted(temp.path(), ours).unwrap() && is_noted(temp.path(), later).unwrap());
        assert!(!is_noted(temp.path(), foreign).unwrap());
        assert_eq!(all(temp.path()).unwrap(), [later, ours]);
        forget(temp.path()).unwrap();
        forget(temp.path()).unwrap();
        assert!(all(temp.path()).unwrap().is_empty());
    }
}
