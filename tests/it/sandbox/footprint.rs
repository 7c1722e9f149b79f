//! Everything that can be seen of a folder: names, kinds, bytes, modes, owners, times.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What one path is. The time of the last change of anything about it cannot be set back by anybody.
#[derive(Debug, PartialEq, Eq)]
pub struct Trace {
    mode: u32,
    owner: (u32, u32),
    links: u64,
    modified: (i64, i64),
    changed: (i64, i64),
    bytes: Vec<u8>,
}

/// The paths that are not what they were.
pub fn changed(before: &BTreeMap<PathBuf, Trace>, after: &BTreeMap<PathBuf, Trace>) -> Vec<PathBuf> {
    let all: BTreeSet<&PathBuf> = before.keys().chain(after.keys()).collect();
    all.into_iter().filter(|path| before.get(*path) != after.get(*path)).cloned().collect()
}

/// The same without the times of the last change of anything, for a world that is given to another user once more.
pub fn without_change_times(mut traces: BTreeMap<PathBuf, Trace>) -> BTreeMap<PathBuf, Trace> {
    for trace in traces.values_mut() {
        trace.changed = (0, 0);
    }
    traces
}

pub fn footprint(root: &Path) -> BTreeMap<PathBuf, Trace> {
    let mut found = BTreeMap::new();
    walk(root, &mut found);
    found
}

fn walk(path: &Path, found: &mut BTreeMap<PathBuf, Trace>) {
    let about = fs::symlink_metadata(path).unwrap();
    let bytes = if about.is_file() {
        fs::read(path).unwrap()
    } else if about.is_symlink() {
        fs::read_link(path).unwrap().into_os_string().into_encoded_bytes()
    } else {
        Vec::new()
    };
    let trace = Trace {
        mode: about.mode(),
        owner: (about.uid(), about.gid()),
        links: about.nlink(),
        modified: (about.mtime(), about.mtime_nsec()),
        changed: (about.ctime(), about.ctime_nsec()),
        bytes,
    };
    found.insert(path.to_owned(), trace);
    if about.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            walk(&entry.unwrap().path(), found);
        }
    }
}

#[test]
fn a_footprint_sees_what_a_chmod_there_and_back_leaves() {
    use std::os::unix::fs::PermissionsExt;
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("f");
    fs::write(&file, "x").unwrap();
    let before = footprint(temp.path());
    assert_eq!(changed(&before, &footprint(temp.path())), Vec::<PathBuf>::new());
    let mode = fs::metadata(&file).unwrap().permissions();
    fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
    fs::set_permissions(&file, mode).unwrap();
    assert_eq!(changed(&before, &footprint(temp.path())), [file]);
}
