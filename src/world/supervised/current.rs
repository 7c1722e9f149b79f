//! The ledger of a session as it is now: where its supervisor died, whoever comes next brings it into a state that is true
//! (A10).

use std::time::Duration;

use super::errors::{declined, kept};
use super::{LEAVES, Supervised, known};
use crate::app::error::AppError;
use crate::app::ports::Clock as _;
use crate::domain::agents::reconcile::{Presence, reconcile};
use crate::domain::agents::{AgentSession, Command, decide};
use crate::files::patience::until;
use crate::ledger::reader::{Ledger, read};
use crate::ledger::{LedgerError, SessionFolder, Writer};
use crate::world::clock::GitClock;
use crate::world::run::sweep_scratch;

impl Supervised<'_> {
    /// The session as it is now. Where its supervisor's process is gone, the ledger is told so first.
    pub(super) fn reconciled(&self, folder: &SessionFolder) -> Result<AgentSession, AppError> {
        match self.current(folder)? {
            Some(ledger) => Ok(ledger.session),
            None => Err(kept(LedgerError::Empty { handle: folder.handle() })),
        }
    }

    /// [`Supervised::reconciled`] with all that its ledger tells; none where nothing stands in it yet.
    pub(super) fn current(&self, folder: &SessionFolder) -> Result<Option<Ledger>, AppError> {
        let ledger = match read(folder) {
            Ok(ledger) => ledger,
            Err(LedgerError::Empty { .. }) => return Ok(None),
            Err(error) => return Err(kept(error)),
        };
        let is_gone = |process| known::presence(process) == Presence::Gone;
        if ledger.newer.is_some() || !ledger.session.supervisor.as_ref().is_some_and(is_gone) {
            return Ok(Some(ledger));
        }
        match Writer::open(self.folder(folder.handle())?, Duration::ZERO, self.on_disk()?) {
            Ok(mut writer) => {
                reconciled(&mut writer, &GitClock::new(self.environment))?;
                sweep_scratch(self.environment);
                Ok(Some(Ledger { session: writer.session().clone(), ..ledger }))
            }
            // Somebody else is just doing it.
            Err(LedgerError::Busy { .. }) => Ok(Some(ledger)),
            Err(error) => Err(kept(error)),
        }
    }

    /// Records what a command comes to, where no supervisor is there.
    pub(super) fn act(&self, folder: &SessionFolder, command: &Command) -> Result<(), AppError> {
        let mut writer = Writer::open(self.folder(folder.handle())?, LEAVES, self.on_disk()?).map_err(kept)?;
        let clock = GitClock::new(self.environment);
        reconciled(&mut writer, &clock)?;
        record(&mut writer, &clock, command)
    }
}

/// Records what a command comes to.
pub(super) fn record(writer: &mut Writer, clock: &GitClock, command: &Command) -> Result<(), AppError> {
    let events = decide(writer.session(), command).map_err(|refusal| declined(&refusal))?;
    if !events.is_empty() {
        writer.append(clock.now(), events).map_err(kept)?;
    }
    Ok(())
}

/// Brings a ledger into a state that is true, where its supervisor died.
pub(super) fn reconciled(writer: &mut Writer, clock: &GitClock) -> Result<(), AppError> {
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
