//! Hooks of ours that no record names, because somebody has removed `.git/grill` or only the record in it.
//!
//! They are known by their bytes alone: exactly what we write as that hook, whichever program it runs and whichever
//! folder it calls. Doubt means no: a hook with any other byte is the user's.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::app::ports::Process;
use crate::hooks::config;
use crate::hooks::error::{HookError, file};
use crate::hooks::git;
use crate::hooks::moved::is_inside;
use crate::hooks::place::Place;
use crate::hooks::record::{Bytes, ConfigEdit, Key, Record, read_if_there, remove_if_there};
use crate::hooks::shim::{self, EVER_OURS};

/// Something of ours that is on no record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stray {
    File(PathBuf),
    /// A key in the repository's configuration, with its value.
    Key(Key),
}

/// What of ours the record does not name.
pub(crate) fn strays(place: &Place, record: Option<&Record>, process: &dyn Process) -> Result<Vec<Stray>, HookError> {
    let mut found = Vec::new();
    // With a record the configuration has at most what that one names.
    if record.is_none() {
        found.extend(keys(place, process)?.into_iter().map(Stray::Key));
    }
    let noted = |path: &Path| record.is_some_and(|one| one.files.iter().any(|file| file.path.path() == path));
    for path in files(place, process)? {
        if !noted(&path) {
            found.push(Stray::File(path));
        }
    }
    Ok(found)
}

pub(crate) fn remove(place: &Place, strays: &[Stray], process: &dyn Process) -> Result<(), HookError> {
    let key = |stray: &Stray| match stray {
        Stray::Key(key) => Some(key.clone()),
        Stray::File(_) => None,
    };
    let keys: Vec<Key> = strays.iter().filter_map(key).collect();
    if !keys.is_empty() {
        let path = Bytes::of(&config::file_of(place));
        // What stood there before nobody knows, so it is taken back key by key.
        let edit = ConfigEdit { path, before: None, after_hash: String::new(), keys };
        config::restore(place, &edit, process)?;
    }
    for stray in strays {
        match stray {
            Stray::File(path) => remove_if_there(path)?,
            Stray::Key(_) => {}
        }
    }
    match fs::remove_dir(place.own_hooks()) {
        Err(error) if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty) => {
            Err(file("remove", &place.own_hooks())(error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Hook files with our bytes: our names in the folder where git looks, any in the folder that is entirely ours.
fn files(place: &Place, process: &dyn Process) -> Result<Vec<PathBuf>, HookError> {
    let mut dirs = vec![place.common_dir.join("hooks")];
    // Where git cannot be asked, nobody is kept from stopping: its default folder is looked at, and ours.
    let set = git::hooks_path(place, process).ok().flatten().map(|path| place.root.join(path.value));
    // One that lies elsewhere may be shared with other repositories; we never put files there.
    dirs.extend(set.filter(|dir| is_inside(place, dir) && *dir != place.own_hooks() && !dirs.contains(dir)));
    let mut candidates: Vec<PathBuf> = dirs.iter().flat_map(|dir| EVER_OURS.map(|name| dir.join(name))).collect();
    match fs::read_dir(place.own_hooks()) {
        Ok(entries) => {
            for entry in entries {
                candidates.push(entry.map_err(file("read", &place.own_hooks()))?.path());
            }
        }
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {}
        Err(error) => return Err(file("read", &place.own_hooks())(error)),
    }
    let mut found = Vec::new();
    for path in candidates {
        if is_ours_by_its_bytes(&path)? {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Whether a file is a hook that we have written, to the byte.
pub(crate) fn is_ours_by_its_bytes(path: &Path) -> Result<bool, HookError> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    Ok(fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file())
        && read_if_there(path)?.is_some_and(|content| shim::is_hook_of_ours(name, &content)))
}

/// Keys of ours in the repository's own configuration.
fn keys(place: &Place, process: &dyn Process) -> Result<Vec<Key>, HookError> {
    let path = config::file_of(place);
    // The folder and the sections are called so: where the word is not, git need not be asked.
    if !read_if_there(&path)?.is_some_and(|text| text.windows(5).any(|word| word == b"grill")) {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    let mut add = |name: String, is_ours: &dyn Fn(&[u8]) -> bool| -> Result<bool, HookError> {
        let values = git::config_values(process, &path, &name)?;
        let ours: Vec<_> = values.into_iter().filter(|value| is_ours(value)).collect();
        let any = !ours.is_empty();
        found.extend(ours.into_iter().map(|value| Key { name: name.clone(), value: Bytes(value) }));
        Ok(any)
    };
    add("core.hooksPath".to_owned(), &|value| *value == Bytes::of(&place.own_hooks()).0)?;
    for hook in EVER_OURS {
        if add(format!("hook.git-grill-{hook}.command"), &|value| shim::is_command_of_ours(hook, value))? {
            add(format!("hook.git-grill-{hook}.event"), &|value| value == hook.as_bytes())?;
        }
    }
    Ok(found)
}
