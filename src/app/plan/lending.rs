//! A plan that a fresh agent carries out in a copy of its own (P22): it is told the checkpoint and the plan, and nothing else.

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::reply::Reply;
use crate::app::supervising::{self, AgentRequest, LONGEST_PROMPT, StartsAt};
use crate::domain::agents::profile::Profile;
use crate::domain::plan;
use crate::domain::session::Session;

use super::{execute, text};

const TASK: &str = "Carry out this plan in the repository that you are in, which is a copy of your own. Change the files that its \
                    steps need and no others. You need not commit. When you are done, say for each step, by its number, what \
                    you did, and name what you left out and why.";

/// What stays where the user leaves the question about the agent.
const NOT_STARTED: &str =
    "the plan is approved and being executed, but no agent was started; the same command asks again";

/// Executes the plan, unless it is being executed already, and lends it to an agent. A person approves the plan and says yes
/// to the agent's provider.
pub fn execute_by(context: &mut Context<'_>, agent: String) -> Result<Reply, AppError> {
    let session = context.session()?;
    let prompt = prompt(&session)?;
    // What can be refused at once is, before anything is approved.
    let port = supervising::supervising(context)?;
    port.known(&agent)?;
    port.ready(&agent, Profile::WorktreeEdit)
        .map_err(|error| supervising::leading_on(context, error, Some("git grill plan execute ends plan mode")))?;
    let executed = execute(context)?;
    context.voice.say(&executed)?;
    let request = AgentRequest::Start {
        agent: Some(agent),
        profile: Profile::WorktreeEdit,
        // The plan is of the whole repository, wherever the user stands.
        at: StartsAt::Top,
        prompt,
        media: Vec::new(),
        confirmed: false,
    };
    supervising::serve(context, request).map_err(|error| {
        if let AppError::Cancelled(_) = error {
            return AppError::Stopped(format!("stopped; {NOT_STARTED}").into());
        }
        if let AppError::Interrupted = error { AppError::InterruptedWith(NOT_STARTED.into()) } else { error }
    })
}

/// What the agent is told.
fn prompt(session: &Session) -> Result<String, AppError> {
    if session.own.plan.steps.is_empty() {
        return Err(plan::Refusal::NoPlan.into());
    }
    let checkpoint = session.checkpoint.as_str().trim();
    let plan = text(&session.own.plan);
    let prompt = format!("{TASK}\n\n{}\n\nWhat was understood before:\n\n{checkpoint}\n", plan.trim());
    if prompt.len() <= LONGEST_PROMPT {
        return Ok(prompt);
    }
    Err(AppError::Usage {
        message: format!(
            "nothing was executed: the prompt for the agent has {} bytes, and {LONGEST_PROMPT} are the most",
            prompt.len()
        ),
        hint: "git grill plan execute approves the plan without an agent".to_owned(),
    })
}
