//! `git grill`: process facts in, exit code out.

use std::process::ExitCode;

use git_grill::world::{Waits, account, run};

fn main() -> ExitCode {
    run(account(), Waits::default())
}
