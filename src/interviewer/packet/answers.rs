//! Questions with what became of them, in the person's own words, and whose word each answer is.

use crate::domain::actor::Actor;
use crate::domain::citations::ChangedCitation;
use crate::domain::interview::{Answer, AnswerKind, QuestionStatus, TranscriptEntry, standing_word};
use crate::domain::purpose::Purpose;
use crate::domain::session::Session;

use super::super::scene::{clipped, listed};
use super::room::Item;

/// The longest question and answer of a shortened item.
const SHORT_QUESTION: usize = 160;
const SHORT_ANSWER: usize = 240;

/// The longest line of alternatives that were not taken.
const LEFT: usize = 480;

/// How much of a text is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Whole,
    Short,
}

/// One item for each question, in the order of asking. What needs the interviewer is pinned: what is open, skipped,
/// refused, not known, contested or in doubt.
pub(super) fn items(session: &Session) -> Vec<Item> {
    session
        .transcript
        .asked
        .iter()
        .map(|asked| Item {
            full: told(session, asked, Extent::Whole),
            short: told(session, asked, Extent::Short),
            pinned: is_loose(asked),
        })
        .collect()
}

fn is_loose(asked: &TranscriptEntry) -> bool {
    asked.contested() || asked.in_doubt || asked.answer().is_none_or(|answer| answer.kind == AnswerKind::Unknown)
}

fn told(session: &Session, asked: &TranscriptEntry, extent: Extent) -> String {
    let question = &asked.question;
    let mut lines = vec![format!("{}. {} [{}] {}", asked.number, question.id, question.dimension, state(asked))];
    lines.extend(indented("Q: ", question.text.as_str(), extent, SHORT_QUESTION));
    match &asked.standing {
        QuestionStatus::Answered => {
            // Two answers that hold at once are both shown.
            for answer in asked.holding() {
                lines.extend(answered(asked, answer, extent));
            }
            lines.extend(left(asked, extent));
        }
        QuestionStatus::PushedBack { because } => {
            lines.extend(indented("the user objected: ", because.as_str(), extent, SHORT_ANSWER));
            lines.extend(left(asked, extent));
        }
        QuestionStatus::Open => lines.extend(alternatives(asked, extent)),
        QuestionStatus::Deferred | QuestionStatus::SetAside | QuestionStatus::Stale => {
            lines.extend(asked.holding().last().into_iter().flat_map(|answer| answered(asked, answer, extent)));
            lines.extend(left(asked, extent));
        }
    }
    if extent == Extent::Whole {
        for earlier in asked.answers.iter().filter(|one| !asked.holding().any(|holds| holds.id == one.id)) {
            lines.push(format!("   before: “{}” ({})", clipped(earlier.text.as_str(), SHORT_ANSWER), whose(earlier)));
        }
    }
    lines.extend(around(session, asked));
    lines.join("\n")
}

fn state(asked: &TranscriptEntry) -> String {
    let mut state = match asked.answer() {
        Some(answer) if answer.kind == AnswerKind::Unknown => "not known".to_owned(),
        Some(_) | None => match asked.standing {
            QuestionStatus::Deferred => "skipped".to_owned(),
            QuestionStatus::Answered
            | QuestionStatus::Open
            | QuestionStatus::PushedBack { .. }
            | QuestionStatus::SetAside
            | QuestionStatus::Stale => standing_word(&asked.standing).to_owned(),
        },
    };
    if asked.contested() {
        state.push_str(", contested: two answers hold");
    }
    match (&asked.standing, asked.in_doubt) {
        (QuestionStatus::Stale, _) => state.push_str(": an answer that it builds on changed; ask it again"),
        (QuestionStatus::SetAside, _) => state.push_str(": ask it again"),
        (_, true) => state.push_str(", in doubt: an answer that it builds on changed"),
        (
            QuestionStatus::Answered
            | QuestionStatus::Open
            | QuestionStatus::Deferred
            | QuestionStatus::PushedBack { .. },
            false,
        ) => {}
    }
    state
}

fn answered(asked: &TranscriptEntry, answer: &Answer, extent: Extent) -> Vec<String> {
    let taken: Vec<String> = taken(asked, answer).iter().map(ToString::to_string).collect();
    let taken = if taken.is_empty() { String::new() } else { format!(", alternative {}", listed(&taken)) };
    let label = format!("A ({}, {}{taken}): ", answer.id, whose(answer));
    let mut lines = match answer.kind {
        AnswerKind::Unknown => vec![format!("   {label}they do not know")],
        AnswerKind::Alternative | AnswerKind::Own | AnswerKind::Reported | AnswerKind::Summarised => {
            indented(&label, answer.text.as_str(), extent, SHORT_ANSWER)
        }
    };
    if let Some(note) = &answer.note {
        lines.extend(indented("added: ", note.as_str(), extent, SHORT_ANSWER));
    }
    lines
}

