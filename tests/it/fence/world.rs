//! A repository with something for every git operation, and what of it must not change.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::bench::Bench;

const SCRIPT: &str = r"
set -e
git config --global protocol.file.allow always
git init -q -b main ../lib && (cd ../lib && echo lib >lib.txt && git add . && git commit -qm lib)
echo one >a.txt; echo b >b.txt; echo sub >c.txt
git submodule --quiet add ../lib sub
git add . && git commit -qm one
git tag packed && git pack-refs --all; git branch ren; git tag v1
git switch -qc side && echo side >side.txt && git add . && git commit -qm side
git switch -qc other main && echo other >a.txt && git commit -qam other
git switch -q main && echo two >>b.txt && git commit -qam two
git format-patch -q -1 side --stdout >../side.patch
echo stashed >>c.txt && git stash -q && echo again >>c.txt && git stash -q
git init -q --bare -b main ../up.git && git remote add origin ../up.git && git push -q origin main
git clone -q ../up.git ../colleague && (cd ../colleague && echo more >more.txt && git add . && git commit -qm more && git push -q)
echo dirty >>b.txt; echo staged >staged.txt; git add staged.txt; echo new >untracked.txt
printf 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+patched\n' >../a.patch
";

/// A fenced repository, mid-interview.
pub fn fenced() -> Bench {
    let bench = Bench::new();
    bench.run(SCRIPT).assert_code(0);
    bench.run("git grill start 'nothing changes' --fence --research off").assert_code(0);
    bench
}

/// The same repository before anything is armed.
pub fn free() -> Bench {
    let bench = Bench::new();
    bench.run(SCRIPT).assert_code(0);
    bench
}

/// Everything that a fenced repository must keep, by path: all files but objects, our own state, and what git writes
/// down before it asks anybody.
pub fn kept(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut dirs = vec![root.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            if ["objects", "grill"].iter().any(|part| name.split('/').any(|own| own == *part))
                || ["COMMIT_EDITMSG", "gc.log", "gc.pid"].iter().any(|own| name.ends_with(own))
            {
                continue;
            }
            let meta = fs::symlink_metadata(&path).unwrap();
            let content = if meta.is_dir() {
                dirs.push(path.clone());
                // Empty folders of refs come and go.
                continue;
            } else if meta.is_symlink() {
                fs::read_link(&path).unwrap().into_os_string().as_bytes().to_vec()
            } else {
                fs::read(&path).unwrap()
            };
            found.insert(path.strip_prefix(root).unwrap().to_owned(), content);
        }
    }
    found
}
