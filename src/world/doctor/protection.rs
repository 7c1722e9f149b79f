//! Whether the hooks and the fence stand exactly where a session wants them, and nowhere else.

use std::path::Path;

use crate::app::error::AppError;
use crate::app::ports::{Armed, Called, Finding, HookState, Mend, Severity, StoreError};
use crate::domain::posture::{Posture, ReadOnlyPhase};
use crate::fence::{self, FenceError, FenceState, Standing};
use crate::hooks;
use crate::repo::open::open;
use crate::store::posture::posture_source;

use super::super::guardian::HookGuardian;
use super::super::process::Programs;
use super::Section;

fn finding(code: &'static str, severity: Severity, what: String, why: &str) -> Finding {
    Finding { code, severity, what, why: why.to_owned(), mend: Mend::Fix, session: None }
}

/// How this worktree is held, by its session alone. One that cannot be read holds it as an interview does, and what is
/// wrong with it is said elsewhere.
fn posture(guardian: &HookGuardian<'_>) -> Result<Posture, AppError> {
    let opened = open(&guardian.env)?;
    match posture_source(&opened.repo) {
        Ok(found) => Ok(found.map_or(Posture::Inactive, |(phase, _)| Posture::of(&phase))),
        Err(StoreError::Corrupt { .. } | StoreError::NewerFormat { .. } | StoreError::BadPointer { .. }) => {
            Ok(Posture::ReadOnly { phase: ReadOnlyPhase::Interview })
        }
        Err(other) => Err(other.into()),
    }
}

/// git's own locks.
pub(super) struct Fences<'a> {
    pub guardian: &'a HookGuardian<'a>,
}

impl Section for Fences<'_> {
    fn examine(&self) -> Result<Vec<Finding>, AppError> {
        let place = &self.guardian.place;
        let standing = |git_dir: &Path, session: &str| self.guardian.standing(git_dir, session);
        let off = match fence::fences(place, &standing) {
            Ok(off) => off,
            Err(FenceError::Record { path, why }) => {
                let what = format!("{} cannot be read: {why}", path.display());
                let why = "it says which of git's locks are held, so they could not be let go";
                return Ok(vec![finding("fence_record", Severity::Error, what, why)]);
            }
            Err(other) => return Err(other.into()),
        };
        let mut found = Vec::new();
        for (git_dir, session, stands) in off {
            let at = git_dir.display();
            found.push(match stands {
                Standing::Unknown => Finding {
                    mend: Mend::Command("git grill stop --without-output".to_owned()),
                    ..finding(
                        "fence_unknown",
                        Severity::Warning,
                        format!("a fence stands around {at}, and its session {session} cannot be read"),
                        "it stays until the session is brought back or left",
                    )
                },
                Standing::Gone => finding(
                    "fence_left",
                    Severity::Error,
                    format!("a fence still stands around {at}, and its session {session} is not active any more"),
                    "git cannot change anything there until it is lifted",
                ),
                Standing::Output => finding(
                    "fence_up",
                    Severity::Warning,
                    format!("the fence around {at} is up in the output phase"),
                    "approved commits could not be made",
                ),
                Standing::ReadOnly => finding(
                    "fence_gaps",
                    Severity::Error,
                    format!("locks of the fence around {at} are missing"),
                    "git could take them and change what the interview holds still",
                ),
            });
        }
        if fence::state(place)? == FenceState::None {
            let strays = fence::strays(place)?;
            found.extend(strays.first().map(|stray| {
                let more = if strays.len() == 1 { String::new() } else { format!(" and {} more", strays.len() - 1) };
                finding(
                    "fence_unrecorded",
                    Severity::Error,
                    format!("{}{more} is held by a fence that nobody knows of", stray.display()),
                    "git cannot take that lock",
                )
            }));
        }
        Ok(found)
    }

    fn mend(&self) -> Result<Vec<String>, AppError> {
        if let Err(FenceError::Record { .. }) = fence::fences(&self.guardian.place, &|_, _| Standing::Unknown) {
            fence::forget(&self.guardian.place)?;
        }
        self.guardian.tend()?;
        if fence::state(&self.guardian.place)? == FenceState::None {
            fence::forget(&self.guardian.place)?;
        }
        Ok(Vec::new())
    }
}

