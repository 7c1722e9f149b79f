//! Somebody else changes a target at the worst moment, with the real program: refused by name, all or none, the draft
//! kept, and there is a way out (G31). And git tidies up at the worst moment: what a baseline needs is there.

use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

use super::place::{By, Place, Shape};
use super::rows::{ANSWER, SELECT, START};
use super::watched::{Fault, interrupted};
use super::world::World;
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

/// Both back ends begin a session.
const STARTS: [&str; 2] = [
    "exec git-grill start --research off 'rate limiting'",
    "GRILL_BACKEND=git exec git-grill start --research off 'rate limiting'",
];

/// The baseline brings back what it knew.
fn comes_back(world: &World, line: &str) {
    let bench = &world.bench;
    bench.run("git fsck --no-dangling --no-progress").assert_code(0);
    bench.run("echo theirs >notes/of/mine.txt && git grill verify --restore --yes").assert_code(0);
    assert_eq!(text(world, "notes/of/mine.txt").as_deref(), Some("mine, and the only copy\n"), "{line}");
}

const NOTES: &str = "mkdir -p notes/of && echo 'mine, and the only copy' >notes/of/mine.txt";

/// Objects of a session that is over lie in a pack that git knows to be old, whatever the time of its file. Another
/// session needs the same ones, and while they are looked for and written the collection throws those away.
#[test]
fn what_a_collection_takes_for_old_is_in_a_new_baseline_all_the_same() {
    let over = "git grill stop --without-output";
    let old = "find .git/objects -type f -exec touch -d '3 weeks ago' {} + && git gc --quiet --prune=never";
    let world = World::after(&[NOTES, START, over, old]);
    for line in STARTS {
        let mut met = 0;
        for object in (0..).step_by(4) {
            world.restore();
            let mut begun = 0;
            let ran = interrupted(&world.bench, line, Fault::None, |step| {
                if step.call == "openat" && step.paths[0].starts_with("nowhere/.git/objects") {
                    if begun == object {
                        world.bench.run("git gc --quiet").assert_code(0);
                    }
                    begun += 1;
                }
            });
            assert!(ran.output.code <= 1, "{line}: {}", ran.output);
            if begun <= object {
                break;
            }
            met += 1;
            comes_back(&world, line);
        }
        assert!(met > 1, "{line}: {met}");
    }
}

/// A machine that lost its power left half of an object's file.
#[test]
fn what_lies_there_cut_off_is_in_a_new_baseline_all_the_same() {
    let cut =
        "f=.git/objects/$(git hash-object -w notes/of/mine.txt | sed 's|..|&/|') && chmod u+w $f && truncate -s 9 $f";
    let world = World::after(&[NOTES, cut]);
    for line in STARTS {
        world.restore();
        let ran = world.bench.run(line.trim_start_matches("exec "));
        assert!(ran.code <= 1, "{line}: {ran}");
        comes_back(&world, line);
    }
}

/// Another git, whose hooks are off.
const APART: &str = "git -c core.hooksPath=/dev/null";

/// Ends a session. The first time that its baseline's ref is about to be locked, another git packs all refs in this way; the
/// first time that packed-refs is, it moves a branch and packs that. The branch stays where it is.
fn ends_beside(place: Place, packs: Option<&str>) {
    let case = format!("{place:?}, {packs:?}");
    let beside = format!("{APART} branch beside");
    let world = World::at(place, &[&beside, START]);
    let run = |line: &str| world.bench.run(line).assert_code(0).stdout().to_owned();
    let tip = || run("git rev-parse refs/heads/beside");
    let (before, mut packed, mut packs) = (tip(), None, packs);
    let stop = world.line("exec git-grill stop --without-output");
    let ran = interrupted(&world.bench, &stop, Fault::None, |step| {
        let locks = |name: &str| step.call.starts_with("open") && step.paths[0].to_string_lossy().ends_with(name);
        if locks("/baseline.lock")
            && let Some(how) = packs.take()
        {
            run(&format!("{APART} pack-refs --all {how}"));
        }
        if packed.is_none() && packs.is_none() && locks("/packed-refs.lock") {
            run(&format!("{APART} update-ref refs/heads/beside $(git commit-tree -m beside HEAD^{{tree}})"));
            run(&format!("{APART} pack-refs --all"));
            packed = Some(tip());
        }
    });
    assert_eq!(ran.output.code, 0, "{case}: {}", ran.output);
    assert!(packs.is_none() && packed.as_ref().is_some_and(|packed| *packed != before), "{case}: {:?}", ran.steps);
    assert_eq!(Some(tip()), packed, "{case}");
    if place.shape == Shape::Usual {
        assert_eq!(run("git for-each-ref refs/grill/local"), "", "{case}");
    }
}

