//! Files that differ in a session's worktree, bounded so that one record holds them.

use serde::{Deserialize, Serialize};

use super::limits::LONGEST_PATH;

/// The most paths that one record names.
pub const MOST_PATHS: usize = 256;
/// The most bytes of all these paths, so that a record stays small even with every byte escaped.
const MOST_BYTES: usize = 8 * 1024;
const _: () = assert!(LONGEST_PATH <= MOST_BYTES, "a single path always fits");

/// Changed files: the first of them by name, and the number of the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedFiles {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// Files beyond those that are named.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: u64,
    /// They are not known: the worktree could not be read, or nobody has read it since the agent worked in it. What is
    /// named is what was known before.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unread: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_false(is: &bool) -> bool {
    !*is
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl ChangedFiles {
    /// Names as many of the files as fit, in their order; a path that is too long is counted with the rest.
    pub fn new(paths: impl IntoIterator<Item = String>) -> Self {
        let mut files = Self::default();
        let mut bytes = 0;
        for path in paths {
            let fits = files.more == 0
                && files.paths.len() < MOST_PATHS
                && path.len() <= LONGEST_PATH
                && bytes + path.len() <= MOST_BYTES;
            if fits {
                bytes += path.len();
                files.paths.push(path);
            } else {
                files.more += 1;
            }
        }
        files
    }

    /// Those of a worktree that could not be read.
    pub fn unread() -> Self {
        Self { unread: true, ..Self::default() }
    }

    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// Number of all changed files.
    pub fn count(&self) -> u64 {
        self.paths.len() as u64 + self.more
    }

    /// Whether one record has room for it. What we made ourselves always fits; a stored one may be another's.
    pub fn fits(&self) -> bool {
        self.paths.len() <= MOST_PATHS && self.paths.iter().map(String::len).sum::<usize>() <= MOST_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_files_beyond_what_fits_are_counted() {
        let few = ChangedFiles::new(["a".to_owned(), "b/c".to_owned()]);
        assert_eq!((few.count(), few.more, few.fits()), (2, 0, true));
        let many = ChangedFiles::new((0..1_000).map(|number| format!("f{number}")));
        assert_eq!((many.paths.len(), many.count(), many.fits()), (MOST_PATHS, 1_000, true));
        let long = ChangedFiles::new(["x".repeat(LONGEST_PATH + 1), "y".to_owned()]);
        assert_eq!((long.paths.len(), long.more), (0, 2), "the names are the first ones, without a gap");
        let heavy = ChangedFiles::new((0..9).map(|_| "x".repeat(LONGEST_PATH)));
        assert_eq!((heavy.paths.len(), heavy.count(), heavy.fits()), (2, 9, true));
    }
}
