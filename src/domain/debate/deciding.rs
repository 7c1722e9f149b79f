//! What comes of a decision about a debate, whoever makes it.

use super::command::open;
use super::course::{Happened, NotNow, Settlement};
use super::event::{Decision, Event};
use super::refusal::Refusal as Own;
use super::shown::next_in_words;
use crate::domain::refusal::Refusal;
use crate::domain::session::Session;

const NOT_DECIDED: &str = "nothing was decided";

pub(super) fn decided(session: &Session, decision: Decision) -> Result<Vec<Event>, Refusal> {
    if matches!(decision, Decision::Confirm | Decision::Reject) {
        let debate = session.own.debate.newest().map(|(_, debate)| debate).ok_or(Own::NoDebate)?;
        let (fits, step) = (debate.is_provisional(), debate.step());
        return if fits {
            Ok(vec![Event::DebateDecided { decision }])
        } else {
            Err(Own::NothingProvisional { step }.into())
        };
    }
    let (_, debate) = open(session)?;
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
    debate.course().after(happened).map_err(|why| match (why, decision) {
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
