//! The entries of the index, as git lists them. Never the file: git rewrites its times and caches as it likes.

use std::collections::{BTreeMap, BTreeSet};
use std::thread::Builder;

use super::git::{GitAt, pieces};
use super::trees::Trees;
use super::worktree::OURS;
use crate::app::ports::BaselineError;
use crate::git::object::parsed as named;
use crate::git::{Oid, Repo};

/// The mode of a submodule.
pub(super) const GITLINK: u32 = 0o160_000;

/// What git lists before a path that is not tracked.
const OTHER: &[u8] = b"? ";

/// The marks of an entry beside its content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Flags {
    /// `git update-index --assume-unchanged`
    pub assumed: bool,
    /// `git update-index --skip-worktree`, or outside of a sparse checkout.
    pub skipped: bool,
    /// `git add --intent-to-add`
    pub intended: bool,
}

impl Flags {
    pub(super) fn in_words(self) -> String {
        let named =
            [(self.assumed, "assume-unchanged"), (self.skipped, "skip-worktree"), (self.intended, "intent-to-add")];
        let set: Vec<&str> = named.iter().filter(|(set, _)| *set).map(|(_, name)| *name).collect();
        if set.is_empty() { "none".to_owned() } else { set.join(", ") }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub mode: u32,
    pub id: Oid,
    pub stage: u8,
    pub flags: Flags,
}

impl Entry {
    /// Whether a tree says everything about it.
    pub(super) fn is_plain(&self) -> bool {
        self.stage == 0 && self.flags == Flags::default()
    }
}

/// Entries by path and stage.
pub(super) type Listed = BTreeMap<(Vec<u8>, u8), Entry>;

/// The index now, and which of its files need a look.
pub(super) struct Index {
    pub entries: Listed,
    /// What is neither tracked nor ignored; a folder that is a repository of its own ends with a slash.
    pub others: Vec<Vec<u8>>,
    /// Paths whose file is not known to be as it was when git last looked: by its times, its size, or because it is
    /// gone.
    pub dirty: BTreeSet<Vec<u8>>,
}

impl Index {
    /// Lists the index of this worktree.
    pub(super) fn read(git: &GitAt<'_>) -> Result<Self, BaselineError> {
        const DOING: &str = "listing the index";
        const COMPARING: &str = "comparing the index with the files";
        // One run for both: each reads the whole index.
        // Nothing in our own folder is taken; git would open what stands for its `.gitignore`, and wait at a pipe for ever.
        let apart = format!("--exclude=/{OURS}");
        let list = ["ls-files", "-z", "-s", "-v", "--cached", "--others", "--exclude-standard", apart.as_str()];
        let compare = ["diff-files", "-z", "--raw", "--no-renames", "--ignore-submodules=all", "--no-ext-diff"];
        let compared = || {
            let off = git.filters_off(COMPARING, |git_here| git_here.inside(&git.dir))?;
            git.succeed(COMPARING, git.git(compare).settings(off))
        };
        // Side by side: each looks at the whole working tree, the one for what is new and the other for what differs.
        let (listed, differing) = std::thread::scope(|scope| {
            let differing = Builder::new().spawn_scoped(scope, compared);
            let listed = git.ask(DOING, &list, Vec::new());
            let differing = match differing {
                Ok(aside) => aside.join().unwrap_or_else(|bug| std::panic::resume_unwind(bug)),
                // Where there is no room for a thread, one after the other.
                Err(_) => compared(),
            };
            (listed, differing)
        });
        let listed = listed?;
        let (others, tracked): (Vec<&[u8]>, Vec<&[u8]>) = pieces(&listed).partition(|line| line.starts_with(OTHER));
        let others = others.into_iter().map(|line| line[OTHER.len()..].to_vec()).collect();
        // git lists them in order, so a map of all of them is made at once.
        let mut entries = tracked
            .into_iter()
            .map(|line| parsed(line).ok_or_else(|| BaselineError::failed(DOING, format!("git listed {line:?}"))))
            .collect::<Result<Listed, _>>()?;
        let differing = differing?;
        let (mut dirty, mut asked) = (BTreeSet::new(), Vec::new());
        let mut parts = pieces(&differing);
        while let (Some(about), Some(path)) = (parts.next(), parts.next()) {
            dirty.insert(path.to_vec());
            let Some(entry) = entries.get_mut(&(path.to_vec(), 0)) else {
                continue;
            };
            match about.last() {
                // git takes an entry that is only meant to be added for a new file …
                Some(b'A') => entry.flags.intended = true,
                // … unless its file is gone.
                Some(b'D') if entry.id.is_empty_blob() => asked.push(path.to_vec()),
                _ => {}
            }
        }
        for path in asked {
            let intended = is_intended(git, &path)?;
            if let Some(entry) = entries.get_mut(&(path, 0)) {
                entry.flags.intended = intended;
            }
        }
        Ok(Self { entries, others, dirty })
    }

