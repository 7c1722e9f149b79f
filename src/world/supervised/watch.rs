//! The watch over the repository while an agent runs that nothing keeps from writing there (A25): begun before the agent is
//! started, compared after each turn and when the agent has ended, and settled by the person.

use std::cell::RefCell;
use std::path::Path;
use std::time::Duration;

use super::book::Book;
use super::current::{reconciled, record};
use super::errors::{declined, done, kept};
use super::wire::{Asked, Told};
use super::{LEAVES, Supervised};
use crate::app::error::AppError;
use crate::app::ports::{Baseline as _, BaselineError, Restored, Settling, WatchedAgent};
use crate::domain::agents::changed::ChangedFiles;
use crate::domain::agents::parent_watch::ParentWatch;
use crate::domain::agents::{AgentHandle, AgentSession, Command};
use crate::domain::drift::{Drift, Kept, Spot, Verification};
use crate::domain::harmless::on_one_line;
use crate::domain::ids::SessionId;
use crate::domain::text::{Line, counted};
use crate::ledger::{SessionFolder, Writer};
use crate::repo::baseline::{GitBaseline, Site, watch_ref};
use crate::repo::config::Config;
use crate::repo::open::{RepoEnv, open};
use crate::world::baseline::reading;
use crate::world::clock::GitClock;
use crate::world::environment::Environment;
use crate::world::process::{Programs, spawner};

/// How long one call of git may take: an agent may leave a pipe at which git waits for ever.
const PATIENCE: Duration = Duration::from_mins(5);
/// So many changes are named in a line.
const NAMED: usize = 3;

/// The watch of one session, in the repository that it was started in.
pub(super) struct Watch {
    /// Where we are, which is the session's folder.
    environment: Environment,
    id: SessionId,
    /// Whether its agent can still write, as the ledger has it.
    agent: WatchedAgent,
    /// The snapshot that this process took, whatever the repository says of it by now.
    taken: RefCell<Option<String>>,
}

impl Watch {
    /// That of a session; none behind walls.
    pub(super) fn of(environment: &Environment, session: &AgentSession) -> Option<Self> {
        session.started.unwalled.then(|| {
            // The folder itself may be gone; what is above it is in the same repository.
            let folder = Path::new(&session.started.folder);
            let there = folder.ancestors().find(|folder| folder.is_dir()).unwrap_or(folder);
            let agent = if session.agent.is_some() { WatchedAgent::AtWork } else { WatchedAgent::Gone };
            let (environment, id) = (environment.at(there.to_owned()), session.watch_id());
            Self { environment, id, agent, taken: RefCell::new(None) }
        })
    }

    /// Begins it. What is there now is what the repository is compared with.
    pub(super) fn begin(&self, book: &mut Book) -> Result<(), AppError> {
        self.take()?;
        book.act(&Command::RecordWatch)
    }

    /// Takes the snapshot, and remembers which one it is.
    fn take(&self) -> Result<(), AppError> {
        self.with(|baseline| baseline.watch(&self.id))?;
        self.remember()
    }

    fn remember(&self) -> Result<(), AppError> {
        *self.taken.borrow_mut() = self.with(|baseline| baseline.watched_snapshot(&self.id))?;
        Ok(())
    }

    /// Compares, and records what is to be decided. What cannot be compared is to be decided as well.
    pub(super) fn compare(&self, book: &mut Book) -> Result<(), AppError> {
        if book.session().parent != Some(ParentWatch::Stands) {
            return Ok(());
        }
        let found = match self.since() {
            Ok(found) if found.is_clean() => return Ok(()),
            Ok(found) => in_words(&found.drift),
            Err(error) => format!("it could not be compared: {error}"),
        };
        book.act(&Command::RecordParentChange { found: Line::clipped(&found) })
    }

    /// Compares for the last time: the agent has ended. Where nothing changed, nothing is watched any more.
    pub(super) fn close(&self, book: &mut Book) -> Result<(), AppError> {
        self.compare(book)?;
        if book.session().parent != Some(ParentWatch::Stands) {
            // Where that fails, what changes from now on is asked about as well.
            let _ = self.with(|baseline| baseline.note_watched_end(&self.id));
            return Ok(());
        }
        self.end()?;
        book.act(&settled(Some(&Kept::new())))
    }

