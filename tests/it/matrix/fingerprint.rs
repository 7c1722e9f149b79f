//! What a repository is at one moment, read from its bytes and by plumbing, with none of the code under test.
//!
//! Left out on purpose, because nothing acts on it: our own records (`.git/grill`, `refs/grill`, the view `.grill`), the
//! message of the last commit, `FETCH_HEAD`, `ORIG_HEAD`, `AUTO_MERGE`, stat data of the index, loose objects, and lines
//! that were appended to a reflog.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::lane::Lane;

/// The part of a repository that something belongs to; its letter stands in the fixture.
pub type Letter = char;
/// HEAD: what it points to, and at which commit.
pub const HEAD: Letter = 'H';
/// Branches, tags, notes and every other ref.
pub const REFS: Letter = 'R';
pub const FETCHED: Letter = 'F';
pub const STASH: Letter = 'S';
/// Entries of the index with their flags.
pub const INDEX: Letter = 'I';
/// Files of the working tree: bytes and modes.
pub const WORKTREE: Letter = 'W';
/// What git keeps of an operation in progress.
pub const PROGRESS: Letter = 'P';
/// Lines of a reflog that are gone.
pub const REFLOG: Letter = 'G';
pub const CONFIG: Letter = 'C';
pub const HOOKS: Letter = 'K';
pub const WORKTREES: Letter = 'T';
pub const REMOTE: Letter = 'M';
pub const SUBMODULE: Letter = 'U';
pub const PACKS: Letter = 'B';
pub const LOCKS: Letter = 'L';

/// Everything by letter and name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint(BTreeMap<(Letter, String), Vec<u8>>);

impl Fingerprint {
    pub fn of(lane: &Lane) -> Self {
        let mut found = Self::default();
        let repo = lane.repo();
        let git = repo.join(".git");
        found.head(&git);
        found.refs(&git);
        found.index(lane);
        found.files(WORKTREE, &repo, &repo, &[".git", ".grill", "lib"]);
        found.progress(&git);
        found.config(&git);
        found.files(HOOKS, &git, &git.join("hooks"), &[]);
        found.submodule(&repo);
        for (name, id) in refs_of(&lane.world().join("up.git")) {
            found.put(REMOTE, name, id);
        }
        found.names(WORKTREES, &git.join("worktrees"));
        found.names(WORKTREES, &lane.world());
        found.names(PACKS, &git.join("objects/pack"));
        found
    }

    /// What differs, as letter and name.
    pub fn changes(&self, after: &Self) -> BTreeSet<(Letter, String)> {
        let keys: BTreeSet<_> = self.0.keys().chain(after.0.keys()).collect();
        let differs = |key: &&(Letter, String)| match (self.0.get(*key), after.0.get(*key)) {
            // A reflog that only grew has lost nothing.
            (Some(old), Some(new)) if key.0 == REFLOG => !new.starts_with(old),
            (None, Some(_)) if key.0 == REFLOG => false,
            (old, new) => old != new,
        };
        keys.into_iter().filter(differs).cloned().collect()
    }

    fn put(&mut self, letter: Letter, name: impl Into<String>, value: impl Into<Vec<u8>>) {
        self.0.insert((letter, name.into()), value.into());
    }

    fn head(&mut self, git: &Path) {
        let head = fs::read(git.join("HEAD")).unwrap_or_default();
        let text = String::from_utf8_lossy(&head).trim().to_owned();
        let at = text.strip_prefix("ref: ").and_then(|branch| refs_of(git).remove(branch)).unwrap_or_default();
        self.put(HEAD, "HEAD", [head, at].concat());
    }

    fn refs(&mut self, git: &Path) {
        for (name, id) in refs_of(git) {
            let letter = match name.as_str() {
                "refs/stash" => STASH,
                name if name.starts_with("refs/grill/") => continue,
                name if name.starts_with("refs/remotes/") => FETCHED,
                _ => REFS,
            };
            self.put(letter, name, id);
        }
        let logs = files_below(&git.join("logs"));
        for (name, entry) in logs.into_iter().filter(|(name, _)| !name.starts_with("refs/grill/")) {
            let letter = if name == "refs/stash" { STASH } else { REFLOG };
            self.put(letter, format!("reflog of {name}"), entry.bytes);
        }
    }

    /// The entries as git shows them, with the letters for `assume-unchanged`, `skip-worktree` and the like.
    fn index(&mut self, lane: &Lane) {
        let listed = lane.git_says("ls-files -v --stage -z");
        for entry in listed.split('\0').filter(|entry| !entry.is_empty()) {
            let (value, path) = entry.split_once('\t').unwrap_or(("unreadable", entry));
            // A path in conflict has up to three entries.
            let stage = value.rsplit(' ').next().unwrap_or_default();
            let name = if stage == "0" { path.to_owned() } else { format!("{path} (stage {stage})") };
            self.put(INDEX, name, value);
        }
    }

