//! `gh`, and how one request goes through it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::answer::Answer;
use super::trouble;
use super::wire::User;
use crate::app::ports::{NewIssue, NewRepository, Process, Ran, Run, ThereIssue, Tracker, TrackerError};
use crate::domain::tracker::TrackerRepository;

/// How long one request may take. A host that says nothing for a minute will not say anything.
const LIMIT: Duration = Duration::from_mins(1);

/// What keeps `gh` from asking, colouring, paging, and asking anything of the network that we did not: for a newer
/// version of itself, or to tell how it is used.
const QUIET: &[(&str, &str)] = &[
    ("GH_PROMPT_DISABLED", "1"),
    ("GH_NO_UPDATE_NOTIFIER", "1"),
    ("GH_NO_EXTENSION_UPDATE_NOTIFIER", "1"),
    ("GH_TELEMETRY", "false"),
    ("GH_SPINNER_DISABLED", "1"),
    ("GH_PAGER", "cat"),
    ("NO_COLOR", "1"),
];

/// What would make `gh` write other bytes than the host's, or work on another repository.
const MISLEADING: &[&str] = &["GH_DEBUG", "DEBUG", "GH_FORCE_TTY", "CLICOLOR_FORCE", "GH_REPO"];

pub struct Gh<'a> {
    /// Spawns it.
    process: &'a dyn Process,
    /// Where it is run: in the repository whose remotes it goes by.
    dir: PathBuf,
    /// The host that the user's environment names (`GH_HOST`).
    own_host: Option<String>,
    limit: Duration,
    /// Who is logged in, by host.
    logins: RefCell<BTreeMap<String, String>>,
}

/// What is done to a path of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Get,
    Post,
}

impl Method {
    fn word(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
        }
    }
}

impl<'a> Gh<'a> {
    /// `gh` as it is run in `dir`; `own_host` is what `GH_HOST` says.
    pub fn new(process: &'a dyn Process, dir: impl Into<PathBuf>, own_host: Option<String>) -> Self {
        Self {
            process,
            dir: dir.into(),
            own_host: own_host.map(|host| host.to_ascii_lowercase()).filter(|host| !host.is_empty()),
            limit: LIMIT,
            logins: RefCell::default(),
        }
    }

    /// The same with another limit for each request.
    #[must_use]
    pub fn within(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// The host that is meant where none is named.
    pub(super) fn usual_host(&self) -> &str {
        self.own_host.as_deref().unwrap_or("github.com")
    }

    pub(super) fn login(&self, host: &str) -> Result<String, TrackerError> {
        if let Some(login) = self.logins.borrow().get(host) {
            return Ok(login.clone());
        }
        let answer = self.ask(host, Method::Get, "user", Vec::new())?;
        if !answer.is_success() {
            return Err(trouble::of_login(host, &answer));
        }
        let user: User = trouble::understood(&answer)?;
        self.logins.borrow_mut().insert(host.to_owned(), user.login.clone());
        Ok(user.login)
    }

    /// Sends `body` to a path below the repository and reads what comes back.
    pub(super) fn send<T: DeserializeOwned>(
        &self,
        repository: &TrackerRepository,
        method: Method,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, TrackerError> {
        let body = serde_json::to_vec(body).map_err(|error| trouble::not_understood(&error))?;
        let answer = self.ask(repository.host(), method, &below(repository, path), body)?;
        if answer.is_success() { trouble::understood(&answer) } else { Err(trouble::of_answer(repository, &answer)) }
    }

    /// One request, and the host's answer to it, whatever it says.
    pub(super) fn ask(&self, host: &str, method: Method, path: &str, body: Vec<u8>) -> Result<Answer, TrackerError> {
        let mut args: Vec<OsString> =
            ["api", "--include", "--method", method.word(), "--hostname", host].map(OsString::from).to_vec();
        if !body.is_empty() {
            // `--field` would read files where a value begins with `@`; what is piped in is sent as it is.
            args.extend(["--header", "Content-Type: application/json; charset=utf-8", "--input", "-"].map(Into::into));
        }
        args.push(path.into());
        let ran = self.run(host, args, body)?;
        match Answer::parse(&ran.stdout) {
            // It broke off in the middle of what the host said.
            Some(answer) if answer.is_success() && ran.code != 0 => Err(trouble::of_run(host, &ran)),
            Some(answer) => Ok(answer),
            None => Err(trouble::of_run(host, &ran)),
        }
    }

    pub(super) fn run(&self, host: &str, args: Vec<OsString>, stdin: Vec<u8>) -> Result<Ran, TrackerError> {
        let mut run = Run { stdin, limit: Some(self.limit), ..Run::new("gh", args).within(&self.dir) };
        run.env = QUIET.iter().map(|(name, value)| (name.into(), value.into())).collect();
        run.without = MISLEADING.iter().map(OsString::from).collect();
        self.process.run(&run).map_err(|error| trouble::of_spawning(host, &error, self.limit))
    }
}

pub(super) fn below(repository: &TrackerRepository, path: &str) -> String {
    format!("repos/{}/{}{path}", repository.owner(), repository.name())
}

impl Tracker for Gh<'_> {
    fn here(&self) -> Result<TrackerRepository, TrackerError> {
        self.named_here()
    }

    fn installed(&self) -> Result<(), TrackerError> {
        self.is_new_enough(self.usual_host())
    }

    fn founding(&self, repository: &TrackerRepository) -> Result<NewRepository, TrackerError> {
        self.repository_command(repository)
    }

    fn create_repository(&self, new: &NewRepository) -> Result<(), TrackerError> {
        self.repository_created(new)
    }

    fn ready(&self, repository: &TrackerRepository, issues: &[NewIssue]) -> Result<Vec<String>, TrackerError> {
        self.missing(repository, issues)
    }

    fn supply(&self, repository: &TrackerRepository, labels: &[String]) -> Result<(), TrackerError> {
        self.supplied(repository, labels)
    }

    fn find(
        &self,
        repository: &TrackerRepository,
        marker: &str,
        since: Timestamp,
    ) -> Result<Vec<ThereIssue>, TrackerError> {
        self.found(repository, marker, since)
    }

    fn create(&self, repository: &TrackerRepository, issue: &NewIssue) -> Result<ThereIssue, TrackerError> {
        self.created(repository, issue)
    }
}
