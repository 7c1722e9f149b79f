//! One command, killed before every write: the next run finds a consistent session, what was acknowledged is there, the
//! repository is protected or it is not, and the command can be repeated.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::power::{Disk, Loss};
use super::state::{
    Told, assert_consistent, assert_nothing_left, assert_sound, assert_whole_or_no_protection, fingerprint, told,
};
use super::watched::{Fault, Step, interrupted, watched};
use super::world::World;
use crate::bench::Output;
use crate::faults::traces::{Traces, assert_same, everything, lasting};

/// A command, and what it takes to repeat it.
pub struct Row<'a> {
    /// The repository's format, as `git init` is told of it.
    pub format: &'a str,
    /// What goes before.
    pub before: &'a [&'a str],
    /// The command, as `exec` and one program; `{q}` is the id of the open question, `{s}` the session's.
    pub line: &'a str,
    /// How else it ends than with 0, the first time or again.
    pub codes: &'a [i32],
    /// What is typed again, by the subject that the history has by then; the same line where none of them stands there.
    pub again: &'a [(&'a str, &'a str)],
    /// When the session is protected.
    pub protects: Protects,
    /// What a person types afterwards to get where the command would have led.
    pub then: &'a str,
}

/// When a row's session is protected, if it is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protects {
    /// All the time.
    Before,
    /// Once the command has mended it.
    After,
}

/// What a row's kills met.
pub struct Met {
    /// At how many steps it was killed.
    pub kills: usize,
    /// How many different states that left.
    pub states: usize,
}

/// Behind the last step of every command.
const END: usize = usize::MAX;

/// How many steps of a command are tried unless all are asked for: enough to notice that something is wrong at all.
const SOME: usize = 20;

/// The steps at which something goes wrong: all of them, if `GRILL_CRASH` is `all`; else some of those that change
/// something a reader sees, since an object that nobody names yet changes nothing for the next command.
pub fn chosen(steps: &[Step]) -> Vec<usize> {
    if std::env::var("GRILL_CRASH").is_ok_and(|what| what == "all") {
        // Which folders of objects are there already is chance, so the number of steps is, too.
        return (0..steps.len() + 30).collect();
    }
    let in_objects = |step: &Step| step.paths.iter().all(|path| path.starts_with("nowhere/.git/objects"));
    let seen: Vec<usize> = (0..steps.len()).filter(|at| !in_objects(&steps[*at])).collect();
    let stride = seen.len().div_ceil(SOME).max(1);
    seen.into_iter().rev().step_by(stride).collect()
}

/// Kills a command before its steps, with all that it started.
pub fn every_step(row: &Row<'_>) -> Met {
    each(row, Fault::KillAt)
}

/// Has something go wrong at each step of a command, and looks at what that leaves.
pub fn each(row: &Row<'_>, fault: impl Fn(usize) -> Fault) -> Met {
    each_then(row, fault, None, chosen)
}

/// Takes the power away before each step of a command, and behind the last one.
pub fn without_power(row: &Row<'_>, loss: Loss) -> Met {
    each_then(row, Fault::KillAt, Some(loss), chosen)
}

/// Takes the power away behind the last step alone: who is killed in a reftable repository leaves the lock of all its
/// refs, which nobody but a person removes.
pub fn without_power_afterwards(row: &Row<'_>, loss: Loss) -> Met {
    each_then(row, Fault::KillAt, Some(loss), |_| Vec::new())
}

fn each_then(
    row: &Row<'_>,
    fault: impl Fn(usize) -> Fault,
    loss: Option<Loss>,
    chosen: impl Fn(&[Step]) -> Vec<usize>,
) -> Met {
    let world = World::of(row.format, row.before);
    let untouched = world.untouched();
    let line = filled_in(&world, row.line);
    let before = told(&world);
    let whole = watched(&world.bench, &line, Fault::None);
    assert!(whole.output.code == 0 || row.codes.contains(&whole.output.code), "{}", whole.output);
    let led_to = told(&world);
    let mut states = BTreeSet::new();
    let mut met = 0;
    let end = loss.map(|_| END);
    for at in chosen(&whole.steps).into_iter().chain(end) {
        world.restore();
        let fault = fault(at);
        let mut disk = loss.map(|_| Disk::of(world.bench.repo()));
        let mut made = 0;
        let ran = interrupted(&world.bench, &line, fault, |step| {
            if let Some(disk) = disk.as_mut().filter(|_| made < at) {
                disk.sees(step, world.bench.root());
            }
            made += 1;
        });
        let when = match (ran.at(fault), loss) {
            (Some(step), _) => format!("`{line}` with {fault:?}, {step}, {loss:?}"),
            (None, Some(loss)) if at == END => format!("`{line}`, and then {loss:?} gone"),
            (None, _) => continue,
        };
        if let Some((disk, loss)) = disk.zip(loss) {
            disk.loses(loss);
            passes(&world, A_REBOOT);
        }
        met += 1;
        if loss.is_none() {
            a_moment_passes(&world);
        }
        assert_consistent(&world, &when);
        let ended = ended(row, fault, &ran.output, &when);
        let found = told(&world);
        let said = match ended {
            Ended::Killed => !ran.output.stdout.is_empty(),
            // What it could do without it says.
            Ended::Well => !ran.output.stderr.contains("warning: "),
            Ended::Badly => false,
        };
        assert_between(&before, &found, &led_to, said, &when);
        if states.insert((fingerprint(&world), said)) {
            assert_sound(&world, &when);
            goes_on(&world, row, &line, &led_to, &when);
            ends(&world, &untouched, &when);
        }
    }
    Met { kills: met, states: states.len() }
}

