//! Some of a snapshot and the rest as it is: what is brought back, and what a diff shows, is what was chosen and nothing
//! else.

use std::collections::{BTreeMap, BTreeSet};

use super::GitBaseline;
use super::compare::differing;
use super::expect::with;
use super::git::quoted;
use super::kept::Kept;
use super::restore::{self, Place, Restoring};
use super::snapshot::Snapshot;
use crate::app::ports::{BaselineError, Restored};
use crate::domain::drift::in_the_way::Places;
use crate::domain::drift::{Spot, Verification};
use crate::domain::ids::SessionId;
use crate::git::Error;

fn failed(error: Error) -> BaselineError {
    BaselineError::failed("comparing with how it was", error)
}

impl GitBaseline<'_> {
    /// What bringing these spots back does there, as a unified diff.
    pub(super) fn diff_of_spots(&self, base: &Kept, spots: &[Spot], place: Place) -> Result<String, BaselineError> {
        let now = self.now(base)?;
        let then = self.mixed(base, &now, &spots.iter().cloned().collect())?;
        restore::diff(&self.scene()?, &then, &now, place)
    }

    /// Keeps what is there now, and brings back what was shown, if it still is as it was then.
    pub(super) fn restore_shown(
        &self,
        id: &SessionId,
        base: &Kept,
        shown: &Verification,
        doubt: Option<String>,
    ) -> Result<Restored, BaselineError> {
        let first = self.now(base)?;
        let (spots, in_the_way) = self.free(base, &first, self.still_as_shown(base, &first, shown)?)?;
        let then = self.mixed(base, &first, &spots)?;
        let restoring = Restoring { scene: self.scene()?, id, base: &then, doubt, at: self.clock.now() };
        let mut restored = restoring.run(first, &|first| {
            let now = self.now(base)?;
            self.still_shown_or_hidden(base, &now, shown)?;
            self.chosen(&then, first, now, &spots)
        })?;
        restored.left.extend(in_the_way);
        Ok(restored)
    }

    /// The spots without those that are gone and whose place something has that was not chosen to go, and what is said of
    /// those: a file where their folder was, or something in a folder of their name.
    fn free(
        &self,
        base: &Kept,
        now: &Snapshot,
        mut spots: BTreeSet<Spot>,
    ) -> Result<(BTreeSet<Spot>, Vec<String>), BaselineError> {
        let (mut gone, mut new) = (Vec::new(), Vec::new());
        let mut enter = |spot: Spot, was: bool, is: bool| match (was, is) {
            (true, false) if spots.contains(&spot) => gone.push(spot),
            (false, true) if !spots.contains(&spot) => new.push(spot),
            _ => {}
        };
        let names: BTreeSet<&Vec<u8>> = base.record.refs.keys().chain(now.refs.keys()).collect();
        for name in names {
            enter(Spot::Ref(quoted(name)), base.record.refs.contains_key(name), now.refs.contains_key(name));
        }
        if let (Some(checkout), Some((index, tree))) = (&now.checkout, base.trees) {
            for one in differing(self.repo()?, tree, checkout.tree)? {
                enter(Spot::File(quoted(&one.path)), one.old.is_some(), one.new.is_some());
            }
            // An entry with a conflict or a flag is in no tree.
            let mut entries: BTreeMap<Vec<u8>, (bool, bool)> = BTreeMap::new();
            for one in differing(self.repo()?, index, checkout.index)? {
                entries.insert(one.path, (one.old.is_some(), one.new.is_some()));
            }
            for (path, _) in base.record.special.keys() {
                entries.entry(path.clone()).or_default().0 = true;
            }
            for (path, _) in checkout.special.keys() {
                entries.entry(path.clone()).or_default().1 = true;
            }
            for (path, (was, is)) in entries {
                enter(Spot::Index(quoted(&path)), was, is);
            }
        }
        let new: Places<'_> = new.iter().collect();
        let mut left = Vec::new();
        for spot in &gone {
            if let Some(way) = new.in_the_way_of(spot) {
                left.push(format!("{} stays as it is: {} is in its way", spot.place(), way.place()));
                spots.remove(spot);
            }
        }
        Ok((spots, left))
    }

    /// What is there, with files that nobody was asked about as they are to be, and the names of those that are new: some
    /// appeared since, some a rule hid until it was brought back, and some are hidden again by one that was. HEAD, the refs
    /// and the like are as they were `first`: what moved since was shown to nobody, and git then refuses to replace it.
    fn chosen(
        &self,
        then: &Kept,
        first: &Snapshot,
        now: Snapshot,
        spots: &BTreeSet<Spot>,
    ) -> Result<(Snapshot, Vec<String>), BaselineError> {
        let mut now = Snapshot { checkout: now.checkout, ..first.clone() };
        let (Some(checkout), Some((_, tree))) = (&mut now.checkout, then.trees) else { return Ok((now, Vec::new())) };
        let strangers: Vec<_> = differing(self.repo()?, tree, checkout.tree)?
            .into_iter()
            .filter(|one| !spots.contains(&Spot::File(quoted(&one.path))))
            .map(|one| (one.path, one.old))
            .collect();
        let new = strangers.iter().filter(|(_, old)| old.is_none()).map(|(path, _)| quoted(path)).collect();
        if !strangers.is_empty() {
            checkout.tree = with(self.repo()?, checkout.tree, &strangers)?;
            for (path, _) in &strangers {
                checkout.files.files.remove(path);
            }
        }
        Ok((now, new))
    }

    /// What is there now, with these spots as they were: what brings it back brings back exactly them.
    fn mixed(&self, base: &Kept, now: &Snapshot, spots: &BTreeSet<Spot>) -> Result<Kept, BaselineError> {
        let repo = self.repo()?;
        let mut then = Kept::of(now);
        if spots.contains(&Spot::Head) {
            then.record.head.clone_from(&base.record.head);
        }
        if spots.contains(&Spot::Stash) {
            then.record.stashes.clone_from(&base.record.stashes);
        }
        let names: BTreeSet<&Vec<u8>> = base.record.refs.keys().chain(now.refs.keys()).collect();
        for name in names.into_iter().filter(|name| spots.contains(&Spot::Ref(quoted(name)))) {
            match base.record.refs.get(name) {
                Some(target) => then.record.refs.insert(name.clone(), target.clone()),
                None => then.record.refs.remove(name),
            };
        }
        let names: BTreeSet<&String> = base.operations.keys().chain(now.operations.keys()).collect();
        for name in names.into_iter().filter(|name| spots.contains(&Spot::Operation((*name).clone()))) {
            match base.operations.get(name) {
                Some(id) => then.operations.insert(name.clone(), *id),
                None => then.operations.remove(name),
            };
        }
        let (Some(checkout), Some((index, tree))) = (&now.checkout, base.trees) else { return Ok(then) };
        let mut files = Vec::new();
        for one in differing(repo, tree, checkout.tree)? {
            if spots.contains(&Spot::File(quoted(&one.path))) {
                files.push((one.path, one.old));
            }
        }
        // What could not be kept then is no new file because it can be kept now.
        let unkept = base.record.unkept.iter().filter(|(path, _)| spots.contains(&Spot::File(quoted(path))));
        then.record.unkept.extend(unkept.map(|(path, was)| (path.clone(), was.clone())));
        // Also those whose permissions alone are others.
        for (path, file) in &checkout.files.files {
            if spots.contains(&Spot::File(quoted(path))) {
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
            if spots.contains(&Spot::Index(quoted(&one.path))) {
                entries.push((one.path, one.old));
            }
        }
        let of_these = |path: &[u8]| spots.contains(&Spot::Index(quoted(path)));
        then.record.special.retain(|(path, _), _| !of_these(path));
        let before = base.record.special.iter().filter(|((path, _), _)| of_these(path));
        then.record.special.extend(before.map(|(key, entry)| (key.clone(), entry.clone())));
        then.trees = Some((with(repo, checkout.index, &entries)?, with(repo, checkout.tree, &files)?));
        Ok(then)
    }
}
