//! A debate from its beginning to what comes of it: the dossier is approved, roles give their texts, the user is heard in
//! each round and decides, and what survived goes into the checkpoint (D1 to D35).

mod citing;
mod deciding;
mod hearing;
mod hosting;
mod log;
mod looking;
mod playing;
mod prompt;
mod showing;
mod starting;

use crate::domain::actor::Actor;
use crate::domain::checkpoint::{Checkpoint, CheckpointSource};
use crate::domain::debate::course::{Ending, Settlement};
use crate::domain::debate::{self, Debate};
use crate::domain::interview;
use crate::domain::session::Session;
use crate::domain::text::Line;
use crate::interviewer;

use super::context::Context;
use super::dispatcher::Envelope;
use super::error::AppError;
use super::reply::{Outcome, Reply};

pub use deciding::{accept, confirm, extend, kill_debate, reject, restart, table};
pub use hearing::{answer, take_back};
pub use hosting::hosted;
pub use log::log;
pub use playing::recast;
pub use prompt::Unfilled;
pub use showing::{DebateView, next_prompt, on_question, show, status};
pub use starting::{Casting, Wanted, start};

impl From<debate::Refusal> for AppError {
    fn from(refusal: debate::Refusal) -> Self {
        Self::Refused(refusal.into())
    }
}

impl From<Unfilled> for AppError {
    fn from(unfilled: Unfilled) -> Self {
        Self::Environment {
            code: "unfilled_template",
            message: format!("no role was asked: {unfilled}"),
            causes: Vec::new(),
            hint: None,
        }
    }
}

/// The debate that goes on, or the newest one.
fn newest(session: &Session) -> Result<(u32, &Debate), AppError> {
    session.own.debate.newest().ok_or_else(|| debate::Refusal::NoDebate.into())
}

/// Takes the next step: a role gives its text, or the user is asked.
pub fn next(context: &mut Context<'_>) -> Result<Reply, AppError> {
    let session = context.session()?;
    if session.own.debate.unsettled().is_none() {
        // A step that a crash cut off.
        let outcome = conclude(context, Outcome::nothing(session.clone()))?;
        if outcome.events.is_empty() {
            debate::open(&session)?;
        }
        return Ok(Reply::Happened(Box::new(outcome)));
    }
    step(context, &session).map(|outcome| Reply::Happened(Box::new(outcome)))
}

/// Goes on step by step until the debate has ended, or the user leaves it.
pub fn go_on(context: &mut Context<'_>) -> Result<Reply, AppError> {
    loop {
        let session = context.session()?;
        if session.own.debate.unsettled().is_none() {
            let outcome = conclude(context, Outcome::nothing(session))?;
            if !outcome.events.is_empty() {
                context.voice.say(&Reply::Happened(Box::new(outcome)))?;
            }
            return status(context);
        }
        let outcome = step(context, &session)?;
        context.voice.say(&Reply::Happened(Box::new(outcome)))?;
    }
}

fn step(context: &mut Context<'_>, session: &Session) -> Result<Outcome, AppError> {
    let (number, debate) = newest(session)?;
    let outcome = match debate.awaits() {
        Some(part) => playing::play(context, session, number, debate, part)?,
        None => match deciding::Asked::due(debate) {
            Some(asked) => deciding::decide(context, session, number, debate, &asked)?,
            None => hearing::hear(context, session, number, debate)?,
        },
    };
    conclude(context, outcome)
}

/// Writes the conclusions of an ended debate into the checkpoint, and notes that they are there, in one commit.
fn conclude(context: &mut Context<'_>, outcome: Outcome) -> Result<Outcome, AppError> {
    let session = &outcome.after;
    let Some((number, debate)) = session.own.debate.newest() else { return Ok(outcome) };
    let is_for_the_checkpoint = match debate.ending() {
        Some(Ending::Nash | Ending::Declared | Ending::Limit(Settlement::Accepted | Settlement::Tabled)) => true,
        Some(Ending::Killed | Ending::Limit(Settlement::Restarted)) | None => false,
    };
    // What a proxy answered is provisional (D20).
    if debate.concluded || !is_for_the_checkpoint || debate.is_provisional() || debate.is_rejected() {
        return Ok(outcome);
    }
    let base = session.checkpoint.clone();
    let Some(concluded) = interviewer::concluded(session, number) else { return Ok(outcome) };
    let update = interview::Command::UpdateCheckpoint {
        checkpoint: Checkpoint::parse(&concluded.checkpoint)?,
        base,
        summary: Line::clipped(&format!("Outcome of debate {number}: {}", debate.name)),
        source: CheckpointSource::Debate,
        answer: None,
    };
    let by_us = |command| Envelope { actor: Actor::System, command };
    let both = [by_us(update.into()), by_us(debate::Command::Conclude.into())];
    let id = session.id.clone();
    let further = context.handle_each(&id, &both)?;
    Ok(outcome.then(further))
}
