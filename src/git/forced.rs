//! Whether what is written is forced onto the disk before anything names it: decided once for the whole process, as git's
//! library has it.

use std::sync::OnceLock;

/// git's settings, on top of the user's, that have the `git` program do it; none before it is decided.
static SETTINGS: OnceLock<&[&str]> = OnceLock::new();

/// From now on what is written is forced onto the disk; `settings` have the `git` program do as much.
pub fn force(settings: &'static [&'static str]) {
    // Who decides it twice decides the same.
    let _ = SETTINGS.set(settings);
}

/// Whether what is written is forced.
pub fn is_forced() -> bool {
    SETTINGS.get().is_some()
}

/// The arguments that have a run of git force what it writes.
pub(super) fn arguments() -> impl Iterator<Item = &'static str> {
    SETTINGS.get().copied().unwrap_or_default().iter().flat_map(|setting| ["-c", setting])
}
