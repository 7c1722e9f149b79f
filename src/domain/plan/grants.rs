//! The parts of a plan that allow somebody to act, as texts with all of their content. Such a text counts only in the
//! clone that recorded it.

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

/// A person's decision on a step, if there is one.
pub(super) fn settled(number: u32, step: &Step) -> Option<String> {
    let text = step.text.as_str();
    match step.status {
        StepStatus::Pending | StepStatus::Claimed { .. } => None,
        StepStatus::Done { .. } | StepStatus::Skipped { .. } => Some(format!("{} {number} {text}", step.status.word())),
    }
}

/// A person's notes, which agents get as that person's. None where there are none.
pub(super) fn notes(notes: &[StepNote]) -> Option<String> {
    let said = |note: &StepNote| format!(" {} {}:{}", note.step, note.text.as_str().len(), note.text);
    (!notes.is_empty()).then(|| format!("notes{}", notes.iter().map(said).collect::<String>()))
}

/// The evidence that a step is done, as it was found in this clone; none where there is none.
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
