//! What a request came to. Rendering decides how it looks.

mod traits;

use serde_json::{Value, json};

use crate::domain::checkpoint::Checkpoint;
use crate::domain::drift::Verification;
use crate::domain::harmless::harmless;
use crate::domain::ids::{ObjectId, SessionId};
use crate::domain::outside::OutsideChange;
use crate::domain::plan::progress::Glyph;
use crate::domain::posture::FenceStands;
use crate::domain::production::{Draft, IssueSlot, TargetPath};
use crate::domain::question::Question;
use crate::domain::session::Session;
use crate::domain::tool;
use crate::domain::undoing::{NoFile, NothingThere, WrittenPhase};

pub use super::agents::{AgentRow, FileChange, InstallAction, Installed, Scope, SetUp, Writing};
pub use super::extending::{Extending, Greeted};
pub use super::outcome::Outcome;
pub use super::ports::extensions::{Enabled, Found, Hello, Listed as Known, OfferedTool};
pub use super::ports::{
    Ability, AcceptFate, AgentChanges, AgentFile, Armed, By, Called, CleanedUp, Examination, Finding, HookState,
    HooksReport, Listed, ListedState, LiveAgent, Mend, Offer, OfferedFile, Restored, SeenSession, TurnResult, Version,
    Walked, looks_at,
};
pub use super::preflight::{Held, Report as Preflight};
pub use super::supervising::lent::{Loan, LoanList, LoanSession, UnreadLoan};
pub use super::tools::{Done, Filled, Kind, ToolReply, ToolResult};
pub use traits::{Lines, Page, Then, Traits};

/// An issue that was created just now, while others wait.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The how many-th it is.
    pub at: usize,
    pub of: usize,
    pub slot: IssueSlot,
    pub title: String,
    /// The tracker's number.
    pub number: u64,
    pub url: String,
    /// Whether it was there already.
    pub found: bool,
}

/// A draft with what it would change.
#[derive(Clone, Debug)]
pub struct Preview {
    pub draft: Draft,
    /// What stands there now.
    pub on_disk: Option<String>,
    /// How far it is: `drafted`, `approved`, `written`.
    pub stage: &'static str,
}

/// A draft that was changed by hand.
#[derive(Clone, Debug)]
pub struct Redraft {
    pub before: Draft,
    pub after: Draft,
}

/// How a session began to be active here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    Started,
    /// It existed (G3).
    Resumed,
}

/// What protects the repository now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Protection {
    /// How commits and branch changes are refused, in a few words; empty when nothing was installed.
    pub hooks: String,
    /// Whether git's locks are held as well.
    pub fence: FenceStands,
    /// What is not covered, or went wrong.
    pub warnings: Vec<String>,
}

/// What stands around a session just now, and below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guards {
    /// Who reads and writes the repository: `libgit2` or `git`.
    pub backend: &'static str,
    /// git's own locks.
    pub fence: FenceStands,
    /// The output phase whose undo was cut off.
    pub half_undone: Option<WrittenPhase>,
    /// The agent with which somebody talks in another terminal, and in which one.
    pub discussion: Option<Discussed>,
    /// The agents that work is lent to, where there are any.
    pub lent: Option<Box<LoanList>>,
}

/// A discussion that goes on in another terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discussed {
    pub agent: String,
    /// The process that has the agent.
    pub who: String,
    /// Whether it is about a question that was asked.
    pub of_question: bool,
}

impl Discussed {
    /// What somebody who is elsewhere can do.
    pub fn ways(&self) -> &'static str {
        if self.of_question {
            "git grill discuss --done \"<what it came to>\" sums it up, and git grill back leaves it with nothing recorded"
        } else {
            "git grill discuss --done \"<what it came to>\" sums it up"
        }
    }
}

/// What somebody else made of a planned file, to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    pub change: OutsideChange,
    /// What git grill had left there.
    pub before: Option<String>,
    pub now: Option<String>,
    /// Why that cannot be shown, where it cannot.
    pub odd: Option<String>,
}

/// What became of a commit of written files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Commit {
    Made {
        commit: ObjectId,
        branch: String,
        subject: String,
        paths: Vec<TargetPath>,
        /// What it holds in other bytes than those that were approved.
        altered: Vec<TargetPath>,
        /// The same where git converted the bytes: a filter, or line ends.
        converted: Vec<TargetPath>,
        /// The trailers that its message lacks.
        lost: Vec<String>,
    },
    Already {
        /// The newest commit of the session that holds some of it.
        commit: Option<ObjectId>,
    },
    /// No file was written.
    Nothing,
}

