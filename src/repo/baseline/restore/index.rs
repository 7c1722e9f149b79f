//! The entries of the index, through git: it keeps sparse and split indexes, and the times of what did not change.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use super::super::compare::differing;
use super::super::git::quoted;
use super::super::index::{Entry, Flags, Listed};
use super::super::kept::Kept;
use super::super::snapshot::{Checkout, Scene};
use crate::app::ports::BaselineError;
use crate::git::Oid;

const DOING: &str = "bringing the index back";

/// Brings the entries back that differ, with their conflicts and flags.
pub(super) fn restore(
    scene: &Scene<'_>,
    base: &Kept,
    tree: Oid,
    now: &Checkout,
    left: &mut Vec<String>,
) -> Result<(), BaselineError> {
    let mut paths: BTreeSet<Vec<u8>> =
        differing(scene.repo, tree, now.index)?.into_iter().map(|one| one.path).collect();
    let (then, is) = (&base.record.special, &now.special);
    let keys = then.keys().chain(is.keys()).filter(|key| then.get(*key) != is.get(*key));
    paths.extend(keys.map(|(path, _)| path.clone()));
    if paths.is_empty() {
        return Ok(());
    }
    let mut wanted = plain(scene, tree, &paths)?;
    wanted.extend(
        then.iter().filter(|((path, _), _)| paths.contains(path)).map(|(key, entry)| (key.clone(), entry.clone())),
    );

    // What is there goes first: an entry may be where a folder was, and a new entry has no flags.
    let mut lines = Vec::new();
    for path in &paths {
        line(&mut lines, &format!("0 {} 0", Oid::null(scene.repo.naming())), path);
    }
    for ((path, stage), entry) in wanted.iter().filter(|(_, entry)| !entry.flags.intended) {
        line(&mut lines, &format!("{:o} {} {stage}", entry.mode, entry.id), path);
    }
    scene.git.ask(DOING, &["update-index", "-z", "--index-info"], lines)?;
    intend(scene, &wanted, left)?;
    flag(scene, &wanted, "--assume-unchanged", |flags| flags.assumed)?;
    flag(scene, &wanted, "--skip-worktree", |flags| flags.skipped)?;
    // The new entries have no times yet. That some files differ from the index is no failure, and no filter of the
    // repository's own is run for it.
    if let Ok(off) = scene.git.filters_off(DOING, |git| git.inside(&scene.git.dir)) {
        scene.git.try_ask(DOING, scene.git.git(["update-index", "-q", "--refresh"]).settings(off))?;
    }
    Ok(())
}

/// The entries of a tree at these paths.
fn plain(scene: &Scene<'_>, tree: Oid, paths: &BTreeSet<Vec<u8>>) -> Result<Listed, BaselineError> {
    let failed = |error| BaselineError::failed(DOING, error);
    let files = scene.repo.files(tree).map_err(failed)?;
    let entry = |mode, id| Entry { mode, id, stage: 0, flags: Flags::default() };
    let files = files.into_iter().filter(|(path, _)| paths.contains(path));
    Ok(files.map(|(path, (mode, id))| ((path, 0), entry(mode, id))).collect())
}

fn line(lines: &mut Vec<u8>, about: &str, path: &[u8]) {
    lines.extend_from_slice(about.as_bytes());
    lines.push(b'\t');
    lines.extend_from_slice(path);
    lines.push(0);
}

fn flag(scene: &Scene<'_>, wanted: &Listed, option: &str, has: fn(Flags) -> bool) -> Result<(), BaselineError> {
    let mut paths = Vec::new();
    for ((path, _), _) in wanted.iter().filter(|(_, entry)| has(entry.flags)) {
        paths.extend_from_slice(path);
        paths.push(0);
    }
    if !paths.is_empty() {
        scene.git.ask(DOING, &["update-index", "-z", option, "--stdin"], paths)?;
    }
    Ok(())
}

/// Entries that are only meant to be added need their file.
fn intend(scene: &Scene<'_>, wanted: &Listed, left: &mut Vec<String>) -> Result<(), BaselineError> {
    for ((path, _), _) in wanted.iter().filter(|(_, entry)| entry.flags.intended) {
        let words = ["add", "--intent-to-add", "--force", "--sparse", "--"].map(OsStr::new);
        let git = scene.git.git(words.into_iter().chain([OsStr::from_bytes(path)]));
        let ran = scene.git.try_ask(DOING, git)?;
        if ran.code != 0 {
            left.push(format!("the intent to add {} is not brought back: its file is gone", quoted(path)));
        }
    }
    Ok(())
}
