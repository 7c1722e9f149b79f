//! Taking out of the copy files what is safe, and what belongs to no session.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::super::lock::Locks;
use super::super::{active, publish};
use super::file::{self, Part};
use super::record::{Record, records};
use super::restore::{bring_back, line};
use super::{KEPT_FOR, MOST, Reach, is_older, now};
use crate::domain::ids::SessionId;
use crate::git::{Oid, Repo};

/// Takes the safe records out of a file, and beyond its largest size the oldest. Called with the session's lock held.
pub fn trim(repo: &Repo, id: &SessionId, path: &Path) -> io::Result<()> {
    // A record whose objects were missing until now is as young as one that was just written.
    let again = bring_back(repo, id, Reach::All) > 0;
    let bytes = file::read(path, Part::All);
    let records = records(&bytes);
    let tip = publish::tip(repo, &id.ref_name()).map_err(|error| io::Error::other(error.0))?;
    let recorded: HashSet<Oid> = tip
        .map_or_else(Vec::new, |tip| line(repo, &records, tip, Reach::All))
        .iter()
        .map(|record| record.commit)
        .collect();
    let mut room = if bytes.len() as u64 > MOST { MOST / 2 } else { u64::MAX };
    let mut kept = Vec::new();
    for record in records.into_iter().rev() {
        let written = record.bytes();
        let size = written.len() as u64;
        // The newest one always fits.
        let fits = kept.is_empty() || room >= size;
        room = room.saturating_sub(size);
        let needed = || again && fits || !record.objects.iter().all(|one| repo.holds(one.name));
        if fits && !is_older(record.at, KEPT_FOR) {
            kept.push(written);
        } else if recorded.contains(&record.commit) && needed() {
            kept.push(Record { at: now(), ..record }.bytes());
        }
    }
    kept.reverse();
    file::replace(path, &kept.concat())
}

/// Copy files that serve nothing any more: their session is gone, or they were to be trimmed long ago; and those that a
/// process left unfinished.
pub fn left(repo: &Repo) -> Vec<PathBuf> {
    let common = repo.common_dir();
    let due = |(id, path): &(SessionId, PathBuf)| is_due(path) || !is_known(repo, id);
    let mut found: Vec<PathBuf> = file::listed(common).into_iter().filter(due).map(|(_, path)| path).collect();
    found.extend(unfinished(common).into_iter().map(|(_, path)| path));
    found
}

/// Trims the files that were to be trimmed long ago, and removes those whose session is gone. Sessions that are in use no
/// more are looked after, too: no other command reads them, and git fails on what is missing of them.
pub fn sweep(repo: &Repo, locks: &Locks) {
    let common = repo.common_dir();
    for (id, path) in file::listed(common) {
        if !is_due(&path) && is_known(repo, &id) {
            bring_back(repo, &id, Reach::Newest);
            continue;
        }
        // A session that is in use is swept another time; one that is just being begun is known once its lock is free.
        let Ok(_held) = locks.hold(&id) else { continue };
        let _ = if is_known(repo, &id) { trim(repo, &id, &path) } else { file::remove(&path) };
    }
    for (id, path) in unfinished(common) {
        if let Ok(_held) = locks.hold(&id) {
            let _ = file::remove(&path);
        }
    }
}

fn is_due(path: &Path) -> bool {
    file::since(path).is_some_and(|since| is_older(since, 2 * KEPT_FOR))
}

/// Whether a ref, a reflog or a worktree names the session. A ref that cannot be read names it.
fn is_known(repo: &Repo, id: &SessionId) -> bool {
    let name = id.ref_name();
    !matches!(publish::tip(repo, &name), Ok(None))
        || repo.common_dir().join(&name).exists()
        || repo.common_dir().join("logs").join(&name).exists()
        || active::elsewhere(repo).into_iter().chain(active::here(repo)).any(|(active, _)| active == *id)
}

/// Files that were to replace others, with their sessions.
fn unfinished(common: &Path) -> Vec<(SessionId, PathBuf)> {
    let entries = fs::read_dir(file::folder(common)).into_iter().flatten().flatten().map(|entry| entry.path());
    let named = |path: PathBuf| {
        let id = path.file_name()?.to_str()?.split_once('.')?.0;
        Some((SessionId::parse(id).ok()?, path))
    };
    entries.filter(|path| file::is_unfinished(path)).filter_map(named).collect()
}
