//! The packet: all that an agent that has lost its context needs to ask the next good question (G57). Concerns of the
//! referee first, then every question with the person's own words, the areas, what the repository shows, and what was
//! talked over. It is measured in characters, and says what did not fit.

mod answers;
mod room;
mod seen;
#[cfg(test)]
mod tests;

use crate::domain::concern::{Concern, ConcernKind};
use crate::domain::harmless::harmless;
use crate::domain::interview::Progress;
use crate::domain::packet_limit::PacketLimit;
use crate::domain::session::Session;
use crate::domain::settings::Intent;

use super::ledger::{Ledger, count};
use super::referee::{Areas, concerns, concerns_so_far};
use super::scene::clipped;
use room::{Item, Keep, Section, fit, length};

/// The most concerns that the reply to an answer names.
const BRIEF: usize = 6;

/// The most dropped answers that the reply to an update names.
const DROPPED: usize = 12;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Its text, at most as long as its bound.
    pub text: String,
    /// The bound in characters.
    pub limit: usize,
    /// The parts that did not fit, one line each, with where the rest is.
    pub cut: Vec<String>,
    pub concerns: Vec<Concern>,
}

impl Packet {
    pub fn characters(&self) -> usize {
        length(&self.text)
    }
}

pub fn packet(session: &Session, limit: PacketLimit) -> Packet {
    /// Room for naming what was cut: one line for each section.
    const CUT: usize = 700;
    let limit = limit.characters();
    let ledger = Ledger::of(session);
    let concerns = concerns_so_far(session);
    let head = head(session, ledger.intent());
    let sections = [
        Section {
            title: "What the rules see",
            items: concerns.iter().filter(|one| one.kind != ConcernKind::Area).map(named).collect(),
            keep: Keep::First,
            share: 25,
            rest: "grill.packetLimit sets a longer packet",
        },
        Section {
            title: "Questions and answers",
            items: answers::items(session),
            keep: Keep::Pinned,
            share: 45,
            rest: "git grill status --questions prints them all",
        },
        Section {
            title: "Areas",
            items: areas(session, &Areas::of(&ledger), &concerns),
            keep: Keep::First,
            share: 5,
            rest: "",
        },
        Section {
            title: "What the repository shows",
            items: seen::items(session),
            keep: Keep::First,
            share: 17,
            rest: "look in the repository itself",
        },
        Section {
            title: "Talked over",
            items: seen::talks(session),
            keep: Keep::Last,
            share: 8,
            rest: "git log GRILL_HEAD has every summary",
        },
    ];
    let fitted = fit(&sections, limit.saturating_sub(length(&head) + CUT));
    let mut text = head;
    if !fitted.cut.is_empty() {
        text.push_str(&clipped(&format!("Cut to {limit} characters: {}.", fitted.cut.join("; ")), CUT - 20));
        text.push('\n');
    }
    text.push_str(&fitted.text);
    Packet { text: text.trim_end().to_owned(), limit, cut: fitted.cut, concerns }
}

/// The concerns that the reply to an answer names: what the next question may be about. Areas share one line, and what
/// only matters at the end is left to `grill_status` and the gate. Empty where there is nothing to say.
pub fn brief(session: &Session) -> Vec<String> {
    let (areas, others): (Vec<Concern>, Vec<Concern>) =
        concerns_so_far(session).into_iter().filter(is_timely).partition(|one| one.kind == ConcernKind::Area);
    let mut lines = bounded(&others, BRIEF);
    if !areas.is_empty() {
        let names: Vec<&str> = areas.iter().map(|one| one.name.as_str()).collect();
        lines.push(format!("no question was about these yet: {}", names.join(", ")));
    }
    lines.iter().map(|line| harmless(line).into_owned()).collect()
}

/// Whether a concern helps to choose the next question.
fn is_timely(concern: &Concern) -> bool {
    match concern.kind {
        ConcernKind::Contradiction
        | ConcernKind::Dropped
        | ConcernKind::Misstated
        | ConcernKind::Stale
        | ConcernKind::Unconfirmed
        | ConcernKind::Citation
        | ConcernKind::Challenge
        | ConcernKind::Area
        | ConcernKind::Vague => true,
        ConcernKind::Place | ConcernKind::Skipped | ConcernKind::Open | ConcernKind::Unsaid | ConcernKind::Unasked => {
            false
        }
    }
}

