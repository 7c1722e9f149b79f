//! Several forms of one call, one after the other: for each form that comes back, the extension runs again from its
//! beginning, and a question that it repeats gets the earlier answer. A question that differs is asked again.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::app::prompt::{
    AtGate, Came, Choice, FormAnswer, FormPrompt, GatePrompt, Level, ManyPrompt, PickPrompt, Picked, Prompted,
    Prompter, ReplyPrompt,
};
use crate::app::toolbox::{Filled, NotSent};
use crate::domain::fnv::fnv1a;
use crate::domain::ui::Without;

use super::form_prompter::{Asked, EMPTY, Fields, FormPrompter, NOBODY};
use super::handles::together;

/// The most bytes of all rounds of a call: a client of the second era carries them from one call to the next.
const LARGEST: usize = 256 * 1024;
/// The most notices that are returned with a result.
const MOST_NOTICES: usize = 20;

/// A form of the call, and what came back for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Round {
    /// A hash of the form, so that an answer counts only for the question that was shown.
    shown: String,
    /// What was sent so far; null while it is open.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    values: Value,
    /// The word for how the form was not sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    not_sent: Option<String>,
}

impl Round {
    fn open(shown: String) -> Self {
        Self { shown, values: Value::Null, not_sent: None }
    }

    /// Whether anything came back for it.
    fn is_open(&self) -> bool {
        self.values.is_null() && self.not_sent.is_none()
    }
}

/// The rounds of a call so far; the last one may be open.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rounds(Vec<Round>);

impl Rounds {
    /// The rounds that a client sent back; empty if they are not ours.
    pub(super) fn of(given: &Value) -> Self {
        Self(serde_json::from_value(given.clone()).unwrap_or_default())
    }

    /// The rounds as a client carries them: always a list, even without any.
    pub(super) fn to_value(&self) -> Value {
        serde_json::to_value(&self.0).unwrap_or_else(|_| Value::Array(Vec::new()))
    }

    pub(super) fn are_too_large(&self) -> bool {
        self.to_value().to_string().len() > LARGEST
    }

    /// The input so far for the form that is open.
    pub(super) fn so_far(&self) -> Value {
        self.0.last().map_or(Value::Null, |round| round.values.clone())
    }

    /// Takes what came back for the open form. Returns the input, and whether it is new.
    fn take(&mut self, filled: Filled) -> Fresh {
        let Some(open) = self.0.last_mut() else { return Fresh { values: Value::Null, adds: false } };
        match filled {
            Filled::Sent(values) => {
                // A form that came back empty is no open form.
                let values = if values.is_null() { Value::Object(serde_json::Map::new()) } else { values };
                let values = together(&open.values, values);
                let adds = values != open.values;
                open.values = values.clone();
                Fresh { values, adds }
            }
            Filled::NotSent(how) => {
                let values = std::mem::take(&mut open.values);
                open.not_sent = Some(word(how).to_owned());
                Fresh { values, adds: true }
            }
        }
    }
}

/// What came back just now.
#[derive(Clone, Debug, PartialEq)]
struct Fresh {
    values: Value,
    /// Whether it is more than was sent before.
    adds: bool,
}

/// How a form was not sent, as a round says it.
fn word(how: NotSent) -> &'static str {
    match how {
        NotSent::Declined => "declined",
        NotSent::Cancelled => "cancelled",
        NotSent::TimedOut => "timed_out",
        NotSent::Failed => "failed",
        NotSent::NoForms => NO_FORMS,
    }
}

const NO_FORMS: &str = "no_forms";

/// The same as the extension gets it (P19).
fn without(word: &str) -> Without {
    match word {
        "declined" => Without::Declined,
        "cancelled" => Without::Cancelled,
        "timed_out" => Without::TimedOut,
        NO_FORMS => Without::Unavailable(NOBODY.to_owned()),
        _ => Without::Unavailable("this client could not show the form".to_owned()),
    }
}

/// The hash of a form: of the text above it, and of every field.
fn shown(asked: &Asked) -> String {
    format!("{:016x}", fnv1a(format!("{}\n{:?}", asked.message, asked.fields).bytes()))
}

/// A prompter that answers from the rounds, and keeps the next question after them.
#[derive(Debug)]
pub(super) struct Replaying {
    rounds: Rounds,
    /// The round that answers the next prompt.
    at: usize,
    /// What came back just now for the last round.
    fresh: Option<Fresh>,
    used: bool,
    fields: Fields,
    within: Option<Duration>,
    asked: Option<Asked>,
    came: Came,
    beside: Option<String>,
    notices: Vec<String>,
}

/// The outcome of a run.
#[derive(Debug)]
pub(super) struct Replayed {
    /// The rounds, the last of them open where something is asked.
    pub rounds: Rounds,
    pub asked: Option<Asked>,
    /// What was sent just now, if it answered nothing.
    pub unused: Option<Value>,
    pub notices: Vec<String>,
}

impl Replaying {
    pub(super) fn new(rounds: Rounds, fields: Fields) -> Self {
        Self {
            rounds,
            at: 0,
            fresh: None,
            used: false,
            fields,
            within: None,
            asked: None,
            came: Came::Now,
            beside: None,
            notices: Vec::new(),
        }
    }

