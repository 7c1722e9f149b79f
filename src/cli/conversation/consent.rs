//! Within what an agent is started that leads a session already. The person's yes stands as long as the walls do that it was
//! given for: where they are missing by now, it takes another one (A11, A25), and an agent that must not read the repository
//! is not started at all (G55).

use crate::app::consent::{Purpose, choices, question};
use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::ports::{Walls, Within};
use crate::domain::session::Session;

use super::super::leading;
use super::led::{end, left, stopped};
use super::{Next, Talk};

/// Within what it is started; otherwise how the conversation goes on without that.
pub(super) fn within(
    context: &mut Context<'_>,
    session: &Session,
    agent: &str,
    talk: &mut Talk,
) -> Result<Result<Within, Next>, AppError> {
    let walls = leading::with(context)?.walls();
    if walls == Walls::Hold {
        return Ok(Ok(Within::Walls));
    }
    let research = session.settings.research;
    if let Some(error) = leading::unkept(agent, research, &walls, "git grill research auto lets it read") {
        return stopped(context, agent, &error, talk).map(Err);
    }
    let agreed = leading::with(context)?.chosen(&session.id)?;
    if agreed.is_some_and(|(chosen, within)| chosen == agent && within == Within::WhatThereIs) {
        return Ok(Ok(Within::WhatThereIs));
    }
    let leader = match leading::with(context)?.known(agent) {
        Ok(leader) => leader,
        Err(error) => return stopped(context, agent, &error, talk).map(Err),
    };
    let question = question(&leader, Purpose::of(session), &walls);
    let question =
        format!("You agreed to start this agent in a sandbox, and that sandbox is not available now.\n{question}");
    let choices = choices(Purpose::of(session));
    let chosen = match context.prompter.choose(&question, &choices).answered() {
        Ok(chosen) => chosen,
        Err(unanswered) => return left(context, unanswered).map(Err),
    };
    if choices.get(chosen).is_some_and(|choice| choice.value == "once") {
        return Ok(Ok(Within::WhatThereIs));
    }
    end(context)?;
    leading::built_in(context)?;
    Ok(Err(Next::On))
}
