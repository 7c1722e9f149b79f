//! Advice to an agent after a refusal, at its beginning: agents cut a refusal off after some 250 characters, and their models act on
//! its beginning. It names a tool by the name under which that agent can call it.

use super::tools;
use crate::agents::Hooked;
use crate::domain::posture::{Posture, ReadOnlyPhase};

/// The most bytes in which the advice ends, with what stands before it.
pub const FIRST: usize = 200;

/// Situation in which a call was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    Interview,
    /// The person chooses the outputs.
    Selection,
    /// Approved files are written.
    Output,
    /// A session without an interview is read-only.
    NoInterview,
    /// The state of the session, or the effect of the call, is unknown.
    Unclear,
}

impl Advice {
    pub const ALL: [Self; 5] = [Self::Interview, Self::Selection, Self::Output, Self::NoInterview, Self::Unclear];

    pub fn of(posture: &Posture) -> Self {
        match posture {
            Posture::ReadOnly { phase: ReadOnlyPhase::Interview } => Self::Interview,
            Posture::ReadOnly { phase: ReadOnlyPhase::OutputSelection } => Self::Selection,
            Posture::ReadOnly { phase: ReadOnlyPhase::NoInterview } => Self::NoInterview,
            Posture::Output { .. } => Self::Output,
            Posture::Inactive | Posture::Open => Self::Unclear,
        }
    }

    pub fn words(self, agent: Hooked) -> String {
        let status = tools::called(agent, "grill_status");
        match self {
            Self::Interview => {
                format!(
                    "do not try this in another way; call {status} and continue the interview; only reading is allowed."
                )
            }
            Self::Selection => {
                format!("do not try this in another way; call {status} and wait for the person to choose the output.")
            }
            Self::Output => {
                let draft = tools::called(agent, "grill_submit_draft");
                format!(
                    "only files of the approved plan may be written: submit them with {draft}; {status} shows the plan."
                )
            }
            Self::NoInterview => {
                format!(
                    "do not try this in another way; only reading is allowed until the person lifts it: {status} says what is open."
                )
            }
            Self::Unclear => {
                format!("do not try this in another way; call {status}, and tell the person what you wanted to do.")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_advice_fits_and_names_a_tool_that_the_agent_can_call() {
        for agent in Hooked::all() {
            for advice in Advice::ALL {
                let words = format!("git grill: {}", advice.words(agent));
                assert!(words.len() <= FIRST, "{} bytes: {words}", words.len());
                assert!(words.contains(&tools::called(agent, "grill_status")), "{words}");
            }
        }
    }
}
