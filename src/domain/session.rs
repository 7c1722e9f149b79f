//! The session: the state that every event before it adds up to.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::authority::Lapse;
use super::checkpoint::Checkpoint;
use super::citations::ChangedCitation;
use super::command::Ending;
use super::committed::OutputCommit;
use super::concern::Waiver;
use super::drift::Verification;
use super::event::{Event, Recorded, Started};
use super::facts::RepoFacts;
use super::ids::{ObjectId, QuestionId, SessionId};
use super::interview::{Discussed, QuestionStatus, Transcript, TranscriptEntry};
use super::outside::OutsideChange;
use super::production::{Approved, CreatedIssue, IssueSlot, ParkedDraft, Produced, Production, TargetPath};
use super::selection::{Request, Selection};
use super::settings::{Research, Settings};
use super::subsystem::{self, Grant};
use super::text::{Line, Topic};

/// Who has the floor during the interview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "floor")]
pub enum Floor {
    /// Nobody: the interviewer may ask.
    Free,
    /// The person: this question is open.
    Question { question: QuestionId },
    /// Both: they talk, and question tools wait (Q12).
    Discussion {
        /// The question that stays open meanwhile.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        about: Option<QuestionId>,
    },
}

/// Where the session is. Each variant carries what belongs to it and to nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "phase")]
pub enum Phase {
    /// Questions and answers; the repository is read-only.
    Interview(Floor),
    /// The mandatory gate; the repository is read-only.
    #[serde(rename = "output-selection")]
    Selection(Box<Selection>),
    /// What was chosen is drafted, approved and written.
    #[serde(rename = "output")]
    Production(Box<Production>),
    /// No interview: a subsystem began the session.
    NoInterview {
        /// How tightly it holds the worktree.
        hold: Grip,
    },
    Closed {
        ending: Ending,
    },
}

/// How tightly a session without an interview holds its worktree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "grip")]
pub enum Grip {
    /// Nothing may change.
    ReadOnly,
    /// Nothing is refused.
    Lifted {
        /// The grant that says so; it counts in the clone that recorded it.
        by: Grant,
    },
}

impl Phase {
    /// Whether nothing is asked in it: a subsystem began the session.
    pub fn asks_nothing(&self) -> bool {
        matches!(self, Self::NoInterview { .. })
    }

    /// The phase's name as the source has it (G19).
    pub fn name(&self) -> &'static str {
        match self {
            Self::Interview(_) => "interview",
            Self::Selection(_) => "output-selection",
            Self::Production(_) => "output",
            Self::NoInterview { .. } => "no-interview",
            Self::Closed { .. } => "closed",
        }
    }
}

/// A session. `serde` covers what belongs into `session.yaml`; the rest has files of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    pub id: SessionId,
    pub topic: Topic,
    /// The commit that HEAD was at when it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<ObjectId>,
    /// The branch that was checked out when it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    pub started_at: Timestamp,
    pub updated_at: Timestamp,
    /// The Lamport number of the last event.
    pub seq: u64,
    pub settings: Settings,
    pub phase: Phase,
    /// What the last checkpoint update said about itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_change: Option<Line>,
    /// Whether an answer came in that the checkpoint does not know yet (G24).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub checkpoint_due: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub discussions: Vec<Discussed>,
    /// What finished output phases left behind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub produced: Vec<Produced>,
    /// The issues that finished output phases created.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub created: Vec<CreatedIssue>,
    /// Commits that were made of what was written, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commits: Vec<OutputCommit>,
    /// What somebody else made of planned files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<OutsideChange>,
    /// Edited drafts whose output phase was left, or that the session ended with; they have a file of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parked: Vec<ParkedDraft>,
    /// What the last comparison with the baseline came to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<Verification>,
    /// Cited places that are not as they were read, as of the last check.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<ChangedCitation>,
    /// The referee's concerns that a person waved through.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waived: Vec<Waiver>,
    /// What the subsystems know; each has a file of its own.
    #[serde(flatten)]
    pub own: subsystem::States,
    /// The shared understanding.
    #[serde(skip)]
    pub checkpoint: Checkpoint,
    #[serde(skip)]
    pub transcript: Transcript,
    #[serde(skip)]
    pub evidence: RepoFacts,
    /// Grants that do not count in this clone: withdrawn above, not recorded yet, stored nowhere.
    #[serde(skip)]
    pub unmarked: Option<Box<Lapse>>,
}

/// Work that the recorded state still owes the world. Each bears being done twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    WriteFile(Approved<TargetPath>),
    CreateIssue(Approved<IssueSlot>),
}

