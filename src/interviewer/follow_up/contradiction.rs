//! Contradictions: two answers that cannot both hold are put side by side, before anything else is asked.

use crate::domain::interview::{Answer, AnswerKind, Asked};
use crate::domain::session::Session;
use crate::domain::text::Prose;

use super::super::catalogue::catalogue;
use super::super::reading::{Clash, Statement, clash};
use super::super::scene::quoted;
use super::super::signals::chosen;
use super::{FollowUp, Quotes, follow_up, followed, plain, probes, quote, said, withdrawn};

/// The most contradictions that are brought up in one interview. Whoever answers against themselves more often does it on
/// purpose, or our rules are wrong about them.
const MOST: usize = 3;

/// An answer as far as it can contradict another.
struct Said<'a> {
    asked: &'a Asked,
    statements: Vec<(Whose, Statement<'a>)>,
    /// `probe-id/label` of the alternative that it took.
    place: Option<String>,
    excludes: &'static [&'static str],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Own,
    Offered,
}

impl<'a> Said<'a> {
    fn of(session: &Session, asked: &'a Asked, answer: &'a Answer) -> Self {
        let text = answer.text.as_str();
        let mut statements = match answer.kind {
            AnswerKind::Own | AnswerKind::Reported | AnswerKind::Summarised => {
                vec![(Whose::Own, Statement::read(text))]
            }
            AnswerKind::Alternative => vec![(Whose::Offered, Statement::taken(text))],
            AnswerKind::Unknown => Vec::new(),
        };
        statements.extend(answer.note.as_ref().map(Prose::as_str).map(|note| (Whose::Own, Statement::read(note))));
        let choice = chosen(session, asked, answer);
        let probe = asked.question.probe.as_deref();
        Self {
            asked,
            statements,
            place: choice.zip(probe).map(|(choice, probe)| format!("{probe}/{}", choice.label)),
            excludes: choice.map_or(&[], |choice| choice.excludes.as_slice()),
        }
    }

    fn excludes(&self, other: &Self) -> bool {
        let names = |one: &Self, another: &Self| {
            another.place.as_ref().is_some_and(|place| one.excludes.contains(&place.as_str()))
        };
        names(self, other) || names(other, self)
    }

    /// Where the two contradict each other. Two alternatives do only where the catalogue says so.
    fn against(&self, later: &Self) -> Option<Clash> {
        if self.excludes(later) {
            return Some(Clash { earlier: said(self.asked), later: said(later.asked) });
        }
        let kinds = &catalogue().follow_ups.kinds;
        self.statements.iter().find_map(|(whose, one)| {
            let others = later.statements.iter();
            let own = |other: &Whose| *whose == Whose::Own || *other == Whose::Own;
            others.filter(|(other, _)| own(other)).find_map(|(_, other)| clash(one, other, kinds))
        })
    }
}

/// Every answer that holds, in the order of asking.
fn answers(session: &Session) -> Vec<Said<'_>> {
    let withdrawn = withdrawn(session);
    session
        .transcript
        .answered()
        .filter(|(asked, _)| {
            let resolves = asked.question.probe.as_deref().is_some_and(|probe| probe.starts_with("contradiction:"));
            !resolves && !withdrawn.iter().any(|one| one.question == &asked.question.id)
        })
        .map(|(asked, answer)| Said::of(session, asked, answer))
        .collect()
}

/// Whether one follows the other, directly or through others: a measure says the same in numbers, and a challenge may
/// well turn its decision round.
fn related(session: &Session, one: &Asked, other: &Asked) -> bool {
    let root = |asked: &Asked| {
        let mut id = asked.question.id.to_string();
        while let Some(of) = super::find(session, &id).and_then(|one| one.question.probe.as_deref()).and_then(followed)
        {
            id = of.to_owned();
        }
        id
    };
    root(one) == root(other)
}

/// The newest answer that contradicts an earlier one, if nobody was asked about the two.
pub(super) fn due(session: &Session) -> Option<FollowUp<'_>> {
    let asked: Vec<&str> = probes(session).filter(|probe| probe.starts_with("contradiction:")).collect();
    if asked.len() >= MOST {
        return None;
    }
    let answers = answers(session);
    for (index, later) in answers.iter().enumerate().rev() {
        for earlier in &answers[..index] {
            let probe = format!("contradiction:{}:{}", earlier.asked.question.id, later.asked.question.id);
            let due = !asked.contains(&probe.as_str())
                && !related(session, earlier.asked, later.asked)
                && earlier.against(later).is_some();
            if due {
                return follow_up(session, probe, later.asked);
            }
        }
    }
    None
}

/// The sentences in which two answers contradict each other.
pub(super) fn between(session: &Session, earlier: &Asked, later: &Asked) -> Option<Clash> {
    let (one, other) = (earlier.holding().last()?, later.holding().last()?);
    Said::of(session, earlier, one).against(&Said::of(session, later, other))
}

/// The two sentences with the numbers of their questions.
pub(super) fn quotes_of(session: &Session, earlier: &Asked, later: &Asked) -> Quotes {
    let clash = between(session, earlier, later);
    let (one, other) = clash.map_or_else(|| (said(earlier), said(later)), |clash| (clash.earlier, clash.later));
    let sentence = |text: &str| quoted(text.trim_end_matches('.'), 160);
    vec![
        ("first", quote(sentence(&one), earlier)),
        ("second", quote(sentence(&other), later)),
        ("first_number", plain(earlier.number.to_string())),
        ("second_number", plain(later.number.to_string())),
    ]
}
