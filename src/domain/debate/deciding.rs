//! What comes of a decision about a debate, whoever makes it.

use super::command::open;
use super::course::{Happened, NotNow, Settlement};
use super::event::{Decision, Event};
use super::refusal::Refusal as Own;
use super::shown::next_in_words;
use crate::domain::refusal::Refusal;
use crate::domain::session::Session;

const NOT_DECIDED: &str = "nothing was decided";

/// Decides on the debate that the user was shown, as it stood when so many of its rounds were complete: what came to it since
/// is not what they decided on.
pub(super) fn decided(session: &Session, shown: u32, complete: u32, decision: Decision) -> Result<Vec<Event>, Refusal> {
    let (number, debate) = session.own.debate.newest().ok_or(Own::NoDebate)?;
    if number != shown {
        return Err(Own::superseded(NOT_DECIDED, shown, (number, debate)).into());
    }
    if matches!(decision, Decision::Confirm | Decision::Reject) {
        let (fits, step) = (debate.is_provisional(), debate.step());
        return if fits {
            Ok(vec![Event::DebateDecided { decision }])
        } else {
            Err(Own::NothingProvisional { step }.into())
        };
    }
    let (_, debate) = open(session)?;
    let course = debate.course();
    if course.complete() != complete && decision != Decision::Kill {
        let next = format!("the proposal changed since it was shown; {}", next_in_words(debate));
        return Err(Own::OutOfTurn { deed: NOT_DECIDED, next }.into());
    }
    let happened = match decision {
        Decision::Declare => Happened::Declared,
        Decision::Accept => Happened::Accepted,
        Decision::Extend => Happened::Extended,
        Decision::Kill => Happened::Killed,
        Decision::Settle(settlement) => Happened::Settled(settlement),
        Decision::Confirm | Decision::Reject => {
            return Err(Own::NothingProvisional { step: debate.step() }.into());
        }
    };
    course.after(happened).map_err(|why| match (why, decision) {
        (NotNow::OutOfTurn, Decision::Settle(settlement)) => {
            let verb = match settlement {
                Settlement::Accepted => "accept",
                Settlement::Restarted => "restart",
                Settlement::Tabled => "table",
            };
            Own::RoundLeft { verb, next: next_in_words(debate) }
        }
        (why, _) => Own::not_now(NOT_DECIDED, why, next_in_words(debate)),
    })?;
    Ok(vec![Event::DebateDecided { decision }])
}
