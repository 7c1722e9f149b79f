//! Agents that git grill supervises, as the use cases see them: what they are lent, what became of it, and what they wait
//! for.

use std::collections::BTreeSet;
use std::path::PathBuf;

use jiff::Timestamp;

use super::{Accepting, Leader, Settling, Walls, Within};
use crate::app::error::AppError;
use crate::domain::agents::beyond::Beyond;
use crate::domain::agents::event::Record;
use crate::domain::agents::media::Media;
use crate::domain::agents::preview::Preview;
use crate::domain::agents::profile::Profile;
use crate::domain::agents::receipt::{WaitReceipt, WaitSeconds};
use crate::domain::agents::request::StartsAt;
use crate::domain::agents::{AgentHandle, AgentSession, TurnHandle};
use crate::domain::ids::ObjectId;
use crate::domain::server_form::{ServerForm, ServerReply};

/// What a session is begun with. Whoever asks has settled that the provider may be used (A11).
#[derive(Clone, Copy, Debug)]
pub struct StartOrder<'a> {
    /// The agent's name.
    pub agent: &'a str,
    pub profile: Profile,
    pub at: StartsAt,
    pub within: Within,
    /// The text of the first turn.
    pub prompt: &'a str,
    /// Pictures that are sent with the prompt.
    pub pictures: &'a [Picture],
}

/// A picture that may go with a prompt (A19), read once: what was judged is what is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub media: Media,
    /// Its path, as it was given.
    pub path: String,
    pub bytes: Vec<u8>,
}

/// What a running agent is doing, seen by its supervisor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveAgent {
    /// A tool call that goes on, harmless and in a line.
    pub tool: Option<String>,
    /// Milliseconds since the newest sign of life, without the time that the machine slept.
    pub quiet: u64,
    /// What it does, in a line; empty while it does nothing.
    pub line: String,
}

/// A session as it stands, reconciled with the processes that are there.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenSession {
    pub session: AgentSession,
    /// What its supervisor sees; none where none is there.
    pub live: Option<LiveAgent>,
    /// Bytes of its worktree, where it has one.
    pub size: Option<u64>,
    /// An accept of it was cut off, or its undo: files of the repository may be half written.
    pub half_done: bool,
    /// Why its ledger is read-only for us: a newer git grill wrote it.
    pub newer: Option<String>,
}

/// A session whose ledger could not be read.
#[derive(Debug)]
pub struct UnreadableSession {
    pub handle: AgentHandle,
    pub error: AppError,
}

/// What an agent said in a turn (A9).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnResult {
    pub turn: TurnHandle,
    pub preview: Preview,
    /// The file that has all of it.
    pub path: PathBuf,
    /// Copies of media that the agent made in the turn (A20).
    pub made: Vec<PathBuf>,
}

/// A file that an agent changed in its worktree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentFile {
    /// git's letter for what happened to it.
    pub letter: char,
    /// Its path below the top, as git quotes it.
    pub path: String,
    /// The lines that came and went; none of a binary file.
    pub lines: Option<(u64, u64)>,
}

impl AgentFile {
    /// The number of lines that came or went; 0 of a binary file.
    pub fn size(&self) -> u64 {
        self.lines.map_or(0, |(added, removed)| added.saturating_add(removed))
    }
}

/// What an agent changed in its worktree (A15).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentChanges {
    /// The commit that the worktree began at.
    pub base: ObjectId,
    /// By path.
    pub files: Vec<AgentFile>,
    /// The paths of those that a person has accepted as they are.
    pub accepted: BTreeSet<String>,
    /// Files that are as they were at the start, and were accepted as something else: against that, by path.
    pub back: Vec<AgentFile>,
    /// What the agent committed and these files do not show.
    pub commits: Vec<Beyond>,
    /// What is there and is no part of the difference: its path, and why.
    pub left_out: Vec<(String, &'static str)>,
    /// What changed in the repository itself since the worktree was made.
    pub parent: Vec<String>,
    /// The file with the difference, as `git apply` takes it; none where nothing was changed.
    pub patch: Option<PathBuf>,
    /// The top of the working tree, unless the caller stands there: elsewhere `git apply` leaves out what is not below
    /// the caller's folder, and says nothing.
    pub top: Option<PathBuf>,
}

