//! A debate to look at: how it stands, round by round, and what its next role is told (D16, D23).

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::context::Context;
use crate::app::error::AppError;
use crate::app::reply::{Lines, Page, Plain, Reply, Traits};
use crate::domain::actor::Actor;
use crate::domain::debate::conclusions::Conclusions;
use crate::domain::debate::course::{Cited, Settlement};
use crate::domain::debate::fate::addressed;
use crate::domain::debate::objection::{ObjectionId, Severity};
use crate::domain::debate::record::page;
use crate::domain::debate::round::{Raised, Round};
use crate::domain::debate::sentence::without_origin;
use crate::domain::debate::shown::{View, next_in_words, view};
use crate::domain::debate::whole::{Objected, Whole};
use crate::domain::debate::{self, Debate, Decision, Event, Faults, State};
use crate::domain::harmless::{harmless, on_one_line};
use crate::domain::ids::{QuestionId, SessionId};
use crate::domain::interview::TranscriptEntry;
use crate::domain::session::Session;
use crate::domain::subsystem::Folded as _;
use crate::interviewer;

use super::prompt::{prompt, solution};
use super::{citing, newest};

/// How a debate stands, in a few lines.
pub fn status(context: &mut Context<'_>) -> Result<Reply, AppError> {
    let session = context.session()?;
    let (number, debate) = newest(&session)?;
    let course = debate.course();
    let mut text = format!("debate {number}: {}\n", on_one_line(debate.name.as_str()));
    if debate.ending().is_none() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "round {} of {}", course.round(), debate.bound());
    }
    let _ = write!(text, "{}", next_in_words(debate));
    if debate.ending().is_some() {
        text.push_str(
            "\ngit grill debate show prints it; git log -p GRILL_HEAD -- :/.grill/debate prints its texts\nthe repository is \
             read-only until git grill stop",
        );
        let decided = Conclusions::of(&session.own.debate, number, debate).decided_in_words();
        if debate.concluded && !decided.is_empty() {
            text.push_str("; git grill select makes a document of what was decided");
        }
    }
    Ok(Reply::Plain(plain(&text, Traits::LONG, &view(number, debate))))
}

/// What of the debates is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DebateView {
    /// The newest one of the active session.
    Newest,
    /// The one of this number.
    Number(u32),
    /// One objection of the newest one, with the lines that it cites.
    Objection(ObjectionId),
    /// The newest one of another session, which may have ended.
    Of(SessionId),
}

/// A whole debate, round by round, with what became of each objection; or one objection.
pub fn show(context: &mut Context<'_>, wanted: &DebateView) -> Result<Reply, AppError> {
    let none = |message: String| AppError::Usage {
        message,
        hint: "git grill debate show shows the newest one, with its objections".to_owned(),
    };
    let session = match wanted {
        DebateView::Of(id) => context.dispatcher.store.load(id)?.session,
        DebateView::Newest | DebateView::Number(_) | DebateView::Objection(_) => context.session()?,
    };
    let (newest, debate) = newest(&session)?;
    let (number, debate) = match wanted {
        DebateView::Newest | DebateView::Of(_) => (newest, debate),
        DebateView::Number(number) => {
            let found = session.own.debate.debate(*number);
            (*number, found.ok_or_else(|| none(format!("there is no debate {number}; the newest one is {newest}")))?)
        }
        DebateView::Objection(id) => {
            let found = debate.raised(*id).ok_or_else(|| none(format!("debate {newest} has no objection {id}")))?;
            let places = citing::places(context, found.1);
            let mut text = citing::in_words(found.1, &places);
            let raised = Objected::each(debate, *id);
            for Objected { round, assessed, .. } in &raised {
                if let Some(assessed) = assessed {
                    let (name, why) = (assessed.assessment.name(), on_one_line(&assessed.why));
                    let _ = write!(text, "\n\nassessed in round {round}: {name}: {why}");
                }
            }
            let traits = Traits { lines: Lines::Kept, ..Traits::LONG };
            let reply = plain(&text, traits, &view(newest, debate));
            let places: Vec<Value> = places.iter().map(citing::Place::json).collect();
            return Ok(with(reply, [("raised", json!(raised)), ("citations", json!(places))]));
        }
    };
    let traits = Traits { page: Some(Page::Debate), lines: Lines::Markdown, ..Traits::LONG };
    let Whole { rounds, ending } = Whole::of(&session.own.debate, number, debate);
    let reply = plain(&page(&session.own.debate, number, debate), traits, &view(number, debate));
    Ok(with(reply, [("rounds", json!(rounds)), ("ending", json!(ending))]))
}

