//! Challenges: each decision is looked at once more, at `hard` and above.

use crate::domain::interview::{AnswerKind, Asked};
use crate::domain::session::Session;
use crate::domain::settings::Intensity;

use super::super::catalogue::{Challenge, Form, catalogue};
use super::super::scene::Scene;
use super::{
    FollowUp, Quotes, Way, follow_up, followers, plain, probes, quote, quotes, rival, said, way, with, withdrawn,
};

/// Whether a question was a decision.
pub(in super::super) fn is_decision(asked: &Asked) -> bool {
    let probe = asked.question.probe.as_deref().and_then(|probe| catalogue().probe(probe));
    probe.is_some_and(|(_, probe)| probe.form == Form::Decision)
}

/// Decisions that hold and were not challenged yet.
fn unchallenged(session: &Session) -> Vec<&Asked> {
    match session.settings.intensity {
        Intensity::Gentle | Intensity::Standard => Vec::new(),
        Intensity::Hard | Intensity::Adversarial => {
            let withdrawn = withdrawn(session);
            let open = |asked: &&Asked| {
                is_decision(asked)
                    && !withdrawn.iter().any(|one| one.question == &asked.question.id)
                    && !followers(session, asked).any(|probe| probe.starts_with("challenge:"))
            };
            let decided = session.transcript.answered().filter(|(_, answer)| answer.kind != AnswerKind::Unknown);
            decided.map(|(asked, _)| asked).filter(open).collect()
        }
    }
}

pub(super) fn outstanding(session: &Session) -> usize {
    unchallenged(session).len()
}

/// The newest decision that was not challenged, in a way that was used least.
pub(super) fn due(session: &Session) -> Option<FollowUp<'_>> {
    let of = unchallenged(session).pop()?;
    let used: Vec<usize> = probes(session)
        .filter_map(|probe| match way(probe)?.0 {
            Way::Challenge { number } => Some(number),
            Way::Contradiction { .. } | Way::Measure { .. } | Way::Deepen { .. } => None,
        })
        .collect();
    let scene = with(Scene::of(session), &quotes(session, &Way::Challenge { number: 0 }, of, None)?);
    let fits = |way: &Challenge| scene.holds(&way.when) && scene.fill(way.say.text).is_some();
    let ways = catalogue().follow_ups.challenges.iter().enumerate();
    let (number, _) = ways
        .filter(|(_, way)| fits(way))
        .min_by_key(|(number, _)| (used.iter().filter(|one| *one == number).count(), *number))?;
    follow_up(session, format!("challenge:{number}:{}", of.question.id), of)
}

/// The decision, and what it was decided against.
pub(super) fn quotes_of(of: &Asked) -> Quotes {
    let mut quotes = vec![("decision", quote(said(of), of))];
    quotes.extend(rival(of).map(|rival| ("rival", plain(rival))));
    quotes
}
