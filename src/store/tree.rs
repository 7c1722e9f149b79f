//! Trees: one commit's files as the codec sees them, and a new tree from an old one with a few changes.

use std::collections::BTreeMap;

use git2::{ErrorClass, ErrorCode, ObjectType, Oid, Repository, Tree};

use super::changes::{Change, Changes};
use super::files::{Broken, Files};
use super::patience::patiently;

/// A plain file.
const FILE: i32 = 0o100_644;
/// A folder.
const FOLDER: i32 = 0o040_000;

/// The files of one commit.
pub struct CommitFiles<'r> {
    repo: &'r Repository,
    tree: Tree<'r>,
}

impl<'r> CommitFiles<'r> {
    /// Opens a commit's tree.
    pub fn of(repo: &'r Repository, commit: Oid) -> Result<Self, Broken> {
        let tree = patiently(repo, || repo.find_commit(commit).and_then(|commit| commit.tree()))
            .map_err(|error| Broken::at(format!("commit {commit}"), error.message()))?;
        Ok(Self { repo, tree })
    }

    /// The tree itself.
    pub fn tree(&self) -> &Tree<'r> {
        &self.tree
    }

    /// The object at a path, with its kind.
    fn entry(&self, path: &str) -> Result<Option<(Oid, Option<ObjectType>)>, Broken> {
        match patiently(self.repo, || self.tree.get_path(path.as_ref())) {
            Ok(entry) => Ok(Some((entry.id(), entry.kind()))),
            // An object that is missing on the way is another class of not found.
            Err(error) if error.class() == ErrorClass::Tree && error.code() == ErrorCode::NotFound => Ok(None),
            Err(error) => Err(Broken::at(path, error.message())),
        }
    }

    /// The blob id at a path.
    pub fn blob_id(&self, path: &str) -> Result<Option<Oid>, Broken> {
        Ok(self.entry(path)?.map(|(id, _)| id))
    }
}

impl Files for CommitFiles<'_> {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Broken> {
        let Some((id, kind)) = self.entry(path)? else {
            return Ok(None);
        };
        if kind != Some(ObjectType::Blob) {
            return Err(Broken::at(path, "it is no file"));
        }
        let blob =
            patiently(self.repo, || self.repo.find_blob(id)).map_err(|error| Broken::at(path, error.message()))?;
        Ok(Some(blob.content().to_vec()))
    }

    fn below(&self, folder: &str) -> Result<Vec<String>, Broken> {
        let Some((id, _)) = self.entry(folder)? else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        walk(self.repo, id, folder, &mut found)?;
        Ok(found)
    }
}

fn walk(repo: &Repository, tree: Oid, folder: &str, found: &mut Vec<String>) -> Result<(), Broken> {
    let tree = patiently(repo, || repo.find_tree(tree)).map_err(|error| Broken::at(folder, error.message()))?;
    for entry in &tree {
        let name = entry.name().map_err(|_| Broken::at(folder, "it holds a name that is not UTF-8"))?;
        let path = format!("{folder}/{name}");
        if entry.kind() == Some(ObjectType::Tree) {
            walk(repo, entry.id(), &path, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}

/// Writes the tree that `base` becomes with `changes`, and every object it needs; the ids that were written are added
/// to `written`.
pub fn write(
    repo: &Repository,
    base: Option<&Tree<'_>>,
    changes: &Changes,
    written: &mut Vec<Oid>,
) -> Result<Oid, git2::Error> {
    let changes: Vec<(&str, &Change)> = changes.iter().map(|(path, change)| (path.as_str(), change)).collect();
    match folder(repo, base, &changes, written)? {
        Some(tree) => Ok(tree),
        None => repo.treebuilder(None)?.write(),
    }
}

/// One level of [`write`]; `None` when nothing is left in the folder.
fn folder(
    repo: &Repository,
    base: Option<&Tree<'_>>,
    changes: &[(&str, &Change)],
    written: &mut Vec<Oid>,
) -> Result<Option<Oid>, git2::Error> {
    let mut builder = repo.treebuilder(base)?;
    let mut deeper: BTreeMap<&str, Vec<(&str, &Change)>> = BTreeMap::new();
    for (path, change) in changes {
        match (path.split_once('/'), change) {
            (Some((name, rest)), _) => deeper.entry(name).or_default().push((rest, change)),
            (None, Change::Put(bytes)) => {
                let blob = repo.blob(bytes)?;
                written.push(blob);
                builder.insert(path, blob, FILE)?;
            }
            (None, Change::Remove) => {
                if builder.get(path)?.is_some() {
                    builder.remove(path)?;
                }
            }
        }
    }
    for (name, inner) in deeper {
        let existing = match builder.get(name)? {
            Some(entry) if entry.kind() == Some(ObjectType::Tree) => Some(repo.find_tree(entry.id())?),
            Some(_) | None => None,
        };
        match folder(repo, existing.as_ref(), &inner, written)? {
            Some(tree) => {
                builder.insert(name, tree, FOLDER)?;
            }
            // A file may have taken the folder's place just now; that one stays.
            None => {
                if existing.is_some() {
                    builder.remove(name)?;
                }
            }
        }
    }
    if builder.is_empty() {
        return Ok(None);
    }
    let tree = builder.write()?;
    written.push(tree);
    Ok(Some(tree))
}
