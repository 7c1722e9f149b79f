//! The sections of a checkpoint by what they hold. The built-in interviewer always uses the same titles; an agent or a
//! hand may call them something else.

use super::super::inline::inline;
use super::hand::HandWritten;
use super::item::{Detail, Item};
use super::items::items;
use crate::domain::outline::{Outline, Section};

/// What a section holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Topic,
    Understanding,
    Goals,
    Audience,
    Glossary,
    Shown,
    NonGoals,
    Decisions,
    Assumptions,
    Constraints,
    Risks,
    ShownBy,
    Open,
    Next,
    Outcome,
}

/// Titles, in small letters, and what stands below them.
const TITLES: &[(Kind, &[&str])] = &[
    (Kind::Topic, &["topic"]),
    (Kind::Understanding, &["current understanding", "understanding", "context", "background", "problem", "situation"]),
    (Kind::Goals, &["goals", "goal", "objective", "objectives"]),
    (Kind::Audience, &["audience", "users", "readers"]),
    (Kind::Glossary, &["glossary", "terms", "terminology"]),
    (Kind::Shown, &["what the repository shows", "evidence"]),
    (Kind::NonGoals, &["non-goals", "non goals", "nongoals", "out of scope", "not in scope", "left out"]),
    (Kind::Decisions, &["decisions", "decisions made", "key decisions", "design decisions"]),
    (Kind::Assumptions, &["assumptions"]),
    (Kind::Constraints, &["constraints", "limits"]),
    (Kind::Risks, &["risks / unknowns", "risks", "unknowns", "risks and unknowns", "risks & unknowns"]),
    (
        Kind::ShownBy,
        &[
            "how we will know",
            "verification",
            "success criteria",
            "acceptance criteria",
            "definition of done",
            "validation",
        ],
    ),
    (Kind::Open, &["open questions", "open", "unresolved", "unresolved questions"]),
    (Kind::Next, &["next steps", "next step", "action items"]),
    (Kind::Outcome, &["likely output strategy", "output strategy"]),
];

/// A checkpoint, taken apart.
#[derive(Default)]
pub(super) struct Sections {
    placed: Vec<(Kind, Vec<Item>)>,
    /// What has no place of its own.
    pub by_hand: Vec<HandWritten>,
}

impl Sections {
    /// Takes a document apart. A section of the same kind adds to the one before; a heading below a section that has a
    /// place is a word in front of its bullets.
    pub fn of(outline: &Outline) -> Self {
        let mut sections = Self::default();
        let mut under: Option<Kind> = None;
        for section in &outline.sections {
            let kind = if section.level() <= 2 { kind(section) } else { None };
            if section.level() <= 2 {
                under = kind;
            }
            match (kind, under) {
                (Some(kind), _) => sections.placed.push((kind, items(section.content()))),
                (None, Some(kind)) => {
                    let about = inline(section.title());
                    let grouped = items(section.content()).into_iter().map(|item| below(item, &about));
                    sections.placed.push((kind, grouped.collect()));
                }
                (None, None) => sections.by_hand.extend(HandWritten::of(section)),
            }
        }
        sections
    }

    /// Everything of one kind, in order; the second time nothing.
    pub fn take(&mut self, kind: Kind) -> Vec<Item> {
        let here = self.placed.iter_mut().filter(|(one, _)| *one == kind);
        here.flat_map(|(_, items)| std::mem::take(items)).collect()
    }
}

fn kind(section: &Section) -> Option<Kind> {
    let title = section.title().to_lowercase();
    TITLES.iter().find(|(_, titles)| titles.contains(&title.as_str())).map(|(kind, _)| *kind)
}

fn below(mut item: Item, heading: &str) -> Item {
    if heading.is_empty() {
        return item;
    }
    match item.lines.first_mut() {
        Some(first) => *first = format!("{heading}: {first}"),
        None => item.details.insert(0, Detail { label: None, text: heading.to_owned(), block: Vec::new() }),
    }
    item
}
