//! The interview: questions and what became of them, discussions, the checkpoint, and what the repository showed.

mod answering;
mod asking;
mod checkpoints;
mod command;
mod event;
mod evolve;
mod refusal;
mod transcript;
mod waiving;

pub use self::command::Command;
pub use self::event::Event;
pub use self::refusal::Refusal;
pub use self::transcript::{
    Answer, AnswerKind, Discussed, Progress, QuestionStatus, Transcript, TranscriptEntry, gist, says_unknown,
    standing_word,
};
