//! The transcript: which questions were asked, what became of them, and every answer that was ever given.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::domain::actor::Actor;
use crate::domain::ids::{AnswerId, QuestionId};
use crate::domain::question::Question;
use crate::domain::text::{Line, Prose, words};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerKind {
    /// One of the alternatives, or several options, word for word.
    Alternative,
    /// The person's own words, or an alternative that they edited.
    Own,
    /// "I don't know": recorded, and an open unknown of the understanding (G10).
    Unknown,
    /// Given in conversation and reported by the agent (G24).
    Reported,
    /// Given in conversation and not passed on: the text is the agent's own summary, of what
    /// changed (G24) or of a discussion (Q11).
    Summarised,
}

/// An answer; never changed and never deleted, only superseded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    pub id: AnswerId,
    pub question: QuestionId,
    pub kind: AnswerKind,
    /// The reply, byte for byte as sent, trimmed.
    pub text: Prose,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<Prose>,
    pub by: Actor,
    pub at: Timestamp,
    /// Milliseconds for which the question could be read before it was answered. Nothing measures them any more; sessions
    /// in which they stand are read, and written again as they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_ms: Option<u64>,
    /// The options of a question tool that were taken, by their numbers, in ascending order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chosen: Vec<usize>,
    /// Earlier answers to the same question that it replaces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supersedes: Vec<AnswerId>,
}

impl Answer {
    /// Whether another answer says the same, whoever passed it on.
    pub(super) fn says_what(&self, other: &Self) -> bool {
        let knows = |answer: &Self| answer.kind != AnswerKind::Unknown;
        self.text == other.text && knows(self) == knows(other)
    }
}

/// What became of a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "state")]
pub enum QuestionStatus {
    /// It waits for an answer. At most one question of a session does.
    Open,
    Answered,
    /// The person put it off (G10).
    Deferred,
    /// The person refused its premise and said why (G10).
    PushedBack {
        because: Prose,
    },
    /// It was open when the person went back to an earlier question.
    SetAside,
    /// An answer that it stands on changed afterwards; it is to be asked again.
    Stale,
}

/// A question with what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranscriptEntry {
    pub question: Question,
    /// Position in the order of asking, counted from 1 (G14: a display number, not an identity).
    pub number: u32,
    pub standing: QuestionStatus,
    /// Whether an answer that it stands on changed since it was answered; true from then until it is answered anew.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_doubt: bool,
    /// Whether whoever asked through a tool knows what became of it; while not, asking it again tells.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub told: bool,
    /// Every answer, the oldest first; kept in files of their own.
    #[serde(skip)]
    pub answers: Vec<Answer>,
}

impl TranscriptEntry {
    /// The answers that no other answer replaces. More than one makes the question contested.
    pub fn holding(&self) -> impl Iterator<Item = &Answer> {
        self.answers.iter().filter(|answer| !self.answers.iter().any(|other| other.supersedes.contains(&answer.id)))
    }

    /// The answer that holds, if the question is answered.
    pub fn answer(&self) -> Option<&Answer> {
        match self.standing {
            QuestionStatus::Answered => self.holding().last(),
            QuestionStatus::Open
            | QuestionStatus::Deferred
            | QuestionStatus::PushedBack { .. }
            | QuestionStatus::SetAside
            | QuestionStatus::Stale => None,
        }
    }

    /// The answer that holds, if an agent reported it in place of one that the person gave to us, be it by way of reports
    /// in between.
    pub fn replaced_by_report(&self) -> Option<&Answer> {
        let holding = self.answer().filter(|answer| matches!(answer.by, Actor::Agent(_)))?;
        let mut reached = vec![holding];
        while let Some(answer) = reached.pop() {
            if answer.by == Actor::Human {
                // A report that the person's answer is still right replaces nothing.
                return Some(holding).filter(|holding| !holding.says_what(answer));
            }
            // What it replaces is older, so this ends.
            let before = self.answers.iter().take_while(|one| one.id != answer.id);
            reached.extend(before.filter(|one| answer.supersedes.contains(&one.id)));
        }
        None
    }

    /// Whether two answers hold at once, which happens when two clones answered apart.
    pub fn contested(&self) -> bool {
        self.holding().count() > 1
    }
}

/// What was said in a discussion, as it was summed up (Q11).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discussed {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<QuestionId>,
    pub summary: Prose,
    pub by: Actor,
}

/// Every question in the order of asking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    pub asked: Vec<TranscriptEntry>,
}

impl Transcript {
    pub fn get(&self, id: &QuestionId) -> Option<&TranscriptEntry> {
        self.asked.iter().find(|asked| asked.question.id == *id)
    }

    pub(super) fn get_mut(&mut self, id: &QuestionId) -> Option<&mut TranscriptEntry> {
        self.asked.iter_mut().find(|asked| asked.question.id == *id)
    }

    /// The newest question that asks what this one asks.
    pub fn asking(&self, question: &Question) -> Option<&TranscriptEntry> {
        self.asked.iter().rev().find(|asked| asked.question.asks_what(question))
    }

    pub fn numbered(&self, number: u32) -> Option<&TranscriptEntry> {
        self.asked.iter().find(|asked| asked.number == number)
    }

    pub fn answered(&self) -> impl Iterator<Item = (&TranscriptEntry, &Answer)> {
        self.asked.iter().filter_map(|asked| Some((asked, asked.answer()?)))
    }

