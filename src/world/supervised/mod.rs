//! Supervised agents: each session has a supervisor, a process of its own, and everybody else asks it or reads its ledger.
//! Where no supervisor is there any more, whoever comes next brings the ledger into a state that is true (A10).

mod accept;
mod begin;
mod book;
mod clean_up;
mod copy;
mod current;
mod errors;
mod known;
mod named;
mod parent;
mod pictures;
mod place;
mod pulse;
mod result;
mod settings;
mod setup;
mod socket;
mod starting;
mod steps;
mod supervisor;
mod watch;
mod wire;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::app::error::AppError;
use crate::app::ports::{
    AgentChanges, CleanedUp, Leader, Leading as _, LiveAgent, OpenForm, Picture, SeenSession, StartOrder, Supervising,
    Sweep, TurnResult, UnreadableSession, Walls,
};
use crate::domain::agents::event::Record;
use crate::domain::agents::profile::Profile;
use crate::domain::agents::receipt::{WaitEnd, WaitReceipt, WaitSeconds};
use crate::domain::agents::reconcile::Presence;
use crate::domain::agents::state::SessionState;
use crate::domain::agents::{AgentHandle, AgentSession, Command, Refusal, TurnHandle};
use crate::domain::server_form::ServerReply;
use crate::files::fresh::OnDisk;
use crate::files::patience::{Patience, until};
use crate::ledger::codec::Entry;
use crate::ledger::reader::{Ledger, read, read_with};
use crate::ledger::texts::TurnText;
use crate::ledger::writer::is_held;
use crate::ledger::{LedgerError, SessionFolder};
use crate::lend::accept::is_cut_off;
use crate::lend::highest_named;
use crate::repo::config::Config;
use crate::repo::open::{Opened, RepoEnv, open};

use super::environment::Environment;
use super::failure::failed;
use super::lead::Agents;
use super::process::spawner;
use begin::{Begins, Orders};
pub(super) use begin::{SUPERVISE, supervise};
use errors::{declined, done, gone, kept, not_accepted, not_lent, queued};
use parent::{NOT_STARTED, copy_folder, parent_of};
use place::Place;
use starting::framed;
use wire::{Asked, Told};

