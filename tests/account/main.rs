//! `git grill` for an account of the tests: its home folder and the system's configuration come from variables, which the
//! program that is shipped never asks. So tests can say what only an account's own configuration says, and the machine's
//! account has no part in it. `GRILL_TEST_NO_WALLS` makes the kernel one that builds no walls.

#[cfg(target_os = "linux")]
mod bare;

use std::path::PathBuf;
use std::process::ExitCode;

use git_grill::world::{Account, run};

#[expect(clippy::disallowed_methods, reason = "a program of its own, for the tests")]
fn main() -> ExitCode {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).unwrap_or_default();
    #[cfg(target_os = "linux")]
    if std::env::var_os("GRILL_TEST_NO_WALLS").is_some() {
        bare::go_without_walls();
    }
    let home = set("GRILL_TEST_HOME");
    let account = if home.is_absolute() {
        Account::at(home, set("GRILL_TEST_SYSTEM"))
    } else {
        Account::unknown("user 4711 is not in the password database")
    };
    run(account)
}
