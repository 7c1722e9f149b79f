//! What the user decides of a debate as a whole (D3, D13, D14): to accept, extend or kill it, and what becomes of a best
//! available consensus.

use crate::app::context::Context;
use crate::app::error::{AppError, not_answered};
use crate::app::prompt::Choice;
use crate::app::reply::{Outcome, Reply};
use crate::domain::command::Command;
use crate::domain::debate::course::{Settlement, Step};
use crate::domain::debate::{self, Debate, Decision};
use crate::domain::decide::decide as decide_on;
use crate::domain::session::Session;

use super::showing::{before_a_word, outlook, productive};
use super::{conclude, newest};

const DEED: &str = "deciding on a debate";

/// Round 5 is complete.
pub(super) fn decide(
    context: &mut Context<'_>,
    session: &Session,
    number: u32,
    debate: &Debate,
) -> Result<Outcome, AppError> {
    context.need_person(
        DEED,
        "git grill debate at a terminal; where scripts may approve: git grill debate accept (or extend, or kill)",
    )?;
    context.voice.say(&Reply::Text(before_a_word(session, number, debate)))?;
    let choices = [
        Choice::of("accept", "Accept", "the latest proposal, with open objections recorded as risks"),
        Choice::of("extend", "Extend", "to 7 rounds, and never more"),
        Choice::of("kill", "Kill", "the checkpoint stays as it was; the record is kept"),
    ];
    context.prompter.comes_by_itself();
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
    context.need_person(
        DEED,
        "git grill debate at a terminal; where scripts may approve: git grill debate accept (or restart, or table)",
    )?;
    context.voice.say(&Reply::Text(before_a_word(session, number, debate)))?;
    let choices = [
        Choice::of("accept", "Accept", "the latest proposal, with open objections recorded as risks"),
        Choice::of("restart", "Reject", "the checkpoint stays as it was; you can start a new debate"),
        Choice::of("table", "Table", "decide nothing; unresolved objections become open questions"),
    ];
    context.prompter.comes_by_itself();
    let question = "No round is left, and there is no agreement. What becomes of the latest proposal?";
    let chosen = context.prompter.choose(question, &choices).answered().map_err(not_answered(DEED))?;
    let settlement = match chosen {
        0 => Settlement::Accepted,
        1 => Settlement::Restarted,
        _ => Settlement::Tabled,
    };
    context.handle(&session.id, debate::Command::Decide(Decision::Settle(settlement)).into())
}

/// Decides by a command. At a terminal the user sees what comes of it first.
fn decided(context: &mut Context<'_>, what: &str, decision: impl FnOnce(Step) -> Decision) -> Result<Reply, AppError> {
    let session = context.session()?;
    let (number, debate) = newest(&session)?;
    let decision = decision(debate.step());
    let command: Command = debate::Command::Decide(decision).into();
    // What cannot be is refused before anybody is asked.
    decide_on(&session, &context.actor, context.dispatcher.clock.now(), &command)?;
    if context.can_ask().is_ok() {
        context.voice.say(&Reply::Text(outlook(&session.own.debate, number, decision)))?;
        if !context.prompter.confirm(what).answered().map_err(not_answered(DEED))? {
            return Err(AppError::Cancelled(DEED));
        }
    }
    let outcome = context.handle(&session.id, command)?;
    Ok(Reply::Happened(Box::new(conclude(context, outcome)?)))
}

/// Accepts the latest proposal, at whatever step once round 2 is complete (D13).
pub fn accept(context: &mut Context<'_>) -> Result<Reply, AppError> {
    decided(context, "Accept the latest proposal?", |step| match step {
        Step::Decide => Decision::Accept,
        Step::Settle => Decision::Settle(Settlement::Accepted),
        Step::Propose | Step::Criticize | Step::Attack | Step::Hear | Step::Synthesize | Step::Over(_) => {
            Decision::Declare
        }
    })
}

pub fn extend(context: &mut Context<'_>) -> Result<Reply, AppError> {
    decided(context, "Go on, to at most 7 rounds?", |_| Decision::Extend)
}

pub fn kill_debate(context: &mut Context<'_>) -> Result<Reply, AppError> {
    decided(context, "Kill the debate?", |_| Decision::Kill)
}

pub fn restart(context: &mut Context<'_>) -> Result<Reply, AppError> {
    decided(context, "Reject the latest proposal?", |_| Decision::Settle(Settlement::Restarted))
}

/// What the proxy answered counts as the user's, as a whole (D20).
pub fn confirm(context: &mut Context<'_>) -> Result<Reply, AppError> {
    decided(context, "Let what the proxy answered count?", |_| Decision::Confirm)
}

pub fn reject(context: &mut Context<'_>) -> Result<Reply, AppError> {
    decided(context, "Reject what the proxy answered?", |_| Decision::Reject)
}

pub fn table(context: &mut Context<'_>) -> Result<Reply, AppError> {
    decided(context, "Decide nothing, and table it?", |_| Decision::Settle(Settlement::Tabled))
}
