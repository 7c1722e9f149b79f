//! The physician: examines the repository section by section, and mends what it may.
//!
//! A section finds and mends on its own; a new kind of finding is a new section in [`Doctor::sections`].

mod abilities;
mod baselines;
mod beside;
mod emptied;
mod fences;
mod fetching;
mod git_locks;
mod half_undone;
mod hooks;
mod kept;
mod leftovers;
mod pipes;
mod pointers;
mod sessions;
mod staged;
mod unread;
mod walking;
mod writable;

use std::cell::RefCell;
use std::path::Path;

use crate::app::context::{Guardian, Physician, Trying};
use crate::app::error::AppError;
use crate::app::ports::{Clock, Code, Examination, Finding, Histories, HooksReport, Mend, Mending, Severity};
use crate::app::reply::{HooksMore, Tried};
use crate::domain::ids::SessionId;
use crate::domain::posture::FenceStands;
use crate::fence::{self, Layer, Trial};
use crate::repo::config::Config;
use crate::store::commit::Person;
use crate::store::posture::posture_source;
use crate::text::shell::quoted_name;

use super::guardian::HookProtection;
use super::process::Programs;
use crate::repo::open::open;

/// One part of what is examined.
trait Section {
    /// What is found; nothing changes.
    fn examine(&self) -> Result<Vec<Finding>, AppError>;
    /// Mends what of it says [`Mend::Fix`]; what was done, in sentences. Called only when something does. Most sections
    /// leave what they find to the user.
    fn mend(&self) -> Result<Vec<String>, AppError> {
        Ok(Vec::new())
    }
    /// The command that shows what this section looks at, for when it could not.
    fn look(&self) -> String;
}

/// Examines one repository from one of its worktrees.
pub(super) struct Doctor<'a> {
    /// Knows the place, and arms.
    pub guardian: &'a HookProtection<'a>,
    /// What git is told to do.
    pub config: &'a Config,
    /// Who moves a ref that has to be moved.
    pub by: Person,
    pub clock: &'a dyn Clock,
    /// Whether somebody watches who would like to see how far a long walk is.
    pub watched: Watched,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Watched {
    AtTerminal,
    /// Nobody, or a program.
    ByNobody,
}

impl Physician for Doctor<'_> {
    fn examine(&self, mending: Mending) -> Result<Examination, AppError> {
        let mut examination =
            Examination { abilities: abilities::abilities(self.guardian, self.config), ..Examination::default() };
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
        match only {
            Some(_) => examined(&self.of_sessions(only), mending, &mut examination),
            None => self.of_all().iter().for_each(|section| examined(&**section, mending, &mut examination)),
        }
        walking::walk(self, only, &mut examination)?;
        examination.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        Ok(examination)
    }

    fn hooks(&self, trying: Trying) -> Result<(HooksReport, HooksMore), AppError> {
        let place = &self.guardian.place;
        let report = crate::hooks::report(place, &Programs)?;
        let fence = self.guardian.fence()?;
        let trials = match trying {
            Trying::Look => Vec::new(),
            Trying::Try => self.trials(fence)?,
        };
        Ok((report, HooksMore { fence, trials }))
    }
}

impl Doctor<'_> {
    fn sections(&self) -> Vec<Box<dyn Section + '_>> {
        let guardian = self.guardian;
        // First: how the others stand depends on what a session says.
        let mut sections = self.of_all();
        sections.push(Box::new(fences::Fences { guardian }));
        sections.push(Box::new(hooks::Hooks { guardian }));
        sections.push(Box::new(baselines::Baselines { guardian }));
        sections.push(Box::new(emptied::Emptied { guardian }));
        sections.push(Box::new(staged::LeftStaged { guardian }));
        sections.push(Box::new(half_undone::HalfUndone { guardian }));
        sections.push(Box::new(leftovers::Leftovers { guardian }));
        sections.push(Box::new(kept::Kept { guardian }));
        sections.push(Box::new(unread::Unread { config: self.config }));
        sections.push(Box::new(fetching::Fetching { guardian, config: self.config }));
        sections.push(Box::new(git_locks::GitLocks { guardian }));
        sections.push(Box::new(pipes::Pipes { guardian }));
        sections.push(Box::new(writable::Writable { guardian }));
        sections
    }

    /// Everything that belongs to all sessions: the locks go before a ref moves, and a pointer is judged by its session.
    fn of_all(&self) -> Vec<Box<dyn Section + '_>> {
        let (guardian, by, seconds) = (self.guardian, &self.by, self.clock.now().as_second());
        vec![
            Box::new(beside::Beside { guardian, by, seconds }),
            Box::new(self.of_sessions(None)),
            Box::new(pointers::Pointers { guardian }),
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

fn shell_word(path: &Path) -> String {
    quoted_name(path.as_os_str().as_encoded_bytes())
}

/// What a section finds; that it could not be examined is a finding, too.
fn found(section: &dyn Section) -> Vec<Finding> {
    section.examine().unwrap_or_else(|error| vec![not_examined(&error, section.look())])
}

fn not_examined(error: &AppError, look: String) -> Finding {
    let why = said(error, "so it is not known whether what it guards is right");
    Finding::new(Code::NotExamined, Severity::Error, error.to_string(), why).shown_by(look)
}

fn not_mended(error: &AppError) -> Finding {
    let why = said(error, "what was not mended stands as it did; once that is out of the way, --fix goes on");
    let again = "git grill doctor --fix".to_owned();
    Finding::new(Code::NotMended, Severity::Error, error.to_string(), why).typed([again])
}

/// What lies behind an error, what follows from it, and what its hint says.
fn said(error: &AppError, follows: &str) -> String {
    let mut said = error.causes();
    said.push(follows.to_owned());
    said.extend(error.hint());
    said.join("; ")
}
