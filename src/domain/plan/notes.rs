//! Notes on the steps of a plan, from the person who approves it to the agent that made it (P23): their limits, and how
//! they are written below each step in an editor and read back. A review adds notes and never changes a step.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::parse::item;
use super::steps::weight;
use super::{Refusal, State};
use crate::domain::text::{Prose, plain_line_ends};

/// The longest note on a step, in characters.
pub const LONGEST_STEP_NOTE: usize = 1_000;
/// The largest review, in bytes of its notes as they are stored.
pub const LARGEST_REVIEW: usize = 16 * 1024;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepNote {
    /// The number of the step, from 1.
    pub step: u32,
    pub text: Prose,
}

/// Notes on a plan: at most one on each step, in the order of the steps, within the limits above.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes(Vec<StepNote>);

impl Notes {
    /// Checks notes. Several notes on one step are joined; a blank note is dropped.
    pub fn parse(given: impl IntoIterator<Item = (u32, String)>) -> Result<Self, Refusal> {
        let mut texts: BTreeMap<u32, String> = BTreeMap::new();
        for (step, text) in given {
            let whole = texts.entry(step).or_default();
            if !whole.is_empty() {
                whole.push('\n');
            }
            whole.push_str(text.trim());
        }
        let mut notes = Vec::new();
        for (step, text) in texts.iter().filter(|(_, text)| !text.trim().is_empty()) {
            let characters = text.trim().chars().count();
            let too_long = || Refusal::StepNoteTooLong { step: *step, characters };
            if characters > LONGEST_STEP_NOTE {
                return Err(too_long());
            }
            let text = Prose::parse("the note", text).map_err(|_| too_long())?;
            notes.push(StepNote { step: *step, text });
        }
        let bytes: usize = notes.iter().map(|note| weight(note.text.as_str())).sum();
        if bytes > LARGEST_REVIEW { Err(Refusal::ReviewTooLarge { bytes }) } else { Ok(Self(notes)) }
    }

    /// The notes that wait on a plan, with these replacing those on the same steps.
    pub fn with(plan: &State, given: Vec<(u32, String)>) -> Result<Self, Refusal> {
        let kept = plan.notes.iter().filter(|note| given.iter().all(|(step, _)| *step != note.step));
        let kept: Vec<(u32, String)> = kept.map(|note| (note.step, note.text.to_string())).collect();
        Self::parse(kept.into_iter().chain(given))
    }

    pub fn list(&self) -> &[StepNote] {
        &self.0
    }
}

pub(super) fn counted_notes(notes: usize) -> String {
    if notes == 1 { "a note on 1 step".to_owned() } else { format!("notes on {notes} steps") }
}

/// The text above the steps in the editor.
const HEAD: &str = "Write your note on a step after the > below it, on as many lines as you need.\n\
                    Not every step needs a note. Change nothing else here; git grill plan set changes the steps.\n";

/// The plan as it is reviewed in an editor: room for a note below each step.
pub fn sheet(plan: &State) -> String {
    let mut sheet = HEAD.to_owned();
    for (number, step) in plan.numbered() {
        let note = plan.notes.iter().find(|note| note.step == number).map_or("", |note| note.text.as_str());
        let lines: Vec<String> = note.split('\n').map(|line| format!("> {line}\n")).collect();
        let _ = write!(sheet, "\n{}{}", item(number, step.text.as_str()), lines.concat());
    }
    sheet
}

/// Reads the notes of a sheet that was edited. It must contain every step unchanged.
pub fn read(plan: &State, sheet: &str) -> Result<Notes, Refusal> {
    let sheet = plain_line_ends(sheet);
    let lines: Vec<&str> = sheet.lines().map(str::trim_end).collect();
    let mut behind = 0;
    let mut places = Vec::with_capacity(plan.steps.len());
    for (number, step) in plan.numbered() {
        let text = item(number, step.text.as_str());
        let text: Vec<&str> = text.lines().map(str::trim_end).collect();
        let place = (behind..lines.len()).find(|at| lines[*at..].starts_with(&text));
        let place = place.ok_or(Refusal::StepEdited { step: number })?;
        behind = place + text.len();
        places.push((number, place, behind));
    }
    let above = places.first().map_or(0, |(_, place, _)| *place);
    let is_ours = |line: &&str| line.is_empty() || HEAD.lines().any(|ours| ours == *line);
    if !lines[..above].iter().all(is_ours) {
        return Err(Refusal::NoteWithoutStep);
    }
    let ends = places.iter().skip(1).map(|(_, place, _)| *place).chain([lines.len()]);
    let note = |((number, _, begin), end): (&(u32, usize, usize), usize)| {
        let said: Vec<&str> = lines[*begin..end].iter().map(|line| unquoted(line)).collect();
        (*number, said.join("\n"))
    };
    Notes::parse(places.iter().zip(ends).map(note))
}

/// The text of a line of a note, which may have lost its mark.
fn unquoted(line: &str) -> &str {
    let text = line.strip_prefix('>').unwrap_or(line);
    text.strip_prefix(' ').unwrap_or(text)
}
