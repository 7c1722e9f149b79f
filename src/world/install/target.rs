//! One file of an agent's settings: where it really lies, and what stands in it.
//!
//! A file that is a symlink stays one, since tools that manage settings put links there: what it leads to is read and
//! written. In a repository a link that leads out of the working tree is refused, for a repository is no place to say
//! which of the user's files are changed.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::agents::install::{Place, Root};
use crate::app::error::AppError;
use crate::files::regular;
use crate::world::failure::failed;

use super::folders::Folders;

/// The largest file that is edited.
const LARGEST: u64 = 16 * 1024 * 1024;

pub(super) struct Target {
    pub shown: PathBuf,
    /// Its path by the names that the agent uses.
    pub named: PathBuf,
    /// Its path with every link followed.
    pub real: PathBuf,
    /// The folder below which empty folders may be taken away.
    pub floor: PathBuf,
    /// What stands there; `None` where nothing does.
    pub before: Option<String>,
}

impl Target {
    pub(super) fn read(folders: &Folders, place: &Place) -> Result<Self, AppError> {
        let (Some(folder), Some(floor)) = (folders.folder(place.root), folders.floor(place.root)) else {
            return Err(AppError::Environment {
                code: "no_home",
                message: "your own settings are not known where they are: HOME is not set to an absolute path"
                    .to_owned(),
                causes: Vec::new(),
                hint: Some("HOME=<your home folder> git grill agent install <agent> --user".to_owned()),
            });
        };
        let other = place.or.map(|path| folder.join(path)).filter(|path| fs::symlink_metadata(path).is_ok());
        let named = match folder.join(place.path) {
            path if fs::symlink_metadata(&path).is_ok() => path,
            path => other.unwrap_or(path),
        };
        let shown = folders.shown(place.root, &named);
        let wrong = |why: &str| wrong(&shown, why);
        let real = real(&named).map_err(|error| {
            let kind = error.kind();
            if kind == io::ErrorKind::NotADirectory {
                wrong("a folder on its way is a file")
            } else if kind == io::ErrorKind::NotFound {
                wrong("it is a link that leads to nothing")
            } else {
                wrong(&error.to_string())
            }
        })?;
        if place.root == Root::Worktree {
            let top = folder.canonicalize().map_err(|error| wrong(&error.to_string()))?;
            let inside = real.strip_prefix(&top).ok();
            if inside.is_none_or(|path| path.starts_with(".git")) {
                return Err(wrong("it leads out of the working tree"));
            }
        }
        let before = contents(&real).map_err(|why| wrong(&why))?;
        Ok(Self { shown, named, real, floor, before })
    }
}

fn wrong(shown: &Path, why: &str) -> AppError {
    AppError::Environment {
        code: "settings_file",
        message: format!("nothing was written: {} cannot be edited", shown.display()),
        causes: vec![why.to_owned()],
        hint: Some(format!("ls -l {}", shown.display())),
    }
}

/// The path with every link followed; what is not there yet goes behind the last folder that is.
fn real(path: &Path) -> io::Result<PathBuf> {
    match path.canonicalize() {
        Ok(real) => return Ok(real),
        Err(error) if error.kind() == io::ErrorKind::NotFound && fs::symlink_metadata(path).is_err() => {}
        Err(error) => return Err(error),
    }
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::NotFound.into());
    };
    let parent = real(parent)?;
    if parent.exists() && !parent.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    Ok(parent.join(name))
}

/// What stands in the file, or why that cannot be said.
pub(super) fn contents(real: &Path) -> Result<Option<String>, String> {
    let about = match fs::metadata(real) {
        Ok(about) => about,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    if !about.is_file() {
        return Err("it is no ordinary file".to_owned());
    }
    if about.len() > LARGEST {
        return Err(format!("it has more than {} MiB", LARGEST / 1024 / 1024));
    }
    let mut bytes = Vec::new();
    let done = regular::open(real).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes));
    done.map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map(Some).map_err(|_| "it is not UTF-8".to_owned())
}

/// The same as an error of the machine.
pub(super) fn not_written(shown: &Path, error: &io::Error) -> AppError {
    let hint = Some(format!("ls -ld {} and its folder", shown.display()));
    failed("not_written", &format!("nothing was written: {} could not be", shown.display()), error, hint)
}
