//! A watch over the repository while an agent runs that nothing keeps from writing (A25): a snapshot of its own beside the
//! session's baseline, compared in the same way, and brought back spot by spot.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use super::compare::differing;
use super::expect::with;
use super::git::quoted;
use super::kept::{Kept, own_folder};
use super::restore::{self, Restoring, Stays};
use super::snapshot::Snapshot;
use super::{GitBaseline, IGNORING, SETTINGS, taken, tidy};
use crate::app::ports::{BaselineError, Restored, Watched};
use crate::domain::drift::{Spot, Verification};
use crate::domain::ids::SessionId;
use crate::git::Error;

/// The folder of its notes, beside those of the baseline.
const FOLDER: &str = "watch";
/// Marks a watch that found something which the person has yet to decide.
const UNDECIDED: &str = "undecided";

/// The ref of a watch.
fn watch_ref(id: &SessionId) -> String {
    format!("{}/watch", own_folder(id))
}

fn failed(error: Error) -> BaselineError {
    BaselineError::failed("comparing with how it was", error)
}

impl GitBaseline<'_> {
    fn watch_notes(&self, id: &SessionId) -> PathBuf {
        self.notes(id).join(FOLDER)
    }

    fn watch_base(&self, id: &SessionId) -> Result<Kept, BaselineError> {
        self.taken_here(id, &watch_ref(id), &self.watch_notes(id))
    }

    pub(super) fn begin_watch(&self, id: &SessionId) -> Result<(), BaselineError> {
        const DOING: &str = "watching over the repository";
        let snapshot = self.scene()?.take(&BTreeSet::new(), None)?;
        let message = "what the repository looked like before the agent's turn\n";
        let commit = Kept::of(&snapshot).write(self.repo()?, None, message, self.clock.now())?;
        let notes = self.watch_notes(id);
        let io = |error| BaselineError::failed(DOING, error);
        fs::create_dir_all(&notes).map_err(io)?;
        fs::write(notes.join(IGNORING), self.ignoring()).map_err(io)?;
        fs::write(notes.join(SETTINGS), self.settings_text()).map_err(io)?;
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

    pub(super) fn compare_with_watch(&self, id: &SessionId) -> Result<Verification, BaselineError> {
        let base = self.watch_base(id)?;
        let now = self.now(&base)?;
        let notes = self.watch_notes(id);
        let (drift, said) = self.drift(&notes, &base, &now)?;
        if drift.is_empty() {
            self.decided(id)?;
        } else {
            fs::write(notes.join(UNDECIDED), "")
                .map_err(|error| BaselineError::failed("noting that something changed", error))?;
        }
        Ok(Verification { at: self.clock.now(), total: drift.len(), drift, notes: said, expected: Vec::new() })
    }

    fn decided(&self, id: &SessionId) -> Result<(), BaselineError> {
        match fs::remove_file(self.watch_notes(id).join(UNDECIDED)) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(BaselineError::failed("noting that nothing is to be decided", error))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }

    pub(super) fn diff_of_watch(&self, id: &SessionId, spot: &Spot) -> Result<String, BaselineError> {
        if !matches!(spot, Spot::File(_)) {
            return Ok(String::new());
        }
        let base = self.watch_base(id)?;
        let now = self.now(&base)?;
        let then = self.mixed(&base, &now, std::slice::from_ref(spot))?;
        restore::diff(&self.scene()?, &then, &now, &Stays::These(BTreeSet::new()))
    }

    pub(super) fn restore_of_watch(&self, id: &SessionId, spots: &[Spot]) -> Result<Restored, BaselineError> {
        self.own_refs.tidy(&own_folder(id));
        let base = self.watch_base(id)?;
        let then = self.mixed(&base, &self.now(&base)?, spots)?;
        let restoring = Restoring { scene: self.scene()?, id, base: &then, doubt: None, at: self.clock.now() };
        restoring.run(&|| self.without_strangers(&then, self.now(&base)?, spots))
    }

    /// What is there, without files that nobody was asked about: they appeared since, or a rule hid them until it was
    /// brought back.
    fn without_strangers(&self, then: &Kept, mut now: Snapshot, spots: &[Spot]) -> Result<Snapshot, BaselineError> {
        let (Some(checkout), Some((_, tree))) = (&mut now.checkout, then.trees) else { return Ok(now) };
        let strangers: Vec<_> = differing(self.repo()?, tree, checkout.tree)?
            .into_iter()
            .filter(|one| one.old.is_none() && !is_in(spots, &Spot::File(quoted(&one.path))))
            .map(|one| (one.path, None))
            .collect();
        if !strangers.is_empty() {
            checkout.tree = with(self.repo()?, checkout.tree, &strangers)?;
            for (path, _) in &strangers {
                checkout.files.files.remove(path);
            }
        }
        Ok(now)
    }

    /// What is there now, with these spots as they were: what brings it back brings back exactly them.
    fn mixed(&self, base: &Kept, now: &Snapshot, spots: &[Spot]) -> Result<Kept, BaselineError> {
        let repo = self.repo()?;
        let mut then = Kept::of(now);
        if is_in(spots, &Spot::Head) {
            then.record.head.clone_from(&base.record.head);
        }
        if is_in(spots, &Spot::Stash) {
            then.record.stashes.clone_from(&base.record.stashes);
        }
        let names: BTreeSet<&Vec<u8>> = base.record.refs.keys().chain(now.refs.keys()).collect();
        for name in names.into_iter().filter(|name| is_in(spots, &Spot::Ref(quoted(name)))) {
            match base.record.refs.get(name) {
                Some(target) => then.record.refs.insert(name.clone(), target.clone()),
                None => then.record.refs.remove(name),
            };
        }
        let names: BTreeSet<&String> = base.operations.keys().chain(now.operations.keys()).collect();
        for name in names.into_iter().filter(|name| is_in(spots, &Spot::Operation((*name).clone()))) {
            match base.operations.get(name) {
                Some(id) => then.operations.insert(name.clone(), *id),
                None => then.operations.remove(name),
            };
        }
        let (Some(checkout), Some((index, tree))) = (&now.checkout, base.trees) else { return Ok(then) };
        let mut files = Vec::new();
        for one in differing(repo, tree, checkout.tree)? {
            if is_in(spots, &Spot::File(quoted(&one.path))) {
                files.push((one.path, one.old));
            }
        }
        // Also those whose permissions alone are others.
        for (path, file) in &checkout.files.files {
            if is_in(spots, &Spot::File(quoted(path))) {
                let was = repo.at_path(tree, path).map_err(failed)?.map_or(file.mode, |(mode, _)| mode);
                then.record.permissions.insert(path.clone(), base.record.permissions_of(path, was));
            }
        }
        for (path, was) in &files {
            if let Some((mode, _)) = was {
                then.record.permissions.insert(path.clone(), base.record.permissions_of(path, *mode));
            }
        }
        let mut entries = Vec::new();
        for one in differing(repo, index, checkout.index)? {
            if is_in(spots, &Spot::Index(quoted(&one.path))) {
                entries.push((one.path, one.old));
            }
        }
        let of_these = |path: &[u8]| is_in(spots, &Spot::Index(quoted(path)));
        then.record.special.retain(|(path, _), _| !of_these(path));
        let before = base.record.special.iter().filter(|((path, _), _)| of_these(path));
        then.record.special.extend(before.map(|(key, entry)| (key.clone(), entry.clone())));
        then.trees = Some((with(repo, checkout.index, &entries)?, with(repo, checkout.tree, &files)?));
        Ok(then)
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

fn is_in(spots: &[Spot], spot: &Spot) -> bool {
    spots.contains(spot)
}
