//! What requests about supervised agents come to.

use std::time::Duration;

use jiff::Timestamp;

use crate::app::ports::{AgentChanges, CleanedUp, LiveAgent, Offer, SeenSession, TurnResult};
use crate::domain::agents::doing::{Doing, Facts, Tree, doing};
use crate::domain::agents::event::Record;
use crate::domain::agents::failure::Failure;
use crate::domain::agents::limits::AgentLimits;
use crate::domain::agents::overlap::Overlap;
use crate::domain::agents::profile::Profile;
use crate::domain::agents::receipt::WaitReceipt;
use crate::domain::agents::reconcile::Presence;
use crate::domain::agents::state::{SessionState, TurnState};
use crate::domain::agents::waiting::Waiting;
use crate::domain::agents::{AgentHandle, AgentSession, TurnHandle};
use crate::domain::ids::ObjectId;
use crate::domain::text::Line;

use super::ran_out;

/// The exit code where a wait ran out of its time.
const RAN_OUT: u8 = 7;

/// The exit code where the person has to answer first.
const NEEDS_PERSON: u8 = 3;

/// What a request about supervised agents came to.
#[derive(Clone, Debug)]
pub enum Loan {
    Started {
        session: AgentHandle,
        turn: TurnHandle,
        /// The agent's name, and that of the product.
        agent: String,
        title: String,
        profile: Profile,
    },
    Sent {
        session: AgentHandle,
        turn: TurnHandle,
        /// Turns that come before it (A8).
        before: usize,
        /// It is sent only once the person has said whose the changes in the repository are (A25).
        held: bool,
    },
    List(LoanList),
    /// The same where no interview is active, which `git grill status` says.
    Alone(Box<LoanList>),
    Session {
        session: Box<LoanSession>,
        receipt: WaitReceipt,
    },
    /// The result that was asked for waits for the person.
    Waits {
        session: Box<LoanSession>,
        receipt: WaitReceipt,
    },
    Result {
        session: Box<LoanSession>,
        receipt: WaitReceipt,
        result: TurnResult,
    },
    Cancelled {
        session: Box<LoanSession>,
        /// None where all of the session was cancelled.
        turn: Option<TurnHandle>,
    },
    CleanedUp {
        session: AgentHandle,
        /// It is only shown what would be taken away.
        dry: bool,
        cleaned: CleanedUp,
    },
    Log {
        session: AgentHandle,
        records: Vec<Record>,
    },
    /// What the agent changed in its worktree.
    Changes {
        session: AgentHandle,
        changes: AgentChanges,
        /// What the person has to decide on in the repository before any of it can be accepted (A25).
        undecided: Option<Line>,
        /// That the newest turn may have left work half done.
        unfinished: Option<String>,
    },
    /// What can be accepted (A16).
    Offered {
        session: AgentHandle,
        offer: Offer,
        /// Those of its files that another session changed as well (A41).
        overlaps: Vec<Overlap>,
    },
    /// The difference of some of it.
    Difference {
        session: AgentHandle,
        diff: String,
    },
    /// Both changed the same lines of a file: the text with git's markers.
    Conflict {
        session: AgentHandle,
        path: String,
        text: String,
    },
    Accepted {
        session: AgentHandle,
        paths: Vec<String>,
        /// The ref that keeps what stood there before.
        kept: Option<String>,
        /// Files that nobody has accepted yet, where that could be told.
        rest: Option<u64>,
        /// The commit of it, and its branch, where one was asked for.
        commit: Option<(ObjectId, String)>,
    },
    /// An accept was taken back.
    TakenBack {
        session: AgentHandle,
        paths: Vec<String>,
        /// How many accepts of before still stand.
        older: usize,
        /// The commits that have the files of the newest of these, the newest first.
        committed: Vec<ObjectId>,
        /// It had been cut off in the middle.
        cut_off: bool,
        /// The ref that keeps the agent's work, where its copy is gone.
        work: Option<String>,
        /// Those of the paths that are staged, as an accept never does: each as it is, and as it is shown.
        staged: Vec<(Vec<u8>, String)>,
    },
}

