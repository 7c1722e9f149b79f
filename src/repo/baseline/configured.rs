//! Files that git's configuration names, in the git directory and in the working tree: programs that git runs, and files
//! that it includes. Nothing else watches them there where they are ignored or no files of the working tree.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::git::GitAt;
use super::gitdir::{self, Settings};
use crate::app::ports::BaselineError;
use crate::git::configured::{with_origins, words};
use crate::git::paths::quoted;

const DOING: &str = "reading git's configuration";
/// What is ours in a git directory is known by its content.
const OURS: &str = "grill";
/// The setting that names a folder in which git runs every program of a known name.
const HOOKS: &[u8] = b"core.hookspath";

/// Their fingerprints, by the path in the git directory, else by the whole path.
pub(super) fn named(git: &GitAt<'_>, common_dir: &Path) -> Result<Settings, BaselineError> {
    let listed = git.ask(DOING, &["config", "-z", "--show-origin", "--list"], Vec::new())?;
    let common = common_dir.canonicalize().map_err(|error| BaselineError::failed(DOING, error))?;
    let top = git.top.as_ref().and_then(|top| top.canonicalize().ok());
    let places: Vec<&Path> = git.top.as_deref().into_iter().chain([common_dir, git.dir.as_path()]).collect();
    let mut files = BTreeSet::new();
    for (origin, name, value) in with_origins(&listed) {
        // git names an included file from where it runs, which is the top; what that includes is named from its folder.
        let origin = origin.map(|file| git.top.as_deref().unwrap_or(&git.dir).join(OsStr::from_bytes(file)));
        let beside = origin.as_deref().and_then(Path::parent);
        // A path may have spaces.
        for word in words(value).chain([value]).filter(|word| !word.is_empty()) {
            for place in places.iter().copied().chain(beside) {
                let path = place.join(OsStr::from_bytes(word));
                match fs::metadata(&path) {
                    Ok(about) if about.is_file() => drop(files.insert(path)),
                    Ok(about) if about.is_dir() && name == HOOKS => gitdir::files_below(&path, &mut files),
                    Ok(_) | Err(_) => {}
                }
            }
        }
        // Also one that no place names, as another configuration of the user's in the repository.
        files.extend(origin.filter(|file| file.is_file()));
    }
    let mut found = Settings::new();
    for path in files {
        let Some(real) = path.parent().and_then(|folder| folder.canonicalize().ok()) else { continue };
        let real = real.join(path.file_name().unwrap_or_default());
        let name = match (real.strip_prefix(&common), &top) {
            (Ok(below), _) if below.starts_with(OURS) => continue,
            (Ok(below), _) => below,
            (Err(_), Some(top)) if real.starts_with(top) => real.as_path(),
            (Err(_), _) => continue,
        };
        if let Some(print) = gitdir::print_of(&path) {
            found.insert(quoted(name.as_os_str().as_bytes()), print);
        }
    }
    Ok(found)
}

/// The file of the working tree that such a name means, as a path below the top.
pub(super) fn below<'a>(name: &'a str, top: Option<&PathBuf>) -> Option<&'a str> {
    let top = top?.canonicalize().ok()?;
    name.strip_prefix(quoted(top.as_os_str().as_bytes()).as_str())?.strip_prefix('/')
}
