//! The agent's streams, each with a thread of its own: no end of a pipe that is full or silent stops anybody else.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::limits::{LONGEST_LINE, MOST_WAITING, MOST_WAITING_BYTES};
use super::rawlog::RawLog;

pub(super) enum Heard {
    /// A line, without its end.
    Line(Vec<u8>),
    /// A line that is longer than any message; it was dropped.
    TooLong,
}

/// The lines that wait to be taken: bounded in number and in bytes.
pub(super) struct Lines {
    heard: Receiver<Heard>,
    room: Arc<Room>,
    /// The bytes of the line that was taken last. They count until the next one is asked for.
    taken: usize,
    /// The bytes of all lines that were taken.
    all: u64,
}

/// Reads lines until the end of the stream; then nothing more waits.
pub(super) fn listen(from: Box<dyn Read + Send>) -> Lines {
    let (told, heard) = sync_channel(MOST_WAITING);
    let room = Arc::new(Room::default());
    let wanted = Arc::clone(&room);
    std::thread::spawn(move || {
        let mut from = BufReader::new(from);
        while let Some(heard) = line(&mut from, LONGEST_LINE) {
            if !wanted.take(heard.bytes()) || told.send(heard).is_err() {
                return;
            }
        }
    });
    Lines { heard, room, taken: 0, all: 0 }
}

impl Lines {
    /// The next line, waited for at most this long.
    pub(super) fn recv_timeout(&mut self, within: Duration) -> Result<Heard, RecvTimeoutError> {
        self.room.give(std::mem::take(&mut self.taken));
        let heard = self.heard.recv_timeout(within)?;
        self.taken = heard.bytes();
        self.all += self.taken as u64;
        Ok(heard)
    }

    /// The bytes of all lines that were taken.
    pub(super) fn bytes(&self) -> u64 {
        self.all
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.room.close();
    }
}

impl Heard {
    fn bytes(&self) -> usize {
        match self {
            Self::Line(line) => line.len(),
            Self::TooLong => 0,
        }
    }
}

/// Room for lines that wait.
#[derive(Default)]
struct Room {
    held: Mutex<Held>,
    freed: Condvar,
}

#[derive(Default)]
struct Held {
    bytes: usize,
    /// Whether a line waits for room.
    waited_for: bool,
    /// Whether nobody wants any more.
    closed: bool,
}

impl Room {
    /// Waits until there is room for a line; whether anybody still wants it.
    fn take(&self, bytes: usize) -> bool {
        let mut held = self.held();
        // The longest line fits in where nothing else waits.
        while !held.closed && held.bytes + bytes > MOST_WAITING_BYTES {
            held.waited_for = true;
            held = self.freed.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
        held.waited_for = false;
        held.bytes += bytes;
        !held.closed
    }

    fn give(&self, bytes: usize) {
        let mut held = self.held();
        held.bytes -= bytes;
        if held.waited_for {
            self.freed.notify_one();
        }
    }

    fn close(&self) {
        self.held().closed = true;
        self.freed.notify_one();
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
            // What waits takes no more than what is counted.
            line.shrink_to_fit();
            return Some(if dropped { Heard::TooLong } else { Heard::Line(line) });
        }
    }
}

/// The last lines of the agent's standard error.
pub(super) struct Tail {
    kept: Arc<Mutex<VecDeque<String>>>,
    /// Closed once the stream has ended.
    ends: Receiver<()>,
}

/// So long the end of an agent's standard error is waited for once it has gone: another process may still have it open.
const LAST_WORDS: Duration = Duration::from_secs(2);

impl Tail {
    const MOST: usize = 40;
    const LONGEST: usize = 4096;

