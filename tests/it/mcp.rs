//! The MCP server, frame by frame: transcripts in `fixtures/mcp`, played against the real program. A line `> ` is sent,
//! `! ` is sent as it stands, `< ` is what the next frame has to contain, `= ` answers the server's own request that was
//! seen last, `$ ` is run in a shell beside it. Notifications in between are passed over.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::bench::Bench;

/// No frame takes this long, however busy the machine is.
const PATIENCE: Duration = Duration::from_mins(2);

/// Who a client of the second era says it is, with every request.
fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "claude-code", "version": "2" },
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
    })
}

struct Wire {
    input: ChildStdin,
    frames: Receiver<Value>,
    /// The request state and the id of the request that were seen last.
    state: Value,
    request: Value,
}

impl Wire {
    fn new(input: ChildStdin, output: ChildStdout) -> Self {
        let (send, frames) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { return };
                let frame = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error} in the frame {line}"));
                if send.send(frame).is_err() {
                    return;
                }
            }
        });
        Self { input, frames, state: Value::Null, request: Value::Null }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// The next frame that is no notification, and no answer to what nobody could read.
    fn next(&mut self) -> Value {
        loop {
            let frame = self.frames.recv_timeout(PATIENCE).expect("the server answers");
            let answers_garbage = frame.get("error").is_some() && frame.get("id").is_none_or(Value::is_null);
            if frame.get("id").is_some() && !answers_garbage {
                return frame;
            }
        }
    }
}

/// Whether everything that `wanted` says stands in `found`.
fn contains(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) => {
            wanted.iter().all(|(key, value)| found.get(key).is_some_and(|one| contains(one, value)))
        }
        (Value::Array(found), Value::Array(wanted)) => {
            found.len() >= wanted.len() && wanted.iter().zip(found).all(|(wanted, found)| contains(found, wanted))
        }
        (found, wanted) => found == wanted,
    }
}

fn play(name: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mcp").join(name);
    let script = std::fs::read_to_string(path).unwrap();
    let bench = Bench::new();
    let mut server: Command = bench.command("exec git grill mcp");
    let mut server = server.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut wire = Wire::new(server.stdin.take().unwrap(), server.stdout.take().unwrap());
    let many: Vec<Value> = (0..200).map(|n| json!({ "label": format!("option {n}") })).collect();
    for (number, line) in script.lines().enumerate() {
        let place = format!("{name}:{}", number + 1);
        let Some((mark, rest)) = line.split_at_checked(2) else { continue };
        let filled = rest
            .replace("$META", &meta().to_string())
            .replace("$STATE", &wire.state.to_string())
            .replace("$MANY", &Value::Array(many.clone()).to_string());
        match mark {
            "> " if filled.contains("$HUGE") => {
                wire.send(&filled.replace("$HUGE", &json!("x".repeat(10 << 20)).to_string()));
            }
            "> " | "! " => wire.send(&filled),
            "= " => {
                let result: Value = serde_json::from_str(&filled).unwrap();
                let answer = json!({ "jsonrpc": "2.0", "id": wire.request, "result": result });
                wire.send(&answer.to_string());
            }
            "< " => {
                let wanted: Value = serde_json::from_str(&filled).unwrap();
                let frame = wire.next();
                assert!(contains(&frame, &wanted), "{place}\nwanted {wanted}\nfound  {frame}");
                if let Some(state) = frame.pointer("/result/requestState") {
                    wire.state = state.clone();
                }
                if frame.get("method").is_some() {
                    wire.request = frame["id"].clone();
                }
            }
            "$ " => drop(bench.run(rest).assert_code(0)),
            "# " => {}
            mark => panic!("{place}: {mark}"),
        }
    }
    drop(wire.input);
    assert!(server.wait().unwrap().success(), "{name}: the client went away, and so did the server");
}

#[test]
fn q7_q13_a_client_of_the_first_era_is_asked_by_requests() {
    play("first-era.jsonl");
}

#[test]
fn q13_a_client_of_the_second_era_is_asked_in_rounds() {
    play("second-era.jsonl");
}

#[test]
fn q14_whatever_a_client_sends_the_server_lives_on() {
    play("hostile.jsonl");
}

#[test]
fn g2_g30_a_client_that_closes_every_form_learns_how_to_go_on() {
    play("closed-forms.jsonl");
}
