//! The terminal itself: whether there is one, its size, raw mode with a guard, and waiting for what comes from it.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::termios::{
    InputModes, LocalModes, OptionalActions, SpecialCodeIndex, Termios, isatty, tcgetattr, tcgetwinsize, tcsetattr,
    ttyname,
};

use super::signals::{Signals, drain};
use super::widget::Size;
use crate::app::prompt::Settled;
use crate::kin;

/// What a terminal is taken to have that does not tell its size.
const UNKNOWN_SIZE: Size = Size { cols: 80, rows: 24 };
/// So long after a key somebody is taken to be typing.
const TYPES: Duration = Duration::from_secs(2);
/// How often it is looked whether somebody else was faster.
const LOOK: Duration = Duration::from_millis(250);
const READ_BYTES: usize = 64 * 1024;
const BRACKETED_PASTE_ON: &str = "\x1b[?2004h";
const LEAVE: &str = "\x1b[?2004l\x1b[?25h";

/// The controlling terminal, open for reading. What is shown goes to standard error, which is the same terminal.
#[derive(Debug)]
pub struct Tty {
    input: File,
    /// When nobody waits any longer.
    until: Option<Instant>,
    settled: Watch,
    typed: Cell<Option<Instant>>,
}

#[expect(clippy::disallowed_methods, reason = "how long a prompt stands open is no part of what is recorded")]
fn now() -> Instant {
    Instant::now()
}

/// What becomes of keys that were pressed before raw mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// They answer no question that was not yet shown.
    Dropped,
    /// They are read.
    Taken,
}

/// The text of bytes that a terminal in line mode hands out.
pub fn typed(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).replace('\r', "\n");
    text.chars().filter(|character| *character == '\n' || !character.is_control()).collect()
}

/// What says that nobody need be waited for any longer.
struct Watch(Option<Settled>);

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Watch").field(&self.0.is_some()).finish()
    }
}

#[derive(Debug)]
pub enum Woken {
    Bytes(Vec<u8>),
    Quiet,
    /// The time is over for which the terminal is watched.
    Late,
    /// The person closed the input: Ctrl-D at the start of a line, where the terminal itself looks for it.
    Closed,
    /// The picture must be drawn again.
    Redraw,
    /// A signal asks us to end.
    End,
    Gone,
}

