//! Events of an agent session, as its ledger keeps them (A6). The names of the kinds and of the fields are the stored
//! format: they stay, and new ones are added beside them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::acceptance::Acceptance;
use super::ask::{Ask, AskAnswer};
use super::changed::ChangedFiles;
use super::failure::Failure;
use super::handle::{AgentHandle, TurnHandle};
use super::media::Media;
use super::process::KnownProcess;
use super::profile::Profile;
use super::state::Foreground;
use super::usage::UsageReport;
use crate::domain::ids::{AgentSessionId, ObjectId};
use crate::domain::text::Line;

/// Version of the records that we write. One of a newer version makes a ledger read-only for us.
pub const FORMAT: u32 = 1;

/// Beginning of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    pub handle: AgentHandle,
    pub id: AgentSessionId,
    /// Name of the agent.
    pub agent: Line,
    pub profile: Profile,
    /// The folder of the caller, as an absolute path.
    pub folder: String,
    /// The commit that HEAD was at (A13).
    pub base: ObjectId,
    pub supervisor: KnownProcess,
    /// A person let it start where nothing keeps it from writing (A25).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unwalled: bool,
}

/// Proof of the worktree that the agent is started in (A14).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorktreeProof {
    /// Its top.
    pub path: String,
    /// The folder that the agent starts in.
    pub cwd: String,
    pub head: ObjectId,
    pub tree: ObjectId,
}

/// Way in which the agent's own session was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opening {
    New,
    /// One of before was loaded, with its context.
    Loaded,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum Event {
    Started(Box<Started>),
    /// Another supervisor took the session over.
    SupervisorBegan {
        process: KnownProcess,
    },
    /// The supervisor ended on its own account.
    SupervisorLeft,
    /// The supervisor's process was found gone (A10).
    SupervisorLost,
    AgentLaunched {
        process: KnownProcess,
    },
    /// The agent's process group was proven dead (A37).
    AgentEnded,
    /// The agent's own session is open, under the name that the agent gave it.
    BackendOpened {
        backend: Line,
        opening: Opening,
    },
    WorktreeProved {
        proof: Box<WorktreeProof>,
    },
    /// The command of `grill.agent.setup` ended, and how; what it printed is a file of the session (A29).
    SetupEnded {
        how: Line,
    },
    /// From here on the repository is watched, since nothing keeps the agent from writing there (A25).
    ParentWatched,
    /// Something changed there, or that could not be told; the person is to say whose it is.
    ParentUndecided {
        found: Line,
    },
    /// The person had these changes taken back; what was there before that is kept.
    ParentRestored {
        places: ChangedFiles,
        /// How many of them could not be.
        #[serde(default, skip_serializing_if = "is_none_left")]
        left: u32,
        /// The ref that keeps it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        copy: Option<Line>,
    },
    /// The person left before all was decided; these changes stay as they are.
    ParentKept {
        places: ChangedFiles,
    },
    /// Nothing changed there, or the person has settled it.
    ParentSettled {
        /// What they said is to stay as it is.
        #[serde(default, skip_serializing_if = "ChangedFiles::is_empty")]
        kept: ChangedFiles,
        /// Nothing could be compared any more, and they took it as it was.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unseen: bool,
    },
    /// A prompt was taken; its text is an artifact of the turn, and the pictures that go with it are files of the session.
    TurnQueued {
        turn: TurnHandle,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        media: Vec<Media>,
    },
    TurnSent {
        turn: TurnHandle,
    },
    TurnStreaming {
        turn: TurnHandle,
    },
    TurnCompleted {
        turn: TurnHandle,
        /// The reason that the agent gave, in its own word (A31).
        stop: Line,
    },
    TurnFailed {
        turn: TurnHandle,
        failure: Failure,
    },
    TurnCancelled {
        turn: TurnHandle,
    },
    TurnDropped {
        turn: TurnHandle,
    },
    ForegroundChanged {
        now: Foreground,
    },
    Asked {
        ask: Ask,
    },
    Answered {
        number: u32,
        answer: AskAnswer,
    },
    UsageReported {
        report: UsageReport,
    },
    /// Media that the agent made in this turn were copied to files of the session (A20).
    MediaMade {
        turn: TurnHandle,
        media: Vec<Media>,
    },
    FilesChanged {
        files: ChangedFiles,
    },
    /// The work in the worktree was put on a ref of its own (A26).
    WorkKept {
        commit: ObjectId,
    },
    /// Some of the work was taken over (A16).
    WorkAccepted {
        acceptance: Acceptance,
    },
    /// The newest of these steps was taken back.
    AcceptUndone {
        acceptance: Acceptance,
    },
    SessionFailed {
        failure: Failure,
    },
    SessionCancelled,
    SessionCleaned,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out a reference")]
fn is_none_left(left: &u32) -> bool {
    *left == 0
}

impl Event {
    /// Every kind, as it is stored.
    pub const KINDS: [&str; 33] = [
        "started",
        "supervisor-began",
        "supervisor-left",
        "supervisor-lost",
        "agent-launched",
        "agent-ended",
        "backend-opened",
        "worktree-proved",
        "setup-ended",
        "parent-watched",
        "parent-undecided",
        "parent-restored",
        "parent-kept",
        "parent-settled",
        "turn-queued",
        "turn-sent",
        "turn-streaming",
        "turn-completed",
        "turn-failed",
        "turn-cancelled",
        "turn-dropped",
        "foreground-changed",
        "asked",
        "answered",
        "usage-reported",
        "media-made",
        "files-changed",
        "work-kept",
        "work-accepted",
        "accept-undone",
        "session-failed",
        "session-cancelled",
        "session-cleaned",
    ];

    /// Whether we know a kind. One that we do not know is of a newer version.
    pub fn is_kind(name: &str) -> bool {
        Self::KINDS.contains(&name)
    }

    /// Whether the event ends something that would stay open without it. For these a full ledger keeps some room.
    pub fn closes(&self) -> bool {
        match self {
            Self::SupervisorLeft
            | Self::SupervisorLost
            | Self::AgentEnded
            | Self::TurnCompleted { .. }
            | Self::TurnFailed { .. }
            | Self::TurnCancelled { .. }
            | Self::TurnDropped { .. }
            | Self::Answered { .. }
            | Self::ParentUndecided { .. }
            | Self::ParentRestored { .. }
            | Self::ParentKept { .. }
            | Self::ParentSettled { .. }
            | Self::WorkKept { .. }
            | Self::WorkAccepted { .. }
            | Self::AcceptUndone { .. }
            | Self::SessionFailed { .. }
            | Self::SessionCancelled
            | Self::SessionCleaned => true,
            Self::Started(_)
            | Self::SupervisorBegan { .. }
            | Self::AgentLaunched { .. }
            | Self::BackendOpened { .. }
            | Self::WorktreeProved { .. }
            | Self::SetupEnded { .. }
            | Self::ParentWatched
            | Self::TurnQueued { .. }
            | Self::TurnSent { .. }
            | Self::TurnStreaming { .. }
            | Self::ForegroundChanged { .. }
            | Self::Asked { .. }
            | Self::UsageReported { .. }
            | Self::MediaMade { .. }
            | Self::FilesChanged { .. } => false,
        }
    }
}

/// An event with its place in the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Version of the record; see [`FORMAT`].
    pub v: u32,
    /// From 1, without a gap.
    pub seq: u64,
    pub at: Timestamp,
    #[serde(flatten)]
    pub event: Event,
}

impl Record {
    pub fn new(seq: u64, at: Timestamp, event: Event) -> Self {
        Self { v: FORMAT, seq, at, event }
    }
}
