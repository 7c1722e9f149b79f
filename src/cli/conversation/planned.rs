//! A plan with the agent that leads, in a session in which nothing is asked: what is typed goes to it with the plan as it
//! stands, and what it says is shown (P21). What it lets hear of a plan is taken at the end of each turn, in an interview
//! too (P16, P20).

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::plan::{self, Heard, Shows};
use crate::app::prompt::{ReplyPrompt, Slash, Unanswered};
use crate::app::reply::{Outcome, Reply};
use crate::domain::plan::Steps;
use crate::domain::plan::heard::Listed;
use crate::domain::session::Session;

use super::super::leading;
use super::led::{Came, left, ready, tell};
use super::talked::{self, LATE};
use super::unsent::Sent;
use super::{Next, Talk, recover, typed, unsent};

const KEYS: &str = "Enter sends, Esc pauses";
const HELP: &str =
    "/plan show shows the plan, /plan execute approves it, /plan off ends plan mode; /help lists the verbs";
/// While the plan is carried out.
const EXECUTING: &str =
    "/todos shows the steps, /todos done <n> marks one, /todos check runs the checks; /help lists the verbs";

/// What is known of the plans and the marks of an agent.
#[derive(Default)]
pub(super) struct Known {
    /// The plans that the person was asked about: none is put to them twice.
    offered: Vec<Steps>,
    /// Whether its last turn worked and marked nothing.
    unmarked: bool,
    /// What its own list had as not completed.
    listed: Listed,
}

/// The agent with which the person makes a plan in this session, or has one looked after. None in an interview, and none
/// where plan mode is off and no plan is carried out.
pub(super) fn planner(context: &Context<'_>, session: &Session) -> Result<Option<String>, AppError> {
    let plans = session.phase.asks_nothing() && is_about_a_plan(session);
    if plans { leading::leader(context, session) } else { Ok(None) }
}

/// Whether a plan is made or carried out.
fn is_about_a_plan(session: &Session) -> bool {
    session.own.plan.is_on() || session.own.plan.is_executing()
}

pub(super) fn turn(
    context: &mut Context<'_>,
    session: &Session,
    agent: &str,
    talk: &mut Talk,
) -> Result<Next, AppError> {
    talk.in_sight = None;
    if let Some(next) = ready(context, session, agent, talk)? {
        return Ok(next);
    }
    let place = unsent::place("plan");
    let prompt = ReplyPrompt {
        heading: format!("{} with {agent}", session.own.called().unwrap_or("plan mode")),
        draft: unsent::recall(context, session, Some(&place), talk)?,
        status: talk.status(context, session),
        keys: KEYS.to_owned(),
        help: if session.own.plan.is_executing() { EXECUTING } else { HELP }.to_owned(),
        slash: Slash::Verb,
        ..ReplyPrompt::default()
    };
    let text = match unsent::ask(context, session, Some(&place), &prompt).answered() {
        Ok(text) => text,
        Err(unanswered) => return unsent::leave(context, session, Some(&place), unanswered),
    };
    if typed::is_verb(&text) || text.trim().is_empty() {
        unsent::forget(context, session, Some(&place))?;
        return if typed::is_verb(&text) { typed::verb(context, talk, &text) } else { Ok(Next::On) };
    }
    let sent = Sent::hold(context, session, place, &text);
    let told = format!("{}\nThe user says: {text}", so_far(context, session, talk));
    tell(context, told);
    match talked::heard(context, session, agent, talk, Some(&sent))? {
        Ok(next) => Ok(next),
        Err(unanswered) => sent.leave(context, session, unanswered),
    }
}

/// The plan for the agent, with how far it is by the files as they are now.
fn so_far(context: &mut Context<'_>, session: &Session, talk: &mut Talk) -> String {
    let mut looked = session.clone();
    plan::look(context, &mut looked);
    let unmarked = std::mem::take(&mut talk.plan.unmarked);
    talk.led.told.planning(&looked, unmarked)
}

