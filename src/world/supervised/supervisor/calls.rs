//! What is asked of a supervisor at its socket, and what comes of it.

use std::time::Duration;

use crate::app::error::AppError;
use crate::domain::agents::ask::AskAnswer;
use crate::domain::agents::command::AgentContext;
use crate::domain::agents::media::Media;
use crate::domain::agents::{Command, Refusal, TurnHandle};
use crate::domain::drift::Kept;
use crate::domain::harmless::harmless;
use crate::domain::server_form::ServerReply;
use crate::domain::text::Line;
use crate::world::supervised::wire::{Asked, Call, Told};

use super::{Over, Supervisor};

/// So long after the start of its agent a prompt waits until that has loaded its session; whoever sends it waits longer.
const LONGEST_HOLD: Duration = Duration::from_secs(45);

impl Supervisor<'_> {
    /// Answers what was asked meanwhile; how it ends, if that was asked.
    pub(super) fn answer_calls(&mut self) -> Result<Option<Over>, AppError> {
        while let Ok(call) = self.calls.try_recv() {
            if let Some(over) = self.answer(call)? {
                return Ok(Some(over));
            }
        }
        Ok(None)
    }

    pub(super) fn answer(&mut self, call: Call) -> Result<Option<Over>, AppError> {
        let told = match call.asked.clone() {
            Asked::Look => self.doing(),
            Asked::Send { .. } if self.is_loading && self.pulse.since_work() < LONGEST_HOLD => {
                self.held.push(call);
                return Ok(None);
            }
            Asked::Send { .. } if self.is_loading => refused(&Refusal::NotReady {
                deed: "no prompt was added",
                handle: self.book.session().started.handle,
                lacks: "has an agent that is still loading its session",
            }),
            Asked::Send { prompt, media } => queued(self.queue(&prompt, media)?),
            Asked::Show { number } => match &self.open {
                Some((open, form)) if *open == number => Told::Form { form: Box::new(form.clone()) },
                Some(_) | None => refused(&self.void(number)),
            },
            Asked::Answer { number, reply } => match &self.open {
                Some((open, _)) if *open == number => {
                    let words = Line::clipped(&harmless(&in_words(&reply)));
                    // What the agent got is recorded, whatever happens next.
                    self.close(AskAnswer::Person { words })?;
                    self.lent.fill(reply);
                    Told::Done
                }
                Some(_) | None => refused(&self.void(number)),
            },
            Asked::Cancel { turn: Some(turn) } => done(self.cancel_turn(turn)?),
            Asked::Cancel { turn: None } => {
                let cancelled = self.book.try_act(&Command::Cancel)?;
                let is_over = cancelled.is_ok();
                self.lent.cancel();
                call.answer(done(cancelled));
                return Ok(is_over.then_some(Over::Ended));
            }
            Asked::Accepted { acceptance, rest } => {
                done(self.book.try_act(&Command::RecordAccept { acceptance, rest })?)
            }
            Asked::TakenBack { acceptance, rest } => {
                done(self.book.try_act(&Command::RecordUndo { acceptance, rest })?)
            }
            Asked::Restored { places, left, copy, rest } => {
                done(self.book.try_act(&Command::RecordRestored { places, left, copy, rest })?)
            }
            Asked::Kept { places, rest } => done(self.book.try_act(&Command::RecordParentKept { places, rest })?),
            Asked::Settled { kept } => self.settled(kept.map(Kept::from_iter).as_ref())?,
            Asked::Leave => {
                if let Some(open) = self.book.session().open_turns().next() {
                    let (handle, turn) = (self.book.session().started.handle, open.handle);
                    let deed = "the agent was not ended";
                    refused(&Refusal::TurnActive { deed, handle, turn })
                } else {
                    call.answer(Told::Done);
                    return Ok(Some(Over::Leaves));
                }
            }
        };
        call.answer(told);
        Ok(None)
    }

    fn queue(&mut self, prompt: &str, media: Vec<Media>) -> Result<Result<TurnHandle, Refusal>, AppError> {
        let context = match &self.lost {
            Some(why) => AgentContext::Lost { why: why.clone() },
            None => AgentContext::Kept,
        };
        self.book.add(prompt, media, context)
    }

    fn cancel_turn(&mut self, turn: TurnHandle) -> Result<Result<(), Refusal>, AppError> {
        let is_active = self.book.session().active_turn().is_some_and(|active| active.handle == turn);
        let cancelled = self.book.try_act(&Command::CancelTurn { turn })?;
        if is_active && cancelled.is_ok() {
            self.open = None;
            self.lent.cancel();
        }
        Ok(cancelled)
    }

    fn settled(&mut self, kept: Option<&Kept>) -> Result<Told, AppError> {
        if let Err(refusal) = self.book.session().need_undecided("nothing was settled") {
            return Ok(refused(&refusal));
        }
        self.pulse.worked();
        match &self.watch {
            Some(watch) if !watch.settle(&mut self.book, kept)? => Ok(Told::More),
            Some(_) | None => Ok(Told::Done),
        }
    }

    fn void(&self, number: u32) -> Refusal {
        Refusal::AnswerVoid { handle: self.book.session().started.handle, number }
    }

    fn doing(&self) -> Told {
        let quiet = u64::try_from(self.pulse.since_heard().as_millis()).unwrap_or(u64::MAX);
        // The person has its question before them, or can have.
        let line = match &self.open {
            Some(_) => {
                let (agent, since) = (&self.book.session().started.agent, self.pulse.since_asked().as_secs());
                format!("{agent} waits for your answer, {since} s")
            }
            None => self.line.clone(),
        };
        Told::Doing { tool: self.tools.values().next().cloned(), quiet, line }
    }
}

/// A refusal of the rules, for whoever asked.
pub(in super::super) fn refused(refusal: &Refusal) -> Told {
    Told::Refused { code: refusal.code().to_owned(), message: refusal.to_string(), hint: refusal.hint() }
}

/// What came of a deed, for whoever asked for it.
pub(in super::super) fn done(done: Result<(), Refusal>) -> Told {
    done.map_or_else(|refusal| refused(&refusal), |()| Told::Done)
}

/// The turn of a prompt that was added, for whoever sent it.
pub(in super::super) fn queued(turn: Result<TurnHandle, Refusal>) -> Told {
    turn.map_or_else(|refusal| refused(&refusal), |turn| Told::Queued { turn })
}

/// What a person answered, in a line.
fn in_words(reply: &ServerReply) -> String {
    match reply {
        ServerReply::Sent(values) => {
            let fields: Vec<String> =
                values.iter().map(|(name, value)| format!("{name}: {}", value.as_text())).collect();
            if fields.is_empty() { "yes".to_owned() } else { fields.join("; ") }
        }
        ServerReply::Declined => "declined".to_owned(),
        ServerReply::Closed => "closed".to_owned(),
    }
}
