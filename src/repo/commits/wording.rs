//! The words that git is given for a commit, and what its answers mean.

use std::ffi::OsString;
use std::io::{Error, ErrorKind};
use std::ops::RangeInclusive;

use crate::app::ports::{CommitError, Ran};
use crate::domain::ids::ObjectId;
use crate::domain::production::TargetPath;

/// How many lines of what git and the hooks said are told, and how many characters of each.
const TOLD: (usize, usize) = (20, 400);

/// The code with which git itself gives up. Where a hook says no, it ends with another one.
const GAVE_UP: i32 = 128;

/// The codes of a git that a signal ended. 129 is also what git gives for a command line that it does not take.
pub(super) const SIGNALLED: RangeInclusive<i32> = 130..=159;

/// The path as a pathspec that means this path and nothing else.
pub(super) fn literally(path: &TargetPath) -> OsString {
    format!(":(top,literal){path}").into()
}

pub(super) fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

pub(super) fn id(text: &str) -> Result<ObjectId, CommitError> {
    ObjectId::parse(text).map_err(|_| odd("git named something that is no object"))
}

pub(super) fn not_run(error: &Error) -> CommitError {
    if error.kind() == ErrorKind::Interrupted { CommitError::Interrupted } else { odd(&format!("git: {error}")) }
}

pub(super) fn odd(why: &str) -> CommitError {
    CommitError::Failed { said: vec![why.to_owned()] }
}

/// Why git did not do it: what git and the hooks said, the end of it, where the reason is; or that another command was there.
pub(super) fn failed(ran: &Ran) -> CommitError {
    let text = String::from_utf8_lossy(&ran.stderr).into_owned() + &String::from_utf8_lossy(&ran.stdout);
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    if let Some(why) = busy(ran.code, &lines) {
        return CommitError::Busy { why };
    }
    let (most, width) = TOLD;
    let last = &lines[lines.len().saturating_sub(most)..];
    let mut said: Vec<String> = last.iter().map(|line| line.chars().take(width).collect()).collect();
    if said.is_empty() {
        said.push(format!("git ended with exit code {} and said nothing", ran.code));
    }
    CommitError::Failed { said }
}

/// What git's last words say of another command, if that kept it from going on. git names the file of a lock in every
/// language, and advises at length, below that, where the lock is there; where it cannot be made, nothing follows.
fn busy(code: i32, said: &[&str]) -> Option<&'static str> {
    let is_there = |lock: &str| said.iter().position(|line| line.contains(lock)).is_some_and(|at| at + 1 < said.len());
    let of_a_ref = |what: &str| said.iter().any(|line| line.contains("cannot lock ref") && line.contains(what));
    if code != GAVE_UP {
        None
    } else if is_there("/index.lock") {
        Some("another git command holds the index")
    } else if of_a_ref("cannot lock references") || of_a_ref(".lock") && is_there(".lock") {
        Some("another git command holds the branch")
    } else if of_a_ref("but expected") {
        Some("another git command moved the branch meanwhile")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADVICE: &str = "\n\nAnother git process seems to be running in this repository, e.g.\nan editor\n";

    #[test]
    fn p1_a_lock_of_another_command_is_told_from_what_hooks_say_of_locks() {
        let index = "another git command holds the index";
        let branch = "another git command holds the branch";
        for (code, said, busy) in [
            (128, format!("fatal: Unable to create '/r/.git/index.lock': File exists.{ADVICE}"), Some(index)),
            (
                128,
                format!("fatal: \u{ab}/r/.git/worktrees/w/index.lock\u{bb} kann nicht erstellt werden{ADVICE}"),
                Some(index),
            ),
            (
                128,
                format!("fatal: cannot lock ref 'HEAD': Unable to create '/r/.git/HEAD.lock': x.{ADVICE}"),
                Some(branch),
            ),
            (128, "fatal: cannot lock references\n".to_owned(), Some(branch)),
            (
                128,
                "fatal: cannot lock ref 'HEAD': is at 1 but expected 2\n".to_owned(),
                Some("another git command moved the branch meanwhile"),
            ),
            // Nobody holds what cannot be made.
            (128, "fatal: Unable to create '/r/.git/index.lock': Permission denied\n".to_owned(), None),
            (128, "fatal: cannot lock ref 'HEAD': Unable to create '/r/.git/HEAD.lock': x\n".to_owned(), None),
            (1, format!("the hook's stash failed: '/r/.git/index.lock'{ADVICE}"), None),
            (1, "'yarn.lock' is out of date\nrun yarn\n".to_owned(), None),
            (128, "'yarn.lock' is out of date\nfatal: cannot run gpg\n".to_owned(), None),
        ] {
            let ran = Ran { code, stdout: Vec::new(), stderr: said.clone().into_bytes() };
            let found = if let CommitError::Busy { why } = failed(&ran) { Some(why) } else { None };
            assert_eq!(found, busy, "{said}");
        }
    }
}
