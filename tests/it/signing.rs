//! Signed when the user's git configuration asks for it: real keys and git's own verdict, and stand-ins for what goes
//! wrong with a key.

mod failing;
mod formats;
mod real_keys;

use crate::bench::{self, Bench};

/// A program in the world's own folder, as a shell script; its path.
fn program(bench: &Bench, name: &str, script: &str) -> String {
    let path = bench.root().join(name);
    bench::executable(&path, format!("#!/bin/sh\n{script}\n"));
    path.to_str().unwrap().to_owned()
}

/// What git says about the signature of every commit of the session, the newest first: `G` is good, `N` is none.
fn verdicts(bench: &Bench) -> String {
    let said = bench.run("git log --format=%G? GRILL_HEAD").assert_code(0);
    said.stdout().split_whitespace().collect()
}
