//! The folder that a baseline is about. The environment, an option and the configuration can give a git directory any folder
//! as its working tree, and restoring writes and deletes there. So a baseline counts only in the folder it was taken in.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::GitBaseline;
use super::git::quoted;
use crate::app::ports::BaselineError;
use crate::files::regular;
use crate::git::worktrees::{Linked, main_folder};
use crate::text::shell::word_of_path;

/// The file that notes it, beside a baseline or a watch.
const FILE: &str = "top";

/// A folder, whatever it is called: its device and its number there.
type Identity = (u64, u64);

fn identity(folder: &Path) -> io::Result<Identity> {
    let about = fs::metadata(folder)?;
    Ok((about.dev(), about.ino()))
}

/// The top of a working tree.
struct Top {
    own: Identity,
    git_dir: Identity,
    /// Whether it is the usual one of its git directory.
    usual: bool,
    path: PathBuf,
}

impl Top {
    fn of(git_dir: &Path, top: &Path) -> io::Result<Self> {
        let own = identity(top)?;
        let usual = usual(git_dir).is_some_and(|usual| identity(&usual).is_ok_and(|usual| usual == own));
        Ok(Self { own, git_dir: identity(git_dir)?, usual, path: top.to_owned() })
    }

    fn written(&self) -> Vec<u8> {
        let ((device, number), (git_device, git_number)) = (self.own, self.git_dir);
        let kind = if self.usual { "usual" } else { "chosen" };
        let mut text = format!("{device} {number} {git_device} {git_number} {kind} ").into_bytes();
        text.extend_from_slice(self.path.as_os_str().as_bytes());
        text
    }

    fn read(text: &[u8]) -> Option<Self> {
        let mut words = text.splitn(6, |byte| *byte == b' ');
        let mut number = || std::str::from_utf8(words.next()?).ok()?.parse::<u64>().ok();
        let (own, git_dir) = ((number()?, number()?), (number()?, number()?));
        let usual = match words.next()? {
            b"usual" => true,
            b"chosen" => false,
            _ => return None,
        };
        Some(Self { own, git_dir, usual, path: PathBuf::from(OsStr::from_bytes(words.next()?)) })
    }

    /// Whether this is the folder that was noted. One that was moved keeps its number. Where everything was copied, or
    /// mounted again, the numbers of both folders are others; where only the git directory was moved, its own is not.
    fn is(&self, noted: &Self) -> bool {
        let (path, usual) = (self.path == noted.path, self.usual && noted.usual);
        self.own == noted.own
            || (path && self.own.1 == noted.own.1)
            || (usual && (path || self.git_dir != noted.git_dir))
    }
}

/// The working tree that a git directory has unless something names another one.
fn usual(git_dir: &Path) -> Option<PathBuf> {
    match Linked::at(git_dir) {
        Ok(Some(linked)) => linked.folder().map(Path::to_path_buf),
        Ok(None) | Err(_) => main_folder(git_dir).map(Path::to_path_buf),
    }
}

fn failed(error: io::Error) -> BaselineError {
    BaselineError::failed("looking at the folder of the working tree", error)
}

fn shown(path: &Path) -> String {
    quoted(path.as_os_str().as_bytes())
}

