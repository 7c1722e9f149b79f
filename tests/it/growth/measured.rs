//! Not a test: how long commands take in sessions of ten, a thousand and a hundred thousand commits, and in a repository
//! with ten thousand sessions, loose and packed. `GRILL_PROGRAM` names the program that is measured, which should be a
//! release build:
//!
//! `cargo build --release && GRILL_PROGRAM=target/release/git-grill cargo test --test it growth::measured -- --ignored --nocapture`

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::stage::{lengthen, multiply};
use crate::bench::Bench;

/// How often each command is run; the table holds the shortest and the median.
const RUNS: usize = 15;

struct World {
    bench: Bench,
    program: PathBuf,
    id: String,
}

impl World {
    fn new() -> Self {
        let bench = Bench::new();
        let program = std::env::var_os("GRILL_PROGRAM").map_or_else(
            || PathBuf::from(env!("CARGO_BIN_EXE_git-grill")),
            |path| std::fs::canonicalize(path).expect("GRILL_PROGRAM names a program"),
        );
        let mut world = Self { bench, program, id: String::new() };
        world.run("start --research off --interviewer agent:storm 'rate limiting'");
        world.id = world.active();
        world
    }

    fn active(&self) -> String {
        let told = self.bench.run("git rev-parse --symbolic-full-name GRILL_HEAD").assert_code(0);
        told.stdout().trim().rsplit('/').next().unwrap().to_owned()
    }

    fn line(&self, args: &str) -> String {
        format!("{} {args}", self.program.display())
    }

    fn run(&self, args: &str) -> Duration {
        self.run_with(args, "", 0)
    }

    fn run_with(&self, args: &str, stdin: &str, code: i32) -> Duration {
        let line = self.line(args);
        let begun = Instant::now();
        let output = self.bench.run_with_input(&line, stdin);
        let took = begun.elapsed();
        output.assert_code(code);
        took
    }

    /// Real commands until the session has so many commits: questions, answers, checkpoints.
    fn grow(&self, commits: usize) {
        let mut n = self.count();
        while n < commits {
            if n.is_multiple_of(10) && n < 2_000 {
                self.ask(n);
                n += 1;
                self.answer(n);
            } else {
                self.update(n);
            }
            n += 1;
        }
    }

    fn count(&self) -> usize {
        let line = format!("git rev-list --count refs/grill/sessions/{}", self.id);
        self.bench.run(&line).assert_code(0).stdout().trim().parse().unwrap()
    }

    fn ask(&self, n: usize) -> Duration {
        let ask = r#"{"question":"Who pays for Nr N?","options":[{"label":"we"},{"label":"they"}],"noChange":"n"}"#;
        self.run_with("tool ask_question", &ask.replace("Nr N", &format!("number {n}")), 3)
    }

    fn answer(&self, n: usize) -> Duration {
        self.run(&format!("answer --json 'the client pays for number {n}, unless it asked for less than it got'"))
    }

    fn update(&self, n: usize) -> Duration {
        let bullets: String = (0..20).map(|k| format!("- Understood {k} as of {}.\\n", n / (k + 1))).collect();
        let text = format!(r##"{{"markdown":"# Shared Understanding\n\n{bullets}","changeSummary":"change {n}"}}"##);
        self.run_with("tool grill_update_checkpoint", &text, 0)
    }

    fn size(&self, what: &str) {
        let size = self.bench.run("git count-objects -v && du -sk .git | cut -f1").assert_code(0);
        let words: Vec<&str> = size.stdout().split_whitespace().collect();
        let of = |name: &str| words[words.iter().position(|word| *word == name).unwrap() + 1];
        let (loose, packed, all) = (of("count:"), of("in-pack:"), words[words.len() - 1]);
        eprintln!("{what:44} {loose:>7} loose, {packed:>7} packed objects, {all:>7} KiB on disk");
    }

    /// Has git do its work, as a session that ends asks it to.
    fn maintain(&self) {
        let begun = Instant::now();
        self.bench.run("git -c gc.auto=6700 -c gc.autoDetach=false maintenance run --auto --quiet").assert_code(0);
        eprintln!("  git maintenance run --auto: {:.1?}", begun.elapsed());
    }

    /// Everything packed, refs and objects. For each loose ref git would ask our hooks, which is not what is measured.
    fn pack(&self) {
        self.bench.run("git -c core.hooksPath=/dev/null gc --quiet").assert_code(0);
    }

    fn table(&self, what: &str) {
        let shown = |name: &str, mut times: Vec<Duration>| {
            times.sort();
            let millis = |time: Duration| time.as_secs_f64() * 1_000.0;
            eprintln!("  {name:24} {:8.1} {:8.1} ms", millis(times[0]), millis(times[times.len() / 2]));
        };
        eprintln!("{what} (shortest, median of {RUNS})");
        shown("/bin/true", (0..RUNS).map(|_| timed(&self.bench, "/bin/true")).collect());
        let looks = [
            "status --short",
            "status",
            "status --json",
            "sessions",
            "checkpoint log",
            "checkpoint diff",
            "next",
            "doctor",
        ];
        for args in looks {
            let few = if ["sessions", "doctor"].contains(&args) { 5 } else { RUNS };
            // The sessions that are multiplied have a beginning that no event tells of, which the doctor finds.
            let line = if args == "doctor" { "doctor >/dev/null || true" } else { args };
            shown(args, (0..few).map(|_| self.run(line)).collect());
        }
        let (mut asked, mut answered, mut updated) = (Vec::new(), Vec::new(), Vec::new());
        // No question and no answer is put twice.
        let base = 1_000_000 + 100 * self.count();
        for number in base..base + RUNS {
            asked.push(self.ask(number));
            answered.push(self.answer(number));
            updated.push(self.update(number));
        }
        shown("ask (tool)", asked);
        shown("answer", answered);
        shown("update (tool)", updated);
        let (mut stopped, mut resumed, mut begun) = (Vec::new(), Vec::new(), Vec::new());
        for n in 0..5 {
            let tip = self.bench.run("git rev-parse GRILL_HEAD").assert_code(0);
            stopped.push(self.run("stop --without-output"));
            begun.push(self.run(&format!("start --research off 'another topic, the {n}th'")));
            self.run("stop --without-output");
            let back = format!("git update-ref refs/grill/sessions/{} {}", self.id, tip.stdout().trim());
            self.bench.run(&back).assert_code(0);
            resumed.push(self.run(&format!("resume {}", self.id)));
        }
        shown("stop", stopped);
        shown("start", begun);
        shown("resume <id>", resumed);
    }
}

fn timed(bench: &Bench, line: &str) -> Duration {
    let begun = Instant::now();
    bench.run(line).assert_code(0);
    begun.elapsed()
}

#[test]
#[ignore = "a measurement of some minutes"]
fn measured_by_hand() {
    let world = World::new();
    world.grow(10);
    world.table("10 commits, loose");
    world.grow(1_000);
    world.size("1,000 commits, before maintenance");
    world.table("1,000 commits, loose");
    world.maintain();
    world.size("1,000 commits, after maintenance");
    world.pack();
    world.table("1,000 commits, packed");
    lengthen(&world.bench, &world.id, 100_000);
    world.pack();
    world.size("100,000 commits, packed");
    world.table("100,000 commits, packed");

    let world = World::new();
    world.grow(30);
    multiply(&world.bench, &world.id, 10_000);
    world.size("10,000 sessions, refs loose");
    world.table("10,000 sessions, refs loose");
    world.pack();
    world.size("10,000 sessions, packed");
    world.table("10,000 sessions, packed");
}
