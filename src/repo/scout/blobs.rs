//! Reads files' contents within the limits. Once a limit is reached everything else comes back unread.

use std::cell::Cell;

use git2::{Odb, Repository};

use super::tree::Tracked;
use super::{LARGEST_BLOB, MOST_BLOBS, MOST_BYTES};

/// After so many missing objects the repository is a partial clone, and asking for more costs time and finds nothing.
const MOST_MISSING: usize = 16;

/// How many leading bytes decide whether a file is binary; git looks at as many.
const LOOKED_AT: usize = 8_000;

/// Text in UTF-16 begins with one of these; its zero bytes do not make it binary.
const WIDE_MARKS: &[&[u8]] = &[&[0xff, 0xfe], &[0xfe, 0xff]];

/// How a file begins that only says where git-lfs keeps the real one.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";

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
        self.read(file, |bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    /// What `of` makes of a file's bytes; `None` in the same cases.
    pub(super) fn read<T>(&self, file: &Tracked, of: impl FnOnce(&[u8]) -> T) -> Option<T> {
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
        if is_text(bytes) { Some(of(bytes)) } else { None }
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

/// Whether a file holds text of its own: it is not binary, and does not stand for a file that is kept elsewhere.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let wide = WIDE_MARKS.iter().any(|mark| bytes.starts_with(mark));
    (wide || !bytes[..bytes.len().min(LOOKED_AT)].contains(&0)) && !bytes.starts_with(POINTER)
}
