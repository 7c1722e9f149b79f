//! Replies as one JSON object each. Fields are added, never renamed; `schema` names the shape.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::app::interview_summary::InterviewSummary;
use crate::app::reply::{Listed, Outcome, Protection, Reply, Version};
use crate::domain::citations::ChangedCitation;
use crate::domain::facts::Evidence;
use crate::domain::harmless::acts_on_a_terminal;
use crate::domain::ids::ObjectId;
use crate::domain::interview::{TranscriptEntry, standing_word};
use crate::domain::production::TargetPath;
use crate::domain::question::{Alternatives, Question};
use crate::domain::session::{Phase, Session};
use crate::domain::text::{Line, Prose};
use crate::domain::undoing::WrittenPhase;

use super::status::is_output;
use super::{committed, drafts, kept, lent, outside, verified};

/// An object as the one line that is printed. What a terminal would act on is escaped, which JSON's own rules leave to
/// us beyond ASCII: whoever parses it gets the text as it was given.
pub fn json_text(value: &Value) -> String {
    let mut written = value.to_string();
    if !written.contains(acts_on_a_terminal) {
        written.push('\n');
        return written;
    }
    let mut text = String::new();
    for character in written.chars() {
        if acts_on_a_terminal(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a String cannot fail.
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(character);
        }
    }
    text.push('\n');
    text
}

/// The version of the shapes below.
const SCHEMA: u32 = 1;

pub fn reply_json(reply: &Reply) -> Value {
    match reply {
        Reply::Arrived { outcome, protection, arrival } => {
            let mut object = outcome_json(outcome);
            object.insert("arrival".into(), json!(format!("{arrival:?}").to_lowercase()));
            object.insert("protection".into(), protection_json(protection));
            if let Some(hint) = outcome.after.how_to_look() {
                object.insert("researchHint".into(), json!(hint));
            }
            Value::Object(object)
        }
        Reply::Happened(outcome) => Value::Object(outcome_json(outcome)),
        Reply::Left { outcome, warnings } => with(outcome, "warnings", json!(warnings)),
        Reply::Abandoned { why, warnings } => {
            json!({"schema": SCHEMA, "active": false, "abandoned": true, "why": why, "warnings": warnings})
        }
        Reply::Wrote { outcome, paths } => {
            let paths: Vec<&str> = paths.iter().map(TargetPath::as_str).collect();
            with(outcome, "written", json!(paths))
        }
        Reply::Committed { outcome, paths, commit } => {
            let mut object = outcome_json(outcome);
            object.extend(committed::fields(paths, commit));
            Value::Object(object)
        }
        Reply::Redrafted { outcome, changes } => with(outcome, "changes", drafts::changes_json(changes)),
        Reply::Undone { outcome, paths, nothing: _, older } => {
            let mut object = outcome_json(outcome);
            let paths: Vec<&str> = paths.iter().map(TargetPath::as_str).collect();
            object.insert("undone".into(), json!(paths));
            object.insert("older".into(), json!(older.as_ref().map(phase_json)));
            Value::Object(object)
        }
        Reply::Status(session, guards) => {
            let mut object = status(session);
            object.insert("fence".into(), json!(guards.fence.word()));
            object.insert("backend".into(), json!(guards.backend));
            if let Some(phase) = &guards.half_undone {
                object.insert("halfUndone".into(), phase_json(phase));
            }
            if let Some(list) = &guards.lent {
                object.insert("agents".into(), lent::list_json(list));
            }
            Value::Object(object)
        }
        Reply::NoSession => no_session(),
        Reply::Questions(session) => {
            let questions: Vec<Value> = session.transcript.asked.iter().map(asked_json).collect();
            json!({"schema": SCHEMA, "questions": questions})
        }
        Reply::Checkpoint(checkpoint) => {
            json!({"schema": SCHEMA, "checkpoint": checkpoint.as_str()})
        }
        Reply::CheckpointDiff { from, old, to, new, in_passing: _ } => json!({
            "schema": SCHEMA,
            "from": {"version": from, "checkpoint": old.as_str()},
            "to": {"version": to, "checkpoint": new.as_str()},
        }),
        Reply::Versions { session, versions } => {
            let versions: Vec<Value> = versions.iter().map(version).collect();
            json!({"schema": SCHEMA, "session": session, "versions": versions})
        }
        Reply::Sessions(listed) => sessions(listed),
        Reply::Why { question, number, explained: _ } => why_json(question, *number),
        Reply::Drafts { previews, session } => {
            let mut object = json!({"schema": SCHEMA, "drafts": drafts::previews_json(previews, session)});
            if !session.parked.is_empty() {
                object["keptEdits"] = kept::json(session);
            }
            object
        }
        Reply::Hooks(report, more) => super::doctor::hooks_json(SCHEMA, report, more),
        Reply::Examined(examination) => super::doctor::examined_json(SCHEMA, examination),
        Reply::Verified { session, verification: found } => {
            json!({"schema": SCHEMA, "session": session.as_str(), "verification": verified::json(found)})
        }
        Reply::Drifted(found) | Reply::Behind(found) => {
            json!({"schema": SCHEMA, "verification": verified::json(found)})
        }
        Reply::Outside(changes) => json!({"schema": SCHEMA, "outside": outside::listed(changes)}),
        Reply::Difference(diff) => json!({"schema": SCHEMA, "diff": diff}),
        Reply::Restored { session, restored, verification } => {
            verified::restored_json(SCHEMA, session.as_str(), restored, verification)
        }
        Reply::Tool(reply) => super::tool::reply(SCHEMA, reply),
        Reply::Tools(tools) => super::tool::list(SCHEMA, tools),
        Reply::SetUp(set_up) => super::agents::set_up_json(SCHEMA, set_up),
        Reply::Agents(rows) => super::agents::list_json(SCHEMA, rows),
        Reply::Preflight(report) => json!({"schema": SCHEMA, "preflight": super::preflight::json(report)}),
        Reply::Loan(reply) => lent::json(SCHEMA, reply),
        Reply::Extensions(extending) => super::extensions::json(SCHEMA, extending),
        Reply::Shown { session, lines: _, signs: _ } => Value::Object(status(session)),
        Reply::Plain(plain) => {
            let fields = plain.fields.iter().map(|(key, value)| ((*key).to_owned(), value.clone()));
            Value::Object(std::iter::once(("schema".to_owned(), json!(SCHEMA))).chain(fields).collect())
        }
        Reply::Text(text) => json!({"schema": SCHEMA, "text": text}),
    }
}

