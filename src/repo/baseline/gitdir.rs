//! Files of the git directory that count: what an operation in progress keeps there, what says which files are ignored,
//! and what changes how git behaves. Agents' own marks and our own folder do not; what every fetch and reset writes counts
//! only while an agent is watched.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::index::tree_of;
use super::worktree::Reading;
use crate::app::ports::BaselineError;
use crate::domain::drift::Spot;
use crate::files::regular;
use crate::git::object::name_of;
use crate::git::paths::quoted;
use crate::git::{Kind, Naming, Oid, Repo};

/// Files and folders that an operation in progress keeps in the git directory of its worktree.
pub(super) const OPERATIONS: &[&str] = &[
    "MERGE_HEAD",
    "MERGE_MODE",
    "MERGE_MSG",
    "MERGE_RR",
    "MERGE_AUTOSTASH",
    "SQUASH_MSG",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "REBASE_HEAD",
    "rebase-merge",
    "rebase-apply",
    "sequencer",
    "BISECT_LOG",
    "BISECT_START",
    "BISECT_TERMS",
    "BISECT_NAMES",
    "BISECT_HEAD",
    "BISECT_RUN",
    "BISECT_EXPECTED_REV",
    "BISECT_ANCESTORS_OK",
    "BISECT_FIRST_PARENT",
];
/// Files that git reads when a name is typed, as in `git reset --hard ORIG_HEAD`. A fetch, a reset and a merge write them
/// without asking, so they are compared only while an agent is watched.
pub(super) const PASSING: &[&str] = &["ORIG_HEAD", "FETCH_HEAD", "AUTO_MERGE"];
/// How many bytes of one such file are kept; the largest are lists of commits.
const LARGEST: u64 = 16 * 1024 * 1024;
/// How many files are looked at; a rebase has some dozens.
const MOST: usize = 10_000;
/// How many files of resolutions are compared; git itself removes old ones.
const RESOLUTIONS: usize = 100_000;

/// Files by their path below the git directory, with their blobs.
pub(super) type Operations = BTreeMap<String, Oid>;

/// What operations in progress keep in files and folders of these names.
pub(super) fn operations(repo: &Repo, git_dir: &Path, names: &[&str]) -> Result<Operations, BaselineError> {
    let mut found = Operations::new();
    let mut waiting: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
    while let Some(path) = waiting.pop() {
        let full = git_dir.join(&path);
        let failed = |error| BaselineError::failed(format!("reading {}", full.display()), error);
        let about = match fs::symlink_metadata(&full) {
            Ok(about) => about,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(failed(error)),
        };
        if about.is_dir() {
            for entry in fs::read_dir(&full).map_err(failed)? {
                waiting.push(path.join(entry.map_err(failed)?.file_name()));
            }
        } else if let (true, Some(name)) = (about.is_file() && about.len() <= LARGEST, path.to_str())
            && found.len() < MOST
        {
            let content = regular::bytes(&full, LARGEST).map_err(failed)?;
            let id = repo.write(Kind::Blob, content).map_err(|error| BaselineError::failed("keeping a file", error))?;
            found.insert(name.to_owned(), id);
        }
    }
    Ok(found)
}

pub(super) fn tree(repo: &Repo, operations: &Operations) -> Result<Oid, BaselineError> {
    tree_of(repo, operations.iter().map(|(path, id)| (path.as_bytes(), 0o100_644, *id)))
}

/// Whether a drift may have made ignored files visible, or visible ones ignored.
pub(super) fn says_what_is_ignored(spot: &Spot) -> bool {
    match spot {
        Spot::File(path) => path == ".gitignore" || path.ends_with("/.gitignore"),
        Spot::Setting(name) => name == "info/exclude",
        Spot::Head | Spot::Ref(_) | Spot::Stash | Spot::Operation(_) | Spot::Index(_) | Spot::Nested(_) => false,
    }
}

/// The name of the setting that decides how rules are read, among what says which files are ignored.
pub(super) const CASE: &str = "core.ignoreCase";

/// What says which files are ignored, outside of the working tree: how rules are read, and a line for each file, with its
/// fingerprint.
pub(super) fn ignoring(common_dir: &Path, reading: &Reading) -> String {
    let files = std::iter::once(common_dir.join("info/exclude")).chain(reading.ignores.iter().cloned());
    let print = |path: &Path| match regular::bytes(path, regular::LONG) {
        Ok(content) => fingerprint(&content).unwrap_or_else(|| "?".to_owned()),
        // Without rules it ignores as much as one that is not there; the user may mean `/dev/null`.
        Err(error)
            if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidInput) =>
        {
            fingerprint(b"").unwrap_or_default()
        }
        Err(_) => "?".to_owned(),
    };
    let case = format!("{}\t{CASE}\n", reading.ignores_case);
    let files = files.map(|path| format!("{}\t{}\n", print(&path), path.display()));
    std::iter::once(case).chain(files).collect::<Vec<_>>().concat()
}

