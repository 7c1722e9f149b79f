//! Citations: the places in the repository that questions name, and what became of them since they were read.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::facts::Evidence;
use super::ids::{ObjectId, QuestionId};
use super::interview::{QuestionStatus, TranscriptEntry};
use super::prose_places;
use super::session::Session;
use super::settings::{Interviewer, Research};

/// The most places that are looked at again; a session that cites more has them checked in the order of its questions.
pub const MOST_CITED: usize = 100;

/// What became of a place that is not as it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "fate")]
pub enum Fate {
    /// The file changed elsewhere; these lines say what they said.
    Beside,
    /// The lines say what they said, and stand elsewhere in the file.
    Moved {
        /// The first and the last line now.
        to: (u32, u32),
    },
    /// The whole file stands under another name, byte for byte.
    Renamed {
        to: String,
    },
    /// The lines, or the file where the whole of it is cited, say something else.
    Changed,
    Gone,
}

impl Fate {
    /// Whether what was decided on the strength of it needs another look.
    pub fn alarms(&self) -> bool {
        match self {
            Self::Changed | Self::Gone => true,
            Self::Beside | Self::Moved { .. } | Self::Renamed { .. } => false,
        }
    }
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Beside => f.write_str("changed around these lines"),
            Self::Moved { to: (first, last) } if first == last => write!(f, "moved to line {first}"),
            Self::Moved { to: (first, last) } => write!(f, "moved to lines {first} to {last}"),
            Self::Renamed { to } => write!(f, "renamed to {to}"),
            Self::Changed => f.write_str("says something else now"),
            Self::Gone => f.write_str("is gone"),
        }
    }
}

/// Where the difference was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seen {
    /// In the newest commit.
    Head,
    /// In the working tree; the newest commit still has it as it was.
    WorkingTree,
}

/// A place that is not as it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rechecked {
    /// The place as it is cited.
    pub at: Evidence,
    #[serde(flatten)]
    pub fate: Fate,
    pub seen: Seen,
    /// The blob that stands there now, where the commit has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<ObjectId>,
}

/// A cited place that is not as it was read, with the questions that name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedCitation {
    #[serde(flatten)]
    pub place: Rechecked,
    /// Questions that name it.
    pub questions: Vec<QuestionId>,
    /// Those of them that were answered after the change was known: their answers hold for the place as it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub confirmed: Vec<QuestionId>,
}

impl ChangedCitation {
    pub fn doubts(&self, question: &QuestionId) -> bool {
        self.place.fate.alarms() && self.questions.contains(question) && !self.confirmed.contains(question)
    }

    /// Whether the checkpoint alone cites it: it was looked for, and is not there.
    pub fn is_of_the_checkpoint(&self) -> bool {
        self.questions.is_empty() && self.place.at.blob.is_none()
    }

    /// The place and what became of it, as part of a sentence.
    pub fn in_words(&self) -> String {
        match self.place.seen {
            Seen::Head => format!("{} {}", self.place.at, self.place.fate),
            Seen::WorkingTree => format!("{} {} (in the working tree)", self.place.at, self.place.fate),
        }
    }
}

impl Session {
    /// The places whose questions were answered, each once; what a check of the citations looks at. Where nothing may be
    /// looked at, there is none.
    pub fn cited(&self) -> Vec<Evidence> {
        let mut found: Vec<Evidence> = Vec::new();
        if self.settings.research == Research::Off {
            return found;
        }
        for asked in self.transcript.asked.iter().filter(|asked| asked.standing == QuestionStatus::Answered) {
            for at in &asked.question.evidence {
                if at.blob.is_some() && !found.contains(at) {
                    found.push(at.clone());
                }
            }
        }
        found.truncate(MOST_CITED);
        found.extend(self.cited_by_the_checkpoint());
        found
    }

    /// The places that the checkpoint cites in its prose, where an agent writes it. They name no blob: only whether they are
    /// there can be checked. Where nothing may be looked at, there is none.
    pub fn cited_by_the_checkpoint(&self) -> Vec<Evidence> {
        match (&self.settings.interviewer, self.settings.research) {
            (Interviewer::BuiltIn, _) | (Interviewer::Agent(_), Research::Off) => Vec::new(),
            (Interviewer::Agent(_), Research::Ask | Research::Auto) => prose_places::places(self.checkpoint.as_str()),
        }
    }

    /// The answered questions whose cited places say something else now or are gone, each with those places.
    pub fn doubted(&self) -> Vec<(&TranscriptEntry, Vec<&ChangedCitation>)> {
        let answered = self.transcript.asked.iter().filter(|asked| asked.standing == QuestionStatus::Answered);
        answered
            .map(|asked| {
                let doubts = self.citations.iter().filter(|changed| changed.doubts(&asked.question.id));
                (asked, doubts.collect::<Vec<_>>())
            })
            .filter(|(_, doubts)| !doubts.is_empty())
            .collect()
    }
}

/// What was found, beside the questions that name each place. An answer that was given when the same change was known
/// holds.
pub(super) fn changed(session: &Session, found: &[Rechecked]) -> Vec<ChangedCitation> {
    let mut changed: Vec<ChangedCitation> = Vec::new();
    let cited = session.cited_by_the_checkpoint();
    for place in found {
        let asked = session.transcript.asked.iter().map(|asked| &asked.question);
        let questions: Vec<QuestionId> = asked
            .filter(|question| question.evidence.contains(&place.at))
            .map(|question| question.id.clone())
            .collect();
        let by_the_checkpoint = place.at.blob.is_none() && cited.contains(&place.at);
        if (questions.is_empty() && !by_the_checkpoint) || changed.iter().any(|other| other.place.at == place.at) {
            continue;
        }
        let known = session.citations.iter().find(|known| known.place == *place);
        let mut confirmed = known.map(|known| known.confirmed.clone()).unwrap_or_default();
        confirmed.retain(|question| questions.contains(question));
        changed.push(ChangedCitation { place: place.clone(), questions, confirmed });
    }
    changed
}

/// What a check came to, for the subject of its commit.
pub fn summary(changed: &[ChangedCitation]) -> String {
    let alarming = changed.iter().filter(|one| one.place.fate.alarms()).count();
    match (alarming, changed.len() - alarming) {
        (0, 0) => "every cited place is as it was read".to_owned(),
        (0, quiet) => format!("{} but says the same", places(quiet, "moved")),
        (alarming, _) => places(alarming, "changed"),
    }
}

fn places(number: usize, what: &str) -> String {
    if number == 1 { format!("one cited place {what}") } else { format!("{number} cited places {what}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g15_a_fate_is_said_in_words_and_only_what_says_something_else_alarms() {
        for (fate, words, alarms) in [
            (Fate::Beside, "changed around these lines", false),
            (Fate::Moved { to: (7, 7) }, "moved to line 7", false),
            (Fate::Moved { to: (7, 9) }, "moved to lines 7 to 9", false),
            (Fate::Renamed { to: "b.rs".to_owned() }, "renamed to b.rs", false),
            (Fate::Changed, "says something else now", true),
            (Fate::Gone, "is gone", true),
        ] {
            assert_eq!((fate.to_string().as_str(), fate.alarms()), (words, alarms));
        }
    }
}
