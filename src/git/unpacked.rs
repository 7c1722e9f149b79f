//! Deletes a loose ref under its lock, as git does. This module never writes packed-refs, which belongs to git, and
//! never takes the lock of packed-refs, which the fence of another worktree may hold.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::Error;
use crate::files::fresh::Fresh;
use crate::files::{patience, regular};

/// How long to wait for a git process that packs refs. Packing takes milliseconds; a process that holds the lock for
/// longer has died and packs nothing any more.
const PACKING: Duration = Duration::from_secs(5);

/// Deletes a ref that all worktrees share; false if it is packed, because then git has to delete it.
pub(super) fn remove(common_dir: &Path, name: &str) -> Result<bool, Error> {
    remove_beside(common_dir, name, await_packing)
}

/// The same, with this patience for a process that packs refs.
fn remove_beside(common_dir: &Path, name: &str, await_packing: impl FnOnce(&Path)) -> Result<bool, Error> {
    let file = common_dir.join(name);
    if let Some((_held, lock)) = locked(&file)? {
        // Without its file, a packed ref would fall back to its packed value.
        if is_packed(common_dir, name)? {
            return Ok(false);
        }
        // The reflog first, as in git: a reflog without a ref would stay for good.
        take_away(&common_dir.join("logs").join(name))?;
        take_away(&file)?;
        // Release the lock before waiting: a process that packed the ref wants to remove its file.
        drop(lock);
        // A git that read the file before its removal writes the ref back when it packs.
        await_packing(common_dir);
    }
    Ok(!is_packed(common_dir, name)?)
}

/// Takes the lock of the ref in this file; none if not even its directory exists. The file stays open for as long as the
/// lock is held, so that no process takes the lock for a stale one. The caller checks for a lock that stays, and reports
/// it.
fn locked(file: &Path) -> Result<Option<(File, Fresh<'static>)>, Error> {
    let mut path = file.as_os_str().to_owned();
    path.push(".lock");
    let path = PathBuf::from(path);
    match Fresh::alone(&path, 0o666) {
        Ok(held) => Ok(Some(held)),
        // In libgit2's words, by which callers recognize a temporary failure.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Err(Error(format!("failed to lock file '{}': it is there already", path.display())))
        }
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(Error(format!("{} could not be made: {error}", path.display()))),
    }
}

fn is_packed(common_dir: &Path, name: &str) -> Result<bool, Error> {
    let file = common_dir.join("packed-refs");
    let packed = match regular::bytes(&file, regular::LONG) {
        Ok(packed) => packed,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(Error(format!("{} could not be read: {error}", file.display()))),
    };
    let ends = format!(" {name}");
    Ok(packed.split(|byte| *byte == b'\n').any(|line| line.ends_with(ends.as_bytes())))
}

/// Removes a file, if it exists. A directory of that name is neither a ref nor a reflog.
fn take_away(file: &Path) -> Result<(), Error> {
    match fs::remove_file(file) {
        Ok(()) => Ok(()),
        Err(_) if fs::symlink_metadata(file).map_or(true, |about| about.is_dir()) => Ok(()),
        Err(error) => Err(Error(format!("{} could not be removed: {error}", file.display()))),
    }
}

/// Waits until every process that is packing refs now has finished: all of them hold this lock.
fn await_packing(common_dir: &Path) {
    let lock = common_dir.join("packed-refs.lock");
    // A directory there belongs to a fence, and under a fence no process packs refs.
    let packs = || fs::symlink_metadata(&lock).is_ok_and(|about| !about.is_dir());
    patience::until(PACKING, || !packs());
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "refs/grill/local/x/baseline";
    const ID: &str = "1111111111111111111111111111111111111111";

    /// A git directory with a ref that is a file, its history, and another one that is packed.
    fn git_dir() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in [dir.path().join(NAME), dir.path().join("logs").join(NAME)] {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, format!("{ID}\n")).unwrap();
        }
        fs::write(dir.path().join("packed-refs"), format!("{ID} refs/heads/main\n{ID} other/{NAME}\n")).unwrap();
        dir
    }

    fn lock(dir: &Path) -> PathBuf {
        dir.join(format!("{NAME}.lock"))
    }

    #[test]
    fn p1_a_ref_that_is_a_file_goes_with_its_history_and_nothing_else_is_written() {
        let dir = git_dir();
        let dir = dir.path();
        // The fence of another worktree.
        fs::create_dir(dir.join("packed-refs.lock")).unwrap();
        let packed = fs::read(dir.join("packed-refs")).unwrap();
        // Once more where there is none, then without its folder, then with a folder in its place.
        assert!(remove(dir, NAME).unwrap() && remove(dir, NAME).unwrap());
        assert!(!dir.join(NAME).exists() && !dir.join("logs").join(NAME).exists() && !lock(dir).exists());
        fs::remove_dir(dir.join(NAME).parent().unwrap()).unwrap();
        assert!(remove(dir, NAME).unwrap());
        fs::create_dir_all(dir.join(NAME)).unwrap();
        assert!(remove(dir, NAME).unwrap() && dir.join(NAME).is_dir() && !lock(dir).exists());
        assert_eq!(fs::read(dir.join("packed-refs")).unwrap(), packed);
    }

    #[test]
    fn p1_a_packed_ref_and_a_locked_one_stay_as_they_are() {
        let dir = git_dir();
        let dir = dir.path();
        fs::write(lock(dir), "theirs").unwrap();
        let error = remove(dir, NAME).unwrap_err();
        assert!(error.is_passing(), "{error}");
        assert_eq!(fs::read_to_string(lock(dir)).unwrap(), "theirs");
        fs::remove_file(lock(dir)).unwrap();
        fs::write(dir.join("packed-refs"), format!("{ID} {NAME}\n")).unwrap();
        assert!(!remove(dir, NAME).unwrap() && !lock(dir).exists());
        assert!(dir.join(NAME).is_file() && dir.join("logs").join(NAME).is_file());
        // Packed, and no file any more.
        fs::remove_dir_all(dir.join("refs")).unwrap();
        assert!(!remove(dir, NAME).unwrap());
    }

    #[test]
    fn p1_a_git_that_had_read_the_ref_before_it_went_does_not_bring_it_back_unseen() {
        let dir = git_dir();
        let packs = dir.path().join("packed-refs.lock");
        fs::write(&packs, format!("{ID} {NAME}\n")).unwrap();
        let packed = |dir: &Path| {
            assert!(!dir.join(NAME).exists() && !lock(dir).exists(), "it can be pruned");
            fs::rename(&packs, dir.join("packed-refs")).unwrap();
        };
        let gone = remove_beside(dir.path(), NAME, packed).unwrap();
        assert!(!gone, "it is packed, and git's to take away");
    }
}
