//! The whole program, with the real binary, in every kind of repository that git makes: each format of refs and objects
//! from the main and from a linked worktree, and the unusual ones, each through git's library where that opens them and
//! through the `git` program.

mod stories;
mod unusual;

use serde_json::Value;

use crate::bench::{Place, git_has_reftable, one_of};

/// What `git init` is told for each format that the library does not open. Reftable over SHA-1 is among them where the
/// whole table is asked for.
fn formats() -> impl Iterator<Item = &'static str> {
    let mut formats = vec!["--object-format=sha256"];
    if git_has_reftable("the whole program over reftable") {
        formats.extend(["--ref-format=reftable", "--ref-format=reftable --object-format=sha256"]);
    }
    formats.into_iter().step_by(one_of(2))
}

fn status(at: &Place<'_>) -> Value {
    serde_json::from_str(at.run("git grill status --json").assert_code(0).stdout()).unwrap()
}

/// An interview from its beginning to its end; everything that it changed is named or gone.
#[track_caller]
fn interview(at: &Place<'_>, backend: &str) {
    at.run("git grill start 'rate limiting'").assert_code(0);
    let told = status(at);
    assert_eq!(told["backend"], backend, "{told}");
    assert_eq!(told["active"], true);
    at.run("git grill answer 1").assert_code(0);
    at.run("git grill answer 'because the clients asked for it'").assert_code(0);
    let short = at.run("git grill status --short").assert_code(0);
    assert!(short.stdout().contains('3'), "the third question is open: {}", short.stdout());
    at.run("git log --format=%s GRILL_HEAD").assert_code(0).assert_contains("answer q-");
    at.run("git show GRILL_HEAD:.grill/checkpoint.md").assert_code(0).assert_contains("because the clients asked");
    at.run("git grill verify").assert_code(0).assert_contains("nothing drifted");
    at.run("git grill doctor").assert_code(0).assert_contains("nothing is wrong here");
    at.run("git grill stop --without-output").assert_code(0);
    at.run("git rev-parse -q --verify GRILL_HEAD").assert_code(1);
    at.run("git grill sessions").assert_code(0).assert_contains("rate limiting");
    at.run("git fsck --no-dangling --strict").assert_code(0);
}
