//! What the output phase lets through is expected: files that we wrote after their approval, and what the hooks accepted
//! under G33. The baseline moves forward by exactly that.

use std::collections::BTreeSet;

use super::compare::differing;
use super::index::{Index, tree_with};
use super::kept::Kept;
use super::refs::{self, Target};
use super::snapshot::Scene;
use crate::app::ports::BaselineError;
use crate::domain::production::TargetPath;
use crate::git::object::parsed;
use crate::git::{Commit, Error, Kind, Oid, Repo};

/// How many commits on top of the baseline are looked at; a phase makes a few.
const MOST: usize = 1000;

fn failed(error: Error) -> BaselineError {
    BaselineError::failed("moving the baseline forward", error)
}

/// The baseline with an approved file as it was written; none when there is no working tree.
pub(super) fn written(
    scene: &Scene<'_>,
    base: &Kept,
    path: &TargetPath,
    content: &str,
) -> Result<Option<Kept>, BaselineError> {
    let (Some((index, tree)), Some(folders)) = (base.trees, scene.folders()?) else {
        return Ok(None);
    };
    let path = path.as_str().as_bytes();
    let blob = scene.repo.write(Kind::Blob, content.as_bytes().to_vec()).map_err(failed)?;
    let Ok(Some(found)) = folders.look(path) else {
        return Ok(None);
    };
    let ours = (found.mode(), blob);
    let known = scene.repo.at_path(tree, path).map_err(failed)?.map(|(_, id)| id);
    // Somebody may have changed it since, and somebody may have committed that.
    if known == Some(blob) || raw(scene, path)? != Some(ours) {
        return Ok(None);
    }
    let mut moved = base.clone();
    moved.trees = Some((index, with(scene.repo, tree, &[(path.to_vec(), Some(ours))])?));
    moved.record.permissions.insert(path.to_vec(), found.permissions());
    Ok(Some(moved))
}

/// The baseline without a file that we wrote and took away again; none where there is one.
pub(super) fn gone(scene: &Scene<'_>, base: &Kept, path: &TargetPath) -> Result<Option<Kept>, BaselineError> {
    let Some((index, tree)) = base.trees else {
        return Ok(None);
    };
    let path = path.as_str().as_bytes();
    let known = scene.repo.at_path(tree, path).map_err(failed)?.is_some();
    if !known || raw(scene, path)?.is_some() {
        return Ok(None);
    }
    let mut moved = base.clone();
    moved.trees = Some((index, with(scene.repo, tree, &[(path.to_vec(), None)])?));
    moved.record.permissions.remove(path);
    Ok(Some(moved))
}

/// The baseline with the approved files that were staged or committed; none when nothing of the kind happened.
pub(super) fn committed(scene: &Scene<'_>, base: &Kept, approved: &[String]) -> Result<Option<Kept>, BaselineError> {
    let Some((index, tree)) = base.trees.filter(|_| !approved.is_empty()) else {
        return Ok(None);
    };
    let mut moved = base.clone();
    let (mut staged, mut on_disk) = (Vec::new(), Vec::new());
    let entries = Index::read(&scene.git)?;
    if let Some(Accepted { branch, tip, touched }) = accepted(scene, base, approved)? {
        moved.record.refs.insert(branch, Target::Object(tip.id.to_string()));
        for path in touched {
            let entry = scene.repo.at_path(tip.tree, &path).map_err(failed)?;
            if raw(scene, &path)? == entry {
                on_disk.push((path.clone(), entry));
            }
            staged.push((path, entry));
        }
    }
    // What we wrote may be staged, as it was written.
    for ((path, stage), entry) in &entries.entries {
        if *stage == 0 && is_approved(path, approved) && !staged.iter().any(|(done, _)| done == path) {
            let ours = scene.repo.at_path(tree, path).map_err(failed)?;
            if ours.is_some_and(|(_, ours)| ours == entry.id) {
                staged.push((path.clone(), Some((entry.mode, entry.id))));
            }
        }
    }
    moved.trees = Some((with(scene.repo, index, &staged)?, with(scene.repo, tree, &on_disk)?));
    let same = moved.trees == base.trees && moved.record.refs == base.record.refs;
    Ok(if same { None } else { Some(moved) })
}

/// A branch that moved as the hooks accept it.
struct Accepted {
    branch: Vec<u8>,
    tip: Commit,
    touched: BTreeSet<Vec<u8>>,
}

/// What a tree has at a path: mode and blob, or nothing.
type At = Option<(u32, Oid)>;

/// The branch with its new tip and what it touches, if it moved as the hooks accept it: by single-parent commits that
/// touch approved paths alone.
fn accepted(scene: &Scene<'_>, base: &Kept, approved: &[String]) -> Result<Option<Accepted>, BaselineError> {
    let (Some(Target::Symbolic(branch)), Target::Symbolic(now)) = (&base.record.head, refs::head(&scene.git)?) else {
        return Ok(None);
    };
    let Some(Target::Object(old)) = base.record.refs.get(branch).filter(|_| *branch == now) else {
        return Ok(None);
    };
    let old = parsed(old).ok_or_else(|| failed(Error(format!("{old} is no commit"))))?;
    let name = String::from_utf8_lossy(branch);
    let Some(tip) = scene.repo.tip(&name).ok().flatten().and_then(|id| scene.repo.commit(id).ok()?) else {
        return Ok(None);
    };
    let (mut at, mut touched) = (tip.clone(), BTreeSet::new());
    for _ in 0..MOST {
        if at.id == old {
            return Ok((tip.id != old).then(|| Accepted { branch: branch.clone(), tip, touched }));
        }
        let [parent] = *at.parents.as_slice() else {
            return Ok(None);
        };
        let parent = scene.repo.commit(parent).map_err(failed)?.ok_or_else(|| failed(Error::missing(parent)))?;
        for one in differing(scene.repo, parent.tree, at.tree)? {
            if !is_approved(&one.path, approved) {
                return Ok(None);
            }
            touched.insert(one.path);
        }
        at = parent;
    }
    Ok(None)
}

/// Whether the plan names a path: exactly, or a folder above it.
fn is_approved(path: &[u8], approved: &[String]) -> bool {
    approved.iter().map(String::as_bytes).any(|one| match one.last() {
        Some(b'/') => path.starts_with(one),
        Some(_) | None => path == one,
    })
}

/// What stands on the disk, as a tree would name it.
fn raw(scene: &Scene<'_>, path: &[u8]) -> Result<At, BaselineError> {
    let Some(folders) = scene.folders()? else {
        return Ok(None);
    };
    let Ok(Some(found)) = folders.look(path) else {
        return Ok(None);
    };
    let Ok(content) = folders.read(path, found.kind) else {
        return Ok(None);
    };
    let id = scene.repo.blob_name(&content).map_err(failed)?;
    Ok(Some((found.mode(), id)))
}

/// A tree of a snapshot with some paths set or taken away.
pub(super) fn with(repo: &Repo, tree: Oid, paths: &[(Vec<u8>, At)]) -> Result<Oid, BaselineError> {
    let mut files = repo.files(tree).map_err(failed)?;
    for (path, _) in paths {
        files.remove(path);
    }
    let put = paths.iter().filter_map(|(path, to)| to.map(|(mode, id)| (path.as_slice(), mode, id)));
    tree_with(repo, &[tree], files, put)
}
