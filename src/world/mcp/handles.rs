//! What names a form between two calls, what a call is about, and who calls: all that is read from a call and a reply
//! alone.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde_json::Value;

use crate::app::error::AppError;
use crate::app::reply::{Reply, ToolResult};
use crate::app::toolbox::{Call, Said};
use crate::domain::agent_names::{agent_of, sends_one_field};
use crate::domain::ids::QuestionId;
use crate::domain::refusal::Refusal;
use crate::domain::session::{Phase, Session};
use crate::domain::text::Topic;
use crate::domain::tool::Tool;

use super::elicited::Fields;

/// A client's name is part of who an answer came from; a longer one is cut.
pub(super) const LONGEST_NAME: usize = 40;

/// Whether this client's forms may have several fields.
pub(super) fn fields(call: &Call) -> Fields {
    if sends_one_field(agent_of(&call.client)) { Fields::One } else { Fields::Several }
}

/// The values of a form and of those before it.
pub(super) fn together(given: &Value, values: Value) -> Value {
    match (given, values) {
        (Value::Object(given), Value::Object(mut values)) => {
            for (name, value) in given {
                values.entry(name.clone()).or_insert_with(|| value.clone());
            }
            Value::Object(values)
        }
        (_, values) => values,
    }
}

/// The name of the agent behind a client, as it can stand in a session's history.
pub(super) fn name(client: &str) -> String {
    let plain: String = agent_of(client)
        .chars()
        .filter(|one| one.is_ascii_alphanumeric() || "-_.".contains(*one))
        .take(LONGEST_NAME)
        .collect();
    if plain.is_empty() { "unnamed".to_owned() } else { plain }
}

/// The argument under which the user's yes is reported.
pub(super) const REPORTED: &str = "confirmed";

/// What a handle begins with that names a form of which nothing is recorded.
pub(super) const FORM: &str = "form-";

/// What a handle begins with that names no question, but where the session was when a person's decision was waited for.
pub(super) const WAITS: &str = "waits-";

/// Where a session is, as far as a decision that waits in it is concerned: another one after anybody decided.
pub(super) fn stand(session: Option<&Session>) -> String {
    let mut hasher = DefaultHasher::new();
    match session {
        None => "none".hash(&mut hasher),
        Some(session) => {
            // A gate is opened after a question at the earliest, so that the same gate again is another one.
            (session.id.as_str(), session.phase.name(), session.transcript.asked.len(), session.waived.len())
                .hash(&mut hasher);
            if let Phase::Selection(selection) = &session.phase {
                let gate = &selection.gate;
                (gate.rationale.as_str(), gate.question.as_str()).hash(&mut hasher);
                format!("{:?}", selection.request).hash(&mut hasher);
            }
        }
    }
    format!("{WAITS}{:016x}", hasher.finish())
}

/// Where the session of a reply is: what a decision that is waited for is bound to.
pub(super) fn where_it_stands(reply: &Reply) -> String {
    if let Reply::Tool(tool) = reply
        && let ToolResult::Done(done) = &tool.result
    {
        return stand(done.session.as_ref());
    }
    stand(None)
}

/// Whether a decision is waited for, and no answer to a question.
pub(super) fn decides(said: &Said) -> bool {
    let kind = said.value.get("kind").and_then(Value::as_str);
    matches!(kind, Some("waiting" | "approval_required"))
}

/// The topic that a session is to begin with.
pub(super) fn topic(call: &Call) -> Option<String> {
    let topic = call.arguments.get("topic").and_then(Value::as_str)?;
    (call.tool == Tool::Start.name()).then(|| Topic::parse(topic).ok().map(|topic| topic.normalised())).flatten()
}

/// Whether a call brings the user's yes as its caller reports it. Whoever can be asked is asked first, and only where
/// nobody can be, or the form about this topic came back unsent, does the report count.
pub(super) fn reported(call: &Call) -> bool {
    call.tool == Tool::Start.name() && call.arguments.get(REPORTED).is_some()
}

/// A call without such a report.
pub(super) fn unreported(call: &Call) -> Call {
    let mut call = call.clone();
    if reported(&call)
        && let Value::Object(arguments) = &mut call.arguments
    {
        arguments.remove(REPORTED);
    }
    call
}

/// Whether a handle names a question of a session.
pub(super) fn names_question(handle: &str) -> bool {
    !handle.starts_with(WAITS) && !handle.starts_with(FORM)
}

/// A question that this session does not have.
pub(super) fn gone(handle: &str) -> AppError {
    match QuestionId::parse(handle) {
        Ok(question) => AppError::Refused(Refusal::NoSuchQuestion { question }),
        Err(_) => AppError::Refused(Refusal::NoQuestion),
    }
}

/// What names a question: its id where it was recorded, else what it was called with.
pub(super) fn handle(call: &Call, said: &Said) -> String {
    if let Some(id) = said.value.pointer("/question/id").and_then(Value::as_str) {
        return id.to_owned();
    }
    let mut hasher = DefaultHasher::new();
    (&call.tool, call.arguments.to_string()).hash(&mut hasher);
    format!("{FORM}{:016x}", hasher.finish())
}
