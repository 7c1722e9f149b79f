//! The agent's process: our own program, which builds the walls and becomes the agent, in a process group of its own, with
//! the run's broker beside it.

use std::ffi::OsString;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::acp::client::{Client, Streams};
use crate::acp::limits::LEAVING;
use crate::app::error::AppError;
use crate::app::ports::Within;
use crate::repo::extent::extent;
use crate::repo::open::{RepoEnv, open};
use crate::sandbox::broker::frame::{self, Answer, Answered};
use crate::sandbox::broker::request::BrokerRequest;
use crate::sandbox::broker::server::serve;
use crate::sandbox::profile::Profile;

use super::agent::Agent;
use super::preface::{Preface, Said};
use super::secrets::secrets;
use super::{hosted, log, login};
use crate::world::environment::Environment;
use crate::world::failure::failed;
use crate::world::process::spawner;
use crate::world::run::{self, Desk, Interview, Sees, Staged, Tools, Wanted};

/// How often the run's layers are looked at.
const LOOK: Duration = Duration::from_millis(200);

pub(in crate::world) struct Shown<'a> {
    /// How much of the repository the agent sees.
    pub(in crate::world) sees: Sees,
    pub(in crate::world) log: log::Of<'a>,
    /// The record of what it is started for, where it may go on later with what it remembers: as long as that is there.
    pub(in crate::world) record: Option<PathBuf>,
    /// Where it works, if work was lent to it. It has none of our tools then.
    pub(in crate::world) desk: Option<&'a Desk>,
}

impl Shown<'_> {
    /// The terminal puts the questions, or nothing is recorded at all, or the agent has none of our tools.
    fn asks(&self) -> &'static str {
        match self.log {
            log::Of::Interview => run::TERMINAL,
            log::Of::Doctor | log::Of::Version | log::Of::Trial => run::TRIAL,
            log::Of::Lent(_) => run::LENT,
        }
    }
}

/// What the broker was told.
#[derive(Default)]
pub(super) struct Signs {
    /// Our MCP server has been greeted.
    pub(super) greeted: AtomicBool,
    /// The first of our tools that was called in a trial.
    pub(super) called: Mutex<Option<String>>,
    /// Something may have been recorded.
    pub(super) recorded: AtomicBool,
    /// The last of several wrong calls: the tool, and why it was refused.
    pub(super) stuck: Mutex<Option<(String, String)>>,
    /// The referee held the output selection.
    pub(super) held: AtomicBool,
    /// Why its last call was refused, if it was.
    pub(super) refused: Mutex<Option<String>>,
    kept: run::Kept,
}

/// A running agent.
pub(super) struct Process {
    child: Child,
    staged: Option<Arc<Staged>>,
    /// Closed, it ends the two threads.
    over: Option<UnixStream>,
    threads: Vec<JoinHandle<()>>,
    /// What the broker was told.
    pub(super) signs: Arc<Signs>,
    /// The variables of the run, which the agent's MCP server needs.
    pub(super) variables: Vec<(String, String)>,
    /// The top of the working tree.
    pub(super) root: PathBuf,
    /// What the run goes without.
    pub(super) without: Said,
    /// Whether what it needs to go on with a conversation is kept for its next run.
    pub(super) keeps_logs: bool,
}

