//! What people and scripts ask the guard: what it says to a command and why, what to install as a hook.

use std::path::Path;
use std::process::ExitCode;

use crate::agents::Hooked;
use crate::app::error::AppError;
use crate::cli::args::guard::Guard;
use crate::guard::explained::Explained;
use crate::guard::hook_line;
use crate::install::recipe::GRILL;
use crate::policy::shell::{self, Allowed, Refused};
use crate::repo::config::Config;
use crate::repo::open::{RepoEnv, open};
use crate::world::environment::Environment;
use crate::world::speak;

use super::surroundings::Around;
use super::{Rewriting, hook};
use crate::world::process::spawner;

/// How `--explain` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::world) enum Form {
    Text,
    Json,
}

pub(in crate::world) fn typed(environment: &Environment, guard: &Guard, form: Form) -> Result<ExitCode, AppError> {
    if let Some(command) = &guard.explain {
        return explain(environment, command, form);
    }
    let agent = agent(guard)?;
    if guard.hook_line {
        let line = hook_line::line(agent).map(|line| line + "\n");
        let text = line.or_else(|| hook_line::shim(agent, GRILL));
        return speak::out(&text.unwrap_or_default()).map(|()| ExitCode::SUCCESS);
    }
    let rewriting = if guard.rewrite { Rewriting::Wanted } else { Rewriting::Configured };
    Ok(hook::run(environment, agent, rewriting))
}

fn agent(guard: &Guard) -> Result<Hooked, AppError> {
    let name = guard.agent.as_deref().unwrap_or_default();
    Hooked::named(name).ok_or_else(|| {
        let names: Vec<&str> = Hooked::all().map(|agent| agent.name()).collect();
        AppError::Usage {
            message: format!("the guard knows no agent '{}'", name.escape_debug()),
            hint: format!("git grill guard --for <agent>, one of {}", names.join(", ")),
        }
    })
}

/// What the person allows beyond what is known, here or, outside of a repository, everywhere; and what is around.
fn scene(environment: &Environment) -> Result<(Allowed, Around<'_>), AppError> {
    let var = |name: &str| environment.var(name);
    let opened = open(&RepoEnv { cwd: environment.cwd.clone(), var: &var, process: spawner() }).ok();
    let commands = Config::load(opened.as_ref(), &var, &environment.account)?.allowed_commands()?;
    let root = opened.as_ref().and_then(|opened| opened.worktree.as_deref()).and_then(|root| root.canonicalize().ok());
    let allowed = Allowed::parse(commands).map_err(|error| AppError::Environment {
        code: "config",
        message: error.to_string(),
        causes: Vec::new(),
        hint: Some("git config --show-origin --get-all grill.allow".to_owned()),
    })?;
    let common = opened.as_ref().map(|opened| opened.common_dir.as_path());
    let around = Around::of(environment, &environment.cwd, root.as_deref(), common);
    Ok((allowed.within(root.as_deref().and_then(Path::to_str).unwrap_or_default()), around))
}

/// The verdict on one command, as in a read-only phase; no session is needed.
fn explain(environment: &Environment, command: &str, form: Form) -> Result<ExitCode, AppError> {
    let (allowed, around) = scene(environment)?;
    let judged = shell::judge(command, &allowed, &around);
    let code = ExitCode::from(u8::from(judged.is_err()));
    let text = match (form, &judged) {
        (Form::Json, _) => Explained::of(judged).json(),
        (Form::Text, Ok(())) => "allowed: every part of it is known to be read-only\n".to_owned(),
        (Form::Text, Err(Refused { part, why })) => {
            let part = crate::domain::harmless::harmless(part);
            let why = crate::domain::harmless::harmless(why);
            format!("refused: {why}\npart: {part}\n")
        }
    };
    speak::out(&text)?;
    Ok(code)
}
