//! The built-in interviewer: what to ask next, what the checkpoint says then, and whether the gate may open.
//!
//! Pure and deterministic: sessions (with the repository facts inside them) go in, questions and documents come out.
//! What it can ask stands in `catalogue/*.yaml`; how it chooses stands in `score`. No input or output of any kind here.

mod ask;
mod budget;
mod catalogue;
#[cfg(test)]
mod catalogue_tests;
mod compose;
mod findings;
mod follow_up;
mod gate;
mod ledger;
mod packet;
#[cfg(test)]
mod play;
mod reading;
mod referee;
mod scene;
mod score;
mod session_reading;
mod shown;
mod signals;
mod support;
mod topic;
mod turned;

use crate::domain::ids::QuestionId;
use crate::domain::interview::{QuestionStatus, TranscriptEntry};
use crate::domain::question::Question;
use crate::domain::selection::Gate;
use crate::domain::session::Session;
use crate::domain::text::Prose;

use scene::Scene;
use session_reading::SessionReading;

pub use compose::{compose, concluded, debate_about, decided_by, edited_for, is_overruled, kept_by_hand};
pub use findings::findings;
pub use gate::gate;
pub use ledger::Ledger;
pub use packet::{Judged, Packet, brief, judged, packet};
pub use referee::{concerns, not_there, taken_off};
pub use turned::{Newest, intent_turned};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    Ask(Box<Question>),
    /// Finds no open dimension and opens the gate (G46).
    Ready(Box<Gate>),
}

/// What to ask next; a question gets the given id.
///
/// Questions that have to be put again (`Session::to_reopen`) go before it and are the caller's business.
pub fn next(session: &Session, id: QuestionId) -> Next {
    let ledger = Ledger::of(session);
    question(&ledger, id).map_or_else(|| Next::Ready(Box::new(gate::gate_of(&ledger))), |one| Next::Ask(Box::new(one)))
}

/// A stale question as it would be worded now, under its old id: what it quoted has changed. `None` leaves it as it was
/// worded: it is not stale, not of the catalogue, or not possible any more.
pub fn reword(session: &Session, asked: &TranscriptEntry) -> Option<Question> {
    if asked.standing != QuestionStatus::Stale {
        return None;
    }
    let wanted = asked.question.probe.as_deref()?;
    let heard = SessionReading::of(session);
    if let Some(again) = follow_up::again(&heard, wanted) {
        return ask::follow_up(asked.question.id.clone(), &again, &again.scene(&heard));
    }
    let (dimension, probe) = catalogue::catalogue().probe(wanted)?;
    let question = ask::probe(asked.question.id.clone(), dimension, probe, heard.scene())?;
    Some(reframed(session, question, asked.number))
}

/// Follow-ups first, while the answer is fresh; then the best probe; the lenses of higher intensities when all but the
/// output and the next steps was spoken about.
fn question(ledger: &Ledger<'_>, id: QuestionId) -> Option<Question> {
    let heard = ledger.heard();
    if let Some(due) = ledger.opened().due(heard)
        && let Some(question) = ask::follow_up(id.clone(), &due, &due.scene(heard))
    {
        return Some(question);
    }
    let best = score::best(ledger.accounts(), heard.scene());
    let early = best.filter(|(dimension, _)| dimension.turn.is_early());
    let lens = || ledger.lenses().first().copied();
    let (dimension, probe) = early.or_else(lens).or(best)?;
    let question = ask::probe(id, dimension, probe, heard.scene())?;
    Some(reframed(heard.session, question, u32::MAX))
}

/// A question of a dimension whose last question was refused quotes the refusal, so that it is seen to be another way of
/// asking and not the same demand again. Only questions before the one with this number are looked at.
fn reframed(session: &Session, mut question: Question, number: u32) -> Question {
    let same = |asked: &&TranscriptEntry| asked.number < number && asked.question.dimension == question.dimension;
    let own = |asked: &&TranscriptEntry| !asked.question.probe.as_deref().is_some_and(follow_up::is_follow_up);
    let last = session.transcript.asked.iter().rev().filter(same).find(own);
    if let Some((asked, because)) = last.and_then(|asked| match &asked.standing {
        QuestionStatus::PushedBack { because } => Some((asked, because)),
        QuestionStatus::Open
        | QuestionStatus::Answered
        | QuestionStatus::Deferred
        | QuestionStatus::SetAside
        | QuestionStatus::Stale => None,
    }) {
        let refusal = scene::quoted(because.first_line().trim_end_matches('.'), 110);
        let known = |text: &str| scene::Known { text: text.to_owned(), ..scene::Known::default() };
        let filled = Scene::bare(session)
            .with("refusal", known(&refusal))
            .with("number", known(&asked.number.to_string()))
            .with("question", known(question.text.as_str()))
            .fill(catalogue::catalogue().follow_ups.refused);
        if let Some(text) = filled.and_then(|filled| Prose::parse("the question", &filled.text).ok()) {
            question.text = text;
        }
    }
    question
}
