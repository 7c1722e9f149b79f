//! What a repository looks like now against its baseline: every difference by name.

use std::collections::BTreeSet;

use super::folders::Folders;
use super::git::quoted;
use super::index::Entry;
use super::kept::Kept;
use super::refs::{Target, is_of_others};
use super::snapshot::{Checkout, Snapshot};
use super::steps::{Marks, Steps};
use super::worktrees::Others;
use crate::app::ports::BaselineError;
use crate::domain::drift::{Change, Drift, Spot, Window};
use crate::git::object::parsed;
pub(super) use crate::git::tree::Differing;
use crate::git::{Kind, Oid, Repo};

/// What differs between two trees, by path.
pub(super) fn differing(repo: &Repo, old: Oid, new: Oid) -> Result<Vec<Differing>, BaselineError> {
    repo.differing(old, new).map_err(|error| BaselineError::failed("comparing trees", error))
}

/// What became of a path.
fn change(one: &Differing) -> Change {
    let kind = |mode: u32| mode & 0o170_000;
    match (one.old, one.new) {
        (None, _) => Change::Added,
        (_, None) => Change::Deleted,
        (Some((old, _)), Some((new, _))) if kind(old) != kind(new) => Change::Type,
        (Some((_, old)), Some((_, new))) if old == new => Change::Mode,
        (Some(_), Some(_)) => Change::Modified,
    }
}

pub(super) struct Comparison<'a> {
    pub repo: &'a Repo,
    pub base: &'a Kept,
    pub now: &'a Snapshot,
    pub folders: Option<&'a Folders>,
    pub steps: &'a Steps,
    pub marks: &'a Marks,
    pub others: &'a Others,
}

