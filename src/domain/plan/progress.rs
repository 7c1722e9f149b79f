//! How far a plan is: in numbers, in the words of a status line, and as the lines of a widget (P12, P17).

use std::iter;

use super::derived::Derived;
use super::{State, Step};
use crate::domain::harmless::harmless;
use crate::domain::text;

/// The most lines of the widget.
pub const MOST_LINES: usize = 8;

/// How many steps of a plan are how far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub steps: usize,
    /// Those that are finished, by [`Derived::is_finished`].
    pub finished: usize,
    /// Claimed, and there is no evidence.
    pub claimed: usize,
    pub done: usize,
    pub skipped: usize,
    /// Those whose evidence is stale.
    pub stale: usize,
    /// Open and not marked, although a file of it has changed.
    pub unknown: usize,
    /// The number of the first open one: the next to be carried out. A claimed or stale one waits for evidence instead.
    pub current: Option<u32>,
}

impl Tally {
    /// Counts the steps of a plan.
    pub fn of(plan: &State) -> Self {
        let mut tally = Self { steps: plan.steps.len(), ..Self::default() };
        for (number, step) in plan.numbered() {
            let derived = plan.derived(step);
            tally.finished += usize::from(derived.is_finished());
            match derived {
                Derived::Pending => {}
                Derived::Unknown { .. } => tally.unknown += 1,
                Derived::Claimed => tally.claimed += 1,
                Derived::Done => tally.done += 1,
                Derived::Stale { .. } => tally.stale += 1,
                Derived::Skipped => tally.skipped += 1,
            }
            if !step.is_marked() {
                tally.current = tally.current.or(Some(number));
            }
        }
        tally
    }

    /// How many are open: neither finished nor marked.
    pub fn open(&self) -> usize {
        self.steps - self.finished - self.unproven()
    }

    pub fn is_all_finished(&self) -> bool {
        self.finished == self.steps
    }

    /// How many are marked, and there is no evidence that holds.
    fn unproven(&self) -> usize {
        self.claimed + self.stale
    }

    /// The news that nothing is left to do; a plan with a claim that nothing backs is not called complete (P12, P24).
    pub fn completion(&self) -> String {
        match self.unproven() {
            0 => format!("the plan is complete: {}", self.in_words()),
            unproven => format!("every step is marked, {unproven} without evidence: {}", self.in_words()),
        }
    }

    /// The counts, as a person reads them.
    pub fn in_words(&self) -> String {
        let named = |counts: &[(usize, &str)]| -> Vec<String> {
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect()
        };
        let finished = named(&[(self.done, "done"), (self.skipped, "skipped")]);
        let finished = if finished.is_empty() { String::new() } else { format!(" ({})", finished.join(", ")) };
        let others =
            named(&[(self.claimed, "claimed"), (self.stale, "stale"), (self.unknown, Glyph::Unknown.meaning())]);
        let first = format!("{} of {} finished{finished}", self.finished, counted(self.steps));
        iter::once(first).chain(others).collect::<Vec<_>>().join(", ")
    }
}

/// The words for a status line; none where there is nothing to say.
pub fn status_words(plan: &State) -> Option<String> {
    if plan.is_executing() {
        let tally = Tally::of(plan);
        return Some(format!("plan {}/{}", tally.finished, tally.steps));
    }
    plan.is_on().then(|| "Plan Mode: ON".to_owned())
}

/// The sign before a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph {
    Pending,
    /// It is open, unclaimed or not, and the next to be carried out.
    Current,
    Claimed,
    Done,
    /// A file that its evidence depends on has changed.
    Stale,
    Skipped,
    /// Nobody marked it, and a file that it names has changed.
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WidgetLine {
    pub number: u32,
    pub glyph: Glyph,
    /// The first line of its text, harmless to show.
    pub text: String,
}

/// The steps around the current one, while the plan is carried out.
pub fn widget(plan: &State) -> Vec<WidgetLine> {
    if !plan.is_executing() {
        return vec![];
    }
    let steps = plan.steps.len();
    let current = plan.steps.iter().position(|step| !step.is_marked()).unwrap_or(steps);
    // A few finished ones above it, and as many of the others as fit.
    let first = current.saturating_sub(2).min(steps.saturating_sub(MOST_LINES));
    lines(plan).skip(first).take(MOST_LINES).collect()
}

pub fn list(plan: &State) -> Vec<WidgetLine> {
    lines(plan).collect()
}

/// The signs of these lines, each once, for a legend.
pub fn signs(lines: &[WidgetLine]) -> Vec<Glyph> {
    Glyph::ALL.into_iter().filter(|glyph| lines.iter().any(|line| line.glyph == *glyph)).collect()
}

fn lines(plan: &State) -> impl Iterator<Item = WidgetLine> {
    let current = Tally::of(plan).current.filter(|_| plan.is_executing());
    plan.numbered().map(move |(number, step)| WidgetLine {
        number,
        glyph: glyph(plan, number, step, current),
        text: harmless(step.text.first_line()).into_owned(),
    })
}

fn glyph(plan: &State, number: u32, step: &Step, current: Option<u32>) -> Glyph {
    match plan.derived(step) {
        // Of an unclaimed one the reason beside it says the rest.
        Derived::Pending | Derived::Unknown { .. } if current == Some(number) => Glyph::Current,
        Derived::Pending => Glyph::Pending,
        Derived::Claimed => Glyph::Claimed,
        Derived::Done => Glyph::Done,
        Derived::Stale { .. } => Glyph::Stale,
        Derived::Skipped => Glyph::Skipped,
        Derived::Unknown { .. } => Glyph::Unknown,
    }
}

pub fn counted(steps: usize) -> String {
    text::counted(steps, "step")
}
