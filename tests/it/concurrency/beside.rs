//! What git does meanwhile, over and over: it packs refs and objects, and commits elsewhere.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::bench::Bench;

/// Between two runs of the same.
const PAUSE: Duration = Duration::from_millis(20);

/// What tidies the repository up. Not the task `incremental-repack`: beside a `git gc` it leaves an index of packs that
/// are gone, without anybody of ours.
pub const TIDYING: &[&str] = &[
    "git gc --quiet",
    "git pack-refs --all",
    "git maintenance run --quiet --task=loose-objects --task=commit-graph --task=pack-refs",
];
/// What commits, in a worktree where nobody is interviewed.
pub const COMMITTING: &str = "echo $$ >> beside.txt && git add beside.txt && git commit -q -m beside";

/// Runs a line over and over until it is over, and counts how often it went well; what it said otherwise.
pub fn over_and_over(bench: &Bench, dir: &str, line: &str, over: &AtomicBool, well: &AtomicUsize) -> Vec<String> {
    let mut said = Vec::new();
    while !over.load(Ordering::Relaxed) {
        let output = bench.at(dir).run(line);
        if output.code == 0 {
            well.fetch_add(1, Ordering::Relaxed);
        } else {
            said.push(output.stderr);
        }
        std::thread::sleep(PAUSE);
    }
    said
}