/// A text, and the debate that it is about for programs.
pub(super) fn plain(text: &str, traits: Traits, view: &View<'_>) -> Plain {
    Plain { text: text.to_owned(), fields: vec![("debate", json!(view))], traits }
}

/// The same with more for programs.
pub(super) fn with<const N: usize>(mut plain: Plain, fields: [(&'static str, Value); N]) -> Reply {
    plain.fields.extend(fields);
    Reply::Plain(plain)
}

/// What whoever is asked a question is told of debates, with the number of the newest one: that one waits for their word
/// (D20), and what one about the question or its answer came to (D26).
pub fn on_question(session: &Session, question: &QuestionId) -> Option<(u32, String)> {
    let waits = session.own.debate.waits_in_words(question);
    let came_to = session.transcript.get(question).and_then(|asked| came_to(session, asked));
    match (waits, came_to) {
        (Some((number, waits)), Some((_, came_to))) => Some((number, format!("{waits}\n{came_to}"))),
        (waits, came_to) => waits.or(came_to),
    }
}

fn came_to(session: &Session, asked: &TranscriptEntry) -> Option<(u32, String)> {
    let number = interviewer::debate_about(session, asked)?;
    let debate = session.own.debate.debate(number)?;
    let decided = Conclusions::of(&session.own.debate, number, debate).decided_in_words();
    let came_to =
        if decided.is_empty() { "decided nothing".to_owned() } else { format!("decided: {}", on_one_line(&decided)) };
    let mut told = format!("debate {number} was about this question and {came_to}");
    let (edited, others_stand) = interviewer::edited_for(session, asked);
    if edited.is_empty() || others_stand {
        told.push_str(if interviewer::decided_by(session, asked).is_some() {
            "\nyour answer replaces the debate's decision; /skip keeps it"
        } else {
            "\nyour answer settles it"
        });
    }
    for decision in &edited {
        let decision = on_one_line(without_origin(decision));
        // Writing to a String cannot fail.
        let _ = write!(told, "\nyou changed “{decision}” by hand: it stays; git grill checkpoint edit changes it");
    }
    Some((number, told))
}

/// The prompt for the next role.
pub fn next_prompt(context: &mut Context<'_>) -> Result<Reply, AppError> {
    let session = context.session()?;
    let (number, debate) = newest(&session)?;
    let Some(part) = debate.awaits() else {
        let next = next_in_words(debate);
        return Err(debate::Refusal::OutOfTurn { deed: "there is no prompt to show", next }.into());
    };
    let text = prompt(&session.own.debate, number, debate, part, &Faults::default())?;
    let fields = vec![("part", json!(part.name())), ("prompt", json!(text))];
    let traits = Traits { lines: Lines::Kept, ..Traits::LONG };
    Ok(Reply::Plain(Plain { text: harmless(text.trim_end()).into_owned(), fields, traits }))
}

/// What a decision makes of a debate, before the user makes it.
pub(super) fn outlook(session: &Session, number: u32, decision: Decision) -> String {
    let mut after = session.clone();
    let state = &mut after.own.debate;
    let now = state.debate(number).map(|debate| debate.at).unwrap_or_default();
    state.evolve(&Actor::Human, now, &Event::DebateDecided { decision });
    let Some(debate) = after.own.debate.debate(number) else { return String::new() };
    let stays = "the checkpoint stays as it is, and the record is kept";
    match decision {
        Decision::Extend => "the debate goes on with another round".to_owned(),
        Decision::Kill | Decision::Reject | Decision::Settle(Settlement::Restarted) => stays.to_owned(),
        // The proxy rejected the proposal, or the debate.
        Decision::Confirm if debate.is_to_be_begun_again() => stays.to_owned(),
        Decision::Declare | Decision::Accept | Decision::Confirm | Decision::Settle(_) => {
            let added = Conclusions::of(&after.own.debate, number, debate).written_into("");
            let mut text = format!("the checkpoint gets:\n\n{}", harmless(added.trim()));
            let replaced = interviewer::concluded(&after, number).map(|concluded| concluded.replaced);
            for (place, decision) in replaced.iter().flatten().enumerate() {
                let lead = if place == 0 { "\n\nit replaces what was decided before:\n" } else { "" };
                // Writing to a String cannot fail.
                let _ = write!(text, "{lead}\n- {}", on_one_line(decision));
            }
            text
        }
    }
}

/// All that the user sees before they are asked: the proposal as it stands, and what the round brought (D23).
pub(super) fn before_a_word(session: &Session, number: u32, debate: &Debate) -> String {
    let proposal = solution(session.own.debate.proposal(number).unwrap_or_default());
    let round = summary(&session.own.debate, number, debate);
    format!("the current proposal:\n\n{}\n\n{round}", harmless(proposal.trim()))
}

/// What a round brought, before the user is asked (D23).
pub(super) fn summary(state: &State, number: u32, debate: &Debate) -> String {
    let course = debate.course();
    let round = course.round();
    let mut text = format!("round {round} of {}", debate.bound());
    let Some(played) = debate.last() else { return text };
    if let Some(verdict) = played.verdict {
        // Writing to a String cannot fail.
        let _ = write!(text, "; idea verdict: {}", verdict.name());
    }
    let _ = write!(text, "; risk: {}", risk(played));
    let before = debate.rounds.len().checked_sub(2).and_then(|before| debate.rounds.get(before));
    if let Some(before) = before.filter(|before| !before.answered.is_empty()) {
        let whom = if before.is_by_proxy() { "the proxy" } else { "you" };
        let _ = write!(text, "\n\nthe synthesizer answered {whom}:");
        for answer in &before.answered {
            let _ = write!(text, "\n- {}", on_one_line(answer.as_str()));
        }
    }
    if played.raised.is_empty() {
        text.push_str("\nno objection was raised");
    }
    for raised in &played.raised {
        let _ = write!(text, "\n\n{}", citing::claimed(raised));
        for looked in &raised.evidence {
            let _ = write!(text, "\n  {}", citing::checked(looked));
        }
        if raised.evidence.is_empty() {
            text.push_str("\n  no evidence (unchecked)");
        }
        if let Some(first) = course.addressed_in(raised.id).filter(|first| *first < round) {
            let _ = write!(text, "\n  {}", addressed(debate, first, raised.id));
        } else if let Some((first, near)) = raised.near.and_then(|near| debate.raised(near)) {
            let _ = write!(text, "\n  It is worded much like {} of round {first}", near.id);
        }
        if let Some(assessed) = played.assessment(raised.id) {
            let _ = write!(text, "\n  {}: {}", assessed.assessment.name(), on_one_line(&assessed.why));
        }
    }
    if state.is_weak(number, round) {
        text.push_str("\n\nAttacks in this round lack specificity: the debate may have reached its natural end");
        if course.complete() >= debate::rounds::LEAST {
            text.push_str("; git grill debate accept ends it");
        }
    }
    text
}

/// The risk by the highest severity in a round, without objections whose citations are false (D23).
fn risk(round: &Round) -> String {
    let counts = round.raised.iter().filter(|raised| raised.cited() != Cited::NotThere);
    match counts.map(|raised| raised.severity).max() {
        // Three words say less than four severities.
        Some(grave) if grave.risk() != grave.name() => {
            format!("{} (from the gravest objection that counts, which is {grave})", grave.risk())
        }
        Some(grave) => format!("{} (from the gravest objection that counts)", grave.risk()),
        None => format!("{} (no objection counts)", Severity::Low.risk()),
    }
}

/// Whether the last two rounds brought something new, in a sentence (D3).
pub(super) fn productive(debate: &Debate) -> String {
    let first = |raised: &Raised| debate.raised(raised.id).map(|(round, _)| round);
    let rounds: Vec<(u32, &Round)> = debate.numbered().collect();
    let is_new = |round: u32, played: &Round, raised: &Raised| {
        let assessed = played.assessment(raised.id);
        let stands = assessed.is_some_and(|one| one.assessment.stands() && one.repeats.is_none());
        stands && first(raised) == Some(round) && raised.cited() != Cited::NotThere
    };
    let last = &rounds[rounds.len().saturating_sub(2)..];
    let new: usize = last
        .iter()
        .map(|(round, played)| played.raised.iter().filter(|raised| is_new(*round, played, raised)).count())
        .sum();
    match new {
        0 => "The last two rounds brought no new valid objection.".to_owned(),
        1 => "The last two rounds brought 1 new valid objection.".to_owned(),
        new => format!("The last two rounds brought {new} new valid objections."),
    }
}
