//! Taking back what an output phase wrote, and telling where that ended half-way (G31).

use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::ids::{ObjectId, SessionId};
use crate::domain::production::{self, Undo};
use crate::domain::session::Session;
use crate::domain::undoing::{TakesBack, WrittenPhase};

use super::context::{Context, no_working_tree};
use super::dispatcher::Envelope;
use super::error::AppError;
use super::ports::TargetFiles;
use super::reply::Reply;

impl Context<'_> {
    /// Takes back what the output phase of this number wrote, or the newest one.
    pub fn undo(&mut self, id: &SessionId, wanted: Option<u64>) -> Result<Reply, AppError> {
        let Some(targets) = self.targets else {
            return Err(no_working_tree());
        };
        self.tidy(&self.dispatcher.store.load(id)?.session);
        let phase = match self.dispatcher.put_back(id, wanted, targets)? {
            TakesBack::Phase(phase) => phase,
            TakesBack::Nothing(nothing) => {
                return Ok(Reply::nothing_undone(self.dispatcher.store.load(id)?.session, nothing));
            }
        };
        // They stand as they stood before they were expected otherwise.
        if let Err(error) = self.expect_undone(id, &phase.files) {
            self.voice.warn(&error);
        }
        // Noted last: whoever dies before can take it back once more.
        let command: Command = production::Command::RecordUndone { round: phase.round }.into();
        let outcome = self.dispatcher.handle(id, &Envelope { actor: Actor::System, command })?;
        targets.end_back();
        self.recorded(&outcome);
        Ok(Reply::Undone {
            older: outcome.after.written_phases().into_iter().find(|older| older.round < phase.round),
            outcome: Box::new(outcome),
            paths: phase.files.into_iter().map(|file| file.path).collect(),
            nothing: None,
        })
    }
}

/// The output phase that somebody began to take back, if some of its files are restored and the session lists them as
/// written. `blob` names bytes as git does.
pub fn half_taken_back(
    session: &Session,
    files: &dyn TargetFiles,
    blob: impl Fn(&[u8]) -> Option<ObjectId>,
) -> Option<WrittenPhase> {
    let round = files.begun_back(&session.id)?;
    let phase = session.written_phases().into_iter().find(|phase| phase.round == round)?;
    let is_back = |file: &Undo| match files.read(&file.path) {
        Ok(None) => file.replaced.is_none(),
        Ok(Some(text)) => file.replaced.is_some() && blob(text.as_bytes()) == file.replaced,
        Err(_) => false,
    };
    phase.files.iter().any(is_back).then_some(phase)
}
