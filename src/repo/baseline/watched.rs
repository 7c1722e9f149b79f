//! A watch over the repository while an agent runs that nothing keeps from writing (A25): a snapshot of its own beside the
//! session's baseline, compared in the same way, and brought back spot by spot.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::gitdir::{self, Settings};
use super::ignored::Ignored;
use super::kept::{Kept, own_folder};
use super::restore::Place;
use super::snapshot::Snapshot;
use super::{GitBaseline, IGNORING, SETTINGS, configured, taken, tidy};
use crate::app::ports::{BaselineError, Restored, Watched, WatchedAgent};
use crate::domain::drift::in_the_way::Places;
use crate::domain::drift::{self, Drift, Spot, Verification};
use crate::domain::ids::SessionId;
use crate::files::fresh::{self, OnDisk};
use crate::files::regular;
use crate::git::worktrees::git_dirs;

/// The folder of its notes, beside those of the baseline.
const FOLDER: &str = "watch";
/// Marks a watch that found something which the person has yet to decide.
const UNDECIDED: &str = "undecided";
/// What the person has said is to stay, while the rest is to be decided.
const KEPT: &str = "kept";
/// What had changed when the agent was gone: what differs from that was changed later.
const ENDED: &str = "ended";
/// Said of what the agent may have changed and somebody has changed since.
const AGAIN: &str = "changed again after the agent ended";

/// The ref of the snapshot that a watch compares with.
pub fn watch_ref(id: &SessionId) -> String {
    format!("{}/watch", own_folder(id))
}

/// Installs hooks of ours, or takes them away, while an agent is watched in any worktree: what that does to the configuration
/// is no change of the agent's. What had changed before stays one.
pub fn as_hooks_change<T>(common_dir: &Path, change: impl FnOnce() -> T) -> T {
    // Where something cannot be read or noted, the user is asked about it.
    let watched = git_dirs(common_dir).unwrap_or_default().into_iter().map(|git_dir| (watches(&git_dir), git_dir));
    let watched = watched.filter(|(watches, _)| !watches.is_empty());
    let before: Vec<_> =
        watched.map(|(watches, git_dir)| (watches, gitdir::settings(&git_dir, common_dir), git_dir)).collect();
    let done = change();
    for (watches, before, git_dir) in before {
        let after = gitdir::settings(&git_dir, common_dir);
        for notes in watches {
            let _ = expect_settings(&notes.join(SETTINGS), &before, &after);
        }
    }
    done
}

/// The folders of the notes of all watches of a worktree.
fn watches(git_dir: &Path) -> Vec<PathBuf> {
    let sessions = fs::read_dir(git_dir.join("grill/baseline")).into_iter().flatten().flatten();
    sessions.map(|session| session.path().join(FOLDER)).filter(|notes| notes.is_dir()).collect()
}

/// Expects settings as they are after a change of ours, as far as they were expected before it.
fn expect_settings(notes: &Path, before: &Settings, after: &Settings) -> std::io::Result<()> {
    let mut expected = gitdir::settings_noted(&regular::text(notes, regular::LONG)?);
    for name in before.keys().chain(after.keys()).filter(|name| before.get(*name) != after.get(*name)) {
        if expected.get(name) != before.get(name) {
            continue;
        }
        match after.get(name) {
            Some(print) => drop(expected.insert(name.clone(), print.clone())),
            None => drop(expected.remove(name)),
        }
    }
    let fresh = notes.with_extension("new");
    fresh::replace(notes, &fresh, 0o666, OnDisk::Later, gitdir::settings_text(&expected).as_bytes())
}

