//! What a call came to as a client reads it: the same thing in words and as a value, each complete in itself, since some
//! clients show the model the one and some the other.

use serde_json::{Value, json};

use crate::app::error::AppError;
use crate::app::error::advice::{example, what_to_do};
use crate::app::reply::Reply;
use crate::app::toolbox::{NotSent, ToolText, Waiting};
use crate::render::{self, Asked, Links, Look};

use super::held::is_held;

/// The look of a reply that is piped.
const PIPED: Look = Look { colours: false, terminal: false, asked: Asked::InText, links: Links::Spelled };

pub(super) fn said(served: Result<Reply, AppError>, tool: &str) -> ToolText {
    match served {
        Ok(reply) => {
            let said = whole(render::reply_json(&reply));
            // A reply that people get as well has no words of its own for a model.
            let in_words = || render::reply_text(&reply, &PIPED).trim_end().to_owned();
            if said.text.is_empty() { ToolText { text: in_words(), ..said } } else { said }
        }
        Err(error) => failed(&error, tool),
    }
}

pub(super) fn remarking(said: ToolText, remarks: Vec<String>) -> ToolText {
    let ToolText { text, mut value, failed } = said;
    let mut all: Vec<Value> = value.get("remarks").and_then(Value::as_array).cloned().unwrap_or_default();
    let text = std::iter::once(text).chain(remarks.iter().cloned()).collect::<Vec<_>>().join("\n");
    all.extend(remarks.into_iter().map(Value::String));
    value["remarks"] = Value::Array(all);
    ToolText { text, value, failed }
}

pub(super) fn whole(value: Value) -> ToolText {
    let text = value.get("text").and_then(Value::as_str);
    let remarks = value.get("remarks").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let instructions = value.get("instructions").and_then(Value::as_str);
    // The text of an answer is fixed, and some clients show their model nothing else.
    let seen = value.get("referee").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let seen: Vec<String> = seen.map(|line| format!("- {line}")).collect();
    let seen = (!seen.is_empty()).then(|| format!("What the rules see:\n{}", seen.join("\n")));
    let note = value.get("note").and_then(Value::as_str).map(|note| format!("User added: {note}"));
    // An update names the version that it was made from; the status says it beside the checkpoint.
    let version = value.get("checkpointVersion").and_then(Value::as_str);
    let version = version.filter(|version| !text.is_some_and(|text| text.contains(version)));
    let version = version.map(|version| format!("Checkpoint version (the basedOn of an update): {version}"));
    let parts = text.into_iter().chain(note.as_deref()).chain(remarks).chain(seen.as_deref()).chain(version.as_deref());
    let text = parts.chain(instructions).collect::<Vec<_>>().join("\n");
    let failed = value.get("error").is_some_and(Value::is_object);
    ToolText { text, value, failed }
}

pub(super) fn failed(error: &AppError, tool: &str) -> ToolText {
    first(error, &what_to_do(error, tool), example(error, tool).as_deref())
}

/// What a form came to: the call was in order, so that what is wrong is in what the person sent.
pub(super) fn sent(served: Result<Reply, AppError>, tool: &str) -> ToolText {
    match served {
        Err(error @ AppError::Usage { .. }) => {
            let todo = format!("Call {tool} again, and tell the user that their form was not accepted.");
            first(&error, &todo, None)
        }
        served => said(served, tool),
    }
}

/// What to do, and then what was not done and why, and a call that would be taken.
fn first(error: &AppError, todo: &str, example: Option<&str>) -> ToolText {
    let value = render::agent_error_json(error, todo, example);
    let causes = error.causes().into_iter().map(|cause| format!("caused by: {cause}"));
    let example = example.map(|example| format!("for example: {example}"));
    let said = error.to_string();
    let why = (!todo.contains(&said)).then(|| format!("error: {said}"));
    let lines = std::iter::once(todo.to_owned()).chain(why).chain(causes).chain(example);
    ToolText { text: lines.collect::<Vec<_>>().join("\n"), value, failed: true }
}

/// A decision that somebody took elsewhere: where the session is now.
pub(super) fn elsewhere(now: ToolText) -> ToolText {
    let mut value = now.value;
    let text = value.get("text").and_then(Value::as_str).unwrap_or(&now.text);
    value["text"] =
        json!(format!("This was decided elsewhere meanwhile, and what came back here was not used. {text}"));
    whole(value)
}

/// A form that came back, and decided nothing of what it could have.
pub(super) fn undecided(now: ToolText) -> ToolText {
    let mut value = now.value;
    let remark = "the form came back without a decision that it offered; to produce something, at least one output has to \
                  be ticked";
    if let Some(remarks) = value.get_mut("remarks").and_then(Value::as_array_mut) {
        remarks.push(json!(remark));
    }
    whole(value)
}

/// A form that did not come back filled in says nothing about the person: some clients decline at once, with nobody
/// there. What a question waits for is said under the kind of its own; a decision waits as before.
pub(super) fn not_sent(waiting: &Waiting, how: NotSent) -> ToolText {
    let seconds = waiting.within.unwrap_or_default().as_secs();
    let (kind, did) = match how {
        NotSent::Declined => ("declined", "The client declined to show or send the form".to_owned()),
        NotSent::Cancelled => ("cancelled", "The client closed the form".to_owned()),
        NotSent::Failed | NotSent::NoForms => ("unavailable", "The client could not show the form".to_owned()),
        NotSent::TimedOut => ("timed_out", format!("Nobody answered within {seconds} seconds")),
    };
    // What was refused stays refused, and says what can be done.
    let is_refused = is_held(&waiting.meanwhile) || waiting.meanwhile.value["error"]["code"] == "needs_person";
    if is_refused {
        let about =
            if is_held(&waiting.meanwhile) { ", in which the user could have waved concerns through" } else { "" };
        let remark = format!("{did}{about}. This is not the user's answer.");
        return remarking(waiting.meanwhile.clone(), vec![remark]);
    }
    let mut value = waiting.meanwhile.value.clone();
    let decision = matches!(value.get("kind").and_then(Value::as_str), Some("waiting" | "approval_required"));
    let meanwhile = value.get("text").and_then(Value::as_str).unwrap_or_default();
    let text = if decision {
        format!("{did}. This is not the user's answer. {meanwhile}")
    } else if value.pointer("/question/id").is_some() {
        format!(
            "{did}. This is not the user's answer, and nothing was recorded. Put the question to them in plain text and \
             record what they say with grill_record_answer. It stays open: git grill answer at a terminal answers it \
             too, and the same call again returns the answer."
        )
    } else {
        format!("{did}. This is not the user's answer, and nothing was recorded. Ask them in plain text.")
    };
    value["form"] = json!(kind);
    value["text"] = json!(text);
    if !decision {
        value["kind"] = json!(kind);
    }
    whole(value)
}
