//! What a comparison sets apart: what changed after the session ended, and new tags that a fetch may have brought. No
//! restore takes either back unless it is named.

use std::collections::BTreeSet;
use std::path::Path;

use super::compare::modified;
use super::git::quoted;
use super::kept::{Kept, ended_ref};
use super::refs::{self, Target};
use super::snapshot::Snapshot;
use super::steps::{self, Steps};
use super::{GitBaseline, taken};
use crate::app::ports::BaselineError;
use crate::domain::drift::{Change, Drift, Spot, Verification, Window};
use crate::domain::ids::SessionId;
use crate::domain::session::Session;

impl GitBaseline<'_> {
    pub(super) fn compare(&self, session: &Session) -> Result<Verification, BaselineError> {
        let base = self.base(&session.id)?;
        let now = self.now(&base)?;
        let notes = self.notes(&session.id);
        let (drift, said) = self.drift(&notes, &base, &now)?;
        let found = self.found(&base, &now, drift, said)?;
        let (later, drift) = if session.is_closed() {
            self.since_the_end(&session.id, &now, found.drift)?
        } else {
            (Vec::new(), found.drift)
        };
        let (fetched, drift) = self.fetched(&notes, drift);
        Ok(Verification { total: drift.len(), drift, fetched, later, ..found })
    }

    /// The findings of a comparison.
    pub(super) fn found(
        &self,
        base: &Kept,
        now: &Snapshot,
        drift: Vec<Drift>,
        notes: Vec<String>,
    ) -> Result<Verification, BaselineError> {
        Ok(Verification {
            at: self.clock.now(),
            total: drift.len(),
            prints: self.prints(base, now, &drift)?,
            drift,
            notes,
            fetched: Vec::new(),
            later: Vec::new(),
            expected: Vec::new(),
        })
    }

    pub(super) fn keep_end(&self, id: &SessionId) -> Result<(), BaselineError> {
        let base = match self.base(id) {
            Err(BaselineError::None { .. }) => return Ok(()),
            found => found?,
        };
        let now = self.now(&base)?;
        let repo = self.repo()?;
        let name = ended_ref(id);
        let before = repo.tip(&name).map_err(|error| BaselineError::failed(format!("reading {name}"), error))?;
        let message = format!("what the repository looked like when {id} ended\n");
        let commit = Kept::of(&now).write(repo, base.commit, &message, self.clock.now())?;
        taken::note(&self.notes(id), commit)?;
        self.own_refs.set(repo, &name, before, commit)
    }

    /// What of a drift came after the session ended, and what did not. Where it is not known what there was at the end,
    /// only what was there before some step of the session did not.
    fn since_the_end(
        &self,
        id: &SessionId,
        now: &Snapshot,
        drift: Vec<Drift>,
    ) -> Result<(Vec<Drift>, Vec<Drift>), BaselineError> {
        let notes = self.notes(id);
        let ended = match self.taken_here(id, &ended_ref(id), &notes) {
            Err(BaselineError::None { .. }) => {
                return Ok(drift.into_iter().partition(|one| one.when.before.is_none()));
            }
            ended => ended?,
        };
        let changed: BTreeSet<Spot> = self.drift(&notes, &ended, now)?.0.into_iter().map(|one| one.spot).collect();
        let (mut later, drift): (Vec<Drift>, Vec<Drift>) =
            drift.into_iter().partition(|one| changed.contains(&one.spot));
        let when = Window { after: Steps::read(&steps::file(&notes)).last(), before: None };
        for one in &mut later {
            one.when.clone_from(&when);
        }
        Ok((later, drift))
    }

    /// New tags that a fetch may have brought, and the other drift. Nothing tells who wrote a tag, but the file that a
    /// fetch leaves tells whether there was one since the baseline.
    fn fetched(&self, notes: &Path, drift: Vec<Drift>) -> (Vec<Drift>, Vec<Drift>) {
        let fetch = modified(&self.git.dir.join("FETCH_HEAD"));
        let fetch = fetch.is_some_and(|time| Steps::read(&steps::file(notes)).began_before(time));
        drift.into_iter().partition(|one| fetch && is_new_tag(one))
    }

    /// How many commits leave a ref that is moved back to where the baseline has it.
    pub(super) fn commits_leaving(&self, id: &SessionId, name: &str) -> Result<usize, BaselineError> {
        const DOING: &str = "counting commits";
        let base = self.base(id)?;
        let refs = refs::refs(&self.git)?;
        let Some((then, now)) = refs.iter().find_map(|(one, now)| {
            let then = base.record.refs.get(one).filter(|_| quoted(one) == name)?;
            Some((then, now))
        }) else {
            return Ok(0);
        };
        let (Target::Object(then), Target::Object(now)) = (then, now) else {
            return Ok(0);
        };
        let counted = self.git.ask(DOING, &["rev-list", "--count", now, &format!("^{then}"), "--"], Vec::new())?;
        let counted = String::from_utf8_lossy(&counted);
        counted.trim().parse().map_err(|error: std::num::ParseIntError| BaselineError::failed(DOING, error))
    }
}

fn is_new_tag(drift: &Drift) -> bool {
    drift.change == Change::Added && matches!(&drift.spot, Spot::Ref(name) if name.starts_with("refs/tags/"))
}
