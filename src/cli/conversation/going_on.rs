//! How the interview goes on without the agent that leads (G56), or with it, where it takes longer than a limit allows: then
//! nothing is ended before the person says so (A5).

use std::rc::Rc;

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::ports::Hindrance;
use crate::app::prompt::{Choice, Unanswered};
use crate::app::reply::Reply;
use crate::app::watched::watched_or;
use crate::domain::session::Session;

use super::super::leading;
use super::led::{Known, end, left};
use super::{Kept, Next, Talk, paused, planned};

/// What is asked, in an interview and where a plan is made or carried out.
fn question(session: &Session) -> &'static str {
    if session.phase.asks_nothing() { "How should the plan continue?" } else { "How should the interview continue?" }
}

/// Asks how it goes on where the agent does not.
pub(super) fn goes_on(context: &mut Context<'_>, agent: &str, talk: &mut Talk) -> Result<Next, AppError> {
    let session = context.session()?;
    let ways = ways(&session, agent);
    match context.prompter.choose(question(&session), &ways).answered() {
        Ok(chosen) => taken(context, ways.get(chosen), talk),
        Err(unanswered) => left(context, unanswered),
    }
}

/// Asks whether to wait for an agent that is still at it. `None` where it is waited for. That it went on by itself or
/// failed, or that the session changed, takes the question back, and is `None` as well.
pub(super) fn waits(
    context: &mut Context<'_>,
    session: &Session,
    agent: &str,
    overdue: Option<&Hindrance>,
    talk: &mut Talk,
) -> Result<Option<Next>, AppError> {
    let until = match overdue {
        Some(_) => "git grill asks again when it has taken twice as long",
        None => "its turn continues",
    };
    let wait = Choice::of("wait", &format!("Wait for {agent}"), until);
    let ways: Vec<Choice> = std::iter::once(wait).chain(ways(session, agent)).collect();
    let about = overdue.map(|Hindrance { sentence, advice }| [sentence.as_str(), advice.as_str()]);
    let lines = about.iter().flatten().copied().filter(|line| !line.is_empty()).chain([question(session)]);
    let question = lines.collect::<Vec<_>>().join("\n");
    let Some(port) = &context.leading else { return Ok(None) };
    let went_on = port.went_on();
    let chosen = watched_or(context, session, Rc::clone(&went_on), |context| context.prompter.choose(&question, &ways));
    match chosen.answered() {
        Ok(0) => {}
        Err(Unanswered::TimedOut { .. }) => {
            let why = if context.leading.as_ref().is_some_and(|port| port.has_failed()) {
                format!("{agent} failed; there is nothing to wait for")
            } else if went_on() {
                format!("{agent} went on by itself; there is nothing to choose")
            } else {
                "the session changed; there is nothing to choose".to_owned()
            };
            context.voice.say(&Reply::Text(why))?;
        }
        Ok(chosen) => {
            planned::broken_off(context, session, agent, None, talk)?;
            return taken(context, ways.get(chosen), talk).map(Some);
        }
        Err(
            unanswered @ (Unanswered::Cancelled { .. }
            | Unanswered::Interrupted { .. }
            | Unanswered::Unavailable(_)
            | Unanswered::Lost { .. }),
        ) => {
            planned::broken_off(context, session, agent, Some(&unanswered), talk)?;
            return left(context, unanswered).map(Some);
        }
    }
    if let Some(port) = &mut context.leading {
        port.wait_on();
    }
    Ok(None)
}

/// The ways without the agent as it runs now.
fn ways(session: &Session, agent: &str) -> [Choice; 3] {
    let (built_in, meaning) = if session.phase.asks_nothing() {
        ("Continue without an agent", "this conversation ends: the built-in interviewer asks nothing about a plan")
    } else {
        ("Continue with the built-in interviewer", "in this session; git grill interviewer <name> switches back")
    };
    [
        Choice::of("built-in", built_in, meaning),
        Choice::of("again", &format!("Restart {agent}"), "git grill gives it everything recorded so far"),
        Choice::of("pause", "Pause", "git grill next continues"),
    ]
}

fn taken(context: &mut Context<'_>, way: Option<&Choice>, talk: &mut Talk) -> Result<Next, AppError> {
    talk.led = Known::default();
    end(context)?;
    match way.map(|way| way.value.as_str()) {
        Some("built-in") => leading::built_in(context).map(|()| Next::On),
        Some("again") => Ok(Next::On),
        Some(_) | None => Ok(paused(Kept::Nothing)),
    }
}