/// A question that waits for a person.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenForm {
    pub number: u32,
    pub form: ServerForm,
    pub since: Timestamp,
}

/// What was taken away, or would be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CleanedUp {
    /// Every path, below the private folder.
    pub paths: Vec<PathBuf>,
    /// How to get the work back that was in the worktree, where there was some.
    pub kept: Option<String>,
}

/// How far a clean-up goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sweep {
    /// It only says what would go.
    Listed,
    /// Everything goes whose content is kept; where something cannot be kept, nothing goes.
    Kept,
    /// The person has seen what cannot be kept, and lets it go.
    All,
}

/// The agents that are supervised in this repository.
pub trait Supervising: Accepting + Settling {
    /// What is known of the agent of this name; a usage error where it cannot be lent work.
    fn known(&self, agent: &str) -> Result<Leader, AppError>;
    /// Whether the person agreed to this agent for good in this clone (A11).
    fn agreed(&self, agent: &str) -> Result<bool, AppError>;
    /// Notes that they did.
    fn agree(&self, agent: &str) -> Result<(), AppError>;
    /// Whether the kernel would keep an agent from writing.
    fn walls(&self) -> Walls;
    /// Refuses where no session of this agent and profile can begin now.
    fn ready(&self, agent: &str, profile: Profile) -> Result<(), AppError>;
    /// Begins a session and its first turn; the supervisor goes on by itself.
    fn start(&self, order: &StartOrder<'_>) -> Result<AgentHandle, AppError>;
    /// Reads pictures that are to go with a prompt; a relative path begins in the caller's folder. Refuses what may not
    /// leave this machine, and what is no picture (A19).
    fn pictures(&self, paths: &[String]) -> Result<Vec<Picture>, AppError>;
    /// Adds a prompt to a session, whose agent is started again where it has ended (A8, A10).
    fn send(&self, handle: AgentHandle, prompt: &str, pictures: &[Picture]) -> Result<TurnHandle, AppError>;
    fn session(&self, handle: AgentHandle) -> Result<SeenSession, AppError>;
    /// All sessions by their handles, and those that cannot be read.
    fn sessions(&self) -> Result<(Vec<SeenSession>, Vec<UnreadableSession>), AppError>;
    /// Waits, at most so long, until a turn is over or the person is needed: the named turn, or whatever is not over.
    fn wait(
        &self,
        handle: AgentHandle,
        turn: Option<TurnHandle>,
        seconds: WaitSeconds,
    ) -> Result<(SeenSession, WaitReceipt), AppError>;
    /// The result of a turn, or of the latest completed one.
    fn result(&self, handle: AgentHandle, turn: Option<TurnHandle>) -> Result<TurnResult, AppError>;
    /// What the agent changed in its worktree (A15); refused where it has none, and while a turn is active.
    fn changes(&self, handle: AgentHandle) -> Result<AgentChanges, AppError>;
    /// The oldest question that waits for a person.
    fn question(&self, handle: AgentHandle) -> Result<Option<OpenForm>, AppError>;
    /// Answers it. An answer to a question that waits no more is refused (A35).
    fn answer(&self, handle: AgentHandle, number: u32, reply: ServerReply) -> Result<(), AppError>;
    /// Cancels one turn, or the session with all of its turns.
    fn cancel(&self, handle: AgentHandle, turn: Option<TurnHandle>) -> Result<SeenSession, AppError>;
    /// Takes away what a session left, all but its ledger, or says what that is (A17, A43).
    fn clean_up(&self, handle: AgentHandle, sweep: Sweep) -> Result<CleanedUp, AppError>;
    /// Hands out every record of a session in its order.
    fn log(&self, handle: AgentHandle, each: &mut dyn FnMut(&Record)) -> Result<(), AppError>;
}
