//! A repository with sessions, the storm in it, and what has to hold afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use git_grill::app::ports::SessionStore;
use git_grill::domain::ids::SessionId;
use git_grill::domain::session::Session;
use git_grill::repo::open::{RepoEnv, open};
use git_grill::store::commit::{Identity, Person};
use git_grill::store::git::{GitStore, Options};
use serde_json::Value;

use super::Size;
use super::beside::{COMMITTING, TIDYING, over_and_over};
use super::lane::{self, Done};
use crate::bench::{Bench, crowd};
use crate::spawning;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Interviewer {
    /// Whoever calls the question tools.
    Agent,
    /// The built-in one, after each answer.
    BuiltIn,
}

/// Where there is no choice of back end, nothing is said.
pub const NO_CHOICE: &[&str] = &[""];

/// A repository, and the places in it that have a session.
pub struct World {
    bench: Bench,
    places: Vec<(PathBuf, String)>,
}

impl World {
    pub fn new(bench: Bench, interviewer: Interviewer) -> Self {
        // So that a concern can be waved through by a process that sits at no terminal.
        bench.scripts_may_approve();
        let mut world = Self { bench, places: Vec::new() };
        // As long as nobody is interviewed, a branch can be made.
        drop(world.bench.worktree("beside"));
        world.begin(".", "rate limiting", interviewer);
        world
    }

    /// Two sessions: one in the main worktree, one in a linked one.
    pub fn linked(bench: Bench) -> Self {
        drop(bench.worktree("linked"));
        let mut world = Self::new(bench, Interviewer::Agent);
        world.begin("../linked", "log rotation", Interviewer::Agent);
        world
    }

    fn begin(&mut self, dir: &str, topic: &str, interviewer: Interviewer) {
        let who = match interviewer {
            Interviewer::Agent => "agent:storm",
            Interviewer::BuiltIn => "built-in",
        };
        let line = format!("git grill start --research off --json --interviewer {who} '{topic}'");
        self.bench.at(dir).run(&line).assert_code(0);
        if interviewer == Interviewer::Agent {
            // So that there is one to go back to.
            let first = r#"{"question":"Who pays?","options":[{"label":"we"},{"label":"they"}]}"#;
            drop(self.bench.at(dir).run_with_input("git grill tool ask_question", first).assert_code(3));
        }
        let told = self.bench.at(dir).run("git grill status --json").assert_code(0);
        let told: Value = serde_json::from_str(told.stdout()).unwrap();
        self.places.push((dir.into(), told["session"].as_str().unwrap().to_owned()));
    }

    /// Plays the storm, with these as `GRILL_BACKEND` of the processes in turns, and looks at what it left.
    pub fn play(self, backends: &[&str]) {
        let size = Size::of_this_run();
        let over = AtomicBool::new(false);
        let bench = &self.bench;
        let beside: Vec<(&str, &str)> =
            TIDYING.iter().map(|line| (".", *line)).chain([("../beside", COMMITTING)]).collect();
        let well: Vec<AtomicUsize> = beside.iter().map(|_| AtomicUsize::new(0)).collect();
        let _crowd = crowd();
        let (lanes, tidied) = std::thread::scope(|scope| {
            let over = &over;
            let beside = beside.iter().zip(&well);
            let beside: Vec<_> = beside
                .map(|((dir, line), well)| scope.spawn(move || over_and_over(bench, dir, line, over, well)))
                .collect();
            let lanes: Vec<_> = (0..size.lanes)
                .map(|lane| {
                    let (dir, _) = &self.places[lane % self.places.len()];
                    // So that each place meets each back end.
                    let backend = backends[lane / self.places.len() % backends.len()];
                    scope.spawn(move || lane::run(&bench.at(dir), backend, lane, size.commands))
                })
                .collect();
            let lanes: Vec<_> = lanes.into_iter().map(std::thread::ScopedJoinHandle::join).collect();
            over.store(true, Ordering::Relaxed);
            let beside: Vec<_> = beside.into_iter().map(|thread| thread.join().unwrap()).collect();
            (lanes, beside)
        });
        let failed: Vec<String> =
            lanes.iter().filter_map(|lane| lane.as_ref().err()).map(|panic| said(&**panic)).collect();
        assert!(failed.is_empty(), "{} of {} processes failed:\n{}", failed.len(), size.lanes, failed.join("\n"));
        let lanes: Vec<Vec<Done>> = lanes.into_iter().flatten().collect();
        for (((_, line), well), said) in beside.iter().zip(well).zip(&tidied) {
            let well = well.into_inner();
            eprintln!("{well:4} times  {line}; {} times not: {:?}", said.len(), said.first());
            assert!(well > 0, "never: {line}: {said:?}");
        }
        for (number, (dir, id)) in self.places.iter().enumerate() {
            let mine = lanes.iter().enumerate().filter(|(lane, _)| lane % self.places.len() == number);
            let mine: Vec<&Done> = mine.flat_map(|(_, done)| done).collect();
            self.check(dir.to_str().unwrap(), id, &mine);
        }
        // Two gits that write the commit graph at once may leave it out of step; it is git's own, and only a copy.
        let checked = self.bench.run("git -c core.commitGraph=false fsck --no-dangling --no-progress 2>&1");
        checked.assert_code(0).assert_stdout("");
        report(&lanes);
        for (dir, _) in &self.places {
            let at = self.bench.at(dir);
            at.run("git grill doctor").assert_code(0).assert_contains("nothing is wrong here");
            at.run("git grill stop --without-output").assert_code(0);
        }
    }

