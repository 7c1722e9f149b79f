//! What an agent that is spoken to from here lets hear of the plan in a turn: its marks become claims, and a plan that it
//! proposes is set if the person says yes (P16, P20).

use crate::domain::actor::Actor;
use crate::domain::command::Command;
use crate::domain::harmless::harmless;
use crate::domain::plan::heard::{Listed, Turn, claims, is_unmarked, proposal};
use crate::domain::plan::progress::counted;
use crate::domain::plan::{self, PlanSource, Steps, parse};
use crate::domain::session::Session;
use crate::domain::text::Prose;

use super::super::context::Context;
use super::super::dispatcher::Envelope;
use super::super::error::{AppError, not_answered};
use super::super::prompt::Unanswered;
use super::super::reply::{Outcome, Reply};
use super::{look_after, unchanged};

/// What came of a turn.
#[derive(Debug)]
pub struct Heard {
    /// Whether the plan or its marks were changed meanwhile, by tools.
    pub changed: bool,
    /// The claims that were recorded.
    pub claimed: Option<Outcome>,
    /// The plan that it proposes, or why that can be none.
    pub proposed: Result<Option<Steps>, plan::Refusal>,
    /// Whether it worked and marked nothing, so that its next turn asks.
    pub unmarked: bool,
}

/// Records the steps that a turn claims, in the agent's name. Nothing is heard in a session that ended meanwhile.
pub fn hear(
    context: &mut Context<'_>,
    begun: &Session,
    agent: &str,
    turn: &Turn,
    listed: &mut Listed,
) -> Result<Option<Heard>, AppError> {
    let before = &begun.own.plan;
    let mut now = context.dispatcher.store.load(&begun.id)?.session;
    if now.is_closed() {
        return Ok(None);
    }
    let changed = before.steps != now.own.plan.steps;
    let steps = claims(before, &now.own.plan, turn, listed);
    let mut claimed = None;
    if !steps.is_empty() {
        let command: Command = plan::Command::Mark { steps }.into();
        let mut outcome = context.handle_each(&now.id, &[by(agent, command)])?;
        look_after(context, &mut outcome);
        now = outcome.after.clone();
        claimed = Some(outcome).filter(|outcome| !outcome.events.is_empty());
    }
    Ok(Some(Heard {
        changed,
        claimed,
        proposed: proposal(before, &now.own.plan, turn),
        unmarked: is_unmarked(before, &now.own.plan, turn),
    }))
}

/// Shows the plan that an agent proposes, as it was read, and sets it if the person says yes. That approves nothing.
pub fn propose(context: &mut Context<'_>, session: &Session, agent: &str, steps: Steps) -> Result<Reply, AppError> {
    let items = (1..).zip(steps.texts().iter().map(Prose::as_str)).map(|(number, text)| parse::item(number, text));
    let shown = format!("{agent} proposes a plan of {}:\n{}", counted(steps.count()), items.collect::<String>());
    context.voice.say(&Reply::Text(harmless(shown.trim_end()).into_owned()))?;
    let question =
        "Set it as the plan of this session? It is executed only if you approve it with git grill plan execute.";
    let yes = match context.prompter.confirm(question).answered() {
        Ok(yes) => yes,
        Err(Unanswered::Cancelled { .. }) => false,
        Err(other) => return Err(not_answered("setting the plan")(other)),
    };
    if !yes {
        return Ok(Reply::Text("the proposed plan was not set; the plan of this session did not change".to_owned()));
    }
    let command: Command = plan::Command::SetPlan { steps, source: PlanSource::Message }.into();
    let mut outcome = context.handle_each(&session.id, &[by(agent, command)])?;
    if outcome.events.is_empty() {
        return Ok(unchanged("this is the plan already"));
    }
    look_after(context, &mut outcome);
    Ok(Reply::Happened(Box::new(outcome)))
}

fn by(agent: &str, command: Command) -> Envelope {
    Envelope { actor: Actor::Agent(agent.to_owned()), command }
}
