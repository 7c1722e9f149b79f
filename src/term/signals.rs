//! Signals while a prompt is open. Outside of a prompt they do what they always did: a handler that stayed behind would
//! make the program deaf to SIGTERM.

use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGWINCH};
use signal_hook::{flag, low_level};

use crate::app::prompt::Prompted;

/// Whether the signals that end a program do so. There is one for the process, as its handlers are.
#[derive(Debug)]
struct Deadly {
    all: Arc<AtomicBool>,
    /// The same for the hang-up alone.
    hang_up: Arc<AtomicBool>,
}

static DEADLY: OnceLock<Deadly> = OnceLock::new();

impl Deadly {
    /// Its handlers are registered when it is first asked for, before any other. The order counts: handlers run in the
    /// order of their registration.
    fn installed() -> io::Result<&'static Self> {
        static INSTALLING: Mutex<()> = Mutex::new(());
        let _alone = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(installed) = DEADLY.get() {
            return Ok(installed);
        }
        let new = Self { all: Arc::new(AtomicBool::new(true)), hang_up: Arc::new(AtomicBool::new(true)) };
        for signal in [SIGINT, SIGTERM] {
            flag::register_conditional_default(signal, Arc::clone(&new.all))?;
        }
        flag::register_conditional_default(SIGHUP, Arc::clone(&new.hang_up))?;
        Ok(DEADLY.get_or_init(|| new))
    }
}

/// While it lives, no signal ends the program; whoever holds them watches for them.
#[derive(Debug)]
pub struct Held {
    deadly: &'static Deadly,
    /// Which of them were deadly before: all, and the hang-up.
    before: (bool, bool),
}

impl Held {
    /// Holds them from now on, until this is dropped.
    pub fn new() -> io::Result<Self> {
        let deadly = Deadly::installed()?;
        let before = (deadly.all.swap(false, Ordering::SeqCst), deadly.hang_up.swap(false, Ordering::SeqCst));
        Ok(Self { deadly, before })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.deadly.all.store(self.before.0, Ordering::SeqCst);
        self.deadly.hang_up.store(self.before.1, Ordering::SeqCst);
    }
}

/// The reading ends of the pipes that signals are written to.
#[derive(Debug)]
pub struct Signals {
    /// The window changed, or we were continued after a stop.
    pub redraw: UnixStream,
    /// Somebody asks us to end.
    pub end: UnixStream,
    pub hang_up: UnixStream,
    deadly: &'static Deadly,
    /// Whether the terminal is known to be gone.
    gone: AtomicBool,
    /// Whether the last prompt ended in the way that a signal to end asks for.
    heeded: AtomicBool,
    /// Whether such a signal came in the last moment of a prompt, when it had looked for the last time.
    owed: AtomicBool,
}

/// While it lives, signals are reported to the prompt instead of ending the program.
#[derive(Debug)]
pub struct Caught<'a>(&'a Signals);

impl Signals {
    /// Installs the handlers. Done once in a process; they stay, and act only while a prompt is open.
    pub fn install() -> io::Result<Self> {
        let deadly = Deadly::installed()?;
        let redraw = pipe(&[SIGWINCH, SIGCONT])?;
        let end = pipe(&[SIGINT, SIGTERM])?;
        let hang_up = pipe(&[SIGHUP])?;
        let [gone, heeded, owed] = [false; 3].map(AtomicBool::new);
        Ok(Self { redraw, end, hang_up, deadly, gone, heeded, owed })
    }

    /// The terminal is gone. A hang-up that arrives now, or a second time, says nothing new, and must not end the program
    /// before it has kept what was typed.
    pub fn is_gone(&self) {
        self.gone.store(true, Ordering::SeqCst);
    }

    /// Reports signals from now on, until the value returned is dropped. What came before was for somebody else, unless
    /// the last prompt owes it.
    pub fn catch(&self) -> Caught<'_> {
        drain(&self.redraw);
        if !self.owed.swap(false, Ordering::SeqCst) {
            drain(&self.end);
            drain(&self.hang_up);
        }
        self.heeded.store(false, Ordering::SeqCst);
        self.deadly.all.store(false, Ordering::SeqCst);
        self.deadly.hang_up.store(false, Ordering::SeqCst);
        Caught(self)
    }
}

impl Caught<'_> {
    /// Notes how the prompt ended, and hands it on.
    pub fn ended<T>(self, prompted: Prompted<T>) -> Prompted<T> {
        let heeded = matches!(prompted, Prompted::Interrupted { .. } | Prompted::Lost { .. });
        self.0.heeded.store(heeded, Ordering::SeqCst);
        prompted
    }
}

impl Drop for Caught<'_> {
    fn drop(&mut self) {
        let signals = self.0;
        signals.deadly.all.store(true, Ordering::SeqCst);
        let known = signals.gone.load(Ordering::SeqCst);
        signals.deadly.hang_up.store(!known, Ordering::SeqCst);
        // From here on they are deadly again, so none is missed.
        let unread = is_waiting(&signals.end) || is_waiting(&signals.hang_up);
        signals.owed.store(unread && !signals.heeded.load(Ordering::SeqCst), Ordering::SeqCst);
    }
}

/// Whether something stands in a pipe that nobody has read.
fn is_waiting(pipe: &UnixStream) -> bool {
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut [PollFd::new(pipe, PollFlags::IN)], Some(&now)).is_ok_and(|ready| ready > 0)
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

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn a_signal_in_the_last_moment_of_a_prompt_is_for_the_next_one() {
        let pair = || {
            let (read, write) = UnixStream::pair().unwrap();
            read.set_nonblocking(true).unwrap();
            (read, write)
        };
        let ((redraw, _to_redraw), (end, mut to_end), (hang_up, _to_hang_up)) = (pair(), pair(), pair());
        let deadly: &'static Deadly = Box::leak(Box::new(Deadly { all: Arc::default(), hang_up: Arc::default() }));
        let [gone, heeded, owed] = [false; 3].map(AtomicBool::new);
        let signals = Signals { redraw, end, hang_up, deadly, gone, heeded, owed };

        let caught = signals.catch();
        to_end.write_all(b"x").unwrap();
        assert_eq!(caught.ended(Prompted::Answered(1)), Prompted::Answered(1));
        let caught = signals.catch();
        assert!(is_waiting(&signals.end), "the next prompt sees it");
        let interrupted: Prompted<()> = Prompted::Interrupted { draft: String::new() };
        caught.ended(interrupted);
        drop(signals.catch());
        assert!(!is_waiting(&signals.end), "it was heeded");
        // One that came while no prompt was open was for whoever watched then.
        to_end.write_all(b"x").unwrap();
        drop(signals.catch());
        assert!(!is_waiting(&signals.end));
    }
}
