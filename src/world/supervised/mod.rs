//! Supervised agents: each session has a supervisor, a process of its own, and everybody else asks it or reads its ledger.
//! Where no supervisor is there any more, whoever comes next brings the ledger into a state that is true (A10).

mod begin;
mod book;
mod clean_up;
mod copy;
mod known;
mod pulse;
mod result;
mod socket;
mod supervisor;
mod wire;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::app::error::AppError;
use crate::app::ports::{
    AgentChanges, CleanedUp, Clock as _, Leader, Leading as _, LiveAgent, OpenForm, Run, SeenSession, StartOrder,
    Supervising, TurnResult, UnreadableSession, Walls, Within,
};
use crate::domain::agents::event::Record;
use crate::domain::agents::receipt::{WaitEnd, WaitReceipt, WaitSeconds};
use crate::domain::agents::reconcile::{Presence, reconcile};
use crate::domain::agents::state::SessionState;
use crate::domain::agents::{AgentHandle, AgentSession, Command, Refusal, TurnHandle, decide};
use crate::domain::server_form::ServerReply;
use crate::files::fresh::OnDisk;
use crate::files::patience::{Patience, until};
use crate::files::regular;
use crate::ledger::codec::Entry;
use crate::ledger::reader::{read, read_with};
use crate::ledger::texts::TurnText;
use crate::ledger::writer::is_held;
use crate::ledger::{LedgerError, Ledgers, SessionFolder, Writer};
use crate::lend::{self, Author, LendError, Parent};
use crate::repo::config::Config;
use crate::repo::open::{Opened, RepoEnv, open};
use crate::store::commit::Person;

use super::clock::GitClock;
use super::detached::{Ends, detached};
use super::environment::Environment;
use super::failure::failed;
use super::identity::identity;
use super::lead::Agents;
use super::process::{Programs, command, spawner};
use begin::{Begins, Orders};
pub(super) use begin::{SUPERVISE, supervise};
use wire::{Asked, Told};

/// Codes of what a supervisor refuses, as they come back from it.
const CODES: [&str; 9] = [
    "session_terminal",
    "queue_full",
    "turns_used_up",
    "context_lost",
    "answer_void",
    "turn_active",
    "turn_not_found",
    "illegal_transition",
    "not_ready",
];
/// Between two looks at a ledger that is waited for.
const NAP: Duration = Duration::from_millis(50);
/// So long a new supervisor may take until it is there; it waits for no agent.
const COMES: Duration = Duration::from_mins(1);
/// So long one that is just ending is waited for.
const LEAVES: Duration = Duration::from_secs(30);

/// The agents that are supervised in one repository.
pub(super) struct Supervised<'a> {
    pub(super) environment: &'a Environment,
    pub(super) config: &'a Config,
    pub(super) common: PathBuf,
}

