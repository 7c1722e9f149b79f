//! The note that an output phase is being taken back, in the git directory of its worktree: a process that dies of it leaves
//! it there. Where it cannot be written, files are taken back all the same, and only that they are half-way is not told.

use std::fs;
use std::path::{Path, PathBuf};

use crate::domain::ids::SessionId;
use crate::files::regular;

/// The longest note that makes sense.
const LONGEST: u64 = 200;

fn folder(git_dir: &Path) -> PathBuf {
    git_dir.join("grill")
}

fn note(git_dir: &Path) -> PathBuf {
    folder(git_dir).join("undo")
}

pub(super) fn begin(git_dir: &Path, id: &SessionId, round: u64) {
    let _ = fs::create_dir_all(folder(git_dir));
    let _ = regular::write(note(git_dir), format!("{id} {round}\n"));
}

pub(super) fn end(git_dir: &Path) {
    if fs::remove_file(note(git_dir)).is_ok() {
        // Fails when something else is in it, as it should.
        let _ = fs::remove_dir(folder(git_dir));
    }
}

/// The output phase of this session that is noted.
pub(super) fn begun(git_dir: &Path, id: &SessionId) -> Option<u64> {
    let text = regular::text(note(git_dir), LONGEST).ok()?;
    let (session, round) = text.trim_end().split_once(' ')?;
    round.parse().ok().filter(|_| session == id.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g31_what_is_begun_is_noted_of_its_session_until_it_is_over() {
        let dir = tempfile::tempdir().unwrap();
        let [one, other] = ["20261121-links-k3f9q", "20261121-other-k3f9q"].map(|id| SessionId::parse(id).unwrap());
        assert_eq!(begun(dir.path(), &one), None);
        begin(dir.path(), &one, 21);
        assert_eq!((begun(dir.path(), &one), begun(dir.path(), &other)), (Some(21), None));
        end(dir.path());
        end(dir.path());
        assert_eq!(begun(dir.path(), &one), None);
        assert!(!folder(dir.path()).exists());
        fs::create_dir(folder(dir.path())).unwrap();
        for odd in ["", "x", "20261121-links-k3f9q", "20261121-links-k3f9q many", &"x".repeat(300)] {
            fs::write(note(dir.path()), odd).unwrap();
            assert_eq!(begun(dir.path(), &one), None, "{odd}");
        }
    }
}
