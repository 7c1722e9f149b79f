//! What people and host agents ask of supervised agents (A1): one request, whoever makes it.

pub mod accepting;
pub mod answering;
mod asking;
mod choosing;
mod committing;
mod conflicts;
pub mod lent;
mod naming;
#[cfg(test)]
mod tests;
mod together;

use jiff::Timestamp;

use crate::agents::Preset;
use crate::domain::actor::Actor;
use crate::domain::agents::overlap::overlaps;
use crate::domain::agents::profile::Profile;
use crate::domain::agents::receipt::{WaitOutcome, WaitReceipt, WaitSeconds, WaitTooLong};
use crate::domain::agents::refusal::Refusal;
use crate::domain::agents::waiting::waiting;
use crate::domain::agents::{AgentHandle, TurnHandle};
use crate::domain::posture::Posture;

use super::context::Context;
use super::error::{AppError, not_answered};
use super::ports::{CleanedUp, SeenSession, StartOrder, Supervising, Sweep, UnreadableSession, Walls, Within};
use super::prompt::Prompter;
use super::reply::Reply;
pub use crate::domain::agents::request::{AgentRequest, StartsAt};
use asking::Confirmation;
use lent::{Loan, LoanList, LoanSession, UnreadLoan};

/// The longest prompt, in bytes.
pub const LONGEST_PROMPT: usize = 256 * 1024;

/// The code of a clean-up by which something would be lost.
pub const NOT_KEPT: &str = "worktree_not_kept";
/// The code of a working tree whose changes a copy of it would lack.
const NOT_CLEAN: &str = "cwd_dirty_for_edit";
/// The code of a repository that has no commit yet.
const NO_COMMIT: &str = "cwd_without_commit";
/// How an agent is started where there are no walls.
const ASKED_THEN: &str = "git grill doctor says what is missing; git grill agent start, at a terminal, asks whether to start without a sandbox";
const TIDYING: &str = "cleaning up";

/// Serves a request. An agent is started only after its provider may be used (A11).
pub fn serve(context: &mut Context<'_>, request: AgentRequest) -> Result<Reply, AppError> {
    let served = counter(context)?.serve(request).map(replied);
    served.map_err(|error| leading_on(context, error, None))
}

/// The error with a way out that git does not refuse: where a session keeps it from committing, what needs a commit
/// needs more than that. `ends` says what ends that session's hold; what does in general where it is none.
pub fn leading_on(context: &Context<'_>, error: AppError, ends: Option<&str>) -> AppError {
    let AppError::Declined { code: code @ (NOT_CLEAN | NO_COMMIT), message, causes, hint } = error else {
        return error;
    };
    let hint = match context.pointed_to() {
        Ok(session) if !Posture::of(&session.phase).refuses_nothing() => {
            let ends = ends.unwrap_or(if session.own.plan.is_on() {
                "git grill plan off ends plan mode"
            } else {
                "git grill stop ends the session"
            });
            format!("{ends}, in which git refuses commits; then {hint}")
        }
        Ok(_) | Err(_) => hint,
    };
    AppError::Declined { code, message, causes, hint }
}

fn counter<'c>(context: &'c mut Context<'_>) -> Result<Counter<'c>, AppError> {
    Ok(Counter {
        port: supervising(context)?,
        can_ask: can_ask(context),
        now: context.dispatcher.clock.now(),
        default: context.lent_agent.as_deref().or(context.leader.as_deref()),
        actor: &context.actor,
        prompter: &mut *context.prompter,
    })
}

/// Refuses where nothing keeps an agent from changing files.
fn walled(port: &dyn Supervising) -> Result<(), AppError> {
    match port.walls() {
        Walls::Hold => Ok(()),
        Walls::Missing(why) => Err(no_walls(why, "git grill doctor says what is missing")),
    }
}

fn no_walls(why: String, hint: &str) -> AppError {
    AppError::Declined {
        code: "no_walls",
        message: "nothing was started: nothing here can keep an agent from changing your files".to_owned(),
        causes: vec![why],
        hint: hint.to_owned(),
    }
}

/// Whether a person can be asked, and if not, why not. One who sits behind an agent can be, by a form of its client.
fn can_ask(context: &Context<'_>) -> Result<(), String> {
    match &context.actor {
        Actor::Agent(_) if context.prompter.later() || context.prompter.at_hand() => Ok(()),
        Actor::Agent(_) | Actor::Human | Actor::Unattended | Actor::System => context.can_ask(),
    }
}

/// Every record of a session, for people.
pub fn log(context: &Context<'_>, session: AgentHandle) -> Result<Reply, AppError> {
    let port = supervising(context)?;
    let mut records = Vec::new();
    port.log(session, &mut |record| records.push(record.clone()))?;
    Ok(replied(Loan::Log { session, records }))
}

/// The sessions that stand beside an interview; none where there are none, or where they cannot be listed.
pub fn beside(context: &mut Context<'_>) -> Option<Box<LoanList>> {
    let port = context.supervising?;
    match listed(port, context.dispatcher.clock.now()) {
        Ok(list) if list.is_empty() => None,
        Ok(list) => Some(Box::new(list)),
        Err(error) => {
            context.voice.warn(&error);
            None
        }
    }
}

