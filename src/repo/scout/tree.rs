//! The tracked files: HEAD's tree, in git's order.

use crate::git::tree::{Entry, SYMLINK};
use crate::git::{Oid, Repo};

use super::MOST_FILES;

/// A longer path is not followed; it also bounds how deep the recursion goes.
const LONGEST_PATH: usize = 1_024;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tracked {
    /// Its path, `/` between components.
    pub(super) path: String,
    pub(super) id: Oid,
}

impl Tracked {
    /// The last component.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The folders above it, with a `/` at the end; empty at the top.
    pub(super) fn folder(&self) -> &str {
        &self.path[..self.path.len() - self.name().len()]
    }

    pub(super) fn depth(&self) -> usize {
        self.path.matches('/').count()
    }

    /// What follows the last dot of the name, when there is a name before it.
    pub(super) fn extension(&self) -> Option<&str> {
        match self.name().rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() => Some(extension),
            Some(_) | None => None,
        }
    }
}

#[derive(Default)]
pub(super) struct Listing {
    /// Files with names that are UTF-8; the others cannot be cited.
    pub(super) files: Vec<Tracked>,
    pub(super) seen: usize,
    /// Folders that were entered; a made-up tree can hold millions of them and no file.
    folders: usize,
    /// Whether a limit ended the listing, or a part of the tree is missing here.
    pub(super) truncated: bool,
}

/// Lists a tree; without one there is nothing to list. Symlinks and submodules are left out: their
/// contents are elsewhere.
pub(super) fn list(repo: &Repo, tree: Option<Oid>, keep_going: &dyn Fn() -> bool) -> Listing {
    let mut listing = Listing::default();
    let Some(tree) = tree else {
        return listing;
    };
    match repo.tree(tree) {
        Ok(tree) => descend(repo, &tree, &mut Vec::new(), &mut listing, keep_going),
        Err(_) => listing.truncated = true,
    }
    listing
}

fn descend(repo: &Repo, tree: &[Entry], above: &mut Vec<u8>, listing: &mut Listing, keep_going: &dyn Fn() -> bool) {
    for entry in tree {
        if listing.seen >= MOST_FILES || !keep_going() {
            listing.truncated = true;
            return;
        }
        let length = above.len();
        above.extend_from_slice(&entry.name);
        if entry.is_folder() {
            above.push(b'/');
            listing.folders += 1;
            match repo.tree(entry.id) {
                Ok(below) if above.len() <= LONGEST_PATH && listing.folders <= MOST_FILES => {
                    descend(repo, &below, above, listing, keep_going);
                }
                Ok(_) | Err(_) => listing.truncated = true,
            }
        } else if entry.is_blob() && entry.mode != SYMLINK {
            listing.seen += 1;
            if let Ok(path) = std::str::from_utf8(above) {
                listing.files.push(Tracked { path: path.to_owned(), id: entry.id });
            }
        }
        above.truncate(length);
    }
}
