//! The world: clock, randomness, processes, environment, terminal, files; the only room that touches the machine. It
//! wires the other rooms together and runs one request.

mod bug;
mod clock;
mod demo;
mod doctor;
mod editor;
mod environment;
mod failure;
mod guardian;
mod hook;
mod identity;
mod nonce;
mod process;
mod request;
mod run;
mod scout;
mod signer;
mod speak;

use std::process::ExitCode;

use environment::Environment;

/// Runs the program: one request, one exit code.
pub fn run() -> ExitCode {
    let environment = Environment::of_this_process();
    // Hooks are matched on the raw arguments, before the grammar is built: git calls them often.
    if environment.args.first().is_some_and(|word| word == "hook") {
        return hook::run(&environment);
    }
    if environment.args.first().is_some_and(|word| word == run::CONFINED) {
        return run::confined(&environment);
    }
    bug::surviving(|| request::run(&environment), || bug::confess(&environment))
}
