//! The process of a supervisor: told by its arguments which session it is for, it takes the ledger, listens, starts the agent
//! at its desk, and works. Who started it reads one line, and then it is on its own.

use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use crate::acp::permission::May;
use crate::app::error::AppError;
use crate::app::ports::{Clock as _, Hindrance, Nonce as _, Within};
use crate::domain::agents::command::AgentContext;
use crate::domain::agents::event::Started;
use crate::domain::agents::failure::{Failure, FailureCode};
use crate::domain::agents::limits::AgentLimits;
use crate::domain::agents::media::Media;
use crate::domain::agents::profile::{Edits, LocalTools, Profile, Web};
use crate::domain::agents::request::StartsAt;
use crate::domain::agents::{AgentHandle, Command, Refusal, TurnHandle, decide};
use crate::domain::ids::AgentSessionId;
use crate::domain::text::Line;
use crate::files::fresh::OnDisk;
use crate::ledger::limits::MOST_TEXT;
use crate::ledger::{SessionFolder, Writer};
use crate::repo::config::Config;
use crate::repo::open::{Opened, RepoEnv, open};
use crate::sandbox::adopt_orphans;
use crate::world::clock::GitClock;
use crate::world::environment::Environment;
use crate::world::failure::failed;
use crate::world::interrupted::Interrupted;
use crate::world::lead::{Agents, Loan};
use crate::world::nonce::KernelNonce;
use crate::world::process::spawner;
use crate::world::run::{Desk, Sees};
use crate::world::speak;

use super::book::Book;
use super::copy::{self, Copy};
use super::errors::{kept, not_lent};
use super::parent::{NOT_STARTED, parent_of};
use super::place::Place;
use super::settings::settings;
use super::setup::{SetUp, Setup};
use super::socket::{self, Socket};
use super::supervisor::{Supervisor, calls};
use super::watch::Watch;
use super::wire::{Asked, Call, Told, listen};
use super::{known, runtime};

/// The first argument of this process; no verb, since nobody types it.
pub(in crate::world) const SUPERVISE: &str = "supervise";

/// So long the one before may take to let the ledger go.
const HANDS_OVER: Duration = Duration::from_secs(1);
/// So long a supervisor whose agent was not started again waits for whoever had it started.
const TURNS_AWAY: Duration = Duration::from_secs(5);

/// What an agent is started within, as an argument.
const WALLS: &str = "walls";
const BARE: &str = "bare";

/// Where in its copy it starts, as an argument.
const HERE: &str = "here";
const TOP: &str = "top";

/// What a supervisor is told by whoever starts it.
pub(super) struct Orders {
    pub(super) handle: AgentHandle,
    pub(super) begins: Begins,
}

pub(super) enum Begins {
    /// The session, for this agent.
    Anew { agent: String, profile: Profile, within: Within, at: StartsAt },
    /// Its agent, which had ended.
    Again,
}

impl Orders {
    /// As arguments, to be read by [`Orders::read`].
    pub(super) fn words(&self) -> Vec<OsString> {
        let mut words = vec![SUPERVISE.to_owned(), self.handle.to_string()];
        if let Begins::Anew { agent, profile, within, at } = &self.begins {
            let within = match within {
                Within::Walls => WALLS,
                Within::WhatThereIs => BARE,
            };
            let at = match at {
                StartsAt::CallersFolder => HERE,
                StartsAt::Top => TOP,
            };
            words.extend([agent.clone(), profile.to_string(), within.to_owned(), at.to_owned()]);
        }
        words.into_iter().map(OsString::from).collect()
    }

    /// Where in its copy the agent starts. A copy that is there already says so itself.
    fn at(&self) -> StartsAt {
        match &self.begins {
            Begins::Anew { at, .. } => *at,
            Begins::Again => StartsAt::CallersFolder,
        }
    }

