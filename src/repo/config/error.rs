//! Why the configuration was not taken: with the key, the place and a way out.

use std::path::PathBuf;

use super::origin::Origin;

/// Why the configuration, or one of its values, was not taken.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A file that is there cannot be read.
    #[error("{} cannot be read", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// A file or variable is no configuration.
    #[error("{place} is no valid git configuration: {why}")]
    Syntax {
        /// The file or variable.
        place: String,
        /// What is wrong with it.
        why: String,
    },
    /// A key has a value that it does not take.
    #[error("{key} is '{value}' {origin}; allowed: {}", allowed.join(", "))]
    BadValue {
        /// The key.
        key: String,
        /// Its value; a key without `=` has an empty one.
        value: String,
        /// Where it stands.
        origin: Origin,
        /// What it would take.
        allowed: Vec<&'static str>,
    },
}

impl ConfigError {
    /// Something to type next.
    pub fn hint(&self) -> String {
        match self {
            Self::Unreadable { file, .. } => format!("ls -l {}", file.display()),
            Self::Syntax { .. } => "git config --list --show-origin".to_owned(),
            Self::BadValue { key, .. } => format!("git config --show-origin --get-all {key}"),
        }
    }
}
