//! Looks at cited places again.
//!
//! A citation was read from a commit, so the newest commit is asked first. Where it still has the very blob, the file in
//! the working tree is compared as well: an edit that nobody committed is what the person has before their eyes, and what
//! comes out of the interview will stand beside it. The lines decide, not the bytes: a file that changed elsewhere still
//! shows what it showed.

use std::cell::OnceCell;
use std::path::{Component, Path, PathBuf};

use super::blobs;
use super::tree::{self, Tracked};
use super::{LARGEST_BLOB, RepoScout};
use crate::domain::citations::{Fate, Rechecked, Seen};
use crate::domain::facts::Evidence;
use crate::files::regular;
use crate::git::object::{in_words, parsed};
use crate::git::tree::{FOLDER, GITLINK, SYMLINK};
use crate::git::{Kind, Oid};

/// A larger file of the working tree is not read; its size alone is compared.
const LARGEST_FILE: u64 = 8 * 1024 * 1024;

/// The newest commit, against which every place is compared.
struct Newest {
    tree: Oid,
    /// Its files in git's order. The whole tree has to be listed for them, so that waits for the first place that is gone.
    files: OnceCell<Vec<Tracked>>,
}

impl RepoScout<'_> {
    /// The places that are not as they were read. A place that cannot be compared, because nothing can be read there
    /// any more or time is up, is none of them.
    pub(super) fn recheck_all(&self, cited: &[Evidence]) -> Vec<Rechecked> {
        let Some(commit) = self.head() else {
            return Vec::new();
        };
        let newest = Newest { tree: commit.tree, files: OnceCell::new() };
        cited.iter().take_while(|_| (self.keep_going)()).filter_map(|at| self.recheck_one(&newest, at)).collect()
    }

    fn recheck_one(&self, newest: &Newest, at: &Evidence) -> Option<Rechecked> {
        let Some(blob) = &at.blob else {
            return self.missing(newest, at).map(|fate| Rechecked {
                at: at.clone(),
                fate,
                seen: Seen::Head,
                now: None,
            });
        };
        let cited = parsed(blob.as_str())?;
        if self.stands_in_working_tree(cited, at) {
            return None;
        }
        let found =
            |fate: Fate, seen: Seen, now: Option<Oid>| Rechecked { at: at.clone(), fate, seen, now: now.map(in_words) };
        let (mode, id) = match self.opened.repo.at_path(newest.tree, at.path.as_bytes()) {
            Ok(Some(entry)) => entry,
            Ok(None) => {
                let fate = self.renamed(newest, cited).map_or(Fate::Gone, |to| Fate::Renamed { to });
                return Some(found(fate, Seen::Head, None));
            }
            // A tree that is missing here says nothing about the place.
            Err(_) => return None,
        };
        if matches!(mode, FOLDER | GITLINK | SYMLINK) {
            return Some(found(Fate::Changed, Seen::Head, Some(id)));
        }
        if id != cited {
            let fate = match (self.blob(cited), self.blob(id)) {
                (Some(before), Some(now)) => compare(&before, &now, at.lines).unwrap_or(Fate::Beside),
                _ => Fate::Changed,
            };
            return Some(found(fate, Seen::Head, Some(id)));
        }
        self.in_working_tree(cited, at).map(|fate| found(fate, Seen::WorkingTree, None))
    }

    /// What a place lacks that is cited without its blob: it is neither in the newest commit nor in the working tree, or has
    /// fewer lines there. A name of hexadecimal digits may be a commit's.
    fn missing(&self, newest: &Newest, at: &Evidence) -> Option<Fate> {
        let Ok(committed) = self.opened.repo.at_path(newest.tree, at.path.as_bytes()) else {
            return None;
        };
        let file = self.checked_out(&at.path).filter(|file| file.symlink_metadata().is_ok());
        if committed.is_none() && file.is_none() {
            return self.missing_by_its_end(newest, at);
        }
        let (_, last) = at.lines?;
        let in_commit = || match committed {
            Some((mode, id)) => {
                matches!(mode, FOLDER | GITLINK | SYMLINK) || self.blob(id).is_none_or(|text| reaches(&text, last))
            }
            None => false,
        };
        let in_file = || file.as_deref().is_some_and(|file| file_reaches(file, last));
        (!in_commit() && !in_file()).then_some(Fate::Changed)
    }

    /// The same for a path of which only the end is cited, as people do: `poll.py` for `src/poll.py`.
    fn missing_by_its_end(&self, newest: &Newest, at: &Evidence) -> Option<Fate> {
        let end = format!("/{}", at.path);
        let mut meant = self.files(newest).iter().filter(|file| file.path.ends_with(&end)).peekable();
        if meant.peek().is_none() {
            return (!self.is_a_commit(&at.path)).then_some(Fate::Gone);
        }
        let (_, last) = at.lines?;
        let has = |file: &Tracked| {
            self.blob(file.id).is_none_or(|text| reaches(&text, last))
                || self.checked_out(&file.path).is_some_and(|file| file_reaches(&file, last))
        };
        (!meant.any(has)).then_some(Fate::Changed)
    }

    /// Whether a name may be a commit's: one that git finds, or that could not be looked for.
    fn is_a_commit(&self, name: &str) -> bool {
        let hex = name.len() >= 7 && name.bytes().all(|one| one.is_ascii_hexdigit());
        hex && self.opened.repo.has_commit(name).unwrap_or(true)
    }

    /// Where the newest commit has the same file under another name.
    fn renamed(&self, newest: &Newest, cited: Oid) -> Option<String> {
        self.files(newest).iter().find(|file| file.id == cited).map(|file| file.path.clone())
    }

    fn files<'n>(&self, newest: &'n Newest) -> &'n [Tracked] {
        newest.files.get_or_init(|| tree::list(&self.opened.repo, Some(newest.tree), self.keep_going).files)
    }

    fn blob(&self, id: Oid) -> Option<String> {
        let (kind, size) = self.opened.repo.header(id).ok()??;
        if size > LARGEST_BLOB || kind != Kind::Blob {
            return None;
        }
        let bytes = self.opened.repo.blob(id).ok()?;
        blobs::is_text(&bytes).then(|| flat(&bytes))
    }

    /// Whether the working tree has the very bytes that were read, committed or not.
    fn stands_in_working_tree(&self, cited: Oid, at: &Evidence) -> bool {
        let Some(file) = self.checked_out(&at.path) else { return false };
        let readable = file.symlink_metadata().is_ok_and(|about| about.is_file() && about.len() <= LARGEST_FILE);
        readable
            && regular::bytes(&file, LARGEST_FILE)
                .is_ok_and(|bytes| self.opened.repo.blob_name(&bytes).is_ok_and(|name| name == cited))
    }

    /// What became of a file in the working tree whose commit is unchanged.
    fn in_working_tree(&self, cited: Oid, at: &Evidence) -> Option<Fate> {
        let file = self.checked_out(&at.path)?;
        let Ok(about) = std::fs::symlink_metadata(&file) else {
            // With a sparse checkout a file that is not there is not missing.
            return (!self.sparse).then_some(Fate::Gone);
        };
        if !about.is_file() {
            return Some(Fate::Changed);
        }
        if about.len() > LARGEST_FILE {
            let (_, size) = self.opened.repo.header(cited).ok()??;
            return (u64::try_from(size).ok()? != about.len() && !self.is_filtered(&at.path)).then_some(Fate::Changed);
        }
        let bytes = regular::bytes(&file, LARGEST_FILE).ok()?;
        if self.opened.repo.blob_name(&bytes).ok()? == cited || self.is_filtered(&at.path) {
            return None;
        }
        match self.blob(cited) {
            Some(before) => compare(&before, &flat(&bytes), at.lines),
            None => Some(Fate::Changed),
        }
    }

    /// The file of the working tree that a path names; `None` where nothing is checked out, or where the path of a
    /// made-up tree or a symlink would lead elsewhere.
    fn checked_out(&self, path: &str) -> Option<PathBuf> {
        let top = self.opened.worktree.as_ref()?;
        if !self.opened.git_dir.join("index").exists() {
            return None;
        }
        let mut place = top.clone();
        let mut components = Path::new(path).components().peekable();
        while let Some(component) = components.next() {
            let Component::Normal(name) = component else { return None };
            place.push(name);
            let above = components.peek().is_some();
            if above && place.symlink_metadata().is_ok_and(|about| !about.is_dir()) {
                return None;
            }
        }
        Some(place)
    }

    /// Whether git changes the file on its way into the working tree by more than the ends of its lines.
    fn is_filtered(&self, path: &str) -> bool {
        ["filter", "working-tree-encoding", "ident"].iter().any(|name| self.opened.repo.has_attribute(path, name))
    }
}

