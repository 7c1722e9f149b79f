//! Cutting: the same understanding as slices, chapters, investigations, sections, records or experiments (G28). Nothing
//! is invented: every sentence of a piece comes from the session, and the rest are a few fixed titles.

use super::material::item::Item;
use super::material::{Decision, Material, Open};
use super::piece::{Piece, line, without_empty};
use super::related::Related;
use super::visible::names_a_file;
use crate::domain::settings::{CataloguedStrategy, Strategy};

/// What a strategy calls its pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Words {
    /// One of them.
    pub one: &'static str,
    /// All of them.
    pub all: &'static str,
    /// The label of an issue.
    pub label: &'static str,
}

/// What the pieces of a strategy are called.
pub(super) fn words(strategy: &Strategy) -> Words {
    let (one, all, label) = match strategy {
        Strategy::Known(known) => match known {
            CataloguedStrategy::VerticalSlices => ("Slice", "slices", "slice"),
            CataloguedStrategy::TutorialChapters => ("Chapter", "chapters", "chapter"),
            CataloguedStrategy::ResearchInvestigations => ("Investigation", "investigations", "investigation"),
            CataloguedStrategy::ContentOutline => ("Section", "outline", "content"),
            CataloguedStrategy::AdrCandidates => ("Record", "decisions to record", "decision"),
            CataloguedStrategy::MilestoneExperiments => ("Experiment", "experiments", "experiment"),
        },
        Strategy::Custom(_) => ("Part", "parts", "part"),
    };
    Words { one, all, label }
}

/// The pieces, those first that others need.
pub(super) fn pieces(strategy: &Strategy, material: &Material) -> Vec<Piece> {
    let pieces = match strategy {
        Strategy::Known(known) => match known {
            CataloguedStrategy::VerticalSlices => slices(material),
            CataloguedStrategy::TutorialChapters => chapters(material),
            CataloguedStrategy::ResearchInvestigations => investigations(material),
            CataloguedStrategy::ContentOutline => sections(material),
            CataloguedStrategy::AdrCandidates => records(material),
            CataloguedStrategy::MilestoneExperiments => experiments(material),
        },
        Strategy::Custom(_) => slices(material),
    };
    let mut pieces = without_empty(pieces);
    // What is no more than a block of code has no words to be called by.
    for (place, piece) in pieces.iter_mut().enumerate().filter(|(_, piece)| piece.title.trim().is_empty()) {
        piece.title = format!("{} {}", words(strategy).one, place + 1);
    }
    pieces
}

/// One decision as a piece: it is over when what was decided is true.
fn of_decision(decision: &Decision) -> Piece {
    let mut piece = Piece::titled(&decision.item.name());
    piece.purpose = decision.reason.iter().map(|reason| line(reason)).collect();
    piece.done_when = vec![decision.item.alone()];
    piece.not_this =
        decision.rejected.iter().map(|one| line(&one.not_done().unwrap_or_else(|| one.label.clone()))).collect();
    // That it stands although it was challenged belongs to the record of the decision, not to the work.
    let told = decision.item.details.iter().filter(|detail| detail.label.as_deref() != Some("Challenged"));
    piece.mind = told.map(|detail| line(&detail.line())).collect();
    piece
}

/// What is open, as one piece in front of the others.
fn to_find_out(material: &Material) -> Piece {
    let questions = material.open.iter().map(Open::whole);
    let found: Vec<Item> = questions.chain(material.assumptions.iter().cloned()).collect();
    let mut piece = match found.as_slice() {
        [one] => Piece::titled(&one.name()),
        _ => Piece::titled("What is not certain yet"),
    };
    piece.done_when = found;
    piece
}

