//! The terminal whose foreground a run begins in. A shell inside makes another group the foreground, and cannot give back
//! one that it has no number for.

use std::os::fd::OwnedFd;

use rustix::fs::{CWD, Mode, OFlags};
use rustix::process::Pid;
use rustix::termios::tcsetpgrp;

use crate::kin;

/// A terminal in whose foreground we are.
pub(super) struct Terminal {
    open: OwnedFd,
    group: Pid,
}

/// Our terminal, if we are in its foreground.
pub(super) fn ours() -> Option<Terminal> {
    let flags = OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOCTTY;
    let open = rustix::fs::openat(CWD, "/dev/tty", flags, Mode::empty()).ok()?;
    // One without a number could not be given back.
    let group = kin::our_group()?;
    (kin::foreground(&open) == Ok(Some(group))).then_some(Terminal { open, group })
}

impl Terminal {
    /// Makes our group the foreground again. The signal for one that does so from the background is held.
    pub(super) fn take_back(&self) {
        if kin::foreground(&self.open) != Ok(Some(self.group)) {
            // The terminal may have gone away.
            let _ = tcsetpgrp(&self.open, self.group);
        }
    }
}
