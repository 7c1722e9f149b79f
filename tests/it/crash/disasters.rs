//! What goes wrong around a command: one write fails, the disk is full, nothing may be written any more, the power goes.

use super::killed::{Met, each, each_of, filled_in, thorough, without_power, without_power_afterwards};
use super::place::{By, Place, Shape};
use super::power::{Disk, Loss};
use super::rows::{
    ANSWER, ANSWER_ROW, APPROVE_ROW, FSYNC, PRODUCE_ROW, Protects, Row, SELECT_ROW, START, START_ROW, STOP_ROW,
    STOP_WITHOUT_ROOM, UNDO_ROW, tried,
};
use super::state::{assert_nothing_left, assert_whole_or_no_protection};
use super::watched::{At, Fault, interrupted};
use super::world::World;

/// A single write fails, with a broken disk and with no room; in turns, unless all is asked for.
fn one_fails(row: &Row<'_>) -> Met {
    let broken = |at| Fault::FailAt(at, libc::EIO);
    let full = |at| Fault::FailAt(at, libc::ENOSPC);
    let in_turns = |at: At| Fault::FailAt(at, if at.is_even() { libc::EIO } else { libc::ENOSPC });
    if thorough() { each_of(row, &[broken, full]) } else { each(row, in_turns) }
}

tried! {
    ONE_FAILS: one_fails, 2;
    p1_one_write_fails_at_an_answer: ANSWER_ROW;
    [whole]
    p1_one_write_fails_at_start: START_ROW;
    p1_one_write_fails_at_an_answer_that_is_synced: Row { before: &[FSYNC, START], ..ANSWER_ROW };
    p1_one_write_fails_at_a_checkpoint: CHECKPOINT_ROW;
    p1_one_write_fails_at_a_selection: SELECT_ROW;
    p1_one_write_fails_at_an_approval: APPROVE_ROW;
    p1_one_write_fails_at_a_production: PRODUCE_ROW;
    p1_one_write_fails_at_an_undo: UNDO_ROW;
    p1_one_write_fails_at_stop: STOP_WITHOUT_ROOM;
}

/// An agent hands a checkpoint in.
const CHECKPOINT_ROW: Row<'_> = Row {
    before: &[
        FSYNC,
        START,
        r##"printf %s '{"markdown":"# Limits\n\n- by client","changeSummary":"how it is counted"}' >../tmp/words.json"##,
    ],
    line: "CLAUDECODE=1 exec git-grill tool grill_update_checkpoint <../tmp/words.json",
    codes: &[],
    then: "",
    words: "",
    ..ANSWER_ROW
};

/// The disk is full from some write on.
fn full(row: &Row<'_>) -> Met {
    each(row, Fault::FullFrom)
}

tried! {
    FULL: full, 2;
    p1_full_at_an_approval: APPROVE_ROW;
    [whole]
    p1_full_at_start: START_ROW;
    p1_full_at_an_answer: ANSWER_ROW;
    p1_full_at_an_undo: UNDO_ROW;
    p1_full_at_stop: STOP_WITHOUT_ROOM;
}

/// From some write on nothing may be written any more.
fn forbidden(row: &Row<'_>) -> Met {
    each(row, no_rights_from)
}

/// From this step on nothing may be written.
pub const fn no_rights_from(at: At) -> Fault {
    Fault::AllFrom(at, libc::EACCES)
}

tried! {
    FORBIDDEN: forbidden, 2;
    p1_forbidden_at_an_answer: ANSWER_ROW;
    [whole]
    p1_forbidden_at_start: START_ROW;
    p1_forbidden_at_an_approval: APPROVE_ROW;
    p1_forbidden_at_an_undo: UNDO_ROW;
    p1_forbidden_at_stop: STOP_ROW;
}

/// The power goes, and every name and byte that was not forced onto the disk.
fn names(row: &Row<'_>) -> Met {
    without_power(row, Loss::Names)
}

/// The power goes, and every byte that was not forced onto the disk.
fn bytes(row: &Row<'_>) -> Met {
    without_power(row, Loss::Bytes)
}

const SYNCED_START: Row<'_> = Row { before: &[FSYNC], protects: Protects::After, ..START_ROW };
const SYNCED_START_THROUGH_GIT: Row<'_> =
    Row { line: "GRILL_BACKEND=git exec git-grill start --research off 'rate limiting'", ..SYNCED_START };
const SYNCED_START_IN_SHA256: Row<'_> = Row { place: Place { shape: Shape::Sha256, by: By::Program }, ..SYNCED_START };
const SYNCED_ANSWER: Row<'_> = Row { before: &[FSYNC, START], ..ANSWER_ROW };
const SYNCED_ANSWER_THROUGH_GIT: Row<'_> =
    Row { line: "GRILL_BACKEND=git exec git-grill answer --question {q} 'requests per client'", ..SYNCED_ANSWER };