    /// Takes the person's word: what they keep is how it is to stay, and is compared with from now on. False where something
    /// else changed meanwhile; without what they keep nothing is compared.
    pub(super) fn settle(&self, book: &mut Book, kept: Option<&Kept>) -> Result<bool, AppError> {
        if book.session().state.is_terminal() {
            let is_all = self.end_by_word(kept)?;
            if is_all {
                book.act(&settled(kept))?;
            }
            return Ok(is_all);
        }
        match kept {
            Some(kept) if self.with(|baseline| baseline.watch_again(&self.id, kept))?.is_some() => return Ok(false),
            Some(_) => self.remember()?,
            None => self.take()?,
        }
        // Nobody sees the one without the other.
        book.act_together(&[settled(kept), Command::RecordWatch]).map(|()| true)
    }

    /// Ends it, unless something changed besides what the person keeps, which is false. What they have looked at themselves
    /// is not compared, and may not be found any more.
    fn end_by_word(&self, kept: Option<&Kept>) -> Result<bool, AppError> {
        let Some(kept) = kept else {
            let _ = self.end();
            return Ok(true);
        };
        let is_all = self.since()?.beside(kept).is_empty();
        if is_all {
            self.end()?;
        }
        Ok(is_all)
    }

    fn since(&self) -> Result<Verification, AppError> {
        let taken = self.taken.borrow().clone();
        // Whoever took it looks after the agent to its end.
        let agent = if taken.is_some() { WatchedAgent::AtWork } else { self.agent };
        self.with(|baseline| {
            // Whoever may write to the repository may put another one in its place.
            if taken.is_some() && baseline.watched_snapshot(&self.id)? != taken {
                let why = "the record of how things were was replaced".to_owned();
                return Err(BaselineError::Unreadable { why });
            }
            baseline.since_watched(&self.id, agent)
        })
    }

    fn end(&self) -> Result<(), AppError> {
        self.with(|baseline| baseline.unwatch(&self.id))
    }

    fn with<T>(&self, work: impl FnOnce(&GitBaseline<'_>) -> Result<T, BaselineError>) -> Result<T, AppError> {
        let var = |name: &str| self.environment.var(name);
        let env = RepoEnv { cwd: self.environment.cwd.clone(), var: &var, process: spawner() };
        let opened = open(&env)?;
        let config = Config::load(Some(&opened), &var, &self.environment.account)?;
        let reading = reading(&self.environment, &config)?;
        let clock = GitClock::new(&self.environment);
        let again = || Ok(open(&env).map_err(|error| BaselineError::failed("opening the repository", error))?.repo);
        let baseline = GitBaseline::new(Site::of(&opened), &again, &Programs, reading, &clock).within(PATIENCE);
        Ok(work(&baseline)?)
    }
}

/// That nothing is left to decide, with what the person keeps; without it nothing was compared.
fn settled(kept: Option<&Kept>) -> Command {
    let places = kept.into_iter().flat_map(Kept::keys).map(Spot::place);
    Command::SettleParent { kept: ChangedFiles::new(places), unseen: kept.is_none() }
}

/// What is left to decide besides what the person keeps, in a line; none where nothing is.
fn left_to_decide(found: &Verification, kept: &Kept) -> Option<Line> {
    let open = found.beside(kept);
    (!open.is_empty()).then(|| Line::clipped(&in_words(&open)))
}

/// What changed, in a line.
fn in_words(found: &[Drift]) -> String {
    let mut drift: Vec<&Drift> = found.iter().collect();
    // What the person has to mend themselves, as a hook, is not hidden behind the rest.
    drift.sort_by_key(|drift| drift.stays.is_none());
    let with_change = |drift: &Drift| format!("{} ({})", on_one_line(&drift.spot.place()), drift.change);
    let names: Vec<String> = drift.iter().take(NAMED).map(|drift| with_change(drift)).collect();
    let more = if found.len() > names.len() { ", …" } else { "" };
    format!("{} in the repository: {}{more}", counted(found.len(), "change"), names.join(", "))
}

impl Supervised<'_> {
    /// The watch of a session, where something is to be decided.
    fn undecided(&self, handle: AgentHandle) -> Result<Option<Watch>, AppError> {
        let session = self.reconciled(&self.folder(handle)?)?;
        Ok(match session.parent {
            Some(ParentWatch::Undecided { .. }) => Watch::of(self.environment, &session),
            Some(ParentWatch::Stands) | None => None,
        })
    }

    /// Ends an agent without walls before we write to the repository, so that what we write is not taken for a change of
    /// its; refuses while something is to be decided.
    pub(super) fn unwatched(
        &self,
        folder: &SessionFolder,
        session: &AgentSession,
        deed: &'static str,
    ) -> Result<(), AppError> {
        if !session.started.unwalled {
            return Ok(());
        }
        // A prompt that waits for the decision would keep it from leaving.
        session.need_decided(deed).map_err(|refusal| declined(&refusal))?;
        self.leave(folder)?;
        self.reconciled(folder)?.need_decided(deed).map_err(|refusal| declined(&refusal))
    }
}