/// Between two looks at a ledger that is waited for.
const NAP: Duration = Duration::from_millis(50);
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

    fn ready(&self, agent: &str, profile: Profile) -> Result<(), AppError> {
        self.sessions_place()?;
        if let Some(missing) = self.agents().missing(agent)? {
            return Err(AppError::Environment {
                code: "not_installed",
                message: missing.sentence,
                causes: Vec::new(),
                hint: Some(missing.advice).filter(|advice| !advice.is_empty()),
            });
        }
        settings::settings(self.config).map(drop)?;
        // Before anybody is asked: each session is of a commit, and a copy would lack what is not committed (A13).
        let parent = parent_of(&self.opened()?, NOT_STARTED)?;
        let begins = if profile.needs_worktree() {
            parent.below_top(&self.environment.cwd).and_then(|_| parent.admit())
        } else {
            parent.start()
        };
        begins.map(drop).map_err(|error| not_lent(&error))
    }

    fn start(&self, order: &StartOrder<'_>) -> Result<AgentHandle, AppError> {
        self.ready(order.agent, order.profile)?;
        let above = highest_named(&parent_of(&self.opened()?, NOT_STARTED)?).map_err(|error| not_lent(&error))?;
        let folder = self.sessions_place()?.made()?.claim(above).map_err(kept)?;
        let handle = folder.handle();
        let StartOrder { agent, profile, at, within, .. } = *order;
        let begins = Begins::Anew { agent: agent.to_owned(), profile, within, at };
        let begun = self.keep(&folder, order.pictures).and_then(|media| {
            let prompt = framed(order.prompt, &media);
            self.spawn(&folder, &Orders { handle, begins }, None, &prompt)
        });
        if begun.is_err() && matches!(read(&folder), Err(LedgerError::Empty { .. })) {
            // Nothing was recorded in it, so nobody misses it.
            let _ = std::fs::remove_dir_all(folder.path());
        }
        begun.map(|()| handle)
    }

    fn pictures(&self, paths: &[String]) -> Result<Vec<Picture>, AppError> {
        self.admit(paths)
    }

    fn send(&self, handle: AgentHandle, prompt: &str, pictures: &[Picture]) -> Result<TurnHandle, AppError> {
        let folder = self.folder(handle)?;
        let asked = Asked::Send { prompt: prompt.to_owned(), media: self.keep(&folder, pictures)? };
        if let Some(told) = self.ask(&folder, &asked)? {
            return queued(told);
        }
        // Its agent has ended, and is started again; a session that is over takes none.
        let session = self.reconciled(&folder)?;
        if session.state.is_terminal() {
            let state = session.state;
            return Err(declined(&Refusal::SessionTerminal { deed: "no prompt was added", handle, state }));
        }
        session.need_decided("no prompt was added").map_err(|refusal| declined(&refusal))?;
        let orders = Orders { handle, begins: Begins::Again };
        let begun = self.spawn(&folder, &orders, Some(Path::new(&session.started.folder)), b"");
        self.asked_of_new(&folder, &asked, begun).and_then(queued)
    }

    fn session(&self, handle: AgentHandle) -> Result<SeenSession, AppError> {
        self.seen(&self.folder(handle)?)
    }

    fn sessions(&self) -> Result<(Vec<SeenSession>, Vec<UnreadableSession>), AppError> {
        let Some(ledgers) = self.sessions_place()?.found()? else { return Ok((Vec::new(), Vec::new())) };
        let (mut seen, mut unreadable) = (Vec::new(), Vec::new());
        for handle in ledgers.handles().map_err(kept)? {
            let session = ledgers.session(handle).map_err(kept).and_then(|folder| self.look(&folder));
            match session {
                Ok(Some(session)) => seen.push(session),
                // It is just being begun, or whoever wanted to begin it was killed. Nobody was told of it.
                Ok(None) => {}
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
        // What changed in the repository is decided on when the turn is over, which is recorded next.
        let needs_person = |session: &AgentSession| {
            !session.asks.is_empty() || session.is_undecided() && session.active_turn().is_none()
        };
        let goes_on = |session: &AgentSession| {
            if let Some(turn) = turn {
                session.turn(turn).is_some_and(|turn| !turn.state.is_over())
            } else {
                // One that was ended before its agent's session was open starts no more by itself.
                let starts = session.state == SessionState::Starting && session.supervisor.is_some();
                starts || session.open_turns().next().is_some()
            }
        };
        let mut end = WaitEnd::Before;
        loop {
            let session = self.reconciled(&folder)?;
            if let (Some(turn), false) = (turn, turn.is_none_or(|turn| session.turn(turn).is_some())) {
                return Err(declined(&Refusal::TurnNotFound { handle, turn }));
            }
            if needs_person(&session) && (turn.is_none() || goes_on(&session)) {
                end = WaitEnd::NeedsPerson;
                break;
            }
            if !goes_on(&session) {
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
        let shown = shown.ok_or_else(|| {
            let refusal = match session.state {
                SessionState::Cleaned => {
                    let lacks = "was cleaned up, and its results with it";
                    Refusal::NotReady { deed: "no result was read", handle, lacks }
                }
                SessionState::Starting
                | SessionState::TurnActive
                | SessionState::Idle
                | SessionState::Failed
                | SessionState::Cancelled => Refusal::NoResult { handle, failed: None },
            };
            declined(&refusal)
        })?;
        let made = session.turn(turn).into_iter().flat_map(|turn| &turn.made);
        let made = made.map(|media| folder.media_path(media)).collect();
        Ok(TurnResult { turn, preview: shown.preview, path: shown.path, made })
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

    fn clean_up(&self, handle: AgentHandle, sweep: Sweep) -> Result<CleanedUp, AppError> {
        clean_up::clean_up(self, &self.folder(handle)?, sweep)
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

    fn sessions_place(&self) -> Result<Place, AppError> {
        Place::of(self.config, &self.common)
    }

    fn folder(&self, handle: AgentHandle) -> Result<SessionFolder, AppError> {
        match self.sessions_place()?.found()? {
            Some(ledgers) => ledgers.session(handle).map_err(kept),
            None => Err(kept(LedgerError::NotFound { handle })),
        }
    }

    /// Asks the supervisor; none where there is none.
    fn ask(&self, folder: &SessionFolder, asked: &Asked) -> Result<Option<Told>, AppError> {
        let socket = socket::place(folder.path(), runtime(self.environment).as_deref());
        wire::ask(&socket, asked).map_err(|error| {
            let message = format!("the supervisor of {} does not answer", folder.handle());
            let supervisor = read(folder).ok().and_then(|ledger| ledger.session.supervisor);
            let there = supervisor.filter(|process| known::presence(process) == Presence::There);
            let hint = match there {
                Some(process) => format!("kill -9 {} ends it and its agent; then type this again", process.id()),
                None => "type it again".to_owned(),
            };
            failed("supervisor", &message, &error, Some(hint))
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

    /// Has the supervisor end its agent and leave, where there is one.
    fn leave(&self, folder: &SessionFolder) -> Result<(), AppError> {
        let mut patience = Patience::begin();
        loop {
            if let Some(told) = self.ask(folder, &Asked::Leave)? {
                done(told)?;
                until(LEAVES, || matches!(is_held(folder), Ok(false)));
                return Ok(());
            }
            // One that does not answer may be just ending, or busy; only one that holds no ledger has left.
            if matches!(is_held(folder), Ok(false)) || patience.is_over(LEAVES) {
                return Ok(());
            }
            patience.rest();
        }
    }

    fn opened(&self) -> Result<Opened, AppError> {
        let var = |name: &str| self.environment.var(name);
        Ok(open(&RepoEnv { cwd: self.environment.cwd.clone(), var: &var, process: spawner() })?)
    }

    fn on_disk(&self) -> Result<OnDisk, AppError> {
        Ok(if self.config.fsync()? { OnDisk::First } else { OnDisk::Later })
    }

    fn seen(&self, folder: &SessionFolder) -> Result<SeenSession, AppError> {
        self.look(folder)?.ok_or_else(|| kept(LedgerError::Empty { handle: folder.handle() }))
    }

    /// [`Supervised::seen`]; none where nothing stands in its ledger yet.
    fn look(&self, folder: &SessionFolder) -> Result<Option<SeenSession>, AppError> {
        let Some(Ledger { session, newer, .. }) = self.current(folder)? else { return Ok(None) };
        let newer = newer.map(|newer| newer.kind);
        let live = match self.ask(folder, &Asked::Look)? {
            Some(Told::Doing { tool, quiet, line }) => Some(LiveAgent { tool, quiet, line }),
            Some(_) | None => None,
        };
        let size = copy::size(folder, &session);
        let half_done = copy_folder(folder.path(), folder.handle())
            .and_then(|copy| is_cut_off(&self.common, &copy).map_err(|error| not_accepted(&error)))?;
        Ok(Some(SeenSession { session, live, size, half_done, newer }))
    }
}

/// Where sockets may lie whose path in a repository is too long.
fn runtime(environment: &Environment) -> Option<PathBuf> {
    environment.var("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_absolute())
}
