//! The pointer to the active session and the ref that it names: nobody but us moves them, and where they lead nowhere git
//! is held as in an interview.

use crate::bench::Bench;

#[test]
fn g19_the_ref_of_an_active_session_is_ours_to_write() {
    for format in ["", "--ref-format=reftable"] {
        if !format.is_empty() && Bench::empty().run(&format!("git init -q {format} ../try")).code != 0 {
            continue; // This git has none.
        }
        let bench = Bench::with_init(format);
        bench.run("git update-ref refs/grill/sessions/20260101-other-aaaaa HEAD").assert_code(0);
        bench.run("git grill start --research off 'rate limiting'").assert_code(0);
        for line in [
            "git update-ref -d $(git symbolic-ref GRILL_HEAD)",
            "git update-ref $(git symbolic-ref GRILL_HEAD) HEAD",
            "git for-each-ref --format='delete %(refname)' refs/grill | git update-ref --stdin",
        ] {
            let tried = bench.run(line).assert_code(128).assert_contains("only git grill writes to it");
            tried.assert_contains("hint: git grill stop");
        }
        bench.run("git update-ref -d refs/grill/sessions/20260101-other-aaaaa").assert_code(0);
        bench.run("git pack-refs --all && git gc -q").assert_code(0);
        bench.run("git grill answer 'requests per client'").assert_code(0);
        bench.run("git pack-refs --all && git grill status").assert_code(0);
        bench.run("git grill stop --without-output").assert_code(0);
        bench.run("git update-ref -d $(git for-each-ref --format='%(refname)' refs/grill/sessions)").assert_code(0);
    }
}

/// What no hook sees still holds, and each way out works.
#[test]
fn g19_a_pointer_that_leads_nowhere_holds_as_an_interview_does() {
    for breaks in ["rm .git/$(git symbolic-ref GRILL_HEAD)", "echo 'ref: refs/heads/main' >.git/GRILL_HEAD"] {
        for way in ["git grill stop --without-output", "git grill doctor --fix; git grill stop --without-output"] {
            let bench = Bench::new();
            bench.run("git grill start --research off 'rate limiting'").assert_code(0);
            bench.run(breaks).assert_code(0);
            let said = bench.run("git commit -q --allow-empty -m x").assert_code(128);
            assert_eq!(
                said.stderr().matches("cannot tell what else the session allows").count(),
                1,
                "{}",
                said.stderr()
            );
            bench.run(way).assert_code(0);
            bench.run("git commit -q --allow-empty -m x").assert_code(0).assert_quiet();
        }
    }
}
