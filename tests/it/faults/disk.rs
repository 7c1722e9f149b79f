//! A disk that is full or must not be written: said with the cause, nothing half-made, nothing acknowledged lost.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::answers;
use super::traces::{assert_same, everything, lasting};
use crate::bench::Bench;

/// Takes the right to write from a tree's folders, or gives it back.
fn set_modes(path: &Path, folders: u32) {
    if path.symlink_metadata().unwrap().is_dir() {
        std::fs::set_permissions(path, Permissions::from_mode(folders)).unwrap();
        for entry in path.read_dir().unwrap() {
            set_modes(&entry.unwrap().path(), folders);
        }
    }
}

#[test]
fn a_git_directory_that_must_not_be_written_refuses_start() {
    let bench = Bench::new();
    let git = bench.repo().join(".git");
    let before = everything(bench.repo());
    set_modes(&git, 0o555);
    let refused = bench.as_nobody("git grill start 'a faster search'").assert_code(128);
    refused.assert_contains("error: ").assert_contains("ermission denied").assert_lacks("panicked");
    bench.as_nobody("git grill --json start x").assert_code(128).assert_contains("\"error\"").assert_quiet();
    bench.as_nobody("git grill status").assert_code(0);
    set_modes(&git, 0o755);
    assert_same(&before, &everything(bench.repo()), "nothing half-made");
}

#[test]
fn a_git_directory_that_may_not_be_written_any_more_loses_nothing() {
    let bench = Bench::new();
    let git = bench.repo().join(".git");
    let before = lasting(bench.repo());
    bench.as_nobody("git grill start 'a faster search' && git grill answer --choose 1").assert_code(0);
    let active = everything(bench.repo());
    set_modes(&git, 0o555);
    for verb in ["answer --choose 1", "skip", "back 1", "intensity hard", "stop --without-output"] {
        let refused = bench.as_nobody(&format!("git grill {verb}")).assert_code(128);
        refused.assert_contains("error: ").assert_lacks("panicked");
    }
    bench.as_nobody("git grill status --short").assert_stdout("grill:interview q2 1/1/0\n");
    bench.as_nobody("git grill next").assert_code(0).assert_contains("question 2");
    set_modes(&git, 0o755);
    assert_same(&active, &everything(bench.repo()), "nothing half-made");
    bench.as_nobody("git grill answer --choose 1").assert_code(0).assert_contains("answered");
    bench.as_nobody("git grill stop --without-output").assert_code(0);
    assert_same(&before, &lasting(bench.repo()), "after stop");
}

#[test]
fn a_working_tree_that_must_not_be_written_costs_the_view_alone() {
    let bench = Bench::new();
    bench.as_nobody("true").assert_code(0);
    std::fs::set_permissions(bench.repo(), Permissions::from_mode(0o555)).unwrap();
    let started = bench.as_nobody("git grill start 'a faster search'").assert_code(0);
    started.assert_contains("warning: ").assert_contains(".grill is left alone").assert_lacks("error:");
    bench.as_nobody("git grill answer --choose 1").assert_code(0).assert_contains("answered");
    bench.as_nobody("git grill stop --without-output").assert_code(0);
    std::fs::set_permissions(bench.repo(), Permissions::from_mode(0o755)).unwrap();
    assert!(!bench.repo().join(".grill").exists());
}

/// A limit on the size of files stands for a full disk: a write fails in its middle. Each limit hits another write.
#[test]
fn a_full_disk_at_start_leaves_nothing_half_made() {
    let mut refused = 0;
    for blocks in 0..6 {
        let bench = Bench::new();
        let before = lasting(bench.repo());
        let line = format!("trap '' XFSZ; ulimit -f {blocks}; git grill start 'a faster search' 2>&1 | cat; exit 0");
        bench.run(&line).assert_code(0).assert_lacks("panicked");
        let status = bench.run("git grill status --short").assert_code(0);
        match status.stdout() {
            "" => {
                refused += 1;
                assert_same(&before, &lasting(bench.repo()), &format!("{blocks} blocks"));
                bench.run("git commit --quiet --allow-empty -m free").assert_code(0).assert_lacks("grill");
            }
            _started => {
                // What was begun is whole: it protects, goes on, and ends.
                bench.run("git commit --quiet --allow-empty -m x").assert_code(128);
                bench.run("git grill next").assert_code(0).assert_contains("question 1");
                bench.run("git grill stop --without-output").assert_code(0);
                assert_same(&before, &lasting(bench.repo()), &format!("{blocks} blocks, stopped"));
            }
        }
        bench.run("git fsck --no-dangling").assert_code(0);
        bench.run("git grill start 'another topic'").assert_code(0);
    }
    assert!(refused > 0, "no limit was small enough to fail");
}

#[test]
fn a_full_disk_at_an_answer_says_so_and_loses_nothing() {
    let bench = Bench::new();
    bench.run("git grill start 'a faster search' --research off && git grill answer first").assert_code(0);
    // Random letters, which do not compress: the answer alone is larger than the smaller limits.
    bench.run("head -c 4000 /dev/urandom | base64 -w 60 >../long").assert_code(0);
    let (mut failed, mut acknowledged) = (0, 1);
    for blocks in 0..10 {
        let line = format!("trap '' XFSZ; ulimit -f {blocks}; git grill answer - <../long >/dev/null 2>../said");
        let code = bench.run(&line).code;
        let said = std::fs::read_to_string(bench.root().join("said")).unwrap();
        assert!(!said.contains("panicked"), "{said}");
        match code {
            0 => acknowledged += 1,
            128 => failed += 1,
            other => panic!("exit code {other}: {said}"),
        }
        bench.run("git fsck --no-dangling").assert_code(0);
        // A reply is kept whole or not at all.
        bench.run("find .git/grill -path '*replies*' -name '*.txt' -size -5000c").assert_code(0).assert_stdout("");
        bench.run("git grill next").assert_code(0);
        // One that was recorded and not acknowledged may be there, never one less.
        let recorded = answers(&bench);
        assert!(recorded >= acknowledged, "{recorded} of {acknowledged}");
        acknowledged = recorded;
    }
    assert!(failed > 0, "no limit was small enough to fail");
    bench.run("git grill answer 'and on it goes'").assert_code(0);
    bench.run("git grill checkpoint show").assert_contains("What changes: first");
}

/// A text that could neither be recorded nor kept is said not to be here, and nothing half-written pretends otherwise.
#[test]
fn a_reply_that_could_not_be_kept_either_is_said_to_be_lost() {
    let bench = Bench::new();
    bench.run("git grill start 'a faster search' --research off").assert_code(0);
    let before = lasting(bench.repo());
    let line = "trap '' XFSZ; ulimit -f 0; git grill answer 'a text of my own' 2>&1 | cat";
    let said = bench.run(line).assert_code(0);
    said.assert_contains("its text could not be kept either").assert_contains("send the reply again");
    bench.run("ls .git/grill/replies").assert_code(2);
    assert_same(&before, &lasting(bench.repo()), "nothing half-made");
    bench.run("git grill answer 'a text of my own'").assert_code(0);
}
