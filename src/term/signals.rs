//! Signals while a prompt is open. Outside of a prompt they do what they always did: a handler that stayed behind would
//! make the program deaf to SIGTERM.

use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGWINCH};
use signal_hook::{flag, low_level};

/// The reading ends of the pipes that signals are written to.
#[derive(Debug)]
pub struct Signals {
    /// The window changed, or we were continued after a stop.
    pub redraw: UnixStream,
    /// Somebody asks us to end.
    pub end: UnixStream,
    pub hang_up: UnixStream,
    /// While this is set, the signals that end a program do so.
    deadly: Arc<AtomicBool>,
    /// The same for the hang-up alone.
    deadly_hang_up: Arc<AtomicBool>,
    /// Whether the terminal is known to be gone.
    gone: AtomicBool,
}

/// While it lives, signals are reported to the prompt instead of ending the program.
#[derive(Debug)]
pub struct Caught<'a>(&'a Signals);

impl Signals {
    /// Installs the handlers. Done once in a process; they stay, and act only while a prompt is open.
    pub fn install() -> io::Result<Self> {
        let deadly = Arc::new(AtomicBool::new(true));
        // The order counts: handlers run in the order of their registration.
        for signal in [SIGINT, SIGTERM] {
            flag::register_conditional_default(signal, Arc::clone(&deadly))?;
        }
        let deadly_hang_up = Arc::new(AtomicBool::new(true));
        flag::register_conditional_default(SIGHUP, Arc::clone(&deadly_hang_up))?;
        let redraw = pipe(&[SIGWINCH, SIGCONT])?;
        let end = pipe(&[SIGINT, SIGTERM])?;
        let hang_up = pipe(&[SIGHUP])?;
        Ok(Self { redraw, end, hang_up, deadly, deadly_hang_up, gone: AtomicBool::new(false) })
    }

    /// The terminal is gone. A hang-up that arrives now, or a second time, says nothing new, and must not end the program
    /// before it has kept what was typed.
    pub fn is_gone(&self) {
        self.gone.store(true, Ordering::SeqCst);
    }

    /// Reports signals from now on, until the value returned is dropped.
    pub fn catch(&self) -> Caught<'_> {
        for stale in [&self.redraw, &self.end, &self.hang_up] {
            drain(stale);
        }
        self.deadly.store(false, Ordering::SeqCst);
        self.deadly_hang_up.store(false, Ordering::SeqCst);
        Caught(self)
    }
}

impl Drop for Caught<'_> {
    fn drop(&mut self) {
        self.0.deadly.store(true, Ordering::SeqCst);
        let known = self.0.gone.load(Ordering::SeqCst);
        self.0.deadly_hang_up.store(!known, Ordering::SeqCst);
    }
}

/// Empties a pipe; how often a signal came does not matter.
pub fn drain(mut pipe: &UnixStream) {
    let mut bytes = [0; 64];
    while pipe.read(&mut bytes).is_ok_and(|read| read == bytes.len()) {}
}

fn pipe(signals: &[i32]) -> io::Result<UnixStream> {
    let (read, write) = UnixStream::pair()?;
    read.set_nonblocking(true)?;
    for signal in signals {
        low_level::pipe::register(*signal, write.try_clone()?)?;
    }
    Ok(read)
}