/// The judgement of the rules on a checkpoint that was just replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// The number of answers that it does not reflect.
    pub dropped: usize,
    /// Those answers, a line each; the last line counts what is left out.
    pub lines: Vec<String>,
    /// Answers that it states otherwise, and decisions in it that nothing carries, a line each.
    pub others: Vec<String>,
}

/// Judges the checkpoint as it is now.
pub fn judged(session: &Session) -> Judged {
    let (dropped, others): (Vec<Concern>, Vec<Concern>) =
        concerns(session).into_iter().partition(|one| one.kind == ConcernKind::Dropped);
    let remarked = |one: &Concern| matches!(one.kind, ConcernKind::Misstated | ConcernKind::Unsaid);
    let others: Vec<Concern> = others.into_iter().filter(remarked).collect();
    let plain = |lines: Vec<String>| lines.iter().map(|line| harmless(line).into_owned()).collect();
    Judged { dropped: dropped.len(), lines: plain(bounded(&dropped, DROPPED)), others: plain(bounded(&others, BRIEF)) }
}

/// One line each, and one that counts the rest.
fn bounded(concerns: &[Concern], most: usize) -> Vec<String> {
    let mut lines: Vec<String> = concerns.iter().take(most).map(line).collect();
    if concerns.len() > most {
        lines.push(format!("and {} more, which grill_status lists", concerns.len() - most));
    }
    lines
}

fn line(concern: &Concern) -> String {
    format!("{}: {}", concern.name, concern.says)
}

fn named(concern: &Concern) -> Item {
    let full = format!("- {}", line(concern));
    Item { short: format!("- {}", clipped(&line(concern), 160)), full, pinned: false }
}

/// The lines that are never cut: topic, settings, phase and counts.
fn head(session: &Session, intent: Intent) -> String {
    let settings = &session.settings;
    let intent = match settings.intent {
        Intent::Auto => format!("auto (looks like {intent})"),
        Intent::Plan | Intent::Learn | Intent::Research | Intent::Content | Intent::Decide => intent.to_string(),
    };
    let Progress { resolved, unknown, open, deferred } = session.transcript.progress();
    let due = if session.checkpoint_due { " The checkpoint does not include the last answer yet." } else { "" };
    let waived: Vec<&str> = session.waived.iter().map(|waiver| waiver.name.as_str()).collect();
    let waived = match waived.as_slice() {
        [] => String::new(),
        names => clipped(&format!("Waved through by the user: {}.", names.join(", ")), 200) + "\n",
    };
    let head = format!(
        "Topic: {}\nIntent {intent}, intensity {}, research {}; phase {}; led by {}.\n{}: {resolved} answered, {unknown} not \
         known, {open} open, {deferred} skipped or pushed back.{due}\n{waived}",
        clipped(session.topic.as_str(), 300),
        settings.intensity,
        settings.research,
        session.phase.name(),
        settings.interviewer,
        count(u32::try_from(session.transcript.asked.len()).unwrap_or(u32::MAX), "question"),
    );
    harmless(&head).into_owned()
}

fn areas(session: &Session, areas: &Areas, concerns: &[Concern]) -> Vec<Item> {
    // Before the first question nothing was touched.
    if session.transcript.asked.is_empty() {
        return Vec::new();
    }
    let mut lines = Vec::new();
    if !areas.untouched.is_empty() {
        let names: Vec<&str> = areas.untouched.iter().map(|(_, name, _)| *name).collect();
        lines.push(format!("- never touched: {}", names.join(", ")));
        let weighty = concerns.iter().filter(|one| one.kind == ConcernKind::Area);
        let weighty: Vec<&str> = weighty.map(|one| one.name.as_str()).collect();
        if !weighty.is_empty() {
            lines.push(format!("- of these, most weight for this intent: {}", weighty.join(", ")));
        }
    }
    if areas.unlabelled > 0 {
        let number = count(u32::try_from(areas.unlabelled).unwrap_or(u32::MAX), "question");
        lines.push(format!(
            "- {number} named no area that the rules know, and spoke of none; name one of those above in dimension"
        ));
    }
    lines.into_iter().map(Item::plain).collect()
}
