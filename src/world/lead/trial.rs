//! A trial of an agent (A28): started as for an interview, with tools that record nothing, and a file that it is to try to
//! write.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use crate::app::ports::{Attempt, By, Hindrance, Removed, Within, Witnessed};
use crate::domain::settings::Research;
use crate::repo::open::{RepoEnv, open};

use super::launch::Shown;
use super::running::{Attended, Of, Running, Task, Tools, Witness};
use super::{Agents, hindered, launch, limits, log, may, program, sees};
use crate::sandbox::probe;
use crate::world::process::{Programs, spawner};

/// How many names are tried for the file; the first one is free unless somebody made it so.
const MOST_NAMES: usize = 100;

impl Agents<'_> {
    pub(super) fn begin_trial(&mut self, agent: &str, research: Research, within: Within) -> Result<String, Hindrance> {
        self.end_running();
        let agent = self.agent(agent).map_err(|error| hindered(&error))?;
        let program = program(self.environment, self.config, &agent).map_err(|failure| agent.hindrance(&failure))?;
        let root = self.root().ok_or_else(|| Hindrance {
            sentence: "there is no working tree for a trial here".to_owned(),
            advice: "type it in a working tree of the repository".to_owned(),
        })?;
        let file = free(&root).ok_or_else(|| Hindrance {
            sentence: format!("the files that a trial would try to write are all there, {} and others", name(1)),
            advice: "move them away".to_owned(),
        })?;
        let limits = limits(self.environment, self.config).map_err(|error| hindered(&error))?.of_a_trial();
        let shown = Shown { sees: sees(research), log: log::Of::Trial, record: None, desk: None };
        let started = launch::start(self.environment, &self.common, &agent, &program, within, &shown);
        let (process, client) = started.map_err(|error| hindered(&error))?;
        let witness = Some(Witness::of(file.clone()));
        let task = Task { may: may(research), tools: Tools::Ours, before: None, within, limits, witness };
        self.running = Some(Attended::new(Running::new(self.environment, agent, (process, client), task), Of::Trial));
        Ok(file)
    }

    /// Ends the agent first: whatever it would still write is written by then.
    pub(super) fn finish_trial(&mut self) -> Witnessed {
        let Some(attended) = self.failed.take().or_else(|| self.running.take()) else {
            return Witnessed {
                version: None,
                called: None,
                recognised: false,
                attempt: Attempt::None,
                said: String::new(),
            };
        };
        let running = attended.lock();
        let called = running.signs().called.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (version, said) = (running.version(), running.said().to_owned());
        let within = running.within();
        let seen =
            running.witness().map(|witness| (witness.file.clone(), witness.recognised, witness.tried, witness.refused));
        drop(running);
        attended.end();
        let (file, recognised, tried, refused) = seen.unwrap_or_default();
        let written = self.root().map(|root| root.join(&file)).filter(|path| path.symlink_metadata().is_ok());
        let attempt = match (written, tried) {
            (Some(path), _) => Attempt::Wrote(remove(&path)),
            (None, false) => Attempt::None,
            (None, true) if refused => Attempt::Refused(By::GitGrill),
            // Where one wall is missing, another may stand.
            (None, true) if within == Within::Walls || self.keeps_from_writing() => Attempt::Refused(By::Kernel),
            (None, true) => Attempt::Refused(By::Agent),
        };
        Witnessed { version, called, recognised, attempt, said }
    }

    fn keeps_from_writing(&self) -> bool {
        probe(&Programs, &self.environment.program).keeps_from_writing()
    }

    /// The top of the working tree.
    fn root(&self) -> Option<PathBuf> {
        let var = |name: &str| self.environment.var(name);
        open(&RepoEnv { cwd: self.environment.cwd.clone(), var: &var, process: spawner() }).ok()?.worktree
    }
}

fn name(number: usize) -> String {
    if number == 1 { "grill-preflight.txt".to_owned() } else { format!("grill-preflight-{number}.txt") }
}

/// A name that nothing has, so that nothing of the user's is written over, or taken away afterwards.
fn free(root: &Path) -> Option<String> {
    (1..=MOST_NAMES).map(name).find(|name| root.join(name).symlink_metadata().is_err())
}

/// Takes the file away that was not there before the trial; a folder stays, since something else made it.
fn remove(path: &Path) -> Removed {
    match fs::remove_file(path) {
        Ok(()) => Removed::Yes,
        Err(_) => Removed::No,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_there_is_never_tried() {
        let temp = tempfile::tempdir().unwrap();
        assert_eq!(free(temp.path()).as_deref(), Some("grill-preflight.txt"));
        fs::write(temp.path().join(name(1)), "mine").unwrap();
        std::os::unix::fs::symlink("nowhere", temp.path().join(name(2))).unwrap();
        assert_eq!(free(temp.path()).as_deref(), Some("grill-preflight-3.txt"));
        for number in 3..=MOST_NAMES {
            fs::write(temp.path().join(name(number)), "").unwrap();
        }
        assert_eq!(free(temp.path()), None);
    }
}
