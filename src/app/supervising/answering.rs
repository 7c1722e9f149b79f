//! An agent that answers one prompt in a session of its own: it is started, heard to the end of its turn, and ended. What
//! it may do is what its profile says.

use crate::app::consent::always;
use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::ports::{StartOrder, Supervising, Sweep, Walls, Within};
use crate::domain::agents::profile::Profile;
use crate::domain::agents::receipt::{LONGEST_WAIT, WaitOutcome, WaitSeconds};
use crate::domain::agents::usage::UsageReport;
use crate::domain::agents::{AgentHandle, TurnHandle};

use super::asking::Confirmation;
use super::{StartsAt, counter, leading_on, supervising, walled};

/// What an agent said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub text: String,
    pub usage: UsageReport,
}

/// The person's yes to an agent that is to answer more than once, or one that they gave for good (A11).
pub fn agree(context: &mut Context<'_>, agent: &str, profile: Profile, confirmed: bool) -> Result<(), AppError> {
    let port = supervising(context)?;
    walled(port)?;
    let leader = port.known(agent)?;
    port.ready(&leader.name, profile).map_err(|error| leading_on(context, error, None))?;
    let mut counter = counter(context)?;
    let agreed = counter.agree_to_start(&leader, (profile, &Walls::Hold), &[], Confirmation::of(confirmed));
    agreed.map_err(|error| {
        let AppError::NeedsPerson { deed, why, hint: _ } = error else { return error };
        // Its own hint begins a session, which is not what is wanted.
        let hint = format!(
            "type it at a terminal, and choose “{}”; then --confirm-provider-use is enough elsewhere",
            always().label
        );
        AppError::NeedsPerson { deed, why, hint }
    })
}

/// Has the agent answer a prompt in a fresh session, to which the person has agreed before. Whatever comes of it, nothing of
/// the session goes on.
pub fn answered(
    context: &Context<'_>,
    agent: &str,
    profile: Profile,
    prompt: &str,
    most: u64,
) -> Result<Answer, AppError> {
    let port = supervising(context)?;
    walled(port)?;
    let leader = port.known(agent)?;
    port.ready(&leader.name, profile)?;
    let (agent, at, within) = (&*leader.name, StartsAt::CallersFolder, Within::Walls);
    let session = port.start(&StartOrder { agent, profile, at, within, prompt, pictures: &[] })?;
    let answer = heard(port, session).and_then(|usage| {
        let path = port.result(session, Some(TurnHandle::FIRST))?.path;
        let hint = format!("git grill agent result {session} shows what it said");
        let text = context.elsewhere.read_regular(&path.to_string_lossy(), most, &hint)?;
        Ok(Answer { text, usage })
    });
    // What it said is here, or it is of no use.
    let ended = port.cancel(session, None).and_then(|_| port.clean_up(session, Sweep::Kept));
    answer.and_then(|answer| ended.map(|_| answer))
}

/// Waits until its turn is over.
fn heard(port: &dyn Supervising, session: AgentHandle) -> Result<UsageReport, AppError> {
    let wait = WaitSeconds::new(LONGEST_WAIT)?;
    loop {
        let (seen, receipt) = port.wait(session, Some(TurnHandle::FIRST), wait)?;
        let now = &seen.session;
        if now.turn(TurnHandle::FIRST).is_some_and(|turn| turn.state.is_over()) {
            return Ok(now.usage.clone());
        }
        let waits = !now.asks.is_empty();
        if waits || (now.state.is_terminal() && receipt.outcome != WaitOutcome::TimedOut) {
            let why =
                if waits { "it asks you something, which nobody answers here" } else { "it ended without an answer" };
            return Err(AppError::Declined {
                code: "no_answer",
                message: format!("{} gave no answer in {session}: {why}", now.started.agent),
                causes: Vec::new(),
                hint: format!("git grill agent log {session} shows what it did"),
            });
        }
    }
}
