//! A tree of the working tree: the very bytes on the disk, whatever filters, line ends or attributes would make of them.
//!
//! git lists what is tracked and untracked and which tracked files it has to look at again; those and the untracked ones
//! are read here. A file that git knows to be unchanged since it wrote the index has the index's blob, unless git
//! converts it on the way: then its size gives it away, or it is read.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io;
use std::path::PathBuf;

use rustix::fs::FileType;

use super::folders::{Folders, Found, split, upwards};
use super::git::GitAt;
use super::index::{Entry, GITLINK, Index};
use super::nested::{self, Nested};
use super::snapshot::Scene;
use super::trees::Trees;
use crate::app::ports::BaselineError;
use crate::git::object::name_of_stream;
use crate::git::{Kind, Oid, Repo};

/// Our own view of the session, which is shown there and is no part of the user's work.
pub(super) const OURS: &str = ".grill/";

/// What decides how the working tree is read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The largest file whose content is kept, in bytes.
    pub largest: u64,
    /// Whether git converts line ends everywhere.
    pub converts: bool,
    /// Files of attributes that hold for every repository.
    pub attributes: Vec<PathBuf>,
    /// Files that say for every repository what is ignored.
    pub ignores: Vec<PathBuf>,
    /// Whether git takes no notice of the case of names, in rules that ignore files, too.
    pub ignores_case: bool,
}

/// A file as it stands on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OnDisk {
    pub mode: u32,
    pub id: Oid,
    pub permissions: u32,
}

/// A file whose content is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unkept {
    pub mode: u32,
    pub bytes: u64,
    /// The id of its content; none when it cannot be read.
    pub id: Option<Oid>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Worktree {
    /// Files and symlinks whose content is kept.
    pub files: BTreeMap<Vec<u8>, OnDisk>,
    /// Files that are too large or cannot be read.
    pub unkept: BTreeMap<Vec<u8>, Unkept>,
    /// Submodules and other repositories.
    pub nested: BTreeMap<Vec<u8>, Nested>,
}

impl Worktree {
    pub(super) fn tree(&self, trees: &mut Trees<'_>) -> Result<Oid, BaselineError> {
        trees.write(self.files.iter().map(|(path, file)| (path.as_slice(), file.mode, file.id)))
    }

    /// The repository of its own that a path is, or lies in.
    pub(super) fn repository_around<'b>(&self, path: &'b [u8]) -> Option<&'b [u8]> {
        upwards(path).find(|folder| self.nested.contains_key(*folder))
    }
}

/// Reads a working tree.
pub(super) struct Reader<'a> {
    git: &'a GitAt<'a>,
    repo: &'a Repo,
    reading: &'a Reading,
    folders: &'a Folders,
    already: &'a HashSet<Oid>,
    /// The repositories that folders are, or lie in, as far as was looked.
    around: HashMap<Vec<u8>, Option<Vec<u8>>>,
    found: Worktree,
}

impl<'a> Reader<'a> {
    /// `already` are files that something else keeps, and that need not be written.
    pub(super) fn new(scene: &'a Scene<'a>, folders: &'a Folders, already: &'a HashSet<Oid>) -> Self {
        let Scene { git, repo, reading, .. } = scene;
        Self { git, repo, reading, folders, already, around: HashMap::new(), found: Worktree::default() }
    }

    /// Reads everything that is tracked, everything that is untracked and not ignored, and `also` these paths, which
    /// may be ignored by now.
    pub(super) fn read(mut self, index: &Index, also: &BTreeSet<Vec<u8>>) -> Result<Worktree, BaselineError> {
        let conversion = self.conversion(index);
        let filtered = match conversion {
            Conversion::None => BTreeSet::new(),
            Conversion::Possible => self.filtered(index)?,
        };
        let mut seen: Option<&[u8]> = None;
        for ((path, _), entry) in &index.entries {
            // Only the stages of a conflict share a path, and they stand side by side.
            if seen.replace(path) == Some(path) {
                continue;
            }
            if entry.mode == GITLINK {
                self.nested(path)?;
                continue;
            }
            // A tracked folder may have become a repository of its own.
            self.repository_around(path)?;
            let Some(found) = self.look(path)? else {
                continue;
            };
            let trusted = entry.is_plain()
                && !index.dirty.contains(path)
                && !filtered.contains(path)
                && found.mode() == entry.mode
                && self.same_size(conversion, entry, &found);
            if trusted {
                self.enter(path, entry.id, &found);
            } else {
                self.take(path, &found, Some(entry.id))?;
            }
        }
        for path in index.others.iter().filter(|path| !path.starts_with(OURS.as_bytes())) {
            // What is in a repository of its own is theirs, although git lists it where files in there are tracked.
            if self.repository_around(path)?.is_none() {
                self.untracked(path)?;
            }
        }
        for path in also {
            let known = self.found.files.contains_key(path)
                || self.found.unkept.contains_key(path)
                || self.found.nested.contains_key(path);
            if !known {
                self.untracked(path)?;
            }
        }
        Ok(self.found)
    }

