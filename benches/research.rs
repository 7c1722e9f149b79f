//! What a look at a repository of 50,000 files costs, beside what git's own commands cost in the same run:
//! `cargo bench --bench research`. A measurement, never a test: it prints, and judges nothing.
//!
//! Budget, to be measured on a quiet machine: at most the time of `git ls-files | wc -l` and `git grep -il <word> HEAD` together, always less than the
//! scout's patience, and at most 128 MiB of memory.
#![expect(clippy::print_stdout, reason = "a measurement is printed")]
#![expect(clippy::disallowed_methods, reason = "a measurement looks at the clock and starts programs")]
#![expect(clippy::unwrap_used, reason = "a measurement that cannot be made has failed")]

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use git_grill::app::ports::{Look, Scout};
use git_grill::domain::facts::Inspection;
use git_grill::domain::text::Topic;
use git_grill::repo::open::open_exactly;
use git_grill::repo::scout::RepoScout;

const FILES: usize = 50_000;
/// Measured so often; the median counts.
const RUNS: usize = 5;
/// The same as in `world::scout`, which nobody can reach from here.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// Words that files are made of; `limiter` is in one of several hundred.
const WORDS: &[&str] = &[
    "request", "session", "handler", "value", "record", "stream", "buffer", "parse", "config", "token", "client",
    "server", "queue", "event", "worker", "index", "query", "store", "result", "error",
];

fn main() {
    let args: Vec<String> = std::env::args().collect();
    // A process of its own for each look, so that its peak of memory is its own.
    if let [_, verb, folder] = args.as_slice()
        && verb == "look"
    {
        return look(Path::new(folder));
    }
    let temp = tempfile::tempdir().unwrap();
    let folder = temp.path();
    make(folder);
    let listed = median(|| shell(folder, "git ls-files | wc -l"));
    let grepped = median(|| shell(folder, "git grep -il limiter HEAD || true"));
    let mut peak = String::new();
    let mut found = String::new();
    let looked = median(|| {
        let said = Command::new(std::env::current_exe().unwrap()).arg("look").arg(folder).output().unwrap();
        let said = String::from_utf8(said.stdout).unwrap();
        let mut lines = said.lines();
        let micros: u64 = lines.next().unwrap().parse().unwrap();
        lines.next().unwrap().clone_into(&mut peak);
        lines.next().unwrap().clone_into(&mut found);
        Duration::from_micros(micros)
    });
    let ratio = looked.as_secs_f64() / (listed + grepped).as_secs_f64();
    println!("{FILES} files; medians of {RUNS} runs");
    println!("git ls-files | wc -l          {:>8.1} ms", 1e3 * listed.as_secs_f64());
    println!("git grep -il limiter HEAD     {:>8.1} ms", 1e3 * grepped.as_secs_f64());
    println!("a look, all kinds             {:>8.1} ms, {ratio:.2} of both; {peak}", 1e3 * looked.as_secs_f64());
    println!("{found}");
}

fn median(mut once: impl FnMut() -> Duration) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS).map(|_| once()).collect();
    times.sort();
    times[RUNS / 2]
}

fn shell(folder: &Path, line: &str) -> Duration {
    let begun = Instant::now();
    let ran = Command::new("sh").args(["-c", line]).current_dir(folder).stdout(Stdio::null()).status().unwrap();
    assert!(ran.success(), "{line}");
    begun.elapsed()
}

/// A repository in one pack, its working tree checked out by nobody: git's commands read what a look reads.
fn make(folder: &Path) {
    shell(folder, "git init -q -b main .");
    let mut import =
        Command::new("git").args(["fast-import", "--quiet"]).current_dir(folder).stdin(Stdio::piped()).spawn().unwrap();
    let mut into = std::io::BufWriter::new(import.stdin.take().unwrap());
    writeln!(into, "commit refs/heads/main\ncommitter A <a@example.org> 1700000000 +0000\ndata 5\nfiles").unwrap();
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap()
    };
    for number in 0..FILES {
        let mut text = Vec::new();
        for line in 0..20 + random() % 60 {
            let words: Vec<&str> = (0..6).map(|_| WORDS[random() % WORDS.len()]).collect();
            writeln!(text, "    {} // {line} {:x}", words.join("_"), random()).unwrap();
        }
        if number % 300 == 7 {
            text.extend_from_slice(b"pub struct RateLimiter;\n");
        }
        let path = format!("crates/part{}/src/area{}/file{number}.rs", number % 40, number % 7);
        write!(into, "M 100644 inline {path}\ndata {}\n", text.len()).unwrap();
        into.write_all(&text).unwrap();
        writeln!(into).unwrap();
    }
    let manifest = "[package]\nname = \"large\"\n[dependencies]\nserde = \"1\"\n";
    write!(into, "M 100644 inline Cargo.toml\ndata {}\n{manifest}\n", manifest.len()).unwrap();
    into.flush().unwrap();
    drop(into);
    assert!(import.wait().unwrap().success());
    shell(folder, "git read-tree HEAD");
}

/// One look; its time, the process's peak of memory and what was found, one a line.
fn look(folder: &Path) {
    let opened = open_exactly(folder, &git_grill::world::spawner()).unwrap();
    let begun = Instant::now();
    let keep_going = || begun.elapsed() < PATIENCE;
    let scout = RepoScout { opened: &opened, origin: None, sparse: false, keep_going: &keep_going };
    let inspect: BTreeSet<Inspection> = Inspection::ALL.iter().copied().collect();
    let topic = Topic::parse("a rate limiter for every request").unwrap();
    let facts = scout.look(&Look { topic: &topic, inspect: &inspect, earlier: &[] });
    println!("{}", begun.elapsed().as_micros());
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("no peak of memory to be had here");
    println!("{}", peak.split_whitespace().collect::<Vec<_>>().join(" "));
    let best = facts.related.first().map(|best| best.at.to_string()).unwrap_or_default();
    println!(
        "{} files listed, cut short: {}, {} related, the first {best}",
        facts.files,
        facts.truncated,
        facts.related.len()
    );
}
