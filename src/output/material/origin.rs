//! Where a sentence of the understanding came from: the question whose answer it is. The checkpoint is the truth; the
//! transcript says what it was chosen from, and why.

use std::collections::BTreeSet;

use super::super::inline::{inline, unstopped};
use crate::domain::ids::QuestionId;
use crate::domain::interview::{AnswerKind, Transcript, TranscriptEntry};
use crate::domain::sentences::sentences;
use crate::domain::text::words;

/// The question that an item answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Origin {
    pub question: QuestionId,
    /// Its display number.
    pub number: u32,
    /// What it is about.
    pub dimension: String,
    /// Which entry of the interviewer's catalogue it came from.
    pub probe: Option<String>,
    /// Which words of the item lead to the answer and are not part of it, as in `What changes: …`.
    pub lead: Option<String>,
    /// The alternative that the item is, if it is one, counted from 0.
    pub alternative: Option<usize>,
}

/// How much of an answer's words has to stand in a sentence for it to be the answer in other words, in hundredths.
const SHARED: usize = 70;
/// Fewer words than this are shared by chance.
const FEWEST_WORDS: usize = 4;

/// The answered questions, prepared for looking up.
pub(super) struct Origins<'s> {
    asked: Vec<Prepared<'s>>,
}

struct Prepared<'s> {
    asked: &'s TranscriptEntry,
    /// The answer's first sentence.
    said: String,
    /// The first sentences of the alternatives.
    offered: Vec<String>,
    words: BTreeSet<String>,
}

impl<'s> Origins<'s> {
    /// Everything that was answered and is known.
    pub fn of(transcript: &'s Transcript) -> Self {
        let prepared = |asked: &'s TranscriptEntry| {
            let answer = asked.holding().last().filter(|answer| answer.kind != AnswerKind::Unknown)?;
            let alternatives = asked.question.alternatives.as_slice();
            Some(Prepared {
                asked,
                said: first_sentence(answer.text.as_str()),
                offered: alternatives.iter().map(|one| first_sentence(one.value.as_str())).collect(),
                words: telling(answer.text.as_str()),
            })
        };
        Self { asked: transcript.asked.iter().filter_map(prepared).collect() }
    }

    /// The question that a sentence answers: word for word first, in other words at last.
    pub fn find(&self, text: &str) -> Option<Origin> {
        let text = unstopped(text);
        let exact = self.asked.iter().filter_map(|one| Some((one, one.stands_in(text)?)));
        // The longest answer that stands there is the one that was meant.
        let exact = exact.max_by_key(|(one, found)| (found.alternative.is_some(), one.said.len()));
        exact.map(|(_, found)| found).or_else(|| self.in_other_words(text))
    }

    fn in_other_words(&self, text: &str) -> Option<Origin> {
        let here = telling(text);
        let shared = |one: &Prepared<'_>| {
            let both = one.words.intersection(&here).count();
            let smaller = one.words.len().min(here.len());
            (smaller >= FEWEST_WORDS && both * 100 >= smaller * SHARED).then_some(both)
        };
        let best = self.asked.iter().filter_map(|one| Some((shared(one)?, one))).max_by_key(|(both, _)| *both)?;
        Some(best.1.origin(None, None))
    }
}

impl Prepared<'_> {
    fn stands_in(&self, text: &str) -> Option<Origin> {
        let lead = |sentence: &str| -> Option<Option<String>> {
            if sentence.is_empty() {
                return None;
            }
            let at = text.find(sentence)?;
            let before = text[..at].strip_suffix(": ");
            let behind = &text[at + sentence.len()..];
            let ends = behind.is_empty() || behind.starts_with(['.', '!', '?', ' ']);
            match (at, before) {
                (0, _) if ends => Some(None),
                (_, Some(before)) if ends && before.chars().count() <= 40 => Some(Some(before.to_owned())),
                _ => None,
            }
        };
        let alternative = self.offered.iter().position(|one| lead(one) == Some(None));
        match lead(&self.said) {
            Some(lead) => Some(self.origin(lead, alternative)),
            // A decision that fell to its challenge stands as one of its alternatives.
            None => alternative.map(|_| self.origin(None, alternative)),
        }
    }

    fn origin(&self, lead: Option<String>, alternative: Option<usize>) -> Origin {
        let question = &self.asked.question;
        Origin {
            question: question.id.clone(),
            number: self.asked.number,
            dimension: question.dimension.to_string(),
            probe: question.probe.clone(),
            lead,
            alternative,
        }
    }
}

fn first_sentence(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let first = sentences(line).first().map(|one| inline(one)).unwrap_or_default();
    unstopped(&first).to_owned()
}

/// Words that tell one sentence from another.
pub(in super::super) fn telling(text: &str) -> BTreeSet<String> {
    const FILLER: &[&str] = &[
        "about", "after", "again", "before", "being", "every", "from", "have", "into", "more", "only", "over", "than",
        "that", "their", "them", "then", "there", "these", "they", "this", "those", "what", "when", "where", "which",
        "while", "whoever", "whom", "whose", "with", "without", "would", "your",
    ];
    words(text)
        .into_iter()
        .filter(|word| word.chars().count() > 3 && !FILLER.contains(&word.as_str()))
        .map(|word| stem(&word))
        .collect()
}

/// The word without the endings that most often tell two forms of it apart.
fn stem(word: &str) -> String {
    let long_enough = |rest: &&str| rest.chars().count() >= 3;
    let cut = ["ings", "ing", "ies", "ied", "es", "ed", "s", "y"]
        .iter()
        .find_map(|end| word.strip_suffix(end).filter(long_enough));
    cut.unwrap_or(word).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_are_one_word() {
        assert_eq!(telling("retries tried links"), telling("retry try tries link retried"));
    }
}
