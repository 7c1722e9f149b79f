//! Files of a copy, written out again in a folder of ours, so that git sees only what we made: regular files and
//! symlinks, at the paths that differ.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rustix::fs::FileType;

use super::own_git::os;
use super::sight::{Seen, Sight};
use crate::files::fresh::Fresh;
use crate::git::paths::{list, pieces};
use crate::git::tree::FILE;

/// A folder of ours with files of a copy.
pub(super) struct Staged {
    folder: PathBuf,
    /// Their paths, each with a zero byte behind it, as git takes a list.
    list: Vec<u8>,
}

impl Staged {
    /// In this folder, which is empty.
    pub(super) fn at(folder: PathBuf) -> Self {
        Self { folder, list: Vec::new() }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn list(&self) -> &[u8] {
        &self.list
    }

    /// Takes these off the list.
    pub(super) fn leave(&mut self, paths: &BTreeSet<Vec<u8>>) {
        if !paths.is_empty() {
            self.list = list(pieces(&self.list).filter(|path| !paths.contains(*path)));
        }
    }

    /// Writes a file of the copy as it stands.
    pub(super) fn add(&mut self, sight: &Sight, path: &[u8], seen: &Seen) -> io::Result<()> {
        let to = self.folder.join(os(path));
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        if seen.kind == FileType::Symlink {
            let leads = sight.folders.read(path, seen.kind)?;
            symlink(std::ffi::OsString::from_vec(leads), &to)?;
        } else {
            let mode = if seen.mode == FILE { 0o600 } else { 0o700 };
            let (mut file, fresh) = Fresh::alone(&to, mode)?;
            io::copy(&mut sight.folders.open_file(path)?, &mut file)?;
            fresh.keep();
        }
        self.list.extend_from_slice(path);
        self.list.push(0);
        Ok(())
    }
}
