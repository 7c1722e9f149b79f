//! Creating issues: one by one, each found again by its mark before it is created, so that a run that broke half-way goes
//! on where it stopped and nothing is there twice (G32).

use crate::domain::ids::SessionId;
use crate::domain::issue::{self, IssueText};
use crate::domain::production::{self, Creation, IssueSlot, Production, Stage, Target};
use crate::domain::session::{Phase, Session};
use crate::domain::tracker::TrackerRepository;

use super::dispatcher::Dispatcher;
use super::error::{AppError, not_done_there};
use super::ports::{NewIssue, ThereIssue, TrackerError};
use super::reply::{Outcome, Progress};
use super::settling::World;

pub(super) struct Creating<'a, 'w> {
    /// Notes each issue.
    pub dispatcher: &'a Dispatcher<'a>,
    pub id: &'a SessionId,
    pub world: &'a mut World<'w>,
}

impl Creating<'_, '_> {
    /// Creates what is owed.
    pub(super) fn create(mut self, outcome: Outcome) -> Result<Outcome, AppError> {
        let Some((production, repository)) = owing(&outcome.after) else {
            return Ok(outcome);
        };
        let (marker, repository) = (issue::marker_of_all(self.id, production.round), repository.clone());
        // Nobody else creates them meanwhile; the session itself stays free for answers.
        let _held = self.dispatcher.store.lock_production(self.id)?;
        // What was created while we waited for the lock is created.
        let session = self.dispatcher.store.load(self.id)?.session;
        let mut outcome = outcome.then(Outcome::nothing(session));
        let not_looked = not_done_there(format!("no further issue was created in {repository}; the approval stays"));
        let there = self.world.tracker.find(&repository, &marker, outcome.after.started_at).map_err(not_looked)?;
        while let Some((slot, text, step)) = next_owed(&outcome.after) {
            let created = self.one(&outcome.after, &repository, &there, slot, &text, step)?;
            outcome = outcome.then(created);
        }
        Ok(outcome)
    }

    /// Creates one issue, unless it is there.
    fn one(
        &mut self,
        session: &Session,
        repository: &TrackerRepository,
        there: &[ThereIssue],
        slot: IssueSlot,
        text: &IssueText,
        step: (usize, usize),
    ) -> Result<Outcome, AppError> {
        let Some((production, ..)) = owing(session) else {
            return Ok(Outcome::nothing(session.clone()));
        };
        let mark = issue::marker(self.id, production.round, slot);
        let known = there.iter().find(|one| one.body.contains(&mark));
        let created = if let Some(known) = known {
            known.clone()
        } else {
            let new = NewIssue::of(text, issue::body(text, &numbers(production, text), &mark));
            let (at, of) = step;
            let there = at - 1;
            let what = format!(
                "{slot} was not created in {repository}, where {there} of {of} issues exist; what was approved stays \
                 approved"
            );
            self.world.tracker.create(repository, &new).map_err(broken_off(what))?
        };
        let Some(drafted) = production.draft(&Target::Issue(slot)) else {
            return Ok(Outcome::nothing(session.clone()));
        };
        let (blob, number, url) = (drafted.draft.blob.clone(), created.number, created.url);
        let creation = Creation { slot, blob, number, url: url.clone(), linked: true };
        let outcome = self.dispatcher.note(self.id, production::Command::RecordCreated(creation).into())?;
        let (at, of) = step;
        let title = text.title.clone();
        (self.world.progress)(&Progress { at, of, slot, title, number, url, found: known.is_some() });
        Ok(outcome)
    }
}

/// The error of a creation that broke off; it ends with how it goes on.
fn broken_off(what: String) -> impl FnOnce(TrackerError) -> AppError {
    const ON: &str = "git grill produce";
    move |error| {
        let hint = error.hint();
        let hint = if hint.contains(ON) { hint } else { format!("{hint}; then {ON} goes on") };
        AppError::Environment { code: error.code(), message: what, causes: vec![error.to_string()], hint: Some(hint) }
    }
}

/// The open output phase and where its issues are created, if any are owed.
fn owing(session: &Session) -> Option<(&Production, &TrackerRepository)> {
    let Phase::Production(production) = &session.phase else {
        return None;
    };
    let (_, repository) = production.plan.tracked()?;
    production.owed_issues().next().is_some().then_some((&**production, repository))
}

/// The next issue that is owed, with its place among those that are to be created in all.
fn next_owed(session: &Session) -> Option<(IssueSlot, IssueText, (usize, usize))> {
    let (production, _) = owing(session)?;
    let approved = production.owed_issues().next()?;
    let stages: Vec<&Stage> = production.issues().map(|(_, one)| &one.stage).collect();
    let of = stages.iter().filter(|stage| stage.is_settled()).count();
    let created = of - stages.iter().filter(|stage| stage.is_approved()).count();
    Some((*approved.target(), approved.draft().issue()?, (created + 1, of)))
}

/// The numbers of what an issue depends on, all of which is created before it.
fn numbers(production: &Production, issue: &IssueText) -> Vec<u64> {
    let created: Vec<_> = production.created().collect();
    let number = |slot: &IssueSlot| created.iter().find(|one| one.slot == *slot).map(|one| one.number);
    issue.depends_on.iter().filter_map(number).collect()
}
