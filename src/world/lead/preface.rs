//! What is said of a run before its agent begins: what it goes without, such as a private layer that cannot be mounted. It
//! comes on the agent's standard error, where nobody would see it, and only until the line that parts it from what the agent
//! says: no agent can add to it.

use std::io::{self, BufRead as _, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};

use crate::world::run::BEGINS;

/// The longest line that is looked at whole.
const LONGEST: u64 = 16 * 1024;

/// What was said so far, until somebody takes it.
#[derive(Clone, Default)]
pub(super) struct Said(Arc<Mutex<Vec<String>>>);

impl Said {
    pub(super) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn push(&self, sentence: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(sentence);
    }
}

/// A stream without its preface. Whatever else comes before the line is handed on: why no agent began.
pub(super) struct Preface<R> {
    from: BufReader<R>,
    said: Said,
    /// Bytes that were looked at, to be handed on.
    waiting: Vec<u8>,
    is_over: bool,
}

impl<R: Read> Preface<R> {
    pub(super) fn of(from: R, said: Said) -> Self {
        Self { from: BufReader::new(from), said, waiting: Vec::new(), is_over: false }
    }

    fn look(&mut self) -> io::Result<()> {
        let mut line = Vec::new();
        let read = self.from.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
        let text = String::from_utf8_lossy(&line).trim_end().to_owned();
        if read == 0 || text == BEGINS {
            self.is_over = true;
        } else if let Some(sentence) = text.strip_prefix("warning: ") {
            self.said.push(sentence.to_owned());
        } else {
            self.waiting = line;
        }
        Ok(())
    }
}

impl<R: Read> Read for Preface<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while !self.is_over && self.waiting.is_empty() {
            self.look()?;
        }
        if self.waiting.is_empty() {
            return self.from.read(into);
        }
        let taken = self.waiting.len().min(into.len());
        into[..taken].copy_from_slice(&self.waiting[..taken]);
        self.waiting.drain(..taken);
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_the_line_is_taken_and_the_rest_handed_on() {
        for (whole, said, rest) in [
            (
                format!("warning: ~/.codex stays read-only\nwarning: b\n{BEGINS}\nwarning: mine\n{BEGINS}\n"),
                vec!["~/.codex stays read-only", "b"],
                format!("warning: mine\n{BEGINS}\n"),
            ),
            (format!("{BEGINS}\nhello"), vec![], "hello".to_owned()),
            // No agent began.
            ("warning: a\nerror: b\nhint: c\n".to_owned(), vec!["a"], "error: b\nhint: c\n".to_owned()),
            (String::new(), vec![], String::new()),
        ] {
            let heard = Said::default();
            let mut handed_on = String::new();
            Preface::of(whole.as_bytes(), heard.clone()).read_to_string(&mut handed_on).unwrap();
            assert_eq!((heard.take(), handed_on), (said.into_iter().map(str::to_owned).collect(), rest), "{whole:?}");
        }
    }
}
