//! Limits that an agent passed (A5). In an interview a person watches: they are told, and decide. In a trial one that is
//! passed is a failure.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::{Running, State};
use crate::acp::failure::{Failure, Step};
use crate::app::ports::{Hindrance, Looked};

/// What has not come within its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overdue {
    /// The answer to a request; to a prompt, that is the end of the turn.
    Answer(Step),
    /// The greeting of our tools.
    Greeting,
    /// The first that a model sends in a turn.
    FirstToken,
    /// A sign of life in a turn.
    SignOfLife,
}

impl Overdue {
    fn failure(self, after: Duration) -> Failure {
        match self {
            Self::Answer(step) => Failure::Silent { step, after },
            Self::FirstToken | Self::SignOfLife => Failure::Silent { step: Step::Turn, after },
            Self::Greeting => Failure::NoTools,
        }
    }

    fn sentence(self, agent: &str, waited: &str, hint: &str) -> String {
        match self {
            Self::Answer(Step::Turn) => format!("{agent}'s turn has taken {waited}"),
            Self::Answer(step @ (Step::Initialize | Step::Open | Step::Load | Step::Setting)) => {
                format!("{agent} has not answered ACP {} for {waited}", step.in_words())
            }
            Self::Greeting => format!("{agent} has not started git grill's tools after {waited}"),
            Self::FirstToken | Self::SignOfLife => format!("{agent}'s model has sent nothing for {waited}{hint}"),
        }
    }

    /// Whether the doctor could tell more.
    fn is_of_the_start(self) -> bool {
        match self {
            Self::Answer(Step::Turn) | Self::FirstToken | Self::SignOfLife => false,
            Self::Answer(Step::Initialize | Step::Open | Step::Load | Step::Setting) | Self::Greeting => true,
        }
    }
}

impl Running {
    /// The limit that is passed.
    fn overdue(&self) -> Option<Overdue> {
        let is_over = |limit: Duration| self.watch.is_over(limit);
        match self.state {
            State::Asked(step, _) if is_over(self.limits.handshake) => Some(Overdue::Answer(step)),
            State::Greeting if is_over(self.limits.greeting) && !self.signs().greeted.load(Ordering::SeqCst) => {
                Some(Overdue::Greeting)
            }
            // Its question was answered, and the turn only has to end.
            State::Turn(_) if self.waiting.is_some() => None,
            State::Turn(_) if is_over(self.limits.turn) => Some(Overdue::Answer(Step::Turn)),
            State::Turn(_) if self.limits.silence.is_some() => self.is_silent_for_good().then_some(Overdue::SignOfLife),
            State::Turn(_)
                if is_over(self.limits.first_token) && self.activity.is_nothing() && self.witness.is_none() =>
            {
                Some(Overdue::FirstToken)
            }
            State::Asked(..) | State::Greeting | State::Idle | State::Turn(_) | State::Cancelling(_) => None,
        }
    }

    /// Whether nothing was heard of it for as long as may be, and no tool runs that takes its time.
    fn is_silent_for_good(&self) -> bool {
        let is_over = self.limits.silence.is_some_and(|limit| self.watch.silence >= limit);
        is_over && !self.activity.is_at_work(&self.rules())
    }

    /// Whether a limit that is passed is the end of it, since nobody decides about that: in a trial, and where nobody
    /// watches.
    pub(super) fn is_alone(&self) -> bool {
        self.witness.is_some() || self.limits.silence.is_some()
    }

    /// A limit that is passed, as the end of an agent about which nobody decides.
    pub(in crate::world::lead) fn missed(&self) -> Option<Failure> {
        let overdue = self.overdue()?;
        let after = if overdue == Overdue::SignOfLife { self.watch.silence } else { self.watch.step };
        Some(overdue.failure(after))
    }

    /// What the user decides about, if a limit is passed.
    pub(super) fn offer(&mut self) -> Option<Looked> {
        let overdue = self.overdue()?;
        self.offered = Some(overdue);
        let name = &self.agent.name;
        let sentence = overdue.sentence(name, &in_words(self.watch.step), &self.hint());
        let advice = if overdue.is_of_the_start() {
            format!("git grill agent doctor {name} checks how it starts, in another terminal")
        } else {
            String::new()
        };
        Some(Looked::Overdue(Hindrance { sentence, advice }))
    }

    /// Whether there is nothing left to decide about: what was missed came, or the agent needs the user for something
    /// else, or it is gone.
    pub(in crate::world::lead) fn went_on(&self) -> bool {
        let signs = self.signs();
        let is_stuck = signs.stuck.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        let told = is_stuck || signs.recorded.load(Ordering::SeqCst) || self.forms.wait();
        told || self.ended.is_some() || self.failed.is_some() || self.overdue() != self.offered
    }

    /// Whether it is over with it.
    pub(in crate::world::lead) fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    /// The user waits on, or the agent went on.
    pub(in crate::world::lead) fn wait_on(&mut self) {
        self.offered = None;
        self.watch.go_on();
    }
}

/// A time that one waited.
fn in_words(waited: Duration) -> String {
    match waited.as_secs() {
        // One that is shorter is no setting.
        0 => "1 s".to_owned(),
        seconds @ 1..120 => format!("{seconds} s"),
        seconds => format!("{} min", seconds / 60),
    }
}