    /// The entries that a tree can hold.
    pub(super) fn plain(&self) -> impl Iterator<Item = (&[u8], u32, Oid)> {
        let plain = self.entries.iter().filter(|(_, entry)| entry.stage == 0 && !entry.flags.intended);
        plain.map(|((path, _), entry)| (path.as_slice(), entry.mode, entry.id))
    }

    /// The entries that a tree cannot describe.
    pub(super) fn special(&self) -> Listed {
        self.entries
            .iter()
            .filter(|(_, entry)| !entry.is_plain())
            .map(|(key, entry)| (key.clone(), entry.clone()))
            .collect()
    }
}

/// A tree of a few files in any order; folders come from the paths, and a later file replaces an earlier one.
pub(super) fn tree_of<'a>(
    repo: &Repo,
    files: impl IntoIterator<Item = (&'a [u8], u32, Oid)>,
) -> Result<Oid, BaselineError> {
    tree_with(repo, &[], BTreeMap::new(), files)
}

/// The same on top of files that are there; what comes takes the place of what was. `before` are trees that something
/// keeps already.
pub(super) fn tree_with<'a>(
    repo: &Repo,
    before: &[Oid],
    mut all: BTreeMap<Vec<u8>, (u32, Oid)>,
    files: impl IntoIterator<Item = (&'a [u8], u32, Oid)>,
) -> Result<Oid, BaselineError> {
    for (path, mode, id) in files {
        // A file takes the place of a folder, and a folder that of a file.
        let below = [path, b"/"].concat();
        let inside = all.range(below.clone()..).map(|(other, _)| other);
        let inside: Vec<Vec<u8>> = inside.take_while(|other| other.starts_with(&below)).cloned().collect();
        for other in inside {
            all.remove(&other);
        }
        for (at, _) in path.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
            all.remove(&path[..at]);
        }
        all.insert(path.to_vec(), (mode, id));
    }
    Trees::new(repo, before).write(all.iter().map(|(path, (mode, id))| (path.as_slice(), *mode, *id)))
}

/// `H 100644 <id> 0<TAB>path`
fn parsed(line: &[u8]) -> Option<((Vec<u8>, u8), Entry)> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let (about, path) = (std::str::from_utf8(&line[..tab]).ok()?, &line[tab + 1..]);
    let mut words = about.split(' ');
    let tag = words.next()?;
    let mode = u32::from_str_radix(words.next()?, 8).ok()?;
    let id = named(words.next()?)?;
    let stage = words.next()?.parse().ok()?;
    let flags = Flags {
        assumed: tag.chars().all(|letter| letter.is_ascii_lowercase()),
        skipped: tag.eq_ignore_ascii_case("s"),
        intended: false,
    };
    Some(((path.to_vec(), stage), Entry { mode, id, stage, flags }))
}

/// Whether an empty entry whose file is gone was only meant to be added; git says so nowhere else.
fn is_intended(git: &GitAt<'_>, path: &[u8]) -> Result<bool, BaselineError> {
    use std::os::unix::ffi::OsStrExt;
    let words = ["ls-files".as_ref(), "--debug".as_ref(), "--".as_ref(), std::ffi::OsStr::from_bytes(path)];
    let ran = git.try_ask("listing the index", git.git(words))?;
    let text = String::from_utf8_lossy(&ran.stdout);
    let flags = text.rsplit("flags: ").next().and_then(|hex| u32::from_str_radix(hex.trim(), 16).ok());
    Ok(flags.is_some_and(|flags| flags & 0x2000_0000 != 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: &str = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

    #[test]
    fn a_listed_entry_has_its_flags() {
        let of = |tag: &str| {
            let line = format!("{tag} 100755 {NOTHING} 0\ta\tb");
            parsed(line.as_bytes()).unwrap()
        };
        let ((path, stage), entry) = of("H");
        assert_eq!((path.as_slice(), stage, entry.mode), (b"a\tb".as_slice(), 0, 0o100_755));
        assert!(entry.is_plain());
        assert_eq!(of("h").1.flags.in_words(), "assume-unchanged");
        assert_eq!(of("S").1.flags.in_words(), "skip-worktree");
        assert_eq!(of("s").1.flags.in_words(), "assume-unchanged, skip-worktree");
        assert!(parsed(b"garbage").is_none());
    }
}
