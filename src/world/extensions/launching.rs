//! The process of an extension: our own program, which sets up the sandbox and becomes the extension, or the extension
//! itself where a person wants no sandbox. Either way it has its own process group.

use std::process::{Child, Command, Stdio};

use super::failure;
use super::finding::Program;
use crate::app::error::AppError;
use crate::app::ports::extensions::Found;
use crate::domain::harmless::on_one_line;
use crate::domain::ui::Name;
use crate::extension::{LEAVING, Streams};
use crate::repo::extent::extent;
use crate::repo::open::{RepoEnv, open};
use crate::sandbox::probe::probe;
use crate::sandbox::profile::Profile;
use crate::sandbox::{Missing, is_confined};

use super::super::detached::{Ends, detached};
use super::super::environment::Environment;
use super::super::process::{Programs, spawner};
use super::super::run::{self, Sees, Staged, Tools, Wanted};
use super::super::search;

/// The most lines of its standard error that an error repeats.
const LINES: usize = 10;

/// A running extension. Dropping it ends all of its processes.
pub(super) struct Process {
    child: Child,
    staged: Option<Staged>,
}

impl Drop for Process {
    fn drop(&mut self) {
        // A stream that nobody took stays open no longer.
        drop(self.child.stdin.take());
        run::end(&mut self.child, LEAVING);
        if let Some(staged) = self.staged.take() {
            staged.end();
        }
    }
}

pub(super) fn launch(
    environment: &Environment,
    name: &Name,
    program: &Program,
) -> Result<(Process, Streams), AppError> {
    let staged = if program.walls { stage(environment, name, program)? } else { None };
    let mut starting = starting(environment, name, program, staged.as_ref());
    let spawned = starting.spawn().map_err(|error| {
        let hint =
            format!("git config --global --get-all grill.extension.{name}.command shows the command that is set");
        failure(name, "was not started", vec![error.to_string()], hint)
    });
    let child = match spawned {
        Ok(child) => child,
        Err(error) => {
            if let Some(staged) = staged {
                staged.end();
            }
            return Err(error);
        }
    };
    let mut process = Process { child, staged };
    let child = &mut process.child;
    match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
        (Some(input), Some(output), Some(errors)) => {
            let streams = Streams { input: Box::new(input), output: Box::new(output), errors: Box::new(errors) };
            Ok((process, streams))
        }
        _ => Err(failure(name, "was not started", vec!["it has no streams".to_owned()], "try again".to_owned())),
    }
}

/// The prepared sandbox; none where this process is in one already, as the kernel confirms.
fn stage(environment: &Environment, name: &Name, program: &Program) -> Result<Option<Staged>, AppError> {
    let var = |name: &str| environment.var(name);
    let opened = open(&RepoEnv { cwd: environment.cwd.clone(), var: &var, process: spawner() })?;
    let sealed = extent(&opened, &var, &spawner());
    if run::within(environment).is_some() && is_confined(&sealed) {
        return Ok(None);
    }
    let wanted = Wanted {
        command: &detached(&environment.program, Ends::WithItsSandbox, program.words.iter().cloned()),
        profile: Profile::Command,
        missing: Missing::Refuse,
        name: name.as_str().to_owned(),
        sees: Sees::Repository,
        tools: Tools::Outside,
        parted: false,
        interview: None,
        desk: None,
    };
    let mut staged = run::stage(environment, &opened, sealed, &wanted)?;
    // The sandbox hides the broker's socket, so there has to be one. It is not served, and records nothing.
    match staged.listen() {
        Ok(listener) => drop(listener),
        Err(error) => {
            staged.end();
            return Err(error);
        }
    }
    Ok(Some(staged))
}

/// The command that starts it. Programs that it starts in turn count as an agent, never as the person.
#[expect(
    clippy::disallowed_methods,
    reason = "world spawns; an extension is spoken to while it runs, which the port does not know"
)]
fn starting(environment: &Environment, name: &Name, program: &Program, staged: Option<&Staged>) -> Command {
    let mut starting = if let Some(staged) = staged {
        let mut starting = Command::new(&environment.program);
        starting.args(&staged.words).envs(staged.variables.iter().map(|(name, value)| (*name, value)));
        starting
    } else {
        let words = match program.found {
            Found::Shipped => program.words.clone(),
            Found::Settings | Found::Path => {
                detached(&environment.program, Ends::WithUs, program.words.iter().cloned())
            }
        };
        let mut starting = Command::new(&words[0]);
        starting.args(&words[1..]);
        if program.found != Found::Shipped && run::within(environment).is_none() {
            starting.env(run::RUN, name.as_str());
        }
        starting
    };
    starting.env("PATH", search::path(Some(&environment.cwd))).current_dir(&environment.cwd);
    // It is not in the terminal's foreground group: git grill reads what is typed, and ends it on Ctrl-C.
    starting.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // What leaves the terminal leads a group by that, and could not leave it as the leader of one.
    if staged.is_some() || program.found == Found::Shipped {
        std::os::unix::process::CommandExt::process_group(&mut starting, 0);
    }
    starting
}

/// The hint for an extension that did not start, where no sandbox can be set up here.
pub(super) fn without_walls(environment: &Environment, name: &Name, program: &Program) -> Option<String> {
    if !program.walls {
        return None;
    }
    let built = probe(&Programs, &environment.program);
    (built.mounts.is_err() && built.landlock.is_err()).then(|| {
        format!(
            "git grill doctor says why no sandbox can be built here; git config --global grill.extension.{name}.sandbox \
             false lets {name} start without one, and then it can write to the repository"
        )
    })
}

/// The last lines of an extension's standard error, harmless to show.
pub(super) fn last_lines(said: &str) -> Vec<String> {
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    lines.iter().skip(lines.len().saturating_sub(LINES)).map(|line| on_one_line(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p7_what_an_extension_complained_of_is_bounded_and_harmless() {
        let said: String =
            (0..50).flat_map(|n| ["line ".to_owned(), n.to_string(), "\n\n".to_owned()]).collect::<String>()
                + "\u{1b}[31mred\r";
        let lines = last_lines(&said);
        assert_eq!(lines.len(), LINES);
        assert_eq!(lines[0], "line 41");
        assert!(lines.iter().all(|line| !line.contains(char::is_control)), "{lines:?}");
        assert!(last_lines("").is_empty());
    }
}
