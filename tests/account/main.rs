//! `git grill` for an account of the tests: its home folder and the system's configuration come from variables, which the
//! program that is shipped never asks. So tests can say what only an account's own configuration says, and the machine's
//! account has no part in it. `GRILL_TEST_NO_WALLS` makes the kernel one that builds no walls; `GRILL_TEST_GREETING`,
//! `GRILL_TEST_QUIET` and `GRILL_TEST_RUNS_ON` are milliseconds in the place of the limits of that name, so that no test
//! sits them out. `GRILL_TEST_PAUSE` is how long a person pauses before a key decides a prompt that came by itself; without
//! it they need not, because tests type as soon as they see a prompt.

#[cfg(target_os = "linux")]
mod bare;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use git_grill::world::{Account, Waits, run};

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
    let usual = Waits::default();
    let waits = Waits {
        greeting: limit("GRILL_TEST_GREETING").unwrap_or(usual.greeting),
        quiet: limit("GRILL_TEST_QUIET").unwrap_or(usual.quiet),
        runs_on: limit("GRILL_TEST_RUNS_ON").unwrap_or(usual.runs_on),
        pause: limit("GRILL_TEST_PAUSE").unwrap_or(Duration::ZERO),
    };
    run(account, waits)
}

/// A limit of this run, in milliseconds.
#[expect(clippy::disallowed_methods, reason = "a program of its own, for the tests")]
fn limit(name: &str) -> Option<Duration> {
    let value = std::env::var(name).ok()?;
    Some(Duration::from_millis(value.parse().expect("a limit is a number of milliseconds")))
}