    fn progress(&mut self, git: &Path) {
        let known = "HEAD config config.worktree packed-refs index hooks logs refs objects modules worktrees grill info \
                     description branches COMMIT_EDITMSG FETCH_HEAD ORIG_HEAD AUTO_MERGE GRILL_HEAD gc.log";
        let known: Vec<&str> = known.split_whitespace().collect();
        for (name, entry) in files_below(git) {
            let top = name.split('/').next().unwrap_or_default();
            let locked = is_lock(&name);
            if locked && top != "grill" {
                self.put(LOCKS, name, entry.bytes);
            } else if !known.contains(&top) {
                self.put(PROGRESS, name, entry.bytes);
            }
        }
    }

    fn config(&mut self, git: &Path) {
        for name in
            ["config", "config.worktree", "info/exclude", "info/attributes", "info/sparse-checkout", "info/grafts"]
        {
            if let Ok(bytes) = fs::read(git.join(name)) {
                self.put(CONFIG, name, bytes);
            }
        }
    }

    fn submodule(&mut self, repo: &Path) {
        self.files(SUBMODULE, repo, &repo.join("lib"), &[]);
        let git = repo.join(".git/modules/lib");
        self.put(SUBMODULE, "HEAD of lib", fs::read(git.join("HEAD")).unwrap_or_default());
        for (name, id) in refs_of(&git) {
            self.put(SUBMODULE, format!("{name} of lib"), id);
        }
    }

    /// All files below `dir`, named from `root`; not what is called as one of `without` right below it.
    fn files(&mut self, letter: Letter, root: &Path, dir: &Path, without: &[&str]) {
        let prefix = dir.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        for (name, entry) in files_below(dir) {
            if !without.contains(&name.split('/').next().unwrap_or_default()) {
                let name = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
                self.put(letter, name, [entry.kind_and_mode.as_bytes(), &entry.bytes].concat());
            }
        }
    }

    fn names(&mut self, letter: Letter, dir: &Path) {
        for entry in fs::read_dir(dir).into_iter().flatten() {
            self.put(letter, entry.unwrap().file_name().to_string_lossy(), "");
        }
    }
}

/// Every byte below a folder, for the comparison that leaves nothing out: kind, mode and content by path.
pub fn every_byte(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = files_below(dir).into_iter();
    entries.map(|(name, entry)| (name, [entry.kind_and_mode.as_bytes(), &entry.bytes].concat())).collect()
}

struct Entry {
    kind_and_mode: String,
    bytes: Vec<u8>,
}

/// Files and symbolic links below a folder by path; none if there is no such folder.
fn files_below(dir: &Path) -> BTreeMap<String, Entry> {
    let mut found = BTreeMap::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(folder) = dirs.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            let Ok(meta) = fs::symlink_metadata(&path) else { continue };
            if meta.is_dir() {
                dirs.push(path);
                continue;
            }
            let (kind, bytes) = if meta.is_symlink() {
                ('l', fs::read_link(&path).unwrap().into_os_string().as_bytes().to_vec())
            } else {
                ('f', fs::read(&path).unwrap())
            };
            let name = path.strip_prefix(dir).unwrap().to_string_lossy().into_owned();
            let kind_and_mode = format!("{kind} {:o}\n", meta.permissions().mode());
            found.insert(name, Entry { kind_and_mode, bytes });
        }
    }
    found
}

/// The refs of a git directory by name, loose ones over packed ones.
fn refs_of(git: &Path) -> BTreeMap<String, Vec<u8>> {
    let packed = fs::read_to_string(git.join("packed-refs")).unwrap_or_default();
    let packed = packed.lines().filter(|line| !line.starts_with(['#', '^'])).filter_map(|line| line.split_once(' '));
    let mut all: BTreeMap<String, Vec<u8>> =
        packed.map(|(id, name)| (name.to_owned(), id.as_bytes().to_vec())).collect();
    for (name, entry) in files_below(&git.join("refs")) {
        if !is_lock(&name) {
            all.insert(format!("refs/{name}"), entry.bytes.trim_ascii().to_vec());
        }
    }
    all
}

/// Whether a path is a lock of git's, or lies in a folder that stands for one.
fn is_lock(path: &str) -> bool {
    path.split('/').any(|part| part.strip_suffix(".lock").is_some())
}
