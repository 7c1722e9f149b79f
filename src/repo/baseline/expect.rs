//! What the output phase lets through is expected: files that we wrote after their approval, and what the hooks accepted
//! under G33. The baseline moves forward by exactly that.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::compare::differing;
use super::folders::Folders;
use super::index::{Index, tree_with};
use super::kept::Kept;
use super::refs::{self, Target};
use super::snapshot::Scene;
use crate::app::ports::{AsLeft, BaselineError};
use crate::git::object::parsed;
use crate::git::tree::Paths;
use crate::git::{Commit, Error, Kind, Oid, Repo};

/// How many commits on top of the baseline are looked at; a phase makes a few.
const MOST: usize = 1000;

fn failed(error: Error) -> BaselineError {
    BaselineError::failed("moving the baseline forward", error)
}

/// The baseline with these files as we left them, and what became of them in words; none when it has each of them so, or
/// none is as we left it, or there is no working tree.
pub(super) fn left(
    scene: &Scene<'_>,
    base: &Kept,
    files: &[AsLeft<'_>],
) -> Result<Option<(Kept, String)>, BaselineError> {
    let (Some((index, tree)), Some(folders)) = (base.trees, scene.folders()?) else {
        return Ok(None);
    };
    let (repo, mut known) = (scene.repo, Paths::of(scene.repo, tree));
    let (mut paths, mut permissions, mut why) = (Vec::new(), Vec::new(), None);
    for (target, content) in files {
        let path = target.as_str().as_bytes();
        let before = known.at(path).map_err(failed)?.map(|(_, blob)| blob);
        let (now, what) = match content {
            Some(content) => {
                let blob = repo.blob_name(content.as_bytes()).map_err(failed)?;
                if before == Some(blob) {
                    continue;
                }
                // Somebody may have changed it since, and somebody may have committed that.
                let Some(there) = on_disk(repo, &folders, path)?.filter(|there| there.blob == blob) else {
                    continue;
                };
                repo.write(Kind::Blob, content.as_bytes().to_vec()).map_err(failed)?;
                (Some(there), "written by git grill")
            }
            None if before.is_none() || on_disk(repo, &folders, path)?.is_some() => continue,
            None => (None, "taken away again"),
        };
        paths.push((path.to_vec(), now.as_ref().map(|there| (there.mode, there.blob))));
        permissions.push(now.map(|there| there.permissions));
        why.get_or_insert_with(|| format!("{target} was {what}"));
    }
    let Some(why) = why else {
        return Ok(None);
    };
    let mut moved = base.clone();
    moved.trees = Some((index, with(repo, tree, &paths)?));
    let more = if paths.len() > 1 { format!(", and {} more", paths.len() - 1) } else { String::new() };
    for ((path, _), permissions) in paths.into_iter().zip(permissions) {
        match permissions {
            Some(permissions) => {
                moved.record.permissions.insert(path, permissions);
            }
            None => {
                moved.record.permissions.remove(&path);
            }
        }
    }
    Ok(Some((moved, why + &more)))
}

/// The baseline with the approved files that were staged or committed; none when nothing of the kind happened.
pub(super) fn committed(scene: &Scene<'_>, base: &Kept, approved: &[String]) -> Result<Option<Kept>, BaselineError> {
    let (Some((index, tree)), Some(folders)) = (base.trees.filter(|_| !approved.is_empty()), scene.folders()?) else {
        return Ok(None);
    };
    let approved = OpenPaths::of(approved);
    let mut moved = base.clone();
    let (mut staged, mut stands) = (BTreeMap::new(), Vec::new());
    let entries = Index::read(&scene.git)?;
    if let Some(Accepted { branch, tip, touched }) = accepted(scene, base, &approved)? {
        moved.record.refs.insert(branch, Target::Object(tip.id.to_string()));
        let mut committed = Paths::of(scene.repo, tip.tree);
        for path in touched {
            let entry = committed.at(&path).map_err(failed)?;
            if on_disk(scene.repo, &folders, &path)?.map(|there| (there.mode, there.blob)) == entry {
                stands.push((path.clone(), entry));
            }
            staged.insert(path, entry);
        }
    }
    // What we wrote may be staged, as it was written.
    let mut known = Paths::of(scene.repo, tree);
    for ((path, stage), entry) in &entries.entries {
        if *stage == 0 && approved.names(path) && !staged.contains_key(path) {
            let ours = known.at(path).map_err(failed)?;
            if ours.is_some_and(|(_, ours)| ours == entry.id) {
                staged.insert(path.clone(), Some((entry.mode, entry.id)));
            }
        }
    }
    let staged: Vec<(Vec<u8>, At)> = staged.into_iter().collect();
    moved.trees = Some((with(scene.repo, index, &staged)?, with(scene.repo, tree, &stands)?));
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
fn accepted(scene: &Scene<'_>, base: &Kept, approved: &OpenPaths<'_>) -> Result<Option<Accepted>, BaselineError> {
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
            if !approved.names(&one.path) {
                return Ok(None);
            }
            touched.insert(one.path);
        }
        at = parent;
    }
    Ok(None)
}

/// The paths that a plan names.
struct OpenPaths<'a> {
    files: HashSet<&'a [u8]>,
    /// Each ends with a slash, and stands for all that is in it.
    folders: Vec<&'a [u8]>,
}

impl<'a> OpenPaths<'a> {
    fn of(approved: &'a [String]) -> Self {
        let (folders, files): (Vec<&[u8]>, Vec<&[u8]>) =
            approved.iter().map(String::as_bytes).partition(|one| one.ends_with(b"/"));
        Self { files: files.into_iter().collect(), folders }
    }

    fn names(&self, path: &[u8]) -> bool {
        self.files.contains(path) || self.folders.iter().any(|folder| path.starts_with(folder))
    }
}

/// A file, or a symlink, that stands on the disk.
struct There {
    mode: u32,
    blob: Oid,
    permissions: u32,
}

fn on_disk(repo: &Repo, folders: &Folders, path: &[u8]) -> Result<Option<There>, BaselineError> {
    let Ok(Some(found)) = folders.look(path) else {
        return Ok(None);
    };
    let Ok(content) = folders.read(path, found.kind) else {
        return Ok(None);
    };
    let blob = repo.blob_name(&content).map_err(failed)?;
    Ok(Some(There { mode: found.mode(), blob, permissions: found.permissions() }))
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