/// How a command ended that something was done to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// It was killed.
    Killed,
    /// It did what it was to do, perhaps with a warning.
    Well,
    /// It said what did not happen.
    Badly,
}

/// A command that was told of a failed write either does without, or says what did not happen and why (exit code 128).
fn ended(row: &Row<'_>, fault: Fault, output: &Output, when: &str) -> Ended {
    assert!(!output.stderr.contains("panicked"), "{when}: {output}");
    match (fault, output.code) {
        (Fault::KillAt(_) | Fault::KillAloneAt(_), 137) => Ended::Killed,
        (_, code) if code == 0 || row.codes.contains(&code) => Ended::Well,
        (_, 128) => {
            assert!(output.stderr.contains("error: "), "{when}: {output}");
            Ended::Badly
        }
        (_, code) => panic!("{when}: it ended with {code}: {output}"),
    }
}

/// A lock is taken for left once it is a second old. Nobody waits here: the second passes for all of them at once.
pub fn a_moment_passes(world: &World) {
    passes(world, Duration::from_secs(2));
}

/// No machine is back sooner.
const A_REBOOT: Duration = Duration::from_secs(31);

fn passes(world: &World, time: Duration) {
    let earlier = SystemTime::now() - time;
    for path in everything(&world.bench.repo().join(".git")).into_keys() {
        let path = world.bench.repo().join(".git").join(path);
        if path.extension().is_some_and(|end| end == "lock") && path.is_file() {
            File::options().write(true).open(path).unwrap().set_modified(earlier).unwrap();
        }
    }
}

pub fn filled_in(world: &World, line: &str) -> String {
    let shown = |line: &str| world.bench.run(line).assert_code(0).stdout().trim().to_owned();
    let mut line = line.to_owned();
    if line.contains("{q}") {
        line = line.replace("{q}", &shown("git grill status --porcelain | sed -n 's/^question\t//p' | cut -f 1"));
    }
    if line.contains("{s}") {
        line = line.replace("{s}", &shown("git for-each-ref --format='%(refname:lstrip=3)' refs/grill/sessions"));
    }
    line
}

/// No history lost or changed what it had; each is a beginning of what the whole command makes of it, and all of that
/// once the command has said so.
fn assert_between(before: &Told, found: &Told, led_to: &Told, said: bool, when: &str) {
    assert!(found.len() >= before.len() && found.len() <= led_to.len(), "{when}: {found:?}");
    for (number, whole) in led_to.iter().enumerate() {
        let had = before.get(number).map_or(&[][..], |had| had);
        let has = found.get(number).map_or(&[][..], |has| has);
        assert!(has.starts_with(had) && whole.starts_with(has), "{when}: {has:?}, and it had {had:?}");
    }
    assert!(!said || settled(found) == settled(led_to), "{when}: it had said so, and there is only {found:?}");
}

/// What a history comes to: three drafts may be approved before the first is written, and what drifted be looked at once
/// more.
pub fn settled(told: &Told) -> Told {
    let mut told = told.clone();
    for subjects in &mut told {
        subjects.retain(|subject| !subject.starts_with("verify: "));
        subjects.sort();
    }
    told
}

/// The next commands find their way.
fn goes_on(world: &World, row: &Row<'_>, line: &str, led_to: &Told, when: &str) {
    let bench = &world.bench;
    let has = |subject: &str| told(world).concat().iter().any(|one| one.starts_with(subject));
    let again = row.again.iter().find(|(subject, _)| has(subject)).map_or(line, |(_, line)| line);
    if row.protects == Protects::Before {
        let _active = assert_whole_or_no_protection(world, when);
    }
    let again = bench.run(again);
    assert!(again.code == 0 || row.codes.contains(&again.code), "{when}, then again: {again}");
    if !row.then.is_empty() {
        let then = bench.run(row.then);
        assert!([0, 1].contains(&then.code), "{when}, then again and {}: {then}", row.then);
    }
    assert_consistent(world, when);
    assert_eq!(settled(&told(world)), settled(led_to), "{when}, then again: {again}");
    let _active = assert_whole_or_no_protection(world, &format!("{when}, then again"));
}

/// The session can be ended, and then nothing is left of it but its history.
pub fn ends(world: &World, untouched: &Traces, when: &str) {
    let bench = &world.bench;
    let stop = bench.run("git grill stop --without-output");
    assert!([0, 6].contains(&stop.code), "{when}, then stop: {stop}");
    assert!(!assert_whole_or_no_protection(world, &format!("{when}, then stop")));
    assert_nothing_left(world, when);
    let mut left = lasting(bench.repo());
    let mut wanted = untouched.clone();
    for traces in [&mut left, &mut wanted] {
        // The refs of a reftable repository are in one file, the user's and those that stay.
        let stays = [".git/logs", ".git/grill/replies", ".git/reftable"];
        // What drifted stays to be brought back, and what was committed in the output phase is the user's.
        let drifted = [".git/grill/baseline", ".git/refs/heads"];
        let kept = |path: &Path| stays.iter().chain(&drifted).any(|kept| path.starts_with(kept));
        traces.retain(|path, _| path.starts_with(".git") && !kept(path));
    }
    assert_same(&wanted, &left, when);
}