    /// Everything acknowledged is there, nothing refused is, and the events come to the state.
    fn check(&self, dir: &str, id: &str, done: &[&Done]) {
        let at = self.bench.at(dir);
        let history = at.run(&format!("git log -p --format=%B refs/grill/sessions/{id}")).assert_code(0);
        let words: BTreeSet<&str> = history
            .stdout()
            .split(|letter: char| !letter.is_ascii_alphanumeric())
            .filter(|word| word.len() == 8)
            .collect();
        let (mut lost, mut recorded) = (Vec::new(), Vec::new());
        for one in done.iter().filter(|one| one.verb.records) {
            let there = words.contains(one.token.as_str());
            if one.is_acknowledged() && !there {
                lost.push((&one.token, one.verb.name));
            }
            if !one.is_acknowledged() && there {
                recorded.push((&one.token, one.verb.name, one.code));
            }
        }
        assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
        assert!(recorded.is_empty(), "refused and recorded all the same: {recorded:?}");
        assert!(done.iter().any(|one| one.is_acknowledged()), "nothing was acknowledged, so nothing was tested");

        let store = self.store(dir);
        let id = SessionId::parse(id).unwrap();
        let session = store.load(&id).unwrap().session;
        let events = store.history(&id).unwrap();
        assert!(events.windows(2).all(|pair| pair[0].seq < pair[1].seq));
        assert_eq!(Session::replay(&events).as_ref(), Some(&session), "replay is not the state");
        let line = format!("git rev-list --count --min-parents=2 refs/grill/sessions/{id}");
        at.run(&line).assert_code(0).assert_stdout("0\n");
    }

    fn store(&self, dir: &str) -> GitStore {
        let env: std::collections::HashMap<String, _> =
            self.bench.environment().into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let var = |_: &str| None;
        let env = RepoEnv { cwd: self.bench.at(dir).dir().to_owned(), var: &var, process: spawning::with(&env) };
        let options = Options::new(Identity::of(Person::new("Ada", "ada@example.org")));
        GitStore::open(open(&env).unwrap_or_else(|error| panic!("{error}")).repo, options)
    }
}

fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it panicked").to_owned()
}

/// How often each command went well, lost a race or was refused, and how long it took.
fn report(lanes: &[Vec<Done>]) {
    let mut rows: BTreeMap<&str, (Vec<Duration>, [usize; 3])> = BTreeMap::new();
    for one in lanes.iter().flatten() {
        let (times, codes) = rows.entry(one.verb.name).or_default();
        times.push(one.took);
        codes[match one.code {
            4 => 1,
            1 => 2,
            _ => 0,
        }] += 1;
    }
    eprintln!("{:24} {:>5} {:>5} {:>7} {:>9} {:>9}", "command", "well", "lost", "refused", "median", "longest");
    for (name, (mut times, [well, lost, refused])) in rows {
        times.sort();
        let (median, longest) = (times[times.len() / 2], times[times.len() - 1]);
        eprintln!("{name:24} {well:5} {lost:5} {refused:7} {median:>9.0?} {longest:>9.0?}");
    }
}
