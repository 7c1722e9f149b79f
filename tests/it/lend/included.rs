//! What `.worktreeinclude` brings into a working copy (A29): ignored, regular, bounded, and nothing from elsewhere.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use git_grill::lend::changes::changes;
use git_grill::lend::include::include;

use super::Yard;

#[test]
fn a29_only_ignored_regular_files_of_the_parent_come_along() {
    let yard = Yard::new();
    let line = "printf '.env*\\n!.env.not\\n/config/\\n/src/a\\n/notes\\n*.link\\n' >.worktreeinclude &&
        printf 'config/\\n*.link\\n' >>.gitignore && git add -A && git commit -qm i && mkdir -p config/deep &&
        echo e >.env && chmod 600 .env && echo n >.env.not && echo c >config/deep/c && mkfifo config/pipe && echo s >../secret";
    yard.sh(&yard.repo(), line);
    symlink(yard.at("secret"), yard.repo().join("a.link")).unwrap();
    yard.place();
    // Not ignored, and so no business of ours: it came after the copy was made.
    fs::write(yard.repo().join("notes"), "n").unwrap();
    let mut brought = include(&yard.parent(), &yard.folder()).unwrap();
    brought.files.sort();
    assert_eq!(brought.files, [b".env".to_vec(), b"config/deep/c".to_vec()]);
    assert!(brought.passed_over.contains(&(b"a.link".to_vec(), "it is a symlink")), "{:?}", brought.passed_over);
    assert_eq!(fs::read(yard.copy().join("config/deep/c")).unwrap(), b"c\n");
    assert_eq!(fs::metadata(yard.copy().join(".env")).unwrap().permissions().mode() & 0o777, 0o600);
    for name in [".env.not", "a.link", "notes", "config/pipe"] {
        assert!(yard.copy().join(name).symlink_metadata().is_err(), "{name}");
    }
    assert_eq!(yard.sh(&yard.copy(), "git status --porcelain"), "");
    assert!(changes(&yard.parent(), &yard.folder()).unwrap().files.is_empty());
}

#[test]
fn a29_without_the_file_or_with_a_link_in_its_place_nothing_comes_along() {
    let yard = Yard::new();
    yard.sh(&yard.repo(), "echo e >.env");
    yard.place();
    assert!(include(&yard.parent(), &yard.folder()).unwrap().files.is_empty());
    fs::write(yard.at("elsewhere"), ".env\n").unwrap();
    symlink(yard.at("elsewhere"), yard.repo().join(".worktreeinclude")).unwrap();
    assert!(include(&yard.parent(), &yard.folder()).unwrap().files.is_empty());
}
