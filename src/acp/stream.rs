//! The agent's streams, each with a thread of its own: no end of a pipe that is full or silent stops anybody else.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use super::limits::{LONGEST_LINE, MOST_WAITING};

pub(super) enum Heard {
    /// A line, without its end.
    Line(Vec<u8>),
    /// A line that is longer than any message; it was dropped.
    TooLong,
}

/// Reads lines until the end of the stream; then the channel is closed.
pub(super) fn listen(from: Box<dyn Read + Send>) -> Receiver<Heard> {
    let (told, heard) = sync_channel(MOST_WAITING);
    std::thread::spawn(move || {
        let mut from = BufReader::new(from);
        while let Some(line) = line(&mut from, LONGEST_LINE) {
            if told.send(line).is_err() {
                return;
            }
        }
    });
    heard
}

/// The next line; a stream that cannot be read has ended.
fn line(from: &mut impl BufRead, longest: usize) -> Option<Heard> {
    let mut line = Vec::new();
    let mut dropped = false;
    loop {
        let piece = match from.fill_buf() {
            Ok(piece) => piece,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => return None,
        };
        if piece.is_empty() {
            let nothing = line.is_empty() && !dropped;
            return (!nothing).then_some(if dropped { Heard::TooLong } else { Heard::Line(line) });
        }
        let end = memchr::memchr(b'\n', piece);
        let taken = end.unwrap_or(piece.len());
        if line.len() + taken > longest {
            dropped = true;
            line = Vec::new();
        } else if !dropped {
            line.extend_from_slice(&piece[..taken]);
        }
        from.consume(end.map_or(taken, |end| end + 1));
        if end.is_some() {
            return Some(if dropped { Heard::TooLong } else { Heard::Line(line) });
        }
    }
}

/// The last lines of the agent's standard error.
#[derive(Clone, Default)]
pub(super) struct Tail(Arc<Mutex<VecDeque<String>>>);

impl Tail {
    const MOST: usize = 40;
    const LONGEST: usize = 4096;

    /// Keeps the last lines of a stream.
    pub(super) fn of(from: Box<dyn Read + Send>) -> Self {
        let tail = Self::default();
        let kept = tail.clone();
        std::thread::spawn(move || {
            let mut from = BufReader::new(from);
            while let Some(line) = line(&mut from, Self::LONGEST) {
                if let Heard::Line(line) = line {
                    kept.keep(String::from_utf8_lossy(&line).trim_end().to_owned());
                }
            }
        });
        tail
    }

    fn keep(&self, line: String) {
        if line.trim().is_empty() {
            return;
        }
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.push_back(line);
        if lines.len() > Self::MOST {
            lines.pop_front();
        }
    }

    /// The lines that are kept, the oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8], longest: usize) -> Vec<Option<Vec<u8>>> {
        let mut from = BufReader::with_capacity(3, bytes);
        std::iter::from_fn(|| line(&mut from, longest))
            .map(|heard| match heard {
                Heard::Line(line) => Some(line),
                Heard::TooLong => None,
            })
            .collect()
    }

    #[test]
    fn a_line_that_is_too_long_is_dropped_whole_and_the_next_one_is_read() {
        let some = |text: &str| Some(text.as_bytes().to_vec());
        assert_eq!(lines(b"ab\n\n1234567890\ncd", 5), [some("ab"), some(""), None, some("cd")]);
        assert_eq!(lines(b"1234567890", 5), [None]);
        assert_eq!(lines(b"", 5), Vec::<Option<Vec<u8>>>::new());
        assert_eq!(lines(b"12345\n", 5), [some("12345")]);
    }

    #[test]
    fn a_flood_waits_in_its_own_pipe() {
        struct Flood(Arc<Mutex<usize>>);
        impl Read for Flood {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                *self.0.lock().unwrap() += buffer.len();
                buffer.fill(b'\n');
                Ok(buffer.len())
            }
        }
        let read = Arc::new(Mutex::new(0));
        let heard = listen(Box::new(Flood(read.clone())));
        std::thread::sleep(std::time::Duration::from_millis(30));
        assert!(*read.lock().unwrap() < 100_000, "it is read only as fast as it is listened to");
        drop(heard);
    }
}
