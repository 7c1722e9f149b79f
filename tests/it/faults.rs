//! What happens when something is wrong: with the place, the text, the disk, the session, or the moment. The real
//! program and real git; each test names the promise of the specification that it proves.

mod broken;
mod crowd;
mod disk;
pub mod killed;
mod places;
mod streams;
mod text;
pub mod traces;
mod view;
#[cfg(target_os = "linux")]
mod waits;

use crate::bench::Bench;

/// Everything of the open question and its number, as `git grill status --porcelain` gives it.
fn open_question(bench: &Bench) -> String {
    let shown = bench.run("git grill status --porcelain | sed -n 's/^question\t//p'").assert_code(0);
    shown.stdout().trim_end().to_owned()
}

/// How many answers the active session's history holds.
fn answers(bench: &Bench) -> usize {
    let subjects = bench.run("git log --format=%s GRILL_HEAD").assert_code(0);
    subjects.stdout().lines().filter(|subject| subject.starts_with("answer ")).count()
}
