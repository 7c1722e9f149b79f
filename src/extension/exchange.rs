//! The messages to and from an extension, counted. They are also read while a person is asked: the extension may cancel
//! its call, or exit.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::ended::shown;
use super::streams::{Heard, MOST_UNREAD, listen};
use super::wire::{self, CANCEL, Frame, is_ui};
use super::{Ended, LEAVING, Limits, Streams};
use crate::pipes::{Speaker, Tail, Unread, speak};

/// The most messages that wait while a person is asked.
const MOST_WAITING: usize = 256;
/// From the end of its standard output until its standard error has been read.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Both directions of the wire.
pub(super) struct Exchange {
    limits: Limits,
    heard: Receiver<Heard>,
    /// `None` once its standard input is closed.
    out: Option<Speaker>,
    errors: Tail,
    requests: u64,
    frames: usize,
    bytes: usize,
    ui_calls: usize,
    /// Messages that came while a person was asked; they are served afterwards.
    waiting: VecDeque<Frame>,
    /// The error that occurred while a person was asked; reported once the prompt is closed.
    ended: Option<Ended>,
    /// The state of the call that a person is being asked.
    open: Open,
}

/// Whether the extension still waits for the answer to its call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Wanted,
    /// It cancelled the call, or sent its result without waiting.
    TakenBack,
    /// It exited, or has to be ended.
    Over,
}

impl Exchange {
    /// Begins to listen.
    pub(super) fn over(streams: Streams, limits: Limits) -> Self {
        let Streams { input, output, errors } = streams;
        Self {
            limits,
            heard: listen(output, limits.frame_bytes),
            out: Some(speak(input, MOST_UNREAD)),
            errors: Tail::of(errors, limits.stderr_bytes),
            requests: 0,
            frames: 0,
            bytes: 0,
            ui_calls: 0,
            waiting: VecDeque::new(),
            ended: None,
            open: Open::Wanted,
        }
    }

    /// Makes a request; its id.
    pub(super) fn request(&mut self, method: &str, params: &Value) -> Result<u64, Ended> {
        self.requests += 1;
        let frame = wire::request(self.requests, method, params);
        let bytes = frame.to_string().len() + 1;
        if bytes > self.limits.frame_bytes {
            return Err(Ended::TooLong { bytes, limit: self.limits.frame_bytes });
        }
        self.send(&frame)?;
        Ok(self.requests)
    }

    /// Sends a frame, without waiting until it is read.
    pub(super) fn send(&self, frame: &Value) -> Result<(), Ended> {
        let Some(out) = &self.out else { return Ok(()) };
        // One that reads no more may still have said something; its end is noticed where it is listened to.
        out.say(format!("{frame}\n").into_bytes()).map_err(|unread| {
            let most = match unread {
                Unread::Pieces => format!("{} requests", MOST_UNREAD.pieces),
                Unread::Bytes => format!("requests for {} bytes", MOST_UNREAD.bytes),
            };
            Ended::TooMuch { what: format!("{most} without reading the answers") }
        })
    }

    /// The next frame, those first that came while a person was asked. The time that it waited is taken from `left`; `None`
    /// once nothing is left.
    #[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
    pub(super) fn next(&mut self, left: &mut Duration) -> Result<Option<Frame>, Ended> {
        loop {
            if let Some(frame) = self.waiting.pop_front() {
                return Ok(Some(frame));
            }
            if let Some(ended) = self.ended.take() {
                return Err(ended);
            }
            let begun = Instant::now();
            let heard = self.heard.recv_timeout(*left);
            *left = left.saturating_sub(begun.elapsed());
            match heard {
                Ok(heard) => {
                    if let Some(frame) = self.taken(heard)? {
                        return Ok(Some(frame));
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Ended::Left { errors: self.errors.at_its_end(LAST_WORDS) });
                }
            }
        }
    }

    /// Counts a line and reads its frame; an empty line has none.
    fn taken(&mut self, heard: Heard) -> Result<Option<Frame>, Ended> {
        let Limits { frames, frame_bytes, output_bytes, .. } = self.limits;
        let line = match heard {
            Heard::Line(line) => line,
            Heard::TooLong => return Err(Ended::TooMuch { what: format!("{frame_bytes} bytes in one line") }),
        };
        self.frames += 1;
        self.bytes += line.len() + 1;
        if self.frames > frames {
            return Err(Ended::TooMuch { what: format!("{frames} lines") });
        }
        if self.bytes > output_bytes {
            return Err(Ended::TooMuch { what: format!("{output_bytes} bytes") });
        }
        if line.trim_ascii().is_empty() {
            return Ok(None);
        }
        match Frame::read(&line) {
            Some(frame) => Ok(Some(frame)),
            None => Err(Ended::Garbage { line: shown(&String::from_utf8_lossy(&line)) }),
        }
    }

    pub(super) fn count_call(&mut self) -> Result<(), Ended> {
        self.ui_calls += 1;
        let most = self.limits.ui_calls;
        if self.ui_calls > most { Err(Ended::TooMuch { what: format!("{most} UI calls") }) } else { Ok(()) }
    }

    /// A person is about to be asked.
    pub(super) fn open(&mut self) {
        self.open = Open::Wanted;
    }

    /// Whether the extension cancelled the last call, or did not wait for it.
    pub(super) fn took_back(&self) -> bool {
        self.open == Open::TakenBack
    }

    /// Whether the extension no longer waits for the answer to the call with this id. Asked while the prompt is open.
    pub(super) fn is_settled(&mut self, id: &Value) -> bool {
        while self.open == Open::Wanted {
            match self.heard.try_recv() {
                Ok(heard) => {
                    let taken = self.taken(heard).and_then(|frame| frame.map_or(Ok(()), |one| self.meanwhile(one, id)));
                    if let Err(ended) = taken {
                        self.ended = Some(ended);
                        self.open = Open::Over;
                    }
                }
                Err(TryRecvError::Empty) => return false,
                Err(TryRecvError::Disconnected) => self.open = Open::Over,
            }
        }
        true
    }

    /// Takes a message that came while a person was asked for the call with this id.
    fn meanwhile(&mut self, frame: Frame, id: &Value) -> Result<(), Ended> {
        match frame {
            Frame::Notice { method, params } if method == CANCEL => {
                if params.get("id") == Some(id) {
                    self.open = Open::TakenBack;
                }
                Ok(())
            }
            Frame::Request { id, method, .. } if is_ui(&method) => {
                self.count_call()?;
                let why = "another call is open; make one call at a time";
                self.send(&wire::refusal_of_kind(&id, wire::BUSY, "ui_busy", why))
            }
            frame @ (Frame::Request { .. } | Frame::Notice { .. } | Frame::Reply { .. }) => {
                if matches!(frame, Frame::Reply { .. }) {
                    self.open = Open::TakenBack;
                }
                self.waiting.push_back(frame);
                if self.waiting.len() > MOST_WAITING {
                    return Err(Ended::TooMuch { what: format!("{MOST_WAITING} messages while the user was asked") });
                }
                Ok(())
            }
        }
    }

    /// The end of its standard error so far.
    pub(super) fn errors(&self) -> String {
        self.errors.so_far()
    }

    /// Closes its standard input, waits at most [`LEAVING`] for its exit, and returns the end of its standard error.
    pub(super) fn close(&mut self) -> String {
        self.out = None;
        self.errors.at_its_end(LEAVING)
    }
}
