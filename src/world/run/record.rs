//! Recording for a run. Each wish is served by a process of its own, so that nothing that is sent can harm the one that
//! holds the run together.

use std::ffi::OsStr;
use std::process::ExitCode;
use std::time::Duration;

use crate::app::context::Context;
use crate::app::dispatcher::Envelope;
use crate::app::error::{AppError, advice};
use crate::app::ports::{Process, Run, SessionStore};
use crate::cli::came_too_late;
use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::decide::may_approve;
use crate::domain::from_inside::{BadWish, Outside};
use crate::domain::ids::{QuestionId, SessionId};
use crate::domain::production;
use crate::sandbox::broker::frame::{self, Answer, Answered, Request, VERSION};
use crate::sandbox::broker::request::BrokerRequest;

use super::super::context::{self, Caller};
use super::super::environment::Environment;
use super::super::process::Programs;
use super::super::{bug, speak};
use super::kept::Kept;

/// The first argument of this process; no verb, since nobody types it.
pub(in crate::world) const RECORD: &str = "sandbox-record";

/// How long one wish may take; signing may wait for a passphrase.
const LIMIT: Duration = Duration::from_mins(2);

/// Has one wish of a run served, of which `kept` remembers the replies; the line that goes back.
pub(in crate::world) fn elsewhere(environment: &Environment, name: &str, kept: &Kept, bytes: &[u8]) -> Vec<u8> {
    let request = frame::request(bytes).ok();
    if let Some(refused) = request.as_ref().and_then(|request| kept.refused(request)) {
        return refused.line();
    }
    let run = Run {
        stdin: bytes.to_vec(),
        limit: Some(LIMIT),
        ..Run::new(&environment.program, [OsStr::new(RECORD), OsStr::new(name)])
    };
    let failed = |why: String| Answer::refused("bug", 70, format!("nothing was recorded: {why}")).line();
    match Programs.run(&run) {
        Err(error) => failed(error.to_string()),
        Ok(ran) => match serde_json::from_slice::<Answered>(&ran.stdout) {
            Ok(Answered { v: _, answer }) => {
                if let Some(request) = request {
                    kept.note(request, &answer);
                }
                ran.stdout
            }
            Err(_) => failed(String::from_utf8_lossy(&ran.stderr).trim().to_owned()),
        },
    }
}

/// Serves the wish on standard input, by the agent that the arguments name.
pub(in crate::world) fn record(environment: &Environment) -> ExitCode {
    bug::surviving(
        || {
            let name = environment.args.get(1).and_then(|name| name.to_str()).unwrap_or("command");
            let answer = match frame::read(std::io::stdin().lock()) {
                Err(error) => Answer::refused("bad_frame", 2, error.to_string()),
                Ok(bytes) => match frame::request(&bytes) {
                    Err(refused) => refused,
                    Ok(wished) => serve(environment, Actor::Agent(name.to_owned()), wished),
                },
            };
            let line = serde_json::to_string(&Answered { v: VERSION, answer }).unwrap_or_default();
            speak::out(&line).map_or(ExitCode::from(141), |()| ExitCode::SUCCESS)
        },
        || ExitCode::from(70),
    )
}

fn serve(environment: &Environment, actor: Actor, wished: Request) -> Answer {
    match context::for_a_program(environment, Caller::Another(actor), |context| wish(context, wished)) {
        Ok(answer) => answer,
        Err(error) => Answer::Refused {
            code: error.code().to_owned(),
            exit: error.exit_code(),
            message: error.to_string(),
            causes: error.causes(),
            hint: error.hint(),
            advice: advice::from_outside(&error),
            late: matches!(&error, AppError::Refused(refusal) if came_too_late(refusal)),
        },
    }
}

fn wish(context: &mut Context<'_>, wished: Request) -> Result<Answer, AppError> {
    let Request { v: _, session: id, wish } = wished;
    if let BrokerRequest::Keep { question, text } = &wish {
        return keep(context.dispatcher.store, &id, question, text);
    }
    // Whoever holds the run together has found that the run has had it kept.
    if let BrokerRequest::DropKept { question, text } = &wish {
        let session = context.dispatcher.store.load(&id)?.session;
        context.dispatcher.store.drop_sent(&session.id, question, text)?;
        return Ok(Answer::done(&[], None));
    }
    let session = context.session()?;
    if session.id != id {
        return Ok(Answer::refused("another_session", 4, format!("{id} is not the session that is active here")));
    }
    let outcome = match wish {
        // They are for whoever leads the run from outside, and record nothing; the last two were served above.
        BrokerRequest::Greet
        | BrokerRequest::Stuck { .. }
        | BrokerRequest::Called { .. }
        | BrokerRequest::Keep { .. }
        | BrokerRequest::DropKept { .. } => {
            return Ok(Answer::done(&[], None));
        }
        BrokerRequest::Advance => context.advance(&id)?,
        BrokerRequest::Commands(mut commands) => {
            let store = context.dispatcher.store;
            let outside = Outside {
                answer: &|| context.dispatcher.answer_id(),
                blob: &|text| store.blob_id(text.as_bytes()).ok(),
            };
            if let Err(BadWish(why)) = outside.settle(&mut commands) {
                return Ok(Answer::refused("bad_wish", 2, format!("nothing was recorded: {why}")));
            }
            let ends = |command: &Command| {
                matches!(command, Command::Stop { .. })
                    || matches!(command.production(), Some(production::Command::GrantRequest { .. }))
            };
            if commands.iter().any(ends) && may_approve(&session, &context.actor) {
                return Ok(Answer::refused("inside_run", 1, "a session is ended outside of the run"));
            }
            context.handle_each(&id, &Envelope::all_by(&context.actor, commands))?
        }
    };
    Ok(Answer::done(&outcome.events, None))
}

/// Keeps a reply that was not recorded. Its session may have ended meanwhile, and its id may name no question but an output
/// selection or a questionnaire. Who typed it in there is not known, so it fills no editor, and is kept up to a length and
/// a number alone.
fn keep(store: &dyn SessionStore, id: &SessionId, question: &QuestionId, text: &str) -> Result<Answer, AppError> {
    // Words for a session that is nowhere would lie where nobody looks.
    let session = store.load(id)?.session;
    let before = store.sent(&session.id, question);
    let file = store.keep_sent(&session.id, question, text)?;
    let made = !before.contains(&file);
    Ok(Answer::kept(file, made))
}
