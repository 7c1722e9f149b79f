//! Why an object or a ref was not read or written.

/// What git or its library said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Error(pub String);

impl Error {
    /// An error that says this.
    pub fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }

    /// Whether the lock of a ref, or of all of them, was held by somebody else, as the program says it.
    pub fn is_held(&self) -> bool {
        // The first one is about a ref's own lock, the others about the one of a reftable repository.
        let said = ["File exists", "cannot lock references", "data is locked"];
        self.0.starts_with("git ") && said.iter().any(|words| self.0.contains(words))
    }

    /// Whether a lock was held, or a folder gone that `git pack-refs` had emptied: it may be otherwise a moment later. The
    /// program says so in words alone, and is run in the C locale.
    pub fn is_passing(&self) -> bool {
        // A git that does not start says that a file is missing, too.
        let program = self.0.starts_with("git ") && !self.0.starts_with("git could not be run");
        let said = |words: &[&str]| words.iter().any(|words| self.0.contains(words));
        said(&["failed to lock file"])
            || program
                && said(&[
                    "File exists",
                    "cannot lock",
                    "could not lock",
                    "unable to lock",
                    "data is locked",
                    "No such file or directory",
                ])
    }

    /// An object that is not there.
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
