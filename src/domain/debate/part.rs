//! The texts of a debate: what a role gives in a round, and where each text lies in the commit.

use serde::{Deserialize, Serialize};

use super::course::Step;
use super::role::Role;

/// A text that a role gives in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    Proposal,
    /// Of the idea, written before the proposal is seen (D27).
    Critique,
    Attack,
    Synthesis,
    /// The proxy's answers for the user (D20).
    Position,
    /// What the proxy decides at round 5, and when no round is left.
    Ruling,
}

impl Part {
    pub const ALL: [Self; 6] =
        [Self::Proposal, Self::Critique, Self::Attack, Self::Position, Self::Synthesis, Self::Ruling];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Proposal => "proposal",
            Self::Critique => "critique",
            Self::Attack => "attack",
            Self::Synthesis => "synthesis",
            Self::Position => "position",
            Self::Ruling => "ruling",
        }
    }

    /// The text as a person is told of it.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Proposal | Self::Critique | Self::Attack | Self::Synthesis => self.name(),
            Self::Position => "answer",
            Self::Ruling => "decision",
        }
    }

    /// Who gives it.
    pub const fn role(self) -> Role {
        match self {
            Self::Proposal => Role::Proposer,
            Self::Critique | Self::Attack => Role::DevilsAdvocate,
            Self::Synthesis => Role::Synthesizer,
            Self::Position | Self::Ruling => Role::Proxy,
        }
    }

    /// The part that this step waits for; none where it waits for the user, or for nothing. What a proxy answers and decides
    /// in the user's place is provisional (D20).
    pub const fn of(step: Step, has_proxy: bool) -> Option<Self> {
        match step {
            Step::Hear if has_proxy => Some(Self::Position),
            Step::Decide | Step::Settle if has_proxy => Some(Self::Ruling),
            Step::Propose => Some(Self::Proposal),
            Step::Criticize => Some(Self::Critique),
            Step::Attack => Some(Self::Attack),
            Step::Synthesize => Some(Self::Synthesis),
            Step::Hear | Step::Decide | Step::Settle | Step::Over(_) => None,
        }
    }

    /// Where its text lies, below `.grill/debate/`.
    pub fn path(self, debate: u32, round: u32) -> String {
        format!("{debate}/round-{round}/{}.md", self.name())
    }
}

/// Where the dossier of a debate lies, below `.grill/debate/`.
pub fn dossier(debate: u32) -> String {
    format!("{debate}/dossier.md")
}

/// Where the constraints lie that a debate was given in a file.
pub fn constitution(debate: u32) -> String {
    format!("{debate}/constitution.md")
}

/// Where the user's answers of a round lie.
pub fn answers(debate: u32, round: u32) -> String {
    format!("{debate}/round-{round}/answers.md")
}

/// Where the record lies: how the debate stands, or what came of it.
pub fn record(debate: u32) -> String {
    format!("{debate}/record.md")
}