/// Slices: what is uncertain, a slice for each decision with all that belongs to it, and the proof of the whole. Where
/// something lives is no slice; it shapes the first one.
fn slices(material: &Material) -> Vec<Piece> {
    let related = Related::of(material);
    let mut pieces = vec![to_find_out(material)];
    let waits = if material.open.is_empty() { Vec::new() } else { vec![0] };
    let first = pieces.len();
    let places: Vec<bool> = material.decisions.iter().map(|one| names_a_file(material, &one.item)).collect();
    let all_places = places.iter().all(|place| *place);
    // The piece in which a decision stands.
    let mut home: Vec<usize> = Vec::with_capacity(material.decisions.len());
    for (decision, place) in material.decisions.iter().zip(&places) {
        if *place && !all_places {
            home.push(first);
            continue;
        }
        home.push(pieces.len());
        pieces.push(of_decision(decision));
    }
    for (index, decision) in material.decisions.iter().enumerate() {
        let here = home[index];
        if places[index] && !all_places {
            pieces[first].done_when.push(decision.item.alone());
            continue;
        }
        if here == first {
            pieces[here].begin.clone_from(&material.next);
            pieces[here].after.extend(&waits);
            continue;
        }
        let mut after: Vec<usize> =
            related.before(index).into_iter().map(|at| home[at]).filter(|at| *at < here).collect();
        if after.is_empty() {
            after.push(first);
        }
        pieces[here].after = after;
    }
    let mut whole = Piece::titled("Show that it works");
    for constraint in &material.constraints {
        let piece = related.decision(constraint).and_then(|index| pieces.get_mut(home[index]));
        piece.unwrap_or(&mut whole).done_when.push(constraint.clone());
    }
    for risk in &material.risks {
        let piece = related.decision(risk).and_then(|index| pieces.get_mut(home[index]));
        piece.unwrap_or(&mut whole).mind.push(risk.clone());
    }
    whole.done_when.extend(material.shown_by.iter().cloned());
    whole.not_this.clone_from(&material.non_goals);
    if material.decisions.is_empty() {
        whole.begin.clone_from(&material.next);
    }
    whole.after = (first..pieces.len()).collect();
    pieces.push(whole);
    pieces
}

fn explained(decision: &Decision) -> Piece {
    let mut piece = of_decision(decision);
    piece.contents = std::mem::take(&mut piece.done_when);
    piece
}

/// Chapters, each standing on the one before: where one begins, what was decided, what goes wrong, how one tries it, and
/// what stays open.
fn chapters(material: &Material) -> Vec<Piece> {
    let mut begin = Piece::titled("Where it begins");
    let known = [&material.audience, &material.goals, &material.today, &material.context, &material.glossary];
    begin.contents = known.into_iter().flatten().cloned().collect();
    begin.begin.clone_from(&material.next);
    begin.not_this.clone_from(&material.non_goals);
    let mut pieces = vec![begin];
    let related = Related::of(material);
    let first = pieces.len();
    pieces.extend(material.decisions.iter().map(explained));
    let mut pitfalls = Piece::titled("What goes wrong");
    for risk in &material.risks {
        match related.decision(risk).and_then(|index| pieces.get_mut(first + index)) {
            Some(piece) => piece.mind.push(risk.clone()),
            None => pitfalls.contents.push(risk.clone()),
        }
    }
    pieces.push(pitfalls);
    let mut limits = Piece::titled("Where its limits are");
    limits.contents.clone_from(&material.constraints);
    pieces.push(limits);
    let mut tried = Piece::titled("How one sees that it works");
    tried.contents.clone_from(&material.shown_by);
    pieces.push(tried);
    let mut open = to_find_out(material);
    open.contents = std::mem::take(&mut open.done_when);
    pieces.push(open);
    chained(pieces)
}

/// Drops empty pieces before the others are tied to their neighbours, so that no chain breaks.
fn chained(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut kept: Vec<Piece> = pieces.into_iter().filter(|piece| !piece.is_empty()).collect();
    for (index, piece) in kept.iter_mut().enumerate() {
        piece.after = index.checked_sub(1).into_iter().collect();
    }
    kept
}

/// One investigation for each thing that is not known or not checked, and one for what could mislead.
fn investigations(material: &Material) -> Vec<Piece> {
    let open = material.open.iter().map(|open| {
        let mut piece = Piece::titled(&open.item.name());
        piece.done_when = vec![open.item.clone()];
        piece.begin = open.find_out.iter().map(|how| line(how)).collect();
        piece
    });
    let one = |item: &Item| {
        let mut piece = Piece::titled(&item.name());
        piece.done_when = vec![item.clone()];
        piece
    };
    let mut pieces: Vec<Piece> = open.chain(material.assumptions.iter().map(one)).collect();
    if pieces.is_empty() {
        return material.risks.iter().map(one).collect();
    }
    let mut risks = Piece::titled("What could mislead us");
    risks.done_when.clone_from(&material.risks);
    risks.after = (0..pieces.len()).collect();
    pieces.push(risks);
    pieces
}

