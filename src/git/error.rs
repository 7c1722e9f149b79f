//! Why an object or a ref was not read or written.

use crate::app::ports::NO_ROOM;

/// What git or its library said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Error(pub String);

/// What the program says where somebody holds a lock, or a folder is gone for a moment.
const PASSING: &[&str] = &[
    "File exists",
    "cannot lock",
    "could not lock",
    "unable to lock",
    "data is locked",
    MOVED,
    "No such file or directory",
];
/// What the program says where somebody wrote a table of refs between its look at them and its lock (some versions before 2.48).
const MOVED: &str = "data concurrently modified";
/// What the machine says in the same line where the lock cannot be made: waiting brings neither room nor rights.
const LASTING: &[&str] = &[NO_ROOM[0], NO_ROOM[1], "Permission denied", "Read-only file system", "Input/output error"];

impl Error {
    pub fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }

    /// Whether the lock of a ref, or of all of them, was or had just been held by somebody else, as the program says it.
    pub fn is_held(&self) -> bool {
        // The first one is about a ref's own lock, the others about the one of a reftable repository.
        let said = ["File exists", "cannot lock references", "data is locked", MOVED];
        self.0.starts_with("git ") && said.iter().any(|words| self.0.contains(words))
    }

    /// Whether a lock was held, or a folder gone that `git pack-refs` had emptied: it may be otherwise a moment later. The
    /// program says so in words alone, and is run in the C locale.
    pub fn is_passing(&self) -> bool {
        // A git that does not start says that a file is missing, too.
        let program = self.0.starts_with("git ") && !self.0.starts_with("git could not be run");
        let says = |line: &str, words: &[&str]| words.iter().any(|words| line.contains(words));
        self.0.contains("failed to lock file")
            || program && self.0.lines().any(|line| says(line, PASSING) && !says(line, LASTING))
    }

    pub fn missing(id: super::Oid) -> Self {
        Self(format!("object not found: {id}"))
    }
}

impl From<git2::Error> for Error {
    fn from(error: git2::Error) -> Self {
        Self(error.message().to_owned())
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self(format!("git could not be run: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p1_a_lock_that_is_held_passes_and_one_that_cannot_be_made_does_not() {
        let said = |words: &str| Error::new(format!("git update-ref: {words}")).is_passing();
        let lock = "fatal: cannot lock ref 'refs/grill/x': Unable to create '/r/.git/refs/grill/x.lock'";
        assert!(said(&format!("{lock}: File exists.")));
        for reason in LASTING {
            assert!(!said(&format!("{lock}: {reason}")), "{reason}");
        }
        // What git warns of besides is not the reason.
        assert!(said(&format!("warning: unable to access '/home/a/.config': Permission denied\n{lock}: File exists.")));
        assert!(said("fatal: prepare: cannot lock references"));
        assert!(said("fatal: reftable: transaction prepare: data concurrently modified"));
        assert!(!Error::new("git could not be run: No such file or directory").is_passing());
    }
}
