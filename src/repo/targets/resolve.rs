//! From a path to the open folder that holds its file, without ever leaving the working tree.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use crate::domain::danger::{Danger, danger, is_program};
use crate::domain::production::TargetPath;

/// How many symlinks a path may lead through.
const MOST_LINKS: usize = 16;

pub(super) const PROGRAM: &str = "the file there is a program: it may be executed, and it is no document";

/// Why a path leads to no file that may be read or written.
#[derive(Debug)]
pub(super) enum Trouble {
    /// A folder on the way is not there.
    Absent,
    /// What stands there is not what was shown.
    Changed,
    /// Symlinks lead to this file, which makes programs run.
    Leads(TargetPath, Danger),
    Program,
    /// It leads out of the repository or to something that is no file.
    Unsafe(String),
    Io(io::Error),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Errno> for Trouble {
    fn from(error: Errno) -> Self {
        Self::Io(error.into())
    }
}

impl From<Trouble> for io::Error {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Io(error) => error,
            Trouble::Leads(to, danger) => {
                Self::new(io::ErrorKind::InvalidInput, format!("it leads to {to}, and {danger}"))
            }
            Trouble::Program => Self::new(io::ErrorKind::InvalidInput, PROGRAM),
            Trouble::Unsafe(why) => Self::new(io::ErrorKind::InvalidInput, why),
            Trouble::Changed => Self::other("it changed while it was read"),
            Trouble::Absent => io::ErrorKind::NotFound.into(),
        }
    }
}

/// Whether folders that are missing are made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Walk {
    Look,
    /// Missing folders are made.
    Make,
}

/// A file's folder, held open, and its name there. The name is no symlink as far as anybody saw.
pub(super) struct Place {
    pub(super) folder: OwnedFd,
    pub(super) name: OsString,
    /// Folders that were made for it, with the folder that each one is in.
    made: Vec<(OwnedFd, OsString)>,
}

impl Place {
    /// Takes away the folders that were made, the ones that are empty still.
    pub(super) fn unmake(&self) {
        for (parent, name) in self.made.iter().rev() {
            if rustix::fs::unlinkat(parent, name, AtFlags::REMOVEDIR).is_err() {
                return;
            }
        }
    }
}

/// Finds the place of the file `path` below `root`; an error where symlinks lead to a file that makes programs run, or
/// where a program stands.
pub(super) fn place(root: &Path, path: &TargetPath, walk: Walk) -> Result<Place, Trouble> {
    let straight = without_links(root, path)?;
    if let Some(to) = straight.led
        && let Some(danger) = danger(&to)
    {
        return Err(Trouble::Leads(to, danger));
    }
    let place = open(root, &straight.parts, walk)?;
    if stands_a_program(&place, path) {
        place.unmake();
        return Err(Trouble::Program);
    }
    Ok(place)
}

fn stands_a_program(place: &Place, path: &TargetPath) -> bool {
    let found = rustix::fs::statat(&place.folder, &place.name, AtFlags::SYMLINK_NOFOLLOW);
    found.is_ok_and(|about| {
        FileType::from_raw_mode(about.st_mode) == FileType::RegularFile && is_program(path, about.st_mode)
    })
}

/// Finds the place of a folder below `root`, wherever in the working tree it is. The name of a folder says nothing yet
/// of the files that it may hold.
pub(super) fn folder(root: &Path, path: &TargetPath) -> Result<Place, Trouble> {
    open(root, &without_links(root, path)?.parts, Walk::Look)
}

/// Opens each folder from the one above it, without following links.
fn open(root: &Path, parts: &[String], walk: Walk) -> Result<Place, Trouble> {
    let (name, folders) =
        parts.split_last().ok_or_else(|| Trouble::Unsafe("it is the top of the repository".to_owned()))?;
    let mut place = Place { folder: open_root(root)?, name: name.into(), made: Vec::new() };
    for folder in folders {
        if let Err(trouble) = step(&mut place, folder, walk) {
            place.unmake();
            return Err(trouble);
        }
    }
    Ok(place)
}

