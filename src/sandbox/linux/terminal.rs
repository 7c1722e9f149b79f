//! The terminal whose foreground a run begins in. A shell inside makes another group the foreground, and cannot give back
//! one that it has no number for.

use std::os::fd::OwnedFd;

use rustix::fs::{CWD, Mode, OFlags};
use rustix::process::{Pid, getpgrp};
use rustix::termios::{tcgetpgrp, tcsetpgrp};

/// A terminal in whose foreground we are.
pub(super) struct Terminal {
    open: OwnedFd,
    group: Pid,
}

/// Our terminal, if we are in its foreground.
pub(super) fn ours() -> Option<Terminal> {
    let flags = OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOCTTY;
    let open = rustix::fs::openat(CWD, "/dev/tty", flags, Mode::empty()).ok()?;
    let group = getpgrp();
    (tcgetpgrp(&open).ok()? == group).then_some(Terminal { open, group })
}

impl Terminal {
    /// Makes our group the foreground again. The signal for one that does so from the background is held.
    pub(super) fn take_back(&self) {
        if tcgetpgrp(&self.open).ok() != Some(self.group) {
            // The terminal may have gone away.
            let _ = tcsetpgrp(&self.open, self.group);
        }
    }
}