impl GitBaseline<'_> {
    /// Notes which folder a snapshot is taken in; a bare repository has none.
    pub(super) fn note_top(&self, notes: &Path) -> Result<(), BaselineError> {
        let text = match &self.git.top {
            Some(top) => Top::of(&self.git.dir, top).map_err(failed)?.written(),
            None => Vec::new(),
        };
        let noting = |error| BaselineError::failed("noting the folder of the working tree", error);
        regular::write(notes.join(FILE), text).map_err(noting)
    }

    /// An error where a snapshot is known to be of another folder.
    pub(super) fn unless_elsewhere(&self, notes: &Path) -> Result<(), BaselineError> {
        let Some(text) = read_note(notes)? else { return Ok(()) };
        // A snapshot of a bare repository has no files.
        if text.is_empty() {
            return Ok(());
        }
        let taken_in = Top::read(&text).ok_or_else(|| BaselineError::Unreadable {
            why: "the note of the folder that it was taken in makes no sense".to_owned(),
        })?;
        let here = match &self.git.top {
            Some(top) if Top::of(&self.git.dir, top).map_err(failed)?.is(&taken_in) => return Ok(()),
            Some(top) => shown(top),
            None => "no working tree at all".to_owned(),
        };
        // The repository may have been moved since.
        let there = usual(&self.git.dir).filter(|_| taken_in.usual).unwrap_or(taken_in.path);
        Err(BaselineError::Elsewhere {
            what: format!(
                "nothing was compared or brought back: the baseline was taken in {}, and git works in {here}",
                shown(&there)
            ),
            command: self.verify_in(&there),
        })
    }

    /// An error where nothing tells that a snapshot is of this folder: what a restore writes and deletes may be anyone's.
    pub(super) fn unless_unsure(&self, notes: &Path) -> Result<(), BaselineError> {
        let Some(top) = self.git.top.as_ref().filter(|_| !notes.join(FILE).exists()) else {
            return self.unless_elsewhere(notes);
        };
        if Top::of(&self.git.dir, top).map_err(failed)?.usual {
            return Ok(());
        }
        Err(BaselineError::Elsewhere {
            what: format!(
                "nothing was brought back: an earlier git grill took the baseline without a note of its folder, and {} is \
                 not the usual one of {}",
                shown(top),
                shown(&self.git.dir)
            ),
            command: usual(&self.git.dir).map_or_else(|| "git grill verify".to_owned(), |there| self.verify_in(&there)),
        })
    }

    /// The command that compares in this folder, whatever the environment and the configuration say.
    fn verify_in(&self, top: &Path) -> String {
        format!("git --git-dir={} --work-tree={} grill verify", word_of_path(&self.git.dir), word_of_path(top))
    }
}

/// What was noted, if anything was: an earlier git grill noted nothing.
fn read_note(notes: &Path) -> Result<Option<Vec<u8>>, BaselineError> {
    match regular::bytes(notes.join(FILE), regular::SHORT) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn top(own: Identity, git_dir: Identity, usual: bool, path: &str) -> Top {
        Top { own, git_dir, usual, path: PathBuf::from(path) }
    }

    #[test]
    fn a_note_is_read_back_and_nothing_else_is() {
        let noted = top((1, 2), (1, 3), true, "/a b/c");
        let read = Top::read(&noted.written()).unwrap();
        assert_eq!((read.own, read.git_dir, read.usual, read.path), ((1, 2), (1, 3), true, PathBuf::from("/a b/c")));
        for text in ["", "1 2 3 4 usual", "1 2 3 4 other /a", "1 2 3 x usual /a"] {
            assert!(Top::read(text.as_bytes()).is_none(), "{text}");
        }
    }

    #[test]
    fn a_folder_is_the_one_that_was_noted_also_once_it_was_moved_or_copied() {
        let noted = top((1, 2), (1, 3), true, "/a");
        for (same, now) in [
            (true, top((1, 2), (1, 3), true, "/moved")),
            (true, top((1, 20), (1, 30), true, "/copied")),
            (true, top((9, 2), (9, 3), true, "/a")),
            (true, top((1, 20), (1, 3), true, "/a")),
            (false, top((1, 20), (1, 3), false, "/other")),
            (false, top((1, 20), (1, 30), false, "/other")),
            (false, top((1, 20), (1, 3), true, "/only/the/git/directory/was/moved")),
        ] {
            assert_eq!(now.is(&noted), same, "{}", now.path.display());
        }
        let chosen = top((1, 2), (1, 3), false, "/a");
        assert!(top((1, 2), (1, 3), false, "/moved").is(&chosen) && !top((1, 4), (1, 5), true, "/a").is(&chosen));
    }
}
