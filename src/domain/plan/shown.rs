//! What everybody sees of plan mode, wherever a session is shown (P12, P17, P21).

use jiff::Timestamp;
use serde::Serialize;

use super::brief::brief;
use super::cited::{Served, served};
use super::derived::{Backing, Mismatch};
use super::notes::StepNote;
use super::progress::{self, Glyph, Tally, WidgetLine};
use super::{Source, State, Step, StepStatus};
use crate::domain::actor::Actor;
use crate::domain::session::Session;
use crate::domain::subsystem::Shown;
use crate::domain::text::{Line, Prose};

impl Glyph {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Pending, Self::Current, Self::Claimed, Self::Done, Self::Stale, Self::Skipped, Self::Unknown];

    pub fn sign(self) -> char {
        match self {
            Self::Pending => '☐',
            Self::Current => '▸',
            Self::Claimed => '◐',
            Self::Done => '☑',
            Self::Stale => '!',
            Self::Skipped => '☒',
            Self::Unknown => '?',
        }
    }

    /// Its entry in a legend.
    pub fn entry(self) -> (char, &'static str) {
        (self.sign(), self.meaning())
    }

    /// What it says of a step, for a legend.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Pending => "open",
            Self::Current => "next",
            Self::Claimed => "claimed, without evidence",
            Self::Done => "done",
            Self::Stale => "stale, changed again",
            Self::Skipped => "skipped",
            Self::Unknown => "unclaimed, but changed",
        }
    }
}

impl WidgetLine {
    /// The line, with its number under those of a plan of so many steps.
    pub fn line(&self, steps: usize) -> String {
        let digits = steps.to_string().len();
        format!("{} {:>digits$}. {}", self.glyph.sign(), self.number, self.text)
    }
}

/// What programs read of a plan.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct View<'s> {
    /// Whether plan mode is on.
    on: bool,
    executing: bool,
    /// Whether it is carried out and all steps of it are done or skipped.
    complete: bool,
    steps: Vec<StepView<'s>>,
    /// Notes on the steps that no new plan has answered yet.
    #[serde(skip_serializing_if = "no_notes")]
    notes: &'s [StepNote],
    source: Option<&'s Source>,
    /// Changes that no step names, and steps without a change, where they were looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    outside: Option<&'s Mismatch>,
}

/// What programs read of a step.
#[derive(Serialize)]
struct StepView<'s> {
    text: &'s Prose,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'s Actor>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'s Line>,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    backing: Option<&'s Backing>,
    /// The decisions that it cites.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    serves: Vec<Served>,
}

impl<'s> StepView<'s> {
    fn of(session: &Session, plan: &State, step: &'s Step) -> Self {
        let (by, at, note) = match &step.status {
            StepStatus::Pending => (None, None, None),
            StepStatus::Claimed { by, at, note } => (Some(by), Some(*at), note.as_ref()),
            StepStatus::Done { by, at } | StepStatus::Skipped { by, at } => (Some(by), Some(*at), None),
        };
        let derived = plan.derived(step);
        let (status, because) = (derived.word(), derived.because());
        let serves = served(session, step);
        Self { text: &step.text, status, by, at, note, because, backing: step.backing.as_ref(), serves }
    }
}

fn no_notes(notes: &&[StepNote]) -> bool {
    notes.is_empty()
}

impl Shown for State {
    type View<'s> = View<'s>;

    fn view<'s>(&'s self, session: &'s Session) -> Option<View<'s>> {
        let view = View {
            on: self.is_on(),
            executing: self.is_executing(),
            complete: self.is_complete(),
            steps: self.steps.iter().map(|step| StepView::of(session, self, step)).collect(),
            notes: &self.notes,
            source: self.source.as_ref(),
            outside: self.seen.outside.as_ref(),
        };
        (*self != Self::default()).then_some(view)
    }

    fn rows(&self) -> Vec<(&'static str, String)> {
        let tally = || Tally::of(self).in_words();
        let mode = self.is_on().then(|| ("plan mode", "ON".to_owned()));
        let plan = match (self.steps.is_empty(), self.is_executing()) {
            (true, _) => None,
            (false, true) => Some(("plan", format!("executing, {}", tally()))),
            (false, false) if !self.notes.is_empty() => {
                Some(("plan", "its notes are not answered yet; git grill plan show shows them".to_owned()))
            }
            (false, false) => {
                Some(("plan", format!("{}; git grill plan show shows it", progress::counted(self.steps.len()))))
            }
        };
        mode.into_iter().chain(plan).collect()
    }

    fn words(&self) -> Option<String> {
        progress::status_words(self)
    }

    fn called(&self) -> Option<&'static str> {
        match (self.is_executing(), self.is_on()) {
            (true, _) => Some("executing a plan"),
            (false, true) => Some("plan mode"),
            (false, false) => None,
        }
    }

    fn widget(&self) -> Vec<String> {
        progress::widget(self).iter().map(|line| line.line(self.steps.len())).collect()
    }

    fn legend(&self) -> Vec<(char, &'static str)> {
        progress::signs(&progress::widget(self)).into_iter().map(Glyph::entry).collect()
    }

    fn instructions(&self) -> Option<String> {
        brief(self)
    }
}