    fn read(words: &[OsString]) -> Option<Self> {
        let words: Vec<&str> = words.iter().map(|word| word.to_str()).collect::<Option<_>>()?;
        let (handle, rest) = words.split_first()?;
        let begins = match rest {
            [agent, profile, within, at] => Begins::Anew {
                agent: (*agent).to_owned(),
                profile: Profile::parse(profile).ok()?,
                within: match *within {
                    WALLS => Within::Walls,
                    BARE => Within::WhatThereIs,
                    _ => return None,
                },
                at: match *at {
                    HERE => StartsAt::CallersFolder,
                    TOP => StartsAt::Top,
                    _ => return None,
                },
            },
            [] => Begins::Again,
            _ => return None,
        };
        Some(Self { handle: AgentHandle::parse(handle).ok()?, begins })
    }
}

/// Supervises one session to the end of this process.
pub(in crate::world) fn supervise(environment: &Environment) -> ExitCode {
    let Some(orders) = Orders::read(&environment.args[1..]) else { return ExitCode::from(2) };
    match supervised(environment, &orders) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let message = in_words(&error);
            // Whoever started it may listen no more; its log stays.
            speak::naming(&format!("error: {message}\n"));
            tell(&Told::Refused { code: error.code().to_owned(), message, hint: error.hint().unwrap_or_default() });
            ExitCode::from(error.exit_code())
        }
    }
}

fn supervised(environment: &Environment, orders: &Orders) -> Result<(), AppError> {
    // The keeper of the agent's processes may be killed; what it kept is ours then. Where that cannot be, the rest holds.
    let _ = adopt_orphans();
    let interrupted = Interrupted::watch().map_err(|error| failed("io", "the agent was not started", &error, None))?;
    let var = |name: &str| environment.var(name);
    let opened = open(&RepoEnv { cwd: environment.cwd.clone(), var: &var, process: spawner() })?;
    let config = Config::load(Some(&opened), &var, &environment.account)?;
    let on_disk = if config.fsync()? { OnDisk::First } else { OnDisk::Later };
    // Before anything is recorded: a setting that makes no sense begins no session.
    let (limits, setup) = settings(&config)?;
    let clock = GitClock::new(environment);
    let sessions = Place::of(&config, &opened.common_dir)?.made()?;
    let folder = sessions.session(orders.handle).map_err(kept)?;
    let place = folder.path().to_owned();
    let record = folder.ledger_path();
    let prompt = match orders.begins {
        Begins::Anew { .. } => Some(first_prompt()?),
        Begins::Again => None,
    };
    let writer = taken(environment, orders, &opened, folder, &clock, on_disk)?;
    let mut book = Book::new(writer, clock, on_disk);
    let at = socket::place(&place, runtime(environment).as_deref());
    let (socket, listener) = Socket::bind(at)
        .map_err(|error| failed("io", "the agent was not started: its supervisor cannot be reached", &error, None))?;
    if let Some((prompt, media)) = prompt {
        let queued = book.queue(TurnHandle::FIRST, &prompt, media, AgentContext::Kept)?;
        queued.map_err(|refusal| kept(refusal.into()))?;
    }
    let (calls, serving) = listen(listener);
    // From here on whoever started it knows that it is there, and hears of everything else by the ledger.
    tell(&Told::Done);
    let limits = limits(book.session().started.profile);
    let session = Session {
        environment,
        orders,
        opened: &opened,
        config: &config,
        limits,
        setup,
        place: &place,
        record: &record,
    };
    let worked = session.worked(book, socket, calls, &interrupted);
    serving.finish();
    worked
}

/// The session that a supervisor is for, and where it lies.
struct Session<'a> {
    environment: &'a Environment,
    orders: &'a Orders,
    opened: &'a Opened,
    config: &'a Config,
    limits: AgentLimits,
    /// What makes its copy ready, and for how long that may take.
    setup: Option<(String, Duration)>,
    /// Its folder.
    place: &'a Path,
    /// Its ledger.
    record: &'a Path,
}

