//! One reading of a session for all generators. The checkpoint, hand edits included, is the truth; the transcript adds
//! what was rejected and why, and what a sentence answers.

pub(super) mod decision;
mod hand;
pub(super) mod item;
mod items;
mod origin;
mod sections;

use std::collections::BTreeSet;

pub(super) use self::hand::HandWritten;
use self::item::Item;
use self::origin::Origins;
use self::sections::{Kind, Sections};
use super::inline::{capital, inline};
use crate::domain::citations::Fate;
use crate::domain::debate::sentence::without_origin;
use crate::domain::debate::standing::is_history;
use crate::domain::facts::RepoFacts;
use crate::domain::outline::Outline;
use crate::domain::session::Session;

pub(super) use self::decision::Decision;
pub(super) use self::origin::telling;

/// What a session came to.
#[derive(Clone, Debug)]
pub(super) struct Material {
    /// What it is about, on one line.
    pub topic: String,
    /// The day of its last change.
    pub date: String,
    /// The commit that it was held against, shortened.
    pub base: Option<String>,
    pub session: String,
    /// The number of answers that it rests on, as the status counts them: “I don't know” is none.
    pub answers: u32,
    /// What a hand wrote about the topic besides the topic itself.
    pub stated: Vec<Item>,
    /// What is to be different afterwards.
    pub goals: Vec<Item>,
    /// For whom.
    pub audience: Vec<Item>,
    /// How things are today.
    pub today: Vec<Item>,
    /// Everything else that is understood.
    pub context: Vec<Item>,
    /// Terms with their meaning.
    pub glossary: Vec<Item>,
    /// What the repository shows.
    pub shown: Vec<Item>,
    /// What is left out on purpose.
    pub non_goals: Vec<Item>,
    pub decisions: Vec<Decision>,
    /// What is believed and was not checked.
    pub assumptions: Vec<Item>,
    /// What limits every solution.
    pub constraints: Vec<Item>,
    /// What can go wrong.
    pub risks: Vec<Item>,
    /// What nobody knows; the same as an open question, in other words.
    pub unknowns: Vec<Item>,
    /// How one will see that it was reached.
    pub shown_by: Vec<Item>,
    /// What is not answered.
    pub open: Vec<Open>,
    /// What is done first.
    pub next: Vec<Item>,
    /// What should come out.
    pub outcome: Vec<Item>,
    /// Sections that somebody wrote by hand.
    pub by_hand: Vec<HandWritten>,
    /// What the repository shows, as data.
    pub facts: RepoFacts,
    /// Files that are cited and still there.
    pub cited: BTreeSet<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Open {
    pub item: Item,
    /// How the answer can be found.
    pub find_out: Option<String>,
}

impl Material {
    pub fn of(session: &Session) -> Self {
        let mut sections = Sections::of(&Outline::parse(session.checkpoint.as_str()));
        let origins = Origins::of(&session.transcript);
        let mut take = |kind: Kind| -> Vec<Item> {
            let mut items = sections.take(kind);
            for item in &mut items {
                // Where it was decided is the history of the interview, as is which answer gave way, and no part of what
                // holds.
                for line in &mut item.lines {
                    line.truncate(without_origin(line).len());
                }
                item.details.retain(|detail| !is_history(&detail.line()));
                item.origin = origins.find(&item.text());
            }
            items.into_iter().map(|item| item.without_lead(said_by_heading(kind))).collect()
        };
        let topic = inline(session.topic.as_str());
        let stated = take(Kind::Topic).into_iter().filter(|one| one.text() != topic).collect();
        let mut goals = take(Kind::Goals);
        let (mut audience, mut today, mut context) = (take(Kind::Audience), Vec::new(), Vec::new());
        for item in take(Kind::Understanding) {
            let origin = item.origin.clone();
            let probe = origin.as_ref().and_then(|origin| origin.probe.as_deref());
            match origin.as_ref().map(|origin| origin.dimension.as_str()) {
                // Why it is done now is no goal.
                Some("objective") if matches!(probe, Some("objective.why-now" | "objective.pressure")) => {
                    context.push(item);
                }
                Some("objective") => goals.push(item.without_lead(said_by_heading(Kind::Goals))),
                Some("audience") => audience.push(item.without_lead(said_by_heading(Kind::Audience))),
                Some("precedent") => today.push(item),
                Some(_) | None => context.push(item),
            }
        }
        let decisions = take(Kind::Decisions).into_iter().map(|item| Decision::of(session, item)).collect();
        let (unknowns, risks) = take(Kind::Risks).into_iter().partition(is_unknown);
        Self {
            date: session.updated_at.strftime("%Y-%m-%d").to_string(),
            base: session.base.as_ref().map(|base| base.short().to_owned()),
            session: session.id.to_string(),
            answers: session.transcript.progress().resolved,
            stated,
            goals,
            audience,
            today,
            context,
            glossary: take(Kind::Glossary),
            shown: take(Kind::Shown),
            non_goals: take(Kind::NonGoals),
            decisions,
            assumptions: take(Kind::Assumptions),
            constraints: take(Kind::Constraints),
            risks,
            unknowns,
            shown_by: take(Kind::ShownBy),
            open: take(Kind::Open).into_iter().map(Open::of).collect(),
            next: take(Kind::Next),
            outcome: take(Kind::Outcome),
            by_hand: sections.by_hand,
            cited: cited(session),
            facts: session.evidence.clone(),
            topic,
        }
    }

