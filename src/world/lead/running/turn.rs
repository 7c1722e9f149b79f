//! Turns: begun, ended in whatever way, and held to their time.

use std::sync::atomic::Ordering;

use serde_json::Value;

use super::{Running, State};
use crate::acp::activity::Activity;
use crate::acp::failure::{Failure, Step};
use crate::acp::sign::{Sign, status_said};
use crate::acp::update::{StopReason, Word};
use crate::acp::v1::stop_reason;
use crate::acp::wire::RpcError;
use crate::agents::acp::Refusal;
use crate::app::ports::{Looked, TurnEnd};
use crate::domain::agents::turn::{NO_REQUESTS, NO_TOKENS, OWN_REASON};

impl Running {
    pub(super) fn turn(&mut self, text: &str) -> Result<(), Failure> {
        let conversation = self.conversation.clone().unwrap_or_default();
        self.activity = Activity::default();
        self.refused = false;
        self.trouble = None;
        let id =
            self.client.prompt(&conversation, &(self.untold.take() + text), &std::mem::take(&mut self.resources))?;
        self.state = State::Turn(id);
        self.watch.begin();
        Ok(())
    }

    /// What the end of a turn comes to; nothing where the next one waits already.
    pub(super) fn turn_ended(&mut self, result: Result<Value, RpcError>) -> Result<Option<Looked>, Failure> {
        let cancelled = matches!(self.state, State::Cancelling(_));
        self.state = State::Idle;
        // The person has answered before this turn ended: what they said is the next one, however this one ended.
        if self.waiting.is_some() {
            return Ok(None);
        }
        let answer = match result {
            Ok(answer) => answer,
            // What was cancelled may end in whatever way.
            Err(_) if cancelled => return Ok(Some(Looked::Ended { how: TurnEnd::Cancelled, said: String::new() })),
            Err(error) => return Err(Failure::Refused { step: Step::Turn, error }),
        };
        if let Some(Sign::Provider { status }) = self.trouble {
            return Err(Failure::Provider { status });
        }
        let said = self.activity.said().to_owned();
        let how = match stop_reason(&answer) {
            Word::Known(StopReason::Refusal) => return Err(Failure::Declined),
            Word::Known(StopReason::Cancelled) if cancelled => TurnEnd::Cancelled,
            _ if self.refused && self.agent.preset.refusal == Refusal::EndsTheTurn => TurnEnd::Refused,
            Word::Known(StopReason::Cancelled) => TurnEnd::Cancelled,
            Word::Known(StopReason::EndTurn) => match status_said(&said) {
                Some(status) => return Err(Failure::Provider { status: Some(status) }),
                None => TurnEnd::Said,
            },
            Word::Known(StopReason::MaxTokens) => TurnEnd::CutShort(NO_TOKENS.to_owned()),
            Word::Known(StopReason::MaxTurnRequests) => TurnEnd::CutShort(NO_REQUESTS.to_owned()),
            Word::Unknown(word) => TurnEnd::CutShort(format!("{OWN_REASON}{word}")),
        };
        // What was recorded last is looked at before the end is acted upon.
        self.signs().recorded.store(true, Ordering::SeqCst);
        Ok(Some(Looked::Ended { how, said }))
    }

    /// Cancels the turn that has this id, and all that is open in it.
    pub(super) fn cancel_turn(&mut self, id: u64) -> Result<(), Failure> {
        self.state = State::Cancelling(id);
        self.watch.begin();
        self.forms.cancelled();
        self.client.cancel(self.conversation.as_deref().unwrap_or_default())
    }

    /// Ends what takes too long where nobody decides that: a turn that runs on after its question was answered, and a
    /// cancel that is not obeyed.
    pub(super) fn in_time(&mut self) -> Result<(), Failure> {
        let passed = self.watch.step;
        match self.state {
            // It asked, was answered, and goes on: it has to end before it can be told the answer.
            State::Turn(id) if self.waiting.is_some() && passed >= self.limits.runs_on => self.cancel_turn(id),
            State::Cancelling(_) if passed >= self.limits.cancel => Err(Failure::Deaf { after: passed }),
            State::Asked(..) | State::Greeting | State::Idle | State::Turn(_) | State::Cancelling(_) => {
                if self.is_alone() { self.missed().map_or(Ok(()), Err) } else { Ok(()) }
            }
        }
    }
}
