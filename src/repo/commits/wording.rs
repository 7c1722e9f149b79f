//! The words that git is given for a commit, and what its answers mean.

use std::ffi::OsString;
use std::io::{Error, ErrorKind};

use crate::app::ports::{CommitError, Ran};
use crate::domain::ids::ObjectId;
use crate::domain::production::TargetPath;

/// How many lines of what git and the hooks said are told, and how many characters of each.
const TOLD: (usize, usize) = (20, 400);

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

/// What git and the hooks said when it did not work: the end of it, where the reason is.
pub(super) fn failed(ran: &Ran) -> CommitError {
    let text = String::from_utf8_lossy(&ran.stderr).into_owned() + &String::from_utf8_lossy(&ran.stdout);
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let (most, width) = TOLD;
    let last = &lines[lines.len().saturating_sub(most)..];
    let mut said: Vec<String> = last.iter().map(|line| line.chars().take(width).collect()).collect();
    if said.is_empty() {
        said.push(format!("git ended with exit code {} and said nothing", ran.code));
    }
    CommitError::Failed { said }
}