/// Goes down into one folder.
fn step(place: &mut Place, folder: &str, walk: Walk) -> Result<(), Trouble> {
    let next = match open_folder(&place.folder, folder) {
        Err(Trouble::Absent) if walk == Walk::Make => {
            rustix::fs::mkdirat(&place.folder, folder, Mode::from_raw_mode(0o777))?;
            place.made.push((place.folder.try_clone()?, folder.into()));
            open_folder(&place.folder, folder)?
        }
        opened => opened?,
    };
    // A submodule or a repository inside this one: its files are not ours.
    match rustix::fs::statat(&next, ".git", AtFlags::SYMLINK_NOFOLLOW) {
        Err(Errno::NOENT) => {}
        Ok(_) => {
            return Err(Trouble::Unsafe(format!("'{folder}' is a repository of its own")));
        }
        Err(error) => return Err(error.into()),
    }
    place.folder = next;
    Ok(())
}

/// A path with every symlink replaced by what it names.
struct Straight {
    parts: Vec<String>,
    /// The whole of it, where there was a symlink on the way.
    led: Option<TargetPath>,
}

/// Replaces every symlink on the path by what it names, all inside the working tree, whether that exists or not.
fn without_links(root: &Path, path: &TargetPath) -> Result<Straight, Trouble> {
    let mut left: VecDeque<String> = path.as_str().split('/').map(str::to_owned).collect();
    let mut done: Vec<String> = Vec::new();
    let mut links = 0;
    while let Some(component) = left.pop_front() {
        match component.as_str() {
            "" | "." => continue,
            ".." => {
                done.pop().ok_or_else(outside)?;
                continue;
            }
            _ => {}
        }
        let here = root.join(done.join("/")).join(&component);
        let is_link = match std::fs::symlink_metadata(&here) {
            Ok(about) => about.file_type().is_symlink(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(Trouble::Unsafe(format!("'{}' is no folder", done.join("/"))));
            }
            Err(error) => return Err(error.into()),
        };
        if !is_link {
            done.push(component);
            continue;
        }
        links += 1;
        if links > MOST_LINKS {
            return Err(Trouble::Unsafe("its symlinks go in a circle".to_owned()));
        }
        let target = std::fs::read_link(&here)?;
        let text = target.to_str().ok_or_else(|| Trouble::Unsafe("a symlink on the way is not UTF-8".to_owned()))?;
        let inner = if target.is_absolute() {
            done.clear();
            let inner = target.strip_prefix(root).map_err(|_| outside())?;
            inner.to_str().ok_or_else(outside)?
        } else {
            text
        };
        for part in inner.split('/').rev() {
            left.push_front(part.to_owned());
        }
    }
    // A link inside the repository can still lead into `.git`: where it ends has to be a legal target too.
    let legal = || {
        TargetPath::parse(&done.join("/"))
            .map_err(|bad| Trouble::Unsafe(format!("it leads to '{}': {}", bad.path, bad.because)))
    };
    let led = if links > 0 { Some(legal()?) } else { None };
    Ok(Straight { parts: done, led })
}

fn outside() -> Trouble {
    Trouble::Unsafe("a symlink leads out of the repository".to_owned())
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

fn open_root(root: &Path) -> Result<OwnedFd, Trouble> {
    Ok(rustix::fs::open(root, FOLDER, Mode::empty())?)
}

fn open_folder(parent: &OwnedFd, name: &str) -> Result<OwnedFd, Trouble> {
    match rustix::fs::openat(parent, name, FOLDER.union(OFlags::NOFOLLOW), Mode::empty()) {
        Ok(folder) => Ok(folder),
        Err(Errno::NOENT) => Err(Trouble::Absent),
        // Linux says "not a directory" for a symlink as well.
        Err(Errno::NOTDIR | Errno::LOOP) => Err(Trouble::Unsafe(format!("'{name}' is no folder"))),
        Err(error) => Err(error.into()),
    }
}
