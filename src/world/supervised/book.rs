//! The ledger of one session in its supervisor's hands: what is decided is appended, and only then done.

use std::path::PathBuf;

use super::errors::{kept, not_written};
use super::named::named;
use super::result::Words;
use crate::app::error::AppError;
use crate::app::ports::Clock as _;
use crate::domain::agents::command::AgentContext;
use crate::domain::agents::media::Media;
use crate::domain::agents::{AgentSession, Command, Record, Refusal, TurnHandle, decide};
use crate::files::fresh::OnDisk;
use crate::files::regular;
use crate::ledger::limits::MOST_TEXT;
use crate::ledger::texts::TurnText;
use crate::ledger::{LedgerError, Writer};
use crate::world::clock::GitClock;

pub(super) struct Book {
    writer: Writer,
    clock: GitClock,
    on_disk: OnDisk,
}

impl Book {
    pub(super) fn new(writer: Writer, clock: GitClock, on_disk: OnDisk) -> Self {
        Self { writer, clock, on_disk }
    }

    /// Whether the ledger is still there.
    pub(super) fn stands(&self) -> bool {
        self.writer.stands()
    }

    /// The same book, with the ledger written again after somebody removed it.
    pub(super) fn written_again(self) -> Result<Self, AppError> {
        Ok(Self { writer: self.writer.written_again().map_err(kept)?, ..self })
    }

    pub(super) fn session(&self) -> &AgentSession {
        self.writer.session()
    }

    pub(super) fn clock(&self) -> &GitClock {
        &self.clock
    }

    /// Records what a command comes to. A refusal is an error: what the supervisor itself wants has to be possible.
    pub(super) fn act(&mut self, command: &Command) -> Result<(), AppError> {
        self.try_act(command)?.map_err(|refusal| kept(LedgerError::Refused(refusal)))
    }

    /// The same for commands that are one deed: nobody sees what the first comes to without the others.
    pub(super) fn act_together(&mut self, commands: &[Command]) -> Result<(), AppError> {
        let refused = |refusal: Refusal| kept(LedgerError::Refused(refusal));
        let now = self.clock.now();
        let mut after = self.session().clone();
        let mut events = Vec::new();
        for command in commands {
            for event in decide(&after, command).map_err(refused)? {
                after.take(&Record::new(after.seq + 1, now, event.clone())).map_err(refused)?;
                events.push(event);
            }
        }
        self.writer.append(now, events).map_err(kept)?;
        Ok(())
    }

    /// The same for what somebody else wants.
    pub(super) fn try_act(&mut self, command: &Command) -> Result<Result<(), Refusal>, AppError> {
        let events = match decide(self.session(), command) {
            Ok(events) => events,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if !events.is_empty() {
            let now = self.clock.now();
            self.writer.append(now, events).map_err(kept)?;
        }
        Ok(Ok(()))
    }

    /// Adds a prompt behind those that wait. Its text is there before the record that names it.
    pub(super) fn queue(
        &mut self,
        turn: TurnHandle,
        prompt: &str,
        media: Vec<Media>,
        context: AgentContext,
    ) -> Result<Result<TurnHandle, Refusal>, AppError> {
        let send = Command::Send { context, media };
        if let Err(refusal) = decide(self.session(), &send) {
            return Ok(Err(refusal));
        }
        self.writer.folder().write_text(turn, TurnText::Prompt, prompt.as_bytes(), self.on_disk).map_err(kept)?;
        Ok(self.try_act(&send)?.map(|()| turn))
    }

    /// The same with the number that is next.
    pub(super) fn add(
        &mut self,
        prompt: &str,
        media: Vec<Media>,
        context: AgentContext,
    ) -> Result<Result<TurnHandle, Refusal>, AppError> {
        match self.session().next_turn() {
            Ok(turn) => self.queue(turn, prompt, media, context),
            Err(refusal) => Ok(Err(refusal)),
        }
    }

    /// The text of a turn's prompt.
    pub(super) fn prompt(&self, turn: TurnHandle) -> Result<String, AppError> {
        let path = self.writer.folder().text_path(turn, TurnText::Prompt);
        regular::text(&path, MOST_TEXT as u64).map_err(|error| not_written("the prompt was not read", &error))
    }

    /// The bytes of copies that go with a prompt; none where one of them is lost.
    pub(super) fn media(&self, media: &[Media]) -> Option<Vec<Vec<u8>>> {
        let is_it = |media: &Media, bytes: &[u8]| named(bytes, media.kind()).as_ref() == Some(media);
        let bytes = |media: &Media| self.writer.folder().media(media).filter(|bytes| is_it(media, bytes));
        media.iter().map(bytes).collect()
    }

    /// Keeps a copy of what the agent made.
    pub(super) fn keep(&self, media: &Media, bytes: &[u8]) -> Result<(), AppError> {
        self.writer.folder().keep_media(media, bytes, self.on_disk).map_err(kept)
    }

    /// The place of a copy.
    pub(super) fn media_path(&self, media: &Media) -> PathBuf {
        self.writer.folder().media_path(media)
    }

    /// What the agent has said in a turn.
    pub(super) fn said(&self, turn: TurnHandle) -> Option<String> {
        regular::text(self.writer.folder().text_path(turn, TurnText::Result), MOST_TEXT as u64).ok()
    }

    /// The place for what the agent says in a turn.
    pub(super) fn words(&self, turn: TurnHandle) -> Result<Words, AppError> {
        let path = self.writer.folder().text_path(turn, TurnText::Result);
        Words::begin(&path).map_err(|error| not_written("what the agent says cannot be kept", &error))
    }
}
