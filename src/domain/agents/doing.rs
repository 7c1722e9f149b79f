//! State words (A38): what a session is doing, told from facts about its process and its tree, never from its own
//! words.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;

use super::limits::AgentLimits;
use super::parent_watch::ParentWatch;
use super::reconcile::Presence;
use super::session::AgentSession;
use super::state::SessionState;
use crate::domain::ids::ObjectId;
use crate::domain::text::Line;

/// The session's worktree, compared with the commit of its proof and with what was accepted of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tree {
    /// It is as it was made; or there never was one.
    Unchanged,
    Changed {
        files: u64,
    },
    /// It could not be read, or nobody has read it since the agent worked in it.
    Unread,
    /// It was removed.
    Removed,
}

/// Facts that were seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts<'f> {
    /// Presence of the agent's process; before there is one, of the supervisor's.
    pub presence: Presence,
    /// A tool call or a program of the agent that goes on.
    pub tool: Option<&'f Line>,
    /// The newest sign of activity.
    pub heard: Timestamp,
    /// Time since then, without the time that the machine slept.
    pub quiet: Duration,
    pub tree: Tree,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doing<'f> {
    WaitsForYou {
        since: Timestamp,
    },
    Thinks {
        since: Timestamp,
    },
    RunsTool {
        which: &'f Line,
    },
    Silent {
        since: Timestamp,
    },
    EndedUnchanged,
    EndedUnread,
    EndedWithChanges {
        files: u64,
    },
    /// Everything that it changed was accepted.
    Accepted,
    /// Its work is kept by this commit.
    PutAside {
        commit: &'f ObjectId,
    },
}

/// In the words of a list of sessions; the name of a tool is foreign.
impl fmt::Display for Doing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WaitsForYou { .. } => f.write_str("waits for you"),
            Self::Thinks { .. } => f.write_str("thinks"),
            Self::RunsTool { which } => write!(f, "runs a tool: {which}"),
            Self::Silent { .. } => f.write_str("silent"),
            Self::EndedUnchanged => f.write_str("no changes to accept"),
            Self::EndedUnread => f.write_str("its changes are not known yet"),
            Self::EndedWithChanges { files: 1 } => f.write_str("1 file to accept"),
            Self::EndedWithChanges { files } => write!(f, "{files} files to accept"),
            Self::Accepted => f.write_str("all changes accepted"),
            Self::PutAside { commit } => write!(f, "work put aside: {}", commit.short()),
        }
    }
}

/// What a session is doing. A change in the repository that nobody has decided on comes first, also when the process is
/// gone, which otherwise does nothing, whatever its ledger says; then a question to a person, and a tool that runs before
/// silence.
pub fn doing<'f>(session: &'f AgentSession, facts: &Facts<'f>, limits: &AgentLimits) -> Doing<'f> {
    if let Some(ParentWatch::Undecided { since, .. }) = session.parent {
        return Doing::WaitsForYou { since };
    }
    match facts.presence {
        Presence::There => at_work(session, facts, limits).unwrap_or_else(|| ended(session, facts.tree)),
        Presence::Gone => ended(session, facts.tree),
    }
}

fn at_work<'f>(session: &AgentSession, facts: &Facts<'f>, limits: &AgentLimits) -> Option<Doing<'f>> {
    if let Some(oldest) = session.asks.first() {
        return Some(Doing::WaitsForYou { since: oldest.since });
    }
    let began = match session.state {
        SessionState::Starting => session.began,
        SessionState::TurnActive => session.active_turn().map_or(session.at, |active| active.since),
        SessionState::Idle | SessionState::Failed | SessionState::Cancelled | SessionState::Cleaned => return None,
    };
    Some(match facts.tool {
        Some(which) => Doing::RunsTool { which },
        None if facts.quiet >= limits.quiet => Doing::Silent { since: facts.heard },
        None => Doing::Thinks { since: began },
    })
}

fn ended(session: &AgentSession, tree: Tree) -> Doing<'_> {
    match (tree, &session.kept) {
        (Tree::Changed { files }, _) => Doing::EndedWithChanges { files },
        (Tree::Unread, _) => Doing::EndedUnread,
        (Tree::Removed, Some(commit)) if session.changed.count() > 0 => Doing::PutAside { commit },
        (Tree::Unchanged | Tree::Removed, _) if !session.accepts.is_empty() => Doing::Accepted,
        (Tree::Removed, Some(commit)) => Doing::PutAside { commit },
        (Tree::Removed, None) | (Tree::Unchanged, _) => Doing::EndedUnchanged,
    }
}
