//! Commands that bring back what a restore replaced, and that remove what it left: to be pasted into a shell.

use super::super::refs::{Stash, Target};
use crate::app::ports::{Fate, RestoredRef};
use crate::text::shell::word_of_bytes as word;

/// A kind of ref that git has a command of its own for.
enum Kind<'a> {
    Branch(&'a [u8]),
    Tag(&'a [u8]),
    Other,
}

fn kind(name: &[u8]) -> Kind<'_> {
    let plain = |short: &&[u8]| !short.starts_with(b"-");
    if let Some(short) = name.strip_prefix(b"refs/heads/").filter(plain) {
        Kind::Branch(short)
    } else if let Some(short) = name.strip_prefix(b"refs/tags/").filter(plain) {
        Kind::Tag(short)
    } else {
        Kind::Other
    }
}

pub(in super::super) fn removes(name: &[u8]) -> String {
    match kind(name) {
        Kind::Branch(short) => format!("git branch -D {}", word(short)),
        Kind::Tag(short) => format!("git tag -d {}", word(short)),
        Kind::Other => format!("git update-ref --no-deref -d {}", word(name)),
    }
}

pub(super) fn makes(name: &[u8], to: &Target) -> String {
    match (kind(name), to) {
        (Kind::Branch(short), Target::Object(id)) => format!("git branch {} {id}", word(short)),
        (Kind::Tag(short), Target::Object(id)) => format!("git tag {} {id}", word(short)),
        (Kind::Other, Target::Object(_)) | (_, Target::Symbolic(_)) => moves(name, to),
    }
}

pub(super) fn moves(name: &[u8], to: &Target) -> String {
    match to {
        Target::Object(id) => format!("git update-ref --no-deref {} {id}", word(name)),
        Target::Symbolic(to) => format!("git symbolic-ref {} {}", word(name), word(to)),
    }
}

/// Puts a stash on top again.
pub(super) fn stashes(stash: &Stash) -> String {
    format!("git stash store -m {} {}", word(stash.message.as_bytes()), stash.id)
}

/// Drops the stash at this place, the newest being the first.
pub(super) fn drops(place: usize) -> String {
    format!("git stash drop 'stash@{{{place}}}'")
}

/// Puts what was restored in an order in which the commands can be run one after another: HEAD leaves a branch before that
/// is removed, and a branch is removed before one is made whose folder has its place.
pub(super) fn put_in_order(restored: &mut [RestoredRef]) {
    restored.sort_by_key(|one| match one.fate {
        Fate::Moved if one.name == "HEAD" => 0,
        Fate::Made => 1,
        Fate::Moved => 2,
        Fate::Deleted => 3,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a25_undo_removes_what_was_made_before_it_makes_what_was_deleted() {
        let of = |name: &str, fate| RestoredRef { name: name.to_owned(), fate, undo: String::new() };
        let mut all = [
            of("refs/heads/topic/x", Fate::Deleted),
            of("refs/heads/main", Fate::Moved),
            of("refs/heads/topic", Fate::Made),
            of("HEAD", Fate::Moved),
            of("refs/stash", Fate::Deleted),
            of("refs/stash", Fate::Made),
        ];
        put_in_order(&mut all);
        let names = all.map(|one| one.name);
        assert_eq!(
            names,
            ["HEAD", "refs/heads/topic", "refs/stash", "refs/heads/main", "refs/heads/topic/x", "refs/stash"]
        );
    }

    #[test]
    fn names_are_quoted_for_a_shell() {
        let id = Target::Object("35510ba".to_owned());
        assert_eq!(makes(b"refs/heads/feature", &id), "git branch feature 35510ba");
        assert_eq!(makes(b"refs/tags/a'b", &id), "git tag 'a'\\''b' 35510ba");
        assert_eq!(makes(b"refs/notes/$(x)", &id), "git update-ref --no-deref 'refs/notes/$(x)' 35510ba");
        assert_eq!(removes(b"refs/heads/caf\xe9"), "git branch -D $'caf\\351'");
        assert_eq!(removes(b"refs/tags/-x"), "git update-ref --no-deref -d refs/tags/-x");
    }
}