/// An output phase that can be taken back.
fn phase_json(phase: &WrittenPhase) -> Value {
    let paths: Vec<&str> = phase.files.iter().map(|file| file.path.as_str()).collect();
    json!({"round": phase.round, "paths": paths, "command": phase.command()})
}

/// What happened, with this beside it.
fn with(outcome: &Outcome, key: &str, value: Value) -> Value {
    let mut object = outcome_json(outcome);
    object.insert(key.to_owned(), value);
    Value::Object(object)
}

fn version(version: &Version) -> Value {
    json!({
        "commit": version.commit.as_str(), "subject": version.subject,
        "author": version.author, "at": version.at.to_string(),
    })
}

fn sessions(listed: &[Listed]) -> Value {
    let sessions: Vec<Value> = listed
        .iter()
        .map(|one| {
            let worktree = one.active_in.as_ref().map(|path| path.to_string_lossy().into_owned());
            match &one.state {
                Ok(state) => json!({
                    "id": one.id.as_str(), "topic": state.topic.as_str(), "phase": state.phase,
                    "updatedAt": state.updated_at.to_string(), "activeIn": worktree,
                }),
                Err(why) => json!({"id": one.id.as_str(), "unreadable": why, "activeIn": worktree}),
            }
        })
        .collect();
    json!({"schema": SCHEMA, "sessions": sessions})
}

fn protection_json(protection: &Protection) -> Value {
    json!({"hooks": protection.hooks, "fence": protection.fence.word(), "warnings": protection.warnings})
}

