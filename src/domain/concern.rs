//! Concerns: what the rules see in an interview that someone else leads. The referee finds them, the agent puts them into
//! words, and at `hard` and above some of them hold its output selection until the person has dealt with them.

use serde::{Deserialize, Serialize};

use super::settings::Intensity;
use super::text::Line;

/// The class of vague words that mean people, who are named and not measured.
pub const PEOPLE: &str = "people";

/// A kind of concern, the most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConcernKind {
    /// Two answers that cannot both hold.
    Contradiction,
    /// An answer that the checkpoint does not reflect.
    Dropped,
    /// An answer that the checkpoint states otherwise.
    Misstated,
    /// A question whose answer was overtaken: one that it stands on changed.
    Stale,
    /// A question that only a summary of the agent's answers, which the user did not confirm.
    Unconfirmed,
    /// An answer that stands on a place which is not what it was.
    Citation,
    /// A place that the checkpoint cites and that is not there.
    Place,
    /// A decision that nothing put to the test.
    Challenge,
    /// A question that was skipped or set aside and never answered.
    Skipped,
    /// An entry that stands under the checkpoint's open questions.
    Open,
    /// A decision in the checkpoint that no answer and no finding carries.
    Unsaid,
    /// An area that no question touched.
    Area,
    /// What is asked once about the whole at `adversarial`, and was not.
    Unasked,
    /// A word that sounds like an answer and measures nothing.
    Vague,
}

impl ConcernKind {
    /// Every kind, the most important first.
    pub const ALL: &'static [Self] = &[
        Self::Contradiction,
        Self::Dropped,
        Self::Misstated,
        Self::Stale,
        Self::Unconfirmed,
        Self::Citation,
        Self::Place,
        Self::Challenge,
        Self::Skipped,
        Self::Open,
        Self::Unsaid,
        Self::Area,
        Self::Unasked,
        Self::Vague,
    ];

    /// The first part of a concern's name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Contradiction => "contradiction",
            Self::Dropped => "dropped",
            Self::Misstated => "misstated",
            Self::Stale => "stale",
            Self::Unconfirmed => "unconfirmed",
            Self::Citation => "citation",
            Self::Place => "place",
            Self::Challenge => "challenge",
            Self::Skipped => "skipped",
            Self::Open => "open",
            Self::Unsaid => "unsaid",
            Self::Area => "area",
            Self::Unasked => "unasked",
            Self::Vague => "vague",
        }
    }

    /// Whether it holds the output selection that an agent opens at this intensity. A word is only named: a question
    /// about every adjective would be an interrogation. So is a decision that no answer carries, which the rules know by
    /// its words alone.
    pub fn holds(self, intensity: Intensity) -> bool {
        let hard = match intensity {
            Intensity::Gentle | Intensity::Standard => false,
            Intensity::Hard | Intensity::Adversarial => true,
        };
        match self {
            Self::Contradiction
            | Self::Dropped
            | Self::Misstated
            | Self::Stale
            | Self::Unconfirmed
            | Self::Citation
            | Self::Place
            | Self::Challenge
            | Self::Skipped
            | Self::Open
            | Self::Area
            | Self::Unasked => hard,
            Self::Unsaid | Self::Vague => false,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Concern {
    pub kind: ConcernKind,
    /// Its name, as a person types it: `challenge:3`, `area:risks`.
    pub name: String,
    /// Its name in the record, by the ids of the answers that it is about: another answer makes another concern.
    pub key: String,
    pub says: Line,
}

impl Concern {
    /// The call by which an agent closes it, for the end of a sentence.
    pub fn cure(&self) -> String {
        let numbers: Vec<&str> = self.name.split(':').skip(1).collect();
        let first = numbers.first().copied().unwrap_or_default();
        match self.kind {
            ConcernKind::Contradiction => {
                format!("ask which of them holds, with purpose settle and buildsOn {}", numbers.join(" and "))
            }
            ConcernKind::Dropped => {
                "add it with grill_update_checkpoint, in words of the answer or of its question".to_owned()
            }
            ConcernKind::Misstated => format!(
                "correct it with grill_update_checkpoint; where the user changed their mind, grill_revise_answer with \
                 question {first}"
            ),
            ConcernKind::Stale => {
                format!(
                    "ask it again in the same words; what the user says in chat goes into grill_revise_answer with \
                     question {first}: the new answer, or still-right"
                )
            }
            ConcernKind::Unconfirmed => {
                format!(
                    "ask the user whether it is right, with buildsOn {first}; what they say in chat goes into \
                     grill_revise_answer with question {first}"
                )
            }
            ConcernKind::Citation => format!(
                "read the place, ask the user, then grill_revise_answer with question {first}: the new answer, or \
                 still-right"
            ),
            ConcernKind::Place => "correct the place with grill_update_checkpoint".to_owned(),
            ConcernKind::Challenge => {
                format!("ask what speaks against it, with purpose challenge and buildsOn {first}")
            }
            ConcernKind::Skipped => format!(
                "ask it again in the same words; what the user says in chat goes into grill_record_answer with question \
                 {first}"
            ),
            ConcernKind::Open => "ask it, then take it off the list with grill_update_checkpoint".to_owned(),
            ConcernKind::Unsaid => "ask about it, or take it out with grill_update_checkpoint".to_owned(),
            ConcernKind::Area => format!("ask about it, with dimension {first}"),
            ConcernKind::Unasked => format!("ask it, with purpose {first}"),
            ConcernKind::Vague if numbers.get(1) == Some(&PEOPLE) => {
                format!("ask who exactly is meant, with purpose measure and buildsOn {first}")
            }
            ConcernKind::Vague => format!("ask how much it is, with purpose measure and buildsOn {first}"),
        }
    }

    pub fn with_cure(&self) -> String {
        format!("{}: {}. To close it: {}", self.name, self.says, self.cure())
    }
}

/// A concern that a person waved through, by its name: it holds nothing any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiver {
    /// Its name, as the person typed it.
    pub name: String,
    /// Its name in the record.
    pub key: String,
}

/// Concerns with their cures, each on a line of its own.
pub fn listed(concerns: &[Concern]) -> String {
    concerns.iter().flat_map(|one| ["\n- ".to_owned(), one.with_cure()]).collect()
}
