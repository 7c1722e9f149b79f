//! A look at `packed-refs`, which no library shows apart from the loose refs that hide it.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use crate::files::patience::until;
use crate::files::regular;
use crate::git::program::is_reftable;
use crate::policy::ref_line::RefName;
use crate::policy::refs::{PackedRefs, Unreadable};

/// How long a lock is waited for that may be another git's. The git that asks us keeps its own for as long as we take.
const PATIENCE: Duration = Duration::from_millis(300);

/// Whether the file is being written by the git that asks us. Not knowing counts as being written. A lock that goes away
/// while that git waits for our answer is not its own, but that of a `git gc` beside it.
pub(crate) fn lock(common_dir: &Path) -> PackedRefs {
    let lock = common_dir.join("packed-refs.lock");
    if until(PATIENCE, || is_absent(&lock)) { PackedRefs::Unlocked } else { PackedRefs::Locked }
}

/// Whether a value that is written for this ref can only go into `packed-refs`, behind a file of the ref's own that goes
/// first: `git pack-refs` copies what it read, and the ref may have moved meanwhile. Whoever moves the ref itself holds
/// its lock.
pub(crate) fn is_hidden(common_dir: &Path, name: &RefName) -> bool {
    let loose = common_dir.join(OsStr::from_bytes(name.as_bytes()));
    let own_lock = common_dir.join(OsStr::from_bytes(&[name.as_bytes(), b".lock"].concat()));
    let is_packed_now = || !is_absent(&common_dir.join("packed-refs.lock"));
    let is_files = !is_reftable(common_dir);
    is_files && is_packed_now() && until(PATIENCE, || is_absent(&own_lock)) && is_packed_now() && loose.is_file()
}

fn is_absent(path: &Path) -> bool {
    fs::symlink_metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound)
}

/// The object that the file holds for a ref.
pub(crate) fn value(common_dir: &Path, name: &RefName) -> Result<Option<String>, Unreadable> {
    let unreadable = |error: std::io::Error| Unreadable(format!("packed-refs: {error}"));
    let file = match regular::open(common_dir.join("packed-refs")) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    let mut reader = BufReader::with_capacity(64 * 1024, file);
    let mut line = Vec::new();
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line).map_err(unreadable)? == 0 {
            return Ok(None);
        }
        // `<id> <name>`; comments and peeled tags start with `#` and `^`.
        let mut fields = line.trim_ascii_end().splitn(2, |byte| *byte == b' ');
        if let (Some(id), Some(found)) = (fields.next(), fields.next())
            && found == name.as_bytes()
        {
            return Ok(Some(String::from_utf8_lossy(id).into_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_counts_whatever_it_is_and_values_are_found_by_their_whole_name() {
        let dir = tempfile::tempdir().unwrap();
        let name = RefName::new(*b"refs/heads/a");
        assert_eq!(value(dir.path(), &name), Ok(None));
        assert_eq!(lock(dir.path()), PackedRefs::Unlocked);
        fs::create_dir(dir.path().join("packed-refs.lock")).unwrap();
        assert_eq!(lock(dir.path()), PackedRefs::Locked);
        let text = "# pack-refs with: peeled\n11 refs/heads/a/b\n22 refs/heads/a\n^33\n44 refs/tags/refs/heads/a\n";
        fs::write(dir.path().join("packed-refs"), text).unwrap();
        assert_eq!(value(dir.path(), &name), Ok(Some("22".to_owned())));
        assert_eq!(value(dir.path(), &RefName::new(*b"refs/heads")), Ok(None));
        fs::remove_file(dir.path().join("packed-refs")).unwrap();
        fs::create_dir(dir.path().join("packed-refs")).unwrap();
        assert!(value(dir.path(), &name).is_err());
    }
    #[test]
    fn a_lock_that_goes_away_while_git_waits_for_us_is_another_gits() {
        let dir = tempfile::tempdir().unwrap();
        let lock_file = dir.path().join("packed-refs.lock");
        fs::write(&lock_file, "").unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(PATIENCE / 4);
                fs::remove_file(&lock_file).unwrap();
            });
            assert_eq!(lock(dir.path()), PackedRefs::Unlocked);
        });
    }

    #[test]
    fn a_value_is_hidden_behind_a_loose_ref_that_nobody_writes_while_refs_are_packed() {
        let dir = tempfile::tempdir().unwrap();
        let (at, name) = (|path: &str| dir.path().join(path), RefName::new(*b"refs/heads/a"));
        fs::create_dir_all(at("refs/heads")).unwrap();
        fs::write(at("packed-refs.lock"), "").unwrap();
        assert!(!is_hidden(dir.path(), &name), "nothing would hide it");
        fs::write(at("refs/heads/a"), "22\n").unwrap();
        assert!(is_hidden(dir.path(), &name));
        fs::write(at("refs/heads/a.lock"), "").unwrap();
        assert!(!is_hidden(dir.path(), &name), "somebody moves the ref itself");
        fs::remove_file(at("refs/heads/a.lock")).unwrap();
        fs::remove_file(at("packed-refs.lock")).unwrap();
        assert!(!is_hidden(dir.path(), &name), "nobody packs refs");
    }
}