const SYNCED_SELECTION: Row<'_> = Row { before: &[FSYNC, START, ANSWER], ..SELECT_ROW };

tried! {
    NAMES: names, 2;
    p1_power_at_an_answer: SYNCED_ANSWER;
    [whole]
    p1_power_at_start: SYNCED_START;
    p1_power_at_start_through_git: SYNCED_START_THROUGH_GIT;
    p1_power_at_start_in_sha256: SYNCED_START_IN_SHA256;
    p1_power_at_an_answer_through_git: SYNCED_ANSWER_THROUGH_GIT;
    p1_power_at_a_checkpoint: CHECKPOINT_ROW;
    p1_power_at_a_selection: SYNCED_SELECTION;
}

tried! {
    BYTES: bytes, 2;
    p1_bytes_lost_at_start: SYNCED_START;
    [whole]
    p1_bytes_lost_at_start_through_git: SYNCED_START_THROUGH_GIT;
    p1_bytes_lost_at_start_in_sha256: SYNCED_START_IN_SHA256;
    p1_bytes_lost_at_an_answer: SYNCED_ANSWER;
    p1_bytes_lost_at_an_answer_through_git: SYNCED_ANSWER_THROUGH_GIT;
    p1_bytes_lost_at_a_checkpoint: CHECKPOINT_ROW;
    p1_bytes_lost_at_a_selection: SYNCED_SELECTION;
}

/// Who is killed in a reftable repository leaves the lock of all its refs, which nobody but a person removes: so the power
/// goes behind the last step alone.
#[test]
fn p1_power_behind_a_start_in_reftable() {
    let row = Row { place: Place { shape: Shape::Reftable, by: By::Program }, ..SYNCED_START };
    if row.place.can_be() {
        for loss in [Loss::Names, Loss::Bytes] {
            assert_eq!(without_power_afterwards(&row, loss).states, 1);
        }
    }
}

/// Git says nothing of a lock that it made and cannot remove again; no later command would come by at the baseline's.
#[test]
fn p1_a_lock_of_the_baseline_that_git_cannot_remove_is_taken_away_or_told() {
    for by in [By::Library, By::Program] {
        for lasts in [false, true] {
            let world = World::at(Place { shape: Shape::Usual, by }, &[START, ANSWER]);
            let when = format!("{by:?}, {lasts}");
            let stop = world.line("exec git-grill stop --without-output");
            let (mut lock, mut stands) = (None, false);
            // A folder in its place is what git cannot remove.
            let ran = interrupted(&world.bench, &stop, Fault::None, |step| match &lock {
                None if step.call.starts_with("unlink") && step.paths[0].ends_with("baseline.lock") => {
                    let path = world.bench.root().join(&step.paths[0]);
                    std::fs::remove_file(&path).unwrap();
                    std::fs::create_dir(&path).unwrap();
                    (lock, stands) = (Some(path), true);
                }
                Some(path) if stands && !lasts => {
                    std::fs::remove_dir(path).unwrap();
                    std::fs::write(path, "").unwrap();
                    stands = false;
                }
                None | Some(_) => {}
            });
            let lock = lock.unwrap_or_else(|| panic!("{when}: {:?}", ran.steps));
            assert_eq!((ran.output.code, stands), (0, lasts), "{when}: {}", ran.output);
            assert_eq!(ran.output.stderr.contains("warning: "), lasts, "{when}: {}", ran.output);
            if lasts {
                let told = format!("{} is still there; git grill doctor --fix", lock.display());
                assert!(ran.output.stderr.contains(&told), "{when}: {}", ran.output);
            } else {
                assert_nothing_left(&world, &when);
            }
            assert!(!assert_whole_or_no_protection(&world, &when));
        }
    }
}

/// A reply that came too late was not recorded, and what was said of it is where it is kept.
#[test]
fn p1_power_behind_a_reply_that_was_kept() {
    for loss in [Loss::Names, Loss::Bytes] {
        let world = World::after(&[START]);
        let late = filled_in(&world, "exec git-grill answer --question {q} 'words that came too late'");
        world.run(ANSWER).assert_code(0);
        let mut disk = Disk::of(world.bench.repo());
        let ran = interrupted(&world.bench, &late, Fault::None, |step| disk.sees(step, world.bench.root()));
        assert_eq!(ran.output.code, 4, "{}", ran.output);
        disk.loses(loss);
        let kept = world.run("find .git/grill/replies -name '*.txt' -exec cat {} +");
        kept.assert_code(0).assert_contains("words that came too late");
    }
}
