//! What is looked at often: the line in a shell's prompt, and the object that programs read.

use std::path::{Path, PathBuf};

use crate::race::{Lane, SHORT, race};
use crate::table::Table;
use crate::world::{GRILL, World};

const HEAD: [&str; 3] = ["git", "rev-parse", "HEAD"];
const SHORTLY: [&str; 3] = [GRILL, "status", "--short"];
const OBJECT: [&str; 3] = [GRILL, "status", "--json"];
const TODOS: [&str; 2] = [GRILL, "todos"];
const ANSWERS: usize = 8;

/// Without a session, within one, and for the first time after a change.
pub fn measure(world: &World, table: &mut Table) {
    let (none, some) = (world.repository("quiet"), world.session("looked", ANSWERS));
    let head = |dir: &Path| [Lane::new(dir, &HEAD)];
    let mut look = |what: &str, lane: &Lane, times: f64| {
        table.budget(what, "git rev-parse HEAD", &race(world, lane, &head(&lane.dir), SHORT), times);
    };
    look("status --short, no session", &Lane::new(&none, &SHORTLY), 1.5);
    look("status --short, 8 answers", &Lane::new(&some, &SHORTLY), 1.5);
    look("status --json, no session", &Lane::new(&none, &OBJECT), 2.5);
    look("status --json, 8 answers", &Lane::new(&some, &OBJECT), 2.5);
    let planned = planned(world);
    look("todos, nothing changed", &Lane::new(&planned, &TODOS), 2.0);
    let first = Lane::new(&some, &SHORTLY).before("rm -f .git/grill/glimpse");
    let raced = race(world, &first, &head(&some), SHORT);
    table.told("the first status --short after a change", "git rev-parse HEAD", &raced);
}

/// A repository whose plan is carried out: a claim, and steps that name files of it.
fn planned(world: &World) -> PathBuf {
    let dir = world.repository("planned");
    world.run(&dir, &[world.starts(), "plan", "on", "rate limiting"]);
    let plan = "1. Mend docs/one.md\n2. Mend two.txt, check: true\n3. Add `src/limit.rs`\n";
    world.fed(&dir, &[GRILL, "plan", "set", "-"], plan);
    world.run(&dir, &[GRILL, "plan", "execute"]);
    world.fed(&dir, &[GRILL, "tool", "grill_step_done"], r#"{"step":1}"#);
    dir
}

/// The same where the `git` program reads the repository.
pub fn measure_program(world: &World, table: &mut Table) {
    let dir = world.session("by-program", ANSWERS);
    let through = |words: &[&str]| Lane::new(&dir, words).with("GRILL_BACKEND", "git");
    for (what, words) in [("status --short", SHORTLY), ("status --json", OBJECT)] {
        let raced = race(world, &through(&words), &[Lane::new(&dir, &HEAD)], SHORT);
        table.told(&format!("{what} through the git program"), "git rev-parse HEAD", &raced);
    }
}
