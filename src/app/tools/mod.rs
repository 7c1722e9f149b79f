//! The tools for agents, served: the same for the command line and every protocol, which only read the request and show
//! the result. Who asks is the surface's word; whoever answers at the prompt is a person.

mod anew;
#[cfg(test)]
mod as_written;
mod ask;
mod beside;
mod checkpoint;
mod done;
mod drafts;
mod form;
mod gate;
mod late;
mod own;
mod phases;
mod recording;
mod starting;

pub use beside::seen;
pub use done::{Done, Kind};
pub use form::fill;
pub(super) use form::{AnsweredQuestion, NO_SESSION, Respondents, in_turn, keep_answers, record_answers};
pub use late::{Unrecorded, hold, keep, release};
pub(super) use recording::led_on;
pub use starting::standing;

use done::done;

use std::time::Duration;

use serde_json::Value;

use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::ids::{ObjectId, QuestionId, SessionId};
use crate::domain::interview;
use crate::domain::question::Form;
use crate::domain::session::{Floor, Phase, Session};
use crate::domain::settings::Interviewer;
use crate::domain::text::Prose;
use crate::domain::tool::{QuestionResult, Request, Tool};
use crate::interviewer::{self, Newest};

use super::context::Context;
use super::dispatcher::Envelope;
use super::error::AppError;
use super::prompt::Unanswered;
use super::reply::Reply;
use super::supervising;

/// What a program is called that says no name.
const UNNAMED: &str = "unnamed";

/// Whose word the summary of a conversation is.
const UNCONFIRMED: &str = "it is recorded as your summary, which the user did not confirm";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolReply {
    pub tool: Tool,
    pub result: ToolResult,
    /// The session it was recorded in; none where nothing was recorded.
    pub session: Option<SessionId>,
    /// The version of the checkpoint, which an update names that is made from it.
    pub checkpoint: Option<ObjectId>,
    /// What the caller is to know beside the result.
    pub remarks: Vec<String>,
    /// What the rules see, where the caller leads the interview and an answer came in (G57).
    pub referee: Vec<String>,
}

/// What the tools came to, each in its own way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolResult {
    Question {
        /// How it was put.
        form: Form,
        told: QuestionResult,
        /// The question in the session, and its display number.
        recorded: Option<(QuestionId, u32)>,
    },
    /// The end of a conversation.
    Resumed {
        summary: Prose,
        /// Whether a conversation was going on.
        pending: bool,
    },
    /// Something else than a question.
    Done(Box<Done>),
    Form {
        /// Its questions.
        questions: Value,
        filled: Filled,
    },
}

/// What became of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filled {
    /// One answer each, in the order of its questions, as the extension gave it.
    Answered(Vec<Value>),
    /// No answers: the person closed it, nobody could be asked, or nobody answered in time.
    Ended(QuestionResult),
}

impl ToolReply {
    /// The exit code (DESIGN section 7): no two results that mean different things share one, but for the two ways in
    /// which a person says no.
    pub fn exit_code(&self) -> u8 {
        match &self.result {
            ToolResult::Done(done) => done.kind.exit_code(),
            ToolResult::Resumed { .. } | ToolResult::Form { filled: Filled::Answered(_), .. } => 0,
            ToolResult::Question { told, .. } | ToolResult::Form { filled: Filled::Ended(told), .. } => match told {
                QuestionResult::Selected { .. } | QuestionResult::Wrote { .. } | QuestionResult::Discuss => 0,
                QuestionResult::Unavailable { .. } => 3,
                QuestionResult::Cancelled | QuestionResult::Declined { .. } => 5,
                QuestionResult::TimedOut { .. } => 7,
            },
        }
    }
}

/// What a prompt that ended without an answer comes to. Whoever interrupts the program ends it.
fn ended(unanswered: &Unanswered, limit: Option<Duration>) -> Result<QuestionResult, AppError> {
    match unanswered {
        Unanswered::Cancelled { .. } => Ok(QuestionResult::Cancelled),
        Unanswered::Interrupted { .. } => Err(AppError::Interrupted),
        Unanswered::Unavailable(why) => Ok(QuestionResult::Unavailable { why: (*why).to_owned() }),
        Unanswered::Lost { .. } => Ok(QuestionResult::Unavailable { why: "the terminal went away".to_owned() }),
        Unanswered::TimedOut { .. } => Ok(QuestionResult::TimedOut { after: limit.unwrap_or_default() }),
    }
}

