//! Measures: a vague word of the person's own becomes measurable. `standard` does it sparingly, `gentle` never.

use std::ops::ControlFlow;

use crate::domain::interview::{Answer, AnswerKind, Asked};
use crate::domain::session::Session;
use crate::domain::settings::Intensity;

use super::super::catalogue::{Vague, catalogue};
use super::super::reading::{Cues, Names, vague};
use super::{FollowUp, Quotes, Way, find, follow_up, followers, probes, quote, said, way, withdrawn};

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
pub(super) fn due(session: &Session) -> Option<FollowUp<'_>> {
    let (in_all, each) = most(session.settings.intensity);
    let measured = measured(session);
    if measured.len() >= in_all {
        return None;
    }
    let names = Names::of(&session.evidence);
    let withdrawn = withdrawn(session);
    let answered: Vec<(&Asked, &Answer)> = session.transcript.answered().collect();
    let found = answered.into_iter().rev().try_for_each(|(of, answer)| {
        let is_measure = |probe: &str| probe.starts_with("measure:");
        // What makes a word measurable is not measured in its turn, nor is the choice between two earlier answers.
        let follows =
            of.question.probe.as_deref().is_some_and(|probe| is_measure(probe) || probe.starts_with("contradiction:"));
        // Nobody needs the numbers of what was taken back as a whole.
        let holds = |answer: &Answer| {
            withdrawn.iter().all(|one| *one.question != of.question.id || one.rest(&answer.text).is_some())
        };
        if follows || !holds(answer) || followers(session, of).filter(|probe| is_measure(probe)).count() >= each {
            return ControlFlow::Continue(());
        }
        let fresh = catalogue().follow_ups.vague.iter().filter(|class| !measured.contains(&class.name));
        match fresh.into_iter().find(|class| heard(session, class, (of, answer), &names).is_some()) {
            Some(class) => ControlFlow::Break((of, class)),
            None => ControlFlow::Continue(()),
        }
    });
    match found {
        ControlFlow::Break((of, class)) => follow_up(session, format!("measure:{}:{}", class.name, of.question.id), of),
        ControlFlow::Continue(()) => None,
    }
}

/// The word of this class in the person's own words, exactly as it was written. Whoever says the name of an alternative
/// takes a side, and means what the question meant by it.
fn heard<'a>(session: &Session, class: &Vague, (of, answer): (&Asked, &'a Answer), names: &Names) -> Option<&'a str> {
    let mut words = class.words.clone();
    if session.settings.intensity >= Intensity::Hard {
        words.extend(&class.weaker);
    }
    let cues = Cues { words: &words, except: &class.except, settled_by: &class.settled_by };
    let names_a_side = |word: &&str| {
        let labels = of.question.alternatives.as_slice().iter().map(|one| one.label.as_str().to_lowercase());
        labels.into_iter().any(|label| label == word.to_lowercase())
    };
    own(answer).find_map(|text| vague(text, &cues, names)).filter(|word| !names_a_side(word))
}

/// What of an answer is the person's own.
fn own(answer: &Answer) -> impl Iterator<Item = &str> {
    let text = match answer.kind {
        AnswerKind::Own | AnswerKind::Reported | AnswerKind::Summarised => Some(answer.text.as_str()),
        AnswerKind::Alternative | AnswerKind::Unknown => None,
    };
    text.into_iter().chain(answer.note.as_ref().map(crate::domain::text::Prose::as_str))
}

/// The word that is asked about: the one that the question quoted, else the one that stands in the answer now.
pub(super) fn quotes_of(session: &Session, class: &str, of: &Asked, word: Option<&str>) -> Quotes {
    let now = || {
        let class = catalogue().follow_ups.vague.iter().find(|one| one.name == class)?;
        let answer = find(session, of.question.id.as_str())?.holding().last()?;
        heard(session, class, (of, answer), &Names::of(&session.evidence))
    };
    let said = ("said", quote(said(of), of));
    word.or_else(now).map(|word| ("vague", quote(word.to_owned(), of))).into_iter().chain([said]).collect()
}