/// Starts the agent, and begins to listen to it.
#[expect(
    clippy::disallowed_methods,
    reason = "world spawns; an agent is spoken to while it runs, which the port does not know"
)]
pub(super) fn start(
    environment: &Environment,
    common: &Path,
    agent: &Agent,
    program: &Path,
    within: Within,
    shown: &Shown<'_>,
) -> Result<(Process, Client), AppError> {
    let var = |name: &str| environment.var(name);
    let opened = open(&RepoEnv { cwd: environment.cwd.clone(), var: &var, process: spawner() })?;
    let sealed = extent(&opened, &var, &spawner());
    let root = match shown.desk {
        Some(desk) => desk.cwd.clone(),
        None => opened.worktree.clone().unwrap_or_else(|| common.to_owned()),
    };
    let mut command: Vec<OsString> = vec![program.into()];
    command.extend(agent.command.iter().skip(1).cloned());
    let profile = Profile::named(agent.preset.name(), program);
    let profile = profile.or_else(|| Profile::named("agent", program)).unwrap_or(Profile::Agent(None));
    let wanted = Wanted {
        command: &command,
        profile,
        missing: run::missing_wall(within),
        name: agent.name.clone(),
        sees: shown.sees,
        tools: Tools::Outside,
        parted: true,
        interview: shown.record.clone().map(|record| Interview { record, agent: agent.name.clone() }),
        desk: shown.desk,
    };
    let mut staged = run::stage(environment, &opened, sealed, &wanted)?;
    let listener = staged.listen()?;
    let host = if shown.desk.is_none() { Some(staged.host()?) } else { None };
    let not_started = |error: &std::io::Error| failed("agent", "the agent could not be started", error, None);
    let mut starting = Command::new(&environment.program);
    starting.args(&staged.words).envs(staged.variables.iter().map(|(name, value)| (*name, value)));
    // For a server of ours that stands in the agent's own settings as well.
    starting.env(run::ASKS, shown.asks()).envs(host.iter().map(|(_, socket)| (hosted::HOST, socket)));
    // By these a program finds the terminal of whoever started us, and could type there.
    for name in ["TMUX", "TMUX_PANE", "STY"] {
        starting.env_remove(name);
    }
    starting.envs(agent.variables(within));
    starting.envs(shown.desk.iter().flat_map(|desk| desk.variables.iter().map(|(name, value)| (name, value))));
    // It is no part of the terminal's foreground: what is typed is ours, and Ctrl-C ends it by us.
    starting.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = starting.spawn().map_err(|error| not_started(&error))?;
    let without = Said::default();
    let streams = match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
        (Some(input), Some(output), Some(errors)) => {
            let errors = Preface::of(errors, without.clone());
            Streams { input: Box::new(input), output: Box::new(output), errors: Box::new(errors) }
        }
        _ => return Err(not_started(&std::io::Error::other("it has no streams"))),
    };
    let (over, told) = UnixStream::pair().map_err(|error| not_started(&error))?;
    let mut threads = Vec::new();
    let mut variables = Vec::new();
    if let Some((host, socket)) = host {
        let text = |value: &OsString| value.to_string_lossy().into_owned();
        let mut outside: Vec<(String, String)> =
            staged.variables.iter().map(|(name, value)| ((*name).to_owned(), text(value))).collect();
        outside.push((run::ASKS.to_owned(), shown.asks().to_owned()));
        threads.push(hosted::host(environment, host, told.try_clone().map_err(|error| not_started(&error))?, &outside));
        // All that the relay inside needs; the broker is for the server outside.
        variables.push((hosted::HOST.to_owned(), socket.to_string_lossy().into_owned()));
    }
    let staged = Arc::new(staged);
    let signs = Arc::new(Signs::default());
    let record = {
        let (environment, signs, name) = (environment.clone(), Arc::clone(&signs), agent.name.clone());
        let leads = matches!(shown.log, log::Of::Interview);
        move |bytes: &[u8]| {
            if leads { recorded(&environment, &signs, &name, bytes) } else { tried(&signs, bytes) }
        }
    };
    let looking = {
        let (staged, told) = (Arc::clone(&staged), told.try_clone().map_err(|error| not_started(&error))?);
        move || while_it_runs(&told, &staged)
    };
    // A broker that fails leaves an agent that can record nothing; it is told so, and so is the person.
    threads.push(std::thread::spawn(move || drop(serve(&listener, &told, &record))));
    threads.push(std::thread::spawn(looking));
    // Its conversation is where its own logs are, which have to outlive the run.
    let keeps_logs = within == Within::WhatThereIs || login::keeps_logs(agent, program);
    let (staged, over) = (Some(staged), Some(over));
    let process = Process { child, staged, over, threads, signs, variables, root, without, keeps_logs };
    let secrets = secrets(environment, agent, program);
    Ok((process, Client::new(streams, log::open(common, &agent.name, shown.log, &secrets))))
}