/// The same fields as with a session, so that nobody has to ask twice which ones there are (G50).
pub(super) fn no_session() -> Value {
    json!({
        "schema": SCHEMA, "active": false, "topic": null, "intent": null, "intensity": null, "outputPreference": [],
        "researchMode": null, "checkpoint": null, "phase": null, "outputPhase": false, "outputSelection": null,
        "approvedOutputPlan": null, "currentQuestion": null, "alternatives": [], "updatedAt": null,
        "lastChangeSummary": null, "session": null, "question": null, "fence": null, "backend": null,
        "verified": null, "inspected": [], "citations": [],
    })
}

/// What happened, beside the status fields of the session now.
fn outcome_json(outcome: &Outcome) -> Map<String, Value> {
    let mut object = status(&outcome.after);
    let events: Vec<Value> = outcome
        .events
        .iter()
        .map(|one| {
            let facets = one.event.facets();
            json!({"op": facets.op, "subject": facets.subject, "by": one.by.to_string()})
        })
        .collect();
    object.insert("events".into(), Value::Array(events));
    let named = |found: Vec<&TranscriptEntry>| -> Vec<Value> {
        found.iter().map(|asked| json!({"id": asked.question.id.as_str(), "number": asked.number})).collect()
    };
    object.insert("stale".into(), json!(named(outcome.staled())));
    object.insert("standingOnIt".into(), json!(named(outcome.standing_on_where_it_went_back())));
    let dropped = outcome.dropped_marks();
    if !dropped.is_empty() {
        object.insert("droppedMarks".into(), json!(dropped));
    }
    object
}

