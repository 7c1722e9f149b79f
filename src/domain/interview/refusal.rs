//! Expected refusals of the interview: code, sentence and a way out, side by side.

use crate::domain::ids::{AnswerId, QuestionId};
use crate::domain::subsystem::Refused;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
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
    /// An answer that nothing has overtaken, or a question without one to repeat (G52).
    #[error("question {number} was not marked as still right: {why}")]
    NothingToRepeat { number: u32, why: &'static str },
}

impl Refused for Refusal {
    fn code(&self) -> &'static str {
        match self {
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
            Self::NothingToRepeat { .. } => "nothing_to_repeat",
        }
    }

    fn hint(&self) -> String {
        match self {
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
            // A tool's name is for agents; `advice` tells it to them.
            Self::InDiscussion { .. } => "git grill discuss --done \"<what it came to>\" sums it up".to_owned(),
Self::NoDiscussion => "git grill discuss opens one".to_owned(),
Self::CheckpointDue => {
                "update the checkpoint first, or say with the question why nothing changed (noChange)".to_owned()
            }
Self::CheckpointMoved => {
                "git grill checkpoint diff shows the change; git grill checkpoint edit opens the current text"
                    .to_owned()
            }
Self::NothingToRepeat { number, .. } => format!("git grill back {number} asks it again"),
}
    }

    fn advice(&self, tool: &str) -> String {
        let line = match self {
            Self::QuestionOpen { .. } => {
                "Call grill_status to see the open question; the call that asked it returns its answer, and \
                 grill_record_answer records what the user said in plain text."
            }
            Self::NoQuestion => "Ask one with grill_set_alternatives, or name an earlier one by its id.",
            Self::QuestionGone { .. } => {
                "Call grill_status to see what is open; grill_revise_answer replaces an earlier answer."
            }
            Self::NoSuchQuestion { .. } | Self::NoQuestionNumbered { .. } | Self::NothingToReopen { .. } => {
                "Call grill_status, which lists every question with its number and id."
            }
            Self::NothingLeftToAsk => "Call grill_enter_output_selection_phase, and let the user choose the outputs.",
            Self::InDiscussion { .. } => "Talk in plain text, then call resume_structured with the outcome.",
            Self::NoDiscussion => "Ask the next question with grill_set_alternatives.",
            Self::CheckpointDue => {
                "Call grill_update_checkpoint first, or say in the question's noChange why nothing changed."
            }
            Self::CheckpointMoved => "Call grill_status for the current checkpoint, and base the update on it.",
            Self::NothingToRepeat { .. } => {
                "Ask the next question with grill_set_alternatives; if the user changed an answer, grill_revise_answer \
                 records their words."
            }
            Self::NoSuchOption { .. } | Self::NothingChosen | Self::OneOption { .. } => {
                "Call grill_status to see the options of the open question."
            }
            Self::WordsMissing | Self::ChoiceTooLong => {
                "Ask the user for a few words of their own, and record them with grill_record_answer."
            }
            Self::QuestionExists { .. } | Self::AnswerExists { .. } => return format!("Call {tool} again."),
        };
        line.to_owned()
    }
}
