//! One command, killed before every write: the next run finds a consistent session, what was acknowledged is there, the
//! repository is protected or it is not, and the command can be repeated.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::place::By;
use super::power::{Disk, Loss};
use super::rows::{Protects, Row};
use super::state::{
    Left, Told, assert_consistent, assert_nothing_left, assert_sound, assert_whole_or_no_protection, fingerprint,
    settled, told, without_looks, without_next_question,
};
use super::tally::Tally;
use super::watched::{At, Fault, Step, Watched, interrupted, watched};
use super::world::World;
use crate::bench::Output;
use crate::faults::traces::{assert_same, everything, stays};

pub struct Met {
    /// At how many steps something went wrong.
    pub steps: usize,
    /// How many different states that left.
    pub states: usize,
}

/// How many steps of a command are tried: two in `cargo test`, as many as `GRILL_CRASH` says, or `all`.
fn some() -> Option<usize> {
    match std::env::var("GRILL_CRASH").ok().as_deref() {
        None | Some("") => Some(2),
        Some("all") => None,
        Some(number) => {
            let some = number.parse().expect("GRILL_CRASH is all or a number of steps");
            assert!(some >= 2, "GRILL_CRASH is at least 2");
            Some(some)
        }
    }
}

/// Whether every step of every row is tried.
pub fn thorough() -> bool {
    some().is_none()
}

/// The steps at which something goes wrong: all of them, or some of those that change something a reader sees, since an
/// object that nobody names yet changes nothing for the next command. They always include the step that moves a session and
/// the last step: before the first of them nothing has changed; before the other, everything has.
pub fn sampled(steps: &[Step]) -> Vec<At> {
    let Some(some) = some() else {
        // The number of steps varies: it depends on which object folders exist already.
        return (0..steps.len() + 30).map(At::Number).collect();
    };
    let seen: Vec<(&Step, At)> =
        steps.iter().zip(At::each_of(steps)).filter(|(step, _)| !step.is_of_objects()).collect();
    let Some(last) = seen.len().checked_sub(1) else { return Vec::new() };
    let moves = seen.iter().position(|(step, _)| step.is_of_sessions()).unwrap_or(0);
    let mut numbers = BTreeSet::from([moves, last]);
    if some > 2 {
        let stride = seen.len().div_ceil(some - 2);
        numbers.extend((0..seen.len()).step_by(stride));
    }
    numbers.into_iter().rev().map(|number| seen[number].1).collect()
}

/// Kills a command before its steps, with all that it started.
pub fn every_step(row: &Row<'_>) -> Met {
    each(row, Fault::KillAt)
}

/// Has something go wrong at each step of a command, and looks at what that leaves.
pub fn each(row: &Row<'_>, fault: fn(At) -> Fault) -> Met {
    each_of(row, &[fault])
}

/// The same with several things that go wrong, one after the other.
pub fn each_of(row: &Row<'_>, faults: &[fn(At) -> Fault]) -> Met {
    let mut trial = Trial::of(row);
    for fault in faults {
        for at in sampled(&trial.steps) {
            trial.tries(fault(at), None);
        }
    }
    trial.met()
}

/// Takes the power away before each step of a command, and behind the last one.
pub fn without_power(row: &Row<'_>, loss: Loss) -> Met {
    let mut trial = Trial::of(row);
    for at in sampled(&trial.steps).into_iter().chain([At::End]) {
        trial.tries(Fault::KillAt(at), Some(loss));
    }
    trial.met()
}

/// Takes the power away behind the last step of a command alone.
pub fn without_power_afterwards(row: &Row<'_>, loss: Loss) -> Met {
    let mut trial = Trial::of(row);
    trial.tries(Fault::KillAt(At::End), Some(loss));
    trial.met()
}

/// A row in its world, and what the whole command does there.
struct Trial<'a> {
    row: &'a Row<'a>,
    world: World,
    line: String,
    steps: Vec<Step>,
    code: i32,
    before: Left,
    led_to: Left,
    states: BTreeSet<(u64, bool)>,
    tried: usize,
    tally: Tally,
}

impl<'a> Trial<'a> {
    fn of(row: &'a Row<'a>) -> Self {
        let world = World::at(row.place, row.before);
        let line = filled_in(&world, row.line);
        let before = Left::of(&world);
        let Watched { steps, output, .. } = watched(&world.bench, &line, Fault::None);
        assert!(output.code == 0 || row.codes.contains(&output.code), "{output}");
        let led_to = Left::of(&world);
        let (states, tally) = (BTreeSet::new(), Tally::default());
        Self { row, world, line, steps, code: output.code, before, led_to, states, tried: 0, tally }
    }

    fn met(self) -> Met {
        self.tally.assert_met(&self.line);
        Met { steps: self.tried, states: self.states.len() }
    }

