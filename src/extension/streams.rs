//! The streams of an extension, each with its own thread, so that a full or silent pipe blocks nothing else. Each
//! thread ends with its stream, or when its messages are no longer needed.

use std::io::{BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Lines that wait to be read. A faster extension waits in its own pipe, so a flood costs no memory.
const MOST_UNHEARD: usize = 16;
/// Lines that wait to be written to an extension that does not read.
pub(super) const MOST_UNREAD: usize = 256;

/// A line that was read.
pub(super) enum Heard {
    /// A line, without its end.
    Line(Vec<u8>),
    /// A line that is too long; nothing is read after it.
    TooLong,
}

/// Reads lines until the end of the stream; then the channel is closed.
pub(super) fn listen(from: Box<dyn Read + Send>, longest: usize) -> Receiver<Heard> {
    let (told, heard) = sync_channel(MOST_UNHEARD);
    std::thread::spawn(move || {
        let mut from = BufReader::new(from);
        while let Some(line) = line(&mut from, longest) {
            let last = matches!(line, Heard::TooLong);
            if told.send(line).is_err() || last {
                return;
            }
        }
    });
    heard
}

/// The next line; a stream that cannot be read has ended.
fn line(from: &mut impl BufRead, longest: usize) -> Option<Heard> {
    let mut line = Vec::new();
    let most = u64::try_from(longest).unwrap_or(u64::MAX).saturating_add(1);
    let read = from.take(most).read_until(b'\n', &mut line).ok()?;
    if line.last() == Some(&b'\n') {
        line.pop();
        return Some(Heard::Line(line));
    }
    match read {
        0 => None,
        read if read > longest => Some(Heard::TooLong),
        _ => Some(Heard::Line(line)),
    }
}

/// Writes what is sent, in order, and closes the stream when the sender is gone. An extension that went away is noticed
/// where it is listened to.
pub(super) fn speak(mut to: Box<dyn Write + Send>) -> SyncSender<Vec<u8>> {
    let (queue, waiting) = sync_channel::<Vec<u8>>(MOST_UNREAD);
    std::thread::spawn(move || {
        while let Ok(bytes) = waiting.recv() {
            if to.write_all(&bytes).and_then(|()| to.flush()).is_err() {
                return;
            }
        }
    });
    queue
}

/// The end of an extension's standard error.
pub(super) struct Tail {
    kept: Arc<Mutex<Vec<u8>>>,
    /// Closed once the stream has ended.
    ends: Receiver<()>,
}

impl Tail {
    /// Reads a stream to its end, and keeps its last `most` bytes.
    pub(super) fn of(mut from: Box<dyn Read + Send>, most: usize) -> Self {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let (ended, ends) = sync_channel::<()>(0);
        let into = Arc::clone(&kept);
        std::thread::spawn(move || {
            let mut piece = [0; 4096];
            loop {
                match from.read(&mut piece) {
                    Ok(0) => break,
                    Ok(read) => {
                        let mut kept = into.lock().unwrap_or_else(PoisonError::into_inner);
                        kept.extend_from_slice(&piece[..read]);
                        let superfluous = kept.len().saturating_sub(most);
                        kept.drain(..superfluous);
                    }
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                    Err(_) => break,
                }
            }
            drop(ended);
        });
        Self { kept, ends }
    }

    /// What is kept by now.
    pub(super) fn so_far(&self) -> String {
        String::from_utf8_lossy(&self.kept.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }

    /// What is kept once the stream has ended, or this time is over.
    pub(super) fn at_its_end(&self, within: Duration) -> String {
        // Nothing is ever sent: it is closed, or it is late.
        let _ = self.ends.recv_timeout(within);
        self.so_far()
    }
}
