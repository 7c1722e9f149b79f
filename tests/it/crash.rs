//! Killed before every single write, and told of every single write that it failed: what was acknowledged is there, and
//! the next command works (promise 1).
//!
//! Nothing is built into the program for this: the kernel stops each call with which it, or a git that it started, is
//! about to change a file, and asks the test. So no write can be forgotten, and what is tested is what is shipped.

mod disk;
mod kernel;
mod killed;
mod mended;
mod power;
mod production;
mod raced;
mod state;
mod watched;
mod world;

use killed::{Protects, Row, each, every_step, without_power, without_power_afterwards};
use power::{Disk, Loss};
use watched::{Fault, interrupted, watched};
use world::World;

use crate::store::matrix::git_has_reftable;

/// Not a test: lists the steps of a command, and what it says when something goes wrong at one of them. `GRILL_STEPS` is
/// the command, `GRILL_BEFORE` what goes before, `GRILL_FORMAT` what `git init` is told, `GRILL_FAULT` a step to be killed at, or `enospc@STEP`, `eio@STEP`,
/// `eacces@STEP`; `GRILL_AFTER` is run in what that leaves.
#[test]
#[ignore = "started by a person, with the command in GRILL_STEPS"]
fn by_hand() {
    let given = |name: &str| std::env::var(name).unwrap_or_default();
    let before = Some(given("GRILL_BEFORE")).filter(|line| !line.is_empty()).unwrap_or_else(|| "true".to_owned());
    let world = World::of(&given("GRILL_FORMAT"), &[&before]);
    let line = killed::filled_in(&world, &format!("exec {}", given("GRILL_STEPS")));
    let fault = Fault::parse(&given("GRILL_FAULT")).unwrap();
    let watched = watched(&world.bench, &line, fault);
    for (number, step) in watched.steps.iter().enumerate() {
        eprintln!("{number:4} {step}");
    }
    eprintln!("{}", watched.output);
    killed::a_moment_passes(&world);
    for line in given("GRILL_AFTER").lines() {
        eprintln!("{}", world.bench.run(line));
    }
}

/// A session with an open question.
const START: &str = "git grill start --research off 'rate limiting'";
/// Its first answer.
const ANSWER: &str = "git grill answer 'requests per client are counted'";
/// Three drafts that wait for approval; one of the files is there already.
const SELECT: &str = "git grill select design-doc,prd,test-plan";

macro_rules! tried {
    ($how:expr, $states:literal; $($name:ident: $row:expr;)*) => { $(
        #[test]
        fn $name() {
            let met = $how(&$row);
            assert!(met.states >= $states, "{} kills left {} states, so nothing was tested", met.kills, met.states);
            eprintln!("{}: {} kills, {} states", stringify!($name), met.kills, met.states);
        }
    )* };
}

/// Words that a person or an agent hands in.
const WORDS: &str = r##"echo 'ours now' >../tmp/words.md && printf %s '{"markdown":"# Limits\n\n- by client","changeSummary":"how it is counted"}' >../tmp/words.json"##;

const ROW: Row<'_> =
    Row { format: "", before: &[START], line: "", codes: &[], again: &[], protects: Protects::Before, then: "" };
const NEXT: &str = "git grill next";
const APPROVE: &str = "git grill approve";