/// The agents that are supervised here.
pub fn supervising<'a>(context: &Context<'a>) -> Result<&'a dyn Supervising, AppError> {
    context.supervising.ok_or_else(|| AppError::Usage {
        message: "no agent can be started here".to_owned(),
        hint: "type it outside of every run, with a git grill that was built with the feature acp".to_owned(),
    })
}

pub fn replied(lent: Loan) -> Reply {
    Reply::Loan(Box::new(lent))
}

impl From<Refusal> for AppError {
    fn from(refusal: Refusal) -> Self {
        let (code, causes, hint) = (refusal.code(), refusal.causes(), refusal.hint());
        Self::Declined { code, message: refusal.to_string(), causes, hint }
    }
}

impl From<WaitTooLong> for AppError {
    fn from(error: WaitTooLong) -> Self {
        Self::Usage { message: error.to_string(), hint: "ask again: a wait can be repeated".to_owned() }
    }
}

/// A prompt and the pictures that go with it.
struct Sent {
    prompt: String,
    /// Paths of pictures.
    media: Vec<String>,
}

/// Where requests are served: who makes them, and who can be asked.
struct Counter<'c> {
    port: &'c dyn Supervising,
    /// Whether a person can be asked, and if not, why not.
    can_ask: Result<(), String>,
    now: Timestamp,
    /// The agent that gets the work unless the request names one.
    default: Option<&'c str>,
    actor: &'c Actor,
    prompter: &'c mut dyn Prompter,
}

impl Counter<'_> {
    fn serve(&mut self, request: AgentRequest) -> Result<Loan, AppError> {
        match request {
            AgentRequest::Start { agent, profile, at, prompt, media, confirmed } => {
                let sent = Sent { prompt, media };
                self.start(agent.as_deref(), (profile, at), &sent, Confirmation::of(confirmed))
            }
            AgentRequest::Send { session, prompt, media, confirmed } => {
                self.send(session, &Sent { prompt, media }, Confirmation::of(confirmed))
            }
            AgentRequest::Status { session: None, wait } if wait == WaitSeconds::default() => {
                listed(self.port, self.now).map(Loan::List)
            }
            AgentRequest::Status { session: None, wait: _ } => Err(AppError::Usage {
                message: "nothing was waited for: no session was named".to_owned(),
                hint: "git grill agent status g1 --wait 30".to_owned(),
            }),
            AgentRequest::Status { session: Some(session), wait } => self.waited(session, wait),
            AgentRequest::Result { session, turn, wait } => self.result(session, turn, wait),
            AgentRequest::Changes { session } => {
                let seen = self.port.session(session)?;
                if !seen.session.started.profile.needs_worktree() {
                    return Err(no_worktree(&seen));
                }
                let undecided = seen.session.undecided().cloned();
                let unfinished = choosing::unfinished(&seen.session);
                Ok(Loan::Changes { session, changes: self.port.changes(session)?, undecided, unfinished })
            }
            AgentRequest::Cancel { session, turn } => {
                let seen = self.port.cancel(session, turn)?;
                Ok(Loan::Cancelled { session: self.seen(seen), turn })
            }
            AgentRequest::Cleanup { session, dry } => {
                let cleaned = if dry { self.port.clean_up(session, Sweep::Listed) } else { self.clean_up(session) }?;
                Ok(Loan::CleanedUp { session, dry, cleaned })
            }
        }
    }

    fn start(
        &mut self,
        agent: Option<&str>,
        (profile, at): (Profile, StartsAt),
        sent: &Sent,
        confirmation: Confirmation,
    ) -> Result<Loan, AppError> {
        let prompt = checked(&sent.prompt)?;
        let walls = self.port.walls();
        if let (Walls::Missing(why), Err(_)) = (&walls, &self.can_ask) {
            return Err(no_walls(why.clone(), ASKED_THEN));
        }
        if let Walls::Missing(_) = walls {
            // Its baseline would hold what nobody has decided on yet.
            for seen in self.port.sessions()?.0 {
                seen.session.need_decided("no agent was started")?;
            }
        }
        let leader = self.port.known(self.named(agent)?)?;
        // What cannot be is refused before anybody is asked.
        self.port.ready(&leader.name, profile)?;
        let pictures = &*self.port.pictures(&sent.media)?;
        self.agree_to_start(&leader, (profile, &walls), pictures, confirmation)?;
        let within = match walls {
            Walls::Hold => Within::Walls,
            Walls::Missing(_) => Within::WhatThereIs,
        };
        let session = self.port.start(&StartOrder { agent: &leader.name, profile, at, within, prompt, pictures })?;
        Ok(Loan::Started { session, turn: TurnHandle::FIRST, agent: leader.name, title: leader.title, profile })
    }

    fn send(&mut self, session: AgentHandle, sent: &Sent, confirmation: Confirmation) -> Result<Loan, AppError> {
        let prompt = checked(&sent.prompt)?;
        let seen = self.port.session(session)?;
        let state = seen.session.state;
        if state.is_terminal() {
            return Err(Refusal::SessionTerminal { deed: "no prompt was added", handle: session, state }.into());
        }
        if seen.live.is_none() {
            // Its agent has to be started again.
            seen.session.need_decided("no prompt was added")?;
        }
        let pictures = self.port.pictures(&sent.media)?;
        self.agree_to_send(&seen, &pictures, confirmation)?;
        let turn = self.port.send(session, prompt, &pictures)?;
        Ok(Loan::Sent { session, turn, before: seen.session.open_turns().count(), held: seen.session.is_undecided() })
    }

    /// Tidies. What cannot be kept goes only if the person says so after they have read what it is (A26).
    fn clean_up(&mut self, session: AgentHandle) -> Result<CleanedUp, AppError> {
        match self.port.clean_up(session, Sweep::Kept) {
            Err(error) if error.code() == NOT_KEPT && self.is_typed() => {
                let question = format!("{error}. Remove it for good?");
                let granted = self.prompter.confirm(&question).answered().map_err(not_answered(TIDYING))?;
                if granted { self.port.clean_up(session, Sweep::All) } else { Err(error) }
            }
            other => other,
        }
    }

    fn waited(&self, session: AgentHandle, wait: WaitSeconds) -> Result<Loan, AppError> {
        let (seen, receipt) = self.port.wait(session, None, wait)?;
        Ok(Loan::Session { session: self.seen(seen), receipt })
    }

    /// The result, or where the time ran out the session, which goes on.
    fn result(&self, session: AgentHandle, turn: Option<TurnHandle>, wait: WaitSeconds) -> Result<Loan, AppError> {
        let (seen, receipt) = self.port.wait(session, turn, wait)?;
        let session_now = self.seen(seen);
        match receipt.outcome {
            WaitOutcome::TimedOut => Ok(Loan::Session { session: session_now, receipt }),
            WaitOutcome::NotRequested | WaitOutcome::AlreadyOver | WaitOutcome::NeedsPerson | WaitOutcome::Reached => {
                // What is waited for cannot come before the person has answered.
                if session_now.waits_before(turn) {
                    return Ok(Loan::Waits { session: session_now, receipt });
                }
                let result = self.port.result(session, turn)?;
                Ok(Loan::Result { session: session_now, receipt, result })
            }
        }
    }

    fn seen(&self, seen: SeenSession) -> Box<LoanSession> {
        Box::new(LoanSession::of(seen, self.now))
    }

    /// The agent that is meant: the named one, else the one that the configuration names, else the one that leads.
    fn named<'n>(&'n self, agent: Option<&'n str>) -> Result<&'n str, AppError> {
        agent.or(self.default).ok_or_else(|| AppError::Usage {
            message: "nothing was started: no agent was named".to_owned(),
            hint: format!(
                "name one of {}, or one of your own: git grill agent start --agent claude \"<prompt>\"; git \
                 config --global grill.agent.default claude names it for good",
                Preset::names()
            ),
        })
    }
}

