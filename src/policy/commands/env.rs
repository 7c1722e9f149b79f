//! `env`, and the assignments that change nothing but how something looks.

use super::line::{Line, owned};
use super::{Inner, LookThrough};
use crate::policy::shell::Refused;

/// Variables that choose language, time zone, width or colour, and run nothing whatever their value is.
const HARMLESS: &[&str] = &[
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "FORCE_COLOR",
    "GIT_OPTIONAL_LOCKS",
    "GIT_TERMINAL_PROMPT",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_NUMERIC",
    "LC_TIME",
    "LINES",
    "NO_COLOR",
    "TZ",
];

/// Variables that name a program, with values that run nothing of anybody's making.
const PAGERS: &[&str] = &["PAGER", "GIT_PAGER", "GH_PAGER", "MANPAGER", "SYSTEMD_PAGER"];

/// Whether `word` is an assignment that cannot change what is run.
pub(super) fn is_harmless_assignment(word: &str) -> bool {
    let Some((name, value)) = word.split_once('=') else { return false };
    HARMLESS.contains(&name) || PAGERS.contains(&name) && matches!(value, "" | "cat")
}

/// `env [NAME=value…] [command…]`.
pub(super) fn judge(line: &Line<'_>, look_through: &mut LookThrough<'_>) -> Result<(), Refused> {
    let command = line.operands.iter().position(|word| !word.text.contains('=')).unwrap_or(line.operands.len());
    let (assignments, command) = line.operands.split_at(command);
    for word in assignments {
        if !word.known().is_some_and(is_harmless_assignment) {
            let why = format!("`{} {}` may change what is run", line.command, word.text);
            return Err(Refused::new(&word.text, why));
        }
    }
    if command.is_empty() { Ok(()) } else { look_through(Inner::Argv(&owned(command))) }
}
