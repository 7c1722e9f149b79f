//! Expected refusals: code, sentence and a way out, side by side.

use super::actor::Actor;
use super::ids::{AnswerId, QuestionId};
use super::subsystem;

/// The command by which a person approves what waits.
pub const APPROVE: &str = "git grill approve";

/// Why something did not happen, though nothing went wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the session has ended; {deed} is not possible any more")]
    SessionClosed { deed: &'static str },
    /// A question is open, and there is one at a time (Q13).
    #[error("question {number} ({question}) is still open, and there is one question at a time")]
    QuestionOpen {
        question: QuestionId,
        /// Its display number.
        number: u32,
    },
    #[error("no question is open")]
    NoQuestion,
    /// The question that was shown is not the open one any more.
    #[error("{shown} is not open any more")]
    QuestionGone { shown: QuestionId, open: Option<QuestionId> },
    #[error("there is no question {question}")]
    NoSuchQuestion { question: QuestionId },
    #[error("there is no question {number}")]
    NoQuestionNumbered { number: u32 },
    #[error("a question {question} exists already")]
    QuestionExists { question: QuestionId },
    #[error("there is no option {number}; they are 1 to {of}")]
    NoSuchOption { number: usize, of: usize },
    #[error("no option was chosen, and at least one has to be")]
    NothingChosen,
    /// One option answers the question, and several were named.
    #[error("one option answers this question, and {chosen} were chosen")]
    OneOption { chosen: usize },
    /// The entry for words of one's own was named, and no words came with it.
    #[error("that entry takes words of your own, and there were none")]
    WordsMissing,
    /// The labels of all that was chosen do not fit into one answer.
    #[error("the labels of what was chosen are longer than an answer may be")]
    ChoiceTooLong,
    /// An answer with this id exists; a second one would hide it.
    #[error("an answer {answer} exists already")]
    AnswerExists { answer: AnswerId },
    /// The question cannot be put again.
    #[error("{question} needs no asking again")]
    NothingToReopen { question: QuestionId },
    /// The interviewer has asked everything that it can ask about this.
    #[error("nothing is left to ask")]
    NothingLeftToAsk,
    /// A conversation is going on (Q12).
    #[error("a discussion is going on; {deed} waits until it is summed up")]
    InDiscussion { deed: &'static str },
    #[error("no discussion is going on")]
    NoDiscussion,
    /// The checkpoint does not know the last answer yet (G24).
    #[error("the last answer is not in the checkpoint yet, so the next question waits")]
    CheckpointDue,
    /// The checkpoint changed since the text that an update was made from, in the same place.
    #[error("the checkpoint was not updated: another change is in the same lines")]
    CheckpointMoved,
    #[error("{deed} is not possible in the {phase} phase")]
    WrongPhase { deed: &'static str, phase: &'static str, way_out: &'static str },
    /// Only a person decides this (G30).
    #[error("{deed} needs a person's word, and {} cannot give it", by.in_words())]
    ApprovalRequired {
        deed: &'static str,
        by: Actor,
        /// The command by which a person gives it.
        command: &'static str,
    },
    #[error("{deed} is not for {}", by.in_words())]
    NotYours { deed: &'static str, by: Actor },
    /// An agent ends a session through the selection phase alone (G17).
    #[error("an agent ends a session through the output selection only")]
    SelectionRequired,
    /// An answer that nothing has overtaken, or a question without one to repeat (G52).
    #[error("question {number} was not marked as still right: {why}")]
    NothingToRepeat { number: u32, why: &'static str },
    /// Nothing was produced, so the session cannot end as if something was.
    #[error("nothing was produced in this session, and ending it without output has to be said")]
    NothingProduced,
    /// Another session is active in this worktree (G3).
    #[error("a session about \"{topic}\" is active in this worktree")]
    AnotherActive { topic: String },
    #[error(transparent)]
    Of(#[from] subsystem::Refusal),
}

impl Refusal {
    /// The code that machines compare.
    pub fn code(&self) -> &'static str {
        match self {
            Self::SessionClosed { .. } => "session_closed",
            Self::QuestionOpen { .. } => "question_open",
            Self::NoQuestion => "no_question",
            Self::QuestionGone { .. } => "question_gone",
            Self::NoSuchQuestion { .. } | Self::NoQuestionNumbered { .. } => "no_such_question",
            Self::QuestionExists { .. } => "question_exists",
            Self::NoSuchOption { .. } => "no_such_option",
            Self::NothingChosen => "nothing_chosen",
            Self::OneOption { .. } => "one_option",
            Self::WordsMissing => "words_missing",
            Self::ChoiceTooLong => "choice_too_long",
            Self::AnswerExists { .. } => "answer_exists",
            Self::NothingToReopen { .. } => "nothing_to_reopen",
            Self::NothingLeftToAsk => "nothing_left_to_ask",
            Self::InDiscussion { .. } => "in_discussion",
            Self::NoDiscussion => "no_discussion",
            Self::CheckpointDue => "checkpoint_due",
            Self::CheckpointMoved => "checkpoint_moved",
            Self::WrongPhase { .. } => "wrong_phase",
            Self::ApprovalRequired { .. } => "approval_required",
            Self::NotYours { .. } => "not_yours",
            Self::SelectionRequired => "selection_required",
            Self::NothingToRepeat { .. } => "nothing_to_repeat",
            Self::NothingProduced => "nothing_produced",
            Self::AnotherActive { .. } => "another_active",
            Self::Of(refusal) => refusal.code(),
        }
    }

    /// What can be done about it; for people it is a command to type.
    pub fn hint(&self) -> String {
        match self {
Self::SessionClosed { .. } => "git grill start \"<topic>\" begins a new one".to_owned(),
Self::QuestionOpen { .. } => {
                "git grill next shows it; git grill answer \"…\", skip or unknown close it".to_owned()
            }
Self::NoQuestion => "git grill next asks one".to_owned(),
Self::QuestionGone { open: Some(open), .. } => {
                format!("git grill next shows {open}; git grill answer --question {open} \"…\" answers it")
            }
Self::QuestionGone { open: None, .. } => "git grill next shows what is open".to_owned(),
Self::NoSuchQuestion { .. }
| Self::NoQuestionNumbered { .. } => {
                "git grill status --questions lists them".to_owned()
            }
Self::QuestionExists { .. } => "ask with a new id".to_owned(),
Self::NoSuchOption { .. }
| Self::NothingChosen => "git grill next shows the options".to_owned(),
Self::OneOption { .. } => "git grill answer --choose 1 takes one; own words can name several".to_owned(),
Self::WordsMissing => "git grill answer \"<your words>\" says them".to_owned(),
Self::ChoiceTooLong => "git grill answer \"<your words>\" says it in fewer".to_owned(),
Self::AnswerExists { .. } => "answer with a new id".to_owned(),
Self::NothingToReopen { .. } => "git grill back <number> goes back to any question".to_owned(),
Self::NothingLeftToAsk => {
                "git grill back <number> returns to a question; git grill checkpoint edit changes the understanding; git \
                 grill select design-doc chooses an output"
                    .to_owned()
            }
Self::InDiscussion { .. } => {
                "resume_structured, or git grill discuss --done \"<what it came to>\", sums it up".to_owned()
            }
Self::NoDiscussion => "git grill discuss opens one".to_owned(),
Self::CheckpointDue => {
                "update the checkpoint first, or say with the question why nothing changed (noChange)".to_owned()
            }
Self::CheckpointMoved => {
                "git grill checkpoint diff shows the change; git grill checkpoint edit opens the current text"
                    .to_owned()
            }
Self::WrongPhase { way_out, .. } => (*way_out).to_owned(),
Self::ApprovalRequired { command, .. } => format!("a person runs {command} at a terminal"),
Self::NotYours { .. } => "git grill status shows what is possible now".to_owned(),
Self::SelectionRequired => "open the output selection, and let the person choose there".to_owned(),
Self::NothingToRepeat { number, .. } => format!("git grill back {number} asks it again"),
Self::NothingProduced => {
                "git grill stop --without-output ends it; git grill select chooses an output".to_owned()
            }
Self::AnotherActive { .. } => {
                "git grill next goes on with it; git grill stop --without-output ends it first".to_owned()
            }
Self::Of(refusal) => refusal.hint(),
}
    }
}
