//! Becoming a user whom file permissions bind. Root may write anywhere, so a test about a read-only directory that
//! runs as root would pass without testing anything.

use std::os::unix::fs::{PermissionsExt, lchown};
use std::path::Path;

use super::Bench;
use super::command::User;
use super::environment::program;

const NOBODY: u32 = 65534;

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
        assert!(std::process::Command::new("cp").arg(program()).arg(&copy).status().unwrap().success());
        std::fs::set_permissions(&copy, PermissionsExt::from_mode(0o755)).unwrap();
        // From here on root is a stranger in this repository; git and libgit2 read different files to allow that.
        let trust = "[safe]\n\tdirectory = *\n";
        bench.global_config(trust);
        std::fs::write(bench.root.join("home/.gitconfig"), trust).unwrap();
    }
    give(&bench.root);
}

fn give(path: &Path) {
    lchown(path, Some(NOBODY), Some(NOBODY)).unwrap();
    if path.symlink_metadata().unwrap().is_dir() {
        for entry in path.read_dir().unwrap() {
            give(&entry.unwrap().path());
        }
    }
}
