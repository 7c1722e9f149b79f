//! Plan mode, with the real program: what it holds, who lifts it, what becomes of a plan, and where it is shown (P10 to P17,
//! P20, P21, P24, P25).

mod approved;
mod cited;
mod derived;
mod handed_in;
mod held;
mod kept;
mod marked;
mod reviewed;
mod shown;
mod taken;
mod told;

use serde_json::Value;

use crate::bench::Bench;
use crate::conversation::Sitting;

const PLAN: &str = "Plan:\n1. Add `Limiter`\n2. Call it\n3. Say so in the README\n";

/// A repository in plan mode, with a plan.
fn planned() -> Bench {
    let bench = Bench::new();
    bench.write("docs/.keep", "");
    bench.write("src/main.rs", "fn main() {}\n");
    bench.run("git grill plan on rate limiting").assert_code(0).assert_contains("plan mode is on");
    set(&bench, PLAN);
    bench
}

#[track_caller]
fn set(bench: &Bench, plan: &str) {
    bench.run_with_input("git grill plan set -", plan).assert_code(0);
}

/// Runs `git grill` with these words at a terminal.
fn at_terminal(bench: &Bench, words: &[&str]) -> Sitting {
    Sitting::at(bench, words, 50, 100, &[])
}

#[track_caller]
fn execute(bench: &Bench) {
    let mut sitting = at_terminal(bench, &["plan", "execute"]);
    sitting.pty.wait_for("[y/n]");
    sitting.pty.send("y");
    sitting.ends_with(0);
}

/// Calls a tool as an agent's shell does; its exit code and its result.
#[track_caller]
fn call(bench: &Bench, tool: &str, request: &str) -> (i32, Value) {
    let output = bench.run_with_input(&format!("CLAUDECODE=1 git grill tool {tool}"), request);
    let result = serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output}"));
    (output.code, result)
}

fn steps(bench: &Bench) -> Vec<String> {
    let plan = plan(bench);
    let steps = plan["steps"].as_array().expect("a plan has steps").iter();
    steps.map(|step| format!("{} {}", step["status"].as_str().unwrap(), step["text"].as_str().unwrap())).collect()
}

fn plan(bench: &Bench) -> Value {
    let status = bench.run("git grill status --json").assert_code(0);
    let status: Value = serde_json::from_str(status.stdout()).unwrap();
    status["plan"].clone()
}

#[track_caller]
fn commits_are_refused(bench: &Bench) {
    let before = bench.run("git rev-parse HEAD").assert_code(0).stdout().to_owned();
    let refused = bench.run("git commit --quiet --allow-empty -m more");
    assert_ne!(refused.code, 0, "{refused}");
    refused.assert_contains("read-only");
    bench.run("git rev-parse HEAD").assert_code(0).assert_stdout(&before);
}