/// Serves a frame of the broker; a greeting and a complaint are for us.
fn recorded(environment: &Environment, signs: &Signs, name: &str, bytes: &[u8]) -> Vec<u8> {
    let Ok(request) = frame::request(bytes) else { return served(environment, signs, name, bytes) };
    if request.wish == BrokerRequest::Greet {
        signs.greeted.store(true, Ordering::SeqCst);
    } else if let BrokerRequest::Stuck { tool, why } = request.wish {
        *signs.stuck.lock().unwrap_or_else(PoisonError::into_inner) = Some((tool, why));
    } else {
        return served(environment, signs, name, bytes);
    }
    Answer::done(&[], None).line()
}

/// Serves a frame in a trial: what is called is noted, and nothing is recorded, whatever is wished.
fn tried(signs: &Signs, bytes: &[u8]) -> Vec<u8> {
    match frame::request(bytes).map(|request| request.wish) {
        Ok(BrokerRequest::Greet) => signs.greeted.store(true, Ordering::SeqCst),
        Ok(BrokerRequest::Called { tool }) => {
            signs.called.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(tool);
        }
        Ok(_) | Err(_) => return Answer::refused("trial", 1, "a trial records nothing").line(),
    }
    Answer::done(&[], None).line()
}

fn served(environment: &Environment, signs: &Signs, name: &str, bytes: &[u8]) -> Vec<u8> {
    let answer = run::elsewhere(environment, name, &signs.kept, bytes);
    let (is_held, refused) = refusal(&answer);
    if is_held {
        signs.held.store(true, Ordering::SeqCst);
    }
    *signs.refused.lock().unwrap_or_else(PoisonError::into_inner) = refused;
    signs.recorded.store(true, Ordering::SeqCst);
    answer
}

/// Whether this is the refusal of an output selection that is held, and why what is refused is refused.
fn refusal(answer: &[u8]) -> (bool, Option<String>) {
    match serde_json::from_slice::<Answered>(answer).map(|answered| answered.answer) {
        Ok(Answer::Refused { code, message, .. }) => (code == "held", Some(message)),
        Ok(Answer::Done { .. }) | Err(_) => (false, None),
    }
}

fn while_it_runs(told: &UnixStream, staged: &Staged) {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let pause = Timespec { tv_sec: 0, tv_nsec: i64::from(LOOK.subsec_nanos()) };
    loop {
        let mut waiting = [PollFd::new(told, PollFlags::IN)];
        match poll(&mut waiting, Some(&pause)) {
            Ok(0) | Err(_) => staged.look(),
            Ok(_) => return,
        }
    }
}

impl Process {
    /// The bytes of a file that the agent wrote among its own.
    pub(super) fn own_file(&self, path: &Path, most: usize) -> Option<Vec<u8>> {
        self.staged.as_ref()?.own_file(path, most)
    }

    /// The process that leads the group.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for its end, which was asked for by closing its input; then ends every process of the run, and takes it down.
    pub(super) fn end(mut self) {
        run::end(&mut self.child, LEAVING);
        self.over = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
        if let Some(staged) = self.staged.take().and_then(Arc::into_inner) {
            staged.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a1_a_server_of_ours_in_an_agents_own_settings_is_told_what_the_agent_is_started_for() {
        for (log, asks) in [
            (log::Of::Interview, "terminal"),
            (log::Of::Doctor, "trial"),
            (log::Of::Version, "trial"),
            (log::Of::Trial, "trial"),
            (log::Of::Lent(Path::new("g1")), "lent"),
        ] {
            assert_eq!(Shown { sees: Sees::Nothing, log, record: None, desk: None }.asks(), asks);
        }
    }
}
