//! `doctor --fix`, killed before every write while it brings a session back: the next one finishes, and comes to the same.

use super::killed::{a_moment_passes, sampled};
use super::state::{assert_consistent, assert_nothing_left, assert_sound, told};
use super::tally::Tally;
use super::watched::{Fault, watched};
use super::world::World;

const WORDS: &str = "past() { git -c core.hooksPath=/dev/null -c hook.git-grill-reference-transaction.enabled=false \"$@\"; }; \
    loose() { echo .git/objects/$(echo $1 | cut -c1-2)/$(echo $1 | cut -c3-); }; \
    ref=$(git symbolic-ref GRILL_HEAD); tip=$(git rev-parse $ref); ";

pub const LINES: &[&str] = &["exec git-grill doctor --fix", "exec git-grill fsck --fix"];

fn killed_while_mending(damage: &str) {
    by(LINES[0], damage);
}

fn by(line: &str, damage: &str) {
    let damage = format!("{WORDS}{damage}");
    let world = World::after(&[super::rows::START, super::rows::ANSWER, &damage]);
    let whole = watched(&world.bench, line, Fault::None);
    assert_eq!(whole.output.code, 0, "{}", whole.output);
    let (led_to, kept) = (told(&world), refs(&world));
    let (mut met, mut tally) = (0, Tally::default());
    for at in sampled(&whole.steps) {
        world.restore();
        let fault = Fault::KillAt(at);
        let ran = watched(&world.bench, line, fault);
        tally.counts(&whole.steps, at, ran.met());
        let Some(step) = ran.met() else { continue };
        let when = format!("{damage}: killed at {step}");
        met += 1;
        a_moment_passes(&world);
        let again = world.bench.run(line);
        assert_eq!(again.code, 0, "{when}: {again}");
        let clean = world.bench.run("git grill doctor");
        assert!(clean.code == 0 && clean.stdout.contains("nothing is wrong here"), "{when}: {clean}");
        assert_consistent(&world, &when);
        assert_eq!(told(&world), led_to, "{when}");
        assert_eq!(refs(&world), kept, "{when}");
        assert_sound(&world, &when);
        let gc = world.bench.run("git gc --quiet");
        assert_eq!(gc.code, 0, "{when}: {gc}");
        let ended = world.bench.run("git grill stop --without-output");
        assert_eq!(ended.code, 0, "{when}: {ended}");
        assert_nothing_left(&world, &when);
    }
    tally.assert_met(line);
    assert!(met > 1, "{met} kills tested nothing");
    eprintln!("{damage}: {met} kills");
}

/// What the session names, and how many bad tips are kept.
fn refs(world: &World) -> (String, usize) {
    let run = |line: &str| world.bench.run(line).assert_code(0).stdout().to_owned();
    let kept = run("git for-each-ref --format='%(refname)' refs/grill/local/recovered");
    (run("git rev-parse GRILL_HEAD"), kept.lines().count())
}

#[test]
#[ignore = "with all rows: cargo test --test it crash:: -- --include-ignored --skip by_hand --skip until_killed"]
fn p1_mending_another_branchs_commit() {
    killed_while_mending("past update-ref $ref refs/heads/main");
}

#[test]
fn p1_mending_a_commit_without_its_tree() {
    killed_while_mending("rm -f $(loose $(git rev-parse $tip^{tree}))");
}

#[test]
#[ignore = "with all rows: cargo test --test it crash:: -- --include-ignored --skip by_hand --skip until_killed"]
fn p1_mending_a_commit_without_its_tree_by_fsck() {
    by(LINES[1], "rm -f $(loose $(git rev-parse $tip^{tree}))");
}

#[test]
#[ignore = "with all rows: cargo test --test it crash:: -- --include-ignored --skip by_hand --skip until_killed"]
fn p1_mending_a_state_that_is_missing() {
    killed_while_mending("rm -f $(loose $(git rev-parse $tip:.grill/session.yaml))");
}

#[test]
#[ignore = "with all rows: cargo test --test it crash:: -- --include-ignored --skip by_hand --skip until_killed"]
fn p1_mending_a_ref_that_is_none() {
    killed_while_mending("echo junk >.git/$ref");
}