tried! {
    every_step, 4;
    p1_start: Row { before: &[], line: "exec git-grill start --research off 'rate limiting'", codes: &[1], then: NEXT, ..ROW };
    p1_start_with_a_fence: Row { before: &[], line: "exec git-grill start --research off --fence 'rate limiting'", codes: &[1], then: NEXT, ..ROW };
    p1_answer: Row { line: "exec git-grill answer --question {q} 'requests per client'", codes: &[4], then: NEXT, ..ROW };
    p1_skip: Row { line: "exec git-grill skip --question {q}", codes: &[4], then: NEXT, ..ROW };
    p1_unknown: Row { line: "exec git-grill unknown --question {q}", codes: &[4], then: NEXT, ..ROW };
    p1_back: Row { before: &[START, ANSWER], line: "exec git-grill back 1", codes: &[1], ..ROW };
    p1_next_with_an_edited_checkpoint: Row { before: &[START, "echo '- by hand' >> .grill/checkpoint.md"], line: "exec git-grill next", ..ROW };
    p1_intensity: Row { line: "exec git-grill intensity hard", ..ROW };
    p1_select: Row { before: &[START, ANSWER], line: "exec git-grill select design-doc,prd,test-plan", codes: &[1], again: &[("select ", "git grill draft")], ..ROW };
    p1_approve: Row { before: &[START, ANSWER, SELECT], line: "exec git-grill approve", codes: &[1], ..ROW };
    p1_produce: Row { before: &[START, ANSWER, SELECT], line: "exec git-grill produce", codes: &[1], ..ROW };
    p1_undo: Row { before: &[START, ANSWER, SELECT, APPROVE], line: "exec git-grill produce --undo", codes: &[1], ..ROW };
    p1_finish: Row { before: &[START, ANSWER, SELECT, APPROVE], line: "exec git-grill finish", codes: &[1], ..ROW };
    p1_stop: Row { before: &[START, ANSWER], line: "exec git-grill stop --without-output", codes: &[6], ..ROW };
    p1_stop_after_outputs: Row { before: &[START, ANSWER, SELECT, APPROVE], line: "exec git-grill stop", codes: &[6], ..ROW };
    p1_resume: Row { before: &[START, "rm .git/GRILL_HEAD"], line: "exec git-grill resume {s}", ..ROW };
    p1_verify: Row { before: &[START, "echo drift >> README.md"], line: "exec git-grill verify", codes: &[1], ..ROW };
    p1_doctor_fix: Row { before: &[START, "rm .git/hooks/reference-transaction"], line: "exec git-grill doctor --fix", codes: &[1], protects: Protects::After, ..ROW };
    p1_discuss: Row { line: "exec git-grill discuss", codes: &[1], ..ROW };
    p1_discussed: Row { before: &[START, "git grill discuss"], line: "exec git-grill discuss --done 'counted by client'", codes: &[1, 4], then: NEXT, ..ROW };
    p1_checkpoint_restore: Row { before: &[START, ANSWER], line: "exec git-grill checkpoint restore @1", ..ROW };
    p1_draft_edit: Row { before: &[START, ANSWER, SELECT, WORDS], line: "exec git-grill draft --edit docs/prd/rate-limiting.md --from ../tmp/words.md", ..ROW };
    p1_draft_drop: Row { before: &[START, ANSWER, SELECT], line: "exec git-grill draft --drop docs/prd/rate-limiting.md", codes: &[1], ..ROW };
    p1_tool_checkpoint: Row { before: &[START, WORDS], line: "CLAUDECODE=1 exec git-grill tool grill_update_checkpoint <../tmp/words.json", ..ROW };
    p1_agent_install: Row { before: &[], line: "exec git-grill agent install claude", ..ROW };
}

/// What git was about to do when only git grill is killed, git does.
fn alone(row: &Row<'_>) -> killed::Met {
    each(row, Fault::KillAloneAt)
}

tried! {
    alone, 4;
    p1_commit: Row { before: &[START, ANSWER, SELECT, APPROVE], line: "exec git-grill produce --commit", codes: &[1], ..ROW };
    p1_verify_restore: Row {
        before: &[START, "echo drift >> README.md && git -c core.hooksPath=/dev/null checkout -q -b other"],
        line: "exec git-grill verify --restore --yes",
        ..ROW
    };
}

/// The power goes, and every name and byte that was not forced onto the disk.
fn names(row: &Row<'_>) -> killed::Met {
    without_power(row, Loss::Names)
}

/// The power goes, and every byte that was not forced onto the disk.
fn bytes(row: &Row<'_>) -> killed::Met {
    without_power(row, Loss::Bytes)
}

const FSYNC: &str = "git config --global grill.fsync true";

tried! {
    names, 2;
    p1_power_at_start: Row { before: &[FSYNC], line: "exec git-grill start --research off 'rate limiting'", codes: &[1], then: NEXT, protects: Protects::After, ..ROW };
    p1_power_at_an_answer: Row { before: &[FSYNC, START], line: "exec git-grill answer --question {q} 'requests per client'", codes: &[4], then: NEXT, ..ROW };
    p1_power_at_an_answer_through_git: Row { before: &[FSYNC, START], line: "GRILL_BACKEND=git exec git-grill answer --question {q} 'requests per client'", codes: &[4], then: NEXT, ..ROW };
    p1_power_at_a_checkpoint: Row { before: &[FSYNC, START, WORDS], line: "CLAUDECODE=1 exec git-grill tool grill_update_checkpoint <../tmp/words.json", ..ROW };
    p1_power_at_a_selection: Row { before: &[FSYNC, START, ANSWER], line: "exec git-grill select design-doc,prd,test-plan", codes: &[1], again: &[("select ", "git grill draft")], ..ROW };
}

tried! {
    bytes, 2;
    p1_bytes_lost_at_start: Row { before: &[FSYNC], line: "exec git-grill start --research off 'rate limiting'", codes: &[1], then: NEXT, protects: Protects::After, ..ROW };
    p1_bytes_lost_at_an_answer: Row { before: &[FSYNC, START], line: "exec git-grill answer --question {q} 'requests per client'", codes: &[4], then: NEXT, ..ROW };
    p1_bytes_lost_at_an_answer_through_git: Row { before: &[FSYNC, START], line: "GRILL_BACKEND=git exec git-grill answer --question {q} 'requests per client'", codes: &[4], then: NEXT, ..ROW };
    p1_bytes_lost_at_a_checkpoint: Row { before: &[FSYNC, START, WORDS], line: "CLAUDECODE=1 exec git-grill tool grill_update_checkpoint <../tmp/words.json", ..ROW };
    p1_bytes_lost_at_a_selection: Row { before: &[FSYNC, START, ANSWER], line: "exec git-grill select design-doc,prd,test-plan", codes: &[1], again: &[("select ", "git grill draft")], ..ROW };
}

