//! A restore that is killed: what is left is named, and the next one completes it.

use super::cases::restore;
use super::{drift, fingerprint, start, unhooked};
use crate::bench::Bench;

#[test]
#[ignore = "killed at moments of the clock: .ci/thorough kills"]
fn g38_a_restore_that_is_killed_at_any_moment_is_completed_by_the_next_one() {
    let bench = Bench::new();
    let made = "for d in 1 2 3 4; do mkdir d$d; for f in $(seq 30); do echo $d $f >d$d/f$f; done; done; git add -A; git commit -qm many
        git branch side; echo stashed >>d1/f1; git stash -q; echo staged >>d1/f2; git add -A; echo untracked >u";
    bench.run(made).assert_code(0);
    start(&bench);
    let first = fingerprint::of(&bench);
    let deeds = "git reset -q --hard; git stash drop -q; git branch -q -D side; git tag t; rm -rf d2; git switch -q -c other
        for f in d3/*; do echo ROUND more >>$f; done; git add -A; mkdir new; for f in $(seq 30); do echo new $f >new/$f; done";
    let mut killed = 0;
    for round in 0..8 {
        // Not all of it is possible every time.
        let _ = unhooked(&bench, &deeds.replace("ROUND", &round.to_string()));
        let lost = std::fs::read(bench.repo().join("d3/f7")).unwrap();
        // With the processes of git that it started; what these leave locked is git's to explain.
        let cut = format!(
            "bash -c 'set -m; git-grill verify --restore --yes >/dev/null 2>&1 & sleep 0.{}; kill -9 -- -$! 2>/dev/null; wait $!'",
            format_args!("{:03}", 20 + round * 60)
        );
        killed += i32::from(bench.run(&cut).code == 137);
        bench
            .run("rm -f .git/index.lock .git/HEAD.lock .git/packed-refs.lock; find .git/refs -name '*.lock' -delete")
            .assert_code(0);
        let named: Vec<(String, String)> = drift(&bench).into_iter().map(|(group, name, _)| (group, name)).collect();
        let then = fingerprint::of(&bench);
        for key in first.keys().chain(then.keys()).filter(|key| first.get(*key) != then.get(*key)) {
            assert!(named.contains(&(key.0.to_owned(), key.1.clone())), "{key:?} is left and not named: {named:#?}");
        }
        restore(&bench);
        assert_eq!(fingerprint::of(&bench), first);
        let kept = "for r in $(git for-each-ref --format='%(refname)' 'refs/grill/local/*/replaced/**'); do git cat-file -p $r:worktree/d3/f7; done";
        let kept = bench.run(kept).stdout;
        assert!(kept.contains(std::str::from_utf8(&lost).unwrap()), "what was replaced is lost");
    }
    assert!(killed > 0, "not one was killed in time");
}