/// What a request came to.
#[derive(Clone, Debug)]
pub enum Reply {
    /// A session is active in this worktree.
    Arrived {
        arrival: Arrival,
        outcome: Box<Outcome>,
        protection: Protection,
    },
    /// Written files were taken back.
    Undone {
        outcome: Box<Outcome>,
        paths: Vec<TargetPath>,
        nothing: Option<NoFile>,
        /// The newest output phase before, whose files are still as it wrote them or as they were changed since.
        older: Option<WrittenPhase>,
    },
    /// Something happened, or there was nothing to do.
    Happened(Box<Outcome>),
    Left {
        outcome: Box<Outcome>,
        /// What is left of the protection, if it could not be taken away.
        warnings: Vec<String>,
    },
    /// A session that cannot be read was left as it is.
    Abandoned {
        why: String,
        /// What is left of the protection, if it could not be taken away.
        warnings: Vec<String>,
    },
    Status(Box<Session>, Guards),
    NoSession,
    Questions(Box<Session>),
    Checkpoint(Checkpoint),
    CheckpointDiff {
        from: String,
        old: Checkpoint,
        to: String,
        new: Checkpoint,
        /// Whether it is shown in passing, between two questions: then no pager takes the keys that are meant for them.
        in_passing: bool,
    },
    Versions {
        session: String,
        /// The versions, the newest first.
        versions: Vec<Version>,
    },
    Sessions(Vec<Listed>),
    Why {
        question: Box<Question>,
        /// Its display number.
        number: u32,
        /// Whether the agent that leads explains it next.
        explained: bool,
    },
    Drafts {
        previews: Vec<Preview>,
        session: Box<Session>,
    },
    /// Drafts were changed by hand, or left out.
    Redrafted {
        outcome: Box<Outcome>,
        changes: Vec<Redraft>,
    },
    /// Files were written or taken back.
    Wrote {
        outcome: Box<Outcome>,
        paths: Vec<TargetPath>,
    },
    /// Files were written, or had been, and were to be committed.
    Committed {
        outcome: Box<Outcome>,
        /// The files that were written now.
        paths: Vec<TargetPath>,
        commit: Commit,
    },
    /// How the hooks stand, and how a trial of them ended.
    Hooks(Box<HooksReport>, HooksMore),
    Examined(Box<Examination>),
    /// The repository was compared with the baseline of a session.
    Verified {
        session: SessionId,
        verification: Box<Verification>,
    },
    /// What somebody else made of planned files.
    Outside(Vec<Outside>),
    /// What drifted, said before something else is decided.
    Drifted(Box<Verification>),
    /// What changed while an agent ran that nothing keeps from writing.
    Behind(Box<Verification>),
    /// What bringing the baseline back would change, as a unified diff.
    Difference(String),
    /// The baseline was brought back.
    Restored {
        session: SessionId,
        restored: Restored,
        /// What a comparison afterwards found.
        verification: Box<Verification>,
    },
    Tool(Box<ToolReply>),
    /// Something of a subsystem, in lines; for programs, the session.
    Shown {
        session: Box<Session>,
        lines: Vec<String>,
        /// The signs in them that a legend explains at a terminal.
        signs: Vec<Glyph>,
    },
    Tools(Vec<&'static tool::Row>),
    /// A coding agent was set up, or set back.
    SetUp(Box<SetUp>),
    Agents(Vec<AgentRow>),
    /// A coding agent was tried, and is proved.
    Preflight(Box<Preflight>),
    /// Something about agents that work is lent to.
    Loan(Box<Loan>),
    Extensions(Extending),
    Plain(Plain),
    /// Text that programs read too.
    Text(String),
}

/// A reply without a look of its own: text without colours, and the fields that programs read instead.
#[derive(Clone, Debug)]
pub struct Plain {
    /// Harmless on a terminal.
    pub text: String,
    pub fields: Vec<(&'static str, Value)>,
    pub traits: Traits,
}

/// What `git grill hooks status` tells beside the hooks themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HooksMore {
    pub fence: FenceStands,
    /// How a trial of each layer ended, if one was asked for.
    pub trials: Vec<Tried>,
}

impl HooksMore {
    /// Whether a hook or a lock that should refuse something does not: here, where a session is active, or where what is
    /// left of ours says that one was when its record went.
    pub fn is_broken(&self, report: &HooksReport) -> bool {
        let unrecorded = report.ours.iter().any(|ours| ours.state == HookState::Unrecorded);
        (report.armed == Armed::Here || unrecorded)
            && (report.ours.is_empty()
                || report.ours.iter().any(|ours| ours.state != HookState::Intact)
                || self.fence == FenceStands::Broken
                || self.trials.iter().any(|tried| tried.refused.is_err()))
    }
}

/// How the trial of one layer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// `hooks` or `fence`.
    pub layer: &'static str,
    /// Whether git refused, as it must; else what happened.
    pub refused: Result<(), String>,
}

impl Reply {
    /// The current value of a setting.
    pub fn setting(key: &'static str, value: &str) -> Self {
        let text = harmless(value).into_owned();
        Self::Plain(Plain { text, fields: vec![(key, json!(value))], traits: Traits::SHORT })
    }

    /// No written file was taken back.
    pub fn nothing_undone(session: Session, NothingThere { why, older }: NothingThere) -> Self {
        Self::Undone { outcome: Box::new(Outcome::nothing(session)), paths: Vec::new(), nothing: Some(why), older }
    }
}
