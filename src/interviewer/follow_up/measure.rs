//! Measures: a vague word of the person's own becomes measurable. `standard` does it sparingly, `gentle` never.

use crate::domain::interview::{Answer, QuestionStatus, TranscriptEntry};
use crate::domain::purpose::Purpose;
use crate::domain::session::Session;
use crate::domain::settings::Intensity;
use crate::domain::text::words as words_of;

use super::super::catalogue::{Vague, catalogue};
use super::super::reading::{Cues, Names, Wording, contents};
use super::super::session_reading::{SessionReading, own};
use super::{FollowUp, Quotes, Way, follow_up, followers, follows, probes, quote, said, way};

/// How many words are made measurable in one interview, and how many of one answer; more would be an interrogation about
/// adjectives.
fn most(intensity: Intensity) -> (usize, usize) {
    match intensity {
        Intensity::Gentle => (0, 0),
        Intensity::Standard => (2, 1),
        Intensity::Hard => (4, 2),
        Intensity::Adversarial => (6, 2),
    }
}

/// The classes of words that were made measurable, with the question they stood in.
fn measured(session: &Session) -> Vec<&str> {
    probes(session)
        .filter_map(|probe| match way(probe)?.0 {
            Way::Measure { class } => Some(class),
            Way::Contradiction { .. } | Way::Deepen { .. } | Way::Challenge { .. } => None,
        })
        .collect()
}

/// The first vague word of the newest answer that has one. Each class is asked about once in an interview.
pub(super) fn due<'s>(heard: &SessionReading<'s>) -> Option<FollowUp<'s>> {
    let session = heard.session;
    let (in_all, each) = most(session.settings.intensity);
    let measured = measured(session);
    if measured.len() >= in_all {
        return None;
    }
    let names = Names::of(&session.evidence);
    let fresh: Vec<&Vague> =
        catalogue().follow_ups.vague.iter().filter(|class| !measured.contains(&class.name)).collect();
    let answered: Vec<(&TranscriptEntry, &Answer)> = session.transcript.answered().collect();
    let mut open = answered.into_iter().rev().filter(|(of, answer)| may_be_measured(heard, of, answer, each));
    let (of, class) = open.find_map(|(of, answer)| {
        let wordings = wordings(of, answer, &names);
        fresh.iter().find(|class| vague(session, class, of, &wordings).is_some()).map(|class| (of, class))
    })?;
    follow_up(heard, Way::Measure { class: class.name }, of)
}

/// Vague words in the answers that nothing made measurable, the newest answer first: the question, the class of the word,
/// and the word. At most one of a class, and as many as may be asked about in one interview.
pub(in super::super) fn vague_words<'s>(
    heard: &SessionReading<'s>,
) -> Vec<(&'s TranscriptEntry, &'static str, &'s str)> {
    let session = heard.session;
    let (in_all, each) = most(session.settings.intensity);
    let mut classes = measured(session);
    let names = Names::of(&session.evidence);
    let mut found = Vec::new();
    let answered: Vec<(&TranscriptEntry, &Answer)> = session.transcript.answered().collect();
    for (of, answer) in answered.into_iter().rev() {
        if classes.len() >= in_all || !may_be_measured(heard, of, answer, each) {
            continue;
        }
        let wordings = wordings(of, answer, &names);
        let classes_of_it = catalogue().follow_ups.vague.iter();
        let words: Vec<(&'static str, &str)> =
            classes_of_it.filter_map(|class| Some((class.name, vague(session, class, of, &wordings)?))).collect();
        let open = unmeasured(session, of, words);
        for (class, word) in open {
            if classes.len() < in_all && !classes.contains(&class) {
                classes.push(class);
                found.push((of, class, word));
            }
        }
    }
    found
}

/// The words of an answer that no question of an agent's measured. One that names words of the answer measures these; one
/// that names none measures the first.
fn unmeasured<'s>(
    session: &Session,
    of: &TranscriptEntry,
    mut words: Vec<(&'static str, &'s str)>,
) -> Vec<(&'static str, &'s str)> {
    let on_it = |asked: &&TranscriptEntry| {
        let question = &asked.question;
        question.purpose == Some(Purpose::Measure)
            && question.builds_on.contains(&of.question.id)
            && asked.standing != QuestionStatus::Stale
    };
    for asked in session.transcript.asked.iter().filter(on_it) {
        let text = asked.question.text.as_str();
        let (text, stems) = (words_of(text), contents(text));
        let names = |word: &str| {
            let wanted = contents(word);
            let stemmed = !wanted.is_empty() && wanted.is_subset(&stems);
            stemmed || words_of(word).iter().all(|one| text.contains(one))
        };
        match words.iter().position(|(_, word)| names(word)) {
            Some(_) => words.retain(|(_, word)| !names(word)),
            None if words.is_empty() => {}
            None => drop(words.remove(0)),
        }
    }
    words
}

