//! Measures: a vague word of the person's own becomes measurable. `standard` does it sparingly, `gentle` never.

use crate::domain::interview::{Answer, Asked};
use crate::domain::session::Session;
use crate::domain::settings::Intensity;

use super::super::catalogue::{Vague, catalogue};
use super::super::heard::{Heard, own};
use super::super::reading::{Cues, Names, Wording};
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
pub(super) fn due<'s>(heard: &Heard<'s>) -> Option<FollowUp<'s>> {
    let session = heard.session;
    let (in_all, each) = most(session.settings.intensity);
    let measured = measured(session);
    if measured.len() >= in_all {
        return None;
    }
    let names = Names::of(&session.evidence);
    let fresh: Vec<&Vague> =
        catalogue().follow_ups.vague.iter().filter(|class| !measured.contains(&class.name)).collect();
    let answered: Vec<(&Asked, &Answer)> = session.transcript.answered().collect();
    let mut open = answered.into_iter().rev().filter(|(of, answer)| may_be_measured(heard, of, answer, each));
    let (of, class) = open.find_map(|(of, answer)| {
        let wordings = wordings(answer, &names);
        fresh.iter().find(|class| vague(session, class, of, &wordings).is_some()).map(|class| (of, class))
    })?;
    follow_up(heard, Way::Measure { class: class.name }, of)
}

/// Whether a word of this answer may still be asked about.
fn may_be_measured(heard: &Heard<'_>, of: &Asked, answer: &Answer, each: usize) -> bool {
    // What makes a word measurable is not measured in its turn, nor is the choice between two earlier answers.
    let settles = match follows(of) {
        Some(Way::Measure { .. } | Way::Contradiction { .. }) => true,
        Some(Way::Deepen { .. } | Way::Challenge { .. }) | None => false,
    };
    // Nobody needs the numbers of what was taken back as a whole.
    let mut taken_back = heard.withdrawn().iter().filter(|one| *one.question == of.question.id);
    let holds = taken_back.all(|one| one.rest(&answer.text).is_some());
    let measured = || followers(heard.session, of).filter(|way| matches!(way, Way::Measure { .. })).count();
    !settles && holds && measured() < each
}

/// What of an answer is the person's own, as it was read for vague words.
fn wordings<'a>(answer: &'a Answer, names: &Names) -> Vec<Wording<'a>> {
    own(answer).map(|text| Wording::read(text, names)).collect()
}

/// The word of this class in the person's own words, exactly as it was written. Whoever says the name of an alternative
/// takes a side, and means what the question meant by it.
fn vague<'a>(session: &Session, class: &Vague, of: &Asked, wordings: &[Wording<'a>]) -> Option<&'a str> {
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
pub(super) fn quotes_of(session: &Session, class: &str, of: &Asked, word: Option<&str>) -> Quotes {
    let now = || {
        let class = catalogue().follow_ups.vague.iter().find(|one| one.name == class)?;
        let answer = of.holding().last()?;
        vague(session, class, of, &wordings(answer, &Names::of(&session.evidence)))
    };
    let said = ("said", quote(said(of), of));
    word.or_else(now).map(|word| ("vague", quote(word.to_owned(), of))).into_iter().chain([said]).collect()
}
