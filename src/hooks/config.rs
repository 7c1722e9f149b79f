//! Our part of the git configuration: appended in one step, and taken back to the byte.
//!
//! Appending beats what stands above and what is included there, and leaves every foreign line alone. The swap goes
//! through git's own `config.lock`, whose content is complete before it exists, so that a lock left behind by a kill
//! can be recognised as ours. Under the fence that lock is a folder of ours, so it is held already.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::app::ports::Process;
use crate::files::fresh::{self, OnDisk};
use crate::files::patience::again;
use crate::files::{in_vain, regular};
use crate::hooks::error::{HookError, file};
use crate::hooks::git;
use crate::hooks::place::{FENCE_NOTE, Place};
use crate::hooks::record::{Bytes, ConfigEdit, Key, hash, read_if_there, remove_if_there};

/// How long a `config.lock` that somebody else has is waited for.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often a configuration that somebody else keeps rewriting is edited anew.
const EDITS: u32 = 5;

/// A section to append: its heading as it stands in the file, its name for `git config`, its keys.
pub(crate) struct Section {
    pub(crate) heading: String,
    pub(crate) name: String,
    pub(crate) keys: Vec<(&'static str, Vec<u8>)>,
}

/// What appending the sections to the present configuration would do.
pub(crate) fn plan(place: &Place, sections: &[Section]) -> Result<(ConfigEdit, Vec<u8>), HookError> {
    let path = file_of(place);
    let before = read_if_there(&path)?;
    let mut after = before.clone().unwrap_or_default();
    if after.last().is_some_and(|byte| *byte != b'\n') {
        after.push(b'\n');
    }
    let mut keys = Vec::new();
    for section in sections {
        after.extend(format!("[{}]\n", section.heading).bytes());
        for (key, value) in &section.keys {
            after.extend(format!("\t{key} = ").bytes());
            after.extend(quoted(value));
            after.push(b'\n');
            keys.push(Key { name: format!("{}.{key}", section.name), value: Bytes(value.clone()) });
        }
    }
    let edit = ConfigEdit { path: Bytes::of(&path), before: before.map(Bytes), after_hash: hash(&after), keys };
    Ok((edit, after))
}

/// Puts the planned content in place, unless somebody changed the configuration since.
pub(crate) fn apply(place: &Place, edit: &ConfigEdit, after: &[u8]) -> Result<(), HookError> {
    match swap(place, &edit.path.path(), edit.before.as_ref().map(|bytes| bytes.0.as_slice()), Some(after))? {
        Swapped::Done => Ok(()),
        Swapped::Different => {
            let changed = io::Error::other("it was changed at the same moment");
            Err(file("write", &edit.path.path())(changed))
        }
    }
}

/// Whether our keys are still there, whatever else was edited.
pub(crate) fn in_place(edit: &ConfigEdit, process: &dyn Process) -> Result<bool, HookError> {
    let path = edit.path.path();
    match read_if_there(&path)? {
        Some(now) if hash(&now) == edit.after_hash => return Ok(true),
        Some(_) => {}
        None => return Ok(false),
    }
    for key in &edit.keys {
        let mut values = git::config_values(process, &path, &key.name)?;
        if values.pop().as_ref() != Some(&key.value.0) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Takes the edit back: to the byte if nobody else wrote since, otherwise key by key.
pub(crate) fn restore(place: &Place, edit: &ConfigEdit, process: &dyn Process) -> Result<(), HookError> {
    let path = edit.path.path();
    remove_own_stale_lock(&path, edit)?;
    let before = edit.before.as_ref().map(|bytes| bytes.0.as_slice());
    let now = read_if_there(&path)?;
    if now.as_deref() == before {
        return Ok(());
    }
    if let Some(now) = now.filter(|now| hash(now) == edit.after_hash)
        && swap(place, &path, Some(&now), before)? == Swapped::Done
    {
        return Ok(());
    }
    for _ in 0..EDITS {
        let Some(now) = read_if_there(&path)? else {
            return Ok(());
        };
        let edited = without_our_keys(place, edit, &now, process)?;
        if edited == now || swap(place, &path, Some(&now), Some(&edited))? == Swapped::Done {
            return Ok(());
        }
    }
    Err(HookError::busy(path))
}

/// The same configuration without our keys. git edits a copy: under the fence it could not lock the file itself.
fn without_our_keys(place: &Place, edit: &ConfigEdit, now: &[u8], process: &dyn Process) -> Result<Vec<u8>, HookError> {
    let copy = place.grill_dir().join("config.edit");
    let edited = || {
        regular::write(&copy, now).map_err(file("write", &copy))?;
        edit.keys.iter().try_for_each(|key| git::unset(process, &copy, &key.name, &key.value.0))?;
        regular::bytes(&copy, regular::LONG).map_err(file("read", &copy))
    };
    let text = edited();
    remove_if_there(&copy)?;
    remove_if_there(&lock_path(&copy))?;
    text
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Swapped {
    Done,
    Different,
}

/// Replaces `path` if it holds `expected`, under git's own lock.
fn swap(place: &Place, path: &Path, expected: Option<&[u8]>, wanted: Option<&[u8]>) -> Result<Swapped, HookError> {
    let lock = lock_path(path);
    let fresh = place.grill_dir().join("config.tmp");
    // A loss of power must not leave the user's own configuration empty.
    let written = fresh::write(&fresh, 0o666, OnDisk::First, wanted.unwrap_or_default());
    written.map_err(file("write", &fresh))?.keep();
    if let Ok(meta) = fs::metadata(path) {
        fs::set_permissions(&fresh, meta.permissions()).map_err(file("write", &fresh))?;
    }
    // Under the fence we hold the lock by another name, and the file that is put in place is the fresh one itself.
    let source = if lock.join(FENCE_NOTE).is_file() {
        fresh
    } else {
        let taken = take(&fresh, &lock);
        remove_if_there(&fresh)?;
        taken?;
        lock
    };
    let outcome = if read_if_there(path)?.as_deref() == expected {
        match wanted {
            Some(_) => fs::rename(&source, path).map_err(file("write", path)),
            None => remove_if_there(path).and_then(|()| remove_if_there(&source)),
        }
        .map(|()| Swapped::Done)
    } else {
        remove_if_there(&source).map(|()| Swapped::Different)
    };
    if outcome.is_err() {
        remove_if_there(&source)?;
    }
    outcome
}

/// A link appears with its whole content or not at all, and never over an existing lock.
fn take(fresh: &Path, lock: &Path) -> Result<(), HookError> {
    let is_taken = |error: &io::Error| error.kind() == io::ErrorKind::AlreadyExists;
    let left = in_vain::left(lock, PATIENCE);
    match again(left, || fs::hard_link(fresh, lock), is_taken) {
        Err(error) if is_taken(&error) => {
            in_vain::note(lock, left);
            Err(HookError::busy(lock.to_owned()))
        }
        other => other.map_err(file("lock", lock)),
    }
}

/// A kill between taking the lock and renaming it would make every `git config` fail for good.
fn remove_own_stale_lock(path: &Path, edit: &ConfigEdit) -> Result<(), HookError> {
    let lock = lock_path(path);
    if !lock.is_file() {
        return Ok(());
    }
    let content = read_if_there(&lock)?;
    let before = edit.before.as_ref().map(|bytes| bytes.0.as_slice());
    if content.is_some_and(|content| hash(&content) == edit.after_hash || Some(content.as_slice()) == before) {
        remove_if_there(&lock)?;
    }
    Ok(())
}

fn lock_path(path: &Path) -> PathBuf {
    let mut lock = path.as_os_str().to_owned();
    lock.push(".lock");
    PathBuf::from(lock)
}

/// The configuration that we edit: like git, what a symbolic link points to.
pub(crate) fn file_of(place: &Place) -> PathBuf {
    let path = place.config_file();
    fs::canonicalize(&path).unwrap_or(path)
}

/// A value that git reads back as exactly these bytes.
fn quoted(value: &[u8]) -> Vec<u8> {
    let mut text = vec![b'"'];
    for byte in value {
        match byte {
            b'"' | b'\\' => text.extend([b'\\', *byte]),
            b'\n' => text.extend(b"\\n"),
            b'\t' => text.extend(b"\\t"),
            other => text.push(*other),
        }
    }
    text.push(b'"');
    text
}
