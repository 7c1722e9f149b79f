//! Decision on a command: events, or a refusal. What is proposed here is held against the same gate as a record that is
//! read.

use super::ask::{Ask, AskAnswer, AskKind};
use super::changed::ChangedFiles;
use super::command::{AgentContext, Command};
use super::event::{Event, Record};
use super::handle::TurnHandle;
use super::refusal::Refusal;
use super::session::AgentSession;
use super::state::{Foreground, TurnState};
use crate::domain::text::Line;

/// Decides on a command. Every beginning of the events is a legal ledger as well, so that a crash between two of them
/// leaves one.
pub fn decide(session: &AgentSession, command: &Command) -> Result<Vec<Event>, Refusal> {
    let events = proposed(session, command)?;
    let mut after = session.clone();
    for event in &events {
        after.take(&Record::new(after.seq + 1, after.at, event.clone()))?;
    }
    Ok(events)
}

fn proposed(session: &AgentSession, command: &Command) -> Result<Vec<Event>, Refusal> {
    let handle = session.started.handle;
    Ok(match command {
        Command::Supervise { process } => vec![Event::SupervisorBegan { process: process.clone() }],
        Command::Leave => vec![Event::SupervisorLeft],
        Command::RecordLaunch { process } => vec![Event::AgentLaunched { process: process.clone() }],
        Command::RecordEnd => vec![Event::AgentEnded],
        Command::RecordOpening { backend, opening } => {
            vec![Event::BackendOpened { backend: backend.clone(), opening: *opening }]
        }
        Command::RecordProof { proof } => vec![Event::WorktreeProved { proof: proof.clone() }],
        Command::Send { context, media } => {
            session.need_live("no prompt was added")?;
            match context {
                AgentContext::Kept => vec![Event::TurnQueued { turn: session.next_turn()?, media: media.clone() }],
                AgentContext::Lost { why } => return Err(Refusal::ContextLost { handle, why: why.clone() }),
            }
        }
        Command::RecordSent => {
            session.need_live("no prompt was sent")?;
            let first = session.queue().next().ok_or(Refusal::NothingQueued { handle })?;
            vec![Event::TurnSent { turn: first.handle }]
        }
        Command::FailQueued { failure } => {
            let first = session.queue().next().ok_or(Refusal::NothingQueued { handle })?;
            vec![Event::TurnFailed { turn: first.handle, failure: failure.clone() }]
        }
        Command::RecordRunning => running(session),
        Command::RecordRest { stop } => resting(session, stop),
        Command::FailTurn { failure } => {
            let turn = session.active_turn().ok_or(Refusal::NoActiveTurn { handle })?.handle;
            let failed = Event::TurnFailed { turn, failure: failure.clone() };
            unanswered(session).into_iter().chain([failed]).collect()
        }
        Command::Fail { failure } => {
            session.need_live("the session did not fail")?;
            let mut events = ending(session, |turn| Event::TurnFailed { turn, failure: failure.clone() });
            events.push(Event::SessionFailed { failure: failure.clone() });
            events
        }
        Command::CancelTurn { turn } => {
            let is_active = session.active_turn().is_some_and(|active| active.handle == *turn);
            let mut events = if is_active { unanswered(session) } else { Vec::new() };
            events.push(Event::TurnCancelled { turn: *turn });
            events
        }
        Command::Cancel => {
            session.need_live("nothing was cancelled")?;
            let mut events = ending(session, |turn| Event::TurnCancelled { turn });
            events.push(Event::SessionCancelled);
            events
        }
        Command::Ask { kind, words } => asking(session, *kind, words),
        Command::Answer { number, answer } => {
            let mut events = vec![Event::Answered { number: *number, answer: answer.clone() }];
            let was_last = session.asks.iter().all(|open| open.ask.number == *number);
            if was_last && session.active_turn().is_some() {
                events.extend(foreground(session, Foreground::Running));
            }
            events
        }
        Command::Rule { kind, words, why } => ruling(session, *kind, words, why),
        Command::ReportUsage { report } => vec![Event::UsageReported { report: report.clone() }],
        Command::RecordMade { media } if media.is_empty() => Vec::new(),
        Command::RecordMade { media } => {
            let turn = session.active_turn().ok_or(Refusal::NoActiveTurn { handle })?.handle;
            vec![Event::MediaMade { turn, media: media.clone() }]
        }
        Command::RecordChanges { files } => changed(session, files).into_iter().collect(),
        Command::RecordSetup { how } => vec![Event::SetupEnded { how: how.clone() }],
        Command::RecordWatch => vec![Event::ParentWatched],
        Command::RecordParentChange { found } => vec![Event::ParentUndecided { found: found.clone() }],
        Command::RecordRestored { places, left, copy, rest } => {
            let restored = Event::ParentRestored { places: places.clone(), left: *left, copy: copy.clone() };
            std::iter::once(restored).chain(still_undecided(rest.as_ref())).collect()
        }
        Command::RecordParentKept { places, rest } => {
            let kept = Event::ParentKept { places: places.clone() };
            std::iter::once(kept).chain(still_undecided(rest.as_ref())).collect()
        }
        Command::SettleParent { kept, unseen } => vec![Event::ParentSettled { kept: kept.clone(), unseen: *unseen }],
        Command::RecordKept { commit } => vec![Event::WorkKept { commit: commit.clone() }],
        Command::RecordAccept { acceptance, rest } => {
            let is_news = !session.accepts.contains_key(&acceptance.step);
            let accepted = Event::WorkAccepted { acceptance: acceptance.clone() };
            is_news.then_some(accepted).into_iter().chain(left_over(session, rest.as_ref())).collect()
        }
        Command::RecordUndo { acceptance, rest } => {
            let is_news = session.accepts.contains_key(&acceptance.step);
            let undone = Event::AcceptUndone { acceptance: acceptance.clone() };
            is_news.then_some(undone).into_iter().chain(left_over(session, rest.as_ref())).collect()
        }
        Command::CleanUp => vec![Event::SessionCleaned],
    })
}

