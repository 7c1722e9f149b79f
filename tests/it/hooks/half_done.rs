//! Where git has changed something by the time it is refused, the refusal says what, and what brings it back; where it
//! has not, it says nothing of the kind.

use std::fs;
use std::path::Path;

use git_grill::hooks::arm;

use super::bench::{Bench, Snapshot, assert_same, gits};

/// Commands that are refused and leave something, with what the refusal must say.
const LEAVE: &[(&[&str], &str)] = &[
    (&["rebase", "side"], "git rebase has exchanged files and index"),
    (&["cherry-pick", "side"], "git cherry-pick has changed files and index"),
    (&["revert", "--no-edit", "HEAD"], "git revert has changed files and index"),
    (&["am", "../side.patch"], "git am has put its patches"),
    (&["reset", "--mixed", "HEAD~1"], "if this was git reset"),
    (&["reset", "--hard", "HEAD~1"], "if this was git reset"),
    (&["checkout", "side"], "those of the other branch"),
    (&["switch", "side"], "those of the other branch"),
    (&["switch", "--detach", "side"], "--detach"),
    (&["bisect", "start", "HEAD", "HEAD~2"], "git bisect has noted"),
];

/// Commands that are refused and leave nothing.
const CLEAN: &[&[&str]] = &[
    &["commit", "--allow-empty", "-m", "x"],
    &["commit", "--amend", "--allow-empty", "-m", "x"],
    &["branch", "new"],
    &["branch", "-D", "side"],
    &["tag", "new"],
    &["update-ref", "refs/heads/side", "HEAD"],
    &["stash", "push"],
    &["reset", "--soft", "HEAD~1"],
];

fn repo(bench: &Bench) -> std::path::PathBuf {
    let repo = bench.repo("repo");
    bench.git(&repo, &["switch", "-q", "-c", "side", "HEAD~1"]);
    fs::write(repo.join("side.txt"), "side").unwrap();
    bench.git(&repo, &["add", "."]);
    bench.git(&repo, &["commit", "-qm", "side"]);
    fs::write(bench.at("side.patch"), bench.git(&repo, &["format-patch", "-1", "--stdout"]) + "\n").unwrap();
    bench.git(&repo, &["switch", "-q", "main"]);
    bench.posture("interview");
    let _ = arm(&bench.place(&repo), bench).unwrap();
    repo
}

/// What counts: everything but objects and what git writes down before it asks.
fn kept(bench: &Bench) -> Snapshot {
    let mut all = bench.snapshot();
    all.retain(|path, (kind, ..)| {
        let path = path.to_string_lossy();
        let noise = ["/objects/", "COMMIT_EDITMSG", "/home/", "/our", "probe"].iter().any(|part| path.contains(part));
        *kind != 'd' && !noise
    });
    all
}

fn copy(bench: &Bench, from: &Path, to: &str) -> std::path::PathBuf {
    let target = bench.at(to);
    let _ = fs::remove_dir_all(&target);
    let status = std::process::Command::new("cp").arg("-a").arg(from).arg(&target).status().unwrap();
    assert!(status.success());
    target
}

#[test]
fn a_refusal_that_leaves_something_says_what_and_one_that_leaves_nothing_does_not() {
    for path in gits() {
        let bench = Bench::with_path(path);
        let original = repo(&bench);
        for (args, says) in LEAVE {
            // Before 2.46 git asks nobody about HEAD when it switches branches.
            if matches!(args, ["checkout" | "switch", ..]) && !args.contains(&"--detach") && bench.version() < (2, 46) {
                continue;
            }
            let row = copy(&bench, &original, "row");
            let before = kept(&bench);
            let said = bench.refused(&row, args);
            assert!(said.contains("git grill verify --restore"), "{args:?}: {said}");
            assert!(said.contains(says), "{args:?}: {said}");
            assert!(kept(&bench) != before, "{args:?} left something");
        }
        for args in CLEAN {
            let row = copy(&bench, &original, "row");
            fs::write(row.join("file.txt"), "changed").unwrap();
            bench.git(&row, &["status"]);
            let before = kept(&bench);
            let said = bench.refused(&row, args);
            assert!(!said.contains("verify --restore") || args[0] == "reset", "{args:?}: {said}");
            assert_same(&kept(&bench), &before, &format!("{args:?}"));
        }
    }
}
