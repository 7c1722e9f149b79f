//! The toolbox port: what a server of tools needs from the rest. A call goes in by name and JSON, and what it came to
//! comes out; how a client shows a question to a person is the server's business, what an answer means is not.

use std::time::Duration;

use serde_json::Value;

/// A tool as it is announced.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    pub name: String,
    pub description: String,
    /// The JSON schema of its arguments, an object.
    pub schema: Value,
    /// What calling it does, for clients that gate on it.
    pub nature: Nature,
}

/// What calling a tool does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    Reads,
    /// It adds to the session and to nothing else; twice the same call is once.
    Records,
    /// It runs an extension that a person enabled, or another agent.
    Runs,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub tool: String,
    /// Its arguments, unchecked.
    pub arguments: Value,
    /// What the client calls itself.
    pub client: String,
    /// The handle of the question that the same call was waiting for before.
    pub again: Option<String>,
    /// [`Waiting::given`] of that question; null without one.
    pub given: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Called {
    /// It was done, or refused; both are results that an agent reads.
    Done(ToolText),
    /// A question stands open, and only a person can answer it.
    Waiting(Box<Waiting>),
}

/// A result: the same thing in words and as a value that is complete in itself.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolText {
    pub text: String,
    /// As an object; an error is `{"error":{"code","message","hint"}}`.
    pub value: Value,
    pub failed: bool,
}

/// A question that waits, with the form that a client can show.
#[derive(Clone, Debug, PartialEq)]
pub struct Waiting {
    /// What names the question; the same as long as it is the same question.
    pub handle: String,
    /// What stands above the form.
    pub message: String,
    /// The fields, at least one.
    pub fields: Vec<Field>,
    /// How long the caller lets somebody be waited for; none is as long as it takes.
    pub within: Option<Duration>,
    /// Replies of earlier forms for the same question. A list belongs to a tool that asks one question after the other: its
    /// forms are the rounds of one call.
    pub given: Value,
    /// What the caller is told when no client can show it and nobody answered yet.
    pub meanwhile: ToolText,
}

/// The most forms of a question, one after the other: one for the question, and a few for what is still missing.
const MOST_FORMS: usize = 4;
/// The most forms of a tool that asks one question after the other.
const MOST_ROUNDS: usize = 200;

impl Waiting {
    pub fn is_of_rounds(&self) -> bool {
        self.given.is_array()
    }

    /// The most forms that one call shows, one after the other.
    pub fn most_forms(&self) -> usize {
        if self.is_of_rounds() { MOST_ROUNDS } else { MOST_FORMS }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The name under which its value comes back.
    pub name: String,
    /// What stands above it.
    pub title: String,
    pub takes: Takes,
    /// Whether the form cannot be sent without it.
    pub required: bool,
    /// The text that stands in it at first; a person changes it or sends it.
    pub initial: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Takes {
    /// One of these: value and title.
    One(Vec<(String, String)>),
    /// Several of these.
    Many(Vec<(String, String)>),
    /// Text of the person's own.
    Text,
}

/// What a client's form came back with.
#[derive(Clone, Debug, PartialEq)]
pub enum Filled {
    /// The person sent it with these values, unchecked.
    Sent(Value),
    /// The client said no, in whichever way; nobody knows whether a person did.
    NotSent(NotSent),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotSent {
    Declined,
    Cancelled,
    /// It shows no forms, and was not asked.
    NoForms,
    /// It could not show the form, or is gone.
    Failed,
    /// It did not answer in the time that the caller gave.
    TimedOut,
}

/// Where calls go. One method is one request: it opens the repository and closes it again, so that whatever happens to
/// the repository between two calls is seen by the second.
pub trait Toolbox: Send + Sync {
    fn tools(&self) -> Vec<Described>;
    fn call(&self, call: &Call) -> Called;
    /// What a waiting question has come to by now; `None` while it still waits.
    fn look(&self, waiting: &Waiting, call: &Call) -> Option<ToolText>;
    /// Takes what a client's form came back with; a form that was not sent leaves the question waiting, and one that
    /// needs something more comes to another form.
    fn fill(&self, waiting: &Waiting, call: &Call, filled: Filled) -> Called;
    /// Keeps the input of a form that no call waits for, and the input of earlier forms for the same question. Reports
    /// it with the next call. A null value is no input.
    fn late(&self, waiting: &Waiting, call: &Call, values: Value);
    /// Takes the reply to a call that had already returned, and reports it with the next call.
    fn undelivered(&self, said: ToolText);
    /// Something that is another one after every change of the session, and of no other.
    fn version(&self) -> Option<String>;
    /// What an agent is told at the beginning, in this phase; `None` without a session.
    fn instructions(&self) -> Option<String>;
    /// Whether there is the prompt `grill`.
    fn has_prompt(&self) -> bool;
    /// What the prompt `grill` says about a topic.
    fn prompt(&self, topic: Option<&str>) -> String;
}
