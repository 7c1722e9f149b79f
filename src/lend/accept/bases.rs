//! Trees that the agent's work is compared with: what was accepted of it is in them (A39).

use std::collections::{BTreeMap, BTreeSet};

use super::record::{Record, Turn};
use super::stage::{Entry, index_lines};
use crate::git::object::parsed;
use crate::git::paths::pieces;
use crate::git::{Error, Oid};
use crate::lend::changes::Changes;
use crate::lend::error::LendError;
use crate::lend::notes::Notes;
use crate::lend::own_git::{ObjectsIn, OwnGit};
use crate::lend::parent::{Parent, named};

const DOING: &str = "noting what is accepted";

/// What the next accept is compared with: what this one was, and what is accepted of it now. What the user has already stays
/// out: nothing was taken over, so that nothing is lost when they change their file again.
pub(super) fn with_accepted(
    parent: &Parent<'_>,
    notes: &Notes,
    changes: &Changes,
    turns: &[Turn],
) -> Result<Oid, LendError> {
    let taken: BTreeSet<&[u8]> = turns.iter().map(|turn| turn.path.as_slice()).collect();
    let files = changes.files.iter().filter(|file| taken.contains(file.path.as_slice()));
    let entries: Vec<Entry<'_>> = files.map(|file| (file.path.as_slice(), file.now)).collect();
    changed(parent, notes, changes.before, &entries)
}

/// What the next accept is compared with once a step is taken back: at its paths stands what stood there before it.
pub(super) fn without(parent: &Parent<'_>, notes: &Notes, now: Oid, step: &Record) -> Result<Oid, LendError> {
    if now == step.bases.0 {
        return Ok(now);
    }
    let paths: BTreeSet<&[u8]> = step.paths().collect();
    let own = OwnGit::at(parent, notes, ObjectsIn::Own);
    let words = ["ls-tree", "-r", "-z", &step.bases.0.to_string()];
    let told = own.ask(DOING, own.git(&notes.path("index.none"), words))?;
    let before: BTreeMap<&[u8], (u32, Oid)> =
        pieces(&told).filter_map(entry).filter(|(path, _)| paths.contains(path)).collect();
    let entries: Vec<Entry<'_>> = paths.into_iter().map(|path| (path, before.get(path).copied())).collect();
    changed(parent, notes, now, &entries)
}

/// A tree with these entries in it.
pub(super) fn changed(parent: &Parent<'_>, notes: &Notes, tree: Oid, entries: &[Entry<'_>]) -> Result<Oid, LendError> {
    let own = OwnGit::at(parent, notes, ObjectsIn::Own);
    let index = notes.emptied("index.next").map_err(|error| LendError::failed(DOING, error))?.join("index");
    own.ask(DOING, own.git(&index, ["read-tree", &tree.to_string()]))?;
    let lines = index_lines(tree.kind(), entries);
    own.ask(DOING, own.git(&index, ["update-index", "-z", "--index-info"]).fed(lines))?;
    // Of a partial clone an object may be missing that nobody touched.
    let tree = named(own.git(&index, ["write-tree", "--missing-ok"]), own.process);
    let tree = tree.and_then(|tree| tree.ok_or_else(|| Error::new("git wrote no tree")));
    tree.map_err(|error| LendError::failed(DOING, error))
}

/// `100644 blob <id><TAB>path`
fn entry(line: &[u8]) -> Option<(&[u8], (u32, Oid))> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let mut words = std::str::from_utf8(&line[..tab]).ok()?.split(' ');
    let mode = u32::from_str_radix(words.next()?, 8).ok()?;
    Some((&line[tab + 1..], (mode, parsed(words.nth(1)?)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_tree_is_read() {
        let id = "1a".repeat(20);
        let line = format!("100755 blob {id}\ta\tb");
        assert_eq!(entry(line.as_bytes()), Some((b"a\tb".as_slice(), (0o100_755, parsed(&id).unwrap()))));
        assert_eq!(entry(b"100755 blob"), None);
    }
}
