//! Contradictions: two answers that cannot both hold are put side by side, before anything else is asked.

use std::cell::OnceCell;

use crate::domain::ids::QuestionId;
use crate::domain::interview::{Answer, AnswerKind, QuestionStatus, TranscriptEntry};
use crate::domain::purpose::Purpose;
use crate::domain::session::Session;

use super::super::reading::{Clash, Statement, clash};
use super::super::scene::quoted;
use super::super::session_reading::{SessionReading, took_one};
use super::super::signals::chosen;
use super::{FollowUp, Quotes, Way, follow_up, follows, plain, probes, quote, root, said, way};

/// The most contradictions that are brought up in one interview. Whoever answers against themselves more often does it on
/// purpose, or our rules are wrong about them.
const MOST: usize = 3;

/// An answer as far as it can contradict another.
struct ComparedAnswer<'a> {
    asked: &'a TranscriptEntry,
    /// The question that it answers, directly or through others: a measure says the same in numbers, and a challenge may
    /// well turn its decision round.
    root: &'a QuestionId,
    answer: &'a Answer,
    /// Read when there is another answer to hold against it.
    statements: OnceCell<Vec<Statement<'a>>>,
    /// `probe-id/label` of the alternative that it took.
    place: Option<String>,
    excludes: &'static [&'static str],
}

impl<'a> ComparedAnswer<'a> {
    fn of(session: &'a Session, asked: &'a TranscriptEntry, answer: &'a Answer) -> Self {
        let choice = chosen(session, asked, answer);
        let probe = asked.question.probe.as_deref();
        Self {
            asked,
            root: &root(session, asked).question.id,
            answer,
            statements: OnceCell::new(),
            place: choice.zip(probe).map(|(choice, probe)| format!("{probe}/{}", choice.label)),
            excludes: choice.map_or(&[], |choice| choice.excludes.as_slice()),
        }
    }

    fn statements(&self) -> &[Statement<'a>] {
        self.statements.get_or_init(|| {
            let text = self.answer.text.as_str();
            let question = &self.asked.question;
            let said = match self.answer.kind {
                // What an agent offers is made for this project: who takes it says it. Its questions are to the point, so
                // that a short answer can be read with them.
                AnswerKind::Own | AnswerKind::Reported | AnswerKind::Summarised | AnswerKind::Alternative
                    if question.is_from_a_tool() =>
                {
                    Some(Statement::answering(question.text.as_str(), text))
                }
                AnswerKind::Own | AnswerKind::Reported | AnswerKind::Summarised
                    if !took_one(self.asked, self.answer) =>
                {
                    Some(Statement::read(text))
                }
                // Numbers that the catalogue offers are figures of speech: `a day or two`.
                AnswerKind::Own
                | AnswerKind::Reported
                | AnswerKind::Summarised
                | AnswerKind::Alternative
                | AnswerKind::Unknown => None,
            };
            let note = self.answer.note.as_ref().map(|note| Statement::read(note.as_str()));
            said.into_iter().chain(note).collect()
        })
    }

    fn excludes(&self, other: &Self) -> bool {
        let names = |one: &Self, another: &Self| {
            another.place.as_ref().is_some_and(|place| one.excludes.contains(&place.as_str()))
        };
        names(self, other) || names(other, self)
    }

    /// Where the two contradict each other: alternatives of the catalogue where it says so, own words in their numbers.
    fn against(&self, later: &Self) -> Option<Clash> {
        if self.excludes(later) {
            return Some(Clash { earlier: said(self.asked), later: said(later.asked) });
        }
        self.statements().iter().find_map(|one| later.statements().iter().find_map(|other| clash(one, other)))
    }
}

/// Every answer that holds and settles no contradiction itself, in the order of asking.
fn answers<'s>(heard: &SessionReading<'s>) -> Vec<ComparedAnswer<'s>> {
    let settles = |asked: &TranscriptEntry| {
        matches!(follows(asked), Some(Way::Contradiction { .. })) || asked.question.purpose == Some(Purpose::Settle)
    };
    let held = heard.holding().filter(|(asked, _)| !settles(asked));
    held.map(|(asked, answer)| ComparedAnswer::of(heard.session, asked, answer)).collect()
}

/// The newest answer that contradicts an earlier one, if nobody was asked about the two.
pub(super) fn due<'s>(heard: &SessionReading<'s>) -> Option<FollowUp<'s>> {
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

/// The most answers that are held against one another at once; of more, only the newest are.
const MOST_COMPARED: usize = 40;

