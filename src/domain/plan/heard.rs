//! What an agent that is spoken to over ACP lets hear of a plan in one turn: the steps that it marks, in its messages or as
//! entries of a list of its own, and a plan that it proposes (P16, P20). Both are words: a mark is a claim, and a plan is
//! set by somebody who says yes to it.

use std::collections::BTreeSet;

use super::brief::ask_once;
use super::marks::marks;
use super::parse::{LARGEST_TEXT, from_message};
use super::{Refusal, State, Step, Steps};

/// What an agent said and listed in one turn. Its thoughts are no part of that: intention is not completion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// What it said, the oldest first; a tool call or a thought ends a message.
    pub messages: Vec<String>,
    /// Whether more was said than is kept.
    pub is_cut: bool,
    /// The entries of its own list, as it sent them last.
    pub entries: Vec<Entry>,
    /// The texts of entries that an earlier list of the turn had as not completed.
    pub open: BTreeSet<String>,
    /// Whether a tool of its own changed or ran something.
    pub worked: bool,
}

impl Turn {
    /// The turn as it was left before it was over. The line in which its last message breaks off may quote what it seems to
    /// mark.
    #[must_use]
    pub fn broken_off(mut self) -> Self {
        if let Some(last) = self.messages.last_mut() {
            let line = last.rfind('\n').map_or(0, |at| at + 1);
            if last[line..].contains('`') {
                last.truncate(line);
            }
        }
        self
    }
}

/// The steps that an agent's own list had as not completed since it had them as completed last. A list is sent whole each
/// time, so what it says of a step that a person opened again is new only where that is among these (P20).
#[derive(Clone, Debug, Default)]
pub struct Listed {
    plan: Option<Steps>,
    open: BTreeSet<u32>,
}

/// An entry of an agent's own list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub text: String,
    pub status: EntryStatus,
}

/// How far an entry is, in its agent's word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryStatus {
    Pending,
    InProgress,
    Completed,
    /// A word that the protocol did not have when this was written. It says nothing of a step.
    Unknown(String),
}

/// The steps that a turn claims, each once, in the order of the plan: those alone of the plan that was carried out when
/// the turn began, and is still. A number that no step has is passed over, and so is a step that is marked already.
pub fn claims(begun: &State, now: &State, turn: &Turn, listed: &mut Listed) -> Vec<u32> {
    if !now.is_executing() || begun.execution != now.execution || begun.plan() != now.plan() {
        return vec![];
    }
    let said = turn.messages.iter().flat_map(|message| marks(message));
    let numbers: BTreeSet<u32> = said.chain(listed.completed(now, turn)).collect();
    numbers.into_iter().filter(|number| now.step(*number).is_some_and(|step| !step.is_marked())).collect()
}

/// The plan that the last message of a turn proposes, while plan mode is on; none that is set already, and none where the
/// agent, or somebody else, set one meanwhile.
pub fn proposal(begun: &State, now: &State, turn: &Turn) -> Result<Option<Steps>, Refusal> {
    if !now.is_on() || begun.plan() != now.plan() {
        return Ok(None);
    }
    if turn.is_cut {
        return Err(Refusal::TextTooLarge { bytes: LARGEST_TEXT + 1 });
    }
    let last = turn.messages.iter().rev().find(|message| !message.trim().is_empty());
    let steps = last.map(|message| from_message(message)).transpose()?.flatten();
    Ok(steps.filter(|steps| !now.is_plan(steps)))
}

/// Whether a turn did work on the plan and marked nothing, by whatever means, so that it is asked once which steps are
/// done (P20).
pub fn is_unmarked(begun: &State, now: &State, turn: &Turn) -> bool {
    let marked = |plan: &State| plan.steps.iter().filter(|step| step.is_marked()).count();
    turn.worked && begun.plan() == now.plan() && marked(begun) == marked(now) && ask_once(now).is_some()
}

impl Listed {
    /// The steps whose texts stand in the list as completed, and that were not all along. Entries take steps in the order of
    /// the list, so that two steps of one text are two entries.
    fn completed(&mut self, plan: &State, turn: &Turn) -> Vec<u32> {
        if self.plan != plan.plan() {
            *self = Self { plan: plan.plan(), open: BTreeSet::new() };
        }
        for text in &turn.open {
            let mut taken = BTreeSet::new();
            while let Some(number) = step_of(plan, text, &taken) {
                taken.insert(number);
            }
            self.open.extend(taken);
        }
        let mut taken = BTreeSet::new();
        let mut completed = Vec::new();
        for entry in &turn.entries {
            let Some(number) = step_of(plan, &entry.text, &taken) else { continue };
            taken.insert(number);
            match entry.status {
                EntryStatus::Completed => {
                    let changed = self.open.remove(&number);
                    if changed || plan.step(number).is_some_and(|step| !step.reopened) {
                        completed.push(number);
                    }
                }
                EntryStatus::Pending | EntryStatus::InProgress | EntryStatus::Unknown(_) => {
                    self.open.insert(number);
                }
            }
        }
        completed
    }
}

/// The step that an entry speaks of: its whole text, or its first line where no other step has that; with its own number
/// before it, or with none.
fn step_of(plan: &State, entry: &str, taken: &BTreeSet<u32>) -> Option<u32> {
    let entry = flat(entry);
    let (number, text) = numbered(&entry).unwrap_or((None, entry.as_str()));
    let may_be = |(at, _): &(u32, &Step)| !taken.contains(at) && number.is_none_or(|number| number == *at);
    if let Some((at, _)) = plan.numbered().filter(may_be).find(|(_, step)| flat(step.text.as_str()) == text) {
        return Some(at);
    }
    let mut begin_so = plan.numbered().filter(may_be).filter(|(_, step)| flat(step.text.first_line()) == text);
    let (at, _) = begin_so.next()?;
    begin_so.next().is_none().then_some(at)
}

/// The number before a text, as in `2. Call it`, and the text.
fn numbered(entry: &str) -> Option<(Option<u32>, &str)> {
    let text = entry.trim_start_matches(|one: char| one.is_ascii_digit());
    let number = entry[..entry.len() - text.len()].parse().ok()?;
    Some((Some(number), text.strip_prefix(['.', ')'])?.strip_prefix(' ')?))
}

/// The text on one line: agents break and indent their lists in their own way.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
