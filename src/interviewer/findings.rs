//! What the output selection reports by itself: who answered, and reasons to look again, such as sentences of
//! the checkpoint that no answer supports, and answers whose evidence has changed.

use crate::domain::actor::Actor;
use crate::domain::citations::ChangedCitation;
use crate::domain::interview::{Answer, AnswerKind, TranscriptEntry, gist};
use crate::domain::question::Wants;
use crate::domain::selection::{Doubted, Findings};
use crate::domain::session::Session;
use crate::domain::settings::Interviewer;
use crate::domain::text::Line;

use super::referee::concerns;
use super::scene::listed;
use super::support::{Part, unsupported};

/// How many findings of one kind are listed; the rest is counted.
const LISTED: usize = 5;

pub fn findings(session: &Session) -> Findings {
    let answered: Vec<(&TranscriptEntry, &Answer)> = session.transcript.answered().collect();
    let counted = |wanted: &dyn Fn(&TranscriptEntry, &Answer) -> bool| {
        number(answered.iter().filter(|(asked, answer)| wanted(asked, answer)).count())
    };
    let lacks = |lack: &dyn Fn(&Wants) -> bool| {
        let asked = session.transcript.asked.iter().map(|asked| &asked.question);
        let of_agents = asked.filter(|question| question.form.is_grill() && question.is_from_a_tool());
        number(of_agents.filter(|question| lack(&question.alternatives.wants())).count())
    };
    let (unsupported, unsupported_more) = first(unsupported(session, Part::Whole));
    let (doubted, doubted_more) = first(doubted(session));
    let mut concerns = match session.settings.interviewer {
        Interviewer::Agent(_) => concerns(session),
        // It asks about what it sees by itself.
        Interviewer::BuiltIn => Vec::new(),
    };
    let concerns_more = number(concerns.len().saturating_sub(Findings::MOST_CONCERNS));
    concerns.truncate(Findings::MOST_CONCERNS);
    Findings {
        answers: number(answered.len()),
        unknown: counted(&|_, answer| answer.kind == AnswerKind::Unknown),
        unattended: counted(&|_, answer| answer.by == Actor::Unattended),
        reported: counted(&|_, answer| answer.kind == AnswerKind::Reported || matches!(answer.by, Actor::Agent(_))),
        as_recommended: counted(&as_recommended),
        unread: 0,
        unrecommended: lacks(&|wants| !wants.recommendation),
        unreasoned: lacks(&|wants| !wants.unreasoned.is_empty()),
        unsupported,
        unsupported_more,
        doubted,
        doubted_more,
        concerns,
        concerns_more,
        replaced: replaced(session),
    }
}

/// The questions where an agent's report holds in place of an answer that the person gave to us.
fn replaced(session: &Session) -> Vec<u32> {
    session
        .transcript
        .asked
        .iter()
        .filter(|asked| asked.replaced_by_report().is_some())
        .map(|asked| asked.number)
        .collect()
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The first few, and how many more there are.
fn first<T>(mut found: Vec<T>) -> (Vec<T>, u32) {
    let more = number(found.len().saturating_sub(LISTED));
    found.truncate(LISTED);
    (found, more)
}

fn as_recommended(asked: &TranscriptEntry, answer: &Answer) -> bool {
    asked.question.alternatives.recommended().is_some_and(|one| one.value == answer.text)
}

/// Answers whose cited places say something else by now, as the last check of the citations found.
fn doubted(session: &Session) -> Vec<Doubted> {
    let of = |(asked, places): (&TranscriptEntry, Vec<&ChangedCitation>)| {
        let places: Vec<String> = places.iter().map(|changed| changed.in_words()).collect();
        let answer = asked.answer().map_or_else(|| Line::clipped(asked.question.text.first_line()), gist);
        Doubted { question: asked.number, answer, since: Line::clipped(&listed(&places)) }
    };
    session.doubted().into_iter().map(of).collect()
}