impl Comparison<'_> {
    /// Every drift in the order in which it is listed, and notes on what is none.
    pub(super) fn run(&self) -> Result<(Vec<Drift>, Vec<String>), BaselineError> {
        let (mut drift, mut notes) = (Vec::new(), Vec::new());
        self.head(&mut drift);
        self.refs(&mut drift, &mut notes);
        self.stash(&mut drift);
        self.operations(&mut drift);
        if let (Some(checkout), Some((index, worktree))) = (&self.now.checkout, self.base.trees) {
            self.index(index, checkout, &mut drift)?;
            self.files(worktree, checkout, &mut drift)?;
            self.unkept(checkout, &mut drift);
            self.nested(checkout, &mut drift);
        }
        drift.sort_by(|a, b| a.spot.cmp(&b.spot));
        Ok((drift, notes))
    }

    fn head(&self, drift: &mut Vec<Drift>) {
        if let Some(head) = self.base.record.head.as_ref().filter(|head| **head != self.now.head) {
            let when = self.steps.since(self.marks, |marks| &marks.head);
            drift.push(Drift { detail: Some(moved(head, &self.now.head)), when, ..plain(Spot::Head, Change::Moved) });
        }
    }

    fn refs(&self, drift: &mut Vec<Drift>, notes: &mut Vec<String>) {
        let (before, after) = (&self.base.record.refs, &self.now.refs);
        let names: BTreeSet<&Vec<u8>> = before.keys().chain(after.keys()).collect();
        let mut fetched = 0;
        for name in names {
            let (old, new) = (before.get(name), after.get(name));
            if old == new {
                continue;
            }
            if is_of_others(name) {
                fetched += 1;
                continue;
            }
            if self.others.branches.contains(name) {
                let name = quoted(name);
                notes.push(format!(
                    "{name} moved, which another worktree has checked out; that is not for this session"
                ));
                continue;
            }
            let (change, detail) = match (old, new) {
                (Some(old), Some(new)) => (Change::Moved, Some(moved(old, new))),
                (Some(old), None) => (Change::Deleted, Some(format!("was {}", old.in_words()))),
                (None, new) => (Change::Added, new.map(|new| format!("at {}", new.in_words()))),
            };
            let stays = self.missing(old).or_else(|| self.others.keeps_ref(name, old, &self.now.head));
            drift.push(Drift { detail, stays, when: self.ref_window(name), ..plain(Spot::Ref(quoted(name)), change) });
        }
        if fetched > 0 {
            notes.push(format!("{fetched} remote-tracking ref(s) moved, as git fetch moves them; that is no drift"));
        }
    }

    /// Why a ref cannot point there again.
    fn missing(&self, target: Option<&Target>) -> Option<String> {
        let Some(Target::Object(id)) = target else {
            return None;
        };
        let there = parsed(id).is_some_and(|id| self.repo.exists(id));
        (!there).then(|| format!("git has collected {id}"))
    }

    fn ref_window(&self, name: &[u8]) -> Window {
        if self.now.head == Target::Symbolic(name.to_vec()) && self.base.record.head.as_ref() == Some(&self.now.head) {
            return self.steps.since(self.marks, |marks| &marks.tip);
        }
        // A ref of its own file was written when that file was; of a deleted or packed one no time is left.
        let path = self.repo.common_dir().join(super::folders::name(name));
        modified(&path).map_or_else(Window::default, |time| self.steps.around(time))
    }

    fn stash(&self, drift: &mut Vec<Drift>) {
        let (before, after) = (&self.base.record.stashes, &self.now.stashes);
        if before == after {
            return;
        }
        let change = match (before.is_empty(), after.is_empty()) {
            (true, _) => Change::Added,
            (false, true) => Change::Deleted,
            (false, false) => Change::Modified,
        };
        let when = self.steps.since(self.marks, |marks| &marks.stash);
        let gone = before.iter().find_map(|stash| self.missing(Some(&Target::Object(stash.id.clone()))));
        let others = self.others.stashes(before, after) == *after;
        let gone = gone.or_else(|| others.then(|| "what is new may be another worktree's".to_owned()));
        let detail = Some(format!("{} → {}", entries(before.len()), entries(after.len())));
        drift.push(Drift { detail, when, stays: gone, ..plain(Spot::Stash, change) });
    }

    fn operations(&self, drift: &mut Vec<Drift>) {
        let (before, after) = (&self.base.operations, &self.now.operations);
        let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        for name in names {
            let change = match (before.get(name), after.get(name)) {
                (old, new) if old == new => continue,
                (None, _) => Change::Added,
                (_, None) => Change::Deleted,
                (Some(_), Some(_)) => Change::Modified,
            };
            let when =
                modified(&self.repo.git_dir().join(name)).map(|time| self.steps.around(time)).unwrap_or_default();
            drift.push(Drift { when, ..plain(Spot::Operation(name.clone()), change) });
        }
    }

    fn index(&self, base: Oid, now: &Checkout, drift: &mut Vec<Drift>) -> Result<(), BaselineError> {
        let when = self.steps.since(self.marks, |marks| &marks.index);
        let mut named = BTreeSet::new();
        for one in differing(self.repo, base, now.index)? {
            let detail = match (change(&one), one.old, one.new) {
                (Change::Mode, Some((old, _)), Some((new, _))) => Some(modes(old, new)),
                _ => None,
            };
            let bytes = one.new.or(one.old).and_then(|(_, id)| self.size(id));
            let spot = Spot::Index(quoted(&one.path));
            drift.push(Drift { detail, bytes, when: when.clone(), ..plain(spot, change(&one)) });
            named.insert(one.path);
        }
        let (before, after) = (&self.base.record.special, &now.special);
        let keys: BTreeSet<_> = before.keys().chain(after.keys()).collect();
        for key in keys {
            let (old, new) = (before.get(key), after.get(key));
            if old == new || !named.insert(key.0.clone()) {
                continue;
            }
            let stage = |entry: Option<&Entry>| entry.is_some_and(|entry| entry.stage > 0);
            let (change, detail) = if stage(old) || stage(new) {
                let (was, is) = if stage(new) { ("no conflict", "a conflict") } else { ("a conflict", "no conflict") };
                (Change::Modified, format!("{was} → {is}"))
            } else {
                let words = |entry: Option<&Entry>| entry.map(|entry| entry.flags).unwrap_or_default().in_words();
                (Change::Flags, format!("{} → {}", words(old), words(new)))
            };
            let spot = Spot::Index(quoted(&key.0));
            drift.push(Drift { detail: Some(detail), when: when.clone(), ..plain(spot, change) });
        }
        Ok(())
    }

    fn files(&self, base: Oid, now: &Checkout, drift: &mut Vec<Drift>) -> Result<(), BaselineError> {
        let mut named = BTreeSet::new();
        for one in differing(self.repo, base, now.tree)? {
            // One that was or became too large to keep is named there.
            let unkept = |files: &std::collections::BTreeMap<Vec<u8>, _>| files.contains_key(&one.path);
            if !unkept(&self.base.record.unkept) && !unkept(&now.files.unkept) {
                let detail = match (change(&one), one.old, one.new) {
                    (Change::Mode, Some((old, _)), Some((new, _))) => Some(modes(old, new)),
                    _ => None,
                };
                let bytes = one.new.or(one.old).and_then(|(_, id)| self.size(id));
                let (when, stays) = (self.file_window(&one.path), theirs(now, &one.path));
                drift.push(Drift { detail, bytes, when, stays, ..plain(Spot::File(quoted(&one.path)), change(&one)) });
            }
            named.insert(one.path);
        }
        for (path, file) in
            now.files.files.iter().filter(|(path, file)| !named.contains(*path) && file.mode != 0o120_000)
        {
            let was = self.base.record.permissions_of(path, file.mode);
            if was != file.permissions {
                let detail = Some(format!("{was:03o} → {:03o}", file.permissions));
                let (when, stays) = (self.file_window(path), theirs(now, path));
                drift.push(Drift { detail, when, stays, ..plain(Spot::File(quoted(path)), Change::Mode) });
            }
        }
        Ok(())
    }

    fn unkept(&self, now: &Checkout, drift: &mut Vec<Drift>) {
        let (before, after) = (&self.base.record.unkept, &now.files.unkept);
        let paths: BTreeSet<_> = before.keys().chain(after.keys()).collect();
        for path in paths {
            let (old, new) = (before.get(path), after.get(path));
            // What could not be read then and now cannot be compared, which the start has said.
            if old == new {
                continue;
            }
            let there = |unkept: bool| unkept || now.files.files.contains_key(path);
            let change = match (old.is_some(), there(new.is_some())) {
                (true, true) => Change::Modified,
                (true, false) => Change::Deleted,
                (false, _) => Change::Added,
            };
            let bytes = new.or(old).map(|unkept| unkept.bytes);
            let unreadable = new.or(old).is_some_and(|unkept| unkept.id.is_none());
            let why = match (unreadable, change == Change::Added) {
                (true, true) => "it cannot be read, so it could not be kept before removing it",
                (true, false) => "it cannot be read",
                (false, true) => "larger than grill.snapshotLimit, so it could not be kept before removing it",
                (false, false) => "it is larger than grill.snapshotLimit",
            };
            let when = self.file_window(path);
            let spot = Spot::File(quoted(path));
            drift.push(Drift { bytes, when, stays: Some(why.to_owned()), ..plain(spot, change) });
        }
    }

    fn nested(&self, now: &Checkout, drift: &mut Vec<Drift>) {
        let (before, after) = (&self.base.record.nested, &now.files.nested);
        let paths: BTreeSet<_> = before.keys().chain(after.keys()).collect();
        for path in paths {
            let (change, detail) = match (before.get(path), after.get(path)) {
                (old, new) if old == new => continue,
                (Some(_), None) => (Change::Deleted, None),
                (None, _) => (Change::Added, None),
                (Some(old), Some(new)) if old.head != new.head => {
                    let short = |head: &Option<String>| {
                        head.as_deref().map_or("no commit", |id| id.get(..9).unwrap_or(id)).to_owned()
                    };
                    (Change::Moved, Some(format!("{} → {}", short(&old.head), short(&new.head))))
                }
                (Some(_), Some(_)) => (Change::Modified, Some("its own status changed".to_owned())),
            };
            let stays = Some("what is in it is a repository of its own".to_owned());
            drift.push(Drift { detail, stays, ..plain(Spot::Nested(quoted(path)), change) });
        }
    }

    fn file_window(&self, path: &[u8]) -> Window {
        let Some(folders) = self.folders else {
            return Window::default();
        };
        match folders.look(path) {
            Ok(Some(found)) => self.steps.around(found.changed_at()),
            Ok(None) => folders.nearest_change(path).map_or_else(Window::default, |time| self.steps.up_to(time)),
            Err(_) => Window::default(),
        }
    }

    fn size(&self, id: Oid) -> Option<u64> {
        let (kind, size) = self.repo.header(id).ok()??;
        (kind == Kind::Blob).then_some(size as u64)
    }
}

/// Why a file is not ours to bring back, if it is not.
fn theirs(now: &Checkout, path: &[u8]) -> Option<String> {
    let repository = now.files.repository_around(path)?;
    Some(format!("{} is a repository of its own", quoted(repository)))
}

/// A drift of which nothing more is known.
pub(super) fn plain(spot: Spot, change: Change) -> Drift {
    Drift { spot, change, detail: None, bytes: None, when: Window::default(), stays: None }
}

fn moved(old: &Target, new: &Target) -> String {
    format!("{} → {}", old.in_words(), new.in_words())
}

fn modes(old: u32, new: u32) -> String {
    format!("{old:o} → {new:o}")
}

fn entries(count: usize) -> String {
    if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") }
}

/// When a file was last written, by the file system's clock.
pub(super) fn modified(path: &std::path::Path) -> Option<i128> {
    use std::os::unix::fs::MetadataExt;
    let about = std::fs::symlink_metadata(path).ok()?;
    Some(i128::from(about.mtime()) * 1_000_000_000 + i128::from(about.mtime_nsec()))
}