impl Loan {
    /// The turn that was added, and its session.
    pub fn added(&self) -> Option<(AgentHandle, TurnHandle)> {
        match self {
            Self::Started { session, turn, .. } | Self::Sent { session, turn, .. } => Some((*session, *turn)),
            Self::List(_)
            | Self::Alone(_)
            | Self::Session { .. }
            | Self::Waits { .. }
            | Self::Result { .. }
            | Self::Cancelled { .. }
            | Self::CleanedUp { .. }
            | Self::Changes { .. }
            | Self::Offered { .. }
            | Self::Difference { .. }
            | Self::Conflict { .. }
            | Self::Accepted { .. }
            | Self::TakenBack { .. }
            | Self::Log { .. } => None,
        }
    }

    /// Whether it is read from beginning to end.
    pub fn is_long(&self) -> bool {
        matches!(self, Self::Difference { .. } | Self::Conflict { .. })
    }

    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Session { receipt, .. } if ran_out(receipt) => RAN_OUT,
            Self::Waits { .. } => NEEDS_PERSON,
            Self::Started { .. }
            | Self::Sent { .. }
            | Self::List(_)
            | Self::Alone(_)
            | Self::Session { .. }
            | Self::Result { .. }
            | Self::Cancelled { .. }
            | Self::CleanedUp { .. }
            | Self::Changes { .. }
            | Self::Offered { .. }
            | Self::Difference { .. }
            | Self::Conflict { .. }
            | Self::Accepted { .. }
            | Self::TakenBack { .. }
            | Self::Log { .. } => 0,
        }
    }
}

/// All sessions of the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoanList {
    pub now: Timestamp,
    /// What waits for the person, oldest first (A42).
    pub waiting: Vec<Waiting>,
    /// Files that more than one session changed (A41).
    pub overlaps: Vec<Overlap>,
    pub sessions: Vec<LoanSession>,
    pub unreadable: Vec<UnreadLoan>,
}

impl LoanList {
    pub fn is_empty(&self) -> bool {
        self.sessions.is_empty() && self.unreadable.is_empty()
    }
}

/// A session whose ledger could not be read, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadLoan {
    pub session: AgentHandle,
    pub why: String,
    pub hint: Option<String>,
}

/// A session, and what its agent is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoanSession {
    pub session: AgentSession,
    pub now: Timestamp,
    /// How it stands, and by the facts what it does (A38), in a sentence; some of it is foreign.
    pub doing: String,
    /// Since when.
    pub since: Timestamp,
    pub live: Option<LiveAgent>,
    /// Bytes of its worktree, where it has one (A43).
    pub size: Option<u64>,
    /// An accept of it was cut off, or its undo: files of the repository may be half written.
    pub half_done: bool,
    /// Why its ledger is read-only for us: a newer git grill wrote it.
    pub newer: Option<String>,
}

impl LoanSession {
    /// The session, and what it is doing at this time as its supervisor sees it.
    pub fn of(seen: SeenSession, now: Timestamp) -> Self {
        let (doing, since) = what_it_does(&seen, now);
        let SeenSession { session, live, size, half_done, newer } = seen;
        Self { session, now, doing, since, live, size, half_done, newer }
    }
}

impl LoanSession {
    /// Whether a turn, or whatever goes on where none is named, cannot end before the person has answered a question.
    pub(super) fn waits_before(&self, turn: Option<TurnHandle>) -> bool {
        let session = &self.session;
        let goes_on = match turn {
            Some(turn) => session.turn(turn).is_some_and(|turn| !turn.state.is_over()),
            None => session.result_turn(None).is_err() && session.open_turns().next().is_some(),
        };
        goes_on && (!session.asks.is_empty() || session.is_undecided())
    }
}

