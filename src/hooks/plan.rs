//! Which rule fits this repository, and what it would write. Nothing is written here.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::app::ports::Process;
use crate::hooks::config::{self, Section};
use crate::hooks::error::{HookError, file};
use crate::hooks::git;
use crate::hooks::place::Place;
use crate::hooks::record::{Bytes, Record, Rule, Written, hash};
use crate::hooks::shim::{self, GUARDED};
use crate::hooks::worktrees;

/// The first git that runs hooks from its configuration.
const CONFIGURED_SINCE: git::Version = (2, 54);

/// What is to be written, with the record that takes it back.
pub(crate) struct Plan {
    pub(crate) record: Record,
    /// Hook files in the order of the record.
    pub(crate) contents: Vec<(PathBuf, Vec<u8>)>,
    pub(crate) config: Option<Vec<u8>>,
}

/// Chooses the gentlest rule that works here.
pub(crate) fn plan(place: &Place, process: &dyn Process) -> Result<Plan, HookError> {
    if git::version(process)? >= CONFIGURED_SINCE {
        return configured(place);
    }
    let default = place.common_dir.join("hooks");
    match git::hooks_path(place, process)?.map(|path| path.value) {
        None => match free_folder(place, &default)? {
            Some(dir) => Ok(beside(place, &dir)),
            None => folder(place, &default),
        },
        // A relative one is a different folder in every worktree.
        Some(path) if path.is_relative() => folder(place, &path),
        Some(path) => match free_folder(place, &path)? {
            Some(dir) => Ok(beside(place, &dir)),
            None => folder(place, &path),
        },
    }
}

fn configured(place: &Place) -> Result<Plan, HookError> {
    let section = |hook: &&str| Section {
        heading: format!("hook \"git-grill-{hook}\""),
        name: format!("hook.git-grill-{hook}"),
        keys: vec![("event", hook.as_bytes().to_vec()), ("command", shim::command(hook, &place.binary))],
    };
    let sections: Vec<Section> = GUARDED.iter().map(section).collect();
    let (edit, after) = config::plan(place, &sections)?;
    let mut record = Record::new(Rule::Configured, &place.binary);
    record.config = Some(edit);
    Ok(Plan { record, contents: Vec::new(), config: Some(after) })
}

fn beside(place: &Place, dir: &Path) -> Plan {
    let mut record = Record::new(Rule::Beside, &place.binary);
    if !dir.exists() {
        record.made_dirs.push(Bytes::of(dir));
    }
    let contents = GUARDED.iter().map(|hook| (dir.join(hook), shim::guard(hook, &place.binary))).collect();
    noted(record, contents, None)
}

fn folder(place: &Place, displaced: &Path) -> Result<Plan, HookError> {
    let own = place.own_hooks();
    let mut record = Record::new(Rule::Folder, &place.binary);
    record.made_dirs.push(Bytes::of(&own));
    let mut contents = Vec::new();
    for hook in GUARDED {
        contents.push((own.join(hook), shim::guarding_dispatcher(hook, &place.binary, displaced)));
    }
    for hook in hooks_in(place, displaced)? {
        contents.push((own.join(&hook), shim::dispatcher(&hook, displaced)));
    }
    let section =
        Section { heading: "core".to_owned(), name: "core".to_owned(), keys: vec![("hooksPath", Bytes::of(&own).0)] };
    let (edit, after) = config::plan(place, &[section])?;
    record.config = Some(edit);
    Ok(noted(record, contents, Some(after)))
}

fn noted(mut record: Record, contents: Vec<(PathBuf, Vec<u8>)>, config: Option<Vec<u8>>) -> Plan {
    record.files =
        contents.iter().map(|(path, content)| Written { path: Bytes::of(path), hash: hash(content) }).collect();
    Plan { record, contents, config }
}

/// The folder itself if we may put our hooks beside those in it: inside the git directory, so that no tracked or
/// foreign folder gets a file of ours; writable; and without hooks of these names, not even dangling links.
fn free_folder(place: &Place, dir: &Path) -> Result<Option<PathBuf>, HookError> {
    let common = fs::canonicalize(&place.common_dir).map_err(file("read", &place.common_dir))?;
    let real = match fs::canonicalize(dir) {
        Ok(real) => real,
        // Only the default one is made; a folder that somebody named and that is not there is his to make.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let absent = dir == place.common_dir.join("hooks") && fs::symlink_metadata(dir).is_err();
            return Ok(absent.then(|| common.join("hooks")));
        }
        Err(error) => return Err(file("read", dir)(error)),
    };
    let taken = |hook: &&str| fs::symlink_metadata(real.join(hook)).is_ok();
    let usable = real.starts_with(&common) && real.is_dir() && writable(&real) && !GUARDED.iter().any(taken);
    Ok(usable.then_some(real))
}

fn writable(dir: &Path) -> bool {
    rustix::fs::access(dir, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK).is_ok()
}

/// Names of the hooks that the displaced folder has and we have not, in any worktree if it is a relative one. Only these
/// get a dispatcher: the mere existence of some hooks changes what git does.
pub(crate) fn hooks_in(place: &Place, displaced: &Path) -> Result<BTreeSet<String>, HookError> {
    let roots = if displaced.is_relative() { worktrees::roots(place)? } else { vec![place.root.clone()] };
    let mut names = BTreeSet::new();
    for dir in roots.iter().map(|root| root.join(displaced)) {
        let Ok(entries) = fs::read_dir(&dir) else {
            continue;
        };
        for entry in entries {
            let entry = entry.map_err(file("read", &dir))?;
            if let Some(name) = entry.file_name().to_str().filter(|name| is_hook(name)) {
                names.insert(name.to_owned());
            }
        }
    }
    Ok(names)
}

/// Hooks are named in lower case with hyphens; samples, helpers with a suffix and hidden files are not hooks.
fn is_hook(name: &str) -> bool {
    !GUARDED.contains(&name)
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-' || byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_and_helpers_are_no_hooks() {
        for name in ["pre-commit", "commit-msg", "p4-pre-submit", "prepare-commit-msg"] {
            assert!(is_hook(name), "{name}");
        }
        for name in ["pre-commit.sample", "husky.sh", ".gitignore", "Pre-Commit", "reference-transaction", "pre-push"] {
            assert!(!is_hook(name), "{name}");
        }
    }
}
