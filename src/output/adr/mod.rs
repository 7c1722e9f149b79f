//! Architecture decision records: one for each decision that something was weighed against, numbered after the records
//! that the repository has, in their folder and in their form.

mod home;
mod style;

use serde::Serialize;

use self::home::Home;
use self::style::{Form, Style};
use super::cannot::Cannot;
use super::entry::{Document, Entry, Making, Sources};
use super::existing::path;
use super::inline::{capital, heading, small, unstopped};
use super::material::decision::Rejected;
use super::material::item::{Detail, Item};
use super::material::{Decision, Material};
use super::page::{finished, linked};
use super::piece::line;
use super::related::Related;
use super::template::{fill, lists};
use crate::domain::production::TargetPath;
use crate::domain::settings::{CataloguedStrategy, Strategy};

/// A session with more decisions than this gets one record that holds them all.
const MOST_RECORDS: usize = 20;

pub(super) const ENTRY: Entry = Entry {
    suits: &[CataloguedStrategy::AdrCandidates],
    ..Entry::new(
        "ADR doc",
        "one decision with context, price and rejected options",
        Making::Own {
            wants: home::wants,
            paths: |sources, wanted| wanted.map_or_else(|| paths(sources), |path| Ok(vec![path.clone()])),
            documents,
            unrecorded,
        },
    )
};

/// Where the records go. What has a record already does not get another one: records are not written anew.
fn paths(Sources { session, strategy, material, existing }: &Sources<'_>) -> Result<Vec<TargetPath>, Cannot> {
    let home = Home::of(session, None, existing);
    let all = records(strategy, material);
    let new: Vec<String> = all.iter().map(|one| one.title(material)).filter(|title| !home.has(title)).collect();
    if new.is_empty() && !all.is_empty() {
        return Err(Cannot::NothingToSay { what: "no decision without a record" });
    }
    let mut taken: Vec<TargetPath> = home.records.iter().map(|(path, _)| path.clone()).collect();
    let known = taken.len();
    for (number, title) in (home.next..).zip(&new) {
        let name = home.naming.name(number, title, &material.date);
        let whole = home.folder.as_ref().map_or_else(|| name.clone(), |folder| format!("{folder}/{name}"));
        let again = || path(&whole.replace(".md", &format!("-{number}.md")));
        let free = path(&whole).filter(|path| !taken.contains(path)).or_else(again);
        taken.extend(free);
    }
    Ok(taken.split_off(known))
}

/// The records, one for each path.
fn documents(
    Sources { session, strategy, material, existing }: &Sources<'_>,
    paths: &[TargetPath],
) -> Result<Vec<Document>, Cannot> {
    let records = matched(records(strategy, material), material, paths)?;
    let home = Home::of(session, paths.first(), existing);
    // The newest record whose form can be read sets the form; one of ours may be there already.
    let others = home.records.iter().filter(|(path, _)| !paths.contains(path));
    let sample = others.clone().find_map(|(path, number)| Some((existing.text(path)?, *number)));
    let style = sample.map_or_else(Style::default, |(text, number)| Style::of(text, number));
    let first = others.map(|(_, number)| number.saturating_add(1)).max().unwrap_or(1);
    let related = Related::of(material);
    let made = records.iter().zip(paths).zip(first..).map(|((record, path), next)| {
        let number = home::number_of(path).unwrap_or(next);
        let text = record.view(material, &related, &style, number).fill(&style)?;
        Ok(Document { path: path.clone(), text: linked(&finished(&text), path.as_str(), &material.cited) })
    });
    made.collect()
}