impl GitBaseline<'_> {
    fn watch_notes(&self, id: &SessionId) -> PathBuf {
        self.notes(id).join(FOLDER)
    }

    fn watch_base(&self, id: &SessionId) -> Result<Kept, BaselineError> {
        self.taken_here(id, &watch_ref(id), &self.watch_notes(id))
    }

    /// The name of the snapshot that the watch compares with; none where none stands.
    pub fn watched_snapshot(&self, id: &SessionId) -> Result<Option<String>, BaselineError> {
        let tip = self.repo()?.tip(&watch_ref(id));
        let tip = tip.map_err(|error| BaselineError::failed("looking for what is watched", error))?;
        Ok(tip.map(|tip| tip.to_string()))
    }

    pub(super) fn begin_watch(&self, id: &SessionId) -> Result<(), BaselineError> {
        let around = self.around()?;
        let scene = self.scene()?;
        let ignored = Ignored::of(&scene)?;
        let snapshot = scene.watched(scene.take(&ignored.rule_files(), None)?, ignored)?;
        self.watch_from(id, &snapshot, &around)
    }

    pub(super) fn begin_watch_again(
        &self,
        id: &SessionId,
        kept: &drift::Kept,
    ) -> Result<Option<Verification>, BaselineError> {
        let base = self.watch_base(id)?;
        // Before the look at the files: what changes in between is found the next time.
        let around = self.around()?;
        let now = self.now(&base)?;
        let (drift, said) = self.drift(&self.watch_notes(id), &base, &now)?;
        let found = self.found(&base, &now, drift, said)?;
        if found.beside(kept).is_empty() {
            self.watch_from(id, &now, &around)?;
            return Ok(None);
        }
        Ok(Some(found))
    }

    /// What says which files are ignored, and what git is configured to do.
    fn around(&self) -> Result<[(&'static str, String); 2], BaselineError> {
        let settings = gitdir::settings_text(&self.watched_settings()?);
        Ok([(IGNORING, self.ignoring()), (SETTINGS, settings)])
    }

    /// What git is configured to do, with every file that the configuration names, and what merges do by themselves.
    pub(super) fn watched_settings(&self) -> Result<Settings, BaselineError> {
        let mut settings = configured::named(&self.git, &self.common_dir)?;
        settings.append(&mut gitdir::resolutions(&self.common_dir)?);
        settings.append(&mut self.settings());
        Ok(settings)
    }

    fn watch_from(
        &self,
        id: &SessionId,
        snapshot: &Snapshot,
        around: &[(&'static str, String)],
    ) -> Result<(), BaselineError> {
        const DOING: &str = "watching over the repository";
        let message = "what the repository looked like before the agent's turn\n";
        let commit = Kept::of(snapshot).write(self.repo()?, None, message, self.clock.now())?;
        let notes = self.watch_notes(id);
        let io = |error| BaselineError::failed(DOING, error);
        fs::create_dir_all(&notes).map_err(io)?;
        for (name, text) in around {
            regular::write(notes.join(name), text).map_err(io)?;
        }
        self.note_top(&notes)?;
        let name = watch_ref(id);
        let before = self.repo()?.tip(&name).map_err(|error| BaselineError::failed(DOING, error))?;
        taken::note(&notes, commit)?;
        self.own_refs.set(self.repo()?, &name, before, commit)?;
        self.decided(id)
    }

    pub(super) fn watch_stands(&self, id: &SessionId) -> Result<Option<Watched>, BaselineError> {
        let notes = self.watch_notes(id);
        // Sessions without one are the most; they cost a look at a folder.
        if !notes.exists() {
            return Ok(None);
        }
        match self.repo()?.tip(&watch_ref(id)) {
            Ok(None) => Ok(None),
            Ok(Some(_)) if notes.join(UNDECIDED).exists() => Ok(Some(Watched::Undecided)),
            Ok(Some(_)) => Ok(Some(Watched::Quiet)),
            Err(error) => Err(BaselineError::failed("looking for what is watched", error)),
        }
    }

    pub(super) fn compare_with_watch(
        &self,
        id: &SessionId,
        agent: WatchedAgent,
    ) -> Result<Verification, BaselineError> {
        let base = self.watch_base(id)?;
        let now = self.now(&base)?;
        let notes = self.watch_notes(id);
        let (drift, said) = self.drift(&notes, &base, &now)?;
        if drift.is_empty() {
            self.decided(id)?;
        } else if !notes.join(UNDECIDED).exists() {
            // Nobody has decided on anything yet, whatever an agent wrote there.
            self.decided(id)?;
            regular::write(notes.join(UNDECIDED), "")
                .map_err(|error| BaselineError::failed("noting that something changed", error))?;
        }
        let found = self.found(&base, &now, drift, said)?;
        Ok(match agent {
            WatchedAgent::AtWork => found,
            WatchedAgent::Gone => self.without_later(id, found),
        })
    }

    /// Notes what has changed by now, where something is to be decided.
    pub(super) fn end_of_watched(&self, id: &SessionId) -> Result<(), BaselineError> {
        if self.watch_stands(id)? != Some(Watched::Undecided) {
            return Ok(());
        }
        let base = self.watch_base(id)?;
        let now = self.now(&base)?;
        let (drift, said) = self.drift(&self.watch_notes(id), &base, &now)?;
        let found = self.found(&base, &now, drift, said)?;
        let seen: Vec<(&Spot, Option<&String>)> =
            found.drift.iter().map(|one| (&one.spot, found.prints.get(&one.spot))).collect();
        self.note_pairs(id, ENDED, &seen, "noting what had changed at the end")
    }

    /// The findings with what changed after the agent was gone told apart: what the agent had not changed is no finding,
    /// and what it had is marked. What the person made in the place of something that is gone keeps that from being brought
    /// back. Where its end was not noted, all of it may be the agent's.
    fn without_later(&self, id: &SessionId, found: Verification) -> Verification {
        let Some(ended) = self.noted_pairs(id, ENDED) else { return found };
        let Verification { drift, prints, .. } = &found;
        let is_same = |one: &Drift| ended.get(&one.spot) == Some(&prints.get(&one.spot).cloned());
        let later: Vec<Drift> = drift.iter().filter(|one| !is_same(one)).cloned().collect();
        let mut drift: Vec<Drift> = drift.iter().filter(|one| ended.contains_key(&one.spot)).cloned().collect();
        for one in drift.iter_mut().filter(|one| !is_same(one)) {
            one.detail = Some(one.detail.as_ref().map_or_else(|| AGAIN.to_owned(), |was| format!("{was}, {AGAIN}")));
        }
        let theirs: Places<'_> = later.iter().map(|one| &one.spot).filter(|spot| !ended.contains_key(*spot)).collect();
        theirs.keep_out(&mut drift);
        Verification { total: drift.len(), drift, later, ..found }
    }

    /// Notes a list of places, each with its fingerprint.
    fn note_pairs(
        &self,
        id: &SessionId,
        name: &str,
        pairs: &[(&Spot, Option<&String>)],
        doing: &'static str,
    ) -> Result<(), BaselineError> {
        let notes = self.watch_notes(id).join(name);
        let text = serde_json::to_vec(pairs).expect("names and prints are plain data");
        fresh::replace(&notes, &notes.with_extension("new"), 0o666, OnDisk::Later, &text)
            .map_err(|error| BaselineError::failed(doing, error))
    }

    /// The same read again; none where it was not noted, or cannot be read.
    fn noted_pairs(&self, id: &SessionId, name: &str) -> Option<drift::Kept> {
        let noted = regular::text(self.watch_notes(id).join(name), regular::LONG).ok()?;
        let pairs: Vec<(Spot, Option<String>)> = serde_json::from_str(&noted).ok()?;
        Some(pairs.into_iter().collect())
    }

    fn decided(&self, id: &SessionId) -> Result<(), BaselineError> {
        for name in [KEPT, ENDED, UNDECIDED] {
            match fs::remove_file(self.watch_notes(id).join(name)) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(BaselineError::failed("noting that nothing is to be decided", error));
                }
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }

    /// Only what was noted while something is to be decided; what cannot be read is asked about again.
    pub(super) fn kept_so_far(&self, id: &SessionId) -> Result<drift::Kept, BaselineError> {
        if self.watch_stands(id)? != Some(Watched::Undecided) {
            return Ok(drift::Kept::new());
        }
        Ok(self.noted_pairs(id, KEPT).unwrap_or_default())
    }

    pub(super) fn keep_so_far(&self, id: &SessionId, kept: &drift::Kept) -> Result<(), BaselineError> {
        let pairs: Vec<(&Spot, Option<&String>)> = kept.iter().map(|(spot, print)| (spot, print.as_ref())).collect();
        self.note_pairs(id, KEPT, &pairs, "noting what stays")
    }

    pub(super) fn diff_of_watch(&self, id: &SessionId, spot: &Spot) -> Result<String, BaselineError> {
        let place = match spot {
            Spot::File(_) => Place::Files,
            Spot::Index(_) => Place::Index,
            Spot::Head | Spot::Ref(_) | Spot::Stash | Spot::Operation(_) | Spot::Nested(_) | Spot::Setting(_) => {
                return Ok(String::new());
            }
        };
        self.diff_of_spots(&self.watch_base(id)?, std::slice::from_ref(spot), place)
    }

    pub(super) fn restore_of_watch(&self, id: &SessionId, shown: &Verification) -> Result<Restored, BaselineError> {
        let base = self.watch_base(id)?;
        self.unless_unsure(&self.watch_notes(id))?;
        self.own_refs.tidy(&own_folder(id));
        self.restore_shown(id, &base, shown, None)
    }

    pub(super) fn end_watch(&self, id: &SessionId) -> Result<(), BaselineError> {
        let notes = self.watch_notes(id);
        if !notes.exists() {
            return Ok(());
        }
        self.own_refs.remove(self.repo()?, &self.git, &watch_ref(id))?;
        fs::remove_dir_all(&notes).map_err(|error| BaselineError::failed("ending the watch", error))?;
        // That of a session with a baseline holds more.
        let _ = fs::remove_dir(self.notes(id));
        tidy(&self.git.dir);
        Ok(())
    }
}