/// Sections of something that is read: who reads it, what it says, what it leaves out.
fn sections(material: &Material) -> Vec<Piece> {
    let mut opening = Piece::titled("For whom, and what they take away");
    opening.contents = [&material.audience, &material.goals].into_iter().flatten().cloned().collect();
    opening.not_this.clone_from(&material.non_goals);
    let mut pieces = vec![opening];
    pieces.extend(material.decisions.iter().map(explained));
    let mut form = Piece::titled("Form");
    form.contents.clone_from(&material.constraints);
    form.mind.clone_from(&material.risks);
    pieces.push(form);
    let mut closing = Piece::titled("Before it is published");
    closing.done_when = material.open.iter().map(Open::whole).chain(material.assumptions.iter().cloned()).collect();
    closing.done_when.extend(material.shown_by.iter().cloned());
    closing.begin.clone_from(&material.next);
    closing.after = (0..pieces.len()).collect();
    pieces.push(closing);
    pieces
}

fn records(material: &Material) -> Vec<Piece> {
    let related = Related::of(material);
    let recorded = |(index, decision): (usize, &Decision)| {
        let mut piece = of_decision(decision);
        piece.contents = decision.question.iter().map(|question| line(question)).collect();
        piece.after = related.before(index);
        piece
    };
    let mut pieces: Vec<Piece> = material.decisions.iter().enumerate().map(recorded).collect();
    for risk in &material.risks {
        if let Some(piece) = related.decision(risk).and_then(|index| pieces.get_mut(index)) {
            piece.mind.push(risk.clone());
        }
    }
    pieces
}

/// One experiment for each thing that is not known, what is believed first; the whole in its smallest form at the end.
fn experiments(material: &Material) -> Vec<Piece> {
    let tried = |item: Item, begin: Vec<Item>| {
        let mut piece = Piece::titled(&item.name());
        piece.done_when = vec![item];
        piece.begin = begin;
        piece
    };
    let assumed = material.assumptions.iter().map(|item| tried(item.clone(), Vec::new()));
    let open = material.open.iter().map(|open| {
        let how = open.find_out.iter().map(|how| line(how)).collect();
        tried(open.item.clone(), how)
    });
    let feared = material.risks.iter().map(|item| {
        let mut item = item.clone();
        let against = item.take("Against it");
        tried(item, against.iter().map(|one| line(&one.text)).collect())
    });
    let mut pieces: Vec<Piece> = assumed.chain(open).chain(feared).collect();
    let mut whole = Piece::titled("The whole in its smallest form");
    whole.contents = material.decisions.iter().map(|decision| decision.item.alone()).collect();
    whole.done_when = material.shown_by.iter().chain(&material.constraints).cloned().collect();
    whole.begin.clone_from(&material.next);
    pieces.push(whole);
    chained(pieces)
}

/// What has to be seen for a piece to be over, in the words of its kind: a chapter has to say something, a question has
/// to be answered, and of an experiment one has to know how it ended.
pub(super) fn criteria(strategy: &Strategy, piece: &Piece) -> Vec<Item> {
    let labelled = |label: &str, list: &[Item]| -> Vec<Item> {
        let labelled = |item: &Item| {
            let mut item = item.alone();
            if let Some(first) = item.lines.first_mut() {
                *first = format!("{label}: {first}");
            }
            item
        };
        list.iter().map(labelled).collect()
    };
    let told = || {
        let lists = [
            labelled("Says", &piece.contents),
            labelled("Gives the reason", &piece.purpose),
            labelled("Sets it apart from", &piece.not_this),
            labelled("Warns", &piece.mind),
            piece.done_when.clone(),
        ];
        lists.concat()
    };
    match strategy {
        Strategy::Known(known) => match known {
            CataloguedStrategy::TutorialChapters | CataloguedStrategy::ContentOutline => told(),
            CataloguedStrategy::ResearchInvestigations => labelled("Answered, with what was seen", &piece.done_when),
            CataloguedStrategy::AdrCandidates => labelled("Recorded", &piece.done_when),
            CataloguedStrategy::MilestoneExperiments if piece.contents.is_empty() => {
                labelled("A yes or a no", &piece.done_when)
            }
            CataloguedStrategy::VerticalSlices | CataloguedStrategy::MilestoneExperiments => piece.done_when.clone(),
        },
        Strategy::Custom(_) => piece.done_when.clone(),
    }
}
