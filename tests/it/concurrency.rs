//! Many processes at one session while git tidies up and commits beside them: every command ends, says no only because
//! of the session's state or of a lost race, and nothing that it said was recorded is lost (promise 1).
//!
//! `cargo test` plays it with few processes. `GRILL_STORM=all cargo test --test it concurrency:: -- --test-threads=1
//! --nocapture` plays sixteen processes of fifty commands each in every world, and prints how long the commands took;
//! `GRILL_STORM=24x100` any other number.

mod beside;
mod collected;
mod lane;
mod verbs;
mod world;

use world::{Interviewer, NO_CHOICE, World};

use crate::bench::{Bench, git_has_reftable};

/// How many processes at once, and how many commands each of them runs one after the other.
#[derive(Clone, Copy)]
struct Size {
    lanes: usize,
    commands: usize,
}

impl Size {
    /// As asked for, or one that takes some seconds.
    fn of_this_run() -> Self {
        match std::env::var("GRILL_STORM").ok().as_deref() {
            None | Some("") => Self { lanes: 6, commands: 8 },
            Some("all") => Self { lanes: 16, commands: 50 },
            Some(other) => {
                let (lanes, commands) = other.split_once('x').expect("GRILL_STORM is all, or <processes>x<commands>");
                Self { lanes: lanes.parse().unwrap(), commands: commands.parse().unwrap() }
            }
        }
    }
}

#[test]
fn p1_many_processes_at_one_session_while_git_tidies_up() {
    World::new(Bench::new(), Interviewer::Agent).play(&["libgit2"]);
}

#[test]
fn p1_two_back_ends_at_one_session() {
    World::new(Bench::new(), Interviewer::Agent).play(&["libgit2", "git"]);
}

#[test]
fn p1_the_built_in_interviewer_asks_everybody_at_once() {
    World::new(Bench::new(), Interviewer::BuiltIn).play(&["libgit2", "git"]);
}

#[test]
fn p1_many_processes_in_a_reftable_repository() {
    if git_has_reftable("many processes in a reftable repository") {
        World::new(Bench::with_init("--ref-format=reftable"), Interviewer::Agent).play(NO_CHOICE);
    }
}

#[test]
fn p1_many_processes_in_a_sha256_repository() {
    World::new(Bench::with_init("--object-format=sha256"), Interviewer::Agent).play(NO_CHOICE);
}

#[test]
fn p1_two_linked_worktrees_each_with_a_session() {
    World::linked(Bench::new()).play(&["libgit2", "git"]);
}

#[test]
fn p1_many_processes_in_a_bare_repository() {
    World::new(Bench::bare(), Interviewer::Agent).play(&["libgit2", "git"]);
}
