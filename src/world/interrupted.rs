//! The signals that end us, watched while a program runs that has to end with us.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::{SigId, flag, low_level};

use crate::term::signals::Held;

/// Whether the user interrupted us since this is watched. Signals do not end us meanwhile.
pub(super) struct Interrupted {
    flag: Arc<AtomicBool>,
    handlers: Vec<SigId>,
    /// Given back once nothing is watched any more.
    _held: Held,
}

impl Interrupted {
    pub(super) fn watch() -> std::io::Result<Self> {
        let mut watched = Self { flag: Arc::default(), handlers: Vec::new(), _held: Held::new()? };
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            watched.handlers.push(flag::register(signal, Arc::clone(&watched.flag))?);
        }
        Ok(watched)
    }

    pub(super) fn is_so(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }
}

impl Drop for Interrupted {
    fn drop(&mut self) {
        for handler in self.handlers.drain(..) {
            low_level::unregister(handler);
        }
    }
}
