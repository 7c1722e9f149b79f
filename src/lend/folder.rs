//! The folder of a session, as far as its working copy is concerned: the copy is the agent's, everything beside it is
//! ours.

use std::path::{Path, PathBuf};

use super::error::LendError;
use super::parent::Parent;

/// The folder of one session with a working copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LentFolder {
    root: PathBuf,
    handle: String,
}

impl LentFolder {
    /// The folder of the session with this public handle, below the folder of all sessions.
    pub fn of(root: &Path, handle: &str) -> Result<Self, LendError> {
        if !is_handle(handle) {
            return Err(LendError::Handle(handle.to_owned()));
        }
        Ok(Self { root: root.to_owned(), handle: handle.to_owned() })
    }

    pub fn handle(&self) -> &str {
        &self.handle
    }

    pub fn path(&self) -> PathBuf {
        self.root.join(&self.handle)
    }

    /// The folder of all sessions.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The working copy.
    pub fn copy(&self) -> PathBuf {
        self.path().join(COPY)
    }

    /// The folder in which we note what the copy began as, and read what became of it.
    pub(super) fn notes(&self) -> PathBuf {
        self.path().join(NOTES)
    }

    /// The folder in which we note what was accepted. It stays when the copy goes, so that an undo is still possible.
    pub(super) fn accepts(&self) -> PathBuf {
        self.path().join("accepts")
    }

    /// The ref in the parent that keeps what stood where an accept wrote (A16).
    pub(super) fn accept_reference(&self, number: u32) -> String {
        format!("{}{number}", self.accept_references())
    }

    /// What all of those begin with.
    pub(super) fn accept_references(&self) -> String {
        format!("{ACCEPTED}{}-", self.handle)
    }

    /// The ref in the parent that holds the commit the copy began at, and later the work (A26).
    pub fn reference(&self) -> String {
        format!("{WORK}{}", self.handle)
    }

    /// The ref in the parent that keeps commits of the agent's which the work does not lead to.
    pub(super) fn commits_reference(&self, number: u32) -> String {
        format!("{}{number}", self.commits_references())
    }

    /// What all of those begin with.
    pub(super) fn commits_references(&self) -> String {
        format!("{WORK}{}-", self.handle)
    }
}

/// The highest number of a session that a ref of ours in the parent names, of whatever directory; 0 where there is none.
pub fn highest_named(parent: &Parent<'_>) -> Result<u32, LendError> {
    let words = ["for-each-ref", "--format=%(refname)", WORK, ACCEPTED];
    let told = parent.ask("listing the work that is kept", &words)?;
    let told = String::from_utf8_lossy(&told);
    let number = |name: &str| {
        let handle = name.strip_prefix(WORK).or_else(|| name.strip_prefix(ACCEPTED))?;
        handle.split('-').next()?.strip_prefix('g')?.parse().ok()
    };
    Ok(told.lines().filter_map(number).max().unwrap_or(0))
}

/// Begins the refs that keep the work of sessions: `g1`, and `g1-1` and so on for more of the same session.
const WORK: &str = "refs/grill/local/agents/";
/// Begins the refs that keep what an accept replaced.
const ACCEPTED: &str = "refs/grill/local/accepted/";
/// The name of the working copy in the folder of a session.
pub(super) const COPY: &str = "tree";
/// The name of our folder beside it.
pub(super) const NOTES: &str = "lent";

/// `g1`, `g2`, …
fn is_handle(text: &str) -> bool {
    let digits = text.strip_prefix('g').unwrap_or_default();
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    plain && (1..=9).contains(&digits.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a6_a_handle_that_is_none_leads_to_no_path() {
        for handle in ["g1", "g42", "g999999999"] {
            assert!(LentFolder::of(Path::new("/r"), handle).is_ok(), "{handle}");
        }
        for handle in ["", "g", "g0", "g01", "G1", "g1/..", "../g1", "g1 ", "g1000000000", "t1", "gg1"] {
            assert!(LentFolder::of(Path::new("/r"), handle).is_err(), "{handle}");
        }
    }
}
