//! What becomes of the decisions of debates where their question is answered anew (D17): the answer takes the place of all
//! that was decided for the question, or says the same as one of these decisions and confirms it.

use super::conclusions::Conclusions;
use super::options::is;
use super::proposal::Reasoned;
use super::written::{add, confirmed, is_nested, origin, taken_out, without_origin};
use crate::domain::harmless::harmless;
use crate::domain::outline::{Outline, behind_mark};
use crate::domain::text::words;

const DECISIONS: &str = "Decisions";

/// An answer to a question that was debated.
#[derive(Clone, Copy, Debug)]
pub struct Anew<'a> {
    /// The debates that decided for its question, the oldest first.
    pub debates: &'a [Conclusions],
    /// What it is called, and what it says.
    pub names: &'a [&'a str],
    /// The lines that stand there instead, until the answer is written.
    pub instead: &'a [String],
}

/// The checkpoint into which the answer is to be written, and a decision that the answer confirms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Superseded {
    pub checkpoint: String,
    pub confirmed: Option<(Conclusions, Reasoned)>,
}

impl Superseded {
    /// None where nothing of these debates stands in the checkpoint.
    pub fn by(anew: Anew<'_>, checkpoint: &str) -> Option<Self> {
        let mut outline = Outline::parse(checkpoint);
        let mut newest_first = anew.debates.iter().rev();
        let again = newest_first.find_map(|one| Some((one, one.said_again(&outline, anew.names)?.clone())));
        let places: Vec<usize> = if let Some((debate, decision)) = &again {
            debate.take_decision(&mut outline, decision).into_iter().collect()
        } else {
            let all = anew.debates.iter().flat_map(|debate| debate.decisions.iter().map(move |one| (debate, one)));
            all.filter_map(|(debate, decision)| debate.take_decision(&mut outline, decision)).collect()
        };
        let mut is_changed = !places.is_empty();
        for debate in anew.debates.iter().filter(|_| again.is_none()) {
            is_changed |= debate.take_words(&mut outline);
        }
        if !is_changed {
            return None;
        }
        put(&mut outline, places.into_iter().min(), anew.instead);
        let confirmed = again.map(|(debate, decision)| (debate.clone(), decision));
        Some(Self { checkpoint: outline.render(), confirmed })
    }
}

impl Conclusions {
    /// The decision that an answer says again, where it stands in the checkpoint.
    fn said_again(&self, outline: &Outline, names: &[&str]) -> Option<&Reasoned> {
        let is_said = |one: &Reasoned| names.iter().any(|name| is(&one.what, name) || is(name, &one.what));
        self.decisions.iter().find(|one| is_said(one) && self.first_line(outline, one).is_some())
    }

    /// The first line of a decision of this debate, where it stands as it was written.
    fn first_line(&self, outline: &Outline, decision: &Reasoned) -> Option<String> {
        let at = outline.find(DECISIONS)?;
        let firsts = outline.sections[at].body.iter().filter(|line| !is_nested(line));
        let is_it =
            |first: &&str| origin(first) == Some(self.number) && words(without_origin(first)) == words(&decision.what);
        firsts.filter_map(|line| behind_mark(line)).find(is_it).map(str::to_owned)
    }

    /// The place where it stood.
    fn take_decision(&self, outline: &mut Outline, decision: &Reasoned) -> Option<usize> {
        let first = self.first_line(outline, decision)?;
        taken_out(outline, &first)
    }

    /// Takes out that a decision was confirmed, and what was not decided. Whether anything stood there.
    fn take_words(&self, outline: &mut Outline) -> bool {
        let mut is_changed = false;
        if let Some(at) = outline.find(DECISIONS) {
            let body = &mut outline.sections[at].body;
            if let Some(said) = body.iter().position(|line| line.starts_with(&confirmed(self.number))) {
                is_changed = true;
                body.remove(said);
                let more = self.not_chosen(None);
                while body.get(said).is_some_and(|line| more.contains(line)) {
                    body.remove(said);
                }
            }
        }
        if let Some(at) = outline.find("Open Questions") {
            let body = &mut outline.sections[at].body;
            let before = body.len();
            body.retain(|line| {
                let open = behind_mark(line).filter(|first| first.starts_with("Not decided: "));
                open.and_then(origin) != Some(self.number)
            });
            is_changed |= body.len() < before;
        }
        is_changed
    }

    /// The checkpoint with the word below a decision, by its line, that this debate decided the same.
    pub fn confirming(&self, checkpoint: &str, line: &str, decision: &Reasoned) -> String {
        let mut outline = Outline::parse(checkpoint);
        if let Some(first) = behind_mark(line) {
            self.confirm(&mut outline, first, decision);
        }
        harmless(&outline.render()).into_owned()
    }

    /// The lines by which it says of each decision that it was confirmed.
    pub fn confirmations(&self) -> impl Iterator<Item = String> {
        self.decisions.iter().map(|one| self.confirmation(one))
    }
}

/// Puts lines at a place among the decisions, else at their end, unless they stand there.
fn put(outline: &mut Outline, place: Option<usize>, lines: &[String]) {
    let Some(at) = outline.find(DECISIONS) else { return add(outline, DECISIONS, lines) };
    let body = &mut outline.sections[at].body;
    if lines.first().is_some_and(|first| body.contains(first)) {
        return;
    }
    match place {
        Some(place) => drop(body.splice(place..place, lines.iter().cloned())),
        None => add(outline, DECISIONS, lines),
    }
}
