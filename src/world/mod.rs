//! The world: clock, randomness, processes, environment, terminal, files; the only room that touches the machine. It
//! wires the other rooms together and runs one request.

mod account;
mod ancestry;
mod attention;
mod baseline;
mod bug;
mod checks;
mod citations;
mod clock;
mod context;
mod demo;
mod detached;
mod doctor;
mod editor;
mod elsewhere;
mod environment;
mod extensions;
mod failure;
mod guard;
mod guardian;
mod hook;
mod hooked;
mod identity;
mod install;
mod interrupted;
#[cfg(feature = "acp")]
mod lead;
mod maintenance;
#[cfg(feature = "mcp")]
mod mcp;
mod nonce;
mod pager;
mod painting;
mod process;
mod prompt_line;
mod request;
mod run;
mod scout;
mod screen;
mod search;
mod shown;
mod speak;
#[cfg(feature = "acp")]
mod supervised;
mod tied;

use std::process::ExitCode;

pub use account::account;
pub use environment::Waits;
pub use process::spawner;

pub use crate::repo::config::Account;

use crate::sandbox::abilities;
use crate::sandbox::probe::{PROBE, told};
use environment::Environment;

/// Runs the program for an account: one request, one exit code.
pub fn run(account: Account, waits: Waits) -> ExitCode {
    let environment = Environment::of_this_process(account, waits);
    // Hooks, git's and the agents', are matched on the raw arguments, before the grammar is built: they are called often.
    if environment.args.first().is_some_and(|word| word == "hook") {
        return hook::run(&environment);
    }
    if environment.args.first().is_some_and(|word| word == run::CONFINED) {
        return run::confined(&environment);
    }
    if environment.args.first().is_some_and(|word| word == detached::DETACHED) {
        return detached::leave(&environment);
    }
    #[cfg(feature = "acp")]
    if environment.args.first().is_some_and(|word| word == supervised::SUPERVISE) {
        return supervised::supervise(&environment);
    }
    if environment.args.first().is_some_and(|word| word == extensions::QUESTIONNAIRE) {
        return extensions::serve_questionnaire();
    }
    if let Some(code) = guard::hook(&environment).or_else(|| guard::instructions_hook(&environment)) {
        return code;
    }
    if environment.args.first().is_some_and(|word| word == PROBE) {
        let told = speak::out(&told(&abilities()));
        return told.map_or_else(|error| ExitCode::from(error.exit_code()), |()| ExitCode::SUCCESS);
    }
    if environment.args.first().is_some_and(|word| word == run::RECORD) {
        return run::record(&environment);
    }
    let answer = || prompt_line::asked_plainly(&environment).unwrap_or_else(|| request::answer(&environment));
    bug::surviving(answer, || bug::confess(&environment))
}
