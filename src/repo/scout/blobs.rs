//! Reads files' contents within the limits. Once a limit is reached everything else comes back unread.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use super::tree::Tracked;
use super::{LARGEST_BLOB, MOST_BLOBS, MOST_BYTES};
use crate::git::{Oid, Repo};

/// After so many missing objects the repository is a partial clone, and asking for more costs time and finds nothing.
const MOST_MISSING: usize = 16;

/// How many leading bytes decide whether a file is binary; git looks at as many.
const LOOKED_AT: usize = 8_000;

/// Text in UTF-16 begins with one of these; its zero bytes do not make it binary.
const WIDE_MARKS: &[&[u8]] = &[&[0xff, 0xfe], &[0xfe, 0xff]];

/// How a file begins that only says where git-lfs keeps the real one.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";

pub(super) struct Blobs<'a> {
    repo: &'a Repo,
    keep_going: &'a dyn Fn() -> bool,
    reads_left: Cell<usize>,
    bytes_left: Cell<usize>,
    missing: Cell<usize>,
    cut_short: Cell<bool>,
    /// Texts that were read: several of those who look ask for the same manifests. [`MOST_BYTES`] bounds them.
    texts: RefCell<HashMap<Oid, Rc<str>>>,
}

impl<'a> Blobs<'a> {
    /// A reader with all its limits ahead.
    pub(super) fn new(repo: &'a Repo, keep_going: &'a dyn Fn() -> bool) -> Self {
        Self {
            cut_short: Cell::new(false),
            repo,
            keep_going,
            reads_left: Cell::new(MOST_BLOBS),
            bytes_left: Cell::new(MOST_BYTES),
            missing: Cell::new(0),
            texts: RefCell::new(HashMap::new()),
        }
    }

    /// Whether something was not read because of a limit or because it is missing here.
    pub(super) fn cut_short(&self) -> bool {
        self.cut_short.get()
    }

    /// The text of a file; `None` when it is binary, too large, missing, or a limit is reached. Asked for again, it is
    /// not read again, and counts towards no limit.
    pub(super) fn text(&self, file: &Tracked) -> Option<Rc<str>> {
        if let Some(known) = self.texts.borrow().get(&file.id) {
            return Some(Rc::clone(known));
        }
        let text: Rc<str> = self.read(file, |bytes| Rc::from(String::from_utf8_lossy(bytes)))?;
        self.texts.borrow_mut().insert(file.id, Rc::clone(&text));
        Some(text)
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
        let bytes = self.repo.read(file.id).ok()??.bytes;
        if is_text(&bytes) { Some(of(&bytes)) } else { None }
    }

    /// The size of a file; `None` when it is missing or the caller's patience is at its end.
    pub(super) fn size(&self, file: &Tracked) -> Option<usize> {
        if self.missing.get() >= MOST_MISSING || !(self.keep_going)() {
            self.cut_short.set(true);
            return None;
        }
        if let Ok(Some((_, size))) = self.repo.header(file.id) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::Kind;

    #[test]
    fn a_text_is_read_once_however_many_ask_for_it() {
        let temp = tempfile::tempdir().unwrap();
        let repo = Repo::Library(git2::Repository::init_bare(temp.path()).unwrap());
        let file = |path: &str, bytes: &[u8]| Tracked {
            path: path.to_owned(),
            id: repo.write(Kind::Blob, bytes.to_vec()).unwrap(),
        };
        let (manifest, copy) = (file("Cargo.toml", b"[package]"), file("old/Cargo.toml", b"[package]"));
        let (other, binary) = (file("README.md", b"# it"), file("a.bin", b"\0"));
        let patient = Cell::new(true);
        let keep_going = || patient.get();
        let blobs = Blobs::new(&repo, &keep_going);
        assert_eq!((blobs.text(&manifest).as_deref(), blobs.text(&binary)), (Some("[package]"), None));
        let (reads, bytes) = (blobs.reads_left.get(), blobs.bytes_left.get());
        assert_eq!((reads, bytes), (MOST_BLOBS - 2, MOST_BYTES - 10));
        patient.set(false);
        assert_eq!(
            (blobs.text(&manifest).as_deref(), blobs.text(&copy).as_deref()),
            (Some("[package]"), Some("[package]"))
        );
        assert!(!blobs.cut_short(), "what is known takes no patience");
        assert_eq!((blobs.text(&other), blobs.cut_short()), (None, true));
        assert_eq!((blobs.reads_left.get(), blobs.bytes_left.get()), (reads, bytes));
    }
}