impl Tty {
    /// Opens the terminal a person is sitting at, or says why there is none.
    pub fn open() -> Result<Self, &'static str> {
        let shown = io::stderr();
        if !isatty(&shown) {
            return Err("stderr is not a terminal");
        }
        let input = File::open("/dev/tty").map_err(|_| "there is no controlling terminal")?;
        // Only the controlling terminal knows a foreground group. Another one would show the question to somebody who
        // cannot answer it.
        let foreground = kin::foreground(&shown).map_err(|_| "stderr is not the controlling terminal")?;
        // The kernel would stop us at the first key, and whoever waits for us would wait for ever.
        if foreground != kin::our_group() {
            return Err("this process runs in the background");
        }
        // Some systems cannot poll /dev/tty, but can poll the device behind it.
        let device = ttyname(&shown, Vec::new()).ok().and_then(|name| File::open(name.to_str().ok()?).ok());
        Ok(Self { input: device.unwrap_or(input), until: None, settled: Watch(None), typed: Cell::default() })
    }

    /// The same terminal, watched for no longer than this.
    #[must_use]
    pub fn watched_for(mut self, limit: Option<Duration>) -> Self {
        self.until = limit.and_then(|limit| now().checked_add(limit));
        self
    }

    /// The same terminal, watched until what is asked was settled elsewhere.
    #[must_use]
    pub fn watched_until(mut self, settled: Option<Settled>) -> Self {
        self.settled = Watch(settled);
        self
    }

    /// The same terminal, watched by nothing and for as long as it takes.
    pub fn unwatched(&self) -> io::Result<Self> {
        let input = self.input.try_clone()?;
        Ok(Self { input, until: None, settled: Watch(None), typed: Cell::default() })
    }

    /// Whether the time is over for which it is watched.
    pub fn is_out_of_time(&self) -> bool {
        self.left() == Some(Duration::ZERO)
    }

    /// How long is still waited; none is for as long as it takes.
    fn left(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(now()))
    }

    pub fn size(&self) -> Size {
        match tcgetwinsize(&self.input) {
            Ok(size) if size.ws_col > 0 && size.ws_row > 0 => {
                Size { cols: usize::from(size.ws_col), rows: usize::from(size.ws_row) }
            }
            Ok(_) | Err(_) => UNKNOWN_SIZE,
        }
    }

    /// Shows `text` in one write, so that no half-drawn frame is seen.
    pub fn show(&self, text: &str) -> io::Result<()> {
        let mut shown = io::stderr().lock();
        shown.write_all(text.as_bytes())?;
        shown.flush()
    }

    /// Enters raw mode.
    pub fn raw(&self, pressed: Before) -> io::Result<Raw<'_>> {
        let before = tcgetattr(&self.input)?;
        let guard = Raw { tty: self, before };
        guard.apply(match pressed {
            Before::Dropped => OptionalActions::Flush,
            Before::Taken => OptionalActions::Now,
        })?;
        Ok(guard)
    }

    /// Takes what was typed and not read in line mode, half a line too, which the terminal itself holds back. Signals are to
    /// be caught meanwhile.
    pub fn waiting(&self) -> String {
        let mut bytes = Vec::new();
        if let Ok(before) = tcgetattr(&self.input) {
            let mut modes = before.clone();
            modes.local_modes.remove(LocalModes::ICANON);
            modes.special_codes[SpecialCodeIndex::VMIN] = 0;
            modes.special_codes[SpecialCodeIndex::VTIME] = 0;
            if tcsetattr(&self.input, OptionalActions::Now, &modes).is_ok() {
                let mut piece = [0_u8; 4096];
                while bytes.len() < READ_BYTES
                    && let Ok(read @ 1..) = rustix::io::read(&self.input, &mut piece)
                {
                    bytes.extend_from_slice(&piece[..read]);
                }
                tcsetattr(&self.input, OptionalActions::Now, &before).ok();
            }
        }
        typed(&bytes)
    }

    /// Waits for bytes or a signal, at most so many milliseconds.
    pub fn wait(&self, signals: &Signals, milliseconds: Option<u64>) -> Woken {
        // What is still to be waited of the pause; each look takes a part of it.
        let mut pause = milliseconds.map(Duration::from_millis);
        let look = self.settled.0.as_ref().map(|_| LOOK);
        loop {
            let left = self.left();
            if left == Some(Duration::ZERO) || self.is_settled() {
                return Woken::Late;
            }
            let limit = pause.into_iter().chain(left).chain(look).min();
            let woken = self.wait_once(signals, limit);
            if !matches!(woken, Woken::Quiet) {
                return woken;
            }
            pause = pause.map(|pause| pause.saturating_sub(limit.unwrap_or_default()));
            if pause == Some(Duration::ZERO) {
                return woken;
            }
        }
    }

    /// Whether what is asked was settled elsewhere. While somebody types, it is not looked: what they send meanwhile is
    /// better told to be late than sent to another question.
    fn is_settled(&self) -> bool {
        let types = self.typed.get().is_some_and(|typed| typed.elapsed() < TYPES);
        !types && self.settled.0.as_ref().is_some_and(|settled| settled())
    }

    /// Why nobody is waited for any longer, in a few words.
    pub fn late(&self) -> &'static str {
        if self.is_out_of_time() { "out of time" } else { "settled elsewhere" }
    }

    fn wait_once(&self, signals: &Signals, limit: Option<Duration>) -> Woken {
        let limit = limit.map(|limit| Timespec {
            tv_sec: i64::try_from(limit.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: limit.subsec_nanos().into(),
        });
        let watched = |fd| PollFd::from_borrowed_fd(fd, PollFlags::IN);
        let all: [BorrowedFd<'_>; 4] =
            [signals.hang_up.as_fd(), signals.end.as_fd(), signals.redraw.as_fd(), self.input.as_fd()];
        let mut fds = all.map(watched);
        match poll(&mut fds, limit.as_ref()) {
            Ok(0) if self.left() == Some(Duration::ZERO) => return Woken::Late,
            Ok(0) => return Woken::Quiet,
            // A signal came: its pipe is readable at the next call.
            Err(Errno::INTR) => return Woken::Redraw,
            Ok(_) => {}
            Err(_) => return Woken::Gone,
        }
        let closing = fds[3].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL);
        let [hang_up, end, redraw, input] = fds.map(|fd| !fd.revents().is_empty());
        if hang_up || closing {
            return Woken::Gone;
        }
        if end {
            return Woken::End;
        }
        if redraw {
            drain(&signals.redraw);
            return Woken::Redraw;
        }
        debug_assert!(input, "poll says that something is ready");
        self.read()
    }

    fn read(&self) -> Woken {
        let mut bytes = vec![0; READ_BYTES];
        match rustix::io::read(&self.input, &mut bytes) {
            Ok(0) => Woken::Closed,
            Ok(read) => {
                bytes.truncate(read);
                self.typed.set(Some(now()));
                Woken::Bytes(bytes)
            }
            Err(Errno::INTR | Errno::AGAIN) => Woken::Redraw,
            Err(_) => Woken::Gone,
        }
    }
}

/// Raw mode. When it is dropped, also while unwinding, the terminal is as it was before, with its cursor, and what was
/// typed but not read is thrown away instead of landing on the shell's command line.
#[derive(Debug)]
pub struct Raw<'a> {
    tty: &'a Tty,
    before: Termios,
}

impl Raw<'_> {
    /// Sets raw mode again, after something outside may have changed it.
    pub fn again(&self) -> io::Result<()> {
        self.apply(OptionalActions::Now)
    }

    fn apply(&self, when: OptionalActions) -> io::Result<()> {
        let mut modes = self.before.clone();
        modes
            .local_modes
            .remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ECHONL | LocalModes::ISIG | LocalModes::IEXTEN);
        modes.input_modes.remove(
            InputModes::ICRNL
                | InputModes::INLCR
                | InputModes::IGNCR
                | InputModes::ISTRIP
                | InputModes::IXON
                | InputModes::BRKINT,
        );
        // Output stays processed, so that lines of others (a hook, a warning) do not run down the screen in stairs.
        modes.special_codes[SpecialCodeIndex::VMIN] = 1;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(&self.tty.input, when, &modes)?;
        self.tty.show(BRACKETED_PASTE_ON)
    }
}

impl Drop for Raw<'_> {
    fn drop(&mut self) {
        // There is nobody left to tell when the terminal is gone.
        self.tty.show(LEAVE).ok();
        tcsetattr(&self.tty.input, OptionalActions::Flush, &self.before).ok();
    }
}
