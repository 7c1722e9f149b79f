//! git deletes objects at the worst moment, by the real git: between the objects of an answer and its ref, and, by a
//! collection that read the refs earlier, after the answer was acknowledged. Plain git reads every acknowledged answer
//! (promises 1 and 4).

use std::cell::RefCell;

use super::place::{By, Place, Shape};
use super::rows::START;
use super::watched::{Fault, Step, interrupted};
use super::world::World;
use crate::bench::{Output, one_of, side_by_side};

/// Deletes everything that no ref reaches.
const COLLECTIONS: [&str; 2] = ["git gc --prune=now --quiet", "git repack -adq && git prune --expire=now"];
const WORDS: &str = "ten per second for each client";
/// An answer after that one.
const LATER: &str = "and twenty per second for partners";
/// Every way to read and write a repository.
const PLACES: [Place; 7] = [
    Place::USUAL,
    Place { shape: Shape::Usual, by: By::Program },
    Place { shape: Shape::Packed, by: By::Library },
    Place { shape: Shape::Linked, by: By::Library },
    Place { shape: Shape::Bare, by: By::Library },
    Place { shape: Shape::Sha256, by: By::Program },
    Place { shape: Shape::Reftable, by: By::Program },
];

fn answer(world: &World) -> String {
    world.line(&format!("exec git-grill answer '{WORDS}'"))
}

fn stores(step: &Step) -> bool {
    let parts = ["objects", "copies", "refs", "reftable"];
    step.paths.iter().any(|path| path.iter().any(|part| parts.iter().any(|one| part == *one)))
}

/// Plain git reads the whole history, with these words in it, and collects garbage without a complaint.
fn assert_readable(world: &World, words: &[&str], when: &str) {
    let history = world.bench.run("git log -p --format=%B --glob=refs/grill/sessions");
    assert_eq!(history.code, 0, "{when}: {history}");
    for one in words {
        assert!(history.stdout.contains(one), "{when}: '{one}' is lost");
    }
    for line in
        ["git rev-list --objects --all --glob=refs/grill", "git fsck --no-dangling --no-progress", "git gc --quiet"]
    {
        let ran = world.bench.run(line);
        assert_eq!(ran.code, 0, "{when}, {line}: {ran}");
    }
}

fn assert_recorded(ran: &Output, when: &str) {
    assert_eq!(ran.code, 0, "{when}: {ran}");
    assert!(!ran.stderr.contains("caused by"), "{when}: {ran}");
}

/// Collects garbage before each `stride`th step that stores something.
fn collected_at(place: Place, collection: &str, stride: usize) {
    if !place.can_be() {
        return;
    }
    let world = World::at(place, &[START]);
    let mut met = 0;
    for chosen in (0..).step_by(stride) {
        world.restore();
        let mut number = 0;
        let ran = interrupted(&world.bench, &answer(&world), Fault::None, |step| {
            if stores(step) {
                if number == chosen && world.bench.run(collection).code != 0 {
                    // It waits in vain for the ref that we have locked; what deletes objects does not.
                    world.bench.run("git prune --expire=now").assert_code(0);
                }
                number += 1;
            }
        });
        if number <= chosen {
            break;
        }
        met += 1;
        let when = format!("{place:?}, {collection} before step {chosen}");
        assert_recorded(&ran.output, &when);
        // Before any other command of ours.
        assert_readable(&world, &[WORDS], &when);
        let status = world.run("git grill status");
        assert_eq!(status.code, 0, "{when}: {status}");
    }
    assert!(met > 3, "{place:?}: {met}");
}

#[test]
fn p1_a_collection_between_objects_and_ref_takes_no_answer() {
    for collection in COLLECTIONS.into_iter().step_by(one_of(2)) {
        collected_at(Place::USUAL, collection, 2 * one_of(3));
    }
}

#[test]
fn p1_a_collection_between_objects_and_ref_takes_no_answer_wherever_sessions_are_kept() {
    let places = PLACES.into_iter().rev().step_by(one_of(3)).filter(|place| *place != Place::USUAL);
    side_by_side(&places.collect::<Vec<_>>(), |place| collected_at(*place, COLLECTIONS[0], 7));
}

/// Objects that a collection was about to delete when the ref had not moved yet, and deletes only now.
fn collected_late(place: Place, later: Option<&str>, then: &str) {
    if !place.can_be() {
        return;
    }
    let world = World::at(place, &[START]);
    let doomed = RefCell::new(None);
    let ran = interrupted(&world.bench, &answer(&world), Fault::None, |step| {
        let name = step.paths[0].to_string_lossy();
        let locks_the_ref = name.contains("refs/grill/sessions") || name.ends_with("tables.list.lock");
        if step.call.starts_with("open") && locks_the_ref && name.ends_with(".lock") && doomed.borrow().is_none() {
            let listed = world.bench.run("git prune -n --expire=now").assert_code(0);
            doomed.replace(Some(listed.stdout().to_owned()));
        }
    });
    let when = format!("{place:?}, {then}");
    assert_recorded(&ran.output, &when);
    if let Some(later) = later {
        assert_recorded(&world.run(&format!("git grill answer '{later}'")), &when);
    }
    let objects = world.git_dir().join("objects");
    let doomed = doomed.into_inner().expect("the ref was locked");
    for name in doomed.lines().filter_map(|line| line.split(' ').next()) {
        std::fs::remove_file(objects.join(&name[..2]).join(&name[2..])).unwrap();
    }
    let broken = world.bench.run("git rev-list --objects --glob=refs/grill");
    assert_ne!(broken.code, 0, "{when}: nothing was lost, so nothing was tested");
    let ran = world.run(then);
    assert_eq!(ran.code, 0, "{when}: {ran}");
    assert_eq!(ran.stderr.matches("wrote them again").count(), 1, "{when}: {ran}");
    assert_readable(&world, &[WORDS, later.unwrap_or(WORDS)], &when);
    let again = world.run("git grill status");
    assert!(again.code == 0 && !again.stderr.contains("again"), "{when}: {again}");
}

