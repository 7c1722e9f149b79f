//! Worktrees share some locks and have others for themselves; submodules have all of theirs.

use crate::bench::Bench;

use super::world::free;

#[test]
fn the_last_of_two_worktrees_lifts_what_they_share() {
    let bench = Bench::new();
    let linked = bench.worktree("linked");
    bench.run("git grill start 'one' --fence --research off").assert_code(0);
    linked.run("git grill start 'two' --fence --research off").assert_code(0);
    for dir in
        [".git/index.lock", ".git/config.lock", ".git/worktrees/linked/index.lock", ".git/worktrees/linked/HEAD.lock"]
    {
        bench.run(&format!("test -d {dir}")).assert_code(0);
    }
    bench.run("git grill stop --without-output").assert_code(0);
    bench.run("git add README.md").assert_code(0);
    assert_ne!(bench.run("git config a.b c").code, 0, "the other one still holds it");
    assert_ne!(linked.run("git add README.md").code, 0);
    linked.run("git grill stop --without-output").assert_code(0);
    linked.run("git add README.md").assert_code(0);
    bench.run("git config a.b c").assert_code(0);
    assert_eq!(bench.run("find .git -name '*.lock' -not -path '*/grill/*'").stdout, "");
}

#[test]
fn a_worktree_that_is_gone_takes_its_fence_with_it() {
    let bench = Bench::new();
    let linked = bench.worktree("linked");
    linked.run("git grill start 'one' --fence --research off").assert_code(0);
    bench.run("rm -rf ../linked").assert_code(0);
    assert_ne!(bench.run("git config a.b c").code, 0);
    let said = bench.run("git grill status").stderr;
    assert!(said.contains("was lifted"), "{said}");
    bench.run("git config a.b c").assert_code(0);
    assert_eq!(bench.run("find .git -name '*.lock' -not -path '*/grill/*'").stdout, "");
}

#[test]
fn submodules_are_inside_the_fence() {
    let bench = free();
    bench.run("git grill start 'one' --fence --research off").assert_code(0);
    let sub = bench.at("sub");
    let before = sub.run("git rev-parse HEAD && git status --short").stdout;
    for line in ["git commit --allow-empty -m x", "git checkout --detach", "git config a.b c"] {
        assert_ne!(sub.run(line).code, 0, "{line}");
    }
    assert_eq!(sub.run("git rev-parse HEAD && git status --short").stdout, before);
    bench.run("git grill stop --without-output").assert_code(0);
    sub.run("git commit -q --allow-empty -m x").assert_code(0);
}

#[test]
fn a_branch_below_a_folder_and_one_without_a_commit_are_held_too() {
    let bench = Bench::empty();
    bench.run("git symbolic-ref HEAD refs/heads/deep/er/branch").assert_code(0);
    bench.run("git grill start 'one' --fence --research off").assert_code(0);
    bench.run("test -d .git/refs/heads/deep/er/branch.lock").assert_code(0);
    assert_ne!(bench.run("git -c core.hooksPath=/dev/null commit --allow-empty -m first").code, 0);
    bench.run("git grill stop --without-output").assert_code(0);
    bench.run("test ! -e .git/refs/heads/deep").assert_code(0);
    bench.run("git commit -q --allow-empty -m first").assert_code(0);
}
