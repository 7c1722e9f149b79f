//! The leading port: a coding agent that asks the questions, started from here and spoken to turn by turn.

use std::rc::Rc;

use crate::app::error::AppError;
use crate::domain::agents::profile::Asks;
use crate::domain::ids::SessionId;
use crate::domain::plan::heard::Turn;
use crate::domain::server_form::{ServerForm, ServerReply};
use crate::domain::session::Session;
use crate::domain::settings::Research;

use super::trial::{Proof, Witnessed};

/// What is known of an agent that could lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leader {
    /// The name that a person types.
    pub name: String,
    /// The name of the product.
    pub title: String,
    /// The command that would be started, as one would type it.
    pub command: String,
    pub asks: Asks,
}

/// Whether the kernel keeps an agent from writing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Walls {
    Hold,
    /// It cannot here, for this reason.
    Missing(String),
}

/// How an agent is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// Behind walls, or not at all.
    Walls,
    /// Behind those there are; the person decided so.
    WhatThereIs,
}

/// What stands in the way of an agent, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hindrance {
    pub sentence: String,
    pub advice: String,
}

/// What an agent knows of its conversation of before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// It had none.
    None,
    /// It goes on with it, and knows what was said in it.
    Loaded,
    /// It could not load it, and began a new one.
    Lost,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnEnd {
    /// The agent had said what it wanted to.
    Said,
    /// A refusal of ours ended it.
    Refused,
    Cancelled,
    CutShort(String),
}

/// What became of a look at the agent.
#[derive(Clone, Debug, PartialEq)]
pub enum Looked {
    On {
        /// What it is doing, in one line.
        line: String,
        /// What it did before, the oldest first.
        steps: Vec<String>,
    },
    Idle,
    /// A tool call of it may have been recorded.
    Recorded,
    /// Another server asks through it, and waits for [`Leading::fill`]; one that is refused was answered already.
    Asks(Box<ServerForm>),
    Ended {
        how: TurnEnd,
        said: String,
    },
    /// It passed a limit, and is not ended for that: it may go on by itself. Told at each look until
    /// [`Leading::wait_on`].
    Overdue(Hindrance),
    /// It cannot go on; it has been ended.
    Failed(Hindrance),
}

/// A coding agent that leads an interview from here.
pub trait Leading {
    /// What is known of the agent of this name; a usage error where it cannot lead.
    fn known(&self, name: &str) -> Result<Leader, AppError>;
    /// The reason for which its program cannot be started, where it is not installed.
    fn missing(&self, agent: &str) -> Result<Option<Hindrance>, AppError>;
    /// The agent that this clone's person chose for this session, and within what they agreed that it is started.
    fn chosen(&self, session: &SessionId) -> Result<Option<(String, Within)>, AppError>;
    /// Notes both for an agent that leads this session from here, and that they agreed; none has nobody lead it, and leaves
    /// what they agreed to.
    fn choose(&self, session: &Session, agent: Option<(&str, Within)>) -> Result<(), AppError>;
    /// Whether the person agreed to this agent in this session, as much as it sees now, to be started within this.
    fn agreed_in(&self, session: &Session, agent: &str, within: Within) -> Result<bool, AppError>;
    /// Whether the person agreed to this agent for every session of this clone.
    fn agreed(&self, agent: &str) -> Result<bool, AppError>;
    /// Notes that they did.
    fn agree(&self, agent: &str) -> Result<(), AppError>;
    /// Whether the kernel would keep it from writing.
    fn walls(&self) -> Walls;
    /// Takes the right to have an agent lead this session, until [`end`](Self::end); in words who has it, where another
    /// terminal does.
    fn claim(&mut self, session: &SessionId) -> Result<Option<String>, AppError>;
    /// Who has that right in another terminal, in words, as far as the system tells. Takes nothing.
    fn claimed_elsewhere(&self, session: &SessionId) -> Option<String>;
    fn running(&self) -> Option<&str>;
    /// Whether this agent runs, and sees as much of the repository as the session lets it now.
    fn is_ready(&self, agent: &str, session: &Session) -> bool;
    /// Starts the agent; it gets ready while it is looked at. That the person agreed to it without walls is noted.
    fn start(&mut self, agent: &str, session: &Session, within: Within) -> Result<(), Hindrance>;
    /// What the running agent knows of its conversation of before.
    fn memory(&self) -> Memory;
    /// Takes what the running agent's run goes without behind its walls, in sentences.
    fn goes_without(&self) -> Vec<String>;
    /// That the agent which runs is too old for a part of what it is to do, or that the one which just failed is too old to
    /// be started. Of that one the program is asked, and waited for.
    fn too_old(&self) -> Option<Hindrance>;
    /// Gives it a turn; the text waits until it is ready.
    fn tell(&mut self, text: String);
    /// Looks what it does. Never waits.
    fn look(&mut self) -> Looked;
    /// Takes what it said in this turn since this was asked last.
    fn heard(&mut self) -> String;
    /// Takes what a plan can be read from, of what it told in this turn since this was asked last; of one that just failed,
    /// too.
    fn take_turn(&mut self) -> Turn;
    /// Whether it has been silent for so long that the user was told.
    fn is_silent(&self) -> bool;
    /// Whether it went on by itself since it was said to be overdue, or needs the user for something else, or failed.
    fn went_on(&self) -> Rc<dyn Fn() -> bool>;
    /// Whether it failed, or is gone: the next look tells how.
    fn has_failed(&self) -> bool;
    /// Has it take as long again for what it is at.
    fn wait_on(&mut self);
    /// Takes whether the referee held the output selection that it wanted to open, since this was asked last.
    fn held(&mut self) -> bool;
    /// Why git grill refused the last call of its tools, if it did; one line, shown harmless.
    fn refused(&self) -> Option<String>;
    /// Whether the form that was handed out last was withdrawn.
    fn withdrawn(&self) -> Rc<dyn Fn() -> bool>;
    /// Whether the agent ended by itself, and waits for nothing.
    fn is_gone(&self) -> bool;
    /// Answers the form that was handed out last.
    fn fill(&mut self, reply: ServerReply);
    /// Takes the forms that were not handed out, each with its agent; they are cancelled.
    fn unasked(&mut self) -> Vec<(String, ServerForm)>;
    fn cancel(&mut self);
    /// Ends it, with everything that it started.
    fn end(&mut self);
    /// Starts the agent for a trial, in which nothing is recorded; the name of a file that is not there, which it is to try
    /// to write. It is told, looked at and ended as one that leads.
    fn start_trial(&mut self, agent: &str, research: Research, within: Within) -> Result<String, Hindrance>;
    /// Ends the trial; what was seen of it.
    fn end_trial(&mut self) -> Witnessed;
    /// Waits a moment between two looks, where nothing is drawn meanwhile.
    fn rest(&self);
    /// The record of this agent's last good trial in this clone.
    fn proof(&self, agent: &str) -> Result<Option<Proof>, AppError>;
    /// Keeps what a trial came to; none takes away what was kept.
    fn note_proof(&self, agent: &str, proof: Option<&Proof>) -> Result<(), AppError>;
}