impl Supervised<'_> {
    /// Records what was brought back, and no more than that, by the supervisor where there is one.
    fn record_restored(
        &self,
        handle: AgentHandle,
        watch: &Watch,
        shown: &Verification,
        restored: &Restored,
        kept_by_user: &Kept,
    ) -> Result<(), AppError> {
        let found = watch.since()?;
        let folder = self.folder(handle)?;
        let undone = shown.gone_in(&found);
        let places = ChangedFiles::new(undone.iter().map(|drift| drift.spot.place()));
        let left = u32::try_from(shown.drift.len().saturating_sub(undone.len())).unwrap_or(u32::MAX);
        let rest = left_to_decide(&found, kept_by_user);
        let copy = restored.kept.as_deref().map(Line::clipped);
        let asked = Asked::Restored { places: places.clone(), left, copy: copy.clone(), rest: rest.clone() };
        self.has_recorded(&folder, &asked, &Command::RecordRestored { places, left, copy, rest })
    }
}

impl Settling for Supervised<'_> {
    fn parent_since(&self, handle: AgentHandle) -> Result<Option<Verification>, AppError> {
        self.undecided(handle)?.map(|watch| watch.since()).transpose()
    }

    fn parent_difference(&self, handle: AgentHandle, spot: &Spot) -> Result<String, AppError> {
        let Some(watch) = self.undecided(handle)? else { return Ok(String::new()) };
        watch.with(|baseline| baseline.watched_diff(&watch.id, spot))
    }

    fn parent_back(
        &self,
        handle: AgentHandle,
        shown: &Verification,
        kept_by_user: &Kept,
    ) -> Result<Restored, AppError> {
        let Some(watch) = self.undecided(handle)? else { return Ok(Restored::default()) };
        let mut restored = watch.with(|baseline| baseline.bring_back(&watch.id, shown))?;
        // It is done, whatever becomes of the record.
        if restored.kept.is_some()
            && let Err(error) = self.record_restored(handle, &watch, shown, &restored, kept_by_user)
        {
            restored.left.push(format!("the session's log does not tell of this: {error}"));
        }
        Ok(restored)
    }

    fn parent_copy(&self, handle: AgentHandle) -> Result<Option<String>, AppError> {
        let Some(watch) = self.undecided(handle)? else { return Ok(None) };
        let is_there = watch.with(|baseline| baseline.watched_snapshot(&watch.id))?.is_some();
        Ok(is_there.then(|| watch_ref(&watch.id)))
    }

    fn parent_kept(&self, handle: AgentHandle) -> Result<Kept, AppError> {
        let Some(watch) = self.undecided(handle)? else { return Ok(Kept::new()) };
        watch.with(|baseline| baseline.kept_watched(&watch.id))
    }

    fn keep_parent(&self, handle: AgentHandle, kept: &Kept) -> Result<(), AppError> {
        let Some(watch) = self.undecided(handle)? else { return Ok(()) };
        let rest = left_to_decide(&watch.since()?, kept);
        watch.with(|baseline| baseline.keep_watched(&watch.id, kept))?;
        let places = ChangedFiles::new(kept.keys().map(Spot::place));
        let asked = Asked::Kept { places: places.clone(), rest: rest.clone() };
        self.has_recorded(&self.folder(handle)?, &asked, &Command::RecordParentKept { places, rest })
    }

    /// Records the person's word, by the supervisor where there is one.
    fn parent_settled(&self, handle: AgentHandle, kept_by_user: Option<&Kept>) -> Result<bool, AppError> {
        let folder = self.folder(handle)?;
        let asked = Asked::Settled { kept: kept_by_user.map(|kept| kept.clone().into_iter().collect()) };
        if let Some(told) = self.ask(&folder, &asked)? {
            let is_all = told != Told::More;
            return done(told).map(|()| is_all);
        }
        let mut writer = Writer::open(self.folder(handle)?, LEAVES, self.on_disk()?).map_err(kept)?;
        let clock = GitClock::new(self.environment);
        reconciled(&mut writer, &clock)?;
        writer.session().need_undecided("nothing was settled").map_err(|refusal| declined(&refusal))?;
        let is_all = match Watch::of(self.environment, writer.session()) {
            Some(watch) => watch.end_by_word(kept_by_user)?,
            None => true,
        };
        if is_all {
            record(&mut writer, &clock, &settled(kept_by_user))?;
        }
        Ok(is_all)
    }
}