    /// Questions whose answers stand on the one given, directly or through others, whatever they were for. Each question
    /// is looked at once.
    pub fn standing_on(&self, id: &QuestionId) -> Vec<QuestionId> {
        let mut on: BTreeMap<&QuestionId, Vec<&QuestionId>> = BTreeMap::new();
        for asked in &self.asked {
            for base in &asked.question.builds_on {
                on.entry(base).or_default().push(&asked.question.id);
            }
        }
        let mut seen = BTreeSet::from([id]);
        let mut found: Vec<QuestionId> = Vec::new();
        let mut frontier = vec![id];
        while let Some(base) = frontier.pop() {
            for later in on.get(base).into_iter().flatten() {
                if seen.insert(later) {
                    found.push((*later).clone());
                    frontier.push(later);
                }
            }
        }
        found
    }

    /// Makes every answered question stale that stands on this one, whose answer changed.
    pub(super) fn overtake(&mut self, id: &QuestionId) {
        let overtaken: BTreeSet<QuestionId> = self.standing_on(id).into_iter().collect();
        for later in &mut self.asked {
            if later.standing == QuestionStatus::Answered && overtaken.contains(&later.question.id) {
                later.standing = QuestionStatus::Stale;
                later.in_doubt = true;
            }
        }
    }

    /// How far the interview is (G14).
    pub fn progress(&self) -> Progress {
        let mut progress = Progress::default();
        for asked in &self.asked {
            match asked.standing {
                QuestionStatus::Answered if asked.answer().is_some_and(|answer| answer.kind == AnswerKind::Unknown) => {
                    progress.unknown += 1;
                }
                QuestionStatus::Answered => progress.resolved += 1,
                QuestionStatus::Open | QuestionStatus::SetAside | QuestionStatus::Stale => progress.open += 1,
                QuestionStatus::Deferred | QuestionStatus::PushedBack { .. } => progress.deferred += 1,
            }
        }
        progress
    }
}

/// Counts of questions; no total, since nobody knows it (G14).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    pub resolved: u32,
    /// Answered with "I don't know".
    pub unknown: u32,
    /// Open, set aside or stale.
    pub open: u32,
    /// Put off or pushed back.
    pub deferred: u32,
}

/// A line about one question for lists: number, dimension, how it stands.
pub fn standing_word(standing: &QuestionStatus) -> &'static str {
    match standing {
        QuestionStatus::Open => "open",
        QuestionStatus::Answered => "answered",
        QuestionStatus::Deferred => "deferred",
        QuestionStatus::PushedBack { .. } => "pushed back",
        QuestionStatus::SetAside => "set aside",
        QuestionStatus::Stale => "stale",
    }
}

/// Words of which at least one says that somebody does not know.
const NOT_KNOWING: &[&str] = &["dunno", "idk", "know", "idea", "clue", "sure", "whatever", "tbd", "unknown"];
/// Words that may stand around them without saying anything else.
const AROUND: &[&str] = &[
    "a", "don", "dont", "for", "have", "haven", "honestly", "i", "m", "maybe", "no", "not", "now", "of", "really", "t",
    "the", "to", "ve", "we", "yet",
];

/// Words that a saying may have around it.
const PERSON: &[&str] = &["honestly", "i", "me", "really", "still", "we", "yet"];
/// Sayings that mean it without any of these words, apostrophes apart.
const SAYINGS: &[&str] = &[
    "beats",
    "can t say",
    "cannot say",
    "good question",
    "hard to say",
    "have no opinion",
    "haven t decided",
    "haven t thought about it",
    "haven t thought about that",
    "ll see",
    "no opinion",
    "not decided",
    "remains to be seen",
    "unclear",
    "undecided",
    "who knows",
];

/// Whether a reply says nothing but that one does not know: "dunno", "no idea yet", "I don't know, whatever". A reply
/// with any other word says something, and is taken at its word.
pub fn says_unknown(reply: &str) -> bool {
    let words = words(reply);
    if words.is_empty() {
        return reply.contains('?') && reply.trim().chars().all(|one| one == '?');
    }
    let bare: Vec<&str> = words.iter().map(String::as_str).filter(|word| !PERSON.contains(word)).collect();
    if SAYINGS.contains(&bare.join(" ").as_str()) {
        return true;
    }
    // "I know", "sure" and "I have an idea" say the opposite.
    let denied = words.iter().any(|word| {
        matches!(word.as_str(), "no" | "not" | "don" | "dont" | "dunno" | "idk" | "tbd" | "unknown" | "whatever")
    });
    denied
        && words.iter().any(|word| NOT_KNOWING.contains(&word.as_str()))
        && words.iter().all(|word| NOT_KNOWING.contains(&word.as_str()) || AROUND.contains(&word.as_str()))
}

/// The one-line gist of an answer, for summaries and commit subjects.
pub fn gist(answer: &Answer) -> Line {
    match answer.kind {
        AnswerKind::Unknown => Line::clipped("not known yet"),
        AnswerKind::Alternative | AnswerKind::Own | AnswerKind::Reported | AnswerKind::Summarised => {
            Line::clipped(answer.text.first_line())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g10_a_reply_that_only_says_so_is_an_unknown() {
        for reply in [
            "dunno",
            "Dunno, whatever",
            "I don't know.",
            "no idea",
            "Not sure yet",
            "IDK",
            "i really don’t know",
            "Beats me",
            "We'll see",
            "Hard to say, honestly",
            "I can’t say yet",
            "We haven't decided yet",
            "I haven't thought about that.",
            "Who knows?",
            "??",
        ] {
            assert!(says_unknown(reply), "{reply}");
        }
        for reply in
            ["sure", "I know", "no", "not now", "know-how is missing", "no idea of the load", "none", "", "yes"]
                .into_iter()
                .chain(["I can say", "a good question is the goal", "It is unclear who pays", "ok?", "!", "see"])
        {
            assert!(!says_unknown(reply), "{reply}");
        }
    }
}