pub fn serve(context: &mut Context<'_>, request: Request) -> Result<Reply, AppError> {
    let reply = match request {
        Request::Ask(asking) => ask::ask(context, &asking),
        Request::Resume(summary) => resume(context, summary),
        Request::Form(form) => form::fill(context, &form, None),
        Request::Record(reported) => recording::record(context, &reported),
        Request::Revise(reported) => anew::revise(context, &reported),
        Request::Update(revision) => recording::update(context, &revision),
        Request::EnterSelection(gate) => gate::enter(context, &gate),
        Request::FinishSelection(leaving, summary) => gate::leave(context, leaving, summary),
        Request::EnterOutput(plan) => phases::enter(context, *plan),
        Request::SubmitDraft(draft) => drafts::submit(context, *draft),
        Request::FinishOutput(summary) => phases::finish(context, summary),
        Request::Status => starting::status(context),
        Request::Start(starting) => starting::start(context, *starting),
        // It belongs to no interview, and its reply is the one that a person gets.
        Request::Agent(request) => return supervising::serve(context, *request),
        Request::Own(tool, command) => own::serve(context, tool, *command),
    }?;
    Ok(Reply::Tool(Box::new(beside::completed(context, reply))))
}

/// The inferred intent, where an agent leads and the newest words turned it: nothing else would say so.
fn turned(session: &Session, newest: Newest<'_>) -> Option<String> {
    let Interviewer::Agent(_) = session.settings.interviewer else { return None };
    let (was, is) = interviewer::intent_turned(session, newest)?;
    Some(format!(
        "the intent is auto, and with these words the interview looks like {is}; until now it looked like {was}. Only the \
         user sets it: git grill intent"
    ))
}

/// Serves a request once more that waited at this question; `None` where it is no question of this session, or of
/// another call.
pub fn serve_again(
    context: &mut Context<'_>,
    request: &Request,
    question: &QuestionId,
) -> Result<Option<ToolReply>, AppError> {
    let Request::Ask(asking) = request else { return Ok(None) };
    let reply = ask::again(context, asking, question)?;
    Ok(reply.map(|reply| beside::completed(context, reply)))
}

/// The active session; none is no error here, since a question can be put without one.
pub(super) fn active(context: &mut Context<'_>) -> Result<Option<Session>, AppError> {
    match context.session() {
        Ok(session) => Ok(Some(session)),
        Err(AppError::NoSession) => Ok(None),
        Err(other) => Err(other),
    }
}

/// Who asks: an agent, whoever runs it. One that says no name is taken for the one that leads the session.
pub(super) fn caller(context: &Context<'_>, session: &Session) -> Actor {
    match (&context.actor, &session.settings.interviewer) {
        (Actor::Agent(name), _) | (Actor::Human | Actor::Unattended | Actor::System, Interviewer::Agent(name)) => {
            Actor::Agent(name.clone())
        }
        (Actor::Human | Actor::Unattended | Actor::System, Interviewer::BuiltIn) => Actor::Agent(UNNAMED.to_owned()),
    }
}

/// Name of the caller.
fn name(context: &Context<'_>, session: &Session) -> String {
    match caller(context, session) {
        Actor::Agent(name) => name,
        Actor::Human | Actor::Unattended | Actor::System => UNNAMED.to_owned(),
    }
}

/// Comes back from a conversation. Where none goes on nothing is recorded, and that is said (Q12).
fn resume(context: &mut Context<'_>, summary: Prose) -> Result<ToolReply, AppError> {
    let session = active(context)?;
    let mut reply = ToolReply {
        tool: Tool::ResumeStructured,
        result: ToolResult::Resumed { summary: summary.clone(), pending: false },
        session: None,
        checkpoint: None,
        remarks: vec![],
        referee: vec![],
    };
    let talking = session.filter(|session| matches!(session.phase, Phase::Interview(Floor::Discussion { .. })));
    if let Some(session) = talking {
        let actor = caller(context, &session);
        let answer = context.dispatcher.answer_id();
        let command: Command = interview::Command::EndDiscussion { summary: summary.clone(), answer }.into();
        match context.handle_each(&session.id, &[Envelope { actor, command }]) {
            Ok(outcome) => {
                reply.result = ToolResult::Resumed { summary, pending: true };
                reply.session = Some(session.id.clone());
                let about = session.discussed().and_then(|id| outcome.after.transcript.get(id));
                let answered = about.filter(|asked| asked.question.is_from_a_tool());
                reply.remarks.push(match answered {
                    Some(asked) => format!(
                        "{UNCONFIRMED}; grill_revise_answer with question {} records their own words, once they say them",
                        asked.number
                    ),
                    None => UNCONFIRMED.to_owned(),
                });
                if outcome.after.checkpoint_due && matches!(outcome.after.settings.interviewer, Interviewer::Agent(_)) {
                    reply.remarks.push(recording::DUE.to_owned());
                }
                recording::led_on(context, outcome.after);
                return Ok(reply);
            }
            // Somebody else summed it up meanwhile.
            Err(error) if matches!(error.interview(), Some(interview::Refusal::NoDiscussion)) => {}
            Err(other) => return Err(other),
        }
    }
    reply.remarks.push("nothing was pending: no conversation was going on, so nothing was recorded".to_owned());
    Ok(reply)
}
