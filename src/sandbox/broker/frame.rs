//! Frames: one line of JSON each way, and nothing else on a connection.

use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::app::ports::{NotRecorded, Timing};
use crate::domain::checkpoint::Checkpoint;
use crate::domain::event::Recorded;
use crate::domain::facets::{Filed, Unfilled};
use crate::domain::ids::SessionId;

use super::request::BrokerRequest;

/// The version of the frames; another one is refused, since guessing would record something else.
pub const VERSION: u32 = 2;
/// The longest frame in bytes: the two largest checkpoints with every byte escaped, and some.
pub const LONGEST: u64 = 8 * 1024 * 1024;

/// What a client sends.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The version of the frames.
    pub v: u32,
    /// The session that is meant; refused when another one is active outside.
    pub session: SessionId,
    pub wish: BrokerRequest,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Answer {
    Done {
        /// What happened, without large texts.
        events: Vec<Recorded>,
        /// The checkpoints of those events that brought one.
        checkpoints: Vec<String>,
        /// The file that a kept reply was written to.
        kept: Option<PathBuf>,
        /// Whether that file was made for it, and did not say the same before.
        #[serde(default)]
        made: bool,
    },
    Refused {
        code: String,
        exit: u8,
        message: String,
        /// Why, one a line.
        causes: Vec<String>,
        hint: Option<String>,
        /// What an agent is to do about it.
        #[serde(default)]
        advice: Option<Box<str>>,
        /// Whether the wish was right when it was made, and came too late.
        late: bool,
    },
}

/// An answer with the version that it is written in.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answered {
    /// The version of the frames.
    pub v: u32,
    pub answer: Answer,
}

impl Answer {
    /// What happened, as it travels.
    pub fn done(events: &[Recorded], kept: Option<PathBuf>) -> Self {
        let checkpoints = events
            .iter()
            .filter_map(|recorded| {
                let Some(Filed::Checkpoint(checkpoint)) = recorded.event.facets().filed else { return None };
                Some(checkpoint.as_str().to_owned())
            })
            .collect();
        Self::Done { events: events.to_vec(), checkpoints, kept, made: false }
    }

    /// A reply is kept in this file, which was made for it or not.
    pub fn kept(file: PathBuf, made: bool) -> Self {
        Self::Done { events: Vec::new(), checkpoints: Vec::new(), kept: Some(file), made }
    }

    pub fn refused(code: &str, exit: u8, message: impl Into<String>) -> Self {
        Self::Refused {
            code: code.to_owned(),
            exit,
            message: message.into(),
            causes: Vec::new(),
            hint: None,
            advice: None,
            late: false,
        }
    }

    pub fn line(self) -> Vec<u8> {
        line(&Answered { v: VERSION, answer: self })
    }

    /// What the client makes of it: the events with their texts, and what was kept.
    pub fn taken(self) -> Result<(Vec<Recorded>, Option<PathBuf>), NotRecorded> {
        match self {
            Self::Done { mut events, checkpoints, kept, made: _ } => {
                let mut texts = checkpoints.into_iter();
                for recorded in &mut events {
                    if let Some(Unfilled::Checkpoint(checkpoint)) = recorded.event.unfilled() {
                        *checkpoint = Checkpoint::stored(texts.next().unwrap_or_default());
                    }
                }
                Ok((events, kept))
            }
            Self::Refused { code, exit, message, causes, hint, advice, late } => {
                let timing = if late { Timing::Late } else { Timing::Whenever };
                Err(NotRecorded { code, exit, message, causes, hint, advice, timing })
            }
        }
    }
}

pub fn line(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(value).expect("frames are plain data");
    bytes.push(b'\n');
    bytes
}

/// Reads one line of at most [`LONGEST`] bytes. The end of the stream ends it, too; nothing after it is read.
pub fn read(stream: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut limited = BufReader::new(stream).take(LONGEST + 1);
    limited.read_until(b'\n', &mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("a frame has at most {LONGEST} bytes")));
    }
    Ok(bytes)
}

pub fn request(bytes: &[u8]) -> Result<Request, Answer> {
    #[derive(Deserialize)]
    struct Version {
        v: u32,
    }
    let garbage =
        |error: serde_json::Error| Answer::refused("bad_frame", 2, format!("the broker was sent no request: {error}"));
    let version: Version = serde_json::from_slice(bytes).map_err(garbage)?;
    if version.v != VERSION {
        let message = format!("the broker speaks version {VERSION}, and was sent version {}", version.v);
        return Err(Answer::refused("bad_version", 2, message));
    }
    serde_json::from_slice(bytes).map_err(garbage)
}
