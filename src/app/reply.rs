//! What a request came to. Rendering decides how it looks.

use crate::domain::checkpoint::Checkpoint;
use crate::domain::drift::Verification;
use crate::domain::event::{Event, Recorded};
use crate::domain::ids::SessionId;
use crate::domain::interview::{Asked, Recommendation};
use crate::domain::posture::FenceStands;
use crate::domain::production::{Draft, TargetPath};
use crate::domain::question::Question;
use crate::domain::session::Session;

pub use super::agents::{AgentRow, Deed, FileChange, Installed, Scope, SetUp, Writing};
use super::ports::Severity;
pub use super::ports::{
    Ability, Armed, Called, Examination, Finding, HookState, HooksReport, Listed, ListedState, Mend, Restored, Version,
};
pub use super::tools::{Done, Filled, Kind, Schema as ToolSchema, ToolReply, ToolResult};

/// What changed: the events and the session before and after them.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The session before; `None` when it was created.
    pub before: Option<Session>,
    /// What happened; empty when there was nothing to do.
    pub events: Vec<Recorded>,
    /// The session now.
    pub after: Session,
}

impl Outcome {
    /// The same outcome with what happened next.
    #[must_use]
    pub fn then(mut self, next: Self) -> Self {
        self.events.extend(next.events);
        self.after = next.after;
        self
    }

    /// An outcome in which nothing happened.
    pub fn nothing(session: Session) -> Self {
        Self { before: Some(session.clone()), events: Vec::new(), after: session }
    }
}

impl Outcome {
    /// Questions whose ground moved: an answer that they stand on changed (G52).
    pub fn staled(&self) -> Vec<&Asked> {
        let Some(before) = &self.before else {
            return Vec::new();
        };
        let was = |asked: &Asked| before.transcript.get(&asked.question.id).is_some_and(|was| !was.in_doubt);
        self.after.transcript.asked.iter().filter(|asked| asked.in_doubt && was(asked)).collect()
    }

    /// Answered questions that stand on the one somebody went back to: if its answer changes, they are asked again.
    pub fn standing_on_where_it_went_back(&self) -> Vec<&Asked> {
        let went =
            |recorded: &'_ Recorded| if let Event::WentBack { to } = &recorded.event { Some(to.clone()) } else { None };
        let to = self.events.iter().find_map(went);
        let on_it = to.map(|to| self.after.transcript.standing_on(&to)).unwrap_or_default();
        let asked = &self.after.transcript.asked;
        asked.iter().filter(|asked| on_it.contains(&asked.question.id) && asked.answer().is_some()).collect()
    }

    /// The question whose recommendation was kept back, and is no secret any more since it was answered.
    pub fn told_recommendation(&self) -> Option<&Asked> {
        let before = self.before.as_ref()?;
        self.events.iter().find_map(|recorded| {
            let Event::QuestionAnswered { answer } = &recorded.event else {
                return None;
            };
            let asked = before.transcript.get(&answer.question)?;
            Some(asked).filter(|asked| asked.recommendation(before.settings.intensity) == Recommendation::KeptBack)
        })
    }
}

/// A draft with what it would change.
#[derive(Clone, Debug)]
pub struct Preview {
    /// The draft.
    pub draft: Draft,
    /// What stands there now.
    pub on_disk: Option<String>,
    /// How far it is: `drafted`, `approved`, `written`.
    pub stage: &'static str,
}

/// How a session began to be active here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It was created.
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

/// What stands around a session just now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guards {
    /// git's own locks.
    pub fence: FenceStands,
}

