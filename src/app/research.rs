//! Research: what may be looked at is looked at, and what questions cite is looked at again (G15).

use std::collections::BTreeSet;

use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::facts::{Earlier, Inspection, RepoFacts};
use crate::domain::ids::SessionId;
use crate::domain::interview::{self, Answer, AnswerKind, TranscriptEntry};
use crate::domain::session::Session;
use crate::domain::settings::Research;
use crate::domain::text::Topic;

use super::context::Context;
use super::dispatcher::Envelope;
use super::error::{AppError, not_answered};
use super::ports::{Look, SessionStore};
use super::prompt::{Choice, ManyPrompt};
use super::reply::Outcome;

/// So many earlier sessions are looked at, those of the newest days, however many there are.
const MOST_GLANCES: usize = 160;
/// So many of these are read, those that changed last first.
const MOST_SESSIONS: usize = 40;
/// So many decisions of one session are taken, the newest first.
const MOST_DECISIONS: usize = 60;
/// A longer decision is clipped to so many characters.
const LONGEST_DECISION: usize = 200;

impl Context<'_> {
    /// Looks for what touches `topic`, at nothing but `inspect`; `itself` is the session that asks, if there is one.
    pub fn find(&self, topic: &Topic, inspect: &BTreeSet<Inspection>, itself: Option<&SessionId>) -> RepoFacts {
        if inspect.is_empty() {
            return RepoFacts::default();
        }
        let may_read_sessions = inspect.contains(&Inspection::Sessions);
        let earlier = if may_read_sessions { decisions(self.dispatcher.store, itself) } else { Vec::new() };
        self.scout.look(&Look { topic, inspect, earlier: &earlier })
    }

    /// What may be looked at when a session begins.
    pub fn permitted(
        &mut self,
        research: Research,
        typed: BTreeSet<Inspection>,
    ) -> Result<BTreeSet<Inspection>, AppError> {
        match research {
            Research::Off => Ok(BTreeSet::new()),
            Research::Auto => Ok(everything()),
            Research::Ask if !typed.is_empty() => Ok(typed),
            Research::Ask => self.ask_permission(&BTreeSet::new(), "starting"),
        }
    }

    /// Asks for permission, one entry a kind, none of them ticked. Where nobody can be asked, nothing is allowed.
    pub fn ask_permission(
        &mut self,
        known: &BTreeSet<Inspection>,
        deed: &'static str,
    ) -> Result<BTreeSet<Inspection>, AppError> {
        let open: Vec<Inspection> = Inspection::ALL.iter().copied().filter(|kind| !known.contains(kind)).collect();
        if open.is_empty() || self.can_ask().is_err() {
            return Ok(BTreeSet::new());
        }
        let prompt = ManyPrompt {
            question: "What may git grill read, so that it need not ask? It does not read the rest.".to_owned(),
            choices: open.iter().map(|kind| choice(*kind)).collect(),
            at_least: 0,
            ..ManyPrompt::default()
        };
        let chosen = self.prompter.choose_many(&prompt).answered().map_err(not_answered(deed))?;
        Ok(chosen.into_iter().filter_map(|index| open.get(index).copied()).collect())
    }

    /// Looks at the repository for a session and enters what it shows.
    pub fn look(&mut self, session: &Session, inspect: &BTreeSet<Inspection>) -> Result<Outcome, AppError> {
        let facts = Box::new(self.find(&session.topic, inspect, Some(&session.id)));
        let envelope = Envelope { actor: Actor::System, command: interview::Command::RecordEvidence(facts).into() };
        let outcome = self.dispatcher.handle(&session.id, &envelope)?;
        self.recorded(&outcome);
        Ok(outcome)
    }

    /// Looks at the cited places again and enters what is new about them. Inside of a read-only run nothing is entered:
    /// whoever records there may not speak for the system.
    pub fn recheck(&mut self, session: &Session) -> Result<Outcome, AppError> {
        if self.dispatcher.outside.is_some() {
            return Ok(Outcome::nothing(session.clone()));
        }
        let command: Command = interview::Command::RecordCitations(self.scout.recheck(&session.cited())).into();
        let outcome = self.dispatcher.handle(&session.id, &Envelope { actor: Actor::System, command })?;
        if !outcome.events.is_empty() {
            self.recorded(&outcome);
        }
        Ok(outcome)
    }
}

/// What the other sessions of this repository decided. One that cannot be read decided nothing that can be quoted.
fn decisions(store: &dyn SessionStore, itself: Option<&SessionId>) -> Vec<Earlier> {
    let newest: Vec<SessionId> = store.ids().unwrap_or_default().into_iter().take(MOST_GLANCES).collect();
    let listed = store.list_entries(&newest).unwrap_or_default();
    let others = listed.iter().filter(|listed| Some(&listed.id) != itself && listed.state.is_ok());
    others
        .take(MOST_SESSIONS)
        .filter_map(|listed| store.load(&listed.id).ok())
        .flat_map(|loaded| decided_in(&loaded.session))
        .collect()
}

fn decided_in(session: &Session) -> Vec<Earlier> {
    let answered = session.transcript.answered().filter(|(_, answer)| answer.kind != AnswerKind::Unknown);
    let mut decided: Vec<Earlier> = answered
        .map(|(asked, answer)| Earlier {
            session: session.id.clone(),
            topic: session.topic.to_string(),
            decision: in_words(asked, answer),
            at: answer.at,
            matches: Vec::new(),
        })
        .collect();
    decided.sort_by_key(|earlier| std::cmp::Reverse(earlier.at));
    decided.truncate(MOST_DECISIONS);
    decided
}

pub fn everything() -> BTreeSet<Inspection> {
    Inspection::ALL.iter().copied().collect()
}

fn choice(kind: Inspection) -> Choice {
    Choice {
        value: kind.as_str().to_owned(),
        label: kind.reads().to_owned(),
        description: Some(kind.purpose().to_owned()),
        recommended: false,
    }
}

/// A decision as a sentence that can be read without its question: an answer of a few words needs it, a longer one
/// speaks for itself.
fn in_words(asked: &TranscriptEntry, answer: &Answer) -> String {
    let text = answer.text.first_line();
    let sentence = if text.split_whitespace().count() < 4 {
        format!("{} — {text}", asked.question.text.first_line())
    } else {
        text.to_owned()
    };
    match sentence.char_indices().nth(LONGEST_DECISION) {
        Some((end, _)) => format!("{}…", sentence[..end].trim_end()),
        None => sentence,
    }
}
