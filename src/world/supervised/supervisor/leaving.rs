//! The end of a supervisor: its agent is ended first, and the ledger is left as it stands then.

use crate::app::error::AppError;
use crate::domain::agents::changed::ChangedFiles;
use crate::domain::agents::failure::{Failure, FailureCode};
use crate::domain::agents::{Command, TurnHandle};
use crate::domain::text::Line;
use crate::ledger::LedgerError;
use crate::sandbox::end_orphans;
use crate::world::supervised::book::Book;
use crate::world::supervised::copy::Copy;
use crate::world::supervised::errors::kept;
use crate::world::supervised::socket::Socket;

use super::{Over, Supervisor};

impl Supervisor<'_> {
    /// Ends the agent, and leaves the ledger as it stands then.
    pub(in super::super) fn end(self, over: Result<Over, AppError>, socket: Socket) -> Result<(), AppError> {
        let Self { mut book, lent, copy, watch, .. } = self;
        // It goes before the ledger is let go, however this ends.
        let _socket = socket;
        // Whatever came of the work, the agent is ended first, and what it detached.
        lent.end();
        end_orphans();
        let over = if book.stands() {
            over?
        } else {
            book = again(book)?;
            Over::Ended
        };
        note_changes(&mut book, copy.as_ref())?;
        if let Some(watch) = watch {
            watch.close(&mut book)?;
        }
        if book.session().agent.is_some() {
            book.act(&Command::RecordEnd)?;
        }
        if matches!(over, Over::Leaves) {
            // Nobody sends them any more.
            let waiting: Vec<TurnHandle> = book.session().queue().map(|turn| turn.handle).collect();
            for turn in waiting {
                book.act(&Command::CancelTurn { turn })?;
            }
        }
        book.act(&Command::Leave)
    }
}

/// Records what the agent has changed by now, or that it cannot be read. Why not is told when somebody asks for it.
pub(super) fn note_changes(book: &mut Book, copy: Option<&Copy>) -> Result<(), AppError> {
    match copy.map(Copy::changed) {
        Some(Ok(files)) => book.act(&Command::RecordChanges { files }),
        // Before there is a copy there is nothing to read.
        Some(Err(_)) if book.session().proof.is_some() => {
            book.act(&Command::RecordChanges { files: ChangedFiles::unread() })
        }
        Some(Err(_)) | None => Ok(()),
    }
}

/// The book of an agent that could write to the repository, and removed its record with what is to be decided: it is written
/// again. Behind walls it was somebody else, who wanted it gone.
fn again(book: Book) -> Result<Book, AppError> {
    let handle = book.session().started.handle;
    if !book.session().started.unwalled {
        return Err(kept(LedgerError::Gone { handle }));
    }
    let mut book = book.written_again()?;
    let why = Line::clipped("its record in the git directory was removed while it ran, so the agent was ended");
    if !book.session().state.is_terminal() {
        book.act(&Command::Fail { failure: Failure { code: FailureCode::LedgerGone, why } })?;
    }
    Ok(book)
}