/// Every two answers that cannot both hold and that no question was about, the newest first: the earlier one, the later
/// one, and the two sentences.
pub(in super::super) fn clashing_pairs<'s>(
    heard: &SessionReading<'s>,
) -> Vec<(&'s TranscriptEntry, &'s TranscriptEntry, Clash)> {
    let answers = answers(heard);
    let newest = &answers[answers.len().saturating_sub(MOST_COMPARED)..];
    let mut found = Vec::new();
    for (index, later) in newest.iter().enumerate().rev() {
        for earlier in newest[..index].iter().filter(|earlier| earlier.root != later.root) {
            if !was_put(heard.session, earlier.asked, later.asked)
                && let Some(clash) = earlier.against(later)
            {
                found.push((earlier.asked, later.asked, clash));
            }
        }
    }
    found
}

/// Whether a question put these two answers side by side, or the later question itself builds on the earlier one to settle
/// it, and came to something.
fn was_put(session: &Session, earlier: &TranscriptEntry, later: &TranscriptEntry) -> bool {
    let (one, other) = (&earlier.question.id, &later.question.id);
    session.transcript.asked.iter().any(|asked| {
        let question = &asked.question;
        let ours = question.probe.as_deref().and_then(way).is_some_and(|(way, of)| {
            matches!(way, Way::Contradiction { earlier } if earlier == one.as_str()) && of == other.as_str()
        });
        let declared = question.purpose == Some(Purpose::Settle)
            && question.builds_on.contains(one)
            && question.builds_on.contains(other)
            && matches!(
                asked.standing,
                QuestionStatus::Answered | QuestionStatus::Deferred | QuestionStatus::PushedBack { .. }
            );
        ours || declared
    })
}

/// The answers that hold and the first of `lines` that cannot hold beside each, with its index. An answer that a challenge, a
/// measure or a settling question took up again is left out: what came of it may well be said otherwise.
pub(in super::super) fn against_lines<'s>(
    heard: &SessionReading<'s>,
    lines: &[String],
) -> Vec<(&'s TranscriptEntry, usize, Clash)> {
    let read: Vec<Statement<'_>> = lines.iter().map(|line| Statement::read(line)).collect();
    let answers = answers(heard);
    let newest = &answers[answers.len().saturating_sub(MOST_COMPARED)..];
    let found = newest.iter().filter(|one| !was_taken_up(heard.session, one.asked)).filter_map(|one| {
        let clashes = |line: &Statement<'_>| one.statements().iter().find_map(|said| clash(said, line));
        let (at, clash) = read.iter().enumerate().find_map(|(at, line)| Some((at, clashes(line)?)))?;
        Some((one.asked, at, clash))
    });
    found.collect()
}

/// Whether an answered question took an answer up to do something with it.
pub(in super::super) fn was_taken_up(session: &Session, asked: &TranscriptEntry) -> bool {
    session.transcript.asked.iter().any(|other| {
        other.question.purpose.is_some()
            && other.question.builds_on.contains(&asked.question.id)
            && other.standing == QuestionStatus::Answered
    })
}

/// The sentences in which two answers contradict each other: as the rules see them now, else as the question about them put
/// them, which may have been asked when the rules saw more, as far as they still say so.
pub(super) fn between(
    session: &Session,
    earlier: &TranscriptEntry,
    later: &TranscriptEntry,
    put: Option<&str>,
) -> Option<Clash> {
    let (one, other) = (earlier.holding().last()?, later.holding().last()?);
    let now = ComparedAnswer::of(session, earlier, one).against(&ComparedAnswer::of(session, later, other));
    let stand =
        |clash: &Clash| one.text.as_str().contains(&clash.earlier) && other.text.as_str().contains(&clash.later);
    now.or_else(|| last_quoted(put?).filter(stand))
}

/// The last two texts between quotation marks.
fn last_quoted(text: &str) -> Option<Clash> {
    let mut quoted = text.rsplit('“').filter_map(|rest| rest.split_once('”')).map(|(quoted, _)| quoted.to_owned());
    let (later, earlier) = (quoted.next()?, quoted.next()?);
    Some(Clash { earlier, later })
}

/// The two sentences with the numbers of their questions; `put` is the question about them, where it was asked.
pub(super) fn quotes_of(
    session: &Session,
    earlier: &TranscriptEntry,
    later: &TranscriptEntry,
    put: Option<&str>,
) -> Quotes {
    let clash = between(session, earlier, later, put);
    let (one, other) = clash.map_or_else(|| (said(earlier), said(later)), |clash| (clash.earlier, clash.later));
    let sentence = |text: &str| quoted(text.trim_end_matches('.'), 160);
    vec![
        ("first", quote(sentence(&one), earlier)),
        ("second", quote(sentence(&other), later)),
        ("first_number", plain(earlier.number.to_string())),
        ("second_number", plain(later.number.to_string())),
    ]
}
