//! The baseline, with real git: what drifted is named, and comes back byte for byte.

mod after;
mod asked;
mod cases;
mod converted;
mod elsewhere;
mod fingerprint;
mod gates;
mod killed;
mod random;

use crate::bench::{Bench, Output};

/// Begins a session that looks at nothing.
fn start(bench: &Bench) {
    bench.run("git grill start 'a topic' --research off").assert_code(0);
}

/// Runs a line in which git asks no hook.
fn unhooked(bench: &Bench, line: &str) -> Output {
    bench.run(&format!("git() {{ command git -c core.hooksPath=/dev/null \"$@\"; }}\n{line}"))
}

/// What `verify --json` says: group, name and kind of each drift.
fn drift(bench: &Bench) -> Vec<(String, String, String)> {
    let output = bench.run("git grill verify --json");
    let value: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let drift = value["verification"]["drift"].as_array().unwrap_or_else(|| panic!("{value}"));
    let text = |one: &serde_json::Value, key: &str| one[key].as_str().unwrap().to_owned();
    let found: Vec<_> = drift.iter().map(|one| (text(one, "group"), text(one, "name"), text(one, "change"))).collect();
    let code = i32::from(!found.is_empty());
    output.assert_code(code);
    found
}

/// The same as lines, for tables.
fn named(bench: &Bench) -> Vec<String> {
    drift(bench).into_iter().map(|(group, name, change)| format!("{group}: {change} {name}")).collect()
}
