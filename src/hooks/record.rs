//! What we wrote, noted before it is written: whatever of it exists is ours, whenever the process was killed.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::files::fresh::{self, OnDisk};
use crate::files::regular;
use crate::hooks::bytes_text;
use crate::hooks::error::{HookError, file};
use crate::hooks::moved;
use crate::hooks::place::Place;

/// The format of the record; a newer one is not touched.
const FORMAT: u32 = 2;
/// The one whose paths are absolute. A repository that was moved or copied since is told by them.
const ABSOLUTE: u32 = 1;

/// How the hooks are installed, the gentlest way that works first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// As configuration (git 2.54 and newer): no file in any hooks folder.
    Configured,
    /// As files in a hooks folder inside the git directory where nobody has these hooks.
    Beside,
    /// In a folder of our own that `core.hooksPath` names and whose hooks call the displaced ones.
    Folder,
}

/// Bytes that JSON can hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Bytes(#[serde(with = "bytes_text")] pub(crate) Vec<u8>);

impl Bytes {
    pub(crate) fn of(path: &Path) -> Self {
        Self(path.as_os_str().as_bytes().to_vec())
    }

    pub(crate) fn path(&self) -> PathBuf {
        PathBuf::from(OsString::from_vec(self.0.clone()))
    }
}

/// A hook file of ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Written {
    pub(crate) path: Bytes,
    pub(crate) hash: String,
}

/// A key of ours in the configuration, for the day when somebody else has edited it too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) value: Bytes,
}

/// The one change to the configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ConfigEdit {
    pub(crate) path: Bytes,
    /// What stood there; `None` when there was no file.
    pub(crate) before: Option<Bytes>,
    pub(crate) after_hash: String,
    pub(crate) keys: Vec<Key>,
}

/// Everything that is installed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    format: u32,
    /// The shared directory where this was written. Every other path is noted from there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    home: Option<Bytes>,
    pub(crate) rule: Rule,
    pub(crate) binary: Bytes,
    pub(crate) files: Vec<Written>,
    /// Folders that were not there, outermost first.
    pub(crate) made_dirs: Vec<Bytes>,
    pub(crate) config: Option<ConfigEdit>,
}

impl Record {
    pub(crate) fn new(rule: Rule, binary: &Path) -> Self {
        Self {
            format: FORMAT,
            home: None,
            rule,
            binary: Bytes::of(binary),
            files: Vec::new(),
            made_dirs: Vec::new(),
            config: None,
        }
    }

    /// Reads the record; `None` when nothing is installed.
    pub(crate) fn load(place: &Place) -> Result<Option<Self>, HookError> {
        let path = place.record_file();
        let Some(bytes) = read_if_there(&path)? else {
            return Ok(None);
        };
        let unreadable = |why: String| HookError::Record { path: path.clone(), why };
        let record: Self = serde_json::from_slice(&bytes).map_err(|error| unreadable(error.to_string()))?;
        match record.format {
            FORMAT | ABSOLUTE => Ok(Some(record.found(place))),
            format => Err(unreadable(format!("it was written by another version of git grill (format {format})"))),
        }
    }

    /// The record as it holds for this repository. What lies outside of it belongs to the one this was copied from.
    fn found(mut self, place: &Place) -> Self {
        let home = self.home.as_ref().map(Bytes::path).or_else(|| self.old_home());
        let here = |path: &Bytes| moved::found(place, path, home.as_deref());
        for written in &mut self.files {
            written.path = here(&written.path);
        }
        for dir in &mut self.made_dirs {
            *dir = here(dir);
        }
        self.files.retain(|written| moved::is_inside(place, &written.path.path()));
        self.made_dirs.retain(|dir| moved::is_inside(place, &dir.path()));
        if let Some(edit) = &mut self.config {
            edit.path = here(&edit.path);
        }
        // A configuration that is a link may lead out; it is shared with the other copy, and that one still needs it.
        let other = home.as_ref().is_some_and(|home| home.is_dir() && !moved::same(home, &place.common_dir));
        self.config = self.config.filter(|edit| moved::is_inside(place, &edit.path.path()) || !other);
        self.home = home.as_deref().map(Bytes::of);
        self
    }

    /// Where a record with absolute paths was written.
    fn old_home(&self) -> Option<PathBuf> {
        let config = self.config.as_ref().and_then(|edit| edit.path.path().parent().map(Path::to_owned));
        config.or_else(|| self.files.first()?.path.path().parent()?.parent().map(Path::to_owned))
    }

    /// Whether it was written for the repository at this path. The folder rule puts absolute paths into the
    /// configuration and into the hooks, so that what was written elsewhere leads elsewhere.
    pub(crate) fn is_at_home(&self, place: &Place) -> bool {
        self.home.as_ref().is_none_or(|home| home.path() == place.common_dir)
    }

    /// Writes the record in one step, so that it is never seen half.
    pub(crate) fn save(&self, place: &Place) -> Result<(), HookError> {
        let path = place.record_file();
        let bytes = serde_json::to_vec_pretty(&self.noted(place))
            .map_err(|error| HookError::Record { path: path.clone(), why: error.to_string() })?;
        replace(&path, &bytes)
    }

    /// The record as it stands in the file.
    fn noted(&self, place: &Place) -> Self {
        let mut noted = self.clone();
        noted.home = Some(Bytes::of(&place.common_dir));
        for written in &mut noted.files {
            written.path = moved::noted(place, &written.path);
        }
        for dir in &mut noted.made_dirs {
            *dir = moved::noted(place, dir);
        }
        if let Some(edit) = &mut noted.config {
            edit.path = moved::noted(place, &edit.path);
        }
        noted
    }

    /// Removes the record; the last step of taking everything back.
    pub(crate) fn forget(place: &Place) -> Result<(), HookError> {
        let path = place.record_file();
        remove_if_there(&fresh_record(&path))?;
        remove_if_there(&path)
    }
}

/// The name of some content. Git's own hash, as nothing here has to resist an attack.
pub(crate) fn hash(content: &[u8]) -> String {
    git2::Oid::hash_object(git2::ObjectType::Blob, content).expect("bytes in memory can be hashed").to_string()
}

/// The content of a file; `None` when there is none.
pub(crate) fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, HookError> {
    match regular::bytes(path, regular::LONG) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(file("read", path)(error)),
    }
}

/// What a record is called until it is whole.
pub(crate) fn fresh_record(path: &Path) -> PathBuf {
    path.with_extension("json.tmp")
}

/// Puts a record in its place in one step. It is what we need to give everything back: a loss of power must not leave an
/// empty one.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), HookError> {
    fresh::replace(path, &fresh_record(path), 0o666, OnDisk::First, bytes).map_err(file("write", path))
}

pub(crate) fn remove_if_there(path: &Path) -> Result<(), HookError> {
    match fs::remove_file(path) {
        Ok(()) => Ok(()),
        // A reftable repository has a file where others have the folder of their branches.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(()),
        Err(error) => Err(file("remove", path)(error)),
    }
}