/// Has the agent answer the notes of a review at once (P23): they stand before the plan that it is told.
pub(super) fn reviewed(context: &mut Context<'_>, talk: &mut Talk) -> Result<Next, AppError> {
    let session = context.session()?;
    let Some(agent) = planner(context, &session)?.filter(|_| !session.own.plan.notes.is_empty()) else {
        return Ok(Next::On);
    };
    talk.in_sight = None;
    if let Some(next) = ready(context, &session, &agent, talk)? {
        return Ok(next);
    }
    let told = so_far(context, &session, talk);
    tell(context, told);
    match talked::heard(context, &session, &agent, talk, None)? {
        Ok(next) => Ok(next),
        Err(unanswered) => left(context, unanswered),
    }
}

/// [`heard`] of a turn to which nobody listened. What the agent said before it recorded something may still be on its way.
pub(super) fn heard_late(
    context: &mut Context<'_>,
    begun: &Session,
    agent: &str,
    came: &Came,
    talk: &mut Talk,
) -> Result<(), AppError> {
    if let Some(port) = context.leading.as_ref().filter(|_| is_about_a_plan(begun) && matches!(came, Came::Moved)) {
        for _ in 0..LATE {
            port.rest();
        }
    }
    heard(context, begun, agent, came, talk)
}

/// Takes what a turn lets hear of the plan: claims are recorded and shown, and a plan in its last message is put to the
/// person.
pub(super) fn heard(
    context: &mut Context<'_>,
    begun: &Session,
    agent: &str,
    came: &Came,
    talk: &mut Talk,
) -> Result<(), AppError> {
    if !is_about_a_plan(begun) {
        return Ok(());
    }
    if matches!(came, Came::Failed(_)) {
        return broken_off(context, begun, agent, None, talk);
    }
    let Some(port) = &mut context.leading else { return Ok(()) };
    let turn = port.take_turn();
    let heard = plan::hear(context, begun, agent, &turn, &mut talk.plan.listed)?;
    let Some(Heard { changed, claimed, proposed, unmarked }) = heard else {
        return Ok(());
    };
    talk.plan.unmarked = unmarked;
    show(context, changed, claimed)?;
    let steps = match proposed {
        Ok(Some(steps)) if !talk.plan.offered.contains(&steps) => steps,
        Ok(Some(_) | None) => return Ok(()),
        Err(refusal) => return recover(context, &AppError::from(refusal)),
    };
    talk.plan.offered.push(steps.clone());
    match plan::propose(context, begun, agent, steps) {
        Ok(reply) => context.voice.say(&reply),
        Err(error) => recover(context, &error),
    }
}

/// Takes the steps that were marked in a turn which failed, or which the person left before it was over: what was said by
/// then was said. Half a plan is none, so none is read.
pub(super) fn broken_off(
    context: &mut Context<'_>,
    begun: &Session,
    agent: &str,
    unanswered: Option<&Unanswered>,
    talk: &mut Talk,
) -> Result<(), AppError> {
    if !is_about_a_plan(begun) {
        return Ok(());
    }
    let Some(port) = &mut context.leading else { return Ok(()) };
    let turn = port.take_turn().broken_off();
    let Some(Heard { changed, claimed, .. }) = plan::hear(context, begun, agent, &turn, &mut talk.plan.listed)? else {
        return Ok(());
    };
    match unanswered {
        None | Some(Unanswered::Cancelled { .. } | Unanswered::Interrupted { .. } | Unanswered::TimedOut { .. }) => {
            show(context, changed, claimed)
        }
        // The terminal is gone.
        Some(Unanswered::Unavailable(_) | Unanswered::Lost { .. }) => Ok(()),
    }
}

/// Shows the plan where tools changed it, and the steps that were claimed.
fn show(context: &mut Context<'_>, changed: bool, claimed: Option<Outcome>) -> Result<(), AppError> {
    if changed {
        let shown = plan::show(context, None, Shows::Gist)?;
        context.voice.say(&shown)?;
    }
    match claimed {
        Some(outcome) => context.voice.say(&Reply::Happened(Box::new(outcome))),
        None => Ok(()),
    }
}
