//! Two commands against one another, in turns of a few runs each, so that whatever else the machine does meets both. What
//! counts is the median over the turns of the ratio within each, which no burst of other work moves.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

use crate::world::World;

/// A command that is run again and again.
#[derive(Clone)]
pub struct Lane {
    pub dir: PathBuf,
    /// The program and its arguments.
    pub words: Vec<String>,
    pub vars: Vec<(&'static str, String)>,
    /// A line for `sh` before each run, which is not timed.
    pub before: Option<String>,
    /// What it reads from standard input.
    pub input: Option<PathBuf>,
    /// How it has to end, or nothing was measured.
    pub code: i64,
}

impl Lane {
    /// One that ends well, without anything before it and with nothing to read.
    pub fn new(dir: &Path, words: &[&str]) -> Self {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        Self { dir: dir.to_owned(), words, vars: Vec::new(), before: None, input: None, code: 0 }
    }

    /// With this line before each run.
    pub fn before(self, line: &str) -> Self {
        Self { before: Some(line.to_owned()), ..self }
    }

    pub fn ending(self, code: i64) -> Self {
        Self { code, ..self }
    }

    pub fn reading(self, input: &Path) -> Self {
        Self { input: Some(input.to_owned()), ..self }
    }

    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.vars.push((name, value.to_owned()));
        self
    }
}

/// How long a race is.
#[derive(Clone, Copy)]
pub struct Pace {
    /// So often each lane has its turn.
    pub turns: usize,
    /// Runs of a turn.
    pub runs: usize,
}

/// For what takes a few milliseconds.
pub const SHORT: Pace = Pace { turns: 30, runs: 15 };
/// For what takes tens of them.
pub const LONGER: Pace = Pace { turns: 20, runs: 8 };
/// For what takes seconds.
pub const LONG: Pace = Pace { turns: 5, runs: 1 };

/// What came of it, in milliseconds.
pub struct Raced {
    /// The median of ours.
    pub ours: f64,
    /// The median of the yardstick.
    pub theirs: f64,
    /// The median of the ratios of all turns.
    pub ratio: f64,
}

/// Races a command against its yardstick, which may be several commands one after the other.
pub fn race(world: &World, ours: &Lane, yardstick: &[Lane], pace: Pace) -> Raced {
    let (mut mine, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..pace.turns {
        let other: f64 = yardstick.iter().map(|lane| turn(world, lane, pace.runs)).sum();
        let own = turn(world, ours, pace.runs);
        mine.push(own);
        theirs.push(other);
        ratios.push(own / other);
    }
    Raced { ours: median(mine), theirs: median(theirs), ratio: median(ratios) }
}

pub fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn turn(world: &World, lane: &Lane, runs: usize) -> f64 {
    // The hyperfine of Debian 12 leaves standard input empty.
    if lane.input.is_some() { by_ourselves(world, lane, runs) } else { by_hyperfine(world, lane, runs) }
}

fn by_hyperfine(world: &World, lane: &Lane, runs: usize) -> f64 {
    let report = world.path("hyperfine.json");
    let runs = runs.to_string();
    let mut command = world.command(Path::new("hyperfine"), &lane.dir);
    command.envs(lane.vars.iter().map(|(name, value)| (name, value)));
    command.args(["-N", "--style", "none", "--ignore-failure", "--runs", &runs]);
    command.args(["--warmup", if lane.before.is_some() { "0" } else { "1" }]);
    if let Some(line) = &lane.before {
        command.args(["--prepare", &shell_words::join(["sh", "-c", line])]);
    }
    command.arg("--export-json").arg(&report).arg(shell_words::join(&lane.words));
    let ran = command.stdin(Stdio::null()).output().unwrap();
    assert!(ran.status.success(), "hyperfine: {}", String::from_utf8_lossy(&ran.stderr));
    let report: Value = serde_json::from_str(&fs::read_to_string(&report).unwrap()).unwrap();
    let result = &report["results"][0];
    let codes = result["exit_codes"].as_array().unwrap();
    let expected = codes.iter().all(|code| code.as_i64() == Some(lane.code));
    assert!(expected, "{:?} in {}: {codes:?}", lane.words, lane.dir.display());
    1e3 * result["median"].as_f64().unwrap()
}

fn by_ourselves(world: &World, lane: &Lane, runs: usize) -> f64 {
    let once = |_| {
        if let Some(line) = &lane.before {
            world.shell(&lane.dir, line);
        }
        let input = lane.input.as_ref().map_or(Stdio::null(), |path| fs::File::open(path).unwrap().into());
        let mut command: Command = world.command(Path::new(&lane.words[0]), &lane.dir);
        command.args(&lane.words[1..]).envs(lane.vars.iter().map(|(name, value)| (name, value)));
        command.stdin(input).stdout(Stdio::null()).stderr(Stdio::null());
        let begun = Instant::now();
        let ended = command.status().unwrap();
        let took = begun.elapsed();
        assert_eq!(ended.code().map(i64::from), Some(lane.code), "{:?}", lane.words);
        1e3 * took.as_secs_f64()
    };
    median((0..runs).map(once).collect())
}
