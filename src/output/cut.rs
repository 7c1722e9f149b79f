//! Cutting: the same understanding as slices, chapters, investigations, decisions or experiments (G28). Nothing is
//! invented; every line of a plan comes from the checkpoint.

use crate::domain::settings::{CataloguedStrategy, Strategy};

use super::bullets::Bullet;
use super::design_doc::Understanding;

/// The heading of the plan.
pub(super) fn title(strategy: &Strategy) -> String {
    match strategy {
        Strategy::Known(known) => match known {
            CataloguedStrategy::VerticalSlices => "Plan: vertical slices".to_owned(),
            CataloguedStrategy::TutorialChapters => "Plan: chapters".to_owned(),
            CataloguedStrategy::ResearchInvestigations => "Plan: investigations".to_owned(),
            CataloguedStrategy::ContentOutline => "Plan: outline".to_owned(),
            CataloguedStrategy::AdrCandidates => "Plan: decisions to record".to_owned(),
            CataloguedStrategy::MilestoneExperiments => "Plan: experiments with milestones".to_owned(),
        },
        Strategy::Custom(own) => format!("Plan: {own}"),
    }
}

/// The plan's lines.
pub(super) fn plan(strategy: &Strategy, understanding: &Understanding) -> Vec<String> {
    let material = Material::of(understanding);
    let parts = match strategy {
        Strategy::Known(known) => match known {
            CataloguedStrategy::VerticalSlices => slices(&material),
            CataloguedStrategy::TutorialChapters => steps(&material, "Chapter"),
            CataloguedStrategy::ContentOutline => steps(&material, "Section"),
            CataloguedStrategy::ResearchInvestigations => investigations(&material),
            CataloguedStrategy::AdrCandidates => records(&material),
            CataloguedStrategy::MilestoneExperiments => experiments(&material),
        },
        Strategy::Custom(_) => slices(&material),
    };
    let parts: Vec<Part> = parts.into_iter().filter(|part| !part.points.is_empty()).collect();
    if parts.is_empty() {
        return vec!["The interview left nothing to cut into parts yet; the open questions come first.".to_owned()];
    }
    let mut lines = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            lines.push(String::new());
        }
        lines.push(format!("### {} {}: {}", part.kind, index + 1, part.name));
        lines.push(String::new());
        lines.extend(part.points.iter().map(|point| format!("- {point}")));
    }
    lines
}

/// What plans are made of.
struct Material {
    decisions: Vec<Bullet>,
    risks: Vec<Bullet>,
    assumptions: Vec<Bullet>,
    open: Vec<Bullet>,
    shown_by: Vec<Bullet>,
    next: Vec<Bullet>,
    left_out: Vec<Bullet>,
}

impl Material {
    fn of(understanding: &Understanding) -> Self {
        Self {
            decisions: understanding.bullets("Decisions"),
            risks: understanding.bullets("Risks / Unknowns"),
            assumptions: understanding.bullets("Assumptions"),
            open: understanding.bullets("Open Questions"),
            shown_by: understanding.bullets("How We Will Know"),
            next: understanding.bullets("Next Steps"),
            left_out: understanding.bullets("Non-goals"),
        }
    }
}

/// One part of a plan.
struct Part {
    kind: &'static str,
    name: String,
    points: Vec<String>,
}

fn points(label: &str, bullets: &[Bullet]) -> Vec<String> {
    bullets.iter().map(|bullet| format!("{label}: {}", without_lead(&bullet.sentence()))).collect()
}

/// A bullet's text without the short lead that says what it answers: the plan puts a label of its own there.
fn without_lead(sentence: &str) -> &str {
    const LONGEST_LEAD: usize = 40;
    match sentence.split_once(": ") {
        Some((lead, text)) if lead.len() <= LONGEST_LEAD && !lead.contains(['“', '`', '.', ',']) => text,
        Some(_) | None => sentence,
    }
}

fn part(kind: &'static str, name: &str, points: &[Vec<String>]) -> Part {
    Part { kind, name: name.to_owned(), points: points.concat() }
}

/// A first slice that works on its own, then what protects it, then what widens it.
fn slices(material: &Material) -> Vec<Part> {
    let (first, later) = material.decisions.split_at(material.decisions.len().min(1));
    vec![
        part(
            "Slice",
            "the smallest thing worth having",
            &[points("Delivers", first), points("Begins with", &material.next), points("Shown by", &material.shown_by)],
        ),
        part(
            "Slice",
            "safe to rely on",
            &[points("Guards against", &material.risks), points("Checks", &material.assumptions)],
        ),
        part(
            "Slice",
            "the rest of what was decided",
            &[
                points("Follows", later),
                points("Settles first", &material.open),
                points("Still leaves out", &material.left_out),
            ],
        ),
    ]
}

/// Steps that build on one another: a beginning, one for each decision, and a proof.
fn steps(material: &Material, kind: &'static str) -> Vec<Part> {
    let mut parts = vec![part(kind, "where it begins", &[points("Does", &material.next)])];
    parts.extend(material.decisions.iter().map(|decision| {
        part(kind, &decision.name(), &[points("Covers", std::slice::from_ref(decision)), decision.details()])
    }));
    parts.push(part(
        kind,
        "what is not certain yet",
        &[points("Looks into", &material.assumptions), points("Answers", &material.open)],
    ));
    parts.push(part(
        kind,
        "how one knows",
        &[points("Ends with", &material.shown_by), points("Warns of", &material.risks)],
    ));
    parts
}

/// One investigation for each open question and each unchecked assumption.
fn investigations(material: &Material) -> Vec<Part> {
    let one = |label: &str, bullet: &Bullet| {
        let asks = points(label, std::slice::from_ref(bullet));
        let convinced = points("Convinced by", &material.shown_by);
        part("Investigation", &bullet.name(), &[asks, convinced])
    };
    let answers = material.open.iter().map(|bullet| one("Answers", bullet));
    let checks = material.assumptions.iter().map(|bullet| one("Checks", bullet));
    let mut parts: Vec<Part> = answers.chain(checks).collect();
    parts.push(part(
        "Investigation",
        "what could mislead us",
        &[points("Guards against", &material.risks), points("Stays within", &material.decisions)],
    ));
    parts
}

/// One record for each decision, with its reason and what was not chosen.
fn records(material: &Material) -> Vec<Part> {
    material
        .decisions
        .iter()
        .map(|decision| {
            let says = points("Decision", std::slice::from_ref(decision));
            let looked_at = points("Looked at again by", &material.shown_by);
            part("Record", &decision.name(), &[says, decision.details(), looked_at])
        })
        .collect()
}

/// One experiment for each thing that is not known, the first risk first; each ends with a yes or a no.
fn experiments(material: &Material) -> Vec<Part> {
    let mut parts: Vec<Part> = material
        .assumptions
        .iter()
        .chain(&material.open)
        .chain(&material.risks)
        .map(|bullet| {
            let mut says = vec![format!("Tries out: {}", bullet.sentence())];
            says.push("Milestone: a written yes or no; a no stops the experiments after it.".to_owned());
            part("Experiment", &bullet.name(), &[says])
        })
        .collect();
    parts.push(part(
        "Experiment",
        "the whole in its smallest form",
        &[points("Delivers", &material.decisions), points("Shown by", &material.shown_by)],
    ));
    parts
}
