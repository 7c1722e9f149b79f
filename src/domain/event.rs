//! What happened. Events are the only thing that changes a session, and every one of them is kept.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::actor::Actor;
use super::authority::Lapse;
use super::checkpoint::{Checkpoint, CheckpointSource};
use super::citations::ChangedCitation;
use super::command::Ending;
use super::concern::Waiver;
use super::drift::Verification;
use super::facts::RepoFacts;
use super::ids::{ObjectId, QuestionId, SessionId};
use super::interview::Answer;
use super::question::Question;
use super::server_question::ServerQuestion;
use super::settings::{Setting, Settings};
use super::subsystem;
use super::text::{Line, Prose, Topic};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    pub id: SessionId,
    pub topic: Topic,
    pub settings: Settings,
    /// The commit that HEAD was at; none in a repository without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<ObjectId>,
    /// The branch that was checked out; none when HEAD was detached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// What the person said to the topic in plain chat, as an agent reports it; none where they said it to us.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported: Option<Line>,
    /// True for a session without an interview.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_interview: bool,
}

/// Something that happened to a session.
///
/// Large texts (`serde(skip)`) are kept in files of their own beside the event and put back when it is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum Event {
    Started(Box<Started>),
    /// The repository was looked at.
    EvidenceRecorded {
        #[serde(skip)]
        facts: Box<RepoFacts>,
    },
    QuestionAsked {
        question: Box<Question>,
        /// Why the answer before it changed nothing in the checkpoint.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unchanged: Option<Line>,
    },
    /// An earlier question was put again.
    QuestionReopened {
        /// The question, as it is worded now.
        question: Box<Question>,
    },
    QuestionAnswered {
        answer: Box<Answer>,
    },
    QuestionDeferred {
        question: QuestionId,
    },
    /// The open question's premise was refused.
    QuestionPushedBack {
        question: QuestionId,
        /// What the person said.
        because: Prose,
    },
    DiscussionOpened {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        about: Option<QuestionId>,
    },
    DiscussionEnded {
        summary: Prose,
    },
    /// Whoever asked a question through a tool was told what became of it.
    AnswerTold {
        question: QuestionId,
    },
    /// The person returned to an earlier question.
    WentBack {
        to: QuestionId,
    },
    CheckpointUpdated {
        #[serde(skip)]
        checkpoint: Checkpoint,
        summary: Line,
        source: CheckpointSource,
        /// True if it was made from an older text and merged with newer changes.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        merged: bool,
    },
    /// A person waved concerns of the referee through.
    ConcernsWaived {
        concerns: Vec<Waiver>,
    },
    SettingChanged {
        setting: Setting,
    },
    /// The repository was compared with its baseline, and what was found is not what was found before.
    Verified {
        verification: Box<Verification>,
    },
    /// The places that questions name were looked at again, and what was found is not what was found before.
    CitationsChecked {
        /// Those that are not as they were read.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        changed: Vec<ChangedCitation>,
    },
    /// Another MCP server asked something through the agent that leads.
    ServerAsked {
        asked: Box<ServerQuestion>,
    },
    /// Grants of another clone stopped counting.
    AuthorityLapsed {
        lapse: Box<Lapse>,
    },
    Closed {
        ending: Ending,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        summary: Option<Line>,
    },
    #[serde(untagged)]
    Of(subsystem::Event),
}

/// An event with its place in the history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// Lamport number: greater than that of everything known when it was written.
    pub seq: u64,
    pub at: Timestamp,
    pub by: Actor,
    #[serde(flatten)]
    pub event: Event,
}
