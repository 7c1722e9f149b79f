//! Follow-ups: the challenge of a decision and the question that makes a vague word measurable (`hard` and above). Their
//! probe ids say what they follow: `challenge:<question>` and `measure:<class>:<question>`.

use crate::domain::interview::{Answer, AnswerKind, Asked};
use crate::domain::session::Session;
use crate::domain::settings::Intensity;
use crate::domain::text::words;

use super::catalogue::{Challenge, Choice, Form, Vague, catalogue};
use super::scene::{Known, Scene, clipped, gist};
use super::signals::matches_word;

/// A follow-up that is due.
pub(super) enum FollowUp<'a> {
    Challenge { of: &'a Asked, number: usize, way: &'static Challenge },
    Measure { of: &'a Asked, class: &'static Vague, word: String },
}

/// The most words that are made measurable in one interview; more would be an interrogation about adjectives.
const MOST_MEASURES: usize = 4;

/// The most words of one answer that are made measurable.
const MOST_MEASURES_EACH: usize = 2;

/// Whether a probe id is that of a follow-up.
pub(super) fn is_follow_up(probe: &str) -> bool {
    probe.starts_with("challenge:") || probe.starts_with("measure:")
}

/// The question that a follow-up follows.
pub(super) fn followed(probe: &str) -> Option<&str> {
    probe.strip_prefix("challenge:").or_else(|| probe.strip_prefix("measure:")).and_then(|rest| rest.rsplit(':').next())
}

/// The catalogue's alternatives of a follow-up.
pub(super) fn choices(probe: &str) -> Option<&'static [Choice]> {
    let follow_ups = &catalogue().follow_ups;
    if let Some(rest) = probe.strip_prefix("challenge:") {
        let number: usize = rest.split(':').next()?.parse().ok()?;
        return Some(&follow_ups.challenges.get(number)?.alternatives);
    }
    let class = probe.strip_prefix("measure:")?.split(':').next()?;
    let vague = follow_ups.vague.iter().find(|vague| vague.name == class)?;
    Some(&vague.alternatives)
}

/// What a follow-up is about in two or three words.
pub(super) fn lead(probe: &str) -> Option<&'static str> {
    let follow_ups = &catalogue().follow_ups;
    if let Some(rest) = probe.strip_prefix("challenge:") {
        let number: usize = rest.split(':').next()?.parse().ok()?;
        return Some(&follow_ups.challenges.get(number)?.lead);
    }
    let class = probe.strip_prefix("measure:")?.split(':').next()?;
    let vague = follow_ups.vague.iter().find(|vague| vague.name == class)?;
    Some(&vague.lead)
}

/// What is due, the newest answer first.
pub(super) fn due(session: &Session) -> Option<FollowUp<'_>> {
    match session.settings.intensity {
        Intensity::Gentle | Intensity::Standard => None,
        Intensity::Hard | Intensity::Adversarial => measure(session).or_else(|| challenge(session)),
    }
}

/// How many follow-ups the answers so far have opened and nobody has asked yet.
pub(super) fn outstanding(session: &Session) -> usize {
    match session.settings.intensity {
        Intensity::Gentle | Intensity::Standard => 0,
        Intensity::Hard | Intensity::Adversarial => {
            unchallenged(session).count() + usize::from(measure(session).is_some())
        }
    }
}

/// Whether a question was a decision.
pub(super) fn is_decision(asked: &Asked) -> bool {
    asked
        .question
        .probe
        .as_deref()
        .and_then(|probe| catalogue().probe(probe))
        .is_some_and(|(_, probe)| probe.form == Form::Decision)
}

fn unchallenged(session: &Session) -> impl Iterator<Item = &Asked> {
    session.transcript.answered().filter_map(|(asked, answer)| {
        let open = answer.kind != AnswerKind::Unknown
            && is_decision(asked)
            && !followers(session, asked).any(|probe| probe.starts_with("challenge:"));
        open.then_some(asked)
    })
}

fn followers<'a>(session: &'a Session, asked: &'a Asked) -> impl Iterator<Item = &'a str> {
    session
        .transcript
        .asked
        .iter()
        .filter_map(|later| later.question.probe.as_deref())
        .filter(|probe| followed(probe) == Some(asked.question.id.as_str()))
}

fn challenge(session: &Session) -> Option<FollowUp<'_>> {
    let of = unchallenged(session).last()?;
    let used: Vec<usize> = session
        .transcript
        .asked
        .iter()
        .filter_map(|asked| {
            asked.question.probe.as_deref()?.strip_prefix("challenge:")?.split(':').next()?.parse().ok()
        })
        .collect();
    let ways = &catalogue().follow_ups.challenges;
    let scene = about(Scene::of(session), &FollowUpSubject::Decision(of));
    let fits = |way: &Challenge| scene.holds(&way.when) && scene.fill(&way.text).is_some();
    // A way that was not used yet; once all were, they begin again.
    let (number, way) = ways
        .iter()
        .enumerate()
        .filter(|(_, way)| fits(way))
        .min_by_key(|(number, _)| (used.iter().filter(|one| *one == number).count(), *number))?;
    Some(FollowUp::Challenge { of, number, way })
}