/// What a request came to.
#[derive(Clone, Debug)]
pub enum Reply {
    /// A session is active in this worktree.
    Arrived {
        /// How.
        arrival: Arrival,
        /// What happened.
        outcome: Box<Outcome>,
        /// What protects the repository.
        protection: Protection,
    },
    /// Written files were taken back.
    Undone {
        /// What happened.
        outcome: Box<Outcome>,
        /// The files.
        paths: Vec<TargetPath>,
    },
    /// Something happened, or there was nothing to do.
    Happened(Box<Outcome>),
    /// The session ended.
    Left {
        /// What happened.
        outcome: Box<Outcome>,
        /// What is left of the protection, if it could not be taken away.
        warnings: Vec<String>,
    },
    /// A session that cannot be read was left as it is.
    Abandoned {
        /// Why it cannot be read.
        why: String,
        /// What is left of the protection, if it could not be taken away.
        warnings: Vec<String>,
    },
    /// Where the session is, and what stands around it.
    Status(Box<Session>, Guards),
    /// No session is active.
    NoSession,
    /// The questions and what became of them.
    Questions(Box<Session>),
    /// One setting's value.
    Value {
        /// Which.
        key: &'static str,
        /// The value.
        value: String,
    },
    /// The document.
    Checkpoint(Checkpoint),
    /// Two versions of the document.
    CheckpointDiff {
        /// The earlier one's name.
        from: String,
        /// The earlier one.
        old: Checkpoint,
        /// The later one's name.
        to: String,
        /// The later one.
        new: Checkpoint,
    },
    /// The versions of a session.
    Versions {
        /// The session's id.
        session: String,
        /// The versions, the newest first.
        versions: Vec<Version>,
    },
    /// The sessions of the repository.
    Sessions(Vec<Listed>),
    /// Why a question matters.
    Why {
        /// The question.
        question: Box<Question>,
        /// Its display number.
        number: u32,
    },
    /// Drafts with what they would change.
    Drafts {
        /// The drafts.
        previews: Vec<Preview>,
        /// The session.
        session: Box<Session>,
    },
    /// Files were written or taken back.
    Wrote {
        /// What happened.
        outcome: Box<Outcome>,
        /// The files.
        paths: Vec<TargetPath>,
    },
    /// How the hooks stand, and how a trial of them ended.
    Hooks(Box<HooksReport>, HooksMore),
    /// The repository was examined.
    Examined(Box<Examination>),
    /// The repository was compared with the baseline of a session.
    Verified {
        /// The session.
        session: SessionId,
        /// What was found.
        verification: Box<Verification>,
    },
    /// What drifted, said before something else is decided.
    Drifted(Box<Verification>),
    /// What bringing the baseline back would change, as a unified diff.
    Difference(String),
    /// The baseline was brought back.
    Restored {
        /// The session.
        session: SessionId,
        /// What was done.
        restored: Restored,
        /// What a comparison afterwards found.
        verification: Box<Verification>,
    },
    /// A question tool was called.
    Tool(Box<ToolReply>),
    /// The question tools that exist.
    Tools(Vec<ToolSchema>),
    /// A coding agent was set up, or set back.
    SetUp(Box<SetUp>),
    /// The coding agents that can be set up.
    Agents(Vec<AgentRow>),
    /// Plain text, such as help.
    Text(String),
}

/// What `git grill hooks status` tells beside the hooks themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HooksMore {
    /// How the fence stands.
    pub fence: FenceStands,
    /// How a trial of each layer ended, if one was asked for.
    pub trials: Vec<Tried>,
}

impl HooksMore {
    /// Whether a hook or a lock that should refuse something does not: here, where a session is active.
    pub fn is_broken(&self, report: &HooksReport) -> bool {
        report.armed == Armed::Here
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
    /// The exit code of a request that came to this: an examination that found something wrong is no success.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Examined(examination) => u8::from(examination.worst() == Some(Severity::Error)),
            Self::Hooks(report, more) => {
                u8::from(more.is_broken(report) || more.trials.iter().any(|tried| tried.refused.is_err()))
            }
            Self::Verified { verification, .. } | Self::Restored { verification, .. } => {
                u8::from(!verification.is_clean())
            }
            Self::Tool(reply) => reply.exit_code(),
            Self::Arrived { .. }
            | Self::Happened(_)
            | Self::Tools(_)
            | Self::Left { .. }
            | Self::Abandoned { .. }
            | Self::Status(..)
            | Self::NoSession
            | Self::Questions(_)
            | Self::Value { .. }
            | Self::Checkpoint(_)
            | Self::CheckpointDiff { .. }
            | Self::Versions { .. }
            | Self::Sessions(_)
            | Self::Why { .. }
            | Self::Drafts { .. }
            | Self::Wrote { .. }
            | Self::Undone { .. }
            | Self::Drifted(_)
            | Self::Difference(_)
            | Self::SetUp(_)
            | Self::Agents(_)
            | Self::Text(_) => 0,
        }
    }
}
