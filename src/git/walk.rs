//! Walking from commit to commit without git's library, which would read an object that is cut off for ever.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use super::object::{self, Commit, Kind};
use super::{Error, Oid, Repo};

impl Repo {
    /// The commit that an object leads to: itself, or what a tag names; `None` when it leads to none.
    pub(super) fn walked_to_commit(&self, mut id: Oid) -> Option<Oid> {
        // A tag names what was there before it, so this comes to an end.
        while let Ok(Some(object)) = self.read(id) {
            match object.kind {
                Kind::Commit => return Some(id),
                Kind::Tag => id = object::tagged(&object.bytes)?,
                Kind::Tree | Kind::Blob => break,
            }
        }
        None
    }

    /// Whether the newest commit has anything at this path from the top.
    pub(super) fn has_committed(&self, path: &str) -> Result<bool, Error> {
        let Some(head) = self.tip("HEAD")?.and_then(|id| self.walked_to_commit(id)) else { return Ok(false) };
        let Some(commit) = self.commit(head)? else { return Ok(false) };
        Ok(self.at_path(commit.tree, path.as_bytes())?.is_some())
    }

    /// The newest commits that `from` reaches by their dates; one that is missing or damaged ends the list.
    pub(super) fn walked(&self, from: Oid, limit: usize) -> Vec<(Oid, String)> {
        // Of two of one second the one that was met first comes first.
        let mut waiting: BTreeMap<(Reverse<i64>, usize), Commit> = BTreeMap::new();
        let mut met = HashSet::new();
        let mut found = Vec::new();
        let mut next = vec![from];
        while found.len() < limit {
            for id in next {
                if !met.insert(id) {
                    continue;
                }
                let Ok(Some(commit)) = self.commit(id) else { return found };
                waiting.insert((Reverse(commit.committed), met.len()), commit);
            }
            let Some((_, commit)) = waiting.pop_first() else { break };
            found.push((commit.id, commit.subject));
            next = commit.parents;
        }
        found
    }
}