fn asking(session: &AgentSession, kind: AskKind, words: &Line) -> Vec<Event> {
    let ask = Ask { number: session.asked.saturating_add(1), kind, words: words.clone() };
    let mut events: Vec<Event> = streaming(session).into_iter().collect();
    events.push(Event::Asked { ask });
    events.extend(foreground(session, Foreground::Waits));
    events
}

/// Something that the rules answer at once: nothing waits for it.
fn ruling(session: &AgentSession, kind: AskKind, words: &Line, why: &Line) -> Vec<Event> {
    let number = session.asked.saturating_add(1);
    let asked = Event::Asked { ask: Ask { number, kind, words: words.clone() } };
    let answered = Event::Answered { number, answer: AskAnswer::Policy { why: why.clone() } };
    streaming(session).into_iter().chain([asked, answered]).collect()
}

/// The end of all that is open: each ask is answered once, as cancelled (A35), the active turn ends as the caller says,
/// and the prompts that wait are dropped (A10).
pub(super) fn ending(session: &AgentSession, of_active: impl Fn(TurnHandle) -> Event) -> Vec<Event> {
    let mut events = unanswered(session);
    events.extend(session.active_turn().map(|active| of_active(active.handle)));
    events.extend(session.queue().map(|waiting| Event::TurnDropped { turn: waiting.handle }));
    events
}

/// The answer of every open ask when its turn ends.
fn unanswered(session: &AgentSession) -> Vec<Event> {
    let cancelled = |number| Event::Answered { number, answer: AskAnswer::Cancelled };
    session.asks.iter().map(|open| cancelled(open.ask.number)).collect()
}

fn running(session: &AgentSession) -> Vec<Event> {
    streaming(session).into_iter().chain(foreground(session, Foreground::Running)).collect()
}

/// The end of the active turn, as the agent tells it.
fn resting(session: &AgentSession, stop: &Line) -> Vec<Event> {
    let Some(active) = session.active_turn() else {
        return foreground(session, Foreground::Idle).into_iter().collect();
    };
    let completed = Event::TurnCompleted { turn: active.handle, stop: stop.clone() };
    unanswered(session).into_iter().chain(streaming(session)).chain([completed]).collect()
}

/// The first sign of the active turn.
fn streaming(session: &AgentSession) -> Option<Event> {
    let sent = session.active_turn().filter(|active| active.state == TurnState::Sent)?;
    Some(Event::TurnStreaming { turn: sent.handle })
}

/// What differs in the worktree, if that is news.
fn changed(session: &AgentSession, files: &ChangedFiles) -> Option<Event> {
    (session.changed != *files).then(|| Event::FilesChanged { files: files.clone() })
}

/// What is left to decide once some of it was, where anything is.
fn still_undecided(rest: Option<&Line>) -> Option<Event> {
    rest.map(|rest| Event::ParentUndecided { found: rest.clone() })
}

/// The same of what is left after an accept, where that is known.
fn left_over(session: &AgentSession, rest: Option<&ChangedFiles>) -> Option<Event> {
    rest.and_then(|rest| changed(session, rest))
}

/// A change of the foreground state, if it is one.
fn foreground(session: &AgentSession, now: Foreground) -> Option<Event> {
    (session.foreground != now).then_some(Event::ForegroundChanged { now })
}
