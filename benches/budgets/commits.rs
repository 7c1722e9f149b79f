//! What our hooks cost the commits of a user: none without a session, next to nothing in another worktree, and where a
//! commit is judged little more than starting a program.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::race::{LONGER, Lane, race};
use crate::table::Table;
use crate::world::{GRILL, World};

const COMMIT: [&str; 6] = ["git", "commit", "-q", "--allow-empty", "-m", "more"];
const HOOKS: [&str; 2] = ["reference-transaction", "pre-push"];
/// A change to the one file that the output is.
const CHANGE: &str = "date +%N >docs/limits.md && git add docs/limits.md";

pub fn measure(world: &World, table: &mut Table) {
    without_a_session(world, table);
    elsewhere(world, table);
    refused(world, table);
    let_through(world, table);
}

fn without_a_session(world: &World, table: &mut Table) {
    let (ours, theirs) = (world.session("ended", 2), world.repository("never"));
    world.run(&ours, &[GRILL, "stop", "--without-output"]);
    let raced = race(world, &Lane::new(&ours, &COMMIT), &[Lane::new(&theirs, &COMMIT)], LONGER);
    // Nothing is left to cost anything; what is beyond 1.0 is noise.
    table.budget("commit, no session active", "the same where none ever was", &raced, 1.05);
}

fn elsewhere(world: &World, table: &mut Table) {
    let worktree = "git worktree add -q ../$0 -b $0";
    let (ours, theirs) = (world.repository("here"), world.repository("idle"));
    world.run(&ours, &["sh", "-c", worktree, "here-other"]);
    world.run(&theirs, &["sh", "-c", worktree, "idle-other"]);
    world.run(&ours, &[world.starts(), "start", "--research", "off", "rate limiting"]);
    hooks(&theirs, |_| "exit 0".to_owned());
    let (ours, theirs) = (world.path("here-other"), world.path("idle-other"));
    let raced = race(world, &Lane::new(&ours, &COMMIT), &[Lane::new(&theirs, &COMMIT)], LONGER);
    table.budget("commit in another worktree", "hooks that exit 0", &raced, 1.25);
}

fn refused(world: &World, table: &mut Table) {
    let (ours, theirs) = (world.session("judged", 2), world.repository("compiled-no"));
    let (nothing, no) = (world.nothing(), world.no());
    hooks(&theirs, |hook| format!("exec {}", if hook == "reference-transaction" { &no } else { &nothing }));
    let lane = |dir: &Path| Lane::new(dir, &COMMIT).ending(128);
    let raced = race(world, &lane(&ours), &[lane(&theirs)], LONGER);
    table.budget("commit refused", "hooks that exec a compiled no", &raced, 1.25);
    let raced = race(world, &lane(&ours).with("GRILL_BACKEND", "git"), &[lane(&theirs)], LONGER);
    table.told("the same through the git program", "hooks that exec a compiled no", &raced);
}

fn let_through(world: &World, table: &mut Table) {
    let (ours, theirs) = (world.session("output", 2), world.repository("compiled-yes"));
    world.run(&ours, &[GRILL, "select", "design-doc", "--path", "docs/limits.md"]);
    let nothing = world.nothing();
    hooks(&theirs, |_| format!("exec {nothing}"));
    let lane = |dir: &Path| Lane::new(dir, &["git", "commit", "-q", "-m", "more"]).before(CHANGE);
    let raced = race(world, &lane(&ours), &[lane(&theirs)], LONGER);
    table.budget("commit let through", "hooks that exec a compiled no-op", &raced, 1.25);
    let raced = race(world, &lane(&ours).with("GRILL_BACKEND", "git"), &[lane(&theirs)], LONGER);
    table.told("the same through the git program", "hooks that exec a compiled no-op", &raced);
}

/// Hooks of these lines under the names of ours.
fn hooks(dir: &Path, line: impl Fn(&str) -> String) {
    let common = dir.join(".git/hooks");
    for hook in HOOKS {
        let path = common.join(hook);
        fs::write(&path, format!("#!/bin/sh\n{}\n", line(hook))).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}
