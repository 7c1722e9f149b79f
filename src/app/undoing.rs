//! Taking back what an output phase wrote (G31).

use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::ids::SessionId;
use crate::domain::production;
use crate::domain::undoing::TakesBack;

use super::desk::{Desk, no_working_tree};
use super::dispatcher::Envelope;
use super::error::AppError;
use super::reply::Reply;

impl Desk<'_> {
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
        self.recorded(&outcome);
        Ok(Reply::Undone {
            older: outcome.after.written_phases().into_iter().find(|older| older.round < phase.round),
            outcome: Box::new(outcome),
            paths: phase.files.into_iter().map(|file| file.path).collect(),
            nothing: None,
        })
    }
}