impl Session<'_> {
    /// Starts the agent, and has it work until nothing is left to do. The socket goes before the ledger is let go: the next
    /// supervisor has one at the same place.
    fn worked(
        &self,
        mut book: Book,
        socket: Socket,
        calls: Receiver<Call>,
        interrupted: &Interrupted,
    ) -> Result<(), AppError> {
        let terms = book.session().started.profile.terms();
        let within = if book.session().started.unwalled { Within::WhatThereIs } else { Within::Walls };
        let watch = Watch::of(self.environment, book.session());
        let copy = match Copy::of(self.environment, self.config, self.opened, (self.place, self.orders.at()), &book) {
            Ok(copy) => copy,
            Err(error) => return self.not_begun(&mut book, &calls, FailureCode::WorktreeUnproved, &in_words(&error)),
        };
        let desk = match copy.as_ref().map(|copy| copy.desk(&mut book)).transpose() {
            Ok(Some(desk)) => desk,
            Ok(None) => Desk { cwd: self.environment.cwd.clone(), own: None, variables: Vec::new() },
            Err(error) => return self.not_begun(&mut book, &calls, FailureCode::WorktreeUnproved, &in_words(&error)),
        };
        if let Some(watch) = &watch
            && let Err(error) = watch.begin(&mut book)
        {
            return self.not_begun(&mut book, &calls, FailureCode::NotStarted, &in_words(&error));
        }
        if let (Begins::Anew { .. }, Some((line, limit)), Some(_)) = (&self.orders.begins, &self.setup, &copy) {
            let desk = Desk { cwd: desk.own.clone().unwrap_or_else(|| desk.cwd.clone()), ..desk.clone() };
            let setup = Setup {
                environment: self.environment,
                opened: self.opened,
                line,
                desk: &desk,
                place: self.place,
                within,
                limit: *limit,
                interrupted,
            };
            match setup.run(&mut book, &calls) {
                Ok(SetUp::Ready) => {}
                Ok(SetUp::Over) => {
                    drop(socket);
                    self.unwatch(&mut book)?;
                    return book.act(&Command::Leave);
                }
                Ok(SetUp::Failed(why)) => return self.not_begun(&mut book, &calls, FailureCode::SetupFailed, &why),
                Err(error) => return self.not_begun(&mut book, &calls, FailureCode::SetupFailed, &in_words(&error)),
            }
        }
        let agent = book.session().started.agent.as_str().to_owned();
        let loan = Loan {
            agent: &agent,
            profile: terms.profile,
            desk: &desk,
            sees: match terms.tools {
                LocalTools::Open => Sees::Repository,
                LocalTools::Closed => Sees::Nothing,
            },
            may: May {
                look: terms.tools == LocalTools::Open,
                change: terms.edits == Edits::Worktree,
                fetch: terms.web == Web::Open,
            },
            within,
            before: book.session().backend.as_ref().map(|backend| backend.as_str().to_owned()),
            folder: self.place,
            record: self.record.to_owned(),
            silence: self.limits.silence,
        };
        let agents = Agents::new(self.environment, self.config, self.opened.common_dir.clone());
        let lent = match agents.lend(loan) {
            Ok(lent) => lent,
            Err(Hindrance { sentence, .. }) => {
                return self.not_begun(&mut book, &calls, FailureCode::NotStarted, &sentence);
            }
        };
        if let Some(process) = lent.process().and_then(known::known) {
            book.act(&Command::RecordLaunch { process })?;
        }
        let mut supervisor = Supervisor::new(book, lent, (copy, watch), calls, self.limits, interrupted);
        let over = supervisor.work();
        supervisor.end(over, socket)
    }

    /// Compares for the last time, where the repository was watched.
    fn unwatch(&self, book: &mut Book) -> Result<(), AppError> {
        match Watch::of(self.environment, book.session()) {
            Some(watch) => watch.close(book),
            None => Ok(()),
        }
    }

    /// Ends a session whose agent was not started. One that had it before goes on with the next try: whoever sends it a
    /// prompt is told why there is no agent.
    fn not_begun(&self, book: &mut Book, calls: &Receiver<Call>, code: FailureCode, why: &str) -> Result<(), AppError> {
        let why = Line::clipped(why);
        self.unwatch(book)?;
        match self.orders.begins {
            Begins::Anew { .. } => book.act(&Command::Fail { failure: Failure { code, why } })?,
            Begins::Again => {
                let refusal = Refusal::ContextLost { handle: self.orders.handle, why };
                while let Ok(call) = calls.recv_timeout(TURNS_AWAY) {
                    let is_prompt = matches!(call.asked, Asked::Send { .. });
                    call.answer(calls::refused(&refusal));
                    if is_prompt {
                        break;
                    }
                }
            }
        }
        book.act(&Command::Leave)
    }
}

