//! Somebody else changes a target at the worst moment, with the real program: refused by name, all or none, the draft
//! kept, and there is a way out (G31).

use std::path::Path;

use super::watched::{Fault, interrupted};
use super::world::World;
use super::{ANSWER, SELECT, START};
use crate::bench::Output;

const TARGET: &str = "docs/prd/rate-limiting.md";
const OTHERS: [&str; 2] = ["docs/design/rate-limiting.md", "docs/testing/rate-limiting.md"];

/// What somebody does to the target, what is said of it, and how they undo it.
const DEEDS: [(&str, &str, &str); 5] = [
    ("echo theirs >> docs/prd/rate-limiting.md", "changed", "git checkout -q -- docs"),
    ("rm docs/prd/rate-limiting.md", "changed", "git checkout -q -- docs"),
    (
        "rm docs/prd/rate-limiting.md && ln -s ../../../outside docs/prd/rate-limiting.md",
        "symlink",
        "rm docs/prd/rate-limiting.md && git checkout -q -- docs",
    ),
    ("mv docs/prd ../moved && ln -s ../../moved docs/prd", "docs/prd", "rm docs/prd && mv ../moved docs/prd"),
    (
        "rm docs/prd/rate-limiting.md && mkdir docs/prd/rate-limiting.md",
        "folder",
        "rmdir docs/prd/rate-limiting.md && git checkout -q -- docs",
    ),
];

fn text(world: &World, path: &str) -> Option<String> {
    std::fs::read_to_string(world.bench.repo().join(path)).ok()
}

/// It was refused by name, nothing was written, and once the deed is undone the approval, or a new one, writes.
fn refused(world: &World, output: &Output, (deed, says, back): (&str, &str, &str), ours: &str, outside: &str) {
    assert!([1, 4, 128].contains(&output.code), "{deed}: {output}");
    assert!(output.stderr.contains(TARGET) && output.stderr.contains(says), "{deed}: {output}");
    assert!(output.stderr.contains("\nhint: "), "{deed}: {output}");
    for other in OTHERS {
        assert_eq!(text(world, other), None, "{deed}: {other} was written");
    }
    assert_eq!(std::fs::read_to_string(world.bench.root().join("outside")).unwrap(), outside, "{deed}");
    let bench = &world.bench;
    bench.run("git grill status").assert_code(0).assert_contains(TARGET);
    bench.run(&format!("{back} && git diff --exit-code")).assert_code(0);
    bench.run("git grill produce").assert_code(0);
    assert_eq!(text(world, TARGET).as_deref(), Some(ours), "{deed}");
    for other in OTHERS {
        assert!(text(world, other).is_some(), "{deed}: {other}");
    }
}

#[test]
fn g31_what_somebody_changes_meanwhile_is_refused_by_name_and_nothing_is_written() {
    let world = World::after(&[START, ANSWER, SELECT, "echo untouched > ../outside"]);
    let bench = &world.bench;
    bench.run("git grill approve").assert_code(0);
    let ours = text(&world, TARGET).unwrap();
    for row in DEEDS {
        // Between the preview and the approval.
        world.restore();
        bench.run(row.0).assert_code(0);
        let output = bench.run("git grill approve");
        refused(&world, &output, row, &ours, "untouched\n");
        // Between the approval and the write: when the first of the three has been made ready.
        world.restore();
        let mut done = false;
        let first = Path::new("nowhere/docs/design");
        let ran = interrupted(bench, "exec git-grill approve", Fault::None, |step| {
            if !done && step.paths[0].starts_with(first) {
                done = true;
                bench.run(row.0).assert_code(0);
            }
        });
        assert!(done, "{:?}", ran.steps);
        refused(&world, &ran.output, row, &ours, "untouched\n");
    }
}

/// What was changed after the preview is shown anew, and can then be replaced.
#[test]
fn g31_a_changed_target_is_drafted_anew_and_then_approved() {
    let world = World::after(&[START, ANSWER, SELECT]);
    let bench = &world.bench;
    bench.run("echo theirs >> docs/prd/rate-limiting.md").assert_code(0);
    bench.run("git grill approve").assert_code(4).assert_contains(TARGET);
    bench.run("git grill draft").assert_code(0).assert_contains("theirs");
    bench.run("git grill approve").assert_code(0);
    assert!(!text(&world, TARGET).unwrap().contains("theirs"));
    bench.run("git grill produce --undo").assert_code(0);
    assert!(text(&world, TARGET).unwrap().ends_with("theirs\n"));
}
