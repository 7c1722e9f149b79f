//! What the user decides of a debate as a whole (D3, D13, D14): to accept, extend or kill it, and what becomes of a best
//! available consensus.

use crate::app::context::Context;
use crate::app::error::{AppError, not_answered};
use crate::app::prompt::Choice;
use crate::app::reply::{Outcome, Reply};
use crate::domain::debate::course::{Settlement, Step};
use crate::domain::debate::{self, Debate, Decision};
use crate::domain::session::Session;

use super::showing::{productive, summary};
use super::{conclude, newest};

const DEED: &str = "deciding on a debate";

/// Round 5 is complete.
pub(super) fn decide(
    context: &mut Context<'_>,
    session: &Session,
    number: u32,
    debate: &Debate,
) -> Result<Outcome, AppError> {
    context.need_person(DEED, "git grill debate accept, extend or kill")?;
    context.voice.say(&Reply::Text(summary(&session.own.debate, number, debate)))?;
    let choices = [
        Choice::of("accept", "Accept", "what there is, with its risks on record"),
        Choice::of("extend", "Extend", "by up to 2 rounds, and never more than 7"),
        Choice::of("kill", "Kill", "it ends as rejected; its record stays"),
    ];
    let question = format!("5 rounds are complete. {} What becomes of the debate?", productive(debate));
    let chosen = context.prompter.choose(&question, &choices).answered().map_err(not_answered(DEED))?;
    let decision = match chosen {
        0 => Decision::Accept,
        1 => Decision::Extend,
        _ => Decision::Kill,
    };
    context.handle(&session.id, debate::Command::Decide(decision).into())
}

/// The last round is complete without agreement.
pub(super) fn settle(
    context: &mut Context<'_>,
    session: &Session,
    number: u32,
    debate: &Debate,
) -> Result<Outcome, AppError> {
    context.need_person(DEED, "git grill debate accept, restart or table")?;
    context.voice.say(&Reply::Text(summary(&session.own.debate, number, debate)))?;
    let choices = [
        Choice::of("accept", "Accept", "the best available consensus, with its risks on record"),
        Choice::of("restart", "Reject and restart", "nothing of it counts; a new debate can begin"),
        Choice::of("table", "Table", "what is unresolved becomes open questions"),
    ];
    let question = "No round is left, and there is no agreement. What becomes of the best available consensus?";
    let chosen = context.prompter.choose(question, &choices).answered().map_err(not_answered(DEED))?;
    let settlement = match chosen {
        0 => Settlement::Accepted,
        1 => Settlement::Restarted,
        _ => Settlement::Tabled,
    };
    context.handle(&session.id, debate::Command::Decide(Decision::Settle(settlement)).into())
}

fn decided(context: &mut Context<'_>, decision: impl FnOnce(Step) -> Decision) -> Result<Reply, AppError> {
    let session = context.session()?;
    let (_, debate) = newest(&session)?;
    let decision = decision(debate.step());
    let outcome = context.handle(&session.id, debate::Command::Decide(decision).into())?;
    Ok(Reply::Happened(Box::new(conclude(context, outcome)?)))
}

/// Accepts what there is: it is enough, at whatever step from round 2 on (D13).
pub fn accept(context: &mut Context<'_>) -> Result<Reply, AppError> {
    decided(context, |step| match step {
        Step::Decide => Decision::Accept,
        Step::Settle => Decision::Settle(Settlement::Accepted),
        Step::Propose | Step::Criticize | Step::Attack | Step::Hear | Step::Synthesize | Step::Over(_) => {
            Decision::Declare
        }
    })
}

pub fn extend(context: &mut Context<'_>) -> Result<Reply, AppError> {
    decided(context, |_| Decision::Extend)
}

pub fn kill_debate(context: &mut Context<'_>) -> Result<Reply, AppError> {
    decided(context, |_| Decision::Kill)
}

pub fn restart(context: &mut Context<'_>) -> Result<Reply, AppError> {
    decided(context, |_| Decision::Settle(Settlement::Restarted))
}

pub fn table(context: &mut Context<'_>) -> Result<Reply, AppError> {
    decided(context, |_| Decision::Settle(Settlement::Tabled))
}
