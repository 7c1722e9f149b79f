//! Entries in JSON files, with or without comments and trailing commas: put in, updated and taken out without another
//! byte being touched.
//!
//! Taking out is the exact reverse of putting in, without a record of what was there. An entry is always put behind
//! everything else in its object or array, so the bytes from the end of what stands before it to its own end are ours.
//! What of its surroundings is ours, too, shows in one blank: an object, an array or a file that we made ourselves
//! begins with a line end or with nothing, and one that stood there empty gets one blank in front of the entry.

mod edit;
mod find;
mod span;
mod write;

use serde_json::Value;

use super::trouble::Trouble;
use find::{Found, Tree};
use write::Paper;

#[derive(Clone, Debug)]
pub struct Entry {
    /// The keys from the root to the object or array that holds it.
    pub path: &'static [&'static str],
    pub slot: Slot,
}

#[derive(Clone, Debug)]
pub enum Slot {
    Member {
        name: &'static str,
        /// Its value, as JSON on one line.
        value: String,
        /// Whether a value under this key is one that we wrote, in this version or another.
        ours: fn(&Value) -> bool,
    },
    Element {
        /// The element, as JSON on one line.
        value: String,
        /// Whether an element is one that we wrote, in this version or another.
        ours: fn(&Value) -> bool,
    },
    /// A member that a new file needs and that anybody could have set: written into a file that we make, behind our
    /// entries, and taken out only with that file.
    Companion {
        name: &'static str,
        /// Its value, as JSON on one line.
        value: &'static str,
    },
}

impl Slot {
    /// Whether it is only there for a file that we make.
    pub fn is_companion(&self) -> bool {
        match self {
            Self::Companion { .. } => true,
            Self::Member { .. } | Self::Element { .. } => false,
        }
    }
}

/// How an entry stands in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryState {
    Absent,
    Current,
    /// It is there as another version wrote it.
    Older,
}

/// Puts an entry into a text, or into a new one.
pub fn put(text: Option<&str>, entry: &Entry) -> Result<String, Trouble> {
    let Some(text) = text else {
        return Ok(write::created(entry));
    };
    let (mark, text) = byte_order_mark(text);
    let tree = Tree::parse(text)?;
    let edited = match find::find(&tree, entry)? {
        Found::Current => return Ok(format!("{mark}{text}")),
        Found::Older { value, .. } => {
            let merged = write::merged(entry, tree.value_at(&value));
            format!("{}{merged}{}", &text[..value.start], &text[value.end..])
        }
        Found::Absent { holder, missing, level } => {
            let paper = Paper::of(text, &holder, level);
            edit::insert(text, &holder, &paper, &write::body(missing, &entry.slot, &paper))
        }
    };
    if standing(&edited, entry) != Ok(EntryState::Current) {
        return Err(Trouble::Unfit);
    }
    Ok(format!("{mark}{edited}"))
}

/// Takes entries out; `None` where the whole file was ours.
pub fn take(text: &str, entries: &[&Entry]) -> Result<Option<String>, Trouble> {
    let (mark, text) = byte_order_mark(text);
    for entry in entries.iter().rev() {
        if let Slot::Companion { name, value } = &entry.slot {
            // It stands last only where the file was made with it.
            if let Some(without) = edit::without_last_member(text, name, value)?
                && take_entries(&without, entries)?.is_none()
            {
                return Ok(None);
            }
        }
    }
    Ok(take_entries(text, entries)?.map(|left| format!("{mark}{left}")))
}

fn take_entries(text: &str, entries: &[&Entry]) -> Result<Option<String>, Trouble> {
    let mut left = text.to_owned();
    for entry in entries.iter().rev() {
        while let Some(chain) = find::ours(&Tree::parse(&left)?, entry)? {
            match edit::remove(&left, &chain) {
                Some(text) => left = text,
                None => return Ok(None),
            }
        }
    }
    Ok(Some(left))
}

pub fn standing(text: &str, entry: &Entry) -> Result<EntryState, Trouble> {
    let (_, text) = byte_order_mark(text);
    Ok(match find::find(&Tree::parse(text)?, entry)? {
        Found::Absent { .. } => EntryState::Absent,
        Found::Current => EntryState::Current,
        Found::Older { .. } => EntryState::Older,
    })
}

fn byte_order_mark(text: &str) -> (&str, &str) {
    text.split_at(if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 })
}

#[cfg(test)]
mod tests;
