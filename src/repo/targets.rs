//! The files in the working tree that outputs are written to (G31, G53): never out of the repository, never over bytes
//! that nobody saw, never half.
//!
//! A path is first resolved by hand, symlink by symlink; then every folder is opened from the one above it without
//! following links. So a link that is put in the way between looking and writing makes the write fail and leads
//! nowhere. Where symlinks lead is judged as the typed name is: never to a file that makes programs run. Bytes are written exactly as drafted: no line-end conversion, no filters.

mod begun;
mod resolve;
mod temporary;

use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use self::resolve::{Place, Trouble, Walk};
use super::open::Opened;
use crate::app::ports::{TargetFiles, TargetState, WriteError};
use crate::domain::ids::{ObjectId, SessionId};
use crate::domain::production::{Approved, Draft, Origin, TargetPath};
use crate::domain::settings::Destination;
use crate::domain::text::Line;
use crate::files::fresh::Fresh;
use crate::git::object::{in_words, name_of, naming_of};
use crate::git::{Kind, Naming};

/// The largest file that a draft is compared with.
const LARGEST: u64 = 16 * 1024 * 1024;

/// The most names of a folder that are looked at.
const MOST_NAMES: usize = 5_000;

/// The working tree of a repository.
#[derive(Clone, Debug)]
pub struct WorktreeFiles {
    root: PathBuf,
    /// Where it is noted what was begun; none for a folder alone.
    git_dir: Option<PathBuf>,
}

impl WorktreeFiles {
    /// The working tree of this repository; `None` when it is bare.
    pub fn new(opened: &Opened) -> Option<Self> {
        opened.worktree.clone().map(|root| Self { root, git_dir: Some(opened.git_dir.clone()) })
    }

    /// The folder with this path as its top.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), git_dir: None }
    }
}

impl TargetFiles for WorktreeFiles {
    fn read(&self, path: &TargetPath) -> io::Result<Option<String>> {
        match resolve::place(&self.root, path, Walk::Look) {
            Ok(place) => match current(&place).map_err(io::Error::from)? {
                Some(bytes) => String::from_utf8(bytes)
                    .map(Some)
                    .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, format!("{path} is not UTF-8"))),
                None => Ok(None),
            },
            Err(Trouble::Absent) => Ok(None),
            Err(trouble) => Err(trouble.into()),
        }
    }

    fn check_links(&self, path: &TargetPath) -> Result<(), WriteError> {
        match resolve::place(&self.root, path, Walk::Look) {
            Err(trouble @ (Trouble::Leads(..) | Trouble::Program | Trouble::Unsafe(_))) => named(path, Err(trouble)),
            Ok(_) | Err(Trouble::Absent | Trouble::Changed | Trouble::Io(_)) => Ok(()),
        }
    }

    fn names(&self, folder: &TargetPath) -> io::Result<Vec<String>> {
        match resolve::folder(&self.root, folder) {
            Ok(place) => listed(&place).map_err(io::Error::from),
            Err(Trouble::Absent) => Ok(Vec::new()),
            Err(trouble) => Err(trouble.into()),
        }
    }

    fn write(&self, approved: &Approved<TargetPath>) -> Result<(), WriteError> {
        let path = approved.target();
        named(path, replace(&self.root, path, approved.draft()))
    }

    fn check(&self, approved: &Approved<TargetPath>) -> Result<TargetState, WriteError> {
        let path = approved.target();
        named(path, look(&self.root, path, approved.draft()))
    }

    fn put_back(&self, path: &TargetPath, written: &ObjectId, before: Option<&str>) -> Result<(), WriteError> {
        named(
            path,
            match before {
                Some(text) => earlier(path, written, text).and_then(|earlier| replace(&self.root, path, &earlier)),
                None => remove(&self.root, path, written),
            },
        )
    }

    fn begin_back(&self, id: &SessionId, round: u64) {
        if let Some(git_dir) = &self.git_dir {
            begun::begin(git_dir, id, round);
        }
    }

    fn end_back(&self) {
        if let Some(git_dir) = &self.git_dir {
            begun::end(git_dir);
        }
    }

    fn begun_back(&self, id: &SessionId) -> Option<u64> {
        begun::begun(self.git_dir.as_deref()?, id)
    }

    fn tidy(&self, path: &TargetPath, blob: &ObjectId) {
        // A folder that cannot be reached holds nothing of ours.
        if let Ok(place) = resolve::place(&self.root, path, Walk::Look) {
            temporary::tidy(&place, blob);
        }
    }

    fn check_back(&self, path: &TargetPath, written: &ObjectId, before: Option<&str>) -> Result<(), WriteError> {
        named(
            path,
            match before {
                Some(text) => {
                    earlier(path, written, text).and_then(|earlier| look(&self.root, path, &earlier).map(drop))
                }
                None => written_at(&self.root, path, written).map(drop),
            },
        )
    }
}

