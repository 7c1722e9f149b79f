//! `git grill agent start`, `send`, `status`, `result`, `changes`, `accept`, `cancel`, `cleanup`, `answer` and `log`: agents
//! that work is lent to (A2). Words become a request; what may be done about it is the use case's to say.

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::reply::Reply;
use crate::app::supervising::{self, AgentRequest, StartsAt, accepting};
use crate::domain::agents::profile::{Profile, UnknownProfile};
use crate::domain::agents::receipt::WaitSeconds;
use crate::domain::agents::{AgentHandle, TurnHandle};

use super::args::agent::{LendAccept, Lending};
use super::conversation::servers::lent::answer;
use super::lower::usage;
use super::parent;

const HANDLES: &str = "git grill agent status lists the sessions, git grill agent status g1 the turns of one";

pub(super) fn serve(context: &mut Context<'_>, lending: Lending) -> Result<Reply, AppError> {
    match lending {
        Lending::Start(start) => {
            let profile = start.profile.as_deref().map_or_else(|| Ok(Profile::default()), profile)?;
            let wait = seconds(start.wait)?;
            let prompt = prompt(context, &start.prompt)?;
            let confirmed = start.confirm_provider_use;
            let (agent, media, at) = (start.agent, start.media, StartsAt::CallersFolder);
            let request = AgentRequest::Start { agent, profile, at, prompt, media, confirmed };
            let reply = supervising::serve(context, request)?;
            then(context, reply, wait)
        }
        Lending::Send(send) => {
            let session = session(&send.session)?;
            let wait = seconds(send.wait)?;
            let prompt = prompt(context, &send.prompt)?;
            let confirmed = send.confirm_provider_use;
            let request = AgentRequest::Send { session, prompt, media: send.media, confirmed };
            let reply = supervising::serve(context, request)?;
            then(context, reply, wait)
        }
        Lending::Status(status) => {
            let session = status.session.as_deref().map(session).transpose()?;
            let wait = seconds(status.wait)?;
            supervising::serve(context, AgentRequest::Status { session, wait })
        }
        Lending::Result(result) => {
            let (session, turn) = (session(&result.session)?, turn(result.turn.as_deref())?);
            let wait = seconds(result.wait)?;
            supervising::serve(context, AgentRequest::Result { session, turn, wait })
        }
        Lending::Changes(named) => {
            let session = session(&named.session)?;
            supervising::serve(context, AgentRequest::Changes { session })
        }
        Lending::Accept(named) if named.undo => accepting::undo(context, undone(&named)?),
        Lending::Accept(named) => {
            let commit = named.commit.then_some(named.message.as_slice());
            accepting::accept(context, session(&named.session)?, &named.paths, commit)
        }
        Lending::Cancel(cancel) => {
            let (session, turn) = (session(&cancel.session)?, turn(cancel.turn.as_deref())?);
            supervising::serve(context, AgentRequest::Cancel { session, turn })
        }
        Lending::Cleanup(cleanup) => {
            let session = session(&cleanup.session)?;
            supervising::serve(context, AgentRequest::Cleanup { session, dry: cleanup.dry_run })
        }
        Lending::Answer(named) => {
            let session = session(&named.session)?;
            match parent::settle(context, session)? {
                Some(reply) => Ok(reply),
                None => answer(context, session),
            }
        }
        Lending::Log(named) => supervising::log(context, session(&named.session)?),
    }
}

/// The session whose newest accept is undone: all of it, and a commit is not touched.
fn undone(named: &LendAccept) -> Result<AgentHandle, AppError> {
    let session = session(&named.session)?;
    if named.paths.is_empty() && !named.commit {
        return Ok(session);
    }
    let message =
        "nothing was undone: --undo takes back all files of the newest accept, and goes with no path and no --commit";
    Err(usage(message, format!("git grill agent accept {session} --undo")))
}

/// What came of the turn that was added, where its end is waited for. That the turn was added stays said, since what waits
/// for it can fail.
fn then(context: &mut Context<'_>, reply: Reply, wait: WaitSeconds) -> Result<Reply, AppError> {
    if wait == WaitSeconds::default() {
        return Ok(reply);
    }
    let added = if let Reply::Loan(lent) = &reply { lent.added() } else { None };
    let Some((session, turn)) = added else { return Ok(reply) };
    context.voice.say(&reply)?;
    supervising::serve(context, AgentRequest::Result { session, turn: Some(turn), wait })
}

fn prompt(context: &Context<'_>, words: &[String]) -> Result<String, AppError> {
    if words == ["-"] { (context.input)() } else { Ok(words.join(" ")) }
}

fn profile(name: &str) -> Result<Profile, AppError> {
    let unknown = |error: UnknownProfile| usage(error.to_string(), "git grill agent start --profile local-review");
    Profile::parse(name).map_err(unknown)
}

fn seconds(wait: Option<u64>) -> Result<WaitSeconds, AppError> {
    Ok(WaitSeconds::new(wait.unwrap_or_default())?)
}

fn session(text: &str) -> Result<AgentHandle, AppError> {
    AgentHandle::parse(text).map_err(|error| usage(error.to_string(), HANDLES))
}

fn turn(text: Option<&str>) -> Result<Option<TurnHandle>, AppError> {
    text.map(TurnHandle::parse).transpose().map_err(|error| usage(error.to_string(), HANDLES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a16_an_undo_of_some_files_is_a_usage_error_with_the_command_that_undoes_all() {
        let named = |paths: &[&str], commit| LendAccept {
            session: "g1".to_owned(),
            paths: paths.iter().map(|path| (*path).to_owned()).collect(),
            undo: true,
            commit,
            message: Vec::new(),
        };
        assert_eq!(undone(&named(&[], false)).unwrap().number(), 1);
        for wrong in [named(&["new.txt"], false), named(&[], true)] {
            let error = undone(&wrong).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{error}");
            assert_eq!(error.hint().unwrap(), "git grill agent accept g1 --undo");
        }
    }

    #[test]
    fn a2_what_is_no_handle_no_profile_and_no_wait_is_a_usage_error() {
        for error in [
            session("../g1").unwrap_err(),
            session("t1").unwrap_err(),
            turn(Some("g1")).unwrap_err(),
            profile("Local-Review").unwrap_err(),
            seconds(Some(61)).unwrap_err(),
        ] {
            assert_eq!((error.exit_code(), error.code()), (2, "usage"), "{error}");
        }
        assert_eq!(session("g12").unwrap().number(), 12);
        assert_eq!(turn(None).unwrap(), None);
        assert_eq!(seconds(None).unwrap(), WaitSeconds::default());
    }
}
