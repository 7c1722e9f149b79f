//! Which debates were about a question, and what they came to (D17, D26).

use crate::domain::debate::conclusions::Conclusions;
use crate::domain::debate::sentence::origin;
use crate::domain::debate::{Debate, Dossier};
use crate::domain::interview::{Answer, TranscriptEntry};
use crate::domain::outline::{behind_mark, is_nested};
use crate::domain::session::Session;

use super::super::session_reading::SessionReading;
use super::answers::answered;
use super::document::{DECISIONS, lines_of};
use super::texts::Texts;

/// The newest debate of which a decision for a question stands in the checkpoint.
pub fn decided_by(session: &Session, asked: &TranscriptEntry) -> Option<u32> {
    let stands = |one: &&Conclusions| one.stands_in(session.checkpoint.as_str());
    let (numbers, all) = (debates_for(session, asked, None), conclusions_for(session, asked));
    let newest = all.iter().rev().find(stands)?;
    numbers.into_iter().find(|number| newest.is_number(*number))
}

/// The debate that whoever is asked a question is told of: the newest one of which a decision for it stands, else the newest
/// one that was about it or about its answer.
pub fn debate_about(session: &Session, asked: &TranscriptEntry) -> Option<u32> {
    decided_by(session, asked).or_else(|| debates_for(session, asked, None).last().copied())
}

/// Whether a debate confirmed the last answer to a question, where it stands.
pub(super) fn is_confirmed(session: &Session, asked: &TranscriptEntry) -> bool {
    let firsts = firsts(session, asked);
    let is_it = |line: &str| firsts.last().is_some_and(|first| behind_mark(line).map(str::trim) == Some(first));
    let mut lines = session.checkpoint.as_str().lines().skip_while(|line| !is_it(line)).skip(1);
    lines.by_ref().take_while(|line| is_nested(line)).any(|line| line.starts_with("  - Confirmed in debate "))
}

/// Whether the last answer to a question stands no longer, since a debate decided otherwise.
pub fn is_overruled(session: &Session, asked: &TranscriptEntry) -> bool {
    if session.own.debate.debates.is_empty() {
        return false;
    }
    match lines_of(session, &asked.question.id, DECISIONS).first() {
        Some(first) => {
            let stands = session.checkpoint.as_str().lines().any(|line| line == first);
            !stands && !debates_for(session, asked, None).is_empty()
        }
        None => decided_by(session, asked).is_some(),
    }
}

/// The concluded debates about the file of a debate, and about what one of them decided, the oldest first.
pub(super) fn about_the_file_of(session: &Session, debate: &Debate) -> Vec<Conclusions> {
    let mut found: Vec<Conclusions> = Vec::new();
    for (number, other) in session.own.debate.numbered().filter(|(_, other)| other.concluded) {
        let is_about_it = match &other.dossier {
            Dossier::File { .. } => (&other.dossier, &other.name) == (&debate.dossier, &debate.name),
            Dossier::Decision { decision } => {
                origin(decision.as_str()).is_some_and(|before| found.iter().any(|one| one.is_number(before)))
            }
            Dossier::Checkpoint | Dossier::Question { .. } => false,
        };
        if is_about_it {
            found.push(conclusions(session, number, other));
        }
    }
    found
}

/// The first lines of all answers to a question, as the checkpoint has them.
pub(super) fn firsts(session: &Session, asked: &TranscriptEntry) -> Vec<String> {
    let heard = SessionReading::of(session);
    let first = |answer: &Answer| {
        let lines = answered(&heard, asked, answer, &Texts::of(&heard, asked));
        lines.first().and_then(|line| behind_mark(line)).map(str::trim).map(str::to_owned)
    };
    asked.answers.iter().filter_map(first).collect()
}

pub(super) fn conclusions_for(session: &Session, asked: &TranscriptEntry) -> Vec<Conclusions> {
    let debates = &session.own.debate;
    let numbers = debates_for(session, asked, None);
    let found = numbers.into_iter().filter_map(|number| Some((number, debates.debate(number)?)));
    let of = |(number, debate): (u32, &Debate)| match debate.dossier {
        Dossier::Question { .. } | Dossier::Decision { .. } => conclusions(session, number, debate),
        Dossier::Checkpoint | Dossier::File { .. } => in_place_of(session, &firsts(session, asked), number, debate),
    };
    found.map(of).collect()
}

/// What a debate about more than a question decided in the place of one of these answers to it.
fn in_place_of(session: &Session, firsts: &[String], number: u32, debate: &Debate) -> Conclusions {
    conclusions(session, number, debate).in_place_of(firsts, session.checkpoint.as_str())
}

pub(super) fn conclusions(session: &Session, number: u32, debate: &Debate) -> Conclusions {
    let offered = session.transcript.asked.iter().flat_map(|asked| asked.question.alternatives.as_slice());
    let answers = session.transcript.asked.iter().flat_map(|asked| asked.answers.iter().map(move |one| (asked, one)));
    let heard = SessionReading::of(session);
    let called = answers.filter_map(|(asked, answer)| {
        let mut offered = asked.question.alternatives.as_slice().iter();
        let label = offered.find(|one| one.value == answer.text)?.label.as_str();
        let lines = answered(&heard, asked, answer, &Texts::of(&heard, asked));
        Some((behind_mark(lines.first()?)?.trim().to_owned(), label.to_owned()))
    });
    Conclusions::of(&session.own.debate, number, debate)
        .knowing(offered.map(|one| one.label.to_string()))
        .calling(called)
}

/// The debates that were about a question, about an answer to it that stood in the checkpoint, or about what one of these
/// debates decided, the oldest first: those that are concluded, and one that is to be.
pub(super) fn debates_for(session: &Session, asked: &TranscriptEntry, ended: Option<u32>) -> Vec<u32> {
    let debates = session.own.debate.numbered();
    let concluded: Vec<(u32, &Debate)> =
        debates.filter(|(number, debate)| debate.concluded || ended == Some(*number)).collect();
    if concluded.is_empty() {
        return Vec::new();
    }
    let firsts = firsts(session, asked);
    // Whatever else such a debate decided is about another question.
    let is_in_part = |number: u32| {
        let debate = session.own.debate.debate(number);
        debate.is_some_and(|debate| matches!(debate.dossier, Dossier::Checkpoint | Dossier::File { .. }))
    };
    let mut found = Vec::new();
    for (number, debate) in concluded {
        let is_for_it = match &debate.dossier {
            Dossier::Question { question } => *question == asked.question.id,
            Dossier::Decision { decision } => {
                firsts.iter().any(|first| first == decision.as_str())
                    || origin(decision.as_str()).is_some_and(|before| found.contains(&before) && !is_in_part(before))
            }
            Dossier::Checkpoint | Dossier::File { .. } => {
                in_place_of(session, &firsts, number, debate).names().next().is_some()
            }
        };
        if is_for_it {
            found.push(number);
        }
    }
    found
}