fn named<T>(path: &TargetPath, done: Result<T, Trouble>) -> Result<T, WriteError> {
    done.map_err(|trouble| match trouble {
        Trouble::Leads(to, danger) => WriteError::Leads { path: path.clone(), to, danger },
        Trouble::Unsafe(why) => WriteError::Unsafe { path: path.clone(), why },
        Trouble::Program => WriteError::Unsafe { path: path.clone(), why: resolve::PROGRAM.to_owned() },
        Trouble::Io(source) => WriteError::Io { path: path.clone(), source },
        Trouble::Changed | Trouble::Absent => WriteError::Changed { path: path.clone() },
    })
}

/// What stood there before, as a draft in the place of what was written.
fn earlier(path: &TargetPath, written: &ObjectId, text: &str) -> Result<Draft, Trouble> {
    Ok(Draft {
        target: path.clone().into(),
        destination: Destination::Custom(Line::clipped("undo")),
        origin: Origin::Generated,
        blob: blob_of(text.as_bytes(), written)?,
        replaces: Some(written.clone()),
        content: text.to_owned(),
        replaced: None,
    })
}

/// The place of a file that still holds what was written; `None` when there is no file.
fn written_at(root: &Path, path: &TargetPath, written: &ObjectId) -> Result<Option<Place>, Trouble> {
    let place = match resolve::place(root, path, Walk::Look) {
        Ok(place) => place,
        Err(Trouble::Absent) => return Ok(None),
        Err(trouble) => return Err(trouble),
    };
    match current(&place)? {
        None => Ok(None),
        Some(bytes) if blob_of(&bytes, written)? == *written => Ok(Some(place)),
        Some(_) => Err(Trouble::Changed),
    }
}

/// Takes a file away that did not exist before, and the folders above it that are empty then: git knows none of them.
fn remove(root: &Path, path: &TargetPath, written: &ObjectId) -> Result<(), Trouble> {
    let Some(place) = written_at(root, path, written)? else {
        return Ok(());
    };
    rustix::fs::unlinkat(&place.folder, &place.name, AtFlags::empty())?;
    let mut above = path.as_str();
    while let Some((folder, _)) = above.rsplit_once('/') {
        // One that is not empty, or not ours to remove, stays.
        let Ok(place) =
            TargetPath::parse(folder).map_err(drop).and_then(|folder| resolve::folder(root, &folder).map_err(drop))
        else {
            break;
        };
        if rustix::fs::unlinkat(&place.folder, &place.name, AtFlags::REMOVEDIR).is_err() {
            break;
        }
        above = folder;
    }
    Ok(())
}

/// Puts the draft where it belongs, or changes nothing.
fn replace(root: &Path, path: &TargetPath, draft: &Draft) -> Result<(), Trouble> {
    // First only a look: a refusal must not leave new folders behind.
    if look(root, path, draft)? == TargetState::Draft {
        return Ok(());
    }
    let place = resolve::place(root, path, Walk::Make)?;
    write_into(&place, draft).inspect_err(|_| place.unmake())
}

/// What stands where the draft belongs; anything but what it replaces or itself is an error.
fn look(root: &Path, path: &TargetPath, draft: &Draft) -> Result<TargetState, Trouble> {
    if blob_of(draft.content.as_bytes(), &draft.blob)? != draft.blob {
        return Err(Trouble::Unsafe("the draft's bytes are not the ones that were approved".to_owned()));
    }
    match resolve::place(root, path, Walk::Look) {
        Ok(place) => found_at(&place, draft),
        Err(Trouble::Absent) => absent(draft),
        Err(trouble) => Err(trouble),
    }
}

