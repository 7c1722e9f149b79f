//! The one writer: everything that the program says goes through here, and survives a reader that goes away.

use std::io::{self, Write};

use crate::app::desk::Voice;
use crate::app::error::AppError;
use crate::app::reply::Reply;
use crate::domain::session::Session;
use crate::render::{self, Look};

/// Writes to standard output.
pub(super) fn out(text: &str) -> Result<(), AppError> {
    write(&mut io::stdout().lock(), text)
}

/// Writes to standard error. That nobody reads it is no reason to fail.
pub(super) fn err(text: &str) {
    let _ = write(&mut io::stderr().lock(), text);
}

fn write(stream: &mut impl Write, text: &str) -> Result<(), AppError> {
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(AppError::ReaderGone),
        Err(error) => Err(super::failure::failed("io", "the output could not be written", &error, None)),
    }
}

/// Speaks to the terminal while a conversation goes on.
pub(super) struct TerminalVoice {
    /// How replies look within it.
    pub look: Look,
    /// How errors look.
    pub error_look: Look,
}

impl Voice for TerminalVoice {
    fn say(&mut self, reply: &Reply) -> Result<(), AppError> {
        out(&render::reply_text(reply, &self.look))
    }

    fn complain(&mut self, error: &AppError) -> Result<(), AppError> {
        err(&render::error_text(error, &self.error_look));
        Ok(())
    }

    fn status_line(&self, session: &Session) -> String {
        render::status_line(session)
    }
}
