//! Files whose names are hard to handle: a name that reads like a pathspec's magic, and a path that is too long to open
//! (A15, A17, A26, A29).

use std::path::Path;

use git_grill::lend::changes::changes;
use git_grill::lend::cleanup::{Loss, cleanup};
use git_grill::lend::include::include;
use git_grill::lend::keep::would_keep;
use git_grill::lend::{LendError, Why};
use rustix::fs::{Mode, OFlags, mkdirat, open, openat};

use super::{AGENT, Yard};

#[test]
fn a15_a_name_that_reads_like_magic_is_a_name() {
    let yard = Yard::new();
    yard.sh(&yard.repo(), "echo /ign >>.gitignore && git commit -qam ign");
    yard.place();
    let line = "for name in ':!important.md' ':(exclude)x.md' ':/ign' ign ':!x.log'; do
        mkdir -p ':' && echo important >\"./$name\"; done";
    yard.sh(&yard.copy(), line);
    let found = changes(&yard.parent(), &yard.folder()).unwrap();
    let files: Vec<&[u8]> = found.files.iter().map(|file| file.path.as_slice()).collect();
    assert_eq!(files, [b":!important.md".as_slice(), b":(exclude)x.md", b":/ign"]);
    let left_out: Vec<(&[u8], Why)> = found.left_out.iter().map(|one| (one.path.as_slice(), one.why)).collect();
    assert_eq!(left_out, [(b":!x.log".as_slice(), Why::Ignored), (b"ign", Why::Ignored)]);
    assert_eq!(yard.accept().paths.len(), 3);
    let tidied = cleanup(&yard.parent(), &yard.folder(), AGENT, Loss::Refused).unwrap();
    let listed = format!("git ls-tree -r --name-only {}", tidied.kept.unwrap().commit);
    assert!(yard.sh(&yard.repo(), &listed).contains(":/ign"));
}

#[test]
fn a29_a_name_that_reads_like_magic_is_brought_along() {
    let yard = Yard::new();
    yard.sh(&yard.repo(), "echo '*.log' >.worktreeinclude && git add -A && git commit -qm i && echo e >'./:!x.log'");
    yard.place();
    assert_eq!(include(&yard.parent(), &yard.folder()).unwrap().files, [b":!x.log".to_vec()]);
}

/// Makes folders below each other, with a file in the last one, whose path no call takes as a whole.
fn deep(top: &Path) {
    let folder = OFlags::RDONLY | OFlags::DIRECTORY;
    let mut at = open(top, folder, Mode::empty()).unwrap();
    for _ in 0..250 {
        let name = "d".repeat(20);
        mkdirat(&at, &*name, Mode::from_raw_mode(0o755)).unwrap();
        at = openat(&at, &*name, folder, Mode::empty()).unwrap();
    }
    openat(&at, "x", OFlags::CREATE | OFlags::WRONLY, Mode::from_raw_mode(0o644)).unwrap();
}

#[test]
fn a15_a17_a_path_that_is_too_long_is_left_out_by_a_short_name_and_can_be_removed() {
    let yard = Yard::new();
    yard.place();
    yard.sh(&yard.copy(), "echo new >new");
    deep(&yard.copy());
    let found = changes(&yard.parent(), &yard.folder()).unwrap();
    let files: Vec<&[u8]> = found.files.iter().map(|file| file.path.as_slice()).collect();
    let reasons: Vec<Why> = found.left_out.iter().map(|one| one.why).collect();
    assert_eq!((files, reasons), (vec![b"new".as_slice()], vec![Why::LongPath]));
    assert_eq!(yard.accept().paths, [b"new"]);
    let lines = would_keep(&yard.parent(), &yard.folder()).unwrap();
    assert!(lines.len() == 2 && lines[1].contains("ddd…ddd") && lines[1].len() < 500, "{lines:?}");
    let refused = cleanup(&yard.parent(), &yard.folder(), AGENT, Loss::Refused).unwrap_err();
    assert!(matches!(&refused, LendError::WouldLose { paths } if paths.len() == 1));
    assert!(refused.to_string().len() < 500, "{refused}");
    cleanup(&yard.parent(), &yard.folder(), AGENT, Loss::Accepted).unwrap();
    assert!(!yard.copy().exists());
}