/// The record for each path: the one that its name says, else the next one; one path for everything takes it all.
fn matched(all: Vec<Record>, material: &Material, paths: &[TargetPath]) -> Result<Vec<Record>, Cannot> {
    if all.is_empty() {
        return Err(Cannot::NothingToSay { what: "no decision" });
    }
    let mut left: Vec<Option<Record>> = all.iter().copied().map(Some).collect();
    let mut named = |path: &TargetPath| {
        let found = left.iter().position(|one| one.is_some_and(|one| home::is_about(path, &one.title(material))))?;
        left[found].take()
    };
    let by_name: Option<Vec<Record>> = paths.iter().map(&mut named).collect();
    match by_name {
        Some(by_name) => Ok(by_name),
        None if paths.len() == all.len() => Ok(all),
        None if paths.len() == 1 => Ok(vec![Record::All]),
        None => Err(Cannot::OtherNumber { files: paths.len(), things: all.len(), what: "decisions to record" }),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Record {
    /// The decision with this index.
    One(usize),
    /// Everything that was decided.
    All,
}

/// The decisions that deserve a record: those that something was weighed against, or all when none was.
fn records(strategy: &Strategy, material: &Material) -> Vec<Record> {
    let kept = weighed(material);
    let each = *strategy == Strategy::Known(CataloguedStrategy::AdrCandidates) && kept.len() <= MOST_RECORDS;
    match kept.len() {
        0 => Vec::new(),
        1 => vec![Record::One(kept[0])],
        _ if each => kept.into_iter().map(Record::One).collect(),
        _ => vec![Record::All],
    }
}

/// The places of the decisions that deserve a record.
fn weighed(material: &Material) -> Vec<usize> {
    let all = 0..material.decisions.len();
    let weighed: Vec<usize> = all.clone().filter(|index| !material.decisions[*index].rejected.is_empty()).collect();
    if weighed.is_empty() { all.collect() } else { weighed }
}

/// The decisions that no record is about, by their names.
fn unrecorded(strategy: &Strategy, material: &Material) -> Vec<String> {
    if records(strategy, material).contains(&Record::All) {
        return Vec::new();
    }
    let kept = weighed(material);
    let left = material.decisions.iter().enumerate().filter(|(index, _)| !kept.contains(index));
    left.map(|(_, decision)| decision.item.name()).collect()
}

/// A way to decide it.
#[derive(Serialize)]
struct Alternative {
    label: String,
    value: String,
    because: Option<String>,
    small: String,
    line: String,
}

/// What the templates of records see.
#[derive(Serialize)]
struct View {
    front: String,
    heading: String,
    head: String,
    question: String,
    context: Vec<lists::Line>,
    drivers: Vec<lists::Line>,
    options: Vec<Alternative>,
    others: Vec<Alternative>,
    chosen: Option<String>,
    reason: Option<String>,
    why: Option<String>,
    decided: String,
    consequences: Vec<lists::Line>,
    consequences_title: &'static str,
    confirmation: Vec<lists::Line>,
    options_title: &'static str,
}

impl Record {
    fn title(self, material: &Material) -> String {
        match self {
            Self::One(index) => material.decisions[index].item.name(),
            Self::All => material.topic.clone(),
        }
    }

    fn view(self, material: &Material, related: &Related, style: &Style, number: u32) -> View {
        let belongs = |item: &&Item| match self {
            Self::One(index) => related.decision(item) == Some(index),
            Self::All => true,
        };
        let title = capital(&heading(&self.title(material)));
        let notes: Vec<Item> = match self {
            Self::One(index) => material.decisions[index].item.details.iter().map(consequence).collect(),
            Self::All => Vec::new(),
        };
        let risks = material.risks.iter().filter(belongs).cloned();
        let decision = match self {
            Self::One(index) => Some(&material.decisions[index]),
            Self::All => None,
        };
        let chosen = decision.and_then(|one| one.label.clone());
        let others = others(decision, material);
        let mut options: Vec<Alternative> = chosen.iter().map(|label| named(label)).collect();
        if decision.is_some() && options.is_empty() && !others.is_empty() {
            options.extend(decision.map(|one| named(&heading(&one.item.name()))));
        }
        options.extend(others.iter().filter(|_| decision.is_some()).map(|one| named(&one.label)));
        let why = decision.and_then(|one| one.reason.clone());
        View {
            front: style.front(&material.date),
            heading: style.heading(number, &title),
            head: style.head(&material.date),
            question: decision.and_then(|one| one.question.clone()).unwrap_or_default(),
            context: lists::lines(material.goals.iter().chain(&material.stated)),
            drivers: lists::lines(material.constraints.iter().filter(belongs)),
            chosen: chosen.or_else(|| why.as_ref().and(options.first()).map(|one| one.label.clone())),
            options,
            others,
            reason: why.as_ref().map(|reason| small(reason)),
            why,
            decided: decided(decision, material),
            consequences: lists::lines(notes.iter().chain(risks.collect::<Vec<_>>().iter())),
            consequences_title: if style.form == (Form::Madr { version: 2 }) {
                "Negative Consequences"
            } else {
                "Consequences"
            },
            confirmation: lists::lines(material.shown_by.iter().filter(belongs)),
            options_title: "Pros and Cons of the Options",
        }
    }
}

/// What was decided, as a paragraph or as a list.
fn decided(decision: Option<&Decision>, material: &Material) -> String {
    match decision {
        // What stands below it has places of its own.
        Some(one) => {
            // The question stands above it, so the few words that say what it answers can go.
            let lead: Vec<&str> = one.item.origin.iter().filter_map(|origin| origin.lead.as_deref()).collect();
            let item = one.item.alone().without_lead(&lead);
            if item.block.is_empty() { item.lines.join("\n") } else { item.text() }
        }
        None => lists::bullets(&material.decisions.iter().map(Decision::with_reason).collect::<Vec<_>>()),
    }
}

/// The options that were not chosen; in a record of everything, behind the decision that they were weighed against.
fn others(decision: Option<&Decision>, material: &Material) -> Vec<Alternative> {
    let one = |rejected: &Rejected| Alternative {
        label: heading(&rejected.label),
        value: rejected.told().unwrap_or_default(),
        small: rejected.because.as_ref().map(|because| small(because)).unwrap_or_default(),
        because: rejected.because.clone(),
        line: rejected.line(),
    };
    if let Some(decision) = decision {
        return decision.rejected.iter().map(one).collect();
    }
    let listed = |decision: &Decision| {
        let name =
            |one: &Rejected| one.against.as_ref().map_or_else(|| unstopped(&one.label).to_owned(), |_| one.named());
        let names: Vec<String> = decision.rejected.iter().map(name).collect();
        let (label, value) = (heading(&decision.item.name()), names.join("; "));
        let line = format!("Instead of “{label}”: {value}.");
        Alternative { label, value, because: None, small: String::new(), line }
    };
    material.decisions.iter().filter(|one| !one.rejected.is_empty()).map(listed).collect()
}

fn named(label: &str) -> Alternative {
    let label = heading(label);
    Alternative { line: label.clone(), label, value: String::new(), because: None, small: String::new() }
}

/// What was said about a decision afterwards, as a consequence of it.
fn consequence(detail: &Detail) -> Item {
    Item { block: detail.block.clone(), ..line(&detail.line()) }
}

impl View {
    fn fill(&self, style: &Style) -> Result<String, Cannot> {
        let template = match style.form {
            Form::Nygard => include_str!("../templates/adr-nygard.md"),
            Form::Madr { .. } => include_str!("../templates/adr-madr.md"),
            Form::Bare => include_str!("../templates/adr-bare.md"),
        };
        let text = fill(template, self).map_err(Cannot::TooLarge)?;
        Ok(if style.mark == '*' { starred(&text) } else { text })
    }
}

/// The text with stars for bullets, as the other records have them.
fn starred(text: &str) -> String {
    let star = |line: &str| {
        let bare = line.trim_start();
        match bare.strip_prefix("- ") {
            Some(rest) => format!("{}* {rest}\n", &line[..line.len() - bare.len()]),
            None => format!("{line}\n"),
        }
    };
    text.lines().map(star).collect()
}
