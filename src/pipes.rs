//! The pipes of a running program, each with a thread of its own: no pipe that is full or silent stops anybody else. A
//! thread ends when its pipe does, or when nobody wants any more of it.

use std::io::{ErrorKind, Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The end at which what is to be written is handed in. Dropped, it closes the pipe once everything is written.
pub struct Speaker {
    queue: SyncSender<Vec<u8>>,
    /// The bytes that were handed in and are not written yet.
    unwritten: Arc<AtomicUsize>,
    most: MostUnread,
}

/// What may wait for a program that does not read, whoever made it wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MostUnread {
    pub pieces: usize,
    /// All of them together, the one that is being written too.
    pub bytes: usize,
}

/// More would wait than may. Nothing of the piece is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    Pieces,
    Bytes,
}

/// Writes what is said, in order.
pub fn speak(mut to: Box<dyn Write + Send>, most: MostUnread) -> Speaker {
    let (queue, waiting) = sync_channel::<Vec<u8>>(most.pieces);
    let unwritten = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&unwritten);
    std::thread::spawn(move || {
        while let Ok(bytes) = waiting.recv() {
            if to.write_all(&bytes).and_then(|()| to.flush()).is_err() {
                return;
            }
            counted.fetch_sub(bytes.len(), Ordering::SeqCst);
        }
    });
    Speaker { queue, unwritten, most }
}

impl Speaker {
    /// Hands in a piece, without waiting. A program that went away is noticed where it is listened to.
    pub fn say(&self, bytes: Vec<u8>) -> Result<(), Unread> {
        let length = bytes.len();
        // Counted first, so that the thread never takes off what was not counted.
        let before = self.unwritten.fetch_add(length, Ordering::SeqCst);
        let said = if before.saturating_add(length) > self.most.bytes {
            // Once the thread has ended, nobody counts down any more.
            if Arc::strong_count(&self.unwritten) == 1 { Ok(()) } else { Err(Unread::Bytes) }
        } else {
            match self.queue.try_send(bytes) {
                Ok(()) => return Ok(()),
                Err(TrySendError::Full(_)) => Err(Unread::Pieces),
                Err(TrySendError::Disconnected(_)) => Ok(()),
            }
        };
        self.unwritten.fetch_sub(length, Ordering::SeqCst);
        said
    }
}

/// The end of what a program wrote.
pub struct Tail {
    kept: Arc<Mutex<Vec<u8>>>,
    /// Closed once the pipe has ended.
    ends: Receiver<()>,
}

impl Tail {
    /// Reads a pipe to its end, and keeps its last `most` bytes.
    pub fn of(mut from: Box<dyn Read + Send>, most: usize) -> Self {
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
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(_) => break,
                }
            }
            drop(ended);
        });
        Self { kept, ends }
    }

    /// How many bytes are kept by now.
    pub fn length(&self) -> usize {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// What is kept by now.
    pub fn so_far(&self) -> String {
        String::from_utf8_lossy(&self.kept.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }

    /// What is kept once the pipe has ended, or this time is over.
    pub fn at_its_end(&self, within: Duration) -> String {
        // Nothing is ever sent: it is closed, or it is late.
        let _ = self.ends.recv_timeout(within);
        self.so_far()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that reads a piece whenever it is let.
    struct Slow {
        lets: Receiver<()>,
        read: SyncSender<usize>,
    }

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.lets.recv().map_err(|_| std::io::Error::from(ErrorKind::BrokenPipe))?;
            self.read.send(bytes.len()).map_err(|_| std::io::Error::from(ErrorKind::BrokenPipe))?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_waits_to_be_written_is_bounded_in_pieces_and_in_bytes() {
        let (let_on, lets) = sync_channel(16);
        let (read, was_read) = sync_channel(16);
        let speaker = speak(Box::new(Slow { lets, read }), MostUnread { pieces: 8, bytes: 10 });
        assert_eq!(speaker.say(vec![b'x'; 11]), Err(Unread::Bytes));
        assert_eq!(speaker.say(vec![b'x'; 6]), Ok(()));
        assert_eq!(speaker.say(vec![b'x'; 5]), Err(Unread::Bytes));
        assert_eq!(speaker.say(vec![b'x'; 4]), Ok(()));
        assert_eq!(speaker.say(vec![b'x']), Err(Unread::Bytes));
        // What was refused is not written, and what was read makes room.
        let_on.send(()).unwrap();
        assert_eq!(was_read.recv_timeout(Duration::from_mins(1)), Ok(6));
        for tries in 0.. {
            match speaker.say(vec![b'y'; 3]) {
                Ok(()) => break,
                Err(unread) => assert!(tries < 60_000, "{unread:?}"),
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let_on.send(()).unwrap();
        let_on.send(()).unwrap();
        assert_eq!(was_read.recv_timeout(Duration::from_mins(1)), Ok(4));
        assert_eq!(was_read.recv_timeout(Duration::from_mins(1)), Ok(3));
        // One piece is being written, and two wait.
        let (_let_on, lets) = sync_channel(1);
        let (read, _was_read) = sync_channel(1);
        let speaker = speak(Box::new(Slow { lets, read }), MostUnread { pieces: 2, bytes: 100 });
        assert_eq!((0..4).find_map(|_| speaker.say(vec![b'x']).err()), Some(Unread::Pieces));
    }

    struct Gone;

    impl Write for Gone {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_program_that_went_away_is_not_one_that_does_not_read() {
        let speaker = speak(Box::new(Gone), MostUnread { pieces: 1000, bytes: 10 });
        assert_eq!(speaker.say(vec![b'x'; 10]), Ok(()));
        for tries in 0.. {
            if Arc::strong_count(&speaker.unwritten) == 1 {
                break;
            }
            assert!(tries < 60_000, "the thread goes on");
            std::thread::sleep(Duration::from_millis(1));
        }
        for _ in 0..3 {
            assert_eq!(speaker.say(vec![b'x'; 10]), Ok(()));
        }
    }
}
