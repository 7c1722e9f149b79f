//! Deepening: a second question about the answer to a lens, at `adversarial`: what it means for a decision that was made.

use crate::domain::interview::{AnswerKind, TranscriptEntry};
use crate::domain::settings::Intensity;

use super::super::catalogue::{Deepening, catalogue};
use super::super::reading::{contents, shared};
use super::super::scene::quoted;
use super::super::session_reading::SessionReading;
use super::{FollowUp, Quotes, Way, follow_up, followers, is_decision, plain, quote, said};

/// What a deepening is called in probe ids: `premortem` of `risks.premortem`.
pub(super) fn name(deepening: &Deepening) -> &'static str {
    deepening.of.rsplit('.').next().unwrap_or(deepening.of)
}

/// Answers to lenses that nobody asked further about.
pub(super) fn open<'s>(heard: &SessionReading<'s>) -> Vec<(&'s TranscriptEntry, &'static Deepening)> {
    let session = heard.session;
    match session.settings.intensity {
        Intensity::Gentle | Intensity::Standard | Intensity::Hard => Vec::new(),
        Intensity::Adversarial => session
            .transcript
            .answered()
            .filter(|(asked, answer)| {
                answer.kind != AnswerKind::Unknown
                    && !followers(session, asked).any(|way| matches!(way, Way::Deepen { .. }))
            })
            .filter_map(|(asked, _)| {
                let of = |one: &&Deepening| asked.question.probe.as_deref() == Some(one.of);
                Some((asked, catalogue().follow_ups.deepenings.iter().find(of)?))
            })
            .filter(|(asked, deepening)| !deepening.say.text.contains("{decision}") || nearest(heard, asked).is_some())
            .collect(),
    }
}

/// The one about the newest answer.
pub(super) fn due<'s>(
    heard: &SessionReading<'s>,
    open: &[(&'s TranscriptEntry, &'static Deepening)],
) -> Option<FollowUp<'s>> {
    let (of, deepening) = open.last()?;
    follow_up(heard, Way::Deepen { lens: name(deepening) }, of)
}

/// The decision that shares most of its words with an answer; of equal ones that with the highest stakes, the newest.
fn nearest<'s>(heard: &SessionReading<'s>, to: &TranscriptEntry) -> Option<&'s TranscriptEntry> {
    let answer = to.holding().last()?;
    let wanted = contents(answer.text.as_str());
    let stakes = |asked: &TranscriptEntry| {
        let probe = asked.question.probe.as_deref().and_then(|probe| catalogue().probe(probe));
        probe.map_or(0, |(_, probe)| probe.stakes)
    };
    let mut best: Option<((usize, u32), &TranscriptEntry)> = None;
    let known = heard.holding().filter(|(_, answer)| answer.kind != AnswerKind::Unknown);
    for (asked, decided) in known.filter(|(asked, _)| is_decision(asked)) {
        let near = (shared(&contents(decided.text.as_str()), &wanted), stakes(asked));
        if best.is_none_or(|(most, _)| near >= most) {
            best = Some((near, asked));
        }
    }
    best.map(|(_, asked)| asked)
}

/// The answer to the lens, and the decision nearest to it.
pub(super) fn quotes_of(heard: &SessionReading<'_>, of: &TranscriptEntry) -> Quotes {
    // A story is quoted at more length than a decision.
    let story = of.holding().last().map(|answer| answer.text.first_line().trim_end_matches('.'));
    let mut quotes = vec![("said", quote(quoted(story.unwrap_or_default(), 220), of))];
    if let Some(decision) = nearest(heard, of) {
        quotes.push(("decision", quote(said(decision), decision)));
        quotes.push(("decision_number", plain(decision.number.to_string())));
    }
    quotes
}
