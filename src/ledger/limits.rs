//! Bounds of what a ledger holds. Longer texts than a record are artifacts, and those have a bound of their own.

/// The most bytes of a record, as a line with its end.
pub const MOST_RECORD: usize = 64 * 1024;
/// The most bytes of a ledger.
pub const MOST_LEDGER: u64 = 64 * 1024 * 1024;
/// Room beyond that for events that end something, so that a full ledger can be closed.
pub const ROOM_TO_CLOSE: u64 = 8 * 1024 * 1024;
/// The most bytes of one text of a turn.
pub const MOST_TEXT: usize = 16 * 1024 * 1024;
/// The most sessions of a repository. Who has as many cleans up before the next one.
pub const MOST_FOLDERS: usize = 10_000;
