//! What few agents do and none is kept from: answers that take their time, lines that are no messages, floods, several
//! requests at once, words after the end of a turn or for another session, and an end of the pipe that nobody reads.

use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::mpsc::TryRecvError;

use serde_json::{Value, json};

use super::{Player, raw};

pub(super) const STEPS: &[&str] =
    &["junk", "half", "flood", "update", "raw", "plan", "huge", "late", "together", "reads"];

/// After so many lines of a flood without end the agent looks whether it is to stop.
const LINES: usize = 64;

impl Player {
    /// Lets the client wait as long as `slow` says of this request. One that is not answered at all is an error, with the
    /// code with which the process ends by it, if it does.
    pub(super) fn is_served(&mut self, message: &Value) -> Result<(), Option<u8>> {
        if message["method"].is_string() && message["method"] == self.script["dies"] {
            return Err(Some(9));
        }
        let slow = &self.script["slow"][message["method"].as_str().unwrap_or_default()];
        match slow.as_str().map(str::to_owned).as_deref() {
            None => Ok(()),
            Some("never") => Err(None),
            Some(file) => {
                self.until(Path::new(file));
                Ok(())
            }
        }
    }

    pub(super) fn unruly(&mut self, name: &str, given: &Value, step: &Value) {
        let text = given.as_str().unwrap_or_default();
        match name {
            "junk" => {
                for _ in 0..step["times"].as_u64().unwrap_or(1) {
                    raw(text);
                }
            }
            // A line that is not ended.
            "half" => {
                let mut out = std::io::stdout().lock();
                let _ = write!(out, "{text}").and_then(|()| out.flush());
            }
            "flood" if given == "endless" => while self.floods() {},
            "flood" => {
                for at in 0..given.as_u64().unwrap_or_default() {
                    think(&format!("thought {at}. "));
                }
            }
            "update" => Self::update_of(step["session"].as_str().unwrap_or("scripted-session"), given),
            "raw" => {
                raw(&given.to_string());
            }
            "plan" => Self::update(&json!({"sessionUpdate": "plan", "entries": given})),
            // One line, with a text of so many letters.
            "huge" => Self::say(&"x".repeat(usize::try_from(given.as_u64().unwrap_or_default()).unwrap_or(0))),
            // Played when the turn has been answered.
            "late" => self.late.extend(given.as_array().cloned().unwrap_or_default()),
            "together" => self.together(given, step),
            // What is sent from now on stays in the pipe.
            "reads" => self.reads.store(false, Ordering::SeqCst),
            _ => unreachable!("every name in STEPS has an arm"),
        }
    }

    /// Some lines of a flood without end; whether it goes on. It ends when it is cancelled, and when nobody is there.
    fn floods(&mut self) -> bool {
        let taken = (0..LINES).all(|at| think(&format!("thought {at}. ")));
        loop {
            match self.heard.try_recv() {
                Ok(message) => self.heed(message),
                Err(TryRecvError::Empty) => return taken && !self.cancelled,
                Err(TryRecvError::Disconnected) => return false,
            }
        }
    }

    /// Sends all these requests, takes back those that are named under `withdraw` once the file `until` is there, and
    /// waits for as many answers, in whatever order. They are kept as `ID=WORD ID=WORD`, and shown to a `shell` as
    /// `$ANSWER`.
    fn together(&mut self, requests: &Value, step: &Value) {
        let requests = requests.as_array().cloned().unwrap_or_default();
        self.replies.clear();
        for request in &requests {
            let mut line = json!({"jsonrpc": "2.0"});
            super::merge(&mut line, request);
            raw(&line.to_string());
        }
        if let Some(file) = step["until"].as_str() {
            self.until(Path::new(file));
        }
        for id in step["withdraw"].as_array().into_iter().flatten() {
            raw(&json!({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": id}}).to_string());
        }
        while self.replies.len() < requests.len() && !self.cancelled {
            match self.heard.recv() {
                Ok(message) => self.heed(message),
                Err(_) => break,
            }
        }
        // What is answered once too often comes before the answer to this.
        self.ask("scripted/last", &json!({}));
        let words: Vec<String> = std::mem::take(&mut self.replies).iter().map(in_a_word).collect();
        self.answered = words.join(" ");
    }
}

fn think(text: &str) -> bool {
    let update = json!({"sessionUpdate": "agent_thought_chunk", "content": {"type": "text", "text": text}});
    let params = json!({"sessionId": "scripted-session", "update": update});
    raw(&json!({"jsonrpc": "2.0", "method": "session/update", "params": params}).to_string())
}

/// An answer of the client: its id, and the code of an error, or what was done or chosen.
fn in_a_word(reply: &Value) -> String {
    let result = &reply["result"];
    let words = [
        &reply["error"]["code"],
        &result["action"],
        &result["outcome"]["optionId"],
        &result["outcome"]["outcome"],
        &result["outcome"],
    ];
    let word = words.into_iter().find(|word| !word.is_null()).unwrap_or(result);
    format!("{}={word}", reply["id"]).replace('"', "")
}