/// A file that only the baseline has.
const MINE: &str = "echo 'mine, and the only copy' >mine.txt";

/// Beginning a session left a baseline that is whole: git collects garbage, and the file comes back.
fn assert_begun(world: &World, begun: &Output, when: &str) {
    assert!(begun.code <= 1, "{when}: {begun}");
    for line in ["git fsck --no-dangling --no-progress", "git gc --quiet"] {
        let ran = world.bench.run(line);
        assert_eq!(ran.code, 0, "{when}, {line}: {ran}");
    }
    world.bench.run("echo theirs >mine.txt").assert_code(0);
    let back = world.run("git grill verify --restore --yes");
    assert_eq!(back.code, 0, "{when}: {back}");
    world.bench.run("cat mine.txt").assert_stdout("mine, and the only copy\n");
}

/// Both ways to read and write a repository that has files of the user's.
const BOTH: [Place; 2] = [Place::USUAL, Place { shape: Shape::Usual, by: By::Program }];

fn begin(world: &World) -> String {
    world.line(&START.replace("git grill", "exec git-grill"))
}

#[test]
fn p1_a_collection_at_any_step_of_the_start_leaves_a_whole_baseline() {
    side_by_side(&BOTH, |place| {
        let world = World::at(*place, &[MINE]);
        let mut met = 0;
        for chosen in (0..).step_by(5 * one_of(3)) {
            world.restore();
            let mut number = 0;
            let ran = interrupted(&world.bench, &begin(&world), Fault::None, |step| {
                if stores(step) {
                    if number == chosen && world.bench.run(COLLECTIONS[0]).code != 0 {
                        world.bench.run("git prune --expire=now").assert_code(0);
                    }
                    number += 1;
                }
            });
            if number <= chosen {
                break;
            }
            met += 1;
            assert_begun(&world, &ran.output, &format!("{place:?}, before step {chosen}"));
        }
        assert!(met > 3, "{place:?}: {met}");
    });
}

/// A collection that had read the refs before the baseline's was set, and deletes its objects after the session began.
#[test]
fn p1_a_late_collection_takes_nothing_of_a_new_baseline() {
    side_by_side(&BOTH, |place| {
        let world = World::at(*place, &[MINE]);
        let (running, objects) = (world.git_dir().join("gc.pid"), world.git_dir().join("objects"));
        let doomed = RefCell::new(None);
        let ran = interrupted(&world.bench, &begin(&world), Fault::None, |step| {
            let locks = step.call.starts_with("open") && step.paths[0].to_string_lossy().ends_with("/baseline.lock");
            if locks && doomed.borrow().is_none() {
                std::fs::write(&running, "1 elsewhere").unwrap();
                let listed = world.bench.run("git prune -n --expire=now").assert_code(0);
                doomed.replace(Some(listed.stdout().to_owned()));
            }
        });
        let doomed = doomed.into_inner().expect("the ref was locked");
        let names: Vec<&str> = doomed.lines().filter_map(|line| line.split(' ').next()).collect();
        assert!(names.len() > 3, "{place:?}: {doomed}");
        for name in names {
            // What lies in a pack by now may be gone already.
            let _ = std::fs::remove_file(objects.join(&name[..2]).join(&name[2..]));
        }
        std::fs::remove_file(&running).unwrap();
        // What a session lost it writes again by itself; a baseline cannot.
        world.run("git grill status").assert_code(0);
        assert_begun(&world, &ran.output, &format!("{place:?}"));
    });
}

#[test]
fn p1_a_collection_that_read_the_refs_before_an_answer_takes_none() {
    let commands = ["git grill status", "git grill answer 'a third one'", "git grill fsck", "git grill doctor --fix"];
    let commands = [commands.as_slice(), &["git grill stop --without-output", "git grill checkpoint log"]].concat();
    for then in commands.into_iter().step_by(one_of(2)) {
        collected_late(Place::USUAL, Some(LATER), then);
        collected_late(Place::USUAL, None, then);
    }
}

#[test]
fn p1_a_late_collection_takes_no_answer_wherever_sessions_are_kept() {
    let places = PLACES.into_iter().skip(1).filter(|place| place.shape != Shape::Packed);
    side_by_side(&places.collect::<Vec<_>>(), |place| {
        collected_late(*place, Some(LATER), "git grill status");
        collected_late(*place, None, "git grill status");
    });
}
