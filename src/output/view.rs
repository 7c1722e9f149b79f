//! What a template sees: the material in plain values, each sentence with the forms in which it can stand.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::cut::{criteria, words};
use super::inline::{capital, heading, inline, small, stopped, unstopped};
use super::material::decision::Rejected;
use super::material::item::Item;
use super::material::{Decision, Material, Open};
use super::piece::Piece;
use super::visible::visible;
use crate::domain::plan::cited::citation;
use crate::domain::settings::Strategy;
use crate::domain::text::counted;

/// Everything a template can name.
#[derive(Debug, Serialize)]
pub(super) struct View {
    topic: String,
    title: String,
    date: String,
    base: Option<String>,
    session: String,
    answers: u32,
    stated: Vec<SentenceView>,
    goals: Vec<SentenceView>,
    audience: Vec<SentenceView>,
    today: Vec<SentenceView>,
    context: Vec<SentenceView>,
    glossary: Vec<SentenceView>,
    shown: Vec<SentenceView>,
    non_goals: Vec<SentenceView>,
    decisions: Vec<Decided>,
    assumptions: Vec<SentenceView>,
    constraints: Vec<SentenceView>,
    /// Constraints of the thing itself, and decisions that its users meet.
    limits: Vec<SentenceView>,
    visible: Vec<Decided>,
    risks: Vec<SentenceView>,
    unknowns: Vec<SentenceView>,
    verification: Vec<SentenceView>,
    open: Vec<SentenceView>,
    next: Vec<SentenceView>,
    outcome: Vec<SentenceView>,
    by_hand: Vec<Section>,
    pieces: Vec<Part>,
    /// What the pieces are called together, and one of them.
    strategy: String,
    /// The same as a heading.
    strategy_title: String,
    piece: &'static str,
    tests: Vec<String>,
    rests_on: String,
    history: String,
    /// Which lists stand in the pieces already, so that no document says them twice.
    in_pieces: BTreeMap<&'static str, bool>,
}

#[derive(Debug, Serialize)]
pub(super) struct SentenceView {
    /// On one line.
    text: String,
    /// The same, to stand inside a sentence.
    small: String,
    /// Its first clause.
    name: String,
    /// A bullet's text with everything below it.
    full: String,
    /// A bullet's text without the bullets below it.
    plain: String,
}

#[derive(Debug, Serialize)]
struct Decided {
    text: String,
    small: String,
    name: String,
    full: String,
    plain: String,
    /// With the reason, and without what was not chosen.
    reasoned: String,
    reason: Option<String>,
    question: Option<String>,
    label: Option<String>,
    rejected: Vec<Other>,
    rejected_names: String,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Other {
    label: String,
    value: Option<String>,
    because: Option<String>,
    not_done: Option<String>,
    line: String,
}

#[derive(Debug, Serialize)]
struct Section {
    marks: String,
    title: String,
    text: String,
}

#[derive(Debug, Serialize)]
struct Part {
    number: usize,
    title: String,
    /// The numbers of the questions whose answers it carries out.
    decisions: Vec<u32>,
    /// The title with these decisions, as a step of a plan cites them.
    step: String,
    purpose: Vec<SentenceView>,
    contents: Vec<SentenceView>,
    done_when: Vec<SentenceView>,
    /// What has to be seen for it to be over, in the words of its kind.
    criteria: Vec<SentenceView>,
    /// Contents and end without what the title says already.
    told: Vec<SentenceView>,
    mind: Vec<SentenceView>,
    not_this: Vec<SentenceView>,
    begin: Vec<SentenceView>,
    after: Vec<usize>,
}

impl SentenceView {
    fn of(item: &Item) -> Self {
        let text = item.text();
        Self { small: small(unstopped(&text)), name: item.name(), full: item.full(), plain: item.plain(), text }
    }

