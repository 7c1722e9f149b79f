//! What the user decides of a debate as a whole (D3, D13, D14): to accept, extend or kill it, and what becomes of a best
//! available consensus.

use crate::app::context::Context;
use crate::app::error::{AppError, not_answered};
use crate::app::prompt::Choice;
use crate::app::reply::{Outcome, Reply};
use crate::domain::command::Command;
use crate::domain::debate::course::{Settlement, Step};
use crate::domain::debate::shown::ended_in_words;
use crate::domain::debate::{self, Debate, Decision};
use crate::domain::decide::decide as decide_on;
use crate::domain::session::Session;

use super::showing::{before_a_word, outlook, productive};
use super::{conclude, newest};

pub(super) const DEED: &str = "deciding on a debate";

/// A decision of the user's that is due, as they are asked for it.
pub(super) struct Asked {
    pub question: String,
    pub choices: Vec<(Choice, Decision)>,
    /// The commands by which a script decides, where one may.
    typed: &'static str,
}

impl Asked {
    /// The decision that waits for the user; none where a proxy decides.
    pub(super) fn due(debate: &Debate) -> Option<Self> {
        let accept = |decision| {
            (Choice::of("accept", "Accept", "the latest proposal, with open objections recorded as risks"), decision)
        };
        if debate.is_provisional() {
            let confirm = Choice::of("confirm", "Confirm", "all that the proxy answered counts as yours");
            let reject = Choice::of("reject", "Reject", "none of it counts; the checkpoint stays as it was");
            return Some(Self {
                question: "A proxy answered for you. What becomes of its answers?".to_owned(),
                choices: vec![(confirm, Decision::Confirm), (reject, Decision::Reject)],
                typed: "git grill debate confirm (or reject)",
            });
        }
        match (debate.step(), debate.awaits()) {
            // Round 5 is complete.
            (Step::Decide, None) => Some(Self {
                question: format!("5 rounds are complete. {} What becomes of the debate?", productive(debate)),
                choices: vec![
                    accept(Decision::Accept),
                    (Choice::of("extend", "Extend", "to 7 rounds, and never more"), Decision::Extend),
                    (Choice::of("kill", "Kill", "the checkpoint stays as it was; the record is kept"), Decision::Kill),
                ],
                typed: "git grill debate accept (or extend, or kill)",
            }),
            // The last round is complete without agreement.
            (Step::Settle, None) => Some(Self {
                question: "No round is left, and there is no agreement. What becomes of the latest proposal?"
                    .to_owned(),
                choices: vec![
                    accept(Decision::Settle(Settlement::Accepted)),
                    (
                        Choice::of("restart", "Restart", "reject the proposal; the checkpoint stays as it was"),
                        Decision::Settle(Settlement::Restarted),
                    ),
                    (
                        Choice::of("table", "Table", "decide nothing; unresolved objections become open questions"),
                        Decision::Settle(Settlement::Tabled),
                    ),
                ],
                typed: "git grill debate accept (or restart, or table)",
            }),
            (Step::Decide | Step::Settle, Some(_))
            | (Step::Propose | Step::Criticize | Step::Attack | Step::Hear | Step::Synthesize | Step::Over(_), _) => {
                None
            }
        }
    }

    pub(super) fn offered(&self) -> Vec<Choice> {
        self.choices.iter().map(|(choice, _)| choice.clone()).collect()
    }
}

/// What the user sees before they decide.
pub(super) fn background(session: &Session, number: u32, debate: &Debate) -> String {
    if debate.is_provisional() {
        let stands = debate.ending().map(|ending| ended_in_words(debate, ending)).unwrap_or_default();
        let comes = outlook(session, number, Decision::Confirm);
        return format!("{stands}\n\nif you confirm that, {comes}");
    }
    before_a_word(session, number, debate)
}

/// Asks the user for the decision that is due.
pub(super) fn decide(
    context: &mut Context<'_>,
    session: &Session,
    number: u32,
    debate: &Debate,
    asked: &Asked,
) -> Result<Outcome, AppError> {
    let hint = format!("git grill debate at a terminal; where scripts may approve: {}", asked.typed);
    context.need_person(DEED, &hint)?;
    context.voice.say(&Reply::Text(background(session, number, debate)))?;
    context.prompter.comes_by_itself();
    let chosen = context.prompter.choose(&asked.question, &asked.offered()).answered().map_err(not_answered(DEED))?;
    let (_, decision) = asked.choices.get(chosen).ok_or(AppError::Cancelled(DEED))?;
    context.handle(&session.id, word(number, debate, *decision).into())
}

/// The decision as a command, about the debate as it was shown.
pub(super) fn word(number: u32, debate: &Debate, decision: Decision) -> debate::Command {
    debate::Command::Decide { debate: number, complete: debate.course().complete(), decision }
}

/// Decides by a command. At a terminal the user sees what comes of it first.
fn decided(context: &mut Context<'_>, what: &str, decision: impl FnOnce(Step) -> Decision) -> Result<Reply, AppError> {
    let session = context.session()?;
    let (number, debate) = newest(&session)?;
    let decision = decision(debate.step());
    let command: Command = word(number, debate, decision).into();
    // What cannot be is refused before anybody is asked.
    decide_on(&session, &context.actor, context.dispatcher.clock.now(), &command)?;
    if context.can_ask().is_ok() {
        context.voice.say(&Reply::Text(outlook(&session, number, decision)))?;
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
    decided(context, "Let the proxy's answers count?", |_| Decision::Confirm)
}

pub fn reject(context: &mut Context<'_>) -> Result<Reply, AppError> {
    decided(context, "Discard the proxy's answers?", |_| Decision::Reject)
}

pub fn table(context: &mut Context<'_>) -> Result<Reply, AppError> {
    decided(context, "Decide nothing, and table it?", |_| Decision::Settle(Settlement::Tabled))
}
