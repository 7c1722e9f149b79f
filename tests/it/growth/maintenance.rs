//! Git looks after the repository when a session ends and after every 256 events, as far as its configuration lets it,
//! and nobody waits for it.

use std::time::{Duration, Instant};

use crate::bench::Bench;

const START: &str = "git grill start --research off 'rate limiting'";
const STOP: &str = "git grill stop --without-output";
/// A veto of the user's, which says that it was asked; git lets it decide only when something is to be done.
const VETO: &str = "mkdir -p hooks && printf '#!/bin/sh\\necho asked >> \"$TMPDIR/asked\"\\nsleep ${VETO_SLEEP:-0}\\nexit 1\\n' \
                    > hooks/pre-auto-gc && chmod +x hooks/pre-auto-gc";

/// A repository in which there is always something to tidy up, and in which a hook says that git was about to.
fn untidy(bench: Bench, settings: &str) -> Bench {
    bench.global_config("[maintenance]\n\tauto = true\n[gc]\n\tauto = 1\n");
    bench.global_config(settings);
    bench.run(&format!("cd \"$(git rev-parse --git-common-dir)\" && {VETO}")).assert_code(0);
    // Git guesses by the objects of one folder out of 256 how many there are.
    let blobs = "mkdir ../blobs && for n in $(seq 1500); do echo $n > ../blobs/$n; echo ../blobs/$n; done | \
                 git hash-object -w --no-filters --stdin-paths";
    bench.run(blobs).assert_code(0);
    bench
}

fn asked(bench: &Bench) -> usize {
    std::fs::read_to_string(bench.root().join("tmp/asked")).map_or(0, |text| text.lines().count())
}

/// What goes on beside us is there after a while.
fn becomes(mut holds: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_mins(2) {
        if holds() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

#[test]
fn p1_git_is_asked_to_tidy_up_when_a_session_ends_and_nobody_waits_for_it() {
    let bench = untidy(Bench::new(), "");
    bench.run(START).assert_code(0);
    assert_eq!(asked(&bench), 0, "a session that begins is no reason");
    let begun = Instant::now();
    // The output is read to its end: whatever goes on must not hold it open.
    bench.run(&format!("VETO_SLEEP=20 {STOP}")).assert_code(0).assert_lacks("warning");
    assert!(begun.elapsed() < Duration::from_secs(20), "it was waited for");
    assert!(becomes(|| asked(&bench) == 1), "git was not asked");
}

#[test]
fn p1_where_git_does_not_detach_itself_it_is_waited_for_and_its_failure_is_a_warning() {
    for repo in [Bench::new(), Bench::bare(), Bench::with_init("--object-format=sha256")] {
        let bench = untidy(repo, "\tautoDetach = false\n");
        bench.run(START).assert_code(0);
        bench.run(STOP).assert_code(0).assert_lacks("warning");
        assert_eq!(asked(&bench), 1);
        bench.run(&format!("{START} && git config gc.reflogExpire nonsense")).assert_code(0);
        let ended = bench.run(&format!("rm \"$(git rev-parse --git-common-dir)/hooks/pre-auto-gc\" && {STOP}"));
        ended.assert_code(0).assert_contains("warning: git maintenance run --auto failed, and everything is recorded");
    }
}

#[test]
fn p1_whoever_switched_maintenance_off_gets_none() {
    for (settings, how) in [
        ("\tautoDetach = false\n\tauto = 0\n", "gc.auto=0"),
        ("\tautoDetach = false\n[maintenance]\n\tauto = false\n", "maintenance.auto=false"),
    ] {
        let bench = untidy(Bench::new(), settings);
        bench.run(&format!("{START} && {STOP}")).assert_code(0);
        assert_eq!(asked(&bench), 0, "{how}");
    }
}

#[test]
fn p1_no_maintenance_is_begun_that_a_fence_would_break() {
    let bench = untidy(Bench::new(), "\tautoDetach = false\n");
    bench.run("git worktree add -q -b other ../other").assert_code(0);
    bench.run(START).assert_code(0);
    bench.at("../other").run("git grill start --research off --fence 'log rotation'").assert_code(0);
    bench.run(STOP).assert_code(0).assert_lacks("warning: git maintenance");
    assert_eq!(asked(&bench), 0);
    bench.at("../other").run(STOP).assert_code(0);
    assert_eq!(asked(&bench), 1);
}

#[test]
fn p1_git_is_asked_to_tidy_up_after_every_256_events_of_a_session_that_goes_on() {
    let bench = untidy(Bench::new(), "\tautoDetach = false\n");
    bench.run(START).assert_code(0);
    let newest = "git log -1 --format=%B GRILL_HEAD | sed -n 's/^Grill-Seq: //p'";
    bench.run(newest).assert_stdout("2\n");
    let toggle = |times: u32| {
        let line = format!(
            "set -e; for n in $(seq {times}); do git grill intensity hard; git grill intensity standard; done >../said"
        );
        bench.run(&line).assert_code(0);
    };
    toggle(126);
    bench.run("git grill intensity hard").assert_code(0);
    bench.run(newest).assert_stdout("255\n");
    assert_eq!(asked(&bench), 0, "not before a while has passed");
    bench.run("git grill intensity standard").assert_code(0);
    assert_eq!(asked(&bench), 1, "the 256th event is one");
    toggle(2);
    assert_eq!(asked(&bench), 1, "and the next ones are not");
}