/// Only ever compared with one another, whatever the repository names its objects by.
fn fingerprint(content: &[u8]) -> Option<String> {
    name_of(Naming::Sha1, Kind::Blob, content).ok().map(|id| id.to_string())
}

/// Fingerprints of the files that change what git does.
pub(super) type Settings = BTreeMap<String, String>;

/// As they are noted: a line each.
pub(super) fn settings_text(settings: &Settings) -> String {
    settings.iter().flat_map(|(name, print)| [print.as_str(), "\t", name.as_str(), "\n"]).collect()
}

/// [`settings_text`], read again.
pub(super) fn settings_noted(text: &str) -> Settings {
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    lines.map(|(print, name)| (name.to_owned(), print.to_owned())).collect()
}

pub(super) fn settings(git_dir: &Path, common_dir: &Path) -> Settings {
    let mut found = Settings::new();
    let mut enter = |name: String, path: &Path| {
        if let Some(print) = print_of(path) {
            found.insert(name, print);
        }
    };
    for name in ["config", "info/exclude", "info/attributes"] {
        enter(name.to_owned(), &common_dir.join(name));
    }
    for name in ["config.worktree", "info/sparse-checkout"] {
        enter(name.to_owned(), &git_dir.join(name));
    }
    // Not those in our own folder: the hooks room knows each of them by its content, says which was changed, and adds
    // one whenever a hook manager adds a hook of its own.
    let hooks = common_dir.join("hooks");
    let mut files = BTreeSet::new();
    files_below(&hooks, &mut files);
    for path in files {
        let name = path.strip_prefix(&hooks).unwrap_or(&path).to_string_lossy().into_owned();
        enter(format!("hooks/{name}"), &path);
    }
    if let Some(print) = fs::read_link(&hooks).ok().and_then(|to| fingerprint(to.as_os_str().as_bytes())) {
        found.insert("hooks".to_owned(), print);
    }
    found
}

/// Fingerprints of the resolutions that rerere has recorded, which the next merge takes (git-rerere(1)).
pub(super) fn resolutions(common_dir: &Path) -> Result<Settings, BaselineError> {
    const DOING: &str = "reading the resolutions that rerere has recorded";
    let folder = common_dir.join("rr-cache");
    let mut found = Settings::new();
    for conflict in fs::read_dir(&folder).into_iter().flatten().flatten() {
        for file in fs::read_dir(conflict.path()).into_iter().flatten().flatten() {
            let Some(print) = print_of(&file.path()) else { continue };
            let names = [conflict.file_name(), file.file_name()];
            let [conflict, file] = names.map(|name| quoted(name.as_bytes()));
            found.insert(format!("rr-cache/{conflict}/{file}"), print);
            if found.len() > RESOLUTIONS {
                return Err(BaselineError::failed(DOING, format!("there are more than {RESOLUTIONS}")));
            }
        }
    }
    Ok(found)
}

/// The files in a folder of programs, however deep, also behind symlinks.
pub(super) fn files_below(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    let mut waiting = vec![folder.to_owned()];
    let mut seen = BTreeSet::new();
    while let Some(folder) = waiting.pop() {
        // A symlink may lead back.
        if seen.len() >= MOST || !folder.canonicalize().is_ok_and(|real| seen.insert(real)) {
            continue;
        }
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if found.len() >= MOST {
                return;
            } else if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_none_or(|end| end != "sample") && path.is_file() {
                found.insert(path);
            }
        }
    }
}

/// The fingerprint of a file: its content, whether it can be run, and where it is if a symlink names it.
pub(super) fn print_of(path: &Path) -> Option<String> {
    let executable = fs::metadata(path).is_ok_and(|about| about.permissions().mode() & 0o100 != 0);
    let id = fingerprint(&regular::bytes(path, regular::LONG).ok()?)?;
    let to = fs::read_link(path).ok().and_then(|to| fingerprint(to.as_os_str().as_bytes()));
    let to = to.map_or_else(String::new, |to| format!(" -> {to}"));
    Some(format!("{id}{}{to}", if executable { " x" } else { "" }))
}
