//! The pipes of a running program, each with a thread of its own: no pipe that is full or silent stops anybody else. A
//! thread ends when its pipe does, or when nobody wants any more of it.

use std::io::{ErrorKind, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Writes what is sent, in order, and closes the pipe when the sender is gone; at most `most` pieces wait. A program that
/// went away is noticed where it is listened to.
pub fn speak(mut to: Box<dyn Write + Send>, most: usize) -> SyncSender<Vec<u8>> {
    let (queue, waiting) = sync_channel::<Vec<u8>>(most);
    std::thread::spawn(move || {
        while let Ok(bytes) = waiting.recv() {
            if to.write_all(&bytes).and_then(|()| to.flush()).is_err() {
                return;
            }
        }
    });
    queue
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
