//! Contradictions: two answers that cannot both hold are put side by side, before anything else is asked.

use crate::domain::ids::QuestionId;
use crate::domain::interview::{Answer, AnswerKind, Asked};
use crate::domain::session::Session;
use crate::domain::text::Prose;

use super::super::catalogue::catalogue;
use super::super::heard::Heard;
use super::super::reading::{Clash, Statement, clash};
use super::super::scene::quoted;
use super::super::signals::chosen;
use super::{FollowUp, Quotes, Way, follow_up, follows, plain, probes, quote, root, said, way};

/// The most contradictions that are brought up in one interview. Whoever answers against themselves more often does it on
/// purpose, or our rules are wrong about them.
const MOST: usize = 3;

/// An answer as far as it can contradict another.
struct Said<'a> {
    asked: &'a Asked,
    /// The question that it answers, directly or through others: a measure says the same in numbers, and a challenge may
    /// well turn its decision round.
    root: &'a QuestionId,
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
    fn of(session: &'a Session, asked: &'a Asked, answer: &'a Answer) -> Self {
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
            root: &root(session, asked).question.id,
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

/// Every answer that holds and settles no contradiction itself, in the order of asking.
fn answers<'s>(heard: &Heard<'s>) -> Vec<Said<'s>> {
    let settles = |asked: &Asked| matches!(follows(asked), Some(Way::Contradiction { .. }));
    let held = heard.holding().filter(|(asked, _)| !settles(asked));
    held.map(|(asked, answer)| Said::of(heard.session, asked, answer)).collect()
}

/// The newest answer that contradicts an earlier one, if nobody was asked about the two.
pub(super) fn due<'s>(heard: &Heard<'s>) -> Option<FollowUp<'s>> {
    let asked: Vec<(&str, &str)> = probes(heard.session)
        .filter_map(|probe| match way(probe)? {
            (Way::Contradiction { earlier }, later) => Some((earlier, later)),
            (Way::Measure { .. } | Way::Deepen { .. } | Way::Challenge { .. }, _) => None,
        })
        .collect();
    if asked.len() >= MOST {
        return None;
    }
    let answers = answers(heard);
    for (index, later) in answers.iter().enumerate().rev() {
        for earlier in answers[..index].iter().filter(|earlier| earlier.root != later.root) {
            let (one, other) = (earlier.asked.question.id.as_str(), later.asked.question.id.as_str());
            if !asked.contains(&(one, other)) && earlier.against(later).is_some() {
                return follow_up(heard, Way::Contradiction { earlier: one }, later.asked);
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
