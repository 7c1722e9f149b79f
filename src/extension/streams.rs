//! The streams of an extension, each with its own thread, so that a full or silent pipe blocks nothing else. Each
//! thread ends with its stream, or when its messages are no longer needed.

use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, sync_channel};

use crate::pipes::MostUnread;

/// Lines that wait to be read. A faster extension waits in its own pipe, so a flood costs no memory.
const MOST_UNHEARD: usize = 16;
/// What waits to be written to an extension that does not read.
pub(super) const MOST_UNREAD: MostUnread = MostUnread { pieces: 256, bytes: 32 * 1024 * 1024 };

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
