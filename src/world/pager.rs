//! The pager, by git's own rules: `git var GIT_PAGER` names it, `LESS=FRX` and `LV=-c` where they are not set, never
//! without a terminal and never inside another pager. Beyond git's rules: never for a coding agent or inside
//! `git grill run`, where nobody would press `q`, and not on a terminal that cannot move its cursor.

use std::io::{ErrorKind, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use signal_hook::consts::SIGINT;

use crate::app::error::AppError;
use crate::app::reply::{Page, Reply};
use crate::git::Git;
use crate::repo::config::{Config, Paging};

use super::environment::Environment;
use super::process::Programs;
use super::{run, speak};

/// What the shell says of a command that it cannot start.
const CANNOT_START: &[i32] = &[126, 127];

#[derive(Clone)]
pub(super) struct Pager {
    allowed: bool,
    /// What the configuration says, by verb.
    wishes: Vec<(Page, Paging)>,
    /// Whether what is paged is coloured as on the terminal.
    pub coloured: bool,
    /// git's defaults for what is not in the environment.
    env: Vec<(&'static str, &'static str)>,
}

impl Pager {
    pub(super) fn none() -> Self {
        Self { allowed: false, wishes: Vec::new(), coloured: true, env: Vec::new() }
    }

    /// As git would, before its configuration is read.
    pub(super) fn of(environment: &Environment) -> Self {
        let cannot = environment.text("TERM").is_none_or(|term| term == "dumb");
        let nobody = environment.agent().is_some() || run::within(environment).is_some();
        if cannot || nobody || environment.pager_in_use() || !Environment::stdout_is_terminal() {
            return Self::none();
        }
        let defaults = [("LESS", "FRX"), ("LV", "-c")];
        let env = defaults.into_iter().filter(|(name, _)| environment.var(name).is_none()).collect();
        Self { allowed: true, env, ..Self::none() }
    }

    /// The same with what git's configuration says.
    pub(super) fn configured(self, config: &Config) -> Result<Self, AppError> {
        if !self.allowed {
            return Ok(self);
        }
        let wish = |page: Page| -> Result<_, AppError> { Ok((page, config.paging(page.verb())?)) };
        let wishes = Page::ALL.into_iter().map(wish).collect::<Result<_, AppError>>()?;
        Ok(Self { wishes, coloured: config.coloured_pager()?, ..self })
    }

    /// The pager for a reply, as a shell command; `None` where there is none.
    pub(super) fn command(&self, reply: &Reply) -> Option<String> {
        let page = reply.traits().page.filter(|_| self.allowed)?;
        let wish = self.wishes.iter().find(|(one, _)| *one == page).map(|(_, wish)| wish.clone());
        let command = match wish.unwrap_or(Paging::Usual) {
            Paging::Never => return None,
            Paging::By(command) => command,
            Paging::Usual => usual()?,
        };
        let command = command.trim().to_owned();
        (!command.is_empty() && command != "cat").then_some(command)
    }

    /// Shows `text` in the pager. One that cannot be started is no reason not to show it. Whoever leaves it early has
    /// seen enough, by Ctrl-C too; a pager that goes on after it is waited for.
    pub(super) fn show(&self, command: &str, text: &str) -> Result<(), AppError> {
        match self.run(command, text) {
            Ok(status) if status.code().is_some_and(|code| CANNOT_START.contains(&code)) => {
                plainly(command, text, "the shell cannot start it")
            }
            Ok(_) => Ok(()),
            Err(error) => plainly(command, text, &error.to_string()),
        }
    }

    #[expect(clippy::disallowed_methods, reason = "a pager owns the terminal, so its output is ours and no pipe")]
    fn run(&self, command: &str, text: &str) -> std::io::Result<ExitStatus> {
        let interrupted = signal_hook::flag::register(SIGINT, Arc::new(AtomicBool::new(false)))?;
        let terminal = std::io::stdout();
        let before = tcgetattr(&terminal).ok();
        let mut pager = Command::new("sh")
            .args(["-c", command])
            .env("PATH", super::search::path(None))
            .envs(self.env.iter().copied())
            .env("GIT_PAGER_IN_USE", "true")
            .stdin(Stdio::piped())
            .spawn()?;
        if let Some(mut input) = pager.stdin.take() {
            match input.write_all(text.as_bytes()) {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => return Err(error),
                Ok(()) | Err(_) => {}
            }
        }
        let status = pager.wait()?;
        // A pager that was killed leaves the terminal as it had set it.
        if let Some(before) = before {
            tcsetattr(&terminal, OptionalActions::Now, &before).ok();
        }
        signal_hook::low_level::unregister(interrupted);
        Ok(status)
    }
}

fn plainly(command: &str, text: &str, why: &str) -> Result<(), AppError> {
    speak::naming(&format!(
        "warning: the pager '{command}' was not used: {why}\nhint: git config --global core.pager <pager>\n"
    ));
    speak::out(text)
}

/// What git itself would use: `GIT_PAGER`, `core.pager`, `PAGER`, or what it was built with.
fn usual() -> Option<String> {
    let ran = Git::new(["var", "GIT_PAGER"]).run(&Programs).ok()?;
    (ran.code == 0).then(|| String::from_utf8_lossy(&ran.stdout).into_owned())
}