    /// Has one thing go wrong, if the command comes so far.
    fn tries(&mut self, fault: Fault, loss: Option<Loss>) {
        let Self { row, world, line, before, led_to, .. } = self;
        world.restore();
        let mut disk = loss.map(|_| Disk::of(world.bench.repo()));
        let ran = interrupted(&world.bench, line, fault, |step| {
            if let Some(disk) = disk.as_mut() {
                disk.sees(step, world.bench.root());
            }
        });
        self.tally.counts(&self.steps, fault.at(), ran.met());
        let when = match (ran.met(), loss) {
            (Some(step), _) => format!("`{line}` with {fault:?}, {step}, {loss:?}"),
            (None, Some(loss)) if fault == Fault::KillAt(At::End) => format!("`{line}`, and then {loss:?} gone"),
            (None, _) => return,
        };
        if let Some((disk, loss)) = disk.zip(loss) {
            disk.loses(loss);
            passes(world, A_REBOOT);
        }
        self.tried += 1;
        if loss.is_none() {
            a_moment_passes(world);
        }
        assert_consistent(world, &when);
        let ended = ended(row, fault, &ran.output, self.code, &when);
        let found = Left::of(world);
        let said = match ended {
            Ended::Killed => !ran.output.stdout.is_empty() && ran.output.stdout.contains(row.says),
            Ended::Well => true,
            // What it could do without it says; of what was to be recorded that is nothing.
            Ended::WithAWarning => matches!(fault, Fault::FailAt(..)),
            Ended::Badly => false,
        };
        let told = [&before.told, &found.told, &led_to.told].map(|told| match fault {
            // That somebody looked whether anything drifted is a note, and one that could not be made is warned of.
            Fault::FailAt(..) => without_looks(told),
            _ => told.clone(),
        });
        // An answer is recorded before the next question, and a command that cannot record that one warns of it.
        let told = if ended == Ended::WithAWarning { told.map(|told| without_next_question(&told)) } else { told };
        assert_between(&told, said, &when);
        if loss.is_none() {
            found.assert_no_half_file(before, led_to, &when);
        }
        match ended {
            Ended::Well if loss.is_none() => found.assert_all_stored(led_to, &when),
            Ended::WithAWarning if loss.is_none() => found.assert_files(led_to, &when),
            Ended::Badly => assert_words_kept(world, row.words, &ran.output, &when),
            // Files that nobody asked to be kept are brought back by the next command.
            Ended::Killed | Ended::Well | Ended::WithAWarning => {}
        }
        if self.states.insert((fingerprint(world), said)) {
            assert_sound(world, &when);
            goes_on(world, row, line, led_to, &when);
            ends(world, fault, &when);
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    Killed,
    Well,
    WithAWarning,
    Badly,
}

/// A command that was told of a failed write either does without and ends as it would have, or says what did not happen
/// and why.
fn ended(row: &Row<'_>, fault: Fault, output: &Output, whole: i32, when: &str) -> Ended {
    assert!(!output.stderr.contains("panicked"), "{when}: {output}");
    match (fault, output.code) {
        (Fault::KillAt(_) | Fault::KillAloneAt(_), 137) => Ended::Killed,
        (_, code) if code == whole && (output.stderr.contains("warning: ") || output.stdout.contains("warning: ")) => {
            Ended::WithAWarning
        }
        (_, code) if code == whole => Ended::Well,
        (_, code) if code == 128 || row.codes.contains(&code) => {
            let says_so = output.stderr.contains("error: ") || output.stdout.contains("\"error\":{");
            assert!(says_so, "{when}: {output}");
            Ended::Badly
        }
        (_, code) => panic!("{when}: it ended with {code}: {output}"),
    }
}

/// A lock is taken for left once it is a second old. Nobody waits here: the time passes for all of them at once.
pub fn a_moment_passes(world: &World) {
    passes(world, Duration::from_secs(2));
    if world.place.by == By::Program {
        heeds_the_doctor(world);
    }
}

/// What a git that was killed holds for all refs is its own, and no command of ours removes it: the doctor names it once it
/// is two minutes old, and a person does as they are told.
fn heeds_the_doctor(world: &World) {
    let guards =
        ["packed-refs.lock", "packed-refs.new", "reftable/tables.list.lock"].map(|name| world.git_dir().join(name));
    for guard in guards.iter().filter(|guard| guard.is_file()) {
        ages(guard, 5 * A_REBOOT);
        let told = world.run("git grill doctor --json");
        let told: serde_json::Value = serde_json::from_str(&told.stdout).unwrap();
        let mends = told["findings"].as_array().unwrap().iter().filter_map(|finding| finding["mend"].as_str());
        let name = guard.to_str().unwrap();
        let mend =
            mends.into_iter().find(|mend| mend.contains(name)).unwrap_or_else(|| panic!("no word of {name}: {told}"));
        world.run(mend).assert_code(0);
    }
}

/// No machine is back sooner.
const A_REBOOT: Duration = Duration::from_secs(31);

fn ages(path: &Path, time: Duration) {
    File::options().write(true).open(path).unwrap().set_modified(SystemTime::now() - time).unwrap();
}

fn passes(world: &World, time: Duration) {
    let git_dir = world.git_dir();
    for path in everything(&git_dir).into_keys().map(|path| git_dir.join(path)) {
        if path.extension().is_some_and(|end| end == "lock" || end == "new") && path.is_file() {
            ages(&path, time);
        }
    }
}

/// A row's line as it is run: with the ids of this world, and with whoever reads its repository.
pub fn filled_in(world: &World, line: &str) -> String {
    let shown = |line: &str| world.run(line).assert_code(0).stdout().trim().to_owned();
    let mut line = line.to_owned();
    if line.contains("{q}") {
        line = line.replace("{q}", &shown("git grill status --porcelain | sed -n 's/^question\t//p' | cut -f 1"));
    }
    if line.contains("{s}") {
        line = line.replace("{s}", &shown("git for-each-ref --format='%(refname:lstrip=3)' refs/grill/sessions"));
    }
    if line.contains("{t}") {
        line = line.replace("{t}", world.terminal.name());
    }
    world.line(&line)
}

/// No history lost or changed what it had; each is a beginning of what the whole command makes of it, and all of that
/// once the command has said so.
fn assert_between([before, found, led_to]: &[Told; 3], said: bool, when: &str) {
    assert!(found.len() >= before.len() && found.len() <= led_to.len(), "{when}: {found:?}");
    for (number, whole) in led_to.iter().enumerate() {
        let had = before.get(number).map_or(&[][..], |had| had);
        let has = found.get(number).map_or(&[][..], |has| has);
        assert!(has.starts_with(had) && whole.starts_with(has), "{when}: {has:?}, and it had {had:?}");
    }
    assert!(!said || settled(found) == settled(led_to), "{when}: it had said so, and there is only {found:?}");
}

/// A person's words that were not recorded are kept where they can be sent from again, or said to be lost.
fn assert_words_kept(world: &World, words: &str, output: &Output, when: &str) {
    if words.is_empty() {
        return;
    }
    let recorded = told(world).concat().iter().any(|subject| subject.contains(words));
    let kept = |(path, bytes): (&PathBuf, &Vec<u8>)| {
        path.starts_with(".git/grill/replies") && String::from_utf8_lossy(bytes).contains(words)
    };
    let said_lost = output.stderr.contains("could not be kept either");
    assert!(recorded || said_lost || world.everything().iter().any(kept), "{when}: no '{words}' any more: {output}");
}

/// The next commands find their way.
fn goes_on(world: &World, row: &Row<'_>, line: &str, led_to: &Left, when: &str) {
    let has = |subject: &str| told(world).concat().iter().any(|one| one.starts_with(subject));
    let again =
        row.again.iter().find(|(subject, _)| has(subject)).map_or(line.to_owned(), |(_, line)| world.line(line));
    if row.protects == Protects::Before {
        let _active = assert_whole_or_no_protection(world, when);
    }
    let again = world.bench.run(&again);
    assert!(again.code == 0 || row.codes.contains(&again.code), "{when}, then again: {again}");
    if !row.then.is_empty() {
        let then = world.run(row.then);
        assert!([0, 1].contains(&then.code), "{when}, then again and {}: {then}", row.then);
    }
    assert_consistent(world, when);
    let now = Left::of(world);
    assert_eq!(settled(&now.told), settled(&led_to.told), "{when}, then again: {again}");
    now.assert_files(led_to, &format!("{when}, then again: {again}"));
    let _active = assert_whole_or_no_protection(world, &format!("{when}, then again"));
}

/// The session can be ended, and then nothing is left of it but its history.
fn ends(world: &World, fault: Fault, when: &str) {
    let stop = world.run("git grill stop --without-output");
    assert!([0, 6].contains(&stop.code), "{when}, then stop: {stop}");
    if let Fault::FailAt(..) = fault {
        // A lock that could not be removed is named by the doctor once it is old, and removed.
        passes(world, A_REBOOT);
        let mended = world.run("git grill doctor --fix");
        assert_eq!(mended.code, 0, "{when}, then doctor --fix: {mended}");
    }
    assert!(!assert_whole_or_no_protection(world, &format!("{when}, then stop")));
    assert_nothing_left(world, when);
    let mut left = world.everything();
    left.retain(|path, _| !stays(path));
    let mut wanted = world.untouched();
    for traces in [&mut left, &mut wanted] {
        traces.retain(|path, _| path.starts_with(".git") && !is_the_users_or_kept(path));
    }
    assert_same(&wanted, &left, when);
    assert_eq!(world.refs(), world.refs_untouched(), "{when}");
}

/// What stays after a session on purpose, beside its history.
fn is_the_users_or_kept(path: &Path) -> bool {
    let stays = [".git/logs", ".git/worktrees/nowhere/logs", ".git/grill/replies"];
    // What drifted stays to be brought back, what was committed in the output phase is the user's, and where refs stand
    // is git's to choose: they are compared by name.
    let drifted = [".git/grill/baseline", ".git/refs", ".git/packed-refs", ".git/reftable", ".git/info/refs"];
    if path.starts_with(".git/worktrees/nowhere/grill") {
        return true;
    }
    stays.iter().chain(&drifted).any(|kept| path.starts_with(kept))
}
