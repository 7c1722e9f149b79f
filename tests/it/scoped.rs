//! G33: in the output phase git lets through what the approved plan names, and nothing else; asked of the real git, with
//! the hooks of a real session.

mod guarded;
mod outside;
mod plans;

use crate::bench::Bench;

/// A session in the output phase whose plan names `docs/d.md`, in a repository with another branch, a tag, and a remote
/// that is ahead by a commit.
fn output(tracked: bool) -> Bench {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.global_config("[protocol \"file\"]\n\tallow = always\n");
    bench.commit("src/main.rs", "fn main() {}\n");
    if tracked {
        bench.commit("docs/d.md", "# D\n");
    }
    bench
        .run(
            "git branch other HEAD~1 && git switch -qc ahead && echo a >a && git add a && git commit -qm ahead && \
             git switch -q main && git tag v1 && git clone -q --bare . ../up.git && git remote add up ../up.git && \
             git fetch -q up && git branch -qD ahead",
        )
        .assert_code(0);
    plan(&bench, "docs/d.md");
    bench
}

/// Chooses one document.
fn plan(bench: &Bench, path: &str) {
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill answer 'requests per client are counted'").assert_code(0);
    bench.run(&format!("git grill select design-doc --path {path} && git grill approve")).assert_code(0);
}

/// Every ref but ours, HEAD, and what the remote has.
fn refs(bench: &Bench) -> String {
    let own = bench.run("git for-each-ref | grep -v refs/grill/; cat .git/HEAD; git rev-parse HEAD").stdout;
    own + &bench.run("test ! -d ../up.git || git -C ../up.git for-each-ref").stdout
}

/// Index and files as the tip has them, and nothing begun. git itself is not asked to reset, which is refused.
fn tidy(bench: &Bench) {
    bench
        .run(
            "rm -rf .git/MERGE_* .git/CHERRY_PICK_HEAD .git/REVERT_HEAD .git/SQUASH_MSG .git/rebase-* .git/sequencer \
             .git/AUTO_MERGE; git read-tree HEAD && rm -rf docs src && git checkout-index -qfa && git clean -qfdx",
        )
        .assert_code(0);
}

