//! How an extension ends that does not end well. Each sentence goes on after "the extension <name>".

use std::time::Duration;

use crate::domain::harmless::on_one_line;
use crate::domain::ui::{API_VERSION, Name};

/// Why an extension was ended. None of these changed anything (P7).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Ended {
    /// No answer to the greeting in time.
    #[error("did not answer initialize within {within:?}")]
    Silent {
        /// The limit.
        within: Duration,
    },
    /// It computed for too long.
    #[error("ran longer than {limit:?}, not counting the time it waited for the user")]
    TookTooLong {
        /// The limit.
        limit: Duration,
    },
    /// More of something than its limit.
    #[error("sent more than {what}")]
    TooMuch {
        /// What, with the limit.
        what: String,
    },
    /// A line that is no message.
    #[error("wrote a line that is not a JSON-RPC 2.0 message: {line}")]
    Garbage {
        /// The beginning of the line, harmless.
        line: String,
    },
    /// An answer to a request that was not made.
    #[error("answered request {id}, which git grill did not make")]
    Stray {
        /// The id, harmless.
        id: String,
    },
    /// A UI call in the handshake.
    #[error("called {method} before it answered initialize")]
    NotAllowed {
        /// The method, harmless.
        method: String,
    },
    /// It is another extension than its file's name or the setting says.
    #[error("calls itself {said}")]
    WrongName {
        /// The name, harmless.
        said: String,
    },
    /// It was written for another version of the UI surface (P4).
    #[error("was written for version {said} of the UI surface; this git grill serves version {API_VERSION}")]
    WrongVersion {
        /// The version, harmless.
        said: String,
    },
    /// It asks for a flag that is not served (P4).
    #[error("needs the flag {flag}; this git grill serves version {API_VERSION} of the UI surface and no flags")]
    UnknownFlag {
        /// The flag, harmless.
        flag: String,
    },
    /// Two of the same name (P6).
    #[error("offers the {what} {name} twice")]
    TwiceNamed {
        /// `tool` or `command`.
        what: &'static str,
        /// The name.
        name: Name,
    },
    /// An answer to the greeting in which something is wrong.
    #[error("gave an invalid answer to initialize: {why}")]
    BadHello {
        /// What is wrong.
        why: String,
    },
    /// It has no such tool or command.
    #[error("has no {what} {name}; {offered}")]
    NotOffered {
        /// `tool` or `command`.
        what: &'static str,
        /// The name.
        name: Name,
        /// What it has, as the sentence goes on.
        offered: String,
    },
    /// Arguments that do not fit into a line.
    #[error("was not called: its arguments have {bytes} bytes, more than the {limit} that fit")]
    TooLong {
        /// How many bytes the line has.
        bytes: usize,
        /// How many fit.
        limit: usize,
    },
    /// A result in which something is wrong.
    #[error("returned an invalid result: {why}")]
    BadResult {
        /// What is wrong.
        why: String,
    },
    /// It answered with an error.
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

/// Foreign words as an error shows them: on one line, harmless, not long.
pub(super) fn shown(words: &str) -> String {
    const MOST: usize = 200;
    let mut chars = words.trim().chars();
    let begin = on_one_line(&chars.by_ref().take(MOST).collect::<String>());
    if chars.next().is_some() { format!("{begin}…") } else { begin }
}

/// The last line of what it said to standard error.
fn last_words(errors: &str) -> String {
    errors.trim_end().lines().next_back().map(|line| format!(": {}", shown(line))).unwrap_or_default()
}
