//! Reading is never in the way: what git shows under the fence is what it shows without.

use super::world::free;

const READS: &[&str] = &[
    "git status --short",
    "git status --porcelain=v2 --branch",
    "git diff",
    "git diff --cached",
    "git diff --stat main side",
    "git log --oneline main",
    "git log -p -1",
    "git show --stat HEAD",
    "git show v1:a.txt",
    "git blame HEAD -- b.txt",
    "git branch -avv",
    "git tag -l",
    "git stash list",
    "git stash show -p stash@{0}",
    "git ls-files -s",
    "git ls-files --others --exclude-standard",
    "git ls-tree -r HEAD",
    "git cat-file -p HEAD^{tree}",
    "git rev-parse HEAD main v1 refs/stash",
    "git rev-list --count main",
    "git merge-base main side",
    "git describe --tags --dirty",
    "git grep -n two",
    "git for-each-ref refs/heads refs/tags refs/stash",
    "git reflog -3",
    "git config --get remote.origin.url",
    "git remote -v",
    "git submodule status",
    "git worktree list --porcelain",
    "git fsck --no-dangling",
    "git archive HEAD | tar -t",
    "git bundle create - main | wc -c",
    "git shortlog -sn main",
    "git name-rev HEAD",
    "git check-ignore -v .grill",
    "git diff-index --name-status HEAD",
    "git cherry main side",
    "git ls-remote origin",
    "git var GIT_AUTHOR_IDENT | cut -d' ' -f1",
    "git count-objects | wc -l",
];

#[test]
fn reading_shows_the_same_with_and_without_the_fence() {
    let bench = free();
    bench.run("git grill start 'nothing changes' --research off").assert_code(0);
    let read = || -> Vec<_> {
        READS
            .iter()
            .map(|line| {
                let ran = bench.run(line);
                (ran.code, ran.stdout, ran.stderr)
            })
            .collect()
    };
    // Once before, because the first look refreshes what the index knows of the files.
    let _ = read();
    let without = read();
    assert!(without.iter().filter(|(_, out, _)| !out.is_empty()).count() > 30, "the reads read something");
    bench.run("git grill resume --fence").assert_code(0);
    assert!(bench.run("git grill status --porcelain").assert_code(0).stdout().contains("fence\tup"));
    for ((line, without), with) in READS.iter().zip(without).zip(read()) {
        assert_eq!(with, without, "{line}");
    }
}