/// All sessions as they stand, and what waits for the person.
fn listed(port: &dyn Supervising, now: Timestamp) -> Result<LoanList, AppError> {
    let (seen, unreadable) = port.sessions()?;
    let waiting = waiting(seen.iter().map(|seen| &seen.session));
    let overlaps = overlaps(seen.iter().map(|seen| &seen.session));
    let unread =
        |one: UnreadableSession| UnreadLoan { session: one.handle, why: one.error.to_string(), hint: one.error.hint() };
    Ok(LoanList {
        now,
        waiting,
        overlaps,
        sessions: seen.into_iter().map(|seen| LoanSession::of(seen, now)).collect(),
        unreadable: unreadable.into_iter().map(unread).collect(),
    })
}

fn checked(prompt: &str) -> Result<&str, AppError> {
    let wrong = match prompt.trim() {
        "" => "the prompt is empty".to_owned(),
        trimmed if trimmed.len() > LONGEST_PROMPT => {
            format!("the prompt has {} bytes, and {LONGEST_PROMPT} are the most", trimmed.len())
        }
        trimmed => return Ok(trimmed),
    };
    Err(AppError::Usage {
        message: format!("nothing was sent: {wrong}"),
        hint: "give the prompt in words, or - to read it from standard input; long texts can stay in files of the repository"
            .to_owned(),
    })
}

fn no_worktree(seen: &SeenSession) -> AppError {
    let (session, profile) = (seen.session.started.handle, seen.session.started.profile);
    AppError::Declined {
        code: "no_worktree",
        message: format!("no changes were read: profile {profile} of {session} has no worktree"),
        causes: Vec::new(),
        hint: format!("git grill agent result {session} shows what the agent said"),
    }
}

/// Whether a wait ran out of its time.
pub fn ran_out(receipt: &WaitReceipt) -> bool {
    receipt.outcome == WaitOutcome::TimedOut
}