    pub fn title(&self) -> String {
        capital(&self.topic)
    }

    /// Limits of the thing itself, and not of those who look after it.
    pub fn limits(&self) -> impl Iterator<Item = &Item> {
        let upkeep = |item: &&Item| item.origin.as_ref().is_some_and(|origin| origin.dimension == "upkeep");
        self.constraints.iter().filter(move |item| !upkeep(item))
    }

    /// Whether nothing was understood: no document could say anything.
    pub fn is_bare(&self) -> bool {
        let said = [&self.goals, &self.audience, &self.today, &self.context, &self.glossary, &self.non_goals];
        let thought = [&self.assumptions, &self.constraints, &self.risks, &self.unknowns, &self.shown_by, &self.next];
        said.into_iter().chain(thought).all(Vec::is_empty)
            && [&self.stated, &self.outcome].into_iter().all(Vec::is_empty)
            && self.decisions.is_empty()
            && self.open.is_empty()
            && self.by_hand.is_empty()
    }
}

/// Leads that only repeat the heading of their section.
fn said_by_heading(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Goals => &["What changes", "What readers do afterwards", "What you want to be able to do"],
        Kind::Audience => &["The reader", "Who notices first"],
        Kind::NonGoals => &["Left out"],
        Kind::Next => &["First step"],
        Kind::Topic
        | Kind::Understanding
        | Kind::Glossary
        | Kind::Shown
        | Kind::Decisions
        | Kind::Assumptions
        | Kind::Constraints
        | Kind::Risks
        | Kind::ShownBy
        | Kind::Open
        | Kind::Outcome => &[],
    }
}

/// Whether a risk is nothing but an answer that nobody knows.
fn is_unknown(item: &Item) -> bool {
    let text = item.text();
    text.starts_with("Not known yet: ") || text.starts_with("Nobody knows yet ")
}

impl Open {
    fn of(item: Item) -> Self {
        const FIND_OUT: &str = " To find out: ";
        let joined = item.lines.join(" ");
        match joined.split_once(FIND_OUT) {
            Some((question, find_out)) => {
                let item = Item { lines: vec![question.to_owned()], ..item };
                Self { item, find_out: Some(inline(&capital(find_out))) }
            }
            None => Self { item, find_out: None },
        }
    }

    /// The question with the way to its answer below it.
    pub fn whole(&self) -> Item {
        let mut item = self.item.clone();
        if let Some(find_out) = &self.find_out {
            let label = Some("To find out".to_owned());
            item.details.insert(0, item::Detail { label, text: super::inline::small(find_out), block: Vec::new() });
        }
        item
    }
}

/// Files that questions or facts name, without those that went away since.
fn cited(session: &Session) -> BTreeSet<String> {
    let gone = |path: &str| {
        session.citations.iter().any(|changed| {
            let elsewhere = matches!(changed.place.fate, Fate::Gone | Fate::Renamed { .. });
            elsewhere && changed.place.at.path == path
        })
    };
    let asked = session.transcript.asked.iter().flat_map(|asked| &asked.question.evidence);
    let all = session.evidence.citations().chain(asked).map(|place| place.path.clone());
    all.filter(|path| !gone(path)).collect()
}
