//! The rows of the measured matrix in whose column the fence alone refuses cleanly: each is tried with the hooks, and
//! with every hook file switched off, and must fail and leave everything as it was.

use std::path::Path;

use crate::bench::{Bench, one_of};

use super::world::{fenced, kept};

/// Shell lines with `$G` for git; a row may be several commands, of which the last one is judged.
const REFUSED: &[&str] = &[
    "$G commit -m x",
    "$G commit --no-verify -m x",
    "$G commit -a -m x",
    "$G commit --amend -m x",
    "$G merge side",
    "$G merge --no-ff side",
    "$G merge --squash side",
    "$G rebase side",
    "$G cherry-pick side",
    "$G cherry-pick -n side",
    "$G revert HEAD",
    "$G reset --soft HEAD~1",
    "$G reset --mixed HEAD~1",
    "$G reset --hard HEAD~1",
    "$G reset --hard HEAD",
    "$G reset -- staged.txt",
    "$G checkout other",
    "$G switch other",
    "$G switch --detach v1",
    "$G checkout -B side",
    "$G checkout -- b.txt",
    "$G checkout v1 -- b.txt",
    "$G restore b.txt",
    "$G restore --staged staged.txt",
    "$G stash push",
    "$G stash push -u",
    "$G stash pop",
    "$G stash apply",
    "$G stash drop",
    "$G stash clear",
    "$G tag -d v1",
    "$G branch -D ren",
    "$G branch -m ren ren2",
    "$G add b.txt",
    "$G add -N untracked.txt",
    "$G rm -f a.txt",
    "$G rm --cached a.txt",
    "$G mv a.txt z.txt",
    "$G apply --index ../a.patch",
    "$G apply --cached ../a.patch",
    "$G sparse-checkout set sub",
    "$G update-ref HEAD HEAD~1",
    "$G update-ref -d refs/heads/ren",
    "$G symbolic-ref HEAD refs/heads/side",
    "new=$($G commit-tree -p HEAD -m x HEAD^{tree}) && $G update-ref refs/heads/main $new",
    "$G read-tree HEAD~1",
    "$G read-tree -u --reset v1",
    "$G update-index --assume-unchanged a.txt",
    "FILTER_BRANCH_SQUELCH_WARNING=1 $G filter-branch --msg-filter cat HEAD",
    "$G bisect start HEAD v1",
    "$G pack-refs --all",
    "$G reflog delete HEAD@{1}",
    "$G config some.key value",
    "$G remote add elsewhere ../lib",
    "$G remote rename origin upstream",
    "rm -rf .git/hooks && $G commit -m x",
    "$G -C sub commit --allow-empty -m x",
    "$G -C sub checkout --detach",
    "cd sub && echo x >>lib.txt && $G add lib.txt",
];

/// What the row itself changes before git is asked, and what it may leave.
fn own_doing(row: &str, path: &Path) -> bool {
    let path = path.to_string_lossy();
    (row.starts_with("rm -rf .git/hooks") && path.starts_with(".git/hooks"))
        || (row.starts_with("cd sub") && path == "sub/lib.txt")
}

/// Plays every second row, beginning with this one, or all of them.
fn every_row(bench: &Bench, git: &str, first: usize) {
    // Nobody takes the fence down meanwhile, so no git needs to wait for that.
    bench.global_config("[core]\n\tfilesRefLockTimeout = 0\n\tpackedRefsTimeout = 0\n");
    bench.run("cp -a . ../template").assert_code(0);
    let template = bench.root().join("template");
    let before = kept(&template);
    let mut complaints = Vec::new();
    for row in REFUSED.iter().skip(first % one_of(2)).step_by(one_of(2)) {
        bench.run("rm -rf ../row && cp -a ../template ../row").assert_code(0);
        let ran = bench.at("../row").run(&format!("G='{git}'; {row}"));
        let after = kept(&bench.root().join("row"));
        let changed: Vec<_> = before
            .keys()
            .chain(after.keys())
            .filter(|path| before.get(*path) != after.get(*path) && !own_doing(row, path))
            .collect();
        if ran.code == 0 || !changed.is_empty() {
            complaints.push(format!("{row}: exit {}, changed {changed:?}\n{}", ran.code, ran.stderr));
        }
    }
    assert!(complaints.is_empty(), "{} of {}:\n{}", complaints.len(), REFUSED.len(), complaints.join("\n"));
}

#[test]
fn g37_every_clean_row_is_refused_and_leaves_nothing_with_the_hooks() {
    every_row(&fenced(), "git", 0);
}

#[test]
fn g37_and_with_every_hook_file_switched_off() {
    every_row(&fenced(), "git -c core.hooksPath=/dev/null", 1);
}

#[test]
fn what_git_says_points_to_a_file_that_explains_itself() {
    let bench = fenced();
    let said = bench.run("git add b.txt").stderr;
    assert!(said.contains("/.git/index.lock': File exists"), "{said}");
    let note = bench.read(".git/index.lock/held-by-git-grill.lock");
    for part in ["git grill stop", "git grill doctor --fix", "nothing-changes", bench.repo().to_str().unwrap()] {
        assert!(note.contains(part), "{part}: {note}");
    }
    // What people type when git tells them that a process may have crashed.
    assert_ne!(bench.run("rm -f .git/index.lock").code, 0);
    assert_ne!(bench.run("git add b.txt").code, 0);
}

#[test]
fn the_library_that_runs_no_hooks_is_refused_too() {
    let bench = fenced();
    let before = kept(bench.repo());
    let repo = git2::Repository::open(bench.repo()).unwrap();
    let mut index = repo.index().unwrap();
    index.add_path(Path::new("b.txt")).unwrap();
    assert_eq!(index.write().unwrap_err().code(), git2::ErrorCode::Locked);
    let head = repo.head().unwrap().peel_to_commit().unwrap();
    let by = git2::Signature::now("a", "a@example.org").unwrap();
    let committed = repo.commit(Some("HEAD"), &by, &by, "x", &head.tree().unwrap(), &[&head]);
    assert_eq!(committed.unwrap_err().code(), git2::ErrorCode::Locked);
    assert!(repo.set_head("refs/heads/side").is_err());
    assert!(repo.config().unwrap().open_level(git2::ConfigLevel::Local).unwrap().set_str("a.b", "c").is_err());
    // A ref that is packed is deleted under a lock of the fence. One that is not goes through: the library takes its own
    // lock alone, which nobody holds, as for every new ref.
    assert!(repo.find_reference("refs/tags/packed").unwrap().delete().is_err());
    let after = kept(bench.repo());
    let changed: Vec<_> = before.keys().filter(|path| before.get(*path) != after.get(*path)).collect();
    assert!(changed.is_empty(), "{changed:?}");

    // Its hard reset writes files before it asks for any lock: it fails, and HEAD, refs and index stay.
    assert!(repo.reset(head.parent(0).unwrap().as_object(), git2::ResetType::Hard, None).is_err());
    let after = kept(bench.repo());
    let changed: Vec<_> = before.keys().filter(|path| before.get(*path) != after.get(*path)).collect();
    assert!(changed.iter().all(|path| !path.starts_with(".git")), "{changed:?}");
}
