//! What names a form between two calls, what a call is about, and who calls: all that is read from a call and a reply
//! alone.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde_json::Value;

use crate::agents::traces::{agent_of, sends_one_field};
use crate::app::error::AppError;
use crate::app::reply::{Reply, ToolResult};
use crate::app::toolbox::{Call, ToolText};
use crate::domain::fnv::fnv1a;
use crate::domain::ids::{QuestionId, SessionId};
use crate::domain::interview;
use crate::domain::session::{Phase, Session};
use crate::domain::text::Topic;
use crate::domain::tool::Tool;

use super::form_prompter::Fields;

/// A client's name is part of who an answer came from; a longer one is cut.
pub(super) const LONGEST_NAME: usize = 40;

/// Separates the name from the session in a handle.
const OF: char = '@';

/// The handle of this name, with the session if there is one.
fn of(what: String, session: Option<&SessionId>) -> String {
    match session {
        Some(session) => format!("{what}{OF}{session}"),
        None => what,
    }
}

/// The session of a handle. A client returned the handle, so the session may not exist.
pub(super) fn session_of(handle: &str) -> Option<SessionId> {
    SessionId::parse(handle.split_once(OF)?.1).ok()
}

pub(super) fn bare(handle: &str) -> &str {
    handle.split_once(OF).map_or(handle, |(what, _)| what)
}

/// The question of a handle; if the handle names none, an id derived from the handle.
pub(super) fn question_of(handle: &str) -> QuestionId {
    QuestionId::parse(bare(handle)).unwrap_or_else(|_| QuestionId::from_nonce(fnv1a(handle.bytes())))
}

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
        (given, Value::Null) => given.clone(),
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

/// Whether a call is for a tool of an extension: git grill has none of that name.
pub(super) fn is_of_an_extension(call: &Call) -> bool {
    Tool::named(&call.tool).is_none()
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
    of(format!("{WAITS}{:016x}", hasher.finish()), session.map(|session| &session.id))
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
pub(super) fn decides(said: &ToolText) -> bool {
    let kind = said.value.get("kind").and_then(Value::as_str);
    matches!(kind, Some("waiting" | "approval_required"))
}

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

pub(super) fn names_question(handle: &str) -> bool {
    !handle.starts_with(WAITS) && !handle.starts_with(FORM)
}

/// Why a form is of no use to this call: the session has no such question, or the call is about another one.
pub(super) fn of_no_use(handle: &str, session: Option<&Session>) -> AppError {
    let Ok(question) = QuestionId::parse(bare(handle)) else {
        return AppError::from(interview::Refusal::NoQuestion);
    };
    match session.and_then(|session| session.transcript.get(&question)) {
        Some(asked) => AppError::Usage {
            message: format!(
                "the form was shown for question {} ({question}), and this call is about another one",
                asked.number
            ),
            hint: "a requestState goes with the arguments of the call that it came back from".to_owned(),
        },
        None => AppError::from(interview::Refusal::NoSuchQuestion { question }),
    }
}

/// The handle of a question: its id if it was recorded, else a hash of its call; and the session, which is the one
/// `here` if the reply names none.
pub(super) fn handle(call: &Call, said: &ToolText, here: impl FnOnce() -> Option<SessionId>) -> String {
    let session = said.value.get("session").and_then(Value::as_str).and_then(|id| SessionId::parse(id).ok());
    let session = session.or_else(here);
    if let Some(id) = said.value.pointer("/question/id").and_then(Value::as_str) {
        return of(id.to_owned(), session.as_ref());
    }
    let mut hasher = DefaultHasher::new();
    (&call.tool, call.arguments.to_string()).hash(&mut hasher);
    of(format!("{FORM}{:016x}", hasher.finish()), session.as_ref())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn q15_a_handle_says_what_and_whose_session() {
        let session = SessionId::parse("20261121-auth-k3f9q").unwrap();
        let question = of("q-abcdef".to_owned(), Some(&session));
        assert_eq!((bare(&question), session_of(&question)), ("q-abcdef", Some(session.clone())));
        assert_eq!(question_of(&question), QuestionId::parse("q-abcdef").unwrap());
        for handle in ["", "q-abcdef", "waits-0@../../x", "form-0@", "waits-0@20261121-AUTH-k3f9q"] {
            assert_eq!(session_of(handle), None, "{handle}");
        }
        let waits = of("waits-0".to_owned(), Some(&session));
        assert_eq!(question_of(&waits), question_of(&waits));
        assert_ne!(question_of(&waits), question_of("waits-0"));
    }

    #[test]
    fn q15_what_an_earlier_form_brought_stays_where_a_later_one_brings_nothing() {
        let given = json!({ "q1": "1. a" });
        assert_eq!(together(&given, Value::Null), given);
        assert_eq!(together(&given, json!({ "q2": "b" })), json!({ "q1": "1. a", "q2": "b" }));
        assert_eq!(together(&given, json!({ "q1": "2. c" })), json!({ "q1": "2. c" }));
        assert_eq!(together(&Value::Null, json!("garbage")), json!("garbage"));
    }
}