fn measure(session: &Session) -> Option<FollowUp<'_>> {
    let measured: Vec<&str> = session
        .transcript
        .asked
        .iter()
        .filter_map(|asked| asked.question.probe.as_deref()?.strip_prefix("measure:")?.split(':').next())
        .collect();
    if measured.len() >= MOST_MEASURES {
        return None;
    }
    session.transcript.answered().filter(|(_, answer)| own(answer)).find_map(|(of, answer)| {
        if of.question.probe.as_deref().is_some_and(|probe| probe.starts_with("measure:")) {
            return None;
        }
        if followers(session, of).filter(|probe| probe.starts_with("measure:")).count() >= MOST_MEASURES_EACH {
            return None;
        }
        let spoken = words(answer.text.as_str());
        catalogue().follow_ups.vague.iter().filter(|class| !measured.contains(&class.name.as_str())).find_map(|class| {
            let word = spoken.iter().find(|word| class.words.iter().any(|cue| matches_word(cue, word)))?;
            Some(FollowUp::Measure { of, class, word: word.clone() })
        })
    })
}

/// Whether the words are the person's. A number in them counts as a measure: "fast, under 50 ms" needs no question.
fn own(answer: &Answer) -> bool {
    match answer.kind {
        AnswerKind::Own | AnswerKind::Reported => !answer.text.as_str().chars().any(|c| c.is_ascii_digit()),
        AnswerKind::Alternative | AnswerKind::Unknown => false,
    }
}

enum FollowUpSubject<'a> {
    Decision(&'a Asked),
    Word(&'a Asked, &'a str),
}

/// The scene `base` with what a follow-up quotes.
fn about(base: Scene, subject: &FollowUpSubject<'_>) -> Scene {
    let (asked, word) = match subject {
        FollowUpSubject::Decision(asked) => (*asked, None),
        FollowUpSubject::Word(asked, word) => (*asked, Some(*word)),
    };
    let id = Some(asked.question.id.clone());
    let said = asked.holding().last().map(gist).unwrap_or_default();
    let mut scene = base.with("decision", Known { text: said, evidence: Vec::new(), question: id.clone() });
    if let Some(rival) = rival(asked) {
        scene = scene.with("rival", Known { text: rival, evidence: Vec::new(), question: id.clone() });
    }
    if let Some(word) = word {
        scene = scene.with("vague", Known { text: word.to_owned(), evidence: Vec::new(), question: id });
    }
    scene
}

/// The strongest alternative that was not chosen: the recommended one, else the first.
fn rival(asked: &Asked) -> Option<String> {
    let answer = asked.answer()?;
    let others = || asked.question.alternatives.as_slice().iter().filter(|one| one.value != answer.text);
    let rival = others().find(|one| one.recommended).or_else(|| others().next())?;
    Some(clipped(rival.value.first_line().trim_end_matches('.'), 110))
}

impl FollowUp<'_> {
    /// The scene that its templates are filled from.
    pub fn scene(&self, session: &Session) -> Scene {
        match self {
            Self::Challenge { of, .. } => about(Scene::of(session), &FollowUpSubject::Decision(of)),
            Self::Measure { of, word, .. } => about(Scene::of(session), &FollowUpSubject::Word(of, word)),
        }
    }

    /// Its probe id.
    pub fn probe(&self) -> String {
        match self {
            Self::Challenge { of, number, .. } => format!("challenge:{number}:{}", of.question.id),
            Self::Measure { of, class, .. } => format!("measure:{}:{}", class.name, of.question.id),
        }
    }
}

/// What the checkpoint says about a follow-up.
pub(super) struct Texts {
    pub lead: String,
    pub open: String,
    pub find_out: String,
}

/// The checkpoint's texts for a follow-up that was asked; `None` when what it follows is not there any more.
pub(super) fn texts(session: &Session, asked: &Asked, probe: &str) -> Option<Texts> {
    let id = followed(probe)?;
    let of = session.transcript.asked.iter().find(|one| one.question.id.as_str() == id)?;
    let follow_ups = &catalogue().follow_ups;
    let (lead, open, find_out, scene) = if let Some(rest) = probe.strip_prefix("challenge:") {
        let way = follow_ups.challenges.get(rest.split(':').next()?.parse::<usize>().ok()?)?;
        (&way.lead, &way.open, &way.find_out, about(Scene::bare(session), &FollowUpSubject::Decision(of)))
    } else {
        let name = probe.strip_prefix("measure:")?.split(':').next()?;
        let class = follow_ups.vague.iter().find(|class| class.name == name)?;
        let said = of.holding().last().map(|answer| words(answer.text.as_str())).unwrap_or_default();
        let word = said.iter().find(|word| class.words.iter().any(|cue| matches_word(cue, word)));
        let word = word.map_or(asked.question.dimension.as_str(), String::as_str);
        (&class.lead, &class.open, &class.find_out, about(Scene::bare(session), &FollowUpSubject::Word(of, word)))
    };
    let fill = |template: &str| scene.fill(template).map(|filled| filled.text);
    Some(Texts { lead: fill(lead)?, open: fill(open)?, find_out: fill(find_out)? })
}