/// Numbers of the alternatives that an answer took.
fn taken(asked: &TranscriptEntry, answer: &Answer) -> Vec<usize> {
    if answer.chosen.is_empty() {
        asked.question.alternatives.taken_by(answer.text.as_str()).into_iter().collect()
    } else {
        answer.chosen.clone()
    }
}

/// The alternatives that stood beside the answers that hold, in one line: an agent that lost its context would offer them
/// again. They count as turned down only where the user took another one: words of their own may mean any of them.
fn left(asked: &TranscriptEntry, extent: Extent) -> Option<String> {
    let taken: Vec<usize> = asked.holding().flat_map(|answer| taken(asked, answer)).collect();
    let (most, each) = match extent {
        Extent::Whole => (LEFT, SHORT_QUESTION),
        Extent::Short => (SHORT_QUESTION, SHORT_QUESTION / 4),
    };
    let all = asked.question.alternatives.as_slice().iter().enumerate();
    let left: Vec<String> = all
        .map(|(index, one)| (index + 1, one))
        .filter(|(number, _)| !taken.contains(number))
        .map(|(number, one)| format!("{number} {}", clipped(one.label.as_str(), each)))
        .collect();
    let became =
        if asked.standing == QuestionStatus::Answered && !taken.is_empty() { "turned down" } else { "offered" };
    (!left.is_empty()).then(|| format!("   {became}: {}", clipped(&left.join("; "), most)))
}

fn whose(answer: &Answer) -> String {
    match (&answer.by, answer.kind) {
        (Actor::Agent(name), AnswerKind::Summarised) => {
            format!("a summary by the agent {name}, which the user did not confirm; their words were not passed on")
        }
        (Actor::Agent(name), _) => format!("the user, as reported by the agent {name}"),
        (Actor::Human, _) => "the user".to_owned(),
        (Actor::Unattended, _) => "unattended, from a command without a terminal".to_owned(),
        (Actor::System, _) => "git grill itself".to_owned(),
    }
}

fn alternatives(asked: &TranscriptEntry, extent: Extent) -> Vec<String> {
    let all = asked.question.alternatives.as_slice().iter().enumerate();
    all.map(|(index, one)| {
        let reason = match (&one.description, extent) {
            (Some(reason), Extent::Whole) => format!(": {reason}"),
            (Some(_), Extent::Short) | (None, _) => String::new(),
        };
        let mark = if one.recommended { " (recommended)" } else { "" };
        format!("   {} {}{mark}{reason}", index + 1, clipped(one.label.as_str(), SHORT_QUESTION))
    })
    .collect()
}

/// Places and earlier questions.
fn around(session: &Session, asked: &TranscriptEntry) -> Option<String> {
    let question = &asked.question;
    let mut parts = Vec::new();
    if !question.evidence.is_empty() {
        let places: Vec<String> = question
            .evidence
            .iter()
            .map(|at| {
                let moved = session.citations.iter().find(|changed| changed.place.at == *at);
                moved.map_or_else(|| at.to_string(), ChangedCitation::in_words)
            })
            .collect();
        parts.push(format!("cites {}", listed(&places)));
    }
    let numbers: Vec<String> = question
        .builds_on
        .iter()
        .filter_map(|id| session.transcript.get(id))
        .map(|earlier| earlier.number.to_string())
        .collect();
    if !numbers.is_empty() {
        let does = match question.purpose {
            Some(Purpose::Challenge) => "challenges",
            Some(Purpose::Settle) => "settles",
            Some(Purpose::Measure) => "measures",
            Some(Purpose::Deepen | Purpose::PreMortem | Purpose::Opposite) | None => "builds on",
        };
        parts.push(format!("{does} {}", listed(&numbers)));
    }
    (!parts.is_empty()).then(|| format!("   {}", parts.join("; ")))
}

/// A text behind its label; every further line is indented, so that no answer can look like a part of the packet.
fn indented(label: &str, text: &str, extent: Extent, short: usize) -> Vec<String> {
    let text = match extent {
        Extent::Whole => text.to_owned(),
        Extent::Short => clipped(text, short),
    };
    let mut lines = text.lines();
    let first = format!("   {label}{}", lines.next().unwrap_or_default());
    std::iter::once(first).chain(lines.map(|line| format!("   > {line}"))).collect()
}
