//! git as this room runs it: for this worktree, without hooks, without locks, whatever the environment says.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::app::ports::{BaselineError, Process, Ran, Run};

/// Settings that would hide a change from git, or make it run something of the user's.
const PLAIN: &[&str] = &[
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.trustctime=true",
    "core.checkStat=default",
    "core.fileMode=true",
    "core.symlinks=true",
    "core.hooksPath=/dev/null",
    // Hooks of ours that git 2.54 takes from its configuration instead.
    "hook.git-grill-reference-transaction.enabled=false",
    "hook.git-grill-pre-push.enabled=false",
    "hook.git-grill-prepare-commit-msg.enabled=false",
];

/// Variables that would lead git elsewhere.
const MISLEADING: &[&str] = &[
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_ATTR_SOURCE",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
    "GIT_PREFIX",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_TRACE",
    "GIT_COMMON_DIR",
];

/// git in one worktree.
#[derive(Clone)]
pub(super) struct Git<'a> {
    /// Spawns it.
    pub process: &'a (dyn Process + Sync),
    /// The git directory of this worktree.
    pub dir: PathBuf,
    /// The top of the working tree; none in a bare repository.
    pub worktree: Option<PathBuf>,
}

impl Git<'_> {
    /// A run that reads `stdin`.
    pub(super) fn prepare(&self, args: &[&str], stdin: Vec<u8>) -> Run {
        let mut all: Vec<OsString> = Vec::new();
        for setting in PLAIN {
            all.extend(["-c".into(), OsString::from(setting)]);
        }
        all.extend(args.iter().map(OsString::from));
        let mut run = Run { stdin, ..Run::new("git", all) };
        run.dir = Some(self.worktree.clone().unwrap_or_else(|| self.dir.clone()));
        run.without = MISLEADING.iter().map(OsString::from).collect();
        run.env = vec![("GIT_DIR".into(), self.dir.clone().into_os_string())];
        if let Some(worktree) = &self.worktree {
            run.env.push(("GIT_WORK_TREE".into(), worktree.clone().into_os_string()));
        }
        for (name, value) in [
            ("GIT_OPTIONAL_LOCKS", "0"),
            ("GIT_LITERAL_PATHSPECS", "1"),
            ("GIT_NO_LAZY_FETCH", "1"),
            ("GIT_NO_REPLACE_OBJECTS", "1"),
            ("LC_ALL", "C"),
        ] {
            run.env.push((name.into(), value.into()));
        }
        run
    }

    /// Runs it, and takes anything but success as a failure of `doing`.
    pub(super) fn ask(&self, doing: &str, args: &[&str], stdin: Vec<u8>) -> Result<Vec<u8>, BaselineError> {
        let ran = self.try_ask(doing, &self.prepare(args, stdin))?;
        if ran.code == 0 { Ok(ran.stdout) } else { Err(BaselineError::failed(doing, said(args, &ran))) }
    }

    /// Runs it, however it ends.
    pub(super) fn try_ask(&self, doing: &str, run: &Run) -> Result<Ran, BaselineError> {
        self.process.run(run).map_err(|error| BaselineError::failed(doing, error))
    }
}

/// What git said, in one line.
pub(super) fn said(args: &[&str], ran: &Ran) -> String {
    let text = String::from_utf8_lossy(&ran.stderr);
    let last = text.lines().rev().find(|line| !line.starts_with("hint:") && !line.is_empty());
    let said = last.map_or_else(|| format!("exit code {}", ran.code), str::to_owned);
    format!("git {}: {said}", args.first().unwrap_or(&""))
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
