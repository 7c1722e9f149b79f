//! git as this room asks it: in one worktree, without hooks, without locks, whatever the environment and the user's
//! settings say.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::app::ports::{BaselineError, Process, Ran};
use crate::git::Git;

/// Settings that show every change, however the user has set git to overlook some.
const FAITHFUL: [&str; 5] = [
    "core.untrackedCache=false",
    "core.trustctime=true",
    "core.checkStat=default",
    "core.fileMode=true",
    "core.symlinks=true",
];

/// git in one worktree, as git here is asked.
#[derive(Clone)]
pub(super) struct GitAt<'a> {
    pub process: &'a (dyn Process + Sync),
    /// The git directory of this worktree.
    pub dir: PathBuf,
    /// The top of the working tree; none in a bare repository.
    pub top: Option<PathBuf>,
}

impl GitAt<'_> {
    /// git in this worktree.
    pub(super) fn git<A: Into<OsString>>(&self, words: impl IntoIterator<Item = A>) -> Git {
        faithful(Git::new(words).inside(&self.dir)).at_work_in(self.top.as_deref())
    }

    /// The worktree with another git directory, as far as git asks no files there.
    pub(super) fn at(&self, git_dir: &Path) -> Self {
        Self { process: self.process, dir: git_dir.to_owned(), top: None }
    }

    /// Runs it, and takes anything but success as a failure of `doing`.
    pub(super) fn ask(&self, doing: &str, words: &[&str], stdin: Vec<u8>) -> Result<Vec<u8>, BaselineError> {
        self.succeed(doing, self.git(words.iter().copied()).fed(stdin))
    }

    /// Runs it, however it ends.
    pub(super) fn try_ask(&self, doing: &str, git: Git) -> Result<Ran, BaselineError> {
        git.run(self.process).map_err(|error| BaselineError::failed(doing, error))
    }

    /// Runs it, and takes anything but success as a failure of `doing`, whatever its words are.
    pub(super) fn succeed(&self, doing: &str, git: Git) -> Result<Vec<u8>, BaselineError> {
        git.ask(self.process).map_err(|error| BaselineError::failed(doing, error))
    }
}

/// git that overlooks no change and takes paths as they are.
pub(super) fn faithful(git: Git) -> Git {
    git.settings(FAITHFUL).silent().reading().with("GIT_LITERAL_PATHSPECS", "1")
}

/// The pieces between zero bytes.
pub(super) fn pieces(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.strip_suffix(b"\0").map_or(bytes, |body| body).split(|byte| *byte == 0).filter(|piece| !piece.is_empty())
}

/// Bytes as git shows them: with backslashes and octal numbers where they are not plain text.
pub(super) fn quoted(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    if let Ok(text) = std::str::from_utf8(bytes)
        && !text.chars().any(char::is_control)
    {
        return text.to_owned();
    }
    let mut text = String::new();
    for byte in bytes {
        match byte {
            b'\\' => text.push_str("\\\\"),
            0x20..=0x7e => text.push(char::from(*byte)),
            // Writing to a String cannot fail.
            other => drop(write!(text, "\\{other:03o}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_as_git_quotes_them() {
        for (bytes, shown) in [
            (b"src/a b.rs".as_slice(), "src/a b.rs"),
            ("größe".as_bytes(), "größe"),
            (b"caf\xe9", "caf\\351"),
            (b"a\nb", "a\\012b"),
        ] {
            assert_eq!(quoted(bytes), shown);
        }
    }

    #[test]
    fn pieces_end_with_their_zero() {
        assert_eq!(pieces(b"a\0b\0").collect::<Vec<_>>(), [b"a", b"b"]);
        assert_eq!(pieces(b"").count(), 0);
    }
}
