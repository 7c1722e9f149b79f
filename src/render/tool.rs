//! What the question tools came to, as one JSON object: the kind for programs, the text for the model, and the values of
//! both beside them.

use serde_json::{Value, json};

use crate::app::reply::{Done, Filled, Kind, ToolReply, ToolResult};
use crate::domain::concern::Concern;
use crate::domain::production::{Drafted, Production};
use crate::domain::question::Form;
use crate::domain::session::Phase;
use crate::domain::text::Prose;
use crate::domain::tool::{QuestionResult, Row, resumed};

pub(super) fn reply(schema: u32, reply: &ToolReply) -> Value {
    let mut object = match &reply.result {
        ToolResult::Question { form, told, recorded } => {
            let mut object = question(*form, told);
            object["question"] =
                json!(recorded.as_ref().map(|(id, number)| json!({"id": id.as_str(), "number": number})));
            object
        }
        ToolResult::Done(done) => self::done(done),
        ToolResult::Resumed { summary, pending } => {
            json!({"kind": "resumed", "text": resumed(summary), "pending": pending})
        }
        ToolResult::Form { questions, filled } => filled_form(questions, filled),
    };
    object["schema"] = json!(schema);
    object["tool"] = json!(reply.tool.name());
    object["session"] = json!(reply.session.as_ref().map(|id| id.as_str().to_owned()));
    if let Some(version) = &reply.checkpoint {
        object["checkpointVersion"] = json!(version.as_str());
    }
    object["remarks"] = json!(reply.remarks);
    if !reply.referee.is_empty() {
        object["referee"] = json!(reply.referee);
    }
    object
}

/// What a caller needs of the status after anything that it did; the rest is there for whoever asks for the status.
const AFTERWARDS: &[&str] = &[
    "active",
    "phase",
    "currentQuestion",
    "alternatives",
    "outputSelection",
    "approvedOutputPlan",
    "request",
    "progress",
    "lastChangeSummary",
    "updatedAt",
];

/// What happened in a session, or what it is.
fn done(done: &Done) -> Value {
    let mut object = match &done.session {
        None => super::json::no_session(),
        Some(session) => {
            let mut status = super::json::status(session);
            if done.kind == Kind::Status {
                status.insert("fence".into(), json!(done.guards.fence.word()));
            } else {
                status.retain(|key, _| AFTERWARDS.contains(&key.as_str()));
            }
            if let Phase::Production(production) = &session.phase {
                status.insert("drafts".into(), drafts(production));
            }
            Value::Object(status)
        }
    };
    object["kind"] = json!(done.kind.word());
    object["text"] = json!(done.text);
    if let Some(instructions) = &done.instructions {
        object["instructions"] = json!(instructions);
    }
    if let Some(packet) = &done.packet {
        object["packet"] = json!({"characters": packet.characters(), "limit": packet.limit, "cut": packet.cut});
        let concern = |one: &Concern| json!({"kind": one.kind, "name": one.name, "says": one.says});
        object["concerns"] = json!(packet.concerns.iter().map(concern).collect::<Vec<_>>());
    }
    if let Some(refused) = &done.refused {
        object["error"] = json!({"code": refused.code(), "message": refused.to_string(), "causes": [], "hint": done.text.lines().next()});
    }
    object
}

/// Each draft with its bytes' id and how far it is; what it says is in the history, and on the person's screen.
fn drafts(production: &Production) -> Value {
    let draft = |one: &Drafted| {
        json!({
            "path": one.draft.target.to_string(), "destination": one.draft.destination.to_string(),
            "blob": one.draft.blob.as_str(), "stage": one.stage.name(),
        })
    };
    json!(production.drafts.iter().map(draft).collect::<Vec<_>>())
}

fn question(form: Form, told: &QuestionResult) -> Value {
    let selected = match told {
        QuestionResult::Selected { taken, .. } => {
            taken.iter().map(|one| json!({"number": one.number, "label": one.label.as_str()})).collect()
        }
        QuestionResult::Wrote { .. }
        | QuestionResult::Discuss
        | QuestionResult::Cancelled
        | QuestionResult::Unavailable { .. }
        | QuestionResult::TimedOut { .. }
        | QuestionResult::Declined { .. } => Vec::new(),
    };
    let (wrote, because) = match told {
        QuestionResult::Wrote { text, .. } => (Some(text.as_str()), None),
        QuestionResult::Declined { because } => (None, because.as_ref().map(Prose::as_str)),
        QuestionResult::Selected { .. }
        | QuestionResult::Discuss
        | QuestionResult::Cancelled
        | QuestionResult::Unavailable { .. }
        | QuestionResult::TimedOut { .. } => (None, None),
    };
    json!({
        "kind": told.kind(), "text": told.text(form), "selected": selected, "wrote": wrote, "because": because,
        "note": told.note().map(Prose::as_str),
    })
}

/// The questions as they were put, an answer each, and whether it was cancelled (P1, P8).
fn filled_form(questions: &Value, filled: &Filled) -> Value {
    let (kind, text) = match filled {
        Filled::Answered(_) => ("selected", "User answered the questions.".to_owned()),
        Filled::Ended(told) => (told.kind(), told.text(Form::Select)),
    };
    let unavailable = matches!(filled, Filled::Ended(QuestionResult::Unavailable { .. }));
    let code = unavailable.then_some("ui_unavailable");
    let answers = match filled {
        Filled::Answered(answers) => answers.as_slice(),
        Filled::Ended(_) => &[],
    };
    json!({
        "kind": kind, "text": text, "code": code, "questions": questions, "answers": answers,
        "cancelled": *filled == Filled::Ended(QuestionResult::Cancelled),
    })
}

pub(super) fn list(schema: u32, tools: &[&Row]) -> Value {
    let tools: Vec<Value> = tools
        .iter()
        // A test reads each of them.
        .map(|tool| serde_json::from_str(tool.schema).unwrap_or_else(|_| json!({"name": tool.name})))
        .collect();
    json!({"schema": schema, "tools": tools})
}