impl Supervising for Supervised<'_> {
    fn known(&self, agent: &str) -> Result<Leader, AppError> {
        self.agents().known(agent)
    }

    fn agreed(&self, agent: &str) -> Result<bool, AppError> {
        self.agents().agreed(agent)
    }

    fn agree(&self, agent: &str) -> Result<(), AppError> {
        self.agents().agree(agent)
    }

    fn walls(&self) -> Walls {
        self.agents().walls()
    }

    fn start(&self, order: &StartOrder<'_>) -> Result<AgentHandle, AppError> {
        if let Some(missing) = self.agents().missing(order.agent)? {
            return Err(AppError::Environment {
                code: "not_installed",
                message: missing.sentence,
                causes: Vec::new(),
                hint: Some(missing.advice).filter(|advice| !advice.is_empty()),
            });
        }
        let folder = self.ledgers()?.claim().map_err(kept)?;
        let handle = folder.handle();
        let begins = Begins::Anew { agent: order.agent.to_owned(), profile: order.profile };
        let begun = self.spawn(&folder, &Orders { handle, within: Within::Walls, begins }, None, &framed(order.prompt));
        if begun.is_err() && matches!(read(&folder), Err(LedgerError::Empty { .. })) {
            // Nothing was recorded in it, so nobody misses it.
            let _ = std::fs::remove_dir_all(folder.path());
        }
        begun.map(|()| handle)
    }

    fn send(&self, handle: AgentHandle, prompt: &str) -> Result<TurnHandle, AppError> {
        let folder = self.folder(handle)?;
        let asked = Asked::Send { prompt: prompt.to_owned() };
        if let Some(told) = self.ask(&folder, &asked)? {
            return queued(told);
        }
        // Its agent has ended, and is started again; a session that is over takes none.
        let session = self.reconciled(&folder)?;
        if session.state.is_terminal() {
            let state = session.state;
            return Err(declined(&Refusal::SessionTerminal { deed: "no prompt was added", handle, state }));
        }
        let orders = Orders { handle, within: Within::Walls, begins: Begins::Again };
        let begun = self.spawn(&folder, &orders, Some(Path::new(&session.started.folder)), b"");
        self.asked_of_new(&folder, &asked, begun).and_then(queued)
    }

    fn session(&self, handle: AgentHandle) -> Result<SeenSession, AppError> {
        self.seen(&self.folder(handle)?)
    }

    fn sessions(&self) -> Result<(Vec<SeenSession>, Vec<UnreadableSession>), AppError> {
        let Some(ledgers) = Ledgers::find(&self.common).map_err(kept)? else { return Ok((Vec::new(), Vec::new())) };
        let (mut seen, mut unreadable) = (Vec::new(), Vec::new());
        for handle in ledgers.handles().map_err(kept)? {
            let session = match ledgers.session(handle) {
                // It is just being begun, or whoever wanted to begin it was killed. Nobody was told of it.
                Ok(folder) if matches!(read(&folder), Err(LedgerError::Empty { .. })) => continue,
                Ok(folder) => self.seen(&folder),
                Err(error) => Err(kept(error)),
            };
            match session {
                Ok(session) => seen.push(session),
                Err(error) => unreadable.push(UnreadableSession { handle, error }),
            }
        }
        Ok((seen, unreadable))
    }

    #[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
    fn wait(
        &self,
        handle: AgentHandle,
        turn: Option<TurnHandle>,
        seconds: WaitSeconds,
    ) -> Result<(SeenSession, WaitReceipt), AppError> {
        let folder = self.folder(handle)?;
        let begun = Instant::now();
        let is_over = |session: &AgentSession| {
            let needs_person = !session.asks.is_empty();
            let goes_on = match turn {
                Some(turn) => session.turn(turn).is_some_and(|turn| !turn.state.is_over()),
                // One that was ended before its agent's session was open starts no more by itself.
                None => {
                    let starts = session.state == SessionState::Starting && session.supervisor.is_some();
                    starts || session.open_turns().next().is_some()
                }
            };
            needs_person || !goes_on
        };
        let mut end = WaitEnd::Before;
        loop {
            let session = self.reconciled(&folder)?;
            if let (Some(turn), false) = (turn, turn.is_none_or(|turn| session.turn(turn).is_some())) {
                return Err(declined(&Refusal::TurnNotFound { deed: "nothing was waited for", handle, turn }));
            }
            if is_over(&session) {
                break;
            }
            if begun.elapsed() >= seconds.limit() {
                end = WaitEnd::GoesOn;
                break;
            }
            end = WaitEnd::Meanwhile;
            std::thread::sleep(NAP);
        }
        Ok((self.seen(&folder)?, WaitReceipt::new(seconds, begun.elapsed(), end)))
    }

    fn result(&self, handle: AgentHandle, turn: Option<TurnHandle>) -> Result<TurnResult, AppError> {
        let folder = self.folder(handle)?;
        let session = self.reconciled(&folder)?;
        let turn = session.result_turn(turn).map_err(|refusal| declined(&refusal))?.handle;
        let shown = folder.preview(turn, TurnText::Result).map_err(kept)?;
        let shown = shown.ok_or_else(|| declined(&Refusal::NoResult { handle }))?;
        Ok(TurnResult { turn, preview: shown.preview, path: shown.path })
    }

    fn changes(&self, handle: AgentHandle) -> Result<AgentChanges, AppError> {
        copy::changes(self, &self.folder(handle)?)
    }

    fn question(&self, handle: AgentHandle) -> Result<Option<OpenForm>, AppError> {
        let folder = self.folder(handle)?;
        let session = self.reconciled(&folder)?;
        let Some(oldest) = session.asks.first() else { return Ok(None) };
        let number = oldest.ask.number;
        match self.ask(&folder, &Asked::Show { number })? {
            Some(Told::Form { form }) => Ok(Some(OpenForm { number, form: *form, since: oldest.since })),
            Some(told) => done(told).map(|()| None),
            None => Ok(None),
        }
    }

    fn answer(&self, handle: AgentHandle, number: u32, reply: ServerReply) -> Result<(), AppError> {
        let folder = self.folder(handle)?;
        match self.ask(&folder, &Asked::Answer { number, reply })? {
            Some(told) => done(told),
            // What a process asked that is gone waits no more.
            None => Err(declined(&Refusal::AnswerVoid { handle, number })),
        }
    }

    fn cancel(&self, handle: AgentHandle, turn: Option<TurnHandle>) -> Result<SeenSession, AppError> {
        let folder = self.folder(handle)?;
        if let Some(told) = self.ask(&folder, &Asked::Cancel { turn })? {
            done(told)?;
            if turn.is_none() {
                // Until every process of it is gone (A37).
                until(LEAVES, || matches!(is_held(&folder), Ok(false)));
            }
        } else {
            let command = turn.map_or(Command::Cancel, |turn| Command::CancelTurn { turn });
            self.act(&folder, &command)?;
        }
        self.seen(&folder)
    }

    fn clean_up(&self, handle: AgentHandle, dry: bool) -> Result<CleanedUp, AppError> {
        clean_up::clean_up(self, &self.folder(handle)?, dry)
    }

    fn log(&self, handle: AgentHandle, each: &mut dyn FnMut(&Record)) -> Result<(), AppError> {
        let folder = self.folder(handle)?;
        self.reconciled(&folder)?;
        read_with(&folder, &mut |entry| {
            if let Entry::Record(record) = entry {
                each(record);
            }
        })
        .map(drop)
        .map_err(kept)
    }
}

