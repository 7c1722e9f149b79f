//! What an agent is told while a terminal outside puts its question (G67): the call has done all that it can, and the turn
//! is to end. No form is shown, and nothing but the status answers anything else until the user has.

use serde_json::{Value, json};

use crate::app::toolbox::ToolText;
use crate::domain::session::{Floor, Phase, Session};

use super::telling::whole;

/// The words for a question.
const ON_SCREEN: &str =
    "The question is on the user's screen. End your turn now and say nothing more; the answer is the next message.";
const GATE: &str = "The output selection is on the user's screen. End your turn now and say nothing more; what the user decides is \
                    the next message.";

/// The reply of a call whose question waits, with the question that it was recorded under.
pub(super) fn pending(meanwhile: &ToolText) -> ToolText {
    let mut value = meanwhile.value.clone();
    let gate = value.pointer("/question/id").is_none();
    value["kind"] = json!("pending");
    value["text"] = json!(if gate { GATE } else { ON_SCREEN });
    for name in ["remarks", "instructions"] {
        value.as_object_mut().and_then(|value| value.remove(name));
    }
    whole(value)
}

/// The reply of every other call while something waits for the user.
pub(super) fn before(session: &Session) -> Option<ToolText> {
    let (text, question) = match &session.phase {
        Phase::Interview(Floor::Question { question }) => (ON_SCREEN, Some(question.to_string())),
        Phase::Selection(_) => (GATE, None),
        Phase::Interview(Floor::Free | Floor::Discussion { .. })
        | Phase::Production(_)
        | Phase::NoInterview { .. }
        | Phase::Closed { .. } => {
            return None;
        }
    };
    let number = session.open_question().map(|asked| asked.number);
    let question = question.map_or(Value::Null, |id| json!({"id": id, "number": number}));
    Some(whole(json!({"kind": "pending", "text": text, "question": question})))
}