/// The status object: exactly the source's field names (G50), and ours beside them.
pub(super) fn status(session: &Session) -> Map<String, Value> {
    let open = session.open_question();
    let gate = match &session.phase {
        Phase::Selection(selection) => Some(&selection.gate),
        Phase::Interview(_) | Phase::Production(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => None,
    };
    let plan = match &session.phase {
        Phase::Production(production) => serde_json::to_value(&production.plan).ok(),
        Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => None,
    };
    let preference: Vec<String> = session.settings.output_preference.iter().map(ToString::to_string).collect();
    let summary = InterviewSummary::of(session);
    let question = open.map(|asked| asked.question.text.as_str()).or(gate.map(|gate| gate.question.as_str()));
    let of_open = open.map(|asked| &asked.question.alternatives);
    let offered = of_open.or(gate.map(|gate| &gate.alternatives)).map(alternatives);
    let value = json!({
        "schema": SCHEMA,
        "active": !session.is_closed(),
        "topic": session.topic.as_str(),
        "intent": session.settings.intent.as_str(),
        "intensity": session.settings.intensity.as_str(),
        "outputPreference": preference,
        "researchMode": session.settings.research.as_str(),
        "checkpoint": session.checkpoint.as_str(),
        "phase": session.phase.name(),
        "outputPhase": is_output(session),
        "outputSelection": gate.map(|gate| json!({
            "readinessRationale": gate.rationale.as_str(),
            "recommendedOutputs": gate.recommended_outputs.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "recommendedStrategy": gate.recommended_strategy.as_ref().map(ToString::to_string),
            "question": gate.question.as_str(),
            "findings": gate.findings,
        })),
        "approvedOutputPlan": plan,
        "currentQuestion": question,
        "alternatives": offered.unwrap_or_default(),
        "updatedAt": session.updated_at.to_string(),
        "lastChangeSummary": session.last_change.as_ref().map(Line::as_str),
        "session": session.id.as_str(),
        "interviewer": session.settings.interviewer.to_string(),
        "approval": session.settings.approval.as_str(),
        "inferredIntent": summary.inferred().as_str(),
        "question": open.map(asked_json),
        "progress": session.transcript.progress(),
        "questionsLeft": summary.left().filter(|_| !session.phase.asks_nothing()).map(|left| json!({"atLeast": left.start(), "atMost": left.end()})),
        "request": session.request(),
        "produced": session.produced,
        "verified": session.verified.as_ref().map(verified::json),
        "inspected": session.evidence.inspected,
        "citations": session.citations.iter().map(|changed| citation_json(session, changed)).collect::<Vec<_>>(),
    });
    let Value::Object(mut object) = value else { unreachable!("the literal above is an object") };
    if let Ok(Value::Object(own)) = serde_json::to_value(session.own.views(session)) {
        object.extend(own);
    }
    if !session.parked.is_empty() {
        object.insert("keptEdits".into(), kept::json(session));
    }
    object
}

fn asked_json(asked: &TranscriptEntry) -> Value {
    let question = &asked.question;
    json!({
        "id": question.id.as_str(),
        "number": asked.number,
        "form": question.form,
        "dimension": question.dimension.as_str(),
        "text": question.text.as_str(),
        "why": question.why.as_ref().map(Prose::as_str),
        "alternatives": alternatives(&question.alternatives),
        "evidence": question.evidence.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "places": question.evidence.iter().map(place_json).collect::<Vec<_>>(),
        "standing": standing_word(&asked.standing),
        "answer": asked.answer().map(|answer| json!({
            "id": answer.id.as_str(), "text": answer.text.as_str(), "by": answer.by.to_string(), "kind": answer.kind,
            "chosen": answer.chosen, "note": answer.note.as_ref().map(Prose::as_str),
        })),
        "contested": asked.contested(),
    })
}

fn why_json(question: &Question, number: u32) -> Value {
    json!({
        "schema": SCHEMA, "question": question.id.as_str(), "number": number,
        "why": question.why.as_ref().map(crate::domain::text::Prose::as_str),
        "places": question.evidence.iter().map(place_json).collect::<Vec<_>>(),
    })
}

/// A cited place: path, first and last line, blob.
fn place_json(at: &Evidence) -> Value {
    json!({
        "path": at.path, "lines": at.lines.map(|(first, last)| [first, last]),
        "blob": at.blob.as_ref().map(ObjectId::as_str),
    })
}

/// A cited place that is not as it was read, and the questions whose answers it puts in doubt.
fn citation_json(session: &Session, changed: &ChangedCitation) -> Value {
    let numbers = |fits: &dyn Fn(&TranscriptEntry) -> bool| {
        session.transcript.asked.iter().filter(|asked| fits(asked)).map(|asked| asked.number).collect::<Vec<_>>()
    };
    let doubted: Vec<u32> = numbers(&|asked| changed.doubts(&asked.question.id));
    json!({
        "at": place_json(&changed.place.at), "fate": changed.place.fate, "seen": changed.place.seen,
        "now": changed.place.now.as_ref().map(ObjectId::as_str),
        "questions": numbers(&|asked| changed.questions.contains(&asked.question.id)),
        "inDoubt": doubted,
    })
}

fn alternatives(alternatives: &Alternatives) -> Vec<Value> {
    alternatives
        .as_slice()
        .iter()
        .enumerate()
        .map(|(index, one)| {
            json!({
                "number": index + 1, "value": one.value.as_str(), "label": one.label.as_str(),
                "description": one.description.as_ref().map(Line::as_str),
                "recommended": one.recommended,
                "discuss": one.discuss,
                "evidence": one.evidence.as_ref().map(ToString::to_string),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::reply::{Plain, Traits};
    use crate::render::{Asked as Put, Links, Look, reply_text};

    #[test]
    fn a_plain_reply_is_shown_as_it_says_itself() {
        let look = Look { colours: true, terminal: false, asked: Put::InText, links: Links::Spelled };
        let traits = Traits { exit_code: 1, ..Traits::SHORT };
        for (text, shown) in [("rung twice", "rung twice\n"), ("", "")] {
            let plain = Plain { text: text.to_owned(), fields: vec![("rung", json!(2)), ("by", json!("Ada"))], traits };
            let reply = Reply::Plain(plain);
            assert_eq!(reply_text(&reply, &look), shown);
            assert_eq!(reply_json(&reply), json!({"schema": SCHEMA, "rung": 2, "by": "Ada"}));
            assert_eq!(reply.traits(), traits);
        }
    }

    #[test]
    fn a_line_of_json_is_harmless_and_means_the_same() {
        let given = json!({"text": "\u{1b}[31m \u{9b}1m \u{202e}back \u{e0041} \u{7f} tab\t line\n ü 日本 \"\\"});
        let line = json_text(&given);
        let (text, end) = line.split_at(line.len() - 1);
        assert_eq!(end, "\n");
        assert!(!text.chars().any(|c| c == '\n' || acts_on_a_terminal(c)), "{text}");
        assert!(text.contains("ü 日本"));
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), given);
    }
}
