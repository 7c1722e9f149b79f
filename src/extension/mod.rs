//! Extensions over JSON-RPC: their messages, their limits, and what they may ask (P4 to P7, P15).
//!
//! This room gets the streams of a process; `world` starts and kills it. An extension is foreign: its messages are
//! bounded and checked, it cannot make anybody wait longer than its limits, and each of its mistakes ends it with an
//! [`Ended`] that names the mistake. A person is asked on the thread that called [`Driver::run`]; the threads of the
//! streams do not know who is asked.

mod asking;
mod driver;
mod ended;
mod exchange;
mod hello;
pub mod questionnaire;
mod streams;
mod wire;

use std::io::{Read, Write};
use std::time::Duration;

use serde_json::{Value, json};

pub use driver::Driver;
pub use ended::Ended;

use crate::domain::ui::{API_VERSION, Call, FLAGS};

const PROTOCOL: u32 = 1;

/// How long an extension has to exit after its input was closed.
pub const LEAVING: Duration = Duration::from_secs(2);

/// The context that an extension gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ctx {
    pub cwd: String,
    pub session: Option<SessionCtx>,
    /// Whether a person can be asked, and if not, why not.
    pub ui: Result<(), String>,
}

/// The active session, as an extension gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionCtx {
    pub id: String,
    pub topic: String,
    pub phase: String,
    pub plan_mode: bool,
}

impl Ctx {
    /// The context as it is sent. If the user cannot be asked, `ui_unavailable` has the reason and replaces `ui` (P15).
    fn on_the_wire(&self) -> Value {
        let session = self.session.as_ref().map(|session| {
            json!({
                "id": session.id,
                "topic": session.topic,
                "phase": session.phase,
                "plan_mode": session.plan_mode,
            })
        });
        let mut ctx = json!({
            "protocol": PROTOCOL,
            "ui_api_version": API_VERSION,
            "flags": FLAGS,
            "cwd": self.cwd,
            "session": session,
        });
        match &self.ui {
            Ok(()) => ctx["ui"] = json!(Call::METHODS),
            Err(why) => ctx["ui_unavailable"] = json!(why),
        }
        ctx
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From its start until it has answered `initialize`.
    pub handshake: Duration,
    /// How long a command or a tool may run. The time in which a person is asked does not count.
    pub own_time: Duration,
    /// How many lines it may write.
    pub frames: usize,
    /// The longest line, in either direction.
    pub frame_bytes: usize,
    pub output_bytes: usize,
    pub ui_calls: usize,
    /// How much of the end of its standard error is kept.
    pub stderr_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            handshake: Duration::from_secs(5),
            own_time: Duration::from_mins(1),
            frames: 10_000,
            frame_bytes: 1024 * 1024,
            output_bytes: 8 * 1024 * 1024,
            ui_calls: 200,
            stderr_bytes: 64 * 1024,
        }
    }
}

/// Our ends of an extension's standard streams.
pub struct Streams {
    pub input: Box<dyn Write + Send>,
    pub output: Box<dyn Read + Send>,
    pub errors: Box<dyn Read + Send>,
}

#[cfg(test)]
mod tests;
