//! Why the configuration was not taken: with the key, the place and a way out.

use std::path::PathBuf;

use super::origin::Origin;
use crate::text::shell::word_of_path;

/// Why the configuration, or one of its values, was not taken.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{} cannot be read", file.display())]
    Unreadable {
        file: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("{place} is no valid git configuration: {why}")]
    Syntax { place: String, why: String },
    #[error("{key} is '{value}' {origin}; allowed: {}", allowed.join(", "))]
    BadValue {
        key: String,
        /// Its value; a key without `=` has an empty one.
        value: String,
        origin: Origin,
        allowed: Vec<&'static str>,
    },
}

impl ConfigError {
    pub fn hint(&self) -> String {
        match self {
            Self::Unreadable { file, .. } => format!("ls -l {}", word_of_path(file)),
            Self::Syntax { .. } => "git config --list --show-origin".to_owned(),
            Self::BadValue { key, .. } => format!("git config --show-origin --get-all {key}"),
        }
    }
}
