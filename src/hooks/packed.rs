//! A look at `packed-refs`, which no library shows apart from the loose refs that hide it.

use std::fs;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::Path;

use crate::policy::ref_line::RefName;
use crate::policy::refs::{PackedRefs, Unreadable};

/// Whether the file is being written. Not knowing counts as being written.
pub(crate) fn lock(common_dir: &Path) -> PackedRefs {
    match fs::symlink_metadata(common_dir.join("packed-refs.lock")) {
        Err(error) if error.kind() == ErrorKind::NotFound => PackedRefs::Unlocked,
        Ok(_) | Err(_) => PackedRefs::Locked,
    }
}

/// The object that the file holds for a ref.
pub(crate) fn value(common_dir: &Path, name: &RefName) -> Result<Option<String>, Unreadable> {
    let unreadable = |error: std::io::Error| Unreadable(format!("packed-refs: {error}"));
    let file = match fs::File::open(common_dir.join("packed-refs")) {
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
}
