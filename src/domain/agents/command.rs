//! Commands to an agent session: what people, agents and the supervisor want of it.

use super::acceptance::Acceptance;
use super::ask::{AskAnswer, AskKind};
use super::changed::ChangedFiles;
use super::event::{Opening, WorktreeProof};
use super::failure::Failure;
use super::handle::TurnHandle;
use super::media::Media;
use super::process::KnownProcess;
use super::usage::UsageReport;
use crate::domain::ids::ObjectId;
use crate::domain::text::Line;

/// What an agent knows of its session, as the next prompt finds it (A10).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentContext {
    /// The agent runs, or can load its session.
    Kept,
    /// It cannot go on with what it knew, for this reason.
    Lost { why: Line },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Take the session over, as its supervisor.
    Supervise {
        process: KnownProcess,
    },
    /// Leave it, with the agent ended.
    Leave,
    RecordLaunch {
        process: KnownProcess,
    },
    /// Record that the agent's process group is proven dead.
    RecordEnd,
    RecordOpening {
        backend: Line,
        opening: Opening,
    },
    RecordProof {
        proof: Box<WorktreeProof>,
    },
    /// Add a prompt, behind those that wait (A8), and the pictures that go with it (A19).
    Send {
        context: AgentContext,
        media: Vec<Media>,
    },
    /// Record that the first prompt that waits was written to the agent.
    RecordSent,
    /// End the first turn that waits as failed, without having sent it; the session goes on.
    FailQueued {
        failure: Failure,
    },
    /// Record that the agent works (A34).
    RecordRunning,
    /// Record that the agent has ended its turn, for this reason (A34).
    RecordRest {
        stop: Line,
    },
    /// End the active turn as failed; the session goes on.
    FailTurn {
        failure: Failure,
    },
    /// End the session as failed, with its turns.
    Fail {
        failure: Failure,
    },
    /// Cancel one turn; the session goes on.
    CancelTurn {
        turn: TurnHandle,
    },
    /// Cancel the session, with its turns.
    Cancel,
    Ask {
        kind: AskKind,
        words: Line,
    },
    Answer {
        number: u32,
        answer: AskAnswer,
    },
    /// Record something that the agent asked and the rules answered at once.
    Rule {
        kind: AskKind,
        words: Line,
        why: Line,
    },
    ReportUsage {
        report: UsageReport,
    },
    /// Record copies of media that the agent made in the active turn (A20); nothing where there are none.
    RecordMade {
        media: Vec<Media>,
    },
    RecordChanges {
        files: ChangedFiles,
    },
    /// Record how the command of `grill.agent.setup` ended (A29).
    RecordSetup {
        how: Line,
    },
    /// Record that the repository is watched (A25).
    RecordWatch,
    /// Record that something changed there, in a line of what was found.
    RecordParentChange {
        found: Line,
    },
    /// Record that the person had changes there taken back, how many could not be, and where what was there before is kept.
    RecordRestored {
        places: ChangedFiles,
        left: u32,
        copy: Option<Line>,
        /// What is left to decide, where anything is.
        rest: Option<Line>,
    },
    /// Record that the person left before all was decided, and which changes they have said stay.
    RecordParentKept {
        places: ChangedFiles,
        /// What is left to decide, where anything is.
        rest: Option<Line>,
    },
    /// Record that nothing there is left to decide: what the person keeps, and whether nothing could be compared.
    SettleParent {
        kept: ChangedFiles,
        unseen: bool,
    },
    RecordKept {
        commit: ObjectId,
    },
    /// Record that work was taken over (A16); nothing where the ledger tells of this step already.
    RecordAccept {
        acceptance: Acceptance,
        /// What nobody has accepted yet when it is done, where that could be told.
        rest: Option<ChangedFiles>,
    },
    /// Record that one of these steps was taken back; nothing where the ledger does not tell of it.
    RecordUndo {
        acceptance: Acceptance,
        /// What nobody has accepted yet when it is done, where that could be told.
        rest: Option<ChangedFiles>,
    },
    /// Record that everything that the session made was removed (A17).
    CleanUp,
}