/// The hooks.
pub(super) struct Hooks<'a> {
    pub guardian: &'a HookGuardian<'a>,
}

impl Section for Hooks<'_> {
    fn examine(&self) -> Result<Vec<Finding>, AppError> {
        let report = hooks::report(&self.guardian.place, &Programs)?;
        let active = posture(self.guardian)? != Posture::Inactive;
        let mut found = Vec::new();
        // A process that died while it armed anew may have left the mark, and nothing that it stands for.
        let armed = if report.rule.is_some() { report.armed } else { Armed::Nowhere };
        match (active, armed) {
            (true, Armed::Nowhere | Armed::Elsewhere) => found.push(finding(
                "hooks_missing",
                Severity::Error,
                "a session is active here, and no hook of git grill guards it".to_owned(),
                "git refuses nothing",
            )),
            (false, Armed::Here) => found.push(finding(
                "hooks_left",
                Severity::Warning,
                "the hooks are armed here, and no session is active".to_owned(),
                "they let everything pass and cost time at every commit",
            )),
            (false, Armed::Nowhere) if report.rule.is_some() => found.push(finding(
                "hooks_left",
                Severity::Warning,
                "hooks are installed, and no worktree has an active session".to_owned(),
                "they let everything pass and cost time at every commit",
            )),
            (true, Armed::Here) | (false, Armed::Nowhere | Armed::Elsewhere) => {}
        }
        let severity = if active { Severity::Error } else { Severity::Warning };
        let program_gone = report.ours.iter().any(|ours| ours.state == HookState::ProgramGone);
        if let Some(program) = report.program.as_ref().filter(|_| program_gone) {
            let what = format!("the hooks run {}, which is gone", program.display());
            found.push(finding("program_gone", severity, what, "they let everything pass"));
        }
        for ours in &report.ours {
            let how = match &ours.state {
                HookState::Intact | HookState::ProgramGone => continue,
                HookState::Unrecorded => {
                    let what = format!("{} is git grill's own, and nothing says that it was installed", ours.place);
                    found.push(finding(
                        "hook_unrecorded",
                        severity,
                        what,
                        "it refuses nothing, and would stay for ever",
                    ));
                    continue;
                }
                HookState::NotEffective(why) => format!("is not run by git: {why}"),
                HookState::Missing | HookState::Changed => format!("is {}", ours.state.word()),
            };
            let what = format!("the hook {} {how}", ours.place);
            found.push(finding("hook_broken", severity, what, "git does not ask it, so what it refuses goes through"));
        }
        for foreign in report.foreign.iter().filter(|foreign| foreign.called == Called::No) {
            let what = format!("{} came after the session began, and nobody runs it", foreign.path.display());
            found.push(finding("hook_not_called", Severity::Warning, what, "what it checks is not checked"));
        }
        if active && !program_gone && hooks::was_gone(&self.guardian.place) {
            found.push(finding(
                "program_was_gone",
                Severity::Warning,
                "git-grill was missing once while this session was active".to_owned(),
                "git let everything pass then",
            ));
        }
        Ok(found)
    }

    fn mend(&self) -> Result<Vec<String>, AppError> {
        let place = &self.guardian.place;
        if posture(self.guardian)? == Posture::Inactive {
            drop(hooks::disarm(place, &Programs)?);
            // They stay as long as another worktree needs them.
            hooks::renew(place, &Programs)?;
        } else {
            hooks::arm(place, &Programs)?;
            hooks::forget_gone(place);
        }
        Ok(Vec::new())
    }
}