impl Supervised<'_> {
    fn agents(&self) -> Agents<'_> {
        Agents::new(self.environment, self.config, self.common.clone())
    }

    fn ledgers(&self) -> Result<Ledgers, AppError> {
        Ledgers::make(&self.common).map_err(kept)
    }

    fn folder(&self, handle: AgentHandle) -> Result<SessionFolder, AppError> {
        match Ledgers::find(&self.common).map_err(kept)? {
            Some(ledgers) => ledgers.session(handle).map_err(kept),
            None => Err(kept(LedgerError::NotFound { handle })),
        }
    }

    /// Asks the supervisor; none where there is none.
    fn ask(&self, folder: &SessionFolder, asked: &Asked) -> Result<Option<Told>, AppError> {
        let socket = socket::place(folder.path(), runtime(self.environment).as_deref());
        wire::ask(&socket, asked).map_err(|error| {
            let message = format!("the supervisor of {} does not answer", folder.handle());
            failed("supervisor", &message, &error, Some("git grill agent status says what it is doing".to_owned()))
        })
    }

    /// Asks a supervisor that was just started. Where another caller was faster, theirs is asked, which may have yet to listen.
    fn asked_of_new(
        &self,
        folder: &SessionFolder,
        asked: &Asked,
        begun: Result<(), AppError>,
    ) -> Result<Told, AppError> {
        let mut patience = Patience::begin();
        loop {
            if let Some(told) = self.ask(folder, asked)? {
                return Ok(told);
            }
            let comes = begun.is_err() && matches!(is_held(folder), Ok(true));
            if !comes || patience.is_over(LEAVES) {
                return begun.and(Err(gone(folder.handle())));
            }
            patience.rest();
        }
    }

    /// The session as it is now. Where its supervisor's process is gone, the ledger is told so first.
    fn reconciled(&self, folder: &SessionFolder) -> Result<AgentSession, AppError> {
        let ledger = read(folder).map_err(kept)?;
        let is_gone = |process| known::presence(process) == Presence::Gone;
        if ledger.newer.is_some() || !ledger.session.supervisor.as_ref().is_some_and(is_gone) {
            return Ok(ledger.session);
        }
        match Writer::open(self.folder(folder.handle())?, Duration::ZERO, self.on_disk()?) {
            Ok(mut writer) => {
                reconciled(&mut writer, &GitClock::new(self.environment))?;
                Ok(writer.session().clone())
            }
            // Somebody else is just doing it.
            Err(LedgerError::Busy { .. }) => Ok(ledger.session),
            Err(error) => Err(kept(error)),
        }
    }

    /// Records what a command comes to, where no supervisor is there.
    fn act(&self, folder: &SessionFolder, command: &Command) -> Result<(), AppError> {
        let mut writer = Writer::open(self.folder(folder.handle())?, LEAVES, self.on_disk()?).map_err(kept)?;
        let clock = GitClock::new(self.environment);
        reconciled(&mut writer, &clock)?;
        let events = decide(writer.session(), command).map_err(|refusal| declined(&refusal))?;
        if !events.is_empty() {
            writer.append(clock.now(), events).map_err(kept)?;
        }
        Ok(())
    }

    /// Has the supervisor end its agent and leave, where there is one.
    fn leave(&self, folder: &SessionFolder) -> Result<(), AppError> {
        if let Some(told) = self.ask(folder, &Asked::Leave)? {
            done(told)?;
            until(LEAVES, || matches!(is_held(folder), Ok(false)));
        }
        Ok(())
    }

    fn opened(&self) -> Result<Opened, AppError> {
        let var = |name: &str| self.environment.var(name);
        Ok(open(&RepoEnv { cwd: self.environment.cwd.clone(), var: &var, process: spawner() })?)
    }

    fn on_disk(&self) -> Result<OnDisk, AppError> {
        Ok(if self.config.fsync()? { OnDisk::First } else { OnDisk::Later })
    }

    fn seen(&self, folder: &SessionFolder) -> Result<SeenSession, AppError> {
        let session = self.reconciled(folder)?;
        let newer = read(folder).map_err(kept)?.newer.map(|newer| newer.kind);
        let live = match self.ask(folder, &Asked::Look)? {
            Some(Told::Doing { tool, quiet, line }) => Some(LiveAgent { tool, quiet, line }),
            Some(_) | None => None,
        };
        let size = copy::size(folder, &session);
        Ok(SeenSession { session, live, size, newer })
    }

    /// Starts a supervisor in a folder, or in ours, and waits until it has the ledger.
    fn spawn(
        &self,
        folder: &SessionFolder,
        orders: &Orders,
        dir: Option<&Path>,
        prompt: &[u8],
    ) -> Result<(), AppError> {
        let not_started = |error: &std::io::Error| failed("io", "the agent was not started", error, None);
        let program = &self.environment.program;
        let words = [program.as_os_str().to_owned()].into_iter().chain(orders.words());
        let words = detached(program, Ends::WithItsSandbox, words);
        let log =
            regular::made_at_its_end(folder.path().join("supervisor.log")).map_err(|error| not_started(&error))?;
        let mut run = Run::new(&words[0], words[1..].iter().cloned());
        run.dir = dir.map(Path::to_owned);
        let mut starting = command(&run);
        // What an agent's variables say is not for the one that it has started.
        for name in Environment::of_agents() {
            starting.env_remove(name);
        }
        let mut child = starting.stderr(Stdio::from(log)).spawn().map_err(|error| not_started(&error))?;
        let told = {
            let (input, output) = (child.stdin.take(), child.stdout.take());
            if let Some(mut input) = input {
                // One that is gone says why.
                let _ = input.write_all(prompt);
            }
            output.and_then(first_line)
        };
        // It goes on by itself, and its end is taken note of where we live longer than it does.
        std::thread::spawn(move || child.wait());
        match told {
            Some(told) => done(told),
            None => Err(AppError::Environment {
                code: "supervisor",
                message: "the agent was not started: its supervisor ended at once".to_owned(),
                causes: Vec::new(),
                hint: Some(format!("cat {} prints what it said", folder.path().join("supervisor.log").display())),
            }),
        }
    }
}