    /// The repository of its own that a path lies in; it is named.
    fn repository_around(&mut self, path: &[u8]) -> Result<Option<Vec<u8>>, BaselineError> {
        // git lists one with a slash at its end.
        let (folder, _) = split(path.strip_suffix(b"/").unwrap_or(path));
        if folder.is_empty() {
            return Ok(None);
        }
        if let Some(known) = self.around.get(folder) {
            return Ok(known.clone());
        }
        let mut found = self.repository_around(folder)?;
        if found.is_none() && self.look(&[folder, b"/.git"].concat())?.is_some() {
            self.nested(folder)?;
            found = Some(folder.to_vec());
        }
        self.around.insert(folder.to_vec(), found.clone());
        Ok(found)
    }

    fn untracked(&mut self, path: &[u8]) -> Result<(), BaselineError> {
        if let Some(folder) = path.strip_suffix(b"/") {
            return self.nested(folder);
        }
        match self.look(path)? {
            Some(found) => self.take(path, &found, None),
            None => Ok(()),
        }
    }

    fn nested(&mut self, path: &[u8]) -> Result<(), BaselineError> {
        if let Some(nested) = nested::look(self.git, self.folders, path)? {
            self.found.nested.insert(path.to_vec(), nested);
        }
        Ok(())
    }

    fn look(&self, path: &[u8]) -> Result<Option<Found>, BaselineError> {
        self.folders.look(path).map_err(|error| {
            BaselineError::failed(format!("reading {}", super::git::quoted(path)), io::Error::from(error))
        })
    }

    fn enter(&mut self, path: &[u8], id: Oid, found: &Found) {
        let file = OnDisk { mode: found.mode(), id, permissions: found.permissions() };
        self.found.files.insert(path.to_vec(), file);
    }

    /// Reads a file and keeps its bytes; what is too large is only named. `known` is the blob that is kept already.
    fn take(&mut self, path: &[u8], found: &Found, known: Option<Oid>) -> Result<(), BaselineError> {
        let bytes = u64::try_from(found.stat.st_size).unwrap_or(0);
        match found.kind {
            FileType::RegularFile if bytes > self.reading.largest => {
                let id = self.hashed(path);
                match id.filter(|id| Some(*id) == known) {
                    Some(id) => self.enter(path, id, found),
                    None => self.unkept(path, found, bytes, id),
                }
                Ok(())
            }
            FileType::RegularFile | FileType::Symlink => match self.folders.read(path, found.kind) {
                Ok(content) => {
                    let id = self
                        .repo
                        .write_unless(self.already, Kind::Blob, content)
                        .map_err(|error| BaselineError::failed("keeping a file", error))?;
                    self.enter(path, id, found);
                    Ok(())
                }
                // Gone since it was listed: it is simply not there.
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                Err(_) => {
                    self.unkept(path, found, bytes, None);
                    Ok(())
                }
            },
            // Pipes, sockets and devices have no content; a folder where a file is tracked speaks for itself.
            FileType::Directory
            | FileType::Fifo
            | FileType::Socket
            | FileType::CharacterDevice
            | FileType::BlockDevice
            | FileType::Unknown => Ok(()),
        }
    }

    fn unkept(&mut self, path: &[u8], found: &Found, bytes: u64, id: Option<Oid>) {
        self.found.unkept.insert(path.to_vec(), Unkept { mode: found.mode(), bytes, id });
    }

    /// The id of a large file's content, without taking it into memory.
    fn hashed(&self, path: &[u8]) -> Option<Oid> {
        let mut file = self.folders.open_file(path).ok()?;
        let size = file.metadata().ok()?.len();
        name_of_stream(self.repo.naming(), size, &mut file).ok()
    }

    /// Whether git may convert files on their way to the disk.
    fn conversion(&self, index: &Index) -> Conversion {
        let is_attributes = |path: &[u8]| path == b".gitattributes" || path.ends_with(b"/.gitattributes");
        let own = self.repo.common_dir().join("info/attributes");
        let possible = self.reading.converts
            || own.exists()
            || self.reading.attributes.iter().any(|file| file.exists())
            || index.entries.keys().any(|(path, _)| is_attributes(path))
            || index.others.iter().any(|path| is_attributes(path));
        if possible { Conversion::Possible } else { Conversion::None }
    }

    /// Tracked files whose bytes a filter or an encoding changes, so that sizes prove nothing.
    fn filtered(&self, index: &Index) -> Result<BTreeSet<Vec<u8>>, BaselineError> {
        let mut paths = Vec::new();
        for (path, _) in index.entries.keys() {
            paths.extend_from_slice(path);
            paths.push(0);
        }
        let args = ["check-attr", "-z", "--stdin", "filter", "working-tree-encoding"];
        let told = self.git.ask("reading attributes", &args, paths)?;
        let mut filtered = BTreeSet::new();
        // An attribute may be empty, so its piece counts too.
        let mut parts = told.split(|byte| *byte == 0);
        while let (Some(path), Some(_), Some(value)) = (parts.next(), parts.next(), parts.next()) {
            if value != b"unspecified" && value != b"unset" {
                filtered.insert(path.to_vec());
            }
        }
        Ok(filtered)
    }

    /// Line ends and `$Id$` only ever make a file longer than its blob: one of the same size was not converted.
    fn same_size(&self, conversion: Conversion, entry: &Entry, found: &Found) -> bool {
        match conversion {
            Conversion::None => true,
            Conversion::Possible => self
                .repo
                .header(entry.id)
                .ok()
                .flatten()
                .is_some_and(|(_, size)| i64::try_from(size).is_ok_and(|size| size == found.stat.st_size)),
        }
    }
}

/// Whether git may convert files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Conversion {
    None,
    Possible,
}
