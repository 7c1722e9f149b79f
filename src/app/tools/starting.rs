//! `grill_start` and `grill_status`: an interview begins with the agent's summary of the conversation, and with the
//! user's yes to it (G2).

use std::collections::BTreeSet;

use crate::domain::actor::Actor;
use crate::domain::decide::decide;
use crate::domain::event::Recorded;
use crate::domain::facts::Inspection;
use crate::domain::harmless::harmless;
use crate::domain::ids::ObjectId;
use crate::domain::interview;
use crate::domain::posture::Posture;
use crate::domain::session::Session;
use crate::domain::settings::{Approval, Interviewer, Research, Settings};
use crate::domain::text::Topic;
use crate::domain::tool::{Starting, Tool};
use crate::interviewer::{self, Packet};

use super::super::beginning::{Doubt, PERSON_APPROVES, Wanted, begin};
use super::super::context::Context;
use super::super::error::AppError;
use super::super::prompt::{ReplyPrompt, Unanswered};
use super::super::rebasing;
use super::super::reply::{Arrival, Guards, Reply};
use super::{Done, Kind, ToolReply, ToolResult, UNNAMED, active, done};

pub(super) fn status(context: &mut Context<'_>) -> Result<ToolReply, AppError> {
    Ok(match active(context)? {
        Some(session) => {
            let agent = super::name(context, &session);
            let (text, packet) = standing(context, &session, &agent);
            done(context, Tool::Status, Kind::Status, text, session).with_instructions().with_packet(packet)
        }
        None => without(
            Tool::Status,
            Kind::NoSession,
            "No session is active in this worktree, and nothing is refused. grill_start begins one.".to_owned(),
        ),
    })
}

/// All that an agent has to know to go on, in words; it knows the checkpoint from here on, unless that is cut.
pub fn standing(context: &mut Context<'_>, session: &Session, agent: &str) -> (String, Packet) {
    let packet = interviewer::packet(&looked_up(context, session), context.packet_limit);
    let mut version = None;
    if session.checkpoint.as_str().trim_end().chars().count() <= packet.limit {
        context.shown.note(&session.id, agent, &session.checkpoint);
        version = rebasing::version(context.dispatcher.store, &session.checkpoint);
    }
    (where_it_is(session, version.as_ref(), &packet), packet)
}

/// In words all that somebody has to know who goes on from here: some clients show their model nothing but the text.
fn where_it_is(session: &Session, version: Option<&ObjectId>, packet: &Packet) -> String {
    let open = session
        .open_question()
        .map(|asked| format!(" Question {} is open: {}", asked.number, harmless(asked.question.text.first_line())));
    let request = session.request().map(|request| {
        let by = request.by.in_words();
        format!(" What {by} asked for waits for the user, who grants it with git grill approve.")
    });
    format!(
        "An interview about \"{}\" is in the {} phase; the repository is {}.{}\n\n{}\n\n{}",
        harmless(session.topic.as_str()),
        session.phase.name(),
        match Posture::of(&session.phase) {
            Posture::Output { .. } => "writable where the plan says so",
            Posture::ReadOnly { .. } => "read-only",
            Posture::Inactive | Posture::Open => "writable",
        },
        open.or(request).unwrap_or_default(),
        packet.text,
        checkpoint(session, version, packet.limit),
    )
}

/// The checkpoint as it stands; one that is longer than the packet may be is cut, and must not be replaced from here.
fn checkpoint(session: &Session, version: Option<&ObjectId>, limit: usize) -> String {
    let text = session.checkpoint.as_str().trim_end();
    // An agent that goes on after a pause wrote another text last; without the version its update would be refused.
    let version = version.map(|version| format!(", version {version} (the basedOn of an update of it)"));
    let version = version.unwrap_or_default();
    match text.char_indices().nth(limit) {
        None => format!("The checkpoint{version}:\n{text}"),
        Some((end, _)) => {
            let shown = text[..end].rfind('\n').map_or(&text[..end], |line| &text[..line]);
            format!(
                "The checkpoint{version}, its first {} of {} characters. Do not replace it from this: read the whole of it \
                 with git grill checkpoint show first.\n{shown}",
                shown.chars().count(),
                text.chars().count()
            )
        }
    }
}

/// The session with its cited places as they are now. Looking is no reason to record anything.
fn looked_up(context: &Context<'_>, session: &Session) -> Session {
    let found = context.scout.recheck(&session.cited());
    let at = session.updated_at;
    let events =
        decide(session, &Actor::System, at, &interview::Command::RecordCitations(found).into()).unwrap_or_default();
    events.into_iter().fold(session.clone(), |session, event| {
        let recorded = Recorded { seq: session.seq, at, by: Actor::System, event };
        session.evolve(&recorded)
    })
}

fn without(tool: Tool, kind: Kind, text: String) -> ToolReply {
    let done =
        Done { kind, text, session: None, guards: Guards::default(), instructions: None, refused: None, packet: None };
    let (remarks, referee) = (Vec::new(), Vec::new());
    ToolReply { tool, result: ToolResult::Done(Box::new(done)), session: None, checkpoint: None, remarks, referee }
}

