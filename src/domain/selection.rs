//! The output-selection gate: why the interview is ready, and what could come out of it (G26 to G30).

use serde::{Deserialize, Serialize};

use super::actor::Actor;
use super::question::Alternatives;
use super::settings::{Destination, Strategy};
use super::text::{Line, Prose};

/// What the gate shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gate {
    /// Why the interview is ready to end, or what is missing.
    pub rationale: Prose,
    /// Recommended destinations; empty is "none".
    pub recommended_outputs: Vec<Destination>,
    /// Recommended strategy; a recommendation, never a default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recommended_strategy: Option<Strategy>,
    /// The question that is asked.
    pub question: Prose,
    /// Replies that can be taken over.
    pub alternatives: Alternatives,
}

/// The selection phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selection {
    /// What is shown.
    pub gate: Gate,
    /// What somebody without the right to decide asked for; it waits for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Request>,
}

/// A decision that somebody asked for and only a person may take (G30, G40).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// What is asked for.
    pub wanted: Wanted,
    /// Who asked.
    pub by: Actor,
}

/// What a pending request asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wanted {
    /// To open the output phase with this plan.
    Outputs(super::production::Plan),
    /// To end without output.
    Stop {
        /// What the asker said about the choice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        summary: Option<Line>,
    },
}
