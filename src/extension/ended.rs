//! Why an extension was ended, or ended early. Each message follows the words "the extension <name>".

use std::time::Duration;

use crate::domain::harmless::on_one_line;
use crate::domain::ui::{API_VERSION, Name};

/// Why an extension was ended, or ended early. None of these changed anything (P7).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Ended {
    /// It did not answer `initialize` in time.
    #[error("did not answer initialize within {within:?}")]
    Silent { within: Duration },
    #[error("ran longer than {limit:?}, not counting the time it waited for the user")]
    TookTooLong { limit: Duration },
    #[error("sent more than {what}")]
    TooMuch {
        /// The limit, in words.
        what: String,
    },
    /// It wrote a line that is not a message.
    #[error("wrote a line that is not a JSON-RPC 2.0 message: {line}")]
    Garbage {
        /// The beginning of the line, harmless.
        line: String,
    },
    /// It answered a request that was not made.
    #[error("answered request {id}, which git grill did not make")]
    Stray {
        /// The id, harmless.
        id: String,
    },
    /// It called the UI before it answered `initialize`.
    #[error("called {method} before it answered initialize")]
    NotAllowed {
        /// The method, harmless.
        method: String,
    },
    /// Its name is not the one in its file's name or in the setting.
    #[error("calls itself {said}")]
    WrongName {
        /// The name, harmless.
        said: String,
    },
    /// It was written for another version of the UI API (P4).
    #[error("was written for version {said} of the UI API; this git grill serves version {API_VERSION}")]
    WrongVersion {
        /// The version, harmless.
        said: String,
    },
    /// It asks for a flag that is not served (P4).
    #[error("needs the flag {flag}; this git grill serves version {API_VERSION} of the UI API and no flags")]
    UnknownFlag {
        /// The flag, harmless.
        flag: String,
    },
    /// It offers two tools or two commands of the same name (P6).
    #[error("offers the {what} {name} twice")]
    TwiceNamed {
        /// `tool` or `command`.
        what: &'static str,
        name: Name,
    },
    /// Its answer to `initialize` is not valid.
    #[error("gave an invalid answer to initialize: {why}")]
    BadHello { why: String },
    #[error("has no {what} {name}; {offered}")]
    NotOffered {
        /// `tool` or `command`.
        what: &'static str,
        name: Name,
        /// What it has, as the rest of the sentence.
        offered: String,
    },
    /// The arguments do not fit into a message.
    #[error("was not called: its arguments have {bytes} bytes, more than the {limit} that fit")]
    TooLong { bytes: usize, limit: usize },
    #[error("returned an invalid result: {why}")]
    BadResult { why: String },
    #[error("failed: {message}")]
    Failed {
        /// Its message, harmless.
        message: String,
    },
    /// It exited, or closed its standard output.
    #[error("exited before it answered{}", last_words(.errors))]
    Left {
        /// The end of its standard error, as it came.
        errors: String,
    },
}

/// Foreign text as an error shows it: on one line, harmless, at most 200 characters.
pub(super) fn shown(words: &str) -> String {
    const MOST: usize = 200;
    let mut chars = words.trim().chars();
    let begin = on_one_line(&chars.by_ref().take(MOST).collect::<String>());
    if chars.next().is_some() { format!("{begin}…") } else { begin }
}

/// The last line of its standard error.
fn last_words(errors: &str) -> String {
    errors.trim_end().lines().next_back().map(|line| format!(": {}", shown(line))).unwrap_or_default()
}
