//! What doctor tells to type can be typed: one command a line, and each of them does what it is said to do.

use serde_json::Value;

use super::{WORDS, two_sessions};
use crate::bench::{Bench, Place};

fn found(ran: &str, code: &str) -> Value {
    let told: Value = serde_json::from_str(ran).unwrap();
    let found = told["findings"].as_array().unwrap().iter().find(|one| one["code"] == code).cloned();
    found.unwrap_or_else(|| panic!("{code}: {told}"))
}

/// A stop that was killed when the session was closed and the worktree not yet freed.
fn cut_off(place: &Place<'_>) {
    let keep = "s=$(git symbolic-ref GRILL_HEAD); l=$(git for-each-ref --format='%(refname) %(objectname)' \
        refs/grill/local); git grill stop --without-output; printf 'ref: %s\\n' $s >$(git rev-parse --git-path GRILL_HEAD); \
        git update-ref $l";
    place.run(keep).assert_code(0);
}

#[test]
fn a_pointer_to_a_session_that_is_over_is_taken_away() {
    let bench = Bench::new();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    cut_off(&bench.at("."));
    bench.run("git for-each-ref refs/grill/local | wc -l").assert_stdout("1\n");
    assert_eq!(found(&bench.run("git grill doctor --json").stdout, "pointer_ended")["mend"], "git grill doctor --fix");
    bench.run("git grill doctor --fix").assert_code(0).assert_contains("mended: GRILL_HEAD").assert_contains("is over");
    bench.run("ls -d .git/GRILL_HEAD; git for-each-ref refs/grill/local").assert_stdout("");
    bench.run("git grill sessions").assert_code(0).assert_lacks("active in");
    bench.run("git grill doctor").assert_code(0).assert_contains("nothing is wrong");
}

#[test]
fn a_pointer_to_a_session_that_is_over_in_another_worktree_is_taken_away_there() {
    let bench = Bench::new();
    let side = bench.worktree("side");
    side.run("git grill start --research off 'rate limiting'").assert_code(0);
    cut_off(&side);
    let told = bench.run("git grill doctor --json");
    let command = found(&told.stdout, "pointer_ended")["mend"].as_str().unwrap().to_owned();
    bench.run(&command).assert_code(0);
    bench.run("git grill doctor").assert_code(0).assert_contains("nothing is wrong");
}

#[test]
fn each_way_out_of_a_broken_pointer_is_a_command_of_its_own() {
    let bench = two_sessions("");
    bench.run(&format!("{WORDS} echo junk >.git/GRILL_HEAD")).assert_code(0);
    let finding = found(&bench.run("git grill doctor --json").stdout, "bad_pointer");
    let resume = finding["mend"].as_str().unwrap().to_owned();
    assert_eq!(finding["orElse"], serde_json::json!(["git grill stop --without-output"]));
    bench.run("git grill doctor").assert_contains(&format!("mend it: {resume}\n"));
    bench.run("git grill doctor").assert_contains("or else: git grill stop --without-output\n");
    bench.run(&resume).assert_code(0);
    bench.run("git grill status --short").assert_contains("interview");
}

#[test]
fn a_worktree_that_was_moved_by_hand_is_told_how_git_finds_it_again() {
    let bench = Bench::new();
    bench.worktree("side").run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("mv ../side ../moved").assert_code(0);
    let moved = bench.at("../moved");
    let told = moved.run("git grill doctor");
    told.assert_contains("the worktree is not at ").assert_contains("mend it: git worktree repair\n");
    moved.run("git worktree repair && git grill doctor").assert_code(0);
}

/// A git that was killed leaves the lock of packed-refs, without which no ref is deleted; a fence's is a folder.
#[test]
fn p1_a_lock_of_packed_refs_that_was_left_is_named_and_can_be_removed() {
    let bench = Bench::new();
    bench.run("git grill start --research off --fence 'in a fence' && test -d .git/packed-refs.lock").assert_code(0);
    bench.run("touch -d '1 hour ago' .git/packed-refs.lock && git grill doctor").assert_contains("nothing is wrong");
    bench.run("git grill stop --without-output").assert_code(0);
    // Nobody holds it, so that it is named however young it is.
    bench.run("touch .git/packed-refs.lock && git grill doctor").assert_contains("packed-refs.lock is there");
    bench.run("touch -d '1 hour ago' .git/packed-refs.lock").assert_code(0);
    bench.run("git -c core.hooksPath=/dev/null tag one && git tag -d one").assert_contains("packed-refs.lock");
    bench.run("git grill doctor --fix").assert_code(1);
    let finding = found(&bench.run("git grill doctor --json").stdout, "git_lock");
    bench.run(finding["mend"].as_str().unwrap()).assert_code(0);
    bench.run("git tag -d one && git grill doctor").assert_code(0).assert_contains("nothing is wrong");
    // And the file that was to take its place.
    bench.run("touch -d '1 hour ago' .git/packed-refs.new && git pack-refs --all").assert_contains("packed-refs.new");
    let finding = found(&bench.run("git grill doctor --json").stdout, "git_lock");
    bench.run(finding["mend"].as_str().unwrap()).assert_code(0);
    bench.run("git pack-refs --all && git grill doctor").assert_code(0).assert_contains("nothing is wrong");
}
