//! The operations: what somebody might type while the repository is to stay as it is.
//!
//! `g` stands for git in the way that is being tried, `$NV` for `--no-verify` where that way asks for it. A line that
//! has no `$NV` is not tried with `--no-verify`: the subcommand does not know it, or asks no hook that it would skip.

/// What the repository looks like before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Clean,
    /// With an edit, a mode change, something staged, an untracked file, and a submodule at another commit.
    Dirty,
}

impl Kind {
    /// Its name in `world.sh`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Dirty => "dirty",
        }
    }
}

/// One row of the matrix.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// As people call it; the first column of the fixture.
    pub name: &'static str,
    pub kind: Kind,
    pub line: &'static str,
}

const fn clean(name: &'static str, line: &'static str) -> Operation {
    Operation { name, kind: Kind::Clean, line }
}

const fn dirty(name: &'static str, line: &'static str) -> Operation {
    Operation { name, kind: Kind::Dirty, line }
}

/// Every row, in the order of the fixture.
pub const OPERATIONS: &[Operation] = &[
    dirty("commit", "g commit -q $NV -m x"),
    dirty("commit -a", "g commit -qa $NV -m x"),
    dirty("commit --amend", "g commit -q --amend $NV -m x"),
    clean("merge (fast-forward)", "g merge -q $NV side"),
    dirty("merge (fast-forward, with local changes)", "g merge -q $NV side"),
    clean("merge --no-ff", "g merge -q --no-ff $NV -m x other"),
    clean("merge --squash", "g merge -q --squash $NV other"),
    clean("rebase", "g rebase -q $NV other"),
    clean("cherry-pick", "g cherry-pick other"),
    clean("cherry-pick -n", "g cherry-pick -n other"),
    clean("revert", "g revert --no-edit HEAD"),
    clean("am", "g am -q $NV ../other.patch"),
    clean("reset --soft HEAD~1", "g reset -q --soft HEAD~1"),
    clean("reset --mixed HEAD~1", "g reset -q --mixed HEAD~1"),
    clean("reset --hard HEAD~1", "g reset -q --hard HEAD~1"),
    dirty("reset --hard HEAD~1 (with local changes)", "g reset -q --hard HEAD~1"),
    dirty("reset --hard HEAD (with local changes)", "g reset -q --hard HEAD"),
    dirty("reset -- <file>", "g reset -q -- s.txt"),
    clean("checkout <branch>", "g checkout -q other"),
    clean("switch <branch>", "g switch -q other"),
    dirty("switch --discard-changes <branch>", "g switch -q --discard-changes other"),
    clean("switch --detach <tag>", "g switch -q --detach v1"),
    clean("switch -c <new>", "g switch -q -c new"),
    clean("checkout -B <branch>", "g checkout -q -B side"),
    dirty("checkout -- <file>", "g checkout -q -- a.txt"),
    clean("checkout <tag> -- <file>", "g checkout -q v1 -- b.txt"),
    dirty("restore <file>", "g restore a.txt"),
    dirty("restore --staged <file>", "g restore --staged s.txt"),
    dirty("stash push", "g stash push -q"),
    dirty("stash push -u", "g stash push -q -u"),
    clean("stash pop", "g stash pop -q"),
    clean("stash apply", "g stash apply -q"),
    clean("stash drop", "g stash drop -q"),
    clean("stash clear", "g stash clear"),
    clean("tag <new>", "g tag t2"),
    clean("tag -d", "g tag -d v1"),
    clean("branch <new>", "g branch new"),
    clean("branch -D", "g branch -D ren"),
    clean("branch -m", "g branch -m ren ren2"),
    clean("branch -f", "g branch -f ren HEAD"),
    clean("fetch", "g fetch -q"),
    clean("fetch --tags (with a new one)", "g fetch -q --tags ../far"),
    clean("pull --ff-only", "g pull -q --ff-only $NV"),
    clean("pull --rebase", "g pull -q --rebase origin aside"),
    clean("push", "g push -q $NV origin HEAD:refs/heads/pushed"),
    clean("worktree add -b", "g worktree add -q -b wt ../wt"),
    clean("worktree add --detach", "g worktree add -q --detach ../wt v1"),
    clean("worktree add --no-checkout -b", "g worktree add -q --no-checkout -b wt ../wt"),
    dirty("add", "g add a.txt untracked.txt"),
    clean("rm", "g rm -q a.txt"),
    clean("rm --cached", "g rm -q --cached a.txt"),
    clean("mv", "g mv a.txt a2.txt"),
    clean("apply", "g apply ../other.diff"),
    clean("apply --index", "g apply --index ../other.diff"),
    clean("apply --cached", "g apply --cached ../other.diff"),
    dirty("clean -fd", "g clean -qfd"),
    clean("sparse-checkout set", "g sparse-checkout set dir"),
    dirty("submodule update", "g submodule --quiet update"),
    clean("submodule deinit", "g submodule --quiet deinit -f lib"),
    clean("update-ref <new>", "g update-ref refs/heads/new HEAD"),
    clean("update-ref HEAD", "g update-ref HEAD HEAD~1"),
    clean("update-ref -d", "g update-ref -d refs/heads/ren"),
    clean("symbolic-ref HEAD", "g symbolic-ref HEAD refs/heads/other"),
    clean("a file written into .git/refs", "git rev-parse HEAD~1 >.git/refs/heads/raw"),
    clean("a file written over .git/HEAD", "echo ref: refs/heads/other >.git/HEAD"),
    clean("commit-tree", "g commit-tree -m x -p HEAD 'HEAD^{tree}'"),
    clean("hash-object -w", "echo x | g hash-object -w --stdin"),
    dirty(
        "write-tree, commit-tree, update-ref",
        "tree=$(g write-tree) && new=$(g commit-tree -m x -p HEAD $tree) && g update-ref HEAD $new",
    ),
    clean(
        "commit with another GIT_INDEX_FILE",
        "export GIT_INDEX_FILE=$TMPDIR/index && g read-tree HEAD~1 && g commit -q $NV -m x",
    ),
    clean(
        "fast-import",
        r"printf 'commit refs/heads/imported\ncommitter a <a@b> 0 +0000\ndata 1\nx\nfrom refs/heads/main\n\n' | g fast-import --quiet",
    ),
    clean("read-tree", "g read-tree HEAD~1"),
    clean("read-tree -u --reset", "g read-tree -u --reset v1"),
    clean("update-index --assume-unchanged", "g update-index --assume-unchanged a.txt"),
    dirty("checkout-index -f -a", "g checkout-index -f -a"),
    clean(
        "filter-branch",
        "export FILTER_BRANCH_SQUELCH_WARNING=1 && g filter-branch --msg-filter 'echo x && cat' HEAD~1..HEAD",
    ),
    clean("replace", "g replace HEAD HEAD~1"),
    clean("notes add", "g notes add -m x"),
    clean("bisect start", "g bisect start HEAD v1"),
    clean("gc", "g gc -q"),
    clean("gc --prune=now", "g gc -q --prune=now"),
    clean("pack-refs --all", "g pack-refs --all"),
    clean("repack -ad", "g repack -adq"),
    clean("reflog expire --all", "g reflog expire --expire=now --all"),
    clean("reflog delete", "g reflog delete 'HEAD@{1}'"),
    clean("config <key> <value>", "g config example.key value"),
    clean("remote add", "g remote add other ../up.git"),
    clean("remote rename", "g remote rename origin upstream"),
    dirty("diff --output", "g diff --output=made.diff"),
    clean("archive -o", "g archive -o made.tar HEAD"),
    clean("format-patch", "g format-patch -q -1"),
    clean("bundle create", "g bundle create -q made.bundle main"),
    clean("an alias that starts a shell", "g -c alias.make='!echo x >made.txt' make"),
    clean("shell: edit a file", "echo edited >>a.txt"),
    clean("shell: remove a file", "rm a.txt"),
    clean("shell: chmod", "chmod 644 run.sh"),
    clean("shell: remove the hooks, then commit", "rm -rf .git/hooks && g commit -q --allow-empty -m x"),
];
