//! What topic and answers reveal: signals and the intent, by words alone. The rules see words, not meaning: what is denied
//! two words before is left out ("no new database"), and what is denied from afar still counts, which costs at most a
//! question that is quickly answered.

use std::collections::BTreeSet;

use crate::domain::interview::{Answer, TranscriptEntry};
use crate::domain::session::Session;
use crate::domain::settings::Intent;
use crate::domain::text::words;

use super::catalogue::{Choice, catalogue};
use super::follow_up;
use super::scene::Scene;
use super::session_reading::SessionReading;

/// The loudest intent; the topic counts three times an answer, since it was written to say what this is about. A draw
/// and silence go to `plan`.
pub(super) fn infer(heard: &SessionReading<'_>) -> Intent {
    let cues = &catalogue().intents.cues;
    let topic = words(heard.session.topic.as_str());
    let answers: Vec<String> = heard.own_words().flat_map(words).collect();
    let score = |intent: Intent| -> u32 {
        let Some(cues) = cues.get(intent.as_str()) else {
            return 0;
        };
        let loudness = |spoken: &[String]| -> u32 {
            cues.iter()
                .filter(|(cue, _)| spoken.iter().any(|word| matches_word(cue, word)))
                .map(|(_, points)| points)
                .sum()
        };
        3 * loudness(&topic) + loudness(&answers)
    };
    let mut best = (Intent::Plan, score(Intent::Plan));
    for intent in [Intent::Learn, Intent::Research, Intent::Content, Intent::Decide] {
        let points = score(intent);
        if points > best.1 {
            best = (intent, points);
        }
    }
    best.0
}

/// Every signal that is set, by the words of the topic and of the person's own answers, and by alternatives taken.
pub(super) fn signals(heard: &SessionReading<'_>) -> BTreeSet<&'static str> {
    let session = heard.session;
    let mut spoken = affirmed(session.topic.as_str());
    spoken.extend(heard.own_words().flat_map(affirmed));
    let mut found: BTreeSet<&'static str> = catalogue()
        .signals
        .iter()
        .filter(|signal| signal.words.iter().any(|cue| spoken.iter().any(|word| matches_word(cue, word))))
        .map(|signal| signal.name)
        .collect();
    for (asked, answer) in heard.holding() {
        if let Some(choice) = chosen(session, asked, answer) {
            found.extend(&choice.raises);
        }
    }
    found
}

/// The catalogue's alternative that an answer took. Labels name nothing but the topic's own options, so they find it
/// again, whatever the repository shows by then.
pub(super) fn chosen(session: &Session, asked: &TranscriptEntry, answer: &Answer) -> Option<&'static Choice> {
    let taken = asked.question.alternatives.as_slice().iter().find(|one| one.value == answer.text)?;
    let choices = match asked.question.probe.as_deref()? {
        probe if follow_up::is_follow_up(probe) => follow_up::choices(probe)?,
        probe => &catalogue().probe(probe)?.1.alternatives,
    };
    choices.iter().find(|choice| {
        if choice.label.contains('{') {
            let filled = Scene::bare(session).fill(choice.label);
            filled.is_some_and(|filled| filled.text == taken.label.as_str())
        } else {
            choice.label == taken.label.as_str()
        }
    })
}

/// The words of a text without those that it denies, and without names in code: `Store::open` stores nothing.
fn affirmed(text: &str) -> Vec<String> {
    const DENIALS: &[&str] = &["no", "not", "without", "never"];
    const REACH: usize = 2;
    let is_name = |token: &&str| ["::", "_", "()"].iter().any(|mark| token.contains(mark));
    let all: Vec<String> = text.split_whitespace().filter(|token| !is_name(token)).flat_map(words).collect();
    let denied =
        |index: usize| all[index.saturating_sub(REACH)..index].iter().any(|word| DENIALS.contains(&word.as_str()));
    (0..all.len()).filter(|index| !denied(*index)).map(|index| all[index].clone()).collect()
}

/// Whether a cue matches a word: exactly, or by its beginning when the cue ends with `*`.
pub(super) fn matches_word(cue: &str, word: &str) -> bool {
    match cue.strip_suffix('*') {
        Some(beginning) => word.starts_with(beginning),
        None => cue == word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_denied_is_not_heard() {
        for (text, expected) in [
            ("no new store, but a cache", vec!["no", "but", "a", "cache"]),
            ("without a database", vec!["without"]),
            ("a database", vec!["a", "database"]),
            ("Store::is_new, poll() and a_table are names", vec!["and", "are", "names"]),
            ("", vec![]),
        ] {
            assert_eq!(affirmed(text), expected, "{text}");
        }
    }

    #[test]
    fn cues_match_whole_words_or_their_beginnings() {
        assert!(matches_word("migrat*", "migration") && !matches_word("migrate", "migration"));
    }
}
