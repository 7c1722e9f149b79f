//! What somebody wants. Everything in a command was checked when the request was lowered.

use serde::{Deserialize, Serialize};

use super::checkpoint::{Checkpoint, CheckpointSource};
use super::citations::Rechecked;
use super::concern::Waiver;
use super::drift::Verification;
use super::facts::RepoFacts;
use super::from_inside::{BadWish, Outside};
use super::ids::{AnswerId, QuestionId};
use super::question::Question;
use super::server_question::ServerQuestion;
use super::settings::Setting;
use super::subsystem;
use super::text::{Line, Prose};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reply {
    /// These words, whether typed or taken from an alternative.
    Text(Prose),
    /// "I don't know".
    Unknown,
    /// The alternatives with these numbers, counted from 1; behind the options of a selection stand its two entries.
    Chosen(Vec<usize>),
}

/// How a session ends from outside the rules' own flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Said at the gate or with `--without-output`: nothing is produced.
    WithoutOutput,
    /// After something was produced.
    AfterOutputs,
}

/// A wish, to be decided on. The skipped ones are recorded only by git grill itself or by a person; they are never read
/// from what a caller sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Command {
    Ask {
        question: Box<Question>,
        /// Why the answer before it changed nothing in the checkpoint (G24).
        unchanged: Option<Line>,
    },
    /// Put an earlier question again: contested, stale or set aside.
    Reopen {
        /// The question under its old id; a stale one may be worded anew, since what it quoted has changed.
        question: Box<Question>,
    },
    Answer {
        /// The question that was shown; if another is open by now, nothing happens.
        question: QuestionId,
        id: AnswerId,
        reply: Reply,
        note: Option<Prose>,
    },
    /// Put the open question off.
    Defer {
        /// The question that was shown.
        question: QuestionId,
    },
    /// Refuse the open question's premise.
    PushBack {
        /// The question that was shown.
        question: QuestionId,
        because: Prose,
    },
    /// Leave the questions for a conversation.
    Discuss,
    EndDiscussion {
        summary: Prose,
        /// The id of the answer that it becomes, where it was about a question of a question tool.
        answer: AnswerId,
    },
    /// Note that whoever asked a question knows what became of it.
    Tell {
        question: QuestionId,
    },
    Back {
        to: QuestionId,
    },
    UpdateCheckpoint {
        checkpoint: Checkpoint,
        /// The text that it was made from; where another one stands by now, it is merged or refused.
        base: Checkpoint,
        /// What changed, in one line (G25).
        summary: Line,
        source: CheckpointSource,
        /// The id of the answer that the open question of an agent becomes when the agent hands in a checkpoint instead
        /// of the answer (G24); nobody else's update closes one.
        answer: Option<AnswerId>,
    },
    /// Wave concerns of the referee through.
    #[serde(skip)]
    Waive {
        concerns: Vec<Waiver>,
    },
    Configure(Setting),
    #[serde(skip)]
    RecordEvidence(Box<RepoFacts>),
    /// Enter what a comparison with the baseline came to (G38).
    #[serde(skip)]
    RecordVerification(Box<Verification>),
    /// Enter which cited places are not as they were read; none when all of them are (G15).
    #[serde(skip)]
    RecordCitations(Vec<Rechecked>),
    /// Enter a question of another MCP server, and what became of it (A18).
    #[serde(skip)]
    RecordServerQuestion(Box<ServerQuestion>),
    Stop {
        ending: Ending,
        summary: Option<Line>,
    },
    #[serde(untagged)]
    Of(subsystem::Command),
}

impl Command {
    /// What would happen, as the subject of "not done" sentences.
    pub fn deed(&self) -> &'static str {
        match self {
            Self::Ask { .. } => "asking a question",
            Self::Reopen { .. } => "asking a question again",
            Self::Answer { .. } => "answering",
            Self::Defer { .. } => "skipping a question",
            Self::PushBack { .. } => "pushing back on a question",
            Self::Discuss => "opening a discussion",
            Self::EndDiscussion { .. } => "ending a discussion",
            Self::Tell { .. } => "telling what became of a question",
            Self::Back { .. } => "going back",
            Self::UpdateCheckpoint { .. } => "changing the checkpoint",
            Self::Waive { .. } => "waving a concern through",
            Self::Configure(_) => "changing a setting",
            Self::RecordEvidence(_) => "entering evidence",
            Self::RecordVerification(_) => "recording a verification",
            Self::RecordCitations(_) => "recording a check of citations",
            Self::RecordServerQuestion(_) => "answering another server's question",
            Self::Stop { .. } => "ending the session",
            Self::Of(command) => command.deed(),
        }
    }

    /// Sets what a caller inside of a read-only run has no say in, and refuses what such a caller may not want.
    pub fn settle(&mut self, outside: &Outside<'_>) -> Result<(), BadWish> {
        match self {
            Self::Ask { question, unchanged: _ } | Self::Reopen { question } => settle_question(question)?,
            Self::Answer { question: _, id, reply: _, note: _ } => *id = (outside.answer)(),
            Self::EndDiscussion { summary: _, answer } => *answer = (outside.answer)(),
            Self::UpdateCheckpoint { checkpoint: _, base: _, summary: _, source, answer } => {
                *source = CheckpointSource::Tool;
                *answer = Some((outside.answer)());
            }
            Self::Defer { .. }
            | Self::PushBack { .. }
            | Self::Discuss
            | Self::Tell { .. }
            | Self::Back { .. }
            | Self::Configure(_)
            | Self::Stop { .. } => {}
            Self::Waive { .. }
            | Self::RecordEvidence(_)
            | Self::RecordVerification(_)
            | Self::RecordCitations(_)
            | Self::RecordServerQuestion(_) => return Err(BadWish::ours(self.deed())),
            Self::Of(command) => command.settle(outside)?,
        }
        Ok(())
    }
}

/// A question of an agent is bounded, and comes from no catalogue of ours.
fn settle_question(question: &mut Question) -> Result<(), BadWish> {
    /// How many places or questions one may refer to.
    const MOST: usize = 64;
    if question.evidence.len() > MOST || question.builds_on.len() > MOST {
        return Err(BadWish(format!("the question refers to more than {MOST} others")));
    }
    let of_options = question.alternatives.as_slice().iter().filter_map(|one| one.evidence.as_ref());
    if question.evidence.iter().chain(of_options).any(|place| place.path.len() > Line::LIMIT) {
        return Err(BadWish("the question names a path that is too long".to_owned()));
    }
    question.probe = None;
    Ok(())
}
