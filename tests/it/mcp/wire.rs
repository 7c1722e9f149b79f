//! A client at the other end of a real server: frames out, frames in, whichever comes first.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::bench::Bench;

/// No frame takes this long, however busy the machine is.
const PATIENCE: Duration = Duration::from_mins(2);

/// What a client says about itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Speaks {
    /// Nothing by itself: every frame of it stands in the transcript.
    Frames,
    /// The protocol until 2025-11-25, where a form is a request of the server's.
    First(Shows),
    /// The protocol from 2026-07-28 on, where a form is a result, and the call is made again.
    Second(Shows),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shows {
    Forms,
    Nothing,
}

impl Shows {
    fn capabilities(self) -> Value {
        match self {
            Self::Forms => json!({ "elicitation": { "form": {} } }),
            Self::Nothing => json!({}),
        }
    }
}

/// Who a client of the second era says it is, with every request.
pub fn meta(shows: Shows) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "claude-code", "version": "2" },
        "io.modelcontextprotocol/clientCapabilities": shows.capabilities(),
    })
}

pub struct Wire {
    speaks: Speaks,
    server: Child,
    input: Option<ChildStdin>,
    frames: Receiver<Value>,
    /// Frames that came before somebody asked for them.
    early: Vec<Value>,
    last_id: u64,
    /// The last call that was made in short, and the request state that came back.
    call: Value,
    pub state: Value,
    /// The id of the server's own request that was seen last.
    pub request: Value,
    pub seen: Value,
}

impl Wire {
    pub fn to(bench: &Bench, speaks: Speaks) -> Self {
        Self::by(bench, "exec git grill mcp", speaks)
    }

    /// To a server that this line starts.
    pub fn by(bench: &Bench, line: &str, speaks: Speaks) -> Self {
        let mut server = bench.command(line);
        let server = server.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = server.spawn().unwrap();
        let (send, frames) = channel();
        let output = server.stdout.take().unwrap();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { return };
                let frame = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error} in the frame {line}"));
                if send.send(frame).is_err() {
                    return;
                }
            }
        });
        let input = server.stdin.take();
        let mut wire = Self {
            speaks,
            server,
            input,
            frames,
            early: Vec::new(),
            last_id: 0,
            call: Value::Null,
            state: Value::Null,
            request: Value::Null,
            seen: Value::Null,
        };
        if let Speaks::First(shows) = speaks {
            wire.hello(shows);
        }
        wire
    }

    fn hello(&mut self, shows: Shows) {
        let client = json!({ "name": "claude-code", "version": "2" });
        let params =
            json!({ "protocolVersion": "2025-11-25", "capabilities": shows.capabilities(), "clientInfo": client });
        self.request("initialize", &params);
        let hello = self.answered();
        assert!(hello.get("result").is_some(), "{hello}");
        self.line(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
    }

    pub fn line(&mut self, line: &str) {
        writeln!(self.input.as_mut().expect("its input is open"), "{line}").expect("the server reads");
    }

    pub fn request(&mut self, method: &str, params: &Value) {
        self.last_id += 1;
        let mut params = params.clone();
        if let Speaks::Second(shows) = self.speaks {
            params["_meta"] = meta(shows);
        }
        let id = format!("short-{}", self.last_id);
        self.line(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
    }

    /// Calls a tool: `{"name": {arguments}}`.
    pub fn call(&mut self, call: &Value) {
        let (name, arguments) = call.as_object().unwrap().iter().next().expect("a tool and its arguments");
        self.call = json!({ "name": name, "arguments": arguments });
        self.request("tools/call", &self.call.clone());
    }

    /// Answers the form that was seen last, in the way of the era.
    pub fn fill(&mut self, answer: &Value) {
        if let Speaks::Second(_) = self.speaks {
            let mut again = self.call.clone();
            again["inputResponses"] = json!({ "form": answer });
            again["requestState"] = self.state.clone();
            return self.request("tools/call", &again);
        }
        let mut frame = json!({ "jsonrpc": "2.0", "id": self.request });
        match answer.get("error") {
            Some(error) => frame["error"] = error.clone(),
            None => frame["result"] = answer.clone(),
        }
        self.line(&frame.to_string());
    }

    /// The form that the client is to show now.
    pub fn form(&mut self) -> Value {
        if let Speaks::Second(_) = self.speaks {
            let frame = self.answered();
            self.state = frame["result"]["requestState"].clone();
            assert_eq!(frame["result"]["resultType"], "input_required", "{frame}");
            return frame["result"]["inputRequests"]["form"]["params"].clone();
        }
        let frame = self.next(|frame| frame.get("method").is_some_and(|method| method == "elicitation/create"));
        self.request = frame["id"].clone();
        frame["params"].clone()
    }

    /// The answer to the last request that was made in short.
    pub fn answered(&mut self) -> Value {
        let id = format!("short-{}", self.last_id);
        self.next(|frame| frame.get("method").is_none() && frame["id"] == id.as_str())
    }

    /// The first frame, of those that nobody has taken, that is wanted.
    pub fn next(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            if let Some(at) = self.early.iter().position(&wanted) {
                self.seen = self.early.remove(at);
                return self.seen.clone();
            }
            let Ok(frame) = self.frames.recv_timeout(PATIENCE) else {
                panic!("the server says no such thing; what it said is {:#?}", self.early)
            };
            self.early.push(frame);
        }
    }

    /// The client goes away; so does the server.
    pub fn close(&mut self) {
        drop(self.input.take());
        assert!(self.server.wait().unwrap().success(), "the client went away, and so did the server");
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        // One that ended cannot be killed, and that is fine.
        self.server.kill().ok();
        self.server.wait().ok();
    }
}
