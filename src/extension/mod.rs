//! Extensions over JSON-RPC: their frames, their limits, and what they may ask (P4 to P7, P15).
//!
//! The room speaks over streams that are handed in. It starts nothing and kills nothing; `world` does both. An extension
//! is foreign: what it says is bounded and checked, it cannot keep anybody waiting longer than its limits, and whatever it
//! does wrong is one [`Ended`] that says so. A person is asked on the thread that called [`Driver::run`]; the threads of
//! the streams know nothing of whoever is asked.

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

/// The version of the wire.
const PROTOCOL: u32 = 1;

/// From the end of an extension's input until it must have exited by itself.
pub const LEAVING: Duration = Duration::from_secs(2);

/// What an extension is told of where it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ctx {
    /// The directory in which it was called.
    pub cwd: String,
    /// The active session, if there is one.
    pub session: Option<SessionCtx>,
    /// Whether a person can be asked, and if not, why not.
    pub ui: Result<(), String>,
}

/// What an extension is told of the active session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionCtx {
    /// Its id.
    pub id: String,
    /// Its topic.
    pub topic: String,
    /// Its phase.
    pub phase: String,
    /// Whether plan mode is on.
    pub plan_mode: bool,
}

impl Ctx {
    /// The context as it stands on the wire. Without anybody to ask, `ui` is absent and the reason stands in its place (P15).
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

/// What bounds an extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From its start until it has answered the greeting.
    pub handshake: Duration,
    /// How long one deed may compute. The time in which a person is asked does not count.
    pub own_time: Duration,
    /// How many lines it may write.
    pub frames: usize,
    /// The longest line, in either direction.
    pub frame_bytes: usize,
    /// How many bytes it may write.
    pub output_bytes: usize,
    /// How often it may call the UI.
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

/// The standard streams of an extension, from our side.
pub struct Streams {
    /// Its standard input.
    pub input: Box<dyn Write + Send>,
    /// Its standard output.
    pub output: Box<dyn Read + Send>,
    /// Its standard error.
    pub errors: Box<dyn Read + Send>,
}

#[cfg(test)]
mod tests;