/// A prompt with its length before it: who reads it must not take half of it for the whole where we are killed.
fn framed(prompt: &str) -> Vec<u8> {
    format!("{}\n{prompt}", prompt.len()).into_bytes()
}

/// The first line of a new supervisor, unless it takes for ever.
fn first_line(output: std::process::ChildStdout) -> Option<Told> {
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        let _ = BufReader::new(output).read_line(&mut line);
        let _ = send.send(line);
    });
    serde_json::from_str(&receive.recv_timeout(COMES).ok()?).ok()
}

/// Brings a ledger into a state that is true, where its supervisor died.
fn reconciled(writer: &mut Writer, clock: &GitClock) -> Result<(), AppError> {
    let session = writer.session();
    let presence = session.supervisor.as_ref().map_or(Presence::There, known::presence);
    let events = reconcile(session, presence);
    if !events.is_empty() {
        writer.append(clock.now(), events).map_err(kept)?;
    }
    // Behind walls the agent ends with its supervisor: the warden sees to that (A37).
    if let Some(agent) = writer.session().agent.clone()
        && writer.session().supervisor.is_none()
        && until(LEAVES, || known::presence(&agent) == Presence::Gone)
    {
        let events = decide(writer.session(), &Command::RecordEnd).map_err(|refusal| declined(&refusal))?;
        writer.append(clock.now(), events).map_err(kept)?;
    }
    Ok(())
}

