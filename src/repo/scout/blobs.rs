//! Reads files' contents within the limits. Once a limit is reached everything else comes back unread.

use std::cell::Cell;

use git2::{Odb, Repository};

use super::tree::Tracked;
use super::{LARGEST_BLOB, MOST_BLOBS, MOST_BYTES};

/// After so many missing objects the repository is a partial clone, and asking for more costs time and finds nothing.
const MOST_MISSING: usize = 16;

/// How many leading bytes decide whether a file is binary; git looks at as many.
const LOOKED_AT: usize = 8_000;

/// The reader.
pub(super) struct Blobs<'a> {
    odb: Option<Odb<'a>>,
    keep_going: &'a dyn Fn() -> bool,
    reads_left: Cell<usize>,
    bytes_left: Cell<usize>,
    missing: Cell<usize>,
    cut_short: Cell<bool>,
}

impl<'a> Blobs<'a> {
    /// A reader with all its limits ahead.
    pub(super) fn new(repo: &'a Repository, keep_going: &'a dyn Fn() -> bool) -> Self {
        let odb = repo.odb().ok();
        Self {
            cut_short: Cell::new(odb.is_none()),
            odb,
            keep_going,
            reads_left: Cell::new(MOST_BLOBS),
            bytes_left: Cell::new(MOST_BYTES),
            missing: Cell::new(0),
        }
    }

    /// Whether something was not read because of a limit or because it is missing here.
    pub(super) fn cut_short(&self) -> bool {
        self.cut_short.get()
    }

    /// The text of a file; `None` when it is binary, too large, missing, or a limit is reached.
    pub(super) fn text(&self, file: &Tracked) -> Option<String> {
        if self.reads_left.get() == 0 {
            self.cut_short.set(true);
            return None;
        }
        let size = self.size(file)?;
        if size > LARGEST_BLOB {
            return None;
        }
        if size > self.bytes_left.get() {
            self.cut_short.set(true);
            return None;
        }
        self.reads_left.set(self.reads_left.get() - 1);
        self.bytes_left.set(self.bytes_left.get() - size);
        let object = self.odb.as_ref()?.read(file.id).ok()?;
        let bytes = object.data();
        if bytes[..bytes.len().min(LOOKED_AT)].contains(&0) {
            return None;
        }
        Some(String::from_utf8_lossy(bytes).into_owned())
    }

    /// The size of a file; `None` when it is missing or the caller's patience is at its end.
    pub(super) fn size(&self, file: &Tracked) -> Option<usize> {
        if self.missing.get() >= MOST_MISSING || !(self.keep_going)() {
            self.cut_short.set(true);
            return None;
        }
        if let Ok((size, _)) = self.odb.as_ref()?.read_header(file.id) {
            return Some(size);
        }
        self.missing.set(self.missing.get() + 1);
        self.cut_short.set(true);
        None
    }
}