/// An error with its causes.
fn in_words(error: &AppError) -> String {
    std::iter::once(error.to_string()).chain(error.causes()).collect::<Vec<_>>().join(": ")
}

/// The ledger, in our hands alone.
fn taken(
    environment: &Environment,
    orders: &Orders,
    opened: &Opened,
    folder: SessionFolder,
    clock: &GitClock,
    on_disk: OnDisk,
) -> Result<Writer, AppError> {
    let this = known::known(std::process::id()).ok_or_else(|| AppError::Environment {
        code: "io",
        message: "the agent was not started: the system does not tell when this process began".to_owned(),
        causes: Vec::new(),
        hint: None,
    })?;
    let Begins::Anew { agent, profile, within, .. } = &orders.begins else {
        let mut writer = Writer::open(folder, HANDS_OVER, on_disk).map_err(kept)?;
        super::current::reconciled(&mut writer, clock)?;
        let supervise =
            decide(writer.session(), &Command::Supervise { process: this }).map_err(|no| kept(no.into()))?;
        writer.append(clock.now(), supervise).map_err(kept)?;
        return Ok(writer);
    };
    let parent = parent_of(opened, NOT_STARTED)?;
    let start = parent.start().map_err(|error| not_lent(&error))?;
    let started = Started {
        handle: orders.handle,
        id: AgentSessionId::from_nonce(KernelNonce.next()),
        agent: Line::clipped(agent),
        profile: *profile,
        folder: environment.cwd.to_string_lossy().into_owned(),
        base: copy::id(start.commit),
        supervisor: this,
        unwalled: *within == Within::WhatThereIs,
    };
    Writer::begin(folder, clock.now(), started, on_disk).map_err(kept)
}

/// The text of the first turn, on standard input behind its length and the names of what goes with it.
fn first_prompt() -> Result<(String, Vec<Media>), AppError> {
    let not_read = |error: &io::Error| failed("io", "the agent was not started: its prompt was not read", error, None);
    let mut bytes = Vec::new();
    // A number, a few names and the end of their line are far shorter than the rest of this.
    io::stdin().lock().take(MOST_TEXT as u64 + 1024).read_to_end(&mut bytes).map_err(|error| not_read(&error))?;
    let text =
        String::from_utf8(bytes).map_err(|error| not_read(&io::Error::new(io::ErrorKind::InvalidData, error)))?;
    let framed = text.split_once('\n').and_then(|(head, prompt)| {
        let mut words = head.split(' ');
        let is_whole = words.next()?.parse() == Ok(prompt.len()) && prompt.len() <= MOST_TEXT;
        let media = words.map(Media::parse).collect::<Option<Vec<Media>>>()?;
        is_whole.then(|| (prompt.to_owned(), media))
    });
    framed.ok_or_else(|| not_read(&io::ErrorKind::UnexpectedEof.into()))
}

/// Says one line to whoever started this process, and lets their pipe go.
fn tell(told: &Told) {
    let mut line = serde_json::to_vec(told).unwrap_or_default();
    line.push(b'\n');
    // Whoever started it may have gone; the ledger says the same.
    let _ = io::stdout().write_all(&line).and_then(|()| io::stdout().flush());
    if let Ok(nowhere) = std::fs::File::options().read(true).write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(&nowhere).and_then(|()| rustix::stdio::dup2_stdout(&nowhere));
    }
}