    fn all(items: &[Item]) -> Vec<Self> {
        items.iter().map(Self::of).collect()
    }
}

impl Decided {
    fn of(decision: &Decision) -> Self {
        let said = SentenceView::of(&decision.item);
        Self {
            text: said.text,
            small: said.small,
            name: said.name,
            full: said.full,
            plain: said.plain,
            reasoned: decision.with_reason().full(),
            reason: decision.reason.clone(),
            question: decision.question.clone(),
            label: decision.label.clone(),
            rejected: decision.rejected.iter().map(Other::of).collect(),
            rejected_names: decision.rejected.iter().map(Rejected::named).collect::<Vec<_>>().join("; "),
            notes: decision.item.details.iter().map(|detail| stopped(&detail.line())).collect(),
        }
    }
}

impl Other {
    fn of(rejected: &Rejected) -> Self {
        let Rejected { label, value, because, .. } = rejected.clone();
        Self { label, value, because, not_done: rejected.not_done(), line: rejected.line() }
    }
}

impl Part {
    fn of(number: usize, piece: &Piece, strategy: &Strategy) -> Self {
        let decisions = decisions(piece);
        Self {
            number,
            title: piece.title.clone(),
            step: format!("{} {}", piece.title, citation(&decisions)).trim_end().to_owned(),
            decisions,
            purpose: SentenceView::all(&piece.purpose),
            contents: SentenceView::all(&piece.contents),
            done_when: SentenceView::all(&piece.done_when),
            // What has an end of its own is over then; what is only told is over when all of it is told.
            criteria: if piece.done_when.is_empty() {
                SentenceView::all(&criteria(strategy, piece))
            } else {
                SentenceView::all(&piece.done_when)
            },
            told: {
                let all = piece.contents.iter().chain(&piece.done_when);
                all.filter(|item| heading(&item.text()) != piece.title).map(SentenceView::of).collect()
            },
            mind: SentenceView::all(&piece.mind),
            not_this: SentenceView::all(&piece.not_this),
            begin: SentenceView::all(&piece.begin),
            after: piece.after.iter().map(|at| at + 1).collect(),
        }
    }
}

impl View {
    /// The view of a session, cut into pieces.
    pub fn of(material: &Material, pieces: &[Piece], strategy: &Strategy) -> Self {
        let words = words(strategy);
        let called = match strategy {
            Strategy::Known(_) => words.all.to_owned(),
            Strategy::Custom(own) => heading(&inline(own.as_str())),
        };
        let tests = material.facts.tests.iter().take(6);
        Self {
            topic: material.topic.clone(),
            title: heading(&material.title()),
            date: material.date.clone(),
            base: material.base.clone(),
            session: material.session.clone(),
            answers: material.answers,
            stated: SentenceView::all(&material.stated),
            goals: SentenceView::all(&material.goals),
            audience: SentenceView::all(&material.audience),
            today: SentenceView::all(&material.today),
            context: SentenceView::all(&material.context),
            glossary: SentenceView::all(&material.glossary),
            shown: SentenceView::all(&material.shown),
            non_goals: SentenceView::all(&material.non_goals),
            decisions: material.decisions.iter().map(Decided::of).collect(),
            assumptions: SentenceView::all(&material.assumptions),
            constraints: SentenceView::all(&material.constraints),
            limits: material.limits().map(SentenceView::of).collect(),
            visible: visible(material).map(Decided::of).collect(),
            risks: SentenceView::all(&material.risks),
            // An unknown is an open question in other words; both together would say it twice.
            unknowns: if material.open.is_empty() { SentenceView::all(&material.unknowns) } else { Vec::new() },
            verification: SentenceView::all(&material.shown_by),
            open: material.open.iter().map(Open::whole).map(|item| SentenceView::of(&item)).collect(),
            next: SentenceView::all(&material.next),
            outcome: SentenceView::all(&material.outcome),
            by_hand: material.by_hand.iter().map(Section::of).collect(),
            pieces: pieces.iter().enumerate().map(|(index, piece)| Part::of(index + 1, piece, strategy)).collect(),
            strategy_title: capital(&called),
            strategy: called,
            piece: words.one,
            tests: tests.map(|one| format!("{} (`{}`)", inline(&one.what), one.at)).collect(),
            rests_on: counted(material.answers, "answer"),
            history: format!(
                "Every question, answer and version of the understanding behind this document is kept in the clone where \
                 the interview was held: `git log grill/sessions/{}`.",
                material.session
            ),
            in_pieces: in_pieces(pieces, material),
        }
    }
}

/// The questions whose answers a piece carries out, by their numbers.
fn decisions(piece: &Piece) -> Vec<u32> {
    let carried_out = piece.contents.iter().chain(&piece.done_when);
    let numbers: BTreeSet<u32> = carried_out.filter_map(|item| Some(item.origin.as_ref()?.number)).collect();
    numbers.into_iter().collect()
}

/// Which lists stand in the pieces as a whole.
fn in_pieces(pieces: &[Piece], material: &Material) -> BTreeMap<&'static str, bool> {
    let lists = pieces.iter().flat_map(|one| [&one.contents, &one.done_when, &one.mind, &one.begin, &one.not_this]);
    let there: BTreeSet<String> = lists.flatten().map(Item::text).collect();
    let within = |list: &Vec<Item>| !list.is_empty() && list.iter().all(|item| there.contains(&item.text()));
    let lists = [
        ("constraints", &material.constraints),
        ("risks", &material.risks),
        ("verification", &material.shown_by),
        ("assumptions", &material.assumptions),
        ("audience", &material.audience),
        ("goals", &material.goals),
    ];
    lists.into_iter().map(|(name, list)| (name, within(list))).collect()
}

impl Section {
    fn of(section: &super::material::HandWritten) -> Self {
        // A hand-written title must not stand beside the document's own.
        let marks = if section.title.is_empty() { String::new() } else { "#".repeat(section.level.max(2)) };
        Self { marks, title: section.title.clone(), text: section.lines.join("\n") }
    }
}
