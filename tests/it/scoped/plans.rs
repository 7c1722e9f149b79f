//! Which plan counts: the newest, in its own worktree, as long as it is open.

use super::{output, plan, refs, tidy};
use crate::bench::Bench;

#[test]
fn g33_a_new_plan_takes_the_place_of_the_old_one() {
    let bench = output(false);
    bench.run("git add docs/d.md && git commit -qm d && git grill finish").assert_code(0);
    // In between nothing is let through.
    let refused = bench.run("echo x >>docs/d.md && git commit -qam x");
    assert!(refused.code != 0 && refused.stderr.contains("is read-only"), "{}", refused.stderr);
    tidy(&bench);
    bench.run("git grill select summary --path docs/e.md && git grill approve").assert_code(0);
    bench.run("git add docs/e.md && git commit -qm e").assert_code(0);
    let before = refs(&bench);
    let refused = bench.run("echo x >>docs/d.md && git commit -qam x");
    assert!(
        refused.code != 0 && refused.stderr.contains("'docs/d.md' is not in the approved plan"),
        "{}",
        refused.stderr
    );
    assert_eq!(refs(&bench), before);
    // Both stay in the history.
    let log = bench.run("git log --format=%s GRILL_HEAD").stdout;
    assert!(log.contains("select design-doc") && log.contains("select summary"), "{log}");
}

#[test]
fn g33_a_plan_counts_in_its_own_worktree_alone() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    let other = bench.worktree("aside");
    plan(&bench, "docs/d.md");
    // No session is there, so nothing is refused.
    other.run("echo x >x && git add x && git commit -qm x && git tag v9 && git reset -q HEAD~1").assert_code(0);
    other.run("git grill start --research off 'something else'").assert_code(0);
    let refused = other.run("mkdir -p docs && echo x >docs/d.md && git add docs && git commit -qm x");
    assert!(refused.code != 0 && refused.stderr.contains("is read-only"), "{}", refused.stderr);
    bench.run("git add docs/d.md && git commit -qm d").assert_code(0);
}

#[test]
fn g33_several_outputs_are_several_paths_and_a_branch_without_a_commit_gets_none() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill answer 'requests per client are counted'").assert_code(0);
    bench.run("git grill select design-doc,summary && git grill approve --commit").assert_code(0);
    let held = bench.run("git show --format= --name-only HEAD").stdout;
    assert_eq!(held.lines().count(), 2, "{held}");
    let bench = Bench::empty();
    bench.scripts_may_approve();
    plan(&bench, "d.md");
    let refused = bench.run("git add d.md && git commit -qm d");
    assert!(refused.code != 0 && refused.stderr.contains("it has no commit yet"), "{}", refused.stderr);
}
