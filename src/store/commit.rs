//! What a commit says about itself: author and committer, subject, note and trailers.

use std::fmt::Write as _;

use git2::{Signature, Time};
use jiff::Timestamp;

use super::layout;
use crate::app::ports::Batch;
use crate::domain::actor::Actor;
use crate::domain::facets::Facets;
use crate::domain::harmless::{harmless, one_line};

/// A name and an address as git signs with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub name: String,
    pub email: String,
}

impl Person {
    pub fn new(name: impl Into<String>, email: impl Into<String>) -> Self {
        Self { name: name.into(), email: email.into() }
    }

    /// The name and the address as git writes them together.
    pub fn full(&self) -> String {
        format!("{} <{}>", self.name, self.email)
    }

    /// Who signs when git knows no identity. Whoever opened the store says so.
    pub fn fallback() -> Self {
        Self::new("git-grill", "git-grill@localhost")
    }
}

/// Who signs, as git's own variables and configuration say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The author of what a person says; `None` when git knows none.
    pub author: Option<Person>,
    /// Who commits; `None` when git knows none.
    pub committer: Option<Person>,
    /// The time zone that dates are written in, in minutes east of UTC.
    pub offset_minutes: i32,
}

impl Identity {
    /// The same person as author and committer, dates in UTC.
    pub fn of(person: Person) -> Self {
        Self { author: Some(person.clone()), committer: Some(person), offset_minutes: 0 }
    }

    /// Who put the words of a commit there, so that `git blame` shows it.
    fn author_of(&self, actor: &Actor) -> Person {
        match actor {
            Actor::Human | Actor::Unattended => self.author.clone().unwrap_or_else(Person::fallback),
            Actor::Agent(name) => {
                let shown = signable(name);
                let local: String = shown
                    .chars()
                    .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
                    .collect();
                Person::new(format!("{shown} (via git grill)"), format!("{local}@agent.git-grill.invalid"))
            }
            Actor::System => Person::new("git grill", "git-grill@git-grill.invalid"),
        }
    }

    /// Author and committer of a batch that is written at `at`.
    pub fn signatures(
        &self,
        batch: Batch<'_>,
        at: Timestamp,
    ) -> Result<(Signature<'static>, Signature<'static>), git2::Error> {
        let time = Time::new(at.as_second(), self.offset_minutes);
        let sign = |person: &Person| Signature::new(&person.name, &person.email, &time);
        let actor = batch.events.first().map_or(&Actor::System, |first| &first.by);
        Ok((sign(&self.author_of(actor))?, sign(&self.committed_by())?))
    }

    /// Who commits, whoever's words they are; a signature is theirs too.
    pub fn committed_by(&self) -> Person {
        self.committer.clone().unwrap_or_else(Person::fallback)
    }
}

/// A name without what git cannot sign with.
fn signable(name: &str) -> String {
    let kept: String = name.chars().filter(|c| !c.is_control() && !matches!(c, '<' | '>')).collect();
    match kept.trim() {
        "" => "agent".to_owned(),
        name => name.to_owned(),
    }
}

pub fn message(batch: Batch<'_>) -> String {
    let facets: Vec<Facets<'_>> = batch.events.iter().map(|one| one.event.facets()).collect();
    let mut text = subject(&facets);
    text.push_str("\n\n");
    if let Some(note) = facets.iter().find_map(|one| one.note) {
        let shown = harmless(note.as_str());
        text.push_str(shown.trim_end());
        text.push_str("\n\n");
    }
    for (key, value) in trailers(batch, &facets) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{key}: {}", one_line(&value));
    }
    text
}

/// The first event in words. Where it is one of a round, of many approvals say, the round follows, a line each.
fn subject(facets: &[Facets<'_>]) -> String {
    let Some(first) = facets.first() else {
        return "nothing happened".to_owned();
    };
    let round: Vec<String> = facets.iter().filter(|one| one.op == first.op).map(|one| one_line(&one.subject)).collect();
    match round.as_slice() {
        [] | [_] => round.concat(),
        [one, rest @ ..] => format!("{one}, and {} more\n\n{}", rest.len(), round.join("\n")),
    }
}

fn trailers(batch: Batch<'_>, facets: &[Facets<'_>]) -> Vec<(&'static str, String)> {
    let mut list = Vec::new();
    if let Some(first) = facets.first() {
        list.push(("Grill-Op", first.op.to_owned()));
    }
    list.push(("Grill-Session", batch.after.id.to_string()));
    if let Some(question) = facets.iter().find_map(|one| one.question) {
        list.push(("Grill-Question", question.to_string()));
    }
    if let Some(answer) = facets.iter().find_map(|one| one.answer) {
        list.push(("Grill-Answer", answer.to_string()));
    }
    list.push(("Grill-Seq", batch.after.seq.to_string()));
    if let Some(base) = batch.base {
        list.push(("Grill-Base", base.to_string()));
    }
    if let Some(first) = batch.events.first() {
        list.push(("Grill-Actor", first.by.to_string()));
    }
    list.push(("Grill-Format", layout::FORMAT.to_string()));
    list
}