/// Whether a text has a line of this number.
fn reaches(text: &str, line: u32) -> bool {
    text.lines().count() >= usize::try_from(line).unwrap_or(usize::MAX)
}

/// The same for a file of the working tree.
fn file_reaches(file: &Path, line: u32) -> bool {
    file.symlink_metadata().is_ok_and(|about| about.is_file() && about.len() <= LARGEST_FILE)
        && regular::bytes(file, LARGEST_FILE).is_ok_and(|bytes| reaches(&flat(&bytes), line))
}

/// A file's text with one kind of line end, whatever the working tree has.
fn flat(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace("\r\n", "\n")
}

/// What became of some lines between two texts; `None` when the texts are the same.
fn compare(before: &str, now: &str, lines: Option<(u32, u32)>) -> Option<Fate> {
    if before == now {
        return None;
    }
    let Some((first, last)) = lines else {
        return Some(Fate::Changed);
    };
    let (before, now): (Vec<&str>, Vec<&str>) = (before.lines().collect(), now.lines().collect());
    let index = |line: u32| usize::try_from(line).unwrap_or(usize::MAX);
    let Some(cited) = before.get(index(first).saturating_sub(1)..index(last)).filter(|cited| !cited.is_empty()) else {
        return Some(Fate::Changed);
    };
    let start = index(first).saturating_sub(1);
    if now.get(start..start + cited.len()) == Some(cited) {
        return Some(Fate::Beside);
    }
    let nearest = now
        .windows(cited.len())
        .enumerate()
        .filter(|(_, window)| *window == cited)
        .map(|(at, _)| at)
        .min_by_key(|at| at.abs_diff(start));
    Some(match nearest {
        Some(at) => {
            let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            Fate::Moved { to: (number(at + 1), number(at + cited.len())) }
        }
        None => Fate::Changed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g15_lines_that_moved_are_told_from_lines_that_changed() {
        let before = "a\nb\nc\nb\n";
        for (now, lines, fate) in [
            (before, Some((2, 2)), None),
            ("a\nb\nX\n", Some((2, 2)), Some(Fate::Beside)),
            ("new\na\nb\nc\n", Some((2, 3)), Some(Fate::Moved { to: (3, 4) })),
            ("b\nx\ny\nz\nb\n", Some((4, 4)), Some(Fate::Moved { to: (5, 5) })),
            ("a\nB\nc\n", Some((2, 3)), Some(Fate::Changed)),
            ("", Some((1, 1)), Some(Fate::Changed)),
            ("a\nb\n", None, Some(Fate::Changed)),
            ("x\n", Some((9, 12)), Some(Fate::Changed)),
            ("x\n", Some((3, 1)), Some(Fate::Changed)),
            ("x\n", Some((0, 0)), Some(Fate::Changed)),
        ] {
            assert_eq!(compare(before, now, lines), fate, "{now:?} {lines:?}");
        }
    }
}