/// How it stands and what it does, in one sentence for people and programs, and since when.
fn what_it_does(seen: &SeenSession, now: Timestamp) -> (String, Timestamp) {
    let session = &seen.session;
    let quiet = Duration::from_millis(seen.live.as_ref().map_or(0, |live| live.quiet));
    let tool = seen.live.as_ref().and_then(|live| live.tool.as_deref()).map(Line::clipped);
    let facts = Facts {
        presence: if seen.live.is_some() { Presence::There } else { Presence::Gone },
        tool: tool.as_ref(),
        heard: now.checked_sub(quiet).unwrap_or(now),
        quiet,
        tree: tree(session),
    };
    let doing = doing(session, &facts, &AgentLimits::of(session.started.profile));
    let (since, rests) = match doing {
        Doing::WaitsForYou { since } | Doing::Thinks { since } | Doing::Silent { since } => (since, None),
        Doing::RunsTool { .. } => (session.active_turn().map_or(session.at, |active| active.since), None),
        Doing::EndedUnchanged
        | Doing::EndedUnread
        | Doing::Accepted
        | Doing::EndedWithChanges { .. }
        | Doing::PutAside { .. } => (session.at, Some(at_rest(session))),
    };
    // An ended session, and a profile that changes nothing, promise no changes.
    let may_change = session.started.profile.needs_worktree() && !session.state.is_terminal();
    let (state, since, words) = if seen.half_done {
        (over(session), session.at, Some("an accept or undo was interrupted".to_owned()))
    } else {
        let words = if doing == Doing::EndedUnread {
            // It reads them, or says why they cannot be read.
            Some(format!("{doing}: git grill agent changes {}", session.started.handle))
        } else if doing != Doing::EndedUnchanged {
            Some(doing.to_string())
        } else if session.kept_here {
            Some("you kept changes in the repository".to_owned())
        } else {
            may_change.then(|| doing.to_string())
        };
        (over(session).or(rests), since, words)
    };
    let all: Vec<String> = state.into_iter().chain(words).collect();
    (all.join("; "), since)
}

/// The state of a session that is over.
fn over(session: &AgentSession) -> Option<String> {
    match session.state {
        SessionState::Failed => Some(failed(session.failure.as_ref())),
        SessionState::Cancelled => Some("cancelled".to_owned()),
        SessionState::Cleaned => Some("cleaned up".to_owned()),
        SessionState::Starting | SessionState::TurnActive | SessionState::Idle => None,
    }
}

/// The state of a session whose agent does nothing. That it takes more prompts does not hide what became of the newest one.
fn at_rest(session: &AgentSession) -> String {
    if session.active_turn().is_some() || session.state == SessionState::Starting {
        return "not running".to_owned();
    }
    // A failure is what dropped the turns behind it.
    let newest = session.turns.iter().rfind(|turn| turn.state.is_over() && turn.state != TurnState::Dropped);
    if let Some(turn) = newest.filter(|turn| turn.state == TurnState::Failed) {
        return format!("{} {}", turn.handle, failed(turn.failure.as_ref()));
    }
    match session.turns.last().filter(|turn| turn.state == TurnState::Dropped) {
        Some(turn) => format!("{} was dropped", turn.handle),
        None => match newest.filter(|turn| turn.is_cut_short()) {
            Some(turn) => format!("{} was cut off", turn.handle),
            None => "idle".to_owned(),
        },
    }
}

fn failed(failure: Option<&Failure>) -> String {
    failure.map_or_else(|| "failed".to_owned(), |failure| format!("failed: {}", failure.code.name()))
}

/// The worktree as its supervisor recorded it.
fn tree(session: &AgentSession) -> Tree {
    match (session.state, session.changed.count()) {
        (SessionState::Cleaned, _) => Tree::Removed,
        _ if session.changed.unread => Tree::Unread,
        (_, 0) => Tree::Unchanged,
        (_, files) => Tree::Changed { files },
    }
}