/// The disk is full from some write on.
fn full(row: &Row<'_>) -> killed::Met {
    each(row, Fault::FullFrom)
}

tried! {
    full, 4;
    p1_full_at_start: Row { before: &[], line: "exec git-grill start --research off 'rate limiting'", codes: &[1], then: NEXT, ..ROW };
    p1_full_at_an_answer: Row { line: "exec git-grill answer --question {q} 'requests per client'", codes: &[4], then: NEXT, ..ROW };
    p1_full_at_an_approval: Row { before: &[START, ANSWER, SELECT], line: "exec git-grill approve", codes: &[1], ..ROW };
    p1_full_at_an_undo: Row { before: &[START, ANSWER, SELECT, APPROVE], line: "exec git-grill produce --undo", codes: &[1], ..ROW };
    p1_full_at_stop: Row { before: &[START, ANSWER], line: "exec git-grill stop --without-output", codes: &[6], ..ROW };
}

/// From some write on nothing may be written any more.
fn forbidden(row: &Row<'_>) -> killed::Met {
    each(row, |at| Fault::AllFrom(at, libc::EACCES))
}

tried! {
    forbidden, 4;
    p1_forbidden_at_start: Row { before: &[], line: "exec git-grill start --research off 'rate limiting'", codes: &[1], then: NEXT, ..ROW };
    p1_forbidden_at_an_answer: Row { line: "exec git-grill answer --question {q} 'requests per client'", codes: &[4], then: NEXT, ..ROW };
    p1_forbidden_at_an_approval: Row { before: &[START, ANSWER, SELECT], line: "exec git-grill approve", codes: &[1], ..ROW };
    p1_forbidden_at_an_undo: Row { before: &[START, ANSWER, SELECT, APPROVE], line: "exec git-grill produce --undo", codes: &[1], ..ROW };
    p1_forbidden_at_stop: Row { before: &[START, ANSWER], line: "exec git-grill stop --without-output", codes: &[6], ..ROW };
}

/// A repository that only the `git` program reads.
const SHA256: &str = "--object-format=sha256";

tried! {
    every_step, 4;
    p1_answer_through_git: Row { line: "GRILL_BACKEND=git exec git-grill answer --question {q} 'requests per client'", codes: &[4], then: NEXT, ..ROW };
    p1_answer_in_sha256: Row { format: SHA256, line: "exec git-grill answer --question {q} 'requests per client'", codes: &[4], then: NEXT, ..ROW };
}

const START_LINE: &str = "exec git-grill start --research off 'rate limiting'";
const POWER_AT_START: Row<'_> =
    Row { before: &[FSYNC], line: START_LINE, codes: &[1], then: NEXT, protects: Protects::After, ..ROW };
const START_THROUGH_GIT: &str = "GRILL_BACKEND=git exec git-grill start --research off 'rate limiting'";

tried! {
    names, 2;
    p1_power_at_start_through_git: Row { line: START_THROUGH_GIT, ..POWER_AT_START };
    p1_power_at_start_in_sha256: Row { format: SHA256, ..POWER_AT_START };
}

tried! {
    bytes, 2;
    p1_bytes_lost_at_start_through_git: Row { line: START_THROUGH_GIT, ..POWER_AT_START };
    p1_bytes_lost_at_start_in_sha256: Row { format: SHA256, ..POWER_AT_START };
}

#[test]
fn p1_power_behind_a_start_in_reftable() {
    if !git_has_reftable() {
        // Before git 2.45 there are no such repositories.
        return;
    }
    for loss in [Loss::Names, Loss::Bytes] {
        let row = Row { format: "--ref-format=reftable", ..POWER_AT_START };
        assert_eq!(without_power_afterwards(&row, loss).states, 1);
    }
}

/// A reply that came too late was not recorded, and what was said of it is where it is kept.
#[test]
fn p1_power_behind_a_reply_that_was_kept() {
    for loss in [Loss::Names, Loss::Bytes] {
        let world = World::after(&[START]);
        let late = killed::filled_in(&world, "exec git-grill answer --question {q} 'words that came too late'");
        world.bench.run(ANSWER).assert_code(0);
        let mut disk = Disk::of(world.bench.repo());
        let ran = interrupted(&world.bench, &late, Fault::None, |step| disk.sees(step, world.bench.root()));
        assert_eq!(ran.output.code, 4, "{}", ran.output);
        disk.loses(loss);
        world
            .bench
            .run("find .git/grill/replies -name '*.txt' -exec cat {} +")
            .assert_code(0)
            .assert_contains("words that came too late");
    }
}