fn found_at(place: &Place, draft: &Draft) -> Result<TargetState, Trouble> {
    let Some(bytes) = current(place)? else {
        return absent(draft);
    };
    let blob = blob_of(&bytes, &draft.blob)?;
    if blob == draft.blob {
        Ok(TargetState::Draft)
    } else if Some(&blob) == draft.replaces.as_ref() {
        Ok(TargetState::Replaced)
    } else {
        Err(Trouble::Changed)
    }
}

fn absent(draft: &Draft) -> Result<TargetState, Trouble> {
    match draft.replaces {
        None => Ok(TargetState::Replaced),
        Some(_) => Err(Trouble::Changed),
    }
}

/// The bytes of the file at the place; `None` when there is none.
fn current(place: &Place) -> Result<Option<Vec<u8>>, Trouble> {
    // A named pipe would otherwise be waited for.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match rustix::fs::openat(&place.folder, &place.name, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::NOENT) => return Ok(None),
        Err(Errno::LOOP) => return Err(Trouble::Unsafe("it has just become a symlink".to_owned())),
        Err(error) => return Err(error.into()),
    };
    let about = file.metadata()?;
    if about.is_dir() {
        return Err(Trouble::Unsafe("a folder stands there".to_owned()));
    }
    if !about.is_file() {
        return Err(Trouble::Unsafe("it is no ordinary file".to_owned()));
    }
    if about.len() > LARGEST {
        return Err(Trouble::Unsafe(format!("it has more than {LARGEST} bytes")));
    }
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// The names of the ordinary files in the folder at the place.
fn listed(place: &Place) -> Result<Vec<String>, Trouble> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = match rustix::fs::openat(&place.folder, &place.name, flags, Mode::empty()) {
        Ok(folder) => folder,
        // What is no folder holds no files.
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    let mut names = Vec::new();
    for entry in rustix::fs::Dir::read_from(&folder)?.take(MOST_NAMES) {
        let entry = entry?;
        // A name that is not UTF-8 can be no target either.
        let Ok(name) = entry.file_name().to_str() else { continue };
        let about = rustix::fs::statat(&folder, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW)?;
        if FileType::from_raw_mode(about.st_mode) == FileType::RegularFile {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

/// Temporary file, sync, rename.
fn write_into(place: &Place, draft: &Draft) -> Result<(), Trouble> {
    let mode = mode_of_current(place)?;
    let (mut file, mut fresh) = temporary::make(place, &draft.blob)?;
    file.write_all(draft.content.as_bytes())?;
    if let Some(mode) = mode {
        rustix::fs::fchmod(&file, mode)?;
    }
    file.sync_all()?;
    // Open until it has its place, since its lock goes with it.
    publish(place, &mut fresh, draft)
}

/// The mode of the file that is replaced. One that this user may not write is not replaced either, though the folder
/// would let us: somebody protected it.
fn mode_of_current(place: &Place) -> Result<Option<Mode>, Trouble> {
    match rustix::fs::statat(&place.folder, &place.name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(about) => {
            rustix::fs::accessat(&place.folder, &place.name, rustix::fs::Access::WRITE_OK, AtFlags::empty())?;
            Ok(Some(Mode::from_raw_mode(about.st_mode)))
        }
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn publish(place: &Place, fresh: &mut Fresh<'_>, draft: &Draft) -> Result<(), Trouble> {
    // Once more, as late as possible: somebody may have saved the file while ours was written.
    let placed = match found_at(place, draft)? {
        TargetState::Draft => return Ok(()),
        TargetState::Replaced if draft.replaces.is_some() => fresh.place(&place.name),
        // A file that appears at the last moment is not replaced.
        TargetState::Replaced => fresh.place_new(&place.name),
    };
    match placed {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(Trouble::Changed),
        other => other?,
    }
    // The file is in place; a folder that cannot be synced is no reason to call it unwritten.
    let _ = rustix::fs::fsync(&place.folder);
    Ok(())
}

/// What these bytes are called, by the rule that `like` was called by.
fn blob_of(bytes: &[u8], like: &ObjectId) -> Result<ObjectId, Trouble> {
    let naming = naming_of(like.as_str()).unwrap_or(Naming::Sha1);
    name_of(naming, Kind::Blob, bytes).map(in_words).map_err(|error| Trouble::Io(io::Error::other(error.0)))
}
