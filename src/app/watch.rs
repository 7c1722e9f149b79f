//! The watch over the baseline: marks at each step, what the output phase makes expected, what drifted.

use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::drift::{Step, Verification};
use crate::domain::ids::SessionId;
use crate::domain::posture::Posture;
use crate::domain::production::{Stage, Undo};
use crate::domain::session::{Phase, Session};

use super::context::Context;
use super::dispatcher::Envelope;
use super::error::AppError;
use super::ports::{AsLeft, BaselineError, Held, Restored, Snapped};
use super::reply::Outcome;

impl Context<'_> {
    /// Notes the repository's marks beside what was recorded. Without them drift has no time; that is a warning.
    pub(super) fn note(&mut self, outcome: &Outcome) {
        let Some(first) = outcome.events.first() else {
            return;
        };
        // Whoever recorded it notes its marks as well.
        if self.dispatcher.outside.is_some() {
            return;
        }
        let step = Step { seq: first.seq, what: first.event.facets().subject };
        if let Err(error) = self.baseline.mark(&outcome.after.id, &step) {
            self.voice.warn(&AppError::from(error));
        }
    }

    /// Notes the step that began the session, and that the hooks are as they are to be.
    pub fn watch(&mut self, outcome: &Outcome) {
        self.note(outcome);
        if let Err(error) = self.baseline.settle_settings(&outcome.after.id) {
            self.voice.warn(&AppError::from(error));
        }
    }

    /// Takes a snapshot for a baseline, unless the session has one and was active here all the time: between two times
    /// of being active, changes are nobody's drift. It is kept once the session is active.
    pub fn snap(&mut self, id: &SessionId) -> Result<Option<Snapped>, AppError> {
        // A pointer that cannot be read leads nowhere, and whoever resumes sets it anew.
        let here = self.dispatcher.store.active().is_ok_and(|active| active.as_ref() == Some(id));
        let stays = here
            && match self.baseline.held(id)? {
                Held::Baseline => {
                    self.say_if_lost(id);
                    true
                }
                Held::Nothing => false,
                // A new one would call everything right that changed since the old one was taken.
                Held::Lost => {
                    let found = {
                        let _held = self.dispatcher.store.lock(id)?;
                        self.baseline.find_again(id)?
                    };
                    if !found {
                        self.say_if_lost(id);
                    }
                    found
                }
            };
        Ok(if stays { None } else { Some(self.baseline.take()?) })
    }

    /// Says that the record of how things were at the start is gone, or is about another folder, where that is so.
    pub fn say_if_lost(&mut self, id: &SessionId) {
        if let Err(error) = self.baseline.check(id) {
            self.voice.warn(&AppError::from(error));
        }
    }

    /// Whether the session has a baseline whose ref does not lead to it any more.
    pub(super) fn is_lost(&self, id: &SessionId) -> bool {
        matches!(self.baseline.held(id), Ok(Held::Lost))
    }

    pub(super) fn keep_baseline(&mut self, snapped: &Snapped, id: &SessionId) -> Result<(), AppError> {
        let _held = self.dispatcher.store.lock(id)?;
        Ok(self.baseline.keep(snapped, id)?)
    }

    /// Stores the state of the files that the steps of a plan name.
    pub(super) fn note_named(&mut self, id: &SessionId, paths: &[String]) -> Result<(), AppError> {
        let _held = self.dispatcher.store.lock(id)?;
        Ok(self.baseline.note_named(id, paths)?)
    }

    pub(super) fn forget_baseline(&mut self, id: &SessionId) -> Result<(), AppError> {
        let _held = self.dispatcher.store.lock(id)?;
        Ok(self.baseline.forget(id)?)
    }

    /// Compares with the baseline and enters what is new about it into the history; the session then.
    pub fn verify(&mut self, session: &Session) -> Result<(Session, Verification), AppError> {
        self.tidy(session);
        self.expect(session)?;
        let mut verification = self.baseline.verify(session)?;
        verification.expected = session.outputs();
        if session.is_closed() {
            return Ok((session.clone(), verification));
        }
        let command = Command::RecordVerification(Box::new(verification.clone()));
        let outcome = self.dispatcher.handle(&session.id, &Envelope { actor: Actor::System, command })?;
        self.note(&outcome);
        Ok((outcome.after, verification))
    }

    /// The same, where drift is named beside something else: what cannot be compared is a warning there, and a session
    /// without a baseline has nothing to be compared with.
    pub fn name_drift(&mut self, session: &Session) -> (Session, Option<Verification>) {
        match self.verify(session) {
            Ok((session, verification)) => (session, Some(verification)),
            Err(AppError::Baseline(BaselineError::None { .. })) => (session.clone(), None),
            Err(error) => {
                self.voice.warn(&error);
                (session.clone(), None)
            }
        }
    }

    /// Takes away what a process left beside the targets that died while it wrote: it would be taken for drift.
    pub(super) fn tidy(&self, session: &Session) {
        let Some(targets) = self.targets else {
            return;
        };
        if let Phase::Production(production) = &session.phase {
            for draft in production.drafts.iter().map(|drafted| &drafted.draft) {
                draft.path().into_iter().for_each(|path| targets.tidy(path, &draft.blob));
            }
        }
        for file in session.written_phases().into_iter().flat_map(|phase| phase.files) {
            if let Some(replaced) = &file.replaced {
                targets.tidy(&file.path, replaced);
            }
        }
    }

    /// What the output phase let through so far is what is expected from now on (G33).
    pub fn expect(&mut self, session: &Session) -> Result<(), AppError> {
        let Phase::Production(production) = &session.phase else {
            return Ok(());
        };
        if self.baseline.held(&session.id)? != Held::Baseline {
            return Ok(());
        }
        let _held = self.dispatcher.store.lock(&session.id)?;
        // An approved draft may have been written by a process that died before it could note so.
        let perhaps = production.drafts.iter().filter(|drafted| drafted.stage != Stage::Drafted);
        let files: Vec<AsLeft<'_>> =
            perhaps.filter_map(|drafted| Some((drafted.draft.path()?, Some(drafted.draft.content.as_str())))).collect();
        self.baseline.expect_written(&session.id, &files)?;
        if let Posture::Output { paths } = Posture::of(&session.phase) {
            self.baseline.expect_commits(&session.id, &paths)?;
        }
        Ok(())
    }

    /// Files that were taken back are expected as they are now.
    pub(super) fn expect_undone(&mut self, id: &SessionId, files: &[Undo]) -> Result<(), AppError> {
        if self.baseline.held(id)? != Held::Baseline {
            return Ok(());
        }
        let mut texts = Vec::with_capacity(files.len());
        for file in files {
            let text = match (self.targets, &file.replaced) {
                (Some(targets), Some(_)) => super::drafting::read(targets, &file.path),
                (Some(_) | None, _) => Ok(None),
            };
            match text {
                Ok(text) => texts.push((&file.path, text)),
                Err(error) => self.voice.warn(&error),
            }
        }
        let left: Vec<AsLeft<'_>> = texts.iter().map(|(path, text)| (*path, text.as_deref())).collect();
        let _held = self.dispatcher.store.lock(id)?;
        Ok(self.baseline.expect_written(id, &left)?)
    }

    /// Begins to watch over the repository while an agent runs (A25).
    pub fn begin_watch(&mut self, id: &SessionId) -> Result<(), AppError> {
        let _held = self.dispatcher.store.lock(id)?;
        Ok(self.baseline.watch(id)?)
    }

    pub fn unwatch(&mut self, id: &SessionId) -> Result<(), AppError> {
        let _held = self.dispatcher.store.lock(id)?;
        Ok(self.baseline.unwatch(id)?)
    }

    /// Brings what was shown back to how it was when the watch began, with everything lifted that would refuse it.
    pub fn bring_back(&mut self, id: &SessionId, shown: &Verification) -> Result<Restored, AppError> {
        let held = self.dispatcher.store.lock(id)?;
        self.guardian.lift()?;
        let restored = self.baseline.bring_back(id, shown);
        drop(held);
        self.guardian.again()?;
        Ok(restored?)
    }

    /// Notes what the repository looks like at the end of a session.
    pub(super) fn note_end(&mut self, id: &SessionId) -> Result<(), AppError> {
        let _held = self.dispatcher.store.lock(id)?;
        Ok(self.baseline.note_end(id)?)
    }

    /// Brings the drift back that was shown, with everything lifted that would refuse it.
    pub fn restore(&mut self, id: &SessionId, shown: &Verification) -> Result<Restored, AppError> {
        let held = self.dispatcher.store.lock(id)?;
        self.guardian.lift()?;
        let restored = self.baseline.restore(id, shown);
        drop(held);
        // Also after a failure: what protects stands again before anything else is said.
        self.guardian.again()?;
        Ok(restored?)
    }
}
