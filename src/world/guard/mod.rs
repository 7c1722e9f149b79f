//! `git grill guard`: for agents' hooks matched on the raw arguments, before the grammar is built, since every tool call
//! of every agent waits for it; for people through the grammar like any verb.

mod entered;
mod gitlinks;
mod hook;
mod places;
mod repositories;
mod standing;
mod surroundings;
mod telling;
mod typed;

use std::path::Path;
use std::process::ExitCode;

use crate::agents::Hooked;
use crate::agents::hooks::Shell;

use crate::sandbox;

use super::environment::Environment;
use super::process::Programs;

pub(super) use telling::{hook as instructions_hook, typed as typed_instructions};
pub(super) use typed::{Form, typed};

/// Whether a command goes into the sandbox instead of being judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rewriting {
    /// As the command line asks.
    Wanted,
    /// As the configuration says.
    Configured,
}

/// Answers `git-grill guard --for <agent> [--rewrite]`, if the arguments are exactly that.
pub(super) fn hook(environment: &Environment) -> Option<ExitCode> {
    let words: Option<Vec<&str>> = environment.args.iter().map(|word| word.to_str()).collect();
    let (agent, rewriting) = match words?.as_slice() {
        ["guard", "--for", agent] => (Hooked::named(agent)?, Rewriting::Configured),
        ["guard", "--for", agent, "--rewrite"] => (Hooked::named(agent)?, Rewriting::Wanted),
        _ => return None,
    };
    Some(hook::run(environment, agent, rewriting))
}

/// The shell that the agent would run the command in; a command may be written for it.
fn shell_of(environment: &Environment, agent: Hooked) -> String {
    let users = environment.text("SHELL").filter(|shell| {
        let name = Path::new(shell).file_name().and_then(|name| name.to_str());
        matches!(name, Some("sh" | "bash" | "zsh" | "dash" | "ksh"))
    });
    match agent.shell {
        Shell::Bash => "bash".to_owned(),
        Shell::Users => users.unwrap_or_else(|| "bash".to_owned()),
        Shell::Sh => "sh".to_owned(),
    }
}

/// Whether the line is one of our own verbs and nothing else.
fn is_ours(command: &str) -> bool {
    let acts = |c: char| "$`\\;&|<>(){}!~#\n".contains(c);
    let line = command.trim();
    !line.contains(acts) && (line.starts_with("git grill ") || line.starts_with("git-grill "))
}

/// Whether this machine can keep a command from writing; where it cannot, commands are judged.
fn sandbox_is_there(environment: &Environment) -> bool {
    sandbox::probe(&Programs, &environment.program).keeps_from_writing()
}
