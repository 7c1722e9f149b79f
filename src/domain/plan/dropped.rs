//! The marks that a new plan drops: none of its steps is marked, whatever the plan before it had.

use serde::Serialize;

use super::State;
use super::progress::counted;
use crate::domain::harmless::harmless;
use crate::domain::text::{Prose, within};

/// The most characters of a step's text in a line.
const LONGEST: usize = 80;

/// A mark of the plan before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DroppedMark<'s> {
    /// The number of its step in that plan, from 1.
    pub step: u32,
    /// The word for how far the step was.
    pub status: &'static str,
    pub text: &'s Prose,
}

impl DroppedMark<'_> {
    /// In a line, harmless to show.
    pub fn line(&self) -> String {
        let text = harmless(self.text.first_line());
        format!("step {}, {}: {}", self.step, self.status, within(&text, LONGEST))
    }
}

/// The marks of a plan, if another one stands in its place now.
pub fn dropped<'s>(before: &'s State, after: &State) -> Vec<DroppedMark<'s>> {
    if after.plan().is_none_or(|now| before.is_plan(&now)) {
        return vec![];
    }
    let marked = before.numbered().filter(|(_, step)| step.is_marked());
    marked.map(|(step, of)| DroppedMark { step, status: before.derived(of).word(), text: &of.text }).collect()
}

pub(super) fn counted_marks(marks: usize) -> String {
    if marks == 1 { "a mark on 1 step".to_owned() } else { format!("marks on {}", counted(marks)) }
}
