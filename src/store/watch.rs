//! Whether a ref has moved since a moment, told often and for next to nothing: who waits for a person looks many times a
//! second whether another terminal was faster.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::files::regular;

/// Says whether a ref has moved since now, by the files that can name it.
pub fn watch(common: &Path, name: &str) -> Box<dyn Fn() -> bool> {
    let files = [common.join(name), common.join("packed-refs"), common.join("reftable/tables.list")];
    let look = move || {
        // A loose ref is named by nothing else, whatever else is packed meanwhile.
        let named = regular::bytes(&files[0], regular::SHORT).ok();
        let others = files[1..].iter().map(|file| fs::metadata(file).ok());
        let stamps: Vec<_> =
            others.map(|about| about.map(|about| (about.ino(), about.len(), about.mtime_nsec()))).collect();
        (named.is_none().then_some(stamps), named)
    };
    let before = look();
    Box::new(move || look() != before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ref_that_moves_or_is_packed_is_noticed_and_no_other() {
        let temp = tempfile::tempdir().unwrap();
        let name = "refs/grill/sessions/a";
        let write = |path: &str, text: &str| {
            let path = temp.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let absent = watch(temp.path(), name);
        assert!(!absent());
        write(name, "one");
        assert!(absent());
        let loose = watch(temp.path(), name);
        write("refs/grill/sessions/b", "one");
        write("packed-refs", "others");
        assert!(!loose());
        write(name, "two");
        assert!(loose());
        fs::remove_file(temp.path().join(name)).unwrap();
        let packed = watch(temp.path(), name);
        assert!(!packed());
        write("packed-refs", "others and more");
        assert!(packed());
    }
}