/// Who said yes to the topic.
enum Yes {
    /// The person, at the prompt, and perhaps with another topic.
    Person(Topic),
    /// The agent says that the person did.
    Reported,
}

/// Begins a session, or goes on with an unfinished one about the same.
pub(super) fn start(context: &mut Context<'_>, starting: Starting) -> Result<ToolReply, AppError> {
    let settings = settings(context, &starting);
    let running = active(context)?.is_some();
    let yes = if running {
        // Whether it is the same one is all there is to decide.
        Yes::Reported
    } else {
        match confirmed(context, &starting)? {
            Ok(yes) => yes,
            Err(reply) => return Ok(reply),
        }
    };
    let allowed: BTreeSet<Inspection> = BTreeSet::new();
    let caller = context.actor.clone();
    let (topic, reported) = match yes {
        Yes::Person(topic) => {
            context.actor = Actor::Human;
            (topic, None)
        }
        Yes::Reported => {
            if context.actor == Actor::Human || context.actor == Actor::Unattended {
                context.actor = Actor::Agent(UNNAMED.to_owned());
            }
            (starting.topic, starting.confirmed)
        }
    };
    let wanted = Wanted { topic: Some(topic), settings, allowed, fencing: context.fencing, reported };
    let begun = begin(context, wanted, Doubt::Refuses);
    context.actor = caller;
    let Reply::Arrived { arrival, outcome, protection } = begun? else {
        return Err(AppError::NoSession);
    };
    let session = outcome.after;
    let lowered = arrival == Arrival::Started && context.defaults.approval != Approval::Person;
    let (kind, word) = match arrival {
        Arrival::Started => (Kind::Started, "began"),
        Arrival::Resumed => (Kind::Resumed, "goes on"),
    };
    let asks = match (&session.settings.interviewer, session.settings.research) {
        (Interviewer::BuiltIn, _) => "The built-in interviewer leads it; git grill next shows its question.",
        (Interviewer::Agent(_), Research::Off) => "Ask the first question.",
        (Interviewer::Agent(_), Research::Auto | Research::Ask) => "Look first, then ask the first question.",
    };
    let text = format!(
        "The interview about \"{}\" {word}. The repository is read-only now. {asks}",
        harmless(session.topic.as_str())
    );
    let mut reply = done(context, Tool::Start, kind, text, session).with_instructions();
    if lowered {
        reply.remarks.push(PERSON_APPROVES.to_owned());
    }
    reply.remarks.extend(protection.warnings);
    Ok(reply)
}

/// What whoever called is called.
fn name<'d>(context: &'d Context<'_>) -> &'d str {
    match &context.actor {
        Actor::Agent(name) => name,
        Actor::Human | Actor::Unattended | Actor::System => UNNAMED,
    }
}

/// The settings of a new session: whoever called leads it, and who may approve is not theirs to say.
fn settings(context: &Context<'_>, starting: &Starting) -> Settings {
    let mut settings = context.defaults.clone();
    settings.intent = starting.intent.unwrap_or(settings.intent);
    settings.intensity = starting.intensity.unwrap_or(settings.intensity);
    settings.research = starting.research.unwrap_or(settings.research);
    settings.interviewer = Interviewer::Agent(name(context).to_owned());
    // Not even where a person confirms the topic: it is still the agent's session (G30).
    settings.approval = Approval::Person;
    settings
}

/// Has the topic confirmed or edited. The user's words in plain chat do as well, as reported: asked for them once more by
/// a form, somebody who has agreed would be asked twice, and a client that closes every form by itself would never begin.
fn confirmed(context: &mut Context<'_>, starting: &Starting) -> Result<Result<Yes, ToolReply>, AppError> {
    if starting.confirmed.is_some() {
        return Ok(Ok(Yes::Reported));
    }
    let prompt = ReplyPrompt {
        heading: "a new interview".to_owned(),
        question: "What is it about?".to_owned(),
        draft: starting.topic.to_string(),
        keys: "Enter starts, Esc cancels".to_owned(),
        help: "summed up by your agent; the repository is read-only as soon as it starts".to_owned(),
        ..ReplyPrompt::default()
    };
    let unanswered = match context.prompter.reply(&prompt).answered() {
        Ok(text) if text.trim().is_empty() => Unanswered::Cancelled { draft: String::new() },
        Ok(text) => return Ok(Ok(Yes::Person(Topic::parse(&text)?))),
        Err(unanswered) => unanswered,
    };
    let (kind, text) = match unanswered {
        Unanswered::Interrupted { .. } => return Err(AppError::Interrupted),
        Unanswered::Cancelled { .. } => {
            (Kind::Declined, "The user does not want to start. Nothing was created.".to_owned())
        }
        Unanswered::Unavailable(_) | Unanswered::Lost { .. } | Unanswered::TimedOut { .. } => {
            let text = format!(
                "Nothing was created: the user has not said yes to the topic. Show them \"{}\" and ask whether that is \
                 what it is about; then call again with confirmed set to what they said. Or they type: git grill start \
                 --interviewer agent:{} \"<topic>\"",
                harmless(starting.topic.as_str()),
                name(context)
            );
            (Kind::Waiting, text)
        }
    };
    Ok(Err(without(Tool::Start, kind, text)))
}