fn queued(told: Told) -> Result<TurnHandle, AppError> {
    match told {
        Told::Queued { turn } => Ok(turn),
        Told::Done | Told::Form { .. } | Told::Doing { .. } | Told::Refused { .. } => {
            done(told).and(Err(AppError::Environment {
                code: "supervisor",
                message: "the supervisor answered something else than what was asked".to_owned(),
                causes: Vec::new(),
                hint: None,
            }))
        }
    }
}

fn done(told: Told) -> Result<(), AppError> {
    match told {
        Told::Refused { code, message, hint } => Err(AppError::Declined {
            code: CODES.iter().find(|known| **known == code).copied().unwrap_or("supervisor"),
            message,
            causes: Vec::new(),
            hint,
        }),
        Told::Done | Told::Queued { .. } | Told::Form { .. } | Told::Doing { .. } => Ok(()),
    }
}

fn gone(handle: AgentHandle) -> AppError {
    AppError::Environment {
        code: "supervisor",
        message: format!("no prompt was added to {handle}: its supervisor has just ended"),
        causes: Vec::new(),
        hint: Some(format!("git grill agent log {handle} says why")),
    }
}

/// A refusal of the rules.
fn declined(refusal: &Refusal) -> AppError {
    let (code, message, hint) = (refusal.code(), refusal.to_string(), refusal.hint());
    AppError::Declined { code, message, causes: Vec::new(), hint }
}

/// A failure of a ledger.
fn kept(error: LedgerError) -> AppError {
    if let LedgerError::Refused(refusal) = error {
        return declined(&refusal);
    }
    if let LedgerError::NotFound { handle } = error {
        return declined(&Refusal::SessionNotFound { deed: "nothing was done", handle });
    }
    let hint = "git grill agent status lists the sessions that can be read";
    failed("ledger", "the ledger of the session was not used", &error, Some(hint.to_owned()))
}

fn not_lent(error: &LendError) -> AppError {
    let hint = "git status shows what is there".to_owned();
    AppError::Declined { code: error.code(), message: error.to_string(), causes: Vec::new(), hint }
}

/// The folder of a session, as far as its copy is concerned.
fn copy_folder(folder: &Path, handle: AgentHandle) -> Result<lend::SessionFolder, AppError> {
    let all = folder.parent().unwrap_or(folder);
    lend::SessionFolder::of(all, &handle.to_string()).map_err(|error| not_lent(&error))
}

fn not_written(what: &str, error: &std::io::Error) -> AppError {
    failed("io", what, error, None)
}

/// Where sockets may lie whose path in a repository is too long.
fn runtime(environment: &Environment) -> Option<PathBuf> {
    environment.var("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_absolute())
}

/// The repository that work is lent from.
fn parent_of(opened: &Opened) -> Result<Parent<'static>, AppError> {
    let top = opened.worktree.clone().ok_or_else(|| AppError::Declined {
        code: "cwd_not_in_repository",
        message: "the agent was not started: there is no working tree here".to_owned(),
        causes: Vec::new(),
        hint: "type it in a working tree of the repository".to_owned(),
    })?;
    Ok(Parent { process: &Programs, git_dir: opened.git_dir.clone(), common_dir: opened.common_dir.clone(), top })
}

/// Who is named in commits of ours, and when.
struct Signer {
    name: String,
    email: String,
    date: String,
}

impl Signer {
    fn by(&self) -> Author<'_> {
        Author { name: &self.name, email: &self.email, date: &self.date }
    }
}

fn author(environment: &Environment, config: &Config, clock: &GitClock) -> Signer {
    let date = format!("@{} +0000", clock.now().as_second());
    match identity(environment, config).committer {
        Some(Person { name, email }) => Signer { name, email, date },
        None => Signer { name: "git-grill".to_owned(), email: "git-grill@localhost".to_owned(), date },
    }
}
