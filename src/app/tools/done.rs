//! What the tools came to that ask no question of their own.

use crate::domain::refusal::Refusal;
use crate::domain::session::Session;
use crate::domain::tool::Tool;
use crate::interviewer::Packet;

use super::super::context::Context;
use super::super::instructions::instructions;
use super::super::reply::Guards;
use super::{ToolReply, ToolResult};

/// What a tool came to that asks no question of its own: one word, a sentence, and the session as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    pub kind: Kind,
    /// What happened, and what comes next.
    pub text: String,
    pub session: Option<Session>,
    /// What stands around it.
    pub guards: Guards,
    /// The instructions of the phase, where it is new to whoever called (G36).
    pub instructions: Option<String>,
    /// What was refused for want of a person's word (G30).
    pub refused: Option<Refusal>,
    /// The packet by which an agent goes on (G57); with the status alone.
    pub packet: Option<Packet>,
}

/// What a tool came to, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Status,
    NoSession,
    Started,
    Resumed,
    Recorded,
    Updated,
    Unchanged,
    /// It is open, and the person has yet to say something.
    Waiting,
    Continued,
    Stopped,
    Producing,
    Drafted,
    /// The output phase is over.
    Finished,
    /// The person said something that decides nothing.
    Wrote,
    /// The person closed the prompt, or said no.
    Declined,
    /// Only a person decides this, and it waits for one.
    ApprovalRequired,
}

impl Kind {
    pub fn word(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::NoSession => "no_session",
            Self::Started => "started",
            Self::Resumed => "resumed",
            Self::Recorded => "recorded",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
            Self::Waiting => "waiting",
            Self::Continued => "continued",
            Self::Stopped => "stopped",
            Self::Producing => "producing",
            Self::Drafted => "drafted",
            Self::Finished => "finished",
            Self::Wrote => "wrote",
            Self::Declined => "declined",
            Self::ApprovalRequired => "approval_required",
        }
    }

    pub(super) fn exit_code(self) -> u8 {
        match self {
            Self::Status
            | Self::Started
            | Self::Resumed
            | Self::Recorded
            | Self::Updated
            | Self::Unchanged
            | Self::Continued
            | Self::Stopped
            | Self::Producing
            | Self::Drafted
            | Self::Finished
            | Self::Wrote => 0,
            Self::Waiting | Self::ApprovalRequired => 3,
            Self::Declined => 5,
            Self::NoSession => 6,
        }
    }
}

/// What a tool came to in a session.
pub(super) fn done(
    context: &Context<'_>,
    tool: Tool,
    kind: Kind,
    text: impl Into<String>,
    session: Session,
) -> ToolReply {
    let text = text.into();
    let (backend, fence) = (context.dispatcher.store.backend(), context.guardian.fence().unwrap_or_default());
    let guards = Guards { backend, fence, half_undone: None, discussion: None, lent: None };
    let id = Some(session.id.clone());
    let done = Done { kind, text, session: Some(session), guards, instructions: None, refused: None, packet: None };
    let referee = Vec::new();
    ToolReply {
        tool,
        result: ToolResult::Done(Box::new(done)),
        session: id,
        checkpoint: None,
        remarks: Vec::new(),
        referee,
    }
}

impl ToolReply {
    /// With what somebody has to know who is in this phase for the first time.
    pub(super) fn with_instructions(mut self) -> Self {
        if let ToolResult::Done(done) = &mut self.result {
            done.instructions = done.session.as_ref().and_then(instructions);
        }
        self
    }

    /// With the packet by which an agent goes on.
    pub(super) fn with_packet(mut self, packet: Packet) -> Self {
        if let ToolResult::Done(done) = &mut self.result {
            done.packet = Some(packet);
        }
        self
    }

    /// With something to know beside it.
    pub(super) fn remarking(mut self, remarks: impl IntoIterator<Item = String>) -> Self {
        self.remarks.extend(remarks);
        self
    }
}
