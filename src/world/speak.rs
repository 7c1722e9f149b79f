//! The one writer: everything that the program says goes through here, and survives a reader that goes away.

use std::io::{self, Write};

use console::Term;

use crate::app::context::{At, Voice};
use crate::app::error::AppError;
use crate::app::reply::{Progress, Reply};
use crate::domain::actor::Actor;
use crate::domain::harmless::harmless;
use crate::domain::session::Session;
use crate::render::{self, Asked, Look};

use super::environment::Environment;
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

/// The stream on which replies within a conversation are said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stream {
    Out,
    Err,
}

impl Stream {
    /// Standard error where a program reads one object from standard output, and where the person is asked on a terminal
    /// that standard output does not lead to: what a question is about would come after it, or not at all.
    fn of(form: Form, actor: &Actor, prompts: Result<(), &'static str>) -> Self {
        let is_asked = match actor {
            Actor::Human | Actor::Unattended => prompts.is_ok(),
            Actor::Agent(_) | Actor::System => false,
        };
        match form {
            Form::Text if !is_asked || Environment::stdout_is_terminal() => Self::Out,
            Form::Text | Form::Json | Form::Tool | Form::Porcelain => Self::Err,
        }
    }

    fn window(self) -> Term {
        match self {
            Self::Out => Term::stdout(),
            Self::Err => Term::stderr(),
        }
    }
}

/// Speaks to the terminal while a conversation goes on.
pub(super) struct TerminalVoice {
    stream: Stream,
    /// How replies look within it.
    pub look: Look,
    pub error_look: Look,
    /// Shows what is taller than the window.
    pub pager: Pager,
    pub warned: Vec<String>,
}

impl TerminalVoice {
    /// For this caller, who can be asked at the terminal or cannot.
    pub(super) fn new(
        form: Form,
        (actor, prompts): (&Actor, Result<(), &'static str>),
        colours: Painting,
        pager: Pager,
    ) -> Self {
        let stream = Stream::of(form, actor, prompts);
        let look = match (form, stream) {
            (Form::Text, Stream::Out) => colours.out(Asked::ByPrompt, Shown::AtOnce),
            (Form::Text, Stream::Err) => Look { asked: Asked::ByPrompt, ..colours.err() },
            (Form::Json | Form::Tool | Form::Porcelain, Stream::Out | Stream::Err) => colours.err(),
        };
        Self { stream, look, error_look: colours.err(), pager, warned: Vec::new() }
    }
}

impl Voice for TerminalVoice {
    fn say(&mut self, reply: &Reply) -> Result<(), AppError> {
        let window = self.stream.window();
        let text = apart(&reply_text(reply, &self.look, &window, render::USUAL_COLUMNS));
        match self.stream {
            Stream::Err => {
                err(&text);
                return Ok(());
            }
            // What fits stays on the screen, above the prompt that follows.
            Stream::Out if !is_taller(&text, window.size_checked()) => return out(&text),
            Stream::Out => {}
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
            At::Reply => (&self.look, self.stream.window()),
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

/// A reply as it is shown in a window: broken between words for a reader, at `usual` columns where it does not tell.
pub(super) fn reply_text(reply: &Reply, look: &Look, window: &Term, usual: usize) -> String {
    if look.terminal {
        render::reply_folded(reply, look, columns(window, look).unwrap_or(usual))
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
    fn a16_what_a_program_reads_is_not_mixed_and_who_cannot_be_asked_hears_all_on_standard_output() {
        let agent = Actor::Agent("codex".to_owned());
        for (form, actor, prompts, stream) in [
            (Form::Json, &Actor::Human, Ok(()), Stream::Err),
            (Form::Tool, &agent, Err("this runs under codex"), Stream::Err),
            (Form::Text, &agent, Ok(()), Stream::Out),
            (Form::Text, &Actor::Unattended, Err("stderr is not a terminal"), Stream::Out),
        ] {
            assert_eq!(Stream::of(form, actor, prompts), stream, "{form:?} {actor:?}");
        }
    }

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
