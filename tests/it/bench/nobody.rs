//! Becoming a user whom file permissions bind. Root may write anywhere, so a test about a read-only directory that
//! runs as root would pass without testing anything.

use std::os::unix::fs::{PermissionsExt, lchown};
use std::path::Path;

use super::Bench;
use super::command::User;

/// A user and a group like any other: 65534 is what a process has in a user namespace that maps no one, and a test would
/// not see the difference.
const NOBODY: (u32, u32) = (4242, 4243);

/// The user for unprivileged commands: `nobody` for root, ourselves for everybody else.
pub fn unprivileged_user() -> User {
    if rustix::process::geteuid().is_root() { User::Nobody } else { User::Myself }
}

/// Gives the whole world of the bench to `nobody`, modes unchanged, with a copy of the program, whose own directory
/// may be closed to others.
pub fn hand_over(bench: &Bench) {
    let bin = bench.root.join("bin");
    if !bin.exists() {
        std::fs::create_dir(&bin).unwrap();
        let copy = bin.join("git-grill");
        // By another process, lest a fork of a neighbouring test hold the copy open for writing when it is executed.
        assert!(std::process::Command::new("cp").arg(bench.program()).arg(&copy).status().unwrap().success());
        std::fs::set_permissions(&copy, PermissionsExt::from_mode(0o755)).unwrap();
        // From here on root is a stranger in this repository; git and libgit2 read different files to allow that.
        bench.global_config("[safe]\n\tdirectory = *\n");
    }
    give(&bench.root);
}

fn give(path: &Path) {
    lchown(path, Some(NOBODY.0), Some(NOBODY.1)).unwrap();
    if path.symlink_metadata().unwrap().is_dir() {
        for entry in path.read_dir().unwrap() {
            give(&entry.unwrap().path());
        }
    }
}
