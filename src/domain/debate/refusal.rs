//! Expected refusals of a debate: code, sentence and a way out, side by side.

use super::course::{NotNow, Step};
use super::faults::Faults;
use super::part::Part;
use super::role::{NoPlayer, NoRole};
use super::round::Hearing;
use super::rounds::{DEFAULT, Limit};
use super::shown::next_in_words;
use super::state::Debate;
use crate::domain::subsystem::Refused;

/// The largest text of a role, and the largest dossier, in bytes.
pub const LARGEST_TEXT: usize = 64 * 1024;
/// The largest critique or attack: everything that is raised in it is kept beside the text.
pub const LARGEST_ATTACK: usize = 24 * 1024;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("this session has no debate")]
    NoDebate,
    #[error("no debate was begun: debate {number} goes on")]
    GoesOn { number: u32 },
    /// An open question, and a new one, wait for the debate's end (D4).
    #[error("{deed} waits: debate {number} goes on")]
    Waits { deed: &'static str, number: u32 },
    #[error("no debate was begun: the dossier is empty")]
    NoDossier,
    #[error("no debate was begun: no session is active here, so there is no checkpoint to debate")]
    NothingToDebate,
    #[error("{what}: it has {bytes} bytes, and the limit is {most}")]
    TooLarge { what: &'static str, bytes: usize, most: usize },
    /// Nothing is added to a round but its next step (D5, D30).
    #[error("{deed}: {next}")]
    OutOfTurn {
        deed: &'static str,
        /// What is next instead, as a clause.
        next: String,
    },
    /// What somebody was shown, or wrote for, is not the debate that goes on by now.
    #[error("{deed}: it was for debate {shown}, which has ended; {next}")]
    Superseded { deed: &'static str, shown: u32, next: String },
    #[error("{deed}: {limit}")]
    Limited { deed: &'static str, limit: Limit },
    /// Parts of a role's text are missing, or too many (D6, D7, D9, D22).
    #[error("the {} was not taken: {}", .part.in_words(), .faults.in_words("it"))]
    Incomplete { part: Part, faults: Faults },
    #[error("the answer was not recorded: a yes to “{}” needs a note that says what it is about", .question.question())]
    WordsMissing { question: Hearing },
    #[error("the answer was not recorded: a yes to a role's question needs a note with your answer")]
    ReplyMissing,
    #[error("{0}")]
    NoPlayer(NoPlayer),
    #[error("the text was not taken: {0}")]
    NoRole(NoRole),
    /// A host's call lacks something.
    #[error("nothing was done: submit takes a debate, a role, a round and a text")]
    HalfASubmission,
    #[error("nothing was done: this debate has ended")]
    Over,
    /// A proxy answered in it, and the user has yet to say whether that counts (D20).
    #[error("debate {number} waits for your word: a proxy answered in it for you")]
    Provisional { number: u32 },
    #[error("nothing was confirmed or rejected: no proxy's answers wait for your word")]
    NothingProvisional { step: Step },
    /// What becomes of the latest proposal is decided once no round is left (D14).
    #[error("cannot {verb} yet; {next}")]
    RoundLeft { verb: &'static str, next: String },
}

impl Refusal {
    /// That what somebody was shown, or wrote for, is not the debate that goes on by now.
    pub fn superseded(deed: &'static str, shown: u32, (number, now): (u32, &Debate)) -> Self {
        Self::Superseded { deed, shown, next: format!("debate {number}, {}", next_in_words(now)) }
    }

    /// Why a step cannot be taken; `next` says which one can.
    pub(super) fn not_now(deed: &'static str, why: NotNow, next: String) -> Self {
        match why {
            NotNow::Limit(limit) => Self::Limited { deed, limit },
            NotNow::OutOfTurn => Self::OutOfTurn { deed, next },
            NotNow::Over => Self::Over,
        }
    }
}

impl Refused for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Self::NoDebate => "no_debate",
            Self::GoesOn { .. } => "debate_goes_on",
            Self::Waits { .. } => "debate_open",
            Self::NoDossier | Self::NothingToDebate => "no_dossier",
            Self::TooLarge { .. } => "text_too_large",
            Self::OutOfTurn { .. } | Self::Superseded { .. } | Self::RoundLeft { .. } => "out_of_turn",
            Self::Limited { .. } => "round_limit",
            Self::Incomplete { .. } => "incomplete_text",
            Self::WordsMissing { .. } | Self::ReplyMissing => "words_missing",
            Self::NoPlayer(_) => "no_player",
            Self::NoRole(_) => "no_role",
            Self::HalfASubmission => "bad_submission",
            Self::Over => "debate_over",
            Self::Provisional { .. } => "debate_provisional",
            Self::NothingProvisional { .. } => "nothing_provisional",
        }
    }

    fn hint(&self) -> String {
        match self {
            Self::NoDebate => "git grill debate start begins one".to_owned(),
            Self::Over => "git grill debate show prints the debate; git grill debate start begins another".to_owned(),
            Self::GoesOn { .. } | Self::Waits { .. } => {
                "git grill debate next goes on with it; git grill debate kill ends it".to_owned()
            }
            Self::NothingToDebate => "git grill debate start --dossier <file>".to_owned(),
            Self::NoDossier => {
                "git grill debate start --dossier <file> takes a file; git grill checkpoint edit fills the checkpoint"
                    .to_owned()
            }
            Self::TooLarge { .. } => "shorten it, and type the command again".to_owned(),
            Self::Limited { limit: Limit::Bound(_), .. } => format!("git grill debate start --rounds {DEFAULT}"),
            Self::Limited { limit: Limit::TooEarly { .. }, .. } | Self::RoundLeft { .. } => {
                "git grill debate next continues it".to_owned()
            }
            Self::NothingProvisional { step: Step::Settle } => {
                "git grill debate restart rejects the latest proposal".to_owned()
            }
            Self::Provisional { .. } => {
                "git grill debate show shows it; git grill debate confirm or git grill debate reject decides".to_owned()
            }
            Self::OutOfTurn { .. }
            | Self::Superseded { .. }
            | Self::Limited { .. }
            | Self::NothingProvisional { .. } => "git grill debate status says what is next".to_owned(),
            Self::Incomplete { .. } => {
                "correct the text, then git grill debate next; git grill debate prompt prints what the role is told"
                    .to_owned()
            }
            Self::WordsMissing { .. } => "git grill debate answer yes --note \"<what it is>\"".to_owned(),
            Self::ReplyMissing => {
                "git grill debate answer yes --note \"<your answer>\"; no leaves the question to the role".to_owned()
            }
            Self::NoRole(_) | Self::HalfASubmission => "git grill debate status says which role is next".to_owned(),
            Self::NoPlayer(_) => {
                "git grill debate start -h lists the players; --proposer agent:claude names one".to_owned()
            }
        }
    }

    fn advice(&self, _: &str) -> String {
        if let Self::Incomplete { faults, .. } = self {
            return format!("Have the role write the whole text again, then submit it: {}.", faults.in_words("it"));
        }
        if matches!(self, Self::NoRole(_) | Self::HalfASubmission | Self::OutOfTurn { .. } | Self::Superseded { .. }) {
            return "Call grill_debate with action next: it says what is next.".to_owned();
        }
        "Leave the debate to the user, who runs git grill debate at a terminal; ask nothing before it has ended."
            .to_owned()
    }
}
