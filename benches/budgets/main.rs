//! The budgets: every one that the design sets, measured beside its yardstick in the same run, and whether it is kept.
//! `benches/run` is the command; it says what has to be installed. A measurement, never a test: it prints, and fails only
//! when it could not measure.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a measurement is printed")]
#![expect(clippy::disallowed_methods, reason = "a measurement looks at the clock and starts programs")]
#![expect(clippy::unwrap_used, reason = "a measurement that cannot be made has failed")]
#![expect(unreachable_pub, reason = "a program of its own has no outside")]

mod agents;
mod answers;
mod commits;
mod keys;
mod looks;
mod race;
mod starts;
mod table;
mod world;

use table::Table;
use world::World;

/// Measures a group of rows.
type Measure = fn(&World, &mut Table);

/// The groups of rows, in the order in which they are measured. The last ones take minutes and are measured on request.
const GROUPS: [(&str, Measure); 8] = [
    ("commits", commits::measure),
    ("looks", looks::measure),
    ("answers", answers::measure),
    ("agents", agents::measure),
    ("keys", keys::measure),
    ("program", looks::measure_program),
    ("growth", answers::measure_growth),
    ("start", starts::measure),
];
/// So many of them are measured when nothing is asked for.
const USUAL: usize = 6;

fn main() {
    // cargo adds `--bench`, for harnesses that it knows.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let known = |word: &String| word == "all" || GROUPS.iter().any(|(name, _)| name == word);
    if let Some(unknown) = wanted.iter().find(|word| !known(word)) {
        let names: Vec<&str> = GROUPS.iter().map(|(name, _)| *name).collect();
        eprintln!("error: there is no group '{unknown}'\nhint: benches/run [all|{}]", names.join("|"));
        std::process::exit(2);
    }
    let all = wanted.iter().any(|word| word == "all");
    let world = World::new();
    let mut table = Table::default();
    for (at, (name, measure)) in GROUPS.iter().enumerate() {
        if all || wanted.iter().any(|word| word == name) || (wanted.is_empty() && at < USUAL) {
            eprintln!("measuring {name}");
            measure(&world, &mut table);
        }
    }
    println!("{}", world.machine());
    println!("{table}");
}
