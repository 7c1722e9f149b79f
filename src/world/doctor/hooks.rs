//! Whether the hooks stand exactly where a session wants them, and nowhere else.

use std::path::Path;

use crate::app::error::AppError;
use crate::app::ports::{
    Armed, Called, Code, Finding, ForeignHook, HookState, HooksReport, OurHook, Severity, StoreError,
};
use crate::domain::posture::{Posture, ReadOnlyPhase};
use crate::hooks::{self, HookError};
use crate::repo::open::open;
use crate::store::posture::posture_source;

use super::super::guardian::{self, HookProtection};
use super::super::process::Programs;
use super::{Section, shell_word};

/// The hooks of this worktree.
pub(super) struct Hooks<'a> {
    pub guardian: &'a HookProtection<'a>,
}

impl Section for Hooks<'_> {
    fn examine(&self) -> Result<Vec<Finding>, AppError> {
        let report = match hooks::report(&self.guardian.place, &Programs) {
            Ok(report) => report,
            Err(HookError::Record { path, why }) => return Ok(vec![of_record(&path, &why)]),
            Err(error @ HookError::Moved(_)) => return Ok(vec![of_moved(&error)]),
            Err(other) => return Err(other.into()),
        };
        let wants = wants(self.guardian)?;
        let mut found = findings(&report, wants);
        let is_gone = found.iter().any(|finding| finding.code == Code::ProgramGone);
        // What is still so was not only once so.
        if wants == Wants::Hooks && !is_gone && hooks::was_gone(&self.guardian.place) {
            let what = "git-grill was missing once while this session was active";
            let why = "git let everything pass then";
            found.push(Finding::new(Code::ProgramWasGone, Severity::Warning, what, why).fixable());
        }
        Ok(found)
    }

    fn mend(&self) -> Result<Vec<String>, AppError> {
        let place = &self.guardian.place;
        match wants(self.guardian)? {
            Wants::Nothing => {
                drop(guardian::disarm(place)?);
                // They stay as long as another worktree needs them.
                hooks::renew(place, &Programs)?;
            }
            Wants::Hooks => {
                guardian::arm(place)?;
                hooks::forget_gone(place);
            }
        }
        Ok(Vec::new())
    }

    fn look(&self) -> String {
        let place = &self.guardian.place;
        let folders = ["hooks", "grill"].map(|name| shell_word(&place.common_dir.join(name)));
        format!("ls -la {}", folders.join(" "))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wants {
    /// A session is active here.
    Hooks,
    /// None is.
    Nothing,
}

/// What a session that cannot be read wants is what an interview wants; what is wrong with it is said elsewhere.
fn wants(guardian: &HookProtection<'_>) -> Result<Wants, AppError> {
    let opened = open(&guardian.env)?;
    let posture = match posture_source(&opened.repo) {
        Ok(found) => found.map_or(Posture::Inactive, |(phase, _)| Posture::of(&phase)),
        Err(StoreError::Corrupt { .. } | StoreError::NewerFormat { .. } | StoreError::BadPointer { .. }) => {
            Posture::ReadOnly { phase: ReadOnlyPhase::Interview }
        }
        Err(other) => return Err(other.into()),
    };
    Ok(match posture {
        Posture::Inactive => Wants::Nothing,
        Posture::ReadOnly { .. } | Posture::Output { .. } | Posture::Open => Wants::Hooks,
    })
}

fn of_record(path: &Path, why: &str) -> Finding {
    let what = format!("{} cannot be read: {why}", path.display());
    let why = "it says which hooks are git grill's, so they can neither be trusted nor be taken away; without it they are \
               known by their bytes";
    let aside = shell_word(&path.with_extension("unreadable"));
    let command = format!("mv {} {aside} && git grill doctor --fix", shell_word(path));
    Finding::new(Code::HookRecord, Severity::Error, what, why).typed([command])
}

fn of_moved(error: &HookError) -> Finding {
    let why = "so it is not known where git looks for hooks";
    let finding = Finding::new(Code::WorktreeMoved, Severity::Error, error.to_string(), why);
    finding.typed(["git worktree repair".to_owned()])
}

fn findings(report: &HooksReport, wants: Wants) -> Vec<Finding> {
    let mut found = Vec::new();
    found.extend(of_arming(report, wants));
    found.extend(of_program(report, wants));
    found.extend(report.ours.iter().filter_map(|ours| of_ours(ours, report.rule, wants)));
    found.extend(report.foreign.iter().filter_map(of_foreign));
    found
}

/// How much it matters that a hook of ours does not work.
fn severity(wants: Wants) -> Severity {
    match wants {
        Wants::Hooks => Severity::Error,
        Wants::Nothing => Severity::Warning,
    }
}

fn of_arming(report: &HooksReport, wants: Wants) -> Option<Finding> {
    // A process that died while it armed anew may have left the mark, and nothing that it stands for.
    let armed = if report.rule.is_some() { report.armed } else { Armed::Nowhere };
    let idle = "they let everything pass and cost time at every commit";
    let (code, severity, what, why) = match (wants, armed) {
        (Wants::Hooks, Armed::Nowhere | Armed::Elsewhere) => {
            let what = "a session is active here, and no hook of git grill guards it";
            (Code::HooksMissing, Severity::Error, what, "git refuses nothing")
        }
        (Wants::Nothing, Armed::Here) => {
            (Code::HooksLeft, Severity::Warning, "the hooks are armed here, and no session is active", idle)
        }
        (Wants::Nothing, Armed::Nowhere) if report.rule.is_some() => {
            (Code::HooksLeft, Severity::Warning, "hooks are installed, and no worktree has an active session", idle)
        }
        (Wants::Hooks, Armed::Here) | (Wants::Nothing, Armed::Nowhere | Armed::Elsewhere) => return None,
    };
    Some(Finding::new(code, severity, what, why).fixable())
}

fn of_program(report: &HooksReport, wants: Wants) -> Option<Finding> {
    let program = report.program.as_ref()?;
    let is_gone = report.ours.iter().any(|ours| ours.state == HookState::ProgramGone);
    let what = format!("the hooks run {}, which is gone", program.display());
    is_gone.then(|| Finding::new(Code::ProgramGone, severity(wants), what, "they let everything pass").fixable())
}

fn of_ours(ours: &OurHook, rule: Option<&str>, wants: Wants) -> Option<Finding> {
    let unasked = "git does not ask it, so what it refuses goes through";
    let place = &ours.place;
    let (code, what, why) = match &ours.state {
        // That is told of the program.
        HookState::Intact | HookState::ProgramGone => return None,
        HookState::Unrecorded => {
            let what = format!("{place} is git grill's own, and nothing says that it was installed");
            (Code::HookUnrecorded, what, "it refuses nothing, and would stay for ever")
        }
        HookState::NotEffective(why) => {
            (Code::HookBroken, format!("the hook {place} is not run by git: {why}"), unasked)
        }
        HookState::Missing | HookState::Changed => {
            (Code::HookBroken, format!("the hook {place} is {}", ours.state.word()), unasked)
        }
    };
    let finding = Finding::new(code, severity(wants), what, why);
    Some(match (&ours.state, rule) {
        // Somebody said so in a configuration of his own.
        (HookState::NotEffective(_), Some("configured")) => {
            let key = format!("hook.git-grill-{}.enabled", ours.name);
            finding.typed([format!("git config --unset-all {key} || git config {key} true")])
        }
        (_, _) => finding.fixable(),
    })
}

fn of_foreign(foreign: &ForeignHook) -> Option<Finding> {
    let what = format!("{} came after the session began, and nobody runs it", foreign.path.display());
    let finding = Finding::new(Code::HookNotCalled, Severity::Warning, what, "what it checks is not checked");
    (foreign.called == Called::No).then(|| finding.fixable())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::ports::Mend;

    fn report(armed: Armed, rule: Option<&'static str>) -> HooksReport {
        HooksReport {
            git: "2.47.0".to_owned(),
            armed,
            rule,
            folder: "/r/.git/hooks".into(),
            program: Some("/bin/git-grill".into()),
            ours: Vec::new(),
            foreign: Vec::new(),
            cannot: Vec::new(),
        }
    }

    fn codes(report: &HooksReport, wants: Wants) -> Vec<(Code, Severity)> {
        findings(report, wants).iter().map(|finding| (finding.code, finding.severity)).collect()
    }

    #[test]
    fn hooks_stand_where_a_session_wants_them_and_nowhere_else() {
        let rule = Some("beside");
        let (missing, left) = ((Code::HooksMissing, Severity::Error), (Code::HooksLeft, Severity::Warning));
        for (wants, armed, rule, expected) in [
            (Wants::Hooks, Armed::Here, rule, None),
            (Wants::Hooks, Armed::Here, None, Some(missing)),
            (Wants::Hooks, Armed::Elsewhere, rule, Some(missing)),
            (Wants::Hooks, Armed::Nowhere, rule, Some(missing)),
            (Wants::Hooks, Armed::Nowhere, None, Some(missing)),
            (Wants::Nothing, Armed::Here, rule, Some(left)),
            (Wants::Nothing, Armed::Here, None, None),
            (Wants::Nothing, Armed::Elsewhere, rule, None),
            (Wants::Nothing, Armed::Nowhere, rule, Some(left)),
            (Wants::Nothing, Armed::Nowhere, None, None),
        ] {
            let found = codes(&report(armed, rule), wants);
            assert_eq!(found, Vec::from_iter(expected), "{wants:?} {armed:?} {rule:?}");
        }
    }

    #[test]
    fn each_state_of_a_hook_has_its_code() {
        for (state, code) in [
            (HookState::Intact, None),
            (HookState::ProgramGone, Some(Code::ProgramGone)),
            (HookState::Unrecorded, Some(Code::HookUnrecorded)),
            (HookState::Missing, Some(Code::HookBroken)),
            (HookState::Changed, Some(Code::HookBroken)),
            (HookState::NotEffective("the file is not executable".to_owned()), Some(Code::HookBroken)),
        ] {
            let ours = OurHook { name: "pre-push".to_owned(), place: "/h/pre-push".to_owned(), state };
            let what = format!("{ours:?}");
            let active = HooksReport { ours: vec![ours.clone()], ..report(Armed::Here, Some("beside")) };
            let idle = HooksReport { ours: vec![ours], ..report(Armed::Elsewhere, Some("beside")) };
            let expected = |severity| Vec::from_iter(code.map(|code| (code, severity)));
            assert_eq!(codes(&active, Wants::Hooks), expected(Severity::Error), "{what}");
            assert_eq!(codes(&idle, Wants::Nothing), expected(Severity::Warning), "{what}");
        }
    }

    #[test]
    fn a_hook_that_somebody_switched_off_is_switched_on_by_hand() {
        let state = HookState::NotEffective("hook.git-grill-pre-push.enabled is false".to_owned());
        let ours = OurHook { name: "pre-push".to_owned(), place: "hook.git-grill-pre-push.command".to_owned(), state };
        let key = "hook.git-grill-pre-push.enabled";
        let by_hand = Mend::Typed(vec![format!("git config --unset-all {key} || git config {key} true")]);
        for (rule, mend) in [("configured", by_hand), ("beside", Mend::Fix), ("folder", Mend::Fix)] {
            assert_eq!(of_ours(&ours, Some(rule), Wants::Hooks).map(|found| found.mend), Some(mend), "{rule}");
        }
    }

    #[test]
    fn only_a_hook_that_nobody_runs_is_told() {
        for (called, code) in [(Called::No, Some(Code::HookNotCalled)), (Called::ByGit, None), (Called::ByOurs, None)] {
            let foreign = ForeignHook { name: "pre-commit".to_owned(), path: "/h/pre-commit".into(), called };
            let report = HooksReport { foreign: vec![foreign], ..report(Armed::Here, Some("folder")) };
            let expected = Vec::from_iter(code.map(|code| (code, Severity::Warning)));
            assert_eq!(codes(&report, Wants::Hooks), expected, "{called:?}");
        }
    }
}
