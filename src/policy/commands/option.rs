//! What a sheet says about one option.

use super::sheet::{Entry, split_reason};

/// What an option takes, and whether it may be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing.
    Flag,
    /// A value, attached or as the next word; a next word like an option must also be allowed as one.
    Value,
    /// A value, attached or as the next word, whatever that looks like.
    Takes,
    /// A value only when attached.
    Maybe,
    Only(&'static str),
    /// A relative folder at or below the current one, where the command then runs.
    Below,
    /// Any folder, where the command then runs.
    Folder,
    /// The rest is a command, up to a `;`.
    Command,
    /// It may not be given: a predicate of the command, `writes a file`.
    No(&'static str),
}

impl Entry {
    /// What is known about `option`, spelled with its dashes.
    pub fn option(&self, option: &str) -> Option<Kind> {
        self.lines.iter().find_map(|(key, rest)| {
            let (names, tail) = split_reason(rest);
            let kind = match *key {
                "flag" => Kind::Flag,
                "value" => Kind::Value,
                "takes" => Kind::Takes,
                "maybe" => Kind::Maybe,
                "only" => Kind::Only(tail),
                "below" => Kind::Below,
                "folder" => Kind::Folder,
                "command" => Kind::Command,
                "no" => Kind::No(tail),
                _ => return None,
            };
            names.split_ascii_whitespace().any(|name| fits(name, option)).then_some(kind)
        })
    }
}

/// Whether `option` is what a sheet calls `name`; `-#` is any number.
fn fits(name: &str, option: &str) -> bool {
    if name != "-#" {
        return name == option;
    }
    let digits = option.strip_prefix('-').unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
