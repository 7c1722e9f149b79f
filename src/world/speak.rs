//! The one writer: everything that the program says goes through here, and survives a reader that goes away.

use std::io::{self, Write};

use console::Term;

use crate::app::context::{At, Voice};
use crate::app::error::AppError;
use crate::app::reply::{Progress, Reply};
use crate::domain::harmless::harmless;
use crate::domain::session::Session;
use crate::render::{self, Asked, Look};

use super::pager::Pager;
use super::painting::{Painting, Shown};
use super::request::Form;

pub(super) fn out(text: &str) -> Result<(), AppError> {
    write(&mut io::stdout().lock(), text)
}

/// Writes to standard error. That nobody reads it is no reason to fail.
pub(super) fn err(text: &str) {
    let _ = write(&mut io::stderr().lock(), text);
}

/// Writes to standard error a text in which foreign names may stand, without colours.
pub(super) fn naming(text: &str) {
    err(&harmless(text));
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
    /// What standard output is for: where it is for a program, which reads one object there, nothing else is said there.
    pub form: Form,
    /// How replies look within it.
    pub look: Look,
    pub error_look: Look,
    /// Shows what is taller than the window.
    pub pager: Pager,
    pub warned: Vec<String>,
}

impl TerminalVoice {
    pub(super) fn new(form: Form, colours: Painting, pager: Pager) -> Self {
        let look = match form {
            Form::Text => colours.out(Asked::ByPrompt, Shown::AtOnce),
            Form::Json | Form::Tool | Form::Porcelain => colours.err(),
        };
        Self { form, look, error_look: colours.err(), pager, warned: Vec::new() }
    }
}

impl Voice for TerminalVoice {
    fn say(&mut self, reply: &Reply) -> Result<(), AppError> {
        let text = apart(&reply_text(reply, &self.look, render::USUAL_COLUMNS));
        if self.form != Form::Text {
            err(&text);
            return Ok(());
        }
        // What fits stays on the screen, above the prompt that follows.
        if !is_taller(&text, Term::stdout().size_checked()) {
            return out(&text);
        }
        match self.pager.command(reply) {
            Some(command) => self.pager.show(&command, &text),
            None => out(&text),
        }
    }

    fn warn(&mut self, error: &AppError) {
        let text = render::warning_text(error, &self.error_look);
        if !self.warned.contains(&text) {
            err(&text);
            self.warned.push(text);
        }
    }

    fn progress(&mut self, step: &Progress) {
        err(&render::progress_text(step, &self.error_look));
    }

    fn complain(&mut self, error: &AppError) -> Result<(), AppError> {
        err(&apart(&error_text(error, &self.error_look)));
        Ok(())
    }

    fn status_line(&self, session: &Session) -> String {
        // The last column stays free, as in everything that a prompt draws.
        let columns = columns(&Term::stderr(), &self.error_look).unwrap_or(render::USUAL_COLUMNS);
        render::status_line(session, columns.saturating_sub(1))
    }

    fn prose(&self, markdown: &str, beside: usize, at: At) -> Vec<String> {
        let (look, window) = match at {
            At::Prompt => (&self.error_look, Term::stderr()),
            At::Reply => (&self.look, Term::stdout()),
        };
        let columns = columns(&window, look).unwrap_or(render::USUAL_COLUMNS);
        render::prose(markdown, look, columns.saturating_sub(beside + 1))
    }
}

fn is_taller(text: &str, window: Option<(u16, u16)>) -> bool {
    let Some((rows, columns)) = window else { return false };
    let columns = usize::from(columns).max(1);
    let needed: usize = text.lines().map(|line| crate::text::columns::width(line).div_ceil(columns).max(1)).sum();
    needed > usize::from(rows)
}

/// A reply as it is shown there: broken between words for a reader, at `usual` columns where the window does not tell.
pub(super) fn reply_text(reply: &Reply, look: &Look, usual: usize) -> String {
    if look.terminal {
        render::reply_folded(reply, look, columns(&Term::stdout(), look).unwrap_or(usual))
    } else {
        render::reply_text(reply, look)
    }
}

pub(super) fn error_text(error: &AppError, look: &Look) -> String {
    match columns(&Term::stderr(), look) {
        Some(columns) => render::error_folded(error, look, columns),
        None => render::error_text(error, look),
    }
}

/// The width of the terminal now, if it is one that tells.
fn columns(term: &Term, look: &Look) -> Option<usize> {
    let (_, columns) = term.size_checked().filter(|_| look.terminal)?;
    Some(usize::from(columns)).filter(|columns| *columns > 0)
}

/// With one blank line behind it, so that the prompt that follows stands apart; nothing where nothing is said.
fn apart(text: &str) -> String {
    match text.trim_end_matches('\n') {
        "" => String::new(),
        said => format!("{said}\n\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_ends_with_one_blank_line() {
        assert_eq!(apart("one\n"), "one\n\n");
        assert_eq!(apart("one\n\n\n"), "one\n\n");
        assert_eq!(apart("\n"), "");
    }

    #[test]
    fn a_text_is_taller_when_its_long_lines_are_counted() {
        assert!(!is_taller("one\ntwo\n", Some((2, 10))));
        assert!(is_taller("one\ntwo two two\n", Some((2, 10))));
        assert!(is_taller("1\n\n3\n", Some((2, 10))));
        assert!(!is_taller("1\n\n3\n", None), "a window that does not tell has no height");
    }
}
