//! What a result carries in addition: the version of the checkpoint for the next update, and the findings of the rules.

use crate::domain::actor::Actor;
use crate::domain::ids::{ObjectId, SessionId};
use crate::domain::interview::TranscriptEntry;
use crate::domain::session::{Phase, Session};
use crate::domain::settings::Interviewer;
use crate::domain::tool::QuestionResult;
use crate::interviewer::{self, Newest};

use super::super::context::Context;
use super::super::rebasing;
use super::{Kind, ToolReply, ToolResult, name, turned};

/// The reply with both. If the session cannot be loaded, the reply has neither.
pub(super) fn completed(context: &Context<'_>, mut reply: ToolReply) -> ToolReply {
    let load = |id: &SessionId| context.dispatcher.store.load(id).ok().map(|loaded| loaded.session);
    let loaded = loaded(&reply, load);
    let Some(session) = in_hand(&reply.result).or(loaded.as_ref()) else { return reply };
    let (version, changed) = version(context, &reply.result, session);
    let (remark, referee) = judged(&reply.result, session);
    reply.checkpoint = version;
    reply.remarks.extend(changed.into_iter().chain(remark));
    reply.referee.extend(referee);
    reply
}

fn in_hand(result: &ToolResult) -> Option<&Session> {
    match result {
        ToolResult::Done(done) => done.session.as_ref(),
        ToolResult::Question { .. } | ToolResult::Resumed { .. } | ToolResult::Form { .. } => None,
    }
}

/// The session of a reply that has none in hand.
fn loaded(reply: &ToolReply, load: impl FnOnce(&SessionId) -> Option<Session>) -> Option<Session> {
    match in_hand(&reply.result) {
        Some(_) => None,
        None => reply.session.as_ref().and_then(load),
    }
}

/// The version of the checkpoint, or a remark that it has changed. A version that the caller has not seen is not named:
/// an update based on that version would remove another writer's text.
fn version(context: &Context<'_>, result: &ToolResult, session: &Session) -> (Option<ObjectId>, Option<String>) {
    if rebasing::is_known(context, session, &name(context, session)) {
        return (rebasing::version(context.dispatcher.store, &session.checkpoint), None);
    }
    let updates = leads(session) && !says_what_the_checkpoint_is(result);
    let changed = "the checkpoint has changed since you saw it: call grill_status before you update it";
    (None, updates.then(|| changed.to_owned()))
}

/// Whether an agent leads, and may ask.
fn leads(session: &Session) -> bool {
    matches!(session.settings.interviewer, Interviewer::Agent(_)) && matches!(session.phase, Phase::Interview(_))
}

/// Whether the reply shows the checkpoint, or the text that an update was merged with.
fn says_what_the_checkpoint_is(result: &ToolResult) -> bool {
    matches!(result, ToolResult::Done(done) if matches!(done.kind, Kind::Status | Kind::Updated))
}

/// A remark about the intent, and the referee's findings if an agent leads and may ask next (G57).
fn judged(result: &ToolResult, session: &Session) -> (Option<String>, Vec<String>) {
    let came_in = match result {
        ToolResult::Question { told, .. } => match told {
            QuestionResult::Selected { .. }
            | QuestionResult::Wrote { .. }
            | QuestionResult::Declined { .. }
            | QuestionResult::Cancelled => true,
            QuestionResult::Discuss | QuestionResult::Unavailable { .. } | QuestionResult::TimedOut { .. } => false,
        },
        ToolResult::Resumed { pending, .. } => *pending,
        ToolResult::Done(done) => matches!(done.kind, Kind::Recorded | Kind::Updated | Kind::Continued),
        ToolResult::Form { .. } => false,
    };
    if !came_in || !leads(session) {
        return (None, Vec::new());
    }
    let newest = match result {
        ToolResult::Question {
            told: QuestionResult::Selected { .. } | QuestionResult::Wrote { .. },
            recorded: Some((id, _)),
            ..
        } => Some(Newest::Answer(id)),
        ToolResult::Resumed { .. } => Some(Newest::Discussion),
        ToolResult::Question { .. } | ToolResult::Done(_) | ToolResult::Form { .. } => None,
    };
    let remark = newest.and_then(|newest| turned(session, newest));
    // An update has its own judgement; the rest was told with the answer, in a reply or by the turn that it began.
    let is_update = matches!(result, ToolResult::Done(done) if done.kind == Kind::Updated);
    (remark, if is_update { Vec::new() } else { interviewer::brief(session) })
}

/// What the rules see once these questions have come to something, a line each, for an agent that is told of it by its next
/// turn and not by a reply (G57). Where its own answer turned the intent, the reply to that said so.
pub fn seen(session: &Session, came: &[&TranscriptEntry]) -> Vec<String> {
    let by_a_person =
        |asked: &&&TranscriptEntry| asked.answer().is_some_and(|answer| !matches!(answer.by, Actor::Agent(_)));
    let mut newest = came.iter().rev().filter(by_a_person);
    let intent = newest.find_map(|asked| turned(session, Newest::Answer(&asked.question.id)));
    intent.into_iter().chain(interviewer::brief(session)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Done;
    use super::*;
    use crate::app::reply::Guards;
    use crate::domain::event::Started;
    use crate::domain::question::Form;
    use crate::domain::settings::Settings;
    use crate::domain::text::Topic;
    use crate::domain::tool::Tool;

    fn session() -> Session {
        let at = "2026-11-21T10:00:00Z".parse().unwrap();
        let topic = Topic::parse("where links live").unwrap();
        let id = SessionId::new(&topic, at, 1);
        let settings = Settings::default();
        Session::begin(
            &Started { id, topic, settings, base: None, branch: None, reported: None, no_interview: false },
            at,
            1,
        )
    }

    #[test]
    fn g57_a_session_is_loaded_for_a_reply_only_where_it_has_none_in_hand() {
        let session = session();
        let reply = |result| ToolReply {
            tool: Tool::Status,
            result,
            session: Some(session.id.clone()),
            checkpoint: None,
            remarks: Vec::new(),
            referee: Vec::new(),
        };
        let done = reply(ToolResult::Done(Box::new(Done {
            kind: Kind::Recorded,
            text: String::new(),
            session: Some(session.clone()),
            guards: Guards { backend: "memory", ..Guards::default() },
            instructions: None,
            refused: None,
            packet: None,
        })));
        assert_eq!(in_hand(&done.result), Some(&session));
        assert_eq!(loaded(&done, |_| panic!("it has its session")), None);
        let told = reply(ToolResult::Question { form: Form::Select, told: QuestionResult::Discuss, recorded: None });
        assert_eq!((in_hand(&told.result), loaded(&told, |_| Some(session.clone()))), (None, Some(session.clone())));
        let elsewhere = ToolReply { session: None, ..told };
        assert_eq!(loaded(&elsewhere, |_| panic!("it belongs to no session")), None);
    }
}
