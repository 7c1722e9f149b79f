//! The refs under `refs/grill/local/` belong to this clone, but a wide refspec fetches them anyway.

use crate::bench::Bench;
use crate::mending::WORDS;

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
const FETCH: &str = "git -c core.hooksPath=/dev/null -c hook.git-grill-reference-transaction.enabled=false fetch -q ../evil.git '+refs/grill/*:refs/grill/*'";

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
fn g38_a_baseline_that_a_forced_fetch_replaced_is_not_brought_back_and_resume_finds_ours() {
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

/// What a session here has as its baseline.
const REF: &str = "$(git for-each-ref --format='%(refname)' 'refs/grill/local/*/baseline')";

#[test]
fn g38_no_git_command_takes_the_baseline_of_an_active_session_away() {
    for format in ["", "--ref-format=reftable"] {
        if !format.is_empty() && Bench::empty().run(&format!("git init -q {format} ../try")).code != 0 {
            continue; // This git has none.
        }
        let bench = Bench::with_init(format);
        bench.run("git init -q ../other").assert_code(0);
        bench.run("git grill start --research off 'rate limiting'").assert_code(0);
        for line in [
            format!("git update-ref -d {REF}"),
            format!("git update-ref {REF} HEAD"),
            format!("git fetch -q . +HEAD:{REF}"),
            "git fetch -q --prune ../other '+refs/grill/local/*:refs/grill/local/*'".to_owned(),
        ] {
            bench.run(&line).assert_contains("only git grill writes to it");
            bench.run("git grill verify").assert_code(0);
        }
        // Our own commands write it, and git packs it.
        bench.run("git pack-refs --all && git gc -q").assert_code(0);
        bench.write("README.md", "edited\n");
        bench.run("git grill verify").assert_code(1).assert_contains("README.md");
        bench.run("git grill verify --restore --yes").assert_code(0);
        bench.run("git grill stop --without-output").assert_code(0);
        bench.run("git for-each-ref --format='%(refname)' 'refs/grill/local/*/baseline'").assert_stdout("");
    }
}

#[test]
fn g38_a_baseline_that_was_taken_away_is_missed_and_found_again() {
    const GONE: &str = "the record of how things were at the start is gone, so what changed since cannot be named";
    for breaks in ["update-ref -d REF", "update-ref REF HEAD", "symbolic-ref REF refs/heads/main"] {
        for finds in ["doctor --fix", "resume"] {
            let bench = Bench::new();
            bench.run("git grill start --research off 'rate limiting'").assert_code(0);
            // It was found clean before.
            bench.run("git grill verify").assert_code(0);
            let breaks = format!("{WORDS} past {}", breaks.replace("REF", REF));
            bench.run(&breaks).assert_code(0);
            bench.write("README.md", "edited\n");
            for line in ["verify", "verify --restore --yes"] {
                bench.run(&format!("git grill {line}")).assert_code(128).assert_contains(GONE);
            }
            bench.run("git grill status").assert_code(0).assert_contains(GONE);
            bench.run("git grill doctor").assert_code(1).assert_contains("is gone: ");
            bench.run(&format!("git grill {finds}")).assert_code(0);
            bench.run("git grill verify").assert_code(1).assert_contains("README.md");
            bench.run(&breaks).assert_code(0);
            bench.run("git grill stop --without-output").assert_code(0).assert_contains(GONE);
        }
    }
}