impl Session {
    /// How to allow the look at the repository that nobody could be asked about.
    pub fn how_to_look(&self) -> Option<&'static str> {
        let asks = self.settings.research == Research::Ask && !self.evidence.looked;
        asks.then_some(
            "the repository was not looked at; git grill research ask --allow layout,contents allows some of it, and git \
             grill research auto all of it",
        )
    }

    /// Every issue that was created, in finished output phases and in the one that is open.
    pub fn issues_created(&self) -> Vec<CreatedIssue> {
        let open = match &self.phase {
            Phase::Production(production) => production.created().collect(),
            Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => Vec::new(),
        };
        self.created.iter().cloned().chain(open).collect()
    }

    pub fn begin(started: &Started, at: Timestamp, seq: u64) -> Self {
        Self {
            id: started.id.clone(),
            topic: started.topic.clone(),
            base: started.base.clone(),
            branch: started.branch.clone(),
            started_at: at,
            updated_at: at,
            seq,
            settings: started.settings.clone(),
            phase: if started.no_interview {
                Phase::NoInterview { hold: Grip::ReadOnly }
            } else {
                Phase::Interview(Floor::Free)
            },
            last_change: None,
            checkpoint_due: false,
            discussions: Vec::new(),
            produced: Vec::new(),
            created: Vec::new(),
            commits: Vec::new(),
            outside: Vec::new(),
            parked: Vec::new(),
            verified: None,
            citations: Vec::new(),
            waived: Vec::new(),
            own: subsystem::States::default(),
            checkpoint: Checkpoint::initial(&started.topic),
            transcript: Transcript::default(),
            evidence: RepoFacts::default(),
            unmarked: None,
        }
    }

    /// Replays a history from its beginning; `None` when it does not begin with a start.
    pub fn replay<'a>(history: impl IntoIterator<Item = &'a Recorded>) -> Option<Self> {
        let mut history = history.into_iter();
        let first = history.next()?;
        let Event::Started(started) = &first.event else {
            return None;
        };
        let session = Self::begin(started, first.at, first.seq);
        Some(history.fold(session, Self::evolve))
    }

    pub fn open_question(&self) -> Option<&TranscriptEntry> {
        match &self.phase {
            Phase::Interview(Floor::Question { question }) => self.transcript.get(question),
            Phase::Interview(Floor::Free | Floor::Discussion { .. })
            | Phase::Selection(_)
            | Phase::Production(_)
            | Phase::NoInterview { .. }
            | Phase::Closed { .. } => None,
        }
    }

    pub fn discussed(&self) -> Option<&QuestionId> {
        match &self.phase {
            Phase::Interview(Floor::Discussion { about }) => about.as_ref(),
            Phase::Interview(Floor::Free | Floor::Question { .. })
            | Phase::Selection(_)
            | Phase::Production(_)
            | Phase::NoInterview { .. }
            | Phase::Closed { .. } => None,
        }
    }

    /// Follows what the subsystems say of a session without an interview.
    pub(super) fn regrip(&mut self) {
        if let Phase::NoInterview { hold } = &mut self.phase {
            *hold = self.own.hold();
            // What was compared says nothing about what is changed from now on.
            if matches!(hold, Grip::Lifted { .. }) {
                self.verified = None;
            }
        }
    }

    /// What waits for a person's decision.
    pub fn request(&self) -> Option<&Request> {
        match &self.phase {
            Phase::Selection(selection) => selection.request.as_ref(),
            Phase::Interview(_) | Phase::Production(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => None,
        }
    }

    pub fn is_closed(&self) -> bool {
        matches!(self.phase, Phase::Closed { .. })
    }

    /// The next question that has to be put again: contested ones first, then stale ones, then those set aside.
    pub fn to_reopen(&self) -> Option<&QuestionId> {
        let asked = &self.transcript.asked;
        let standing = |wanted: QuestionStatus| asked.iter().find(move |one| one.standing == wanted);
        asked
            .iter()
            .find(|one| one.contested() && one.standing == QuestionStatus::Answered)
            .or_else(|| standing(QuestionStatus::Stale))
            .or_else(|| standing(QuestionStatus::SetAside))
            .map(|one| &one.question.id)
    }

    /// What the recorded state owes the world.
    pub fn pending(&self) -> Vec<Effect> {
        match &self.phase {
            Phase::Production(production) => {
                let files = production.owed_files().map(Effect::WriteFile);
                let issues = production.owed_issues().map(Effect::CreateIssue);
                files.chain(issues).collect()
            }
            Phase::Interview(_) | Phase::Selection(_) | Phase::NoInterview { .. } | Phase::Closed { .. } => Vec::new(),
        }
    }
}
