//! Challenges: each decision is looked at once more, at `hard` and above.

use crate::domain::interview::{AnswerKind, TranscriptEntry};
use crate::domain::session::Session;
use crate::domain::settings::Intensity;

use super::super::catalogue::{Challenge, Form, catalogue};
use super::super::compose::is_overruled;
use super::super::scene::clipped;
use super::super::session_reading::SessionReading;
use super::{FollowUp, Quotes, Way, follow_up, followers, plain, probes, quote, quotes, rival, said, way, with};

pub(in super::super) fn is_decision(asked: &TranscriptEntry) -> bool {
    let probe = asked.question.probe.as_deref().and_then(|probe| catalogue().probe(probe));
    probe.is_some_and(|(_, probe)| probe.form == Form::Decision)
}

/// Whether a question of ours challenged the answer to a question.
pub(in super::super) fn was_challenged(session: &Session, asked: &TranscriptEntry) -> bool {
    followers(session, asked).any(|way| matches!(way, Way::Challenge { .. }))
}

/// Decisions that hold and were not challenged yet.
pub(super) fn unchallenged<'s>(heard: &SessionReading<'s>) -> Vec<&'s TranscriptEntry> {
    match heard.session.settings.intensity {
        Intensity::Gentle | Intensity::Standard => Vec::new(),
        Intensity::Hard | Intensity::Adversarial => {
            // One that a debate overruled stands no longer.
            let open = |asked: &&TranscriptEntry| {
                is_decision(asked) && !was_challenged(heard.session, asked) && !is_overruled(heard.session, asked)
            };
            let decided = heard.holding().filter(|(_, answer)| answer.kind != AnswerKind::Unknown);
            decided.map(|(asked, _)| asked).filter(open).collect()
        }
    }
}

/// The newest decision that was not challenged, in a way that was used least.
pub(super) fn due<'s>(heard: &SessionReading<'s>, unchallenged: &[&'s TranscriptEntry]) -> Option<FollowUp<'s>> {
    let of = *unchallenged.last()?;
    let used: Vec<usize> = probes(heard.session)
        .filter_map(|probe| match way(probe)?.0 {
            Way::Challenge { number } => Some(number),
            Way::Contradiction { .. } | Way::Measure { .. } | Way::Deepen { .. } => None,
        })
        .collect();
    let scene = with(heard.scene().clone(), &quotes(heard, &Way::Challenge { number: 0 }, of, None)?);
    let fits = |way: &Challenge| scene.holds(&way.when) && scene.fill(way.say.text).is_some();
    let ways = catalogue().follow_ups.challenges.iter().enumerate();
    let (number, _) = ways
        .filter(|(_, way)| fits(way))
        .min_by_key(|(number, _)| (used.iter().filter(|one| *one == number).count(), *number))?;
    follow_up(heard, Way::Challenge { number }, of)
}

/// The decision, and what it was decided against.
pub(super) fn quotes_of(of: &TranscriptEntry) -> Quotes {
    let mut quotes = vec![("decision", quote(said(of), of))];
    let rival = of.answer().and_then(|answer| rival(of, answer));
    quotes.extend(rival.map(|rival| ("rival", plain(clipped(rival.value.first_line().trim_end_matches('.'), 110)))));
    quotes
}