/// Whether a word of this answer may still be asked about.
fn may_be_measured(heard: &SessionReading<'_>, of: &TranscriptEntry, answer: &Answer, each: usize) -> bool {
    // What makes a word measurable is not measured in its turn, nor is the choice between two earlier answers.
    let settles = match follows(of) {
        Some(Way::Measure { .. } | Way::Contradiction { .. }) => true,
        Some(Way::Deepen { .. } | Way::Challenge { .. }) | None => {
            matches!(of.question.purpose, Some(Purpose::Measure | Purpose::Settle))
        }
    };
    // Nobody needs the numbers of what was taken back as a whole.
    let mut taken_back = heard.withdrawn().iter().filter(|one| *one.question == of.question.id);
    let holds = taken_back.all(|one| one.rest(&answer.text).is_some());
    let measured = || followers(heard.session, of).filter(|way| matches!(way, Way::Measure { .. })).count();
    !settles && holds && measured() < each
}

/// What of an answer is the person's own, as it was read for vague words.
fn wordings<'a>(of: &TranscriptEntry, answer: &'a Answer, names: &Names) -> Vec<Wording<'a>> {
    own(of, answer).map(|text| Wording::read(text, names)).collect()
}

/// The word of this class in the person's own words, exactly as it was written. Whoever says the name of an alternative
/// takes a side, and means what the question meant by it.
fn vague<'a>(session: &Session, class: &Vague, of: &TranscriptEntry, wordings: &[Wording<'a>]) -> Option<&'a str> {
    let weaker: &[&str] = match session.settings.intensity {
        Intensity::Gentle | Intensity::Standard => &[],
        Intensity::Hard | Intensity::Adversarial => &class.weaker,
    };
    let cues = Cues { words: &class.words, weaker, except: &class.except, settled_by: &class.settled_by };
    let names_a_side = |word: &&str| {
        let mut labels = of.question.alternatives.as_slice().iter().map(|one| one.label.as_str().to_lowercase());
        labels.any(|label| label == word.to_lowercase())
    };
    wordings.iter().find_map(|wording| wording.vague(&cues)).filter(|word| !names_a_side(word))
}

/// The word that is asked about: the one that the question quoted, else the one that stands in the answer now.
pub(super) fn quotes_of(session: &Session, class: &str, of: &TranscriptEntry, word: Option<&str>) -> Quotes {
    let now = || {
        let class = catalogue().follow_ups.vague.iter().find(|one| one.name == class)?;
        let answer = of.holding().last()?;
        vague(session, class, of, &wordings(of, answer, &Names::of(&session.evidence)))
    };
    let said = ("said", quote(said(of), of));
    word.or_else(now).map(|word| ("vague", quote(word.to_owned(), of))).into_iter().chain([said]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers as people give them about software (`fixtures/vague.tsv`).
    #[test]
    fn g13_the_table_of_answers_is_told_apart() {
        let table = include_str!("../../../fixtures/vague.tsv");
        let names = Names::default();
        let (mut wrong, mut seen) = (Vec::new(), [0, 0]);
        for row in table.lines().filter(|row| !row.starts_with('#')) {
            let Some((expected, text)) = row.split_once('\t') else { panic!("{row}") };
            let wording = Wording::read(text, &names);
            let found = catalogue().follow_ups.vague.iter().filter_map(|class| {
                let Vague { words, weaker, except, settled_by, .. } = class;
                wording.vague(&Cues { words, weaker, except, settled_by })
            });
            let found: Vec<&str> = found.collect();
            seen[usize::from(found.is_empty())] += 1;
            let found = if found.is_empty() { "-".to_owned() } else { found.join(", ") };
            if found != expected {
                wrong.push(format!("{text}: {found}, and not {expected}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(seen.iter().all(|number| *number >= 30), "{seen:?}");
    }
}
