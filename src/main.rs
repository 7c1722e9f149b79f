//! `git grill`: process facts in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    git_grill::world::run(git_grill::world::account())
}