    /// One that answers from these rounds, the last of which came back just now.
    pub(super) fn filled(mut rounds: Rounds, filled: Filled, fields: Fields) -> Self {
        let fresh = rounds.take(filled);
        Self { fresh: Some(fresh), ..Self::new(rounds, fields) }
    }

    pub(super) fn ended(self) -> Replayed {
        let unused = self.fresh.filter(|_| !self.used).map(|fresh| fresh.values);
        Replayed { rounds: self.rounds, asked: self.asked, unused, notices: self.notices }
    }

    /// Whether this client shows no forms, as was found out before.
    fn has_no_forms(&self) -> bool {
        self.rounds.0.iter().any(|round| round.not_sent.as_deref() == Some(NO_FORMS))
    }

    /// Answers a prompt, or keeps it as the next question.
    fn meet<T>(&mut self, ask: impl Fn(&mut FormPrompter) -> Prompted<T>) -> Prompted<T> {
        if self.has_no_forms() {
            return self.unsent(without(NO_FORMS));
        }
        let mut noting = FormPrompter::noting(self.fields);
        noting.wait_at_most(self.within);
        let prompted = ask(&mut noting);
        let Some(asked) = noting.asked() else {
            // No form asks this.
            self.came = Came::Now;
            return prompted;
        };
        let shown = shown(&asked);
        let Some(round) = self.rounds.0.get(self.at).filter(|round| round.shown == shown).cloned() else {
            // What came for another question is no answer to this one, and neither is what followed from it.
            self.rounds.0.truncate(self.at);
            self.rounds.0.push(Round::open(shown));
            return self.left_open(asked);
        };
        let is_last = self.at + 1 == self.rounds.0.len();
        let fresh = self.fresh.clone().filter(|_| is_last);
        if let Some(word) = &round.not_sent {
            self.at += 1;
            return self.unsent(without(word));
        }
        if round.is_open() {
            self.rounds.0.truncate(self.at + 1);
            return self.left_open(asked);
        }
        let mut given = FormPrompter::given(round.values, self.fields, &asked.message);
        let prompted = ask(&mut given);
        if let Prompted::Answered(_) = &prompted {
            self.at += 1;
            self.beside = given.beside();
            self.used |= fresh.is_some();
            self.came = if fresh.is_some() { Came::Now } else { Came::Before };
            return prompted;
        }
        let adds = fresh.is_none_or(|fresh| fresh.adds);
        match given.asked() {
            // Otherwise a client that sends the same input again would be asked for the rest forever.
            Some(further) if adds => {
                self.used = true;
                self.rounds.0.truncate(self.at + 1);
                self.left_open(Asked { within: self.within, ..further })
            }
            Some(_) | None => {
                self.at += 1;
                self.unsent(Without::Unavailable(EMPTY.to_owned()))
            }
        }
    }

    /// Keeps the question; it is answered with a later call.
    fn left_open<T>(&mut self, asked: Asked) -> Prompted<T> {
        self.came = Came::Now;
        self.asked = Some(asked);
        Prompted::Unavailable(NOBODY)
    }

    /// There is no answer, for this reason.
    fn unsent<T>(&mut self, why: Without) -> Prompted<T> {
        self.came = Came::Unsent(why);
        Prompted::Unavailable(EMPTY)
    }
}

impl Prompter for Replaying {
    fn available(&self) -> Result<(), &'static str> {
        if self.has_no_forms() { Err(NOBODY) } else { Ok(()) }
    }

    /// What comes back from a client was not typed at our terminal.
    fn at_hand(&self) -> bool {
        true
    }

    fn later(&self) -> bool {
        self.asked.is_some()
    }

    fn replays(&self) -> bool {
        self.rounds.0.get(self.at).is_some_and(|round| !round.is_open())
    }

    fn came(&self) -> Came {
        self.came.clone()
    }

    fn beside(&mut self) -> Option<String> {
        self.beside.take()
    }

    fn wait_at_most(&mut self, limit: Option<Duration>) {
        self.within = limit;
    }

    fn reply(&mut self, prompt: &ReplyPrompt) -> Prompted<String> {
        self.meet(|form| form.reply(prompt))
    }

    fn pick(&mut self, prompt: &PickPrompt) -> Prompted<Picked> {
        self.meet(|form| form.pick(prompt))
    }

    fn form(&mut self, prompt: &FormPrompt) -> Prompted<Vec<FormAnswer>> {
        self.meet(|form| form.form(prompt))
    }

    fn gate(&mut self, prompt: &GatePrompt) -> Prompted<AtGate> {
        self.meet(|form| form.gate(prompt))
    }

    fn choose(&mut self, question: &str, choices: &[Choice]) -> Prompted<usize> {
        self.meet(|form| form.choose(question, choices))
    }

    fn choose_many(&mut self, prompt: &ManyPrompt) -> Prompted<Vec<usize>> {
        self.meet(|form| form.choose_many(prompt))
    }

    fn confirm(&mut self, question: &str) -> Prompted<bool> {
        self.meet(|form| form.confirm(question))
    }

    /// A client shows no notice by itself: it is returned with the result.
    fn notify(&mut self, message: &str, level: Level) {
        let said = match level {
            Level::Info => message.to_owned(),
            Level::Warning => format!("warning: {message}"),
            Level::Error => format!("error: {message}"),
        };
        if self.notices.len() < MOST_NOTICES {
            self.notices.push(said);
        }
    }
}

#[cfg(test)]
mod tests;
