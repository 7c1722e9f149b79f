//! `--commit`: one commit of exactly what was written, made by the real git, on request and never twice (G31, G33).

mod asked;
mod at_once;
mod blocked;
mod hooks;
mod interrupted;
mod ours;
mod places;
mod typed;

use crate::bench::{Bench, Output, Place};

/// What the sessions here have decided.
const CHECKPOINT: &str = "\
# Shared Understanding

## Topic

rate limiting

## Decisions

- The limit counts what a call costs, so that one expensive call weighs as much as many cheap ones.
- Only one entry point becomes public.
";

/// A session in the output phase: its draft for `path` waits.
fn drafted(bench: &Bench, path: &str) {
    drafted_at(&bench.at("."), bench, path);
}

/// The same in another worktree.
fn drafted_at(place: &Place<'_>, bench: &Bench, path: &str) {
    bench.scripts_may_approve();
    place.run("git grill start --research off 'rate limiting'").assert_code(0);
    place.write(".grill/checkpoint.md", CHECKPOINT);
    place.run("git grill answer 'requests per client are counted'").assert_code(0);
    place.run(&format!("git grill select design-doc --path {path}")).assert_code(0);
}

/// HEAD and every entry of the index.
fn state(bench: &Bench) -> String {
    bench.run("git rev-parse HEAD; git ls-files -s -v").stdout
}

/// The trailers of HEAD, as git reads them.
fn trailers(place: &Place<'_>) -> Vec<String> {
    let read = place.run("git log -1 --format=%B | git interpret-trailers --parse");
    read.stdout.lines().map(str::to_owned).collect()
}

/// What HEAD changes, path by path.
fn changed(place: &Place<'_>) -> String {
    place.run("git show --format= --name-status HEAD").stdout
}

/// A refusal that changed neither the branch nor the index.
fn refused(bench: &Bench, line: &str, code: i32) -> Output {
    let before = state(bench);
    let output = bench.run(line);
    assert_eq!((output.code, state(bench)), (code, before), "{line}\n{}{}", output.stdout, output.stderr);
    output
}