#[test]
fn g33_what_the_plan_does_not_name_is_refused_however_it_is_tried() {
    let bench = output(true);
    bench.run("echo x >more && git -c core.hooksPath=/dev/null config x.y z").assert_code(0);
    tidy(&bench);
    let before = refs(&bench);
    for (line, says) in [
        // Other paths, alone, beside an approved one, by way of it.
        ("echo x >>src/main.rs && git commit -qam x", "'src/main.rs' is not in the approved plan"),
        ("echo x >>src/main.rs && git commit -qanm x", "'src/main.rs' is not in the approved plan"),
        ("echo x >>src/main.rs && echo x >>docs/d.md && git commit -qam x", "'src/main.rs' is not"),
        ("git mv -f src/main.rs docs/d.md && git commit -qm x", "'src/main.rs' is not in the approved plan"),
        ("git mv docs/d.md docs/e.md && git commit -qm x", "is not in the approved plan"),
        ("git mv docs/d.md docs/D.md && git commit -qm x", "'docs/D.md' is not in the approved plan"),
        ("mkdir Docs && echo x >Docs/d.md && git add Docs && git commit -qm x", "'Docs/d.md' is not"),
        (
            "rm docs/d.md && mkdir docs/d.md && echo x >docs/d.md/x && git add -A && git commit -qm x",
            "'docs/d.md/x' is not",
        ),
        (
            "git rm -q --cached -r docs && echo x >docs2 && rm -rf docs && mv docs2 docs && git add docs && git commit -qm x",
            "'docs' is not",
        ),
        ("git mv docs real && ln -s real docs && git add docs && git commit -qm x", "not in the approved plan"),
        ("git commit -q --allow-empty -m x", "it changes no file"),
        ("git rm -q src/main.rs && git commit -qm x", "'src/main.rs' is not in the approved plan"),
        // Something else than a file behind the approved name.
        ("ln -sf ../src/main.rs docs/d.md && git commit -qam x", "'docs/d.md' would be a symlink or a submodule"),
        (
            "git update-index --cacheinfo 160000,$(git rev-parse HEAD),docs/d.md && git commit -qm x",
            "would be a symlink or a submodule",
        ),
        // A tip that is not moved forward by one.
        ("echo x >>docs/d.md && git commit -qa --amend -m x", "no amend, reset or merge"),
        ("echo x >>docs/d.md && git commit -qan --amend -m x", "no amend, reset or merge"),
        ("git reset -q --soft HEAD~1", "ORIG_HEAD was not written"),
        ("git reset -q --hard HEAD~1", "ORIG_HEAD was not written"),
        ("git update-ref refs/heads/main HEAD~1", "no amend, reset or merge"),
        (
            "git update-ref refs/heads/main $(git commit-tree -p HEAD -p other -m x HEAD^{tree})",
            "no amend, reset or merge",
        ),
        ("git update-ref refs/heads/main $(git commit-tree -m x HEAD^{tree})", "no amend, reset or merge"),
        (
            "a=$(git commit-tree -p HEAD -m a HEAD~1^{tree}) && git update-ref refs/heads/main $(git commit-tree -p $a -m x HEAD^{tree})",
            "no amend, reset or merge",
        ),
        ("git update-ref -d refs/heads/main", "branch 'main' was not deleted"),
        ("git merge -q --ff-only up/ahead", ""),
        ("git merge -q --no-ff -m x up/ahead", ""),
        ("git pull -q --no-rebase up ahead", ""),
        ("git cherry-pick up/ahead", "'a' is not in the approved plan"),
        ("git revert --no-edit HEAD~1", "is not in the approved plan"),
        ("git rebase -q --onto HEAD~2 HEAD~1", ""),
        ("echo x >>src/main.rs && git stash -q", ""),
        // Other refs.
        ("git tag v2", "tag 'v2' was not created"),
        ("git tag -d v1", "tag 'v1' was not deleted"),
        ("git tag -f v1 HEAD~1", "tag 'v1' was not written"),
        ("git branch new", "branch 'new' was not created"),
        ("git branch -f other HEAD", "branch 'other' was not changed"),
        ("git branch -D other", "branch 'other' was not deleted"),
        ("git branch -m main master", ""),
        ("git switch -qc new", ""),
        ("git checkout -q --detach", "HEAD"),
        ("git switch -q --orphan new", ""),
        ("git worktree add -q -b wt ../wt", "branch 'wt' was not created"),
        ("git notes add -m x", "'refs/notes/commits' was not changed"),
        ("git replace HEAD HEAD~1", "was not changed"),
        ("git fetch -q up ahead:ahead", "branch 'ahead' was not created"),
        // Pushes, of what is committed as well.
        ("git push -q up main:pushed", "pushed"),
        ("git push -q up HEAD~1:main --force", ""),
        ("git push -q up :ahead", ""),
        ("git push -q up v1:refs/tags/v2", ""),
    ] {
        let said = bench.run(line);
        assert!(said.code != 0, "{line} passed\n{}", said.stderr);
        assert_eq!(refs(&bench), before, "{line}\n{}", said.stderr);
        assert!(said.stderr.contains(says), "{line} says\n{}", said.stderr);
        tidy(&bench);
    }
}

#[test]
fn g33_what_the_plan_names_is_let_through() {
    for tracked in [true, false] {
        let bench = output(tracked);
        let tip = || bench.run("git rev-list --count HEAD").stdout.trim().parse::<u32>().unwrap();
        let mut at = tip();
        for line in [
            "git add docs/d.md && git commit -qm 'as it was written'",
            "echo more >>docs/d.md && git commit -qam 'and more'",
            "echo more >>docs/d.md && git commit -qm part -- docs/d.md",
            "echo more >>docs/d.md && git add docs && git update-ref HEAD \
             $(git commit-tree -p HEAD -m plumbing $(git write-tree))",
            "chmod +x docs/d.md && git commit -qam 'made to be run'",
            "git revert --no-edit HEAD",
            "git rm -q docs/d.md && git commit -qm 'not wanted after all'",
        ] {
            bench.run(line).assert_code(0);
            at += 1;
            assert_eq!(tip(), at, "{line}");
        }
        bench.run("git fetch -q --no-tags up && git gc -q && git pack-refs --all").assert_code(0);
        bench.run("git grill verify").assert_code(0);
    }
}
