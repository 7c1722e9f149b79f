//! Reading is never in the way: what reads prints the same, to the byte and to the exit code, with the fence and
//! without, and inside `git grill run`.

use super::fingerprint::every_byte;
use super::gits;
use super::lane::{Guard, INSIDE, Lane, Way};
use super::operations::Kind;

/// Commands that only read. Some write a report, none writes to the repository.
const READS: &[&str] = &[
    "git status",
    "git status --short --branch --untracked-files=all",
    "git status --porcelain=v2 --ignored",
    "git diff",
    "git diff --stat",
    "git diff --cached",
    "git diff HEAD",
    "git diff main...other",
    "git diff --no-index a.txt b.txt",
    "git diff-index HEAD",
    "git diff-files",
    "git diff-tree -r HEAD",
    "git log --oneline --graph --all",
    "git log -p -2",
    "git log --follow b.txt",
    "git log -S changed",
    "git log -g --oneline",
    "git log --reflog --oneline",
    "git shortlog -sn HEAD",
    "git show HEAD",
    "git show v1:a.txt",
    "git blame b.txt",
    "git grep -n deep",
    "git ls-files -s",
    "git ls-files --others",
    "git ls-files --modified",
    "git ls-tree -r HEAD",
    "git ls-remote origin",
    "git cat-file -p HEAD",
    "git cat-file --batch-check --batch-all-objects",
    "git rev-parse HEAD main other",
    "git rev-parse --show-toplevel --git-dir",
    "git rev-list --count --all",
    "git rev-list --all --reflog --objects",
    "git merge-base main other",
    "git name-rev HEAD",
    "git describe --tags --dirty",
    "git branch -avv",
    "git branch --contains v1",
    "git tag -l -n",
    "git for-each-ref",
    "git show-ref",
    "git show-branch --all",
    "git symbolic-ref HEAD",
    "git reflog",
    "git reflog show --all",
    "git stash list",
    "git stash show -p",
    "git worktree list",
    "git submodule status",
    "git submodule foreach git log --oneline",
    "git remote -v",
    "git remote show origin",
    "git config --list --local",
    "git config user.name",
    "git check-ignore -v .grill/checkpoint.md",
    "git check-attr -a a.txt",
    "git fsck --full",
    "git fsck --unreachable",
    "git count-objects -v",
    "git verify-commit HEAD",
    "git cherry -v main other",
    "git range-diff main...other",
    "git format-patch --stdout -1",
    "git archive HEAD | cksum",
    "git bundle create - main | cksum",
    "git fast-export main | cksum",
    "git merge-tree v1 main other",
    "git notes list",
    "git replace --list",
    "git bisect log",
    "git refs verify",
    "git apply --check ../other.diff",
    "git apply --stat ../other.diff",
    "git push --dry-run origin HEAD:refs/heads/pushed",
    "git clean -nd",
    "git var GIT_AUTHOR_IDENT | cut -d'<' -f1",
];

/// Commands that only read and yet lock the index, so that neither the fence nor a run lets them: git's own limit.
const LOCKING: &[&str] = &[
    "git add --dry-run a.txt",
    "git rm --dry-run b.txt",
    "git commit --dry-run --short --allow-empty",
    "git stash create",
];

#[test]
fn reading_prints_the_same_under_the_fence_and_inside_a_run() {
    let mut complaints = String::new();
    for git in gits::all() {
        let lane = Lane::on_disk(&git);
        lane.renew(Kind::Dirty, Guard::Fence);
        for (line, way) in LOCKING.iter().flat_map(|line| [(line, Way::Plain), (line, Way::Inside)]) {
            let output = lane.attempt(line, way);
            assert!(output.code != 0, "it went through after all: {output}");
        }
        let before = every_byte(&lane.world());
        let tried = [("under the fence", said(&lane, Way::Plain)), ("inside a run", said(&lane, Way::Inside))];
        let after = every_byte(&lane.world());
        // git notes in the index what it learnt about the files.
        let touched: Vec<_> = after.keys().filter(|name| before.get(*name) != after.get(*name)).collect();
        assert!(touched.iter().all(|name| name.ends_with("index")), "git {}: it changed {touched:?}", git.version);
        lane.without_locks();
        let free = said(&lane, Way::Plain);
        for (what, said) in tried {
            for ((line, got), free) in READS.iter().zip(said).zip(&free) {
                if got != *free {
                    complaints += &format!("\ngit {}, `{line}` {what}:\n{got}\nbut without:\n{free}\n", git.version);
                }
            }
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
}

fn said(lane: &Lane, way: Way) -> Vec<String> {
    let script: String = READS.iter().map(|line| format!("{{ {line}; }} 2>&1; printf 'exit %s\\0' $?\n")).collect();
    let output = lane.attempt(&script, way);
    let stdout = output.stdout.strip_prefix(&format!("{INSIDE}sh\n")).unwrap_or(&output.stdout);
    let said: Vec<String> = stdout.split_terminator('\0').map(str::to_owned).collect();
    assert_eq!(said.len(), READS.len(), "{output}");
    said
}
