//! The process's surroundings, read once.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use crate::agents;
use crate::repo::config::Account;

/// Set for a command that plays a role in a debate: it is nobody who decides.
pub(super) const ROLE: &str = "GRILL_ROLE";

/// The variables that agents set for the commands that they run, and ours for a role, each with the name of who is then
/// taken to run us.
fn marks() -> impl Iterator<Item = (&'static str, &'static str)> {
    agents::traces::variables().chain([(ROLE, "role")])
}

/// How long git grill waits for an agent that leads, or for a person, where no setting exists. The released program always
/// uses the defaults, whatever its environment says; the program that the tests build passes shorter limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    /// From the start of the agent's session until our MCP server has been greeted.
    pub greeting: Duration,
    /// From the last sign of life in a turn until git grill says what it waits for.
    pub quiet: Duration,
    /// From the answer to its question until a turn that runs on is cancelled.
    pub runs_on: Duration,
    /// From the last key of a person, or from the coming of a prompt that came by itself, until a key decides it.
    pub pause: Duration,
}

impl Default for Waits {
    fn default() -> Self {
        Self {
            greeting: Duration::from_secs(15),
            quiet: Duration::from_secs(20),
            runs_on: Duration::from_secs(30),
            pause: Duration::from_secs(1),
        }
    }
}

/// What the process finds around it.
#[derive(Clone)]
pub(super) struct Environment {
    /// Arguments after the program's name.
    pub args: Vec<OsString>,
    pub cwd: PathBuf,
    /// Our own program, as an absolute path.
    pub program: PathBuf,
    /// The account whose configuration may widen what is allowed.
    pub account: Account,
    /// How long git grill waits for an agent that leads, and for a person.
    pub waits: Waits,
    vars: HashMap<OsString, OsString>,
}

impl Environment {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
    pub(super) fn of_this_process(account: Account, waits: Waits) -> Self {
        Self {
            account,
            waits,
            args: std::env::args_os().skip(1).collect(),
            cwd: std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")),
            program: std::env::current_exe().unwrap_or_else(|_| PathBuf::from("git-grill")),
            vars: std::env::vars_os().collect(),
        }
    }

    /// One with these variables alone.
    #[cfg(test)]
    pub(super) fn with(vars: &[(&str, &str)]) -> Self {
        let vars = vars.iter().map(|(name, value)| (OsString::from(name), OsString::from(value))).collect();
        let account = Account::unknown("a test has none");
        let waits = Waits::default();
        Self { args: Vec::new(), cwd: PathBuf::new(), program: PathBuf::new(), account, waits, vars }
    }

    /// The same in another folder.
    #[cfg(feature = "acp")]
    pub(super) fn at(&self, cwd: PathBuf) -> Self {
        Self { cwd, ..self.clone() }
    }

    /// The same for another account, in another folder.
    pub(super) fn of_another(&self, account: Account, cwd: PathBuf) -> Self {
        Self { args: Vec::new(), cwd, account, ..self.clone() }
    }

    pub(super) fn var(&self, name: &str) -> Option<OsString> {
        self.vars.get(OsStr::new(name)).cloned()
    }

    pub(super) fn has(&self, name: &OsStr) -> bool {
        self.vars.contains_key(name)
    }

    pub(super) fn is(&self, name: &OsStr, value: &OsStr) -> bool {
        self.vars.get(name).is_some_and(|set| set == value)
    }

    /// One variable, if it is set, not empty, and text.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.var(name)?.into_string().ok().filter(|value| !value.is_empty())
    }

    /// The coding agent that runs us, as far as its variables tell.
    pub(super) fn agent(&self) -> Option<&'static str> {
        marks().find(|(name, _)| self.text(name).is_some()).map(|(_, agent)| agent)
    }

    /// The variables that would lead a program astray that is run for another repository and on nobody's behalf: git's
    /// own, and those that agents set.
    pub(super) fn misleading(&self) -> Vec<OsString> {
        let agents = marks().map(|(name, _)| OsStr::new(name));
        let git = self.vars.keys().map(OsString::as_os_str).filter(|name| name.to_string_lossy().starts_with("GIT_"));
        agents.chain(git).map(OsStr::to_os_string).collect()
    }

    /// The variables that coding agents set for what they run.
    #[cfg(feature = "acp")]
    pub(super) fn of_agents() -> impl Iterator<Item = &'static str> {
        marks().map(|(name, _)| name)
    }

    /// Values of variables whose names say that they are secret.
    #[cfg(feature = "acp")]
    pub(super) fn secrets(&self) -> Vec<String> {
        const WORDS: &[&str] = &["KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL"];
        let secret = |name: &OsString| {
            let name = name.to_string_lossy().to_uppercase();
            WORDS.iter().any(|word| name.contains(word))
        };
        let values = self.vars.iter().filter(|(name, _)| secret(name));
        values.map(|(_, value)| value.to_string_lossy().into_owned()).collect()
    }

    /// Whether a pager shows what we say: git's, when it pages us, or one that runs us.
    pub(super) fn pager_in_use(&self) -> bool {
        let no = |word: &str| ["false", "no", "off", "0"].iter().any(|no| word.eq_ignore_ascii_case(no));
        self.text("GIT_PAGER_IN_USE").is_some_and(|word| !no(&word))
    }

    /// Whether standard output is a pipe, as it is into a pager.
    pub(super) fn stdout_is_pipe() -> bool {
        rustix::fs::fstat(std::io::stdout())
            .is_ok_and(|stat| rustix::fs::FileType::from_raw_mode(stat.st_mode) == rustix::fs::FileType::Fifo)
    }

    pub(super) fn stdout_is_terminal() -> bool {
        std::io::stdout().is_terminal()
    }

    pub(super) fn stdin_is_terminal() -> bool {
        std::io::stdin().is_terminal()
    }
}