/// git's library wrote packed-refs as it had read them before it locked the file. A ref that another git had moved and packed
/// in between, anyone's, went back to what it named before.
#[test]
fn p1_a_ref_that_is_packed_while_a_session_ends_stays_where_it_is() {
    for by in [By::Library, By::Program] {
        ends_beside(Place { shape: Shape::Packed, by }, None);
    }
}

/// The same where the session's own ref is still a file when it is looked at, and is packed a moment later.
#[test]
fn p1_a_ref_that_is_packed_while_an_unpacked_one_is_taken_away_stays_where_it_is() {
    for by in [By::Library, By::Program] {
        for packs in ["--no-prune", "--prune"] {
            ends_beside(Place { shape: Shape::Usual, by }, Some(packs));
        }
    }
}

/// What another git does just before ours locks the tables of refs.
#[derive(Clone, Copy, Debug)]
enum Beside {
    Moves,
    /// It holds the lock for a moment, as `git gc` does in every worktree where it expires reflogs.
    Holds,
}

/// git before 2.48 does not wait for that lock, so we do: also where only the pointer of the worktree is set or taken away.
#[test]
fn p1_tables_of_refs_that_another_git_writes_or_locks_are_tried_again() {
    let place = Place { shape: Shape::Reftable, by: By::Program };
    if !place.can_be() {
        return;
    }
    let lines: [(&[&str], &str); 3] = [(&[], START), (&[START], ANSWER), (&[START], "git grill stop --without-output")];
    for ((before, line), beside) in lines.into_iter().flat_map(|line| [(line, Beside::Moves), (line, Beside::Holds)]) {
        let world = World::at(place, before);
        let line = world.line(&line.replace("git grill", "exec git-grill"));
        let mut met = 0;
        for which in 0.. {
            world.restore();
            let (mut locked, mut beside_us) = (0, None);
            let ran = interrupted(&world.bench, &line, Fault::None, |step| {
                if step.call == "openat" && step.paths[0].ends_with("reftable/tables.list.lock") {
                    if locked == which {
                        beside_us = does(beside, &world, &step.paths[0]);
                    }
                    locked += 1;
                }
            });
            // A command may do without the lock and end first; the next one's must not be taken from it.
            if let Some(held) = beside_us {
                held.join().unwrap();
            }
            assert_eq!(ran.output.code, 0, "{line}, lock {which}, {beside:?}: {}", ran.output);
            if locked <= which {
                break;
            }
            met += 1;
        }
        assert!(met > 0, "{line} locks no table");
        world.run("git grill doctor").assert_code(0);
    }
}

fn does(beside: Beside, world: &World, lock: &Path) -> Option<JoinHandle<()>> {
    match beside {
        Beside::Moves => {
            let moved = "git -c core.hooksPath=/dev/null update-ref refs/notes/beside HEAD";
            world.bench.run(moved).assert_code(0);
            None
        }
        Beside::Holds => {
            let lock = world.bench.root().join(lock);
            std::fs::write(&lock, "").unwrap();
            Some(std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(200));
                std::fs::remove_file(lock).unwrap();
            }))
        }
    }
}
