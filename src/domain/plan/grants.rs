//! What of a plan lets somebody act on it, in words that name all of its content. Such words count in the clone that
//! recorded them.

use std::fmt::Write as _;

use super::derived::Backing;
use super::notes::StepNote;
use super::{State, Step, StepStatus};

/// The approval to leave plan mode.
pub(super) const OFF: &str = "off";

/// The approval of a plan: every text with its length, so that no two plans look alike.
pub(super) fn execute(plan: &State) -> String {
    let mut words = format!("execute {}", plan.steps.len());
    for step in &plan.steps {
        let text = step.text.as_str();
        let _ = write!(words, " {}:{text}", text.len());
    }
    words
}

/// A person's word on a step; none where there is none.
pub(super) fn settled(number: u32, step: &Step) -> Option<String> {
    let text = step.text.as_str();
    match step.status {
        StepStatus::Pending | StepStatus::Claimed { .. } => None,
        StepStatus::Done { .. } | StepStatus::Skipped { .. } => Some(format!("{} {number} {text}", step.status.word())),
    }
}

/// A person's notes: an agent is told them as theirs. None where there are none.
pub(super) fn notes(notes: &[StepNote]) -> Option<String> {
    let said = |note: &StepNote| format!(" {} {}:{}", note.step, note.text.as_str().len(), note.text);
    (!notes.is_empty()).then(|| format!("notes{}", notes.iter().map(said).collect::<String>()))
}

/// What backs a step, as it was seen here; none where nothing does.
pub(super) fn backed(number: u32, step: &Step) -> Option<String> {
    let Backing { checks, files } = step.backing.as_ref()?;
    let text = step.text.as_str();
    let mut words = format!("backed {number} {}:{text}", text.len());
    for check in checks {
        let _ = write!(words, " check {}:{check}", check.as_str().len());
    }
    for (path, stand) in files {
        let _ = write!(words, " file {}:{path} {}", path.len(), stand.as_str());
    }
    Some(words)
}
