//! The physician: examines the repository section by section, and mends what it may.
//!
//! A section finds and mends on its own; a new kind of finding is a new section in [`RepoPhysician::sections`].

mod abilities;
mod fetching;
mod leftovers;
mod pointers;
mod protection;
mod sessions;
mod walking;

use std::cell::RefCell;

use crate::app::desk::{Guardian, Physician, Trying};
use crate::app::error::AppError;
use crate::app::ports::{Clock, Examination, Finding, Histories, HooksReport, Mend, Mending, Severity};
use crate::app::reply::{HooksMore, Tried};
use crate::domain::ids::SessionId;
use crate::domain::posture::FenceStands;
use crate::fence::{self, Layer, Trial};
use crate::hooks;
use crate::repo::config::Config;
use crate::store::commit::Person;
use crate::store::posture::posture_source;

use super::guardian::HookGuardian;
use super::process::Programs;
use crate::repo::open::open;

/// One part of what is examined.
trait Section {
    /// What is found; nothing changes.
    fn examine(&self) -> Result<Vec<Finding>, AppError>;
    /// Mends what of it says [`Mend::Fix`]; what was done, in sentences. Called only when something does.
    fn mend(&self) -> Result<Vec<String>, AppError>;
}

/// Examines one repository from one of its worktrees.
pub(super) struct RepoPhysician<'a> {
    /// Knows the place, and arms.
    pub guardian: &'a HookGuardian<'a>,
    /// What git is told to do.
    pub config: &'a Config,
    /// Who moves a ref that has to be moved.
    pub by: Person,
    /// The clock.
    pub clock: &'a dyn Clock,
    /// Whether somebody watches who would like to see how far a long walk is.
    pub watched: Watched,
}

/// Whether somebody watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Watched {
    /// At a terminal.
    AtTerminal,
    /// Nobody, or a program.
    ByNobody,
}

impl Physician for RepoPhysician<'_> {
    fn examine(&self, mending: Mending) -> Result<Examination, AppError> {
        let mut examination = Examination { abilities: abilities::abilities(self.guardian), ..Examination::default() };
        for section in self.sections() {
            examined(&*section, mending, &mut examination);
        }
        examination.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        Ok(examination)
    }

    fn walk(&self, histories: Histories<'_>, mending: Mending) -> Result<Examination, AppError> {
        let mut examination = Examination::default();
        let only = match histories {
            Histories::All => None,
            Histories::Of(id) => Some(id),
        };
        examined(&self.of_sessions(only), mending, &mut examination);
        walking::walk(self, only, &mut examination)?;
        examination.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        Ok(examination)
    }

    fn hooks(&self, trying: Trying) -> Result<(HooksReport, HooksMore), AppError> {
        let place = &self.guardian.place;
        let report = hooks::report(place, &Programs)?;
        let fence = self.guardian.fence()?;
        let trials = match trying {
            Trying::Look => Vec::new(),
            Trying::Try => self.trials(fence)?,
        };
        Ok((report, HooksMore { fence, trials }))
    }
}

impl RepoPhysician<'_> {
    fn sections(&self) -> Vec<Box<dyn Section + '_>> {
        vec![
            // First: how the others stand depends on what a session says.
            Box::new(self.of_sessions(None)),
            Box::new(protection::Fences { guardian: self.guardian }),
            Box::new(protection::Hooks { guardian: self.guardian }),
            Box::new(leftovers::Leftovers { guardian: self.guardian }),
            Box::new(fetching::Fetching { guardian: self.guardian, config: self.config }),
        ]
    }

    fn of_sessions<'s>(&'s self, only: Option<&'s SessionId>) -> sessions::Sessions<'s> {
        let seconds = self.clock.now().as_second();
        let lost = RefCell::default();
        sessions::Sessions { guardian: self.guardian, by: &self.by, seconds, only, lost }
    }

    /// Has git try each layer that is up. Without a session nothing has to be refused, so there is nothing to try.
    fn trials(&self, fence: FenceStands) -> Result<Vec<Tried>, AppError> {
        let place = &self.guardian.place;
        let opened = open(&self.guardian.env)?;
        let Some((_, session)) = posture_source(&opened.repo)? else {
            return Err(AppError::NoSession);
        };
        let commit = opened.repo.tip(&session.ref_name()).ok().flatten().map(|id| id.to_string()).unwrap_or_default();
        let mut layers = vec![(Layer::Hooks, "hooks")];
        if fence == FenceStands::Up {
            layers.insert(0, (Layer::Fence, "fence"));
        }
        let mut tried = Vec::new();
        for (layer, name) in layers {
            let refused = match fence::trial(place, layer, &commit, &Programs)? {
                Trial::Refused => Ok(()),
                Trial::LetThrough => Err("git would have changed a branch".to_owned()),
                Trial::Failed(said) => Err(said),
            };
            tried.push(Tried { layer: name, refused });
        }
        Ok(tried)
    }
}

/// Examines a section, and mends of it what can be mended.
fn examined(section: &dyn Section, mending: Mending, examination: &mut Examination) {
    let before = found(section);
    let fixable = before.iter().any(|finding| finding.mend == Mend::Fix);
    if mending == Mending::Look || !fixable {
        examination.findings.extend(before);
        return;
    }
    let failed = match section.mend() {
        Ok(done) => {
            examination.done.extend(done);
            None
        }
        Err(error) => Some(error),
    };
    let after = found(section);
    let stays = |finding: &Finding| after.iter().any(|left| left.code == finding.code && left.what == finding.what);
    examination.mended.extend(before.into_iter().filter(|finding| !stays(finding)));
    examination.findings.extend(after);
    examination.findings.extend(failed.map(|error| not_mended(&error)));
}

/// What a section finds; that it could not be examined is a finding, too.
fn found(section: &dyn Section) -> Vec<Finding> {
    section.examine().unwrap_or_else(|error| vec![unreadable(&error)])
}

fn unreadable(error: &AppError) -> Finding {
    Finding {
        code: "not_examined",
        severity: Severity::Error,
        what: error.to_string(),
        why: "so it is not known whether what it guards is right".to_owned(),
        mend: error.hint().map_or(Mend::Nothing, Mend::Command),
        session: None,
    }
}

fn not_mended(error: &AppError) -> Finding {
    Finding {
        code: "not_mended",
        severity: Severity::Error,
        what: error.to_string(),
        why: error.causes().first().cloned().unwrap_or_else(|| "mending stopped there".to_owned()),
        mend: error.hint().map_or(Mend::Nothing, Mend::Command),
        session: None,
    }
}
