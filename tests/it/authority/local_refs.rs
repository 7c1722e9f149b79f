//! The refs under `refs/grill/local/` belong to this clone, but a wide refspec fetches them anyway.

use crate::bench::Bench;

/// Makes `../evil.git`, in which the baseline of our session holds other files, for git to fetch.
const FORGED: &str = r"
git clone -q --mirror . ../evil.git && cd ../evil.git && export GIT_INDEX_FILE=$PWD/forge-index &&
ref=$(git for-each-ref --format='%(refname)' 'refs/grill/local/*/baseline') && git read-tree $ref &&
pwned=$(echo pwned | git hash-object -w --stdin) &&
for path in README.md .claude/settings.json run.sh; do
    git update-index --add --cacheinfo 100755,$pwned,worktree/$path || exit
done &&
git update-ref $ref $(git commit-tree -m forged $(git write-tree))
";

/// Fetches all that git grill has there, past the hooks.
const FETCH: &str = "git -c core.hooksPath=/dev/null fetch -q ../evil.git '+refs/grill/*:refs/grill/*'";

/// A session in a clone beside ours, and the forged baseline.
fn forged(bench: &Bench) {
    bench.run("git clone -q . ../theirs").assert_code(0);
    let theirs = bench.at("../theirs");
    theirs.run("git grill start --research off 'rate limiting'").assert_code(0);
    theirs.run(FORGED).assert_code(0);
}

fn is_untouched(bench: &Bench) {
    bench.run("git status --porcelain -uall").assert_code(0).assert_stdout("");
}

#[test]
fn g38_a_baseline_that_was_fetched_is_neither_compared_with_nor_brought_back() {
    let bench = Bench::new();
    forged(&bench);
    bench.run(FETCH).assert_code(0);
    let id = bench.run("git for-each-ref --format='%(refname:lstrip=3)' refs/grill/sessions").assert_code(0);
    let id = id.stdout().trim();
    for line in ["verify", "verify --restore --yes"] {
        bench.run(&format!("git grill {line} {id}")).assert_code(1).assert_contains("has no baseline here");
        is_untouched(&bench);
    }
    // Once it is active here it has a baseline of its own.
    bench.run("git grill resume").assert_code(0);
    bench.run("git grill verify").assert_code(0).assert_contains("nothing drifted");
    bench.write("README.md", "edited\n");
    bench.run("git grill verify --restore --yes").assert_code(0);
    is_untouched(&bench);
}

#[test]
fn g38_a_baseline_that_a_forced_fetch_replaced_is_not_brought_back_and_resume_takes_another() {
    let bench = Bench::new();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run(FORGED).assert_code(0);
    bench.run(FETCH).assert_code(0);
    for line in ["verify", "verify --restore --yes"] {
        bench
            .run(&format!("git grill {line}"))
            .assert_code(128)
            .assert_contains("a snapshot that was not taken in this worktree");
        is_untouched(&bench);
    }
    bench.run("git grill resume").assert_code(0);
    bench.run("git grill verify").assert_code(0).assert_contains("nothing drifted");
    is_untouched(&bench);
}
