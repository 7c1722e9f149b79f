//! Every command that writes is killed before every single write; some are told of one write that it failed, of all from
//! one on, or lose their power: what was acknowledged is there, and the next command works (promise 1). The tables say
//! which: `commands.rs`, `tools.rs`, `disasters.rs`, `elsewhere.rs`.
//!
//! Nothing is built into the program for this: the kernel stops each call with which it, or a git that it started, is
//! about to change a file, and asks the test. So no write can be forgotten, and what is tested is what is shipped.

mod commands;
mod disasters;
mod disk;
mod elsewhere;
mod grammar;
mod kernel;
mod killed;
mod mended;
mod place;
mod power;
mod production;
mod pruned;
mod raced;
mod reading;
mod rows;
#[cfg(feature = "mcp")]
mod served;
mod state;
mod tally;
mod terminal;
mod tools;
mod watched;
mod world;

use place::Place;
use watched::{Fault, watched};
use world::World;

/// Not a test: lists the steps of a command, and what it says when something goes wrong at one of them. `GRILL_STEPS` is
/// the command, `GRILL_BEFORE` what goes before, `GRILL_FAULT` a step to be killed at, or `enospc@STEP`, `eio@STEP`,
/// `eacces@STEP`, `full@STEP`, `forbidden@STEP`; `GRILL_AFTER` is run in what that leaves. `GRILL_PLACE` is `sha256`,
/// `reftable`, `linked`, `packed` or `bare`, read by the `git` program.
#[test]
#[ignore = "started by a person, with the command in GRILL_STEPS"]
fn by_hand() {
    let given = |name: &str| std::env::var(name).unwrap_or_default();
    let place = Place::named(&given("GRILL_PLACE")).expect("a kind of repository");
    let before = given("GRILL_BEFORE");
    let world = World::at(place, &before.lines().collect::<Vec<_>>());
    let line = killed::filled_in(&world, &format!("exec {}", given("GRILL_STEPS")));
    let fault = Fault::parse(&given("GRILL_FAULT")).unwrap();
    let watched = watched(&world.bench, &line, fault);
    for (number, step) in watched.steps.iter().enumerate() {
        eprintln!("{number:4} {step}");
    }
    eprintln!("{}", watched.output);
    killed::a_moment_passes(&world);
    for line in given("GRILL_AFTER").lines() {
        eprintln!("{}", world.run(line));
    }
}
