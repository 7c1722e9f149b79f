//! What a commit says about itself: author and committer, subject, note and trailers.

use std::fmt::Write as _;

use git2::{Signature, Time};
use jiff::Timestamp;

use super::layout;
use crate::app::ports::Batch;
use crate::domain::actor::Actor;
use crate::domain::event::{Event, Recorded};
use crate::domain::harmless::harmless;
use crate::domain::ids::{AnswerId, QuestionId};
use crate::domain::text::Prose;

/// A name and an address as git signs with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The name.
    pub name: String,
    /// The address.
    pub email: String,
}

impl Person {
    /// A person of this name and address.
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

/// A text on one line that acts on no terminal: `git log` shows it as it is.
pub fn one_line(text: &str) -> String {
    harmless(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The whole message.
pub fn message(batch: Batch<'_>) -> String {
    let mut text = batch.events.first().map_or_else(|| "nothing happened".to_owned(), |first| subject(batch, first));
    text.push_str("\n\n");
    if let Some(note) = batch.events.iter().find_map(|one| note(&one.event)) {
        let shown = harmless(note.as_str());
        text.push_str(shown.trim_end());
        text.push_str("\n\n");
    }
    for (key, value) in trailers(batch) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{key}: {}", one_line(&value));
    }
    text
}

/// The first event in words. Where it is one of a round, of many approvals say, the round follows, a line each.
fn subject(batch: Batch<'_>, first: &Recorded) -> String {
    let op = first.event.op();
    let round: Vec<String> =
        batch.events.iter().filter(|one| one.event.op() == op).map(|one| one_line(&one.event.subject())).collect();
    match round.as_slice() {
        [] | [_] => round.concat(),
        [one, rest @ ..] => format!("{one}, and {} more\n\n{}", rest.len(), round.join("\n")),
    }
}

fn trailers(batch: Batch<'_>) -> Vec<(&'static str, String)> {
    let mut list = Vec::new();
    if let Some(first) = batch.events.first() {
        list.push(("Grill-Op", first.event.op().to_owned()));
    }
    list.push(("Grill-Session", batch.after.id.to_string()));
    if let Some(question) = batch.events.iter().find_map(|one| question(&one.event)) {
        list.push(("Grill-Question", question.to_string()));
    }
    if let Some(answer) = batch.events.iter().find_map(|one| answer(&one.event)) {
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

/// What a person said beside the point of the event.
fn note(event: &Event) -> Option<&Prose> {
    match event {
        Event::QuestionAnswered { answer } => answer.note.as_ref(),
        Event::QuestionPushedBack { because, .. } => Some(because),
        Event::Started(_)
        | Event::EvidenceRecorded { .. }
        | Event::QuestionAsked { .. }
        | Event::QuestionReopened { .. }
        | Event::QuestionDeferred { .. }
        | Event::DiscussionOpened { .. }
        | Event::DiscussionEnded { .. }
        | Event::AnswerTold { .. }
        | Event::WentBack { .. }
        | Event::CheckpointUpdated { .. }
        | Event::ConcernsWaived { .. }
        | Event::SettingChanged { .. }
        | Event::SelectionOpened { .. }
        | Event::SelectionLeft { .. }
        | Event::ApprovalRequested { .. }
        | Event::OutputsSelected { .. }
        | Event::DraftSubmitted { .. }
        | Event::DraftDropped { .. }
        | Event::IssuesOrdered { .. }
        | Event::DraftApproved { .. }
        | Event::FileWritten { .. }
        | Event::IssueCreated(_)
        | Event::IssueLinked { .. }
        | Event::OutputsCommitted { .. }
        | Event::OutsideFound { .. }
        | Event::ProductionUndone { .. }
        | Event::Verified { .. }
        | Event::CitationsChecked { .. }
        | Event::ServerAsked { .. }
        | Event::ProductionFinished { .. }
        | Event::AuthorityLapsed { .. }
        | Event::Closed { .. } => None,
    }
}

fn answer(event: &Event) -> Option<&AnswerId> {
    if let Event::QuestionAnswered { answer } = event { Some(&answer.id) } else { None }
}

fn question(event: &Event) -> Option<&QuestionId> {
    match event {
        Event::QuestionAsked { question, .. } | Event::QuestionReopened { question } => Some(&question.id),
        Event::QuestionAnswered { answer } => Some(&answer.question),
        Event::QuestionDeferred { question }
        | Event::QuestionPushedBack { question, .. }
        | Event::AnswerTold { question }
        | Event::WentBack { to: question } => Some(question),
        Event::DiscussionOpened { about } => about.as_ref(),
        Event::Started(_)
        | Event::EvidenceRecorded { .. }
        | Event::DiscussionEnded { .. }
        | Event::CheckpointUpdated { .. }
        | Event::ConcernsWaived { .. }
        | Event::SettingChanged { .. }
        | Event::SelectionOpened { .. }
        | Event::SelectionLeft { .. }
        | Event::ApprovalRequested { .. }
        | Event::OutputsSelected { .. }
        | Event::DraftSubmitted { .. }
        | Event::DraftDropped { .. }
        | Event::IssuesOrdered { .. }
        | Event::DraftApproved { .. }
        | Event::FileWritten { .. }
        | Event::IssueCreated(_)
        | Event::IssueLinked { .. }
        | Event::OutputsCommitted { .. }
        | Event::OutsideFound { .. }
        | Event::ProductionUndone { .. }
        | Event::Verified { .. }
        | Event::CitationsChecked { .. }
        | Event::ServerAsked { .. }
        | Event::ProductionFinished { .. }
        | Event::AuthorityLapsed { .. }
        | Event::Closed { .. } => None,
    }
}