    /// Keeps the last lines of a stream, and notes each in the log.
    pub(super) fn of(from: Box<dyn Read + Send>, log: Option<RawLog>) -> Self {
        let kept = Arc::<Mutex<VecDeque<String>>>::default();
        let into = Arc::clone(&kept);
        let (ended, ends) = sync_channel::<()>(0);
        std::thread::spawn(move || {
            let mut from = BufReader::new(from);
            while let Some(heard) = line(&mut from, Self::LONGEST) {
                let noted: &[u8] = match &heard {
                    Heard::Line(line) => line.as_slice(),
                    Heard::TooLong => b"(a line that is too long)",
                };
                if let Some(log) = &log {
                    log.note("!", noted);
                }
                if let Heard::Line(line) = heard {
                    Self::keep(&into, String::from_utf8_lossy(&line).trim_end().to_owned());
                }
            }
            drop(ended);
        });
        Self { kept, ends }
    }

    fn keep(into: &Mutex<VecDeque<String>>, line: String) {
        if line.trim().is_empty() {
            return;
        }
        let mut lines = into.lock().unwrap_or_else(PoisonError::into_inner);
        lines.push_back(line);
        if lines.len() > Self::MOST {
            lines.pop_front();
        }
    }

    /// The lines that are kept, the oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// The same of an agent that has gone: all that it said, as its output may end before its last words are read.
    pub(super) fn last_lines(&self) -> Vec<String> {
        // Nothing is ever sent: it is closed, or somebody else has it open.
        let _ = self.ends.recv_timeout(LAST_WORDS);
        self.lines()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::SeqCst;

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

    /// Waits for a condition, with a far limit.
    fn until(what: &str, condition: impl Fn() -> bool) {
        for _ in 0..60_000 {
            if condition() {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("{what} did not come about");
    }

    const MIB: usize = 1024 * 1024;

    /// Lines of this length, so many bytes in all, and how many of them were read.
    struct Flood {
        line: usize,
        all: usize,
        read: Arc<AtomicUsize>,
    }

    impl Read for Flood {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let read = self.read.load(SeqCst);
            let rest = self.line - read % self.line;
            let given = buffer.len().min(rest).min(self.all - read);
            buffer[..given].fill(b'x');
            if given == rest {
                buffer[given - 1] = b'\n';
            }
            self.read.store(read + given, SeqCst);
            Ok(given)
        }
    }

    #[test]
    fn a5_a_flood_of_long_lines_waits_in_its_own_pipe() {
        const ALL: usize = 300 * MIB;
        let read = Arc::new(AtomicUsize::new(0));
        let mut lines = listen(Box::new(Flood { line: MIB, all: ALL, read: Arc::clone(&read) }));
        let mut taken = 0;
        while taken < ALL {
            until("a line that waits for room", || lines.room.held().waited_for || read.load(SeqCst) == ALL);
            let ahead = read.load(SeqCst) - taken;
            // What waits, the line that is just being read, and a buffer.
            assert!(ahead <= MOST_WAITING_BYTES + 2 * MIB, "{ahead} bytes are held");
            match lines.recv_timeout(Duration::from_mins(1)) {
                Ok(Heard::Line(line)) => taken += line.len() + 1,
                Ok(Heard::TooLong) => panic!("no line is too long"),
                Err(error) => panic!("after {taken} bytes: {error}"),
            }
        }
        assert!(lines.recv_timeout(Duration::from_mins(1)).is_err(), "all was read");
        assert_eq!(lines.bytes(), (ALL - ALL / MIB) as u64);
    }

    #[test]
    fn a_flood_of_short_lines_waits_too_and_ends_with_whoever_listens() {
        for (line, most) in [(1, MOST_WAITING + 2), (MIB, MOST_WAITING_BYTES + 2 * MIB)] {
            let read = Arc::new(AtomicUsize::new(0));
            let lines = listen(Box::new(Flood { line, all: usize::MAX, read: Arc::clone(&read) }));
            until("a flood", || read.load(SeqCst) > 0);
            drop(lines);
            // The thread lets go of its end of the pipe.
            until("the end of the thread", || Arc::strong_count(&read) == 1);
            assert!(read.load(SeqCst) <= most, "it is read only as fast as it is listened to");
        }
    }
}
