//! What `git-grill status --short` and `status --json` cost beside `git rev-parse HEAD`, processes included:
//! `cargo bench --bench prompt`. A measurement, never a test: it prints, and judges nothing.
//!
//! Budgets, to be measured on a quiet machine: at most 1.5 and 2.5 times `git rev-parse HEAD`, however many answers the session has.
#![expect(clippy::print_stdout, reason = "a measurement is printed")]
#![expect(clippy::disallowed_methods, reason = "a measurement looks at the clock and starts programs")]
#![expect(clippy::unwrap_used, reason = "a measurement that cannot be made has failed")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Each command runs so often, in turn with the others.
const ROUNDS: usize = 300;
/// Answers that the session has.
const ANSWERS: usize = 8;
/// Ours.
const GRILL: &str = env!("CARGO_BIN_EXE_git-grill");

fn main() {
    let temp = tempfile::tempdir().unwrap();
    let run = |program: &str, args: &[&str]| once(program, args, temp.path());
    run("git", &["init", "-q", "-b", "main", "."]);
    run("git", &["-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "one"]);
    let commands: [(&str, &str, &[&str]); 3] = [
        ("git rev-parse HEAD", "git", &["rev-parse", "HEAD"]),
        ("git-grill status --short", GRILL, &["status", "--short"]),
        ("git-grill status --json", GRILL, &["--json", "status"]),
    ];
    compare("no session", &commands, temp.path());
    run(GRILL, &["start", "add rate limiting"]);
    compare("no answer yet", &commands, temp.path());
    for number in 0..ANSWERS {
        run(GRILL, &["answer", &format!("at most {number}0 requests each second for each key, and 429 beyond that")]);
    }
    compare(&format!("{ANSWERS} answers"), &commands, temp.path());
}

/// Runs the commands in turn and prints the median of each, as a multiple of the first one's.
fn compare(what: &str, commands: &[(&str, &str, &[&str])], folder: &Path) {
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); commands.len()];
    for _ in 0..ROUNDS {
        for ((_, program, args), times) in commands.iter().zip(&mut times) {
            times.push(once(program, args, folder));
        }
    }
    println!("{what}; medians of {ROUNDS} runs");
    let mut first = None;
    for ((name, ..), mut times) in commands.iter().zip(times) {
        times.sort();
        let median = times[ROUNDS / 2].as_secs_f64();
        let ratio = median / *first.get_or_insert(median);
        println!("  {name:<26} {:>7.2} ms  {ratio:.2}", 1e3 * median);
    }
}

fn once(program: &str, args: &[&str], folder: &Path) -> Duration {
    let begun = Instant::now();
    let mut command = Command::new(program);
    command.args(args).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let ran = command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null").status().unwrap();
    assert!(ran.success(), "{program} {args:?}");
    begun.elapsed()
}
