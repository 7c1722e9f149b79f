//! The fence follows its session: up while nothing may change, down for the output, gone with the session.

use crate::bench::Bench;

use super::world::{fenced, kept};

fn fence(bench: &Bench) -> String {
    let status = bench.run("git grill status --json");
    let json: serde_json::Value = serde_json::from_str(status.assert_code(0).stdout()).unwrap();
    json["fence"].as_str().unwrap_or("none").to_owned()
}

#[test]
fn g33_it_is_down_for_the_output_and_comes_back_with_the_interview() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.global_config("[grill]\n\tfence = on\n");
    bench.run("git grill start 'a small thing' --research off").assert_code(0);
    assert_eq!(fence(&bench), "up");
    bench.run("git grill answer 'people see it'").assert_code(0);
    assert_eq!(fence(&bench), "up");
    assert_ne!(bench.run("git commit --allow-empty -m x").code, 0);
    bench.run("git grill select design-doc --path docs/small.md").assert_code(0);
    assert_eq!(fence(&bench), "down");
    bench.run("git grill approve").assert_code(0);
    bench.run("git add docs && git commit -qm 'the design'").assert_code(0);
    assert_ne!(bench.run("git commit --allow-empty --amend -m x").code, 0);
    bench.run("git grill finish 'written'").assert_code(0);
    assert_eq!(fence(&bench), "up");
    assert_ne!(bench.run("git -c core.hooksPath=/dev/null commit --allow-empty -m x").code, 0);
    bench.run("git grill stop --without-output").assert_code(0);
    assert_eq!(fence(&bench), "none");
    bench.run("git commit -q --allow-empty -m free").assert_code(0);
}

/// Restoring needs the very locks that the fence holds; and a HEAD that was written by hand asks for other ones.
#[test]
fn g38_what_drifted_under_it_comes_back_and_it_stands_again() {
    let bench = super::world::free();
    bench.run("git branch -q elsewhere && git grill start 'nothing changes' --fence --research off").assert_code(0);
    let head = bench.read(".git/HEAD");
    bench.run("echo 'ref: refs/heads/elsewhere' >.git/HEAD && echo drifted >drifted.txt").assert_code(0);
    bench.run("git grill verify").assert_code(1).assert_contains("refs/heads/elsewhere");
    bench.run("git grill verify --restore --yes").assert_code(0);
    assert_eq!(bench.read(".git/HEAD"), head);
    bench.run("test ! -e drifted.txt && git grill verify").assert_code(0);
    assert_eq!(fence(&bench), "up");
    assert_ne!(bench.run("git -c core.hooksPath=/dev/null commit --allow-empty -m x").code, 0);
    bench.run("git grill stop --without-output").assert_code(0);
    assert_eq!(bench.run("find .git -name '*.lock' -not -path '*/grill/*'").stdout, "");
}

#[test]
fn nothing_of_it_is_left_after_stop() {
    let bench = super::world::free();
    let before = kept(bench.repo());
    bench.run("git grill start 'nothing changes' --fence --research off").assert_code(0);
    bench.run("git grill stop --without-output").assert_code(0);
    let after = kept(bench.repo());
    assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
    assert!(before == after);
    assert_eq!(bench.run("find .git -name '*.lock' -not -path '*/grill/*'").stdout, "");
}

#[test]
fn a_git_that_holds_a_lock_is_waited_for_and_then_nothing_starts() {
    let bench = super::world::free();
    bench.run("echo theirs >.git/packed-refs.lock").assert_code(0);
    let before = kept(bench.repo());
    let refused = bench.run("git grill start 'nothing changes' --fence --research off");
    refused.assert_code(128).assert_contains("packed-refs.lock' for 5 seconds");
    assert!(before == kept(bench.repo()), "nothing is half-made");
    assert_eq!(bench.run("git grill sessions").stdout.lines().filter(|line| line.contains("nothing-ch")).count(), 0);
    assert_eq!(bench.read(".git/packed-refs.lock"), "theirs\n");
    // One that ends in time is no reason to fail.
    bench
        .run("(sleep 0.5; rm .git/packed-refs.lock) & git grill start 'nothing changes' --fence --research off")
        .assert_code(0);
    assert_eq!(fence(&bench), "up");
}

#[test]
fn the_next_command_after_a_crash_lifts_it() {
    for command in ["status", "sessions", "stop --without-output"] {
        let bench = fenced();
        // As a kill between the two last steps of `stop` would leave it, and a pointer that somebody removed.
        bench.run("rm .git/GRILL_HEAD").assert_code(0);
        assert_ne!(bench.run("git add b.txt").code, 0);
        let said = bench.run(&format!("git grill {command}")).stderr;
        assert!(said.contains("was lifted: that session is not active any more"), "{command}: {said}");
        bench.run("git add b.txt").assert_code(0);
    }
}

#[test]
fn a_lock_that_somebody_removed_is_held_again_by_the_next_command() {
    let bench = fenced();
    bench.run("rm -rf .git/index.lock .git/refs/heads/main.lock").assert_code(0);
    assert_eq!(bench.run("git grill doctor").code, 1);
    let said = bench.run("git grill status").stderr;
    assert!(said.contains("held again"), "{said}");
    assert_ne!(bench.run("git add b.txt").code, 0);
    bench.run("git grill doctor").assert_code(0);
}

#[test]
fn doctor_mends_a_fence_without_a_session_and_one_without_a_record() {
    let bench = fenced();
    bench.run("rm .git/GRILL_HEAD").assert_code(0);
    let found = bench.run("git grill doctor --json");
    found.assert_code(1).assert_contains("\"fence_left\"");
    assert_ne!(bench.run("git add b.txt").code, 0, "looking mends nothing");
    bench.run("git grill doctor --fix").assert_code(0);
    bench.run("git add b.txt").assert_code(0);

    for spoil in ["rm .git/grill/fence.json", "echo '{' >.git/grill/fence.json"] {
        let bench = fenced();
        bench.run(&format!("rm .git/GRILL_HEAD; {spoil}")).assert_code(0);
        bench.run("git grill doctor").assert_code(1);
        bench.run("git grill doctor --fix").assert_code(0);
        bench.run("git add b.txt").assert_code(0);
        assert_eq!(bench.run("find .git -name '*.lock'").stdout, "", "{spoil}");
    }
}

#[test]
fn the_trial_stops_a_session_that_nothing_would_protect() {
    let bench = Bench::new();
    // A hooks folder on a file system that runs nothing, as git sees it; configured hooks are switched off by name.
    let blind = "GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/dev/null \
                 GIT_CONFIG_KEY_1=hook.git-grill-reference-transaction.enabled GIT_CONFIG_VALUE_1=false";
    let failed = bench.run(&format!("{blind} git grill start 'no hooks' --research off"));
    failed.assert_code(128).assert_contains("the trial failed").assert_contains("git grill resume");
    assert_eq!(fence(&bench), "none");
    bench.run("git commit -q --allow-empty -m free").assert_code(0);
    bench.run("test ! -e .git/hooks/reference-transaction").assert_code(0);
    bench.run("git grill resume").assert_code(0);
    assert_ne!(bench.run("git commit -q --allow-empty -m x").code, 0);
}
