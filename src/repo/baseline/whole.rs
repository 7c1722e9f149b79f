//! A baseline's ref names a whole snapshot.

use std::collections::BTreeSet;

use super::kept::{Kept, baseline_ref};
use super::{GitBaseline, taken};
use crate::app::ports::BaselineError;
use crate::domain::ids::SessionId;
use crate::git::Oid;

/// How often a snapshot is taken anew whose objects were deleted before a ref named it.
const TAKEN_ANEW: u32 = 8;

impl GitBaseline<'_> {
    /// Points the baseline's ref to a snapshot that nothing named until now. A `git gc --prune=now` may have deleted
    /// objects of it meanwhile, and a ref to what is left would have every later one fail: then it is taken anew.
    pub(super) fn set_whole(&self, id: &SessionId, earlier: Option<Oid>, taken: Oid) -> Result<(), BaselineError> {
        let (name, mut commit, mut tries) = (baseline_ref(id), taken, 0);
        loop {
            let repo = self.repo()?;
            // Its object may be among the deleted ones.
            let now = repo.named(&name).map_err(|error| BaselineError::failed(format!("reading {name}"), error))?;
            taken::note(&self.notes(id), commit)?;
            let set = self.own_refs.set(repo, &name, now.or(earlier), commit);
            let whole = Kept::at(repo, commit).is_ok_and(|kept| self.scene().is_ok_and(|scene| scene.holds(&kept)));
            if whole || tries == TAKEN_ANEW {
                return set;
            }
            tries += 1;
            let snapshot = self.scene()?.take(&BTreeSet::new(), None)?;
            let message = format!("baseline of {id}, taken anew\n");
            commit = Kept::of(&snapshot).write(repo, earlier, &message, self.clock.now())?;
        }
    }
}
