//! Plays the transcripts of `fixtures/mcp`. A line begins with what it does; a digit before it names the client, where
//! there are several.
//!
//! | mark | what it does |
//! |---|---|
//! | `# ` | says what comes |
//! | `> ` | sends a frame; without `jsonrpc` it is a call in short, `{"tool": {arguments}}` |
//! | `! ` | sends bytes as they stand |
//! | `? ` | is what the form contains that is to be shown now, in the way of the client's era |
//! | `= ` | is what the client does with that form |
//! | `< ` | is what the frame contains that comes then; without `id` and `method` it is the value of the last call in short |
//! | `$ ` | runs a shell line beside it |
//! | `@ ` | is a person at a terminal: a line, and by turns what they see and what they type |
//! | `* ` | keeps a part of the last frame under a name, `NAME /pointer` |
//! | `x ` | closes the client, and sees the server end |

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::{Value, json};

use super::wire::{Shows, Speaks, Wire, meta};
use crate::bench::Bench;
use crate::pty::Pty;

/// Plays a transcript with clients of this kind.
pub fn play(name: &str, speaks: Speaks) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mcp").join(name);
    let script = std::fs::read_to_string(path).unwrap();
    let bench = Bench::new();
    let mut stage = Stage { bench: &bench, speaks, wires: BTreeMap::new(), kept: BTreeMap::new() };
    let mut steps = 0;
    for (number, line) in script.lines().enumerate() {
        let place = format!("{name}:{}", number + 1);
        let (client, line) = match line.split_at_checked(1) {
            Some((digit, rest)) if digit.parse::<u8>().is_ok() => (digit, rest),
            _ => ("1", line),
        };
        let Some((mark, rest)) = line.split_at_checked(2) else {
            assert!(line.is_empty(), "{place}: {line}");
            continue;
        };
        steps += 1;
        stage.step(&place, client, mark, rest);
    }
    assert!(steps > 0, "{name} is empty");
    for wire in stage.wires.values_mut() {
        wire.close();
    }
}

struct Stage<'b> {
    bench: &'b Bench,
    speaks: Speaks,
    wires: BTreeMap<String, Wire>,
    kept: BTreeMap<String, Value>,
}

impl Stage<'_> {
    fn wire(&mut self, client: &str) -> &mut Wire {
        self.wires.entry(client.to_owned()).or_insert_with(|| Wire::to(self.bench, self.speaks))
    }

    fn step(&mut self, place: &str, client: &str, mark: &str, rest: &str) {
        match mark {
            "# " => {}
            "$ " => drop(self.bench.run(rest).assert_code(0)),
            "@ " => sits(self.bench, &read(place, rest)),
            "* " => {
                let (name, pointer) = rest.split_once(' ').expect("a name and a pointer");
                let value = self.wire(client).seen.pointer(pointer).cloned();
                self.kept.insert(format!("${name}"), value.unwrap_or_else(|| panic!("{place}: nothing at {pointer}")));
            }
            "x " => self.wires.remove(client).expect("it is there").close(),
            mark => {
                let filled = self.filled(client, rest);
                let wire = self.wire(client);
                match mark {
                    "> " if read(place, &filled).get("jsonrpc").is_none() => wire.call(&read(place, &filled)),
                    "> " | "! " => wire.line(&filled),
                    "= " => wire.fill(&read(place, &filled)),
                    "? " => matches(place, &wire.form(), &read(place, &filled)),
                    "< " => comes(place, wire, &read(place, &filled)),
                    mark => panic!("{place}: {mark}"),
                }
            }
        }
    }

    fn filled(&mut self, client: &str, text: &str) -> String {
        let mut text = text.to_owned();
        if let Some(wire) = self.wires.get(client) {
            text = text.replace("$STATE", &wire.state.to_string());
        }
        for (name, value) in &self.kept {
            text = text.replace(name, &value.to_string());
        }
        if text.contains("$HUGE") {
            text = text.replace("$HUGE", &json!("x".repeat(10 << 20)).to_string());
        }
        let many: Vec<Value> = (0..200).map(|n| json!({ "label": format!("option {n}") })).collect();
        text.replace("$META", &meta(Shows::Forms).to_string()).replace("$MANY", &Value::Array(many).to_string())
    }
}

fn read(place: &str, text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{place}: {error} in {text}"))
}

fn comes(place: &str, wire: &mut Wire, wanted: &Value) {
    let id = wanted.get("id");
    let method = wanted.get("method");
    if id.is_none() && method.is_none() {
        let frame = wire.answered();
        let result = frame.get("result").unwrap_or_else(|| panic!("{place}: {frame}"));
        complete(place, result);
        return matches(place, &result["structuredContent"], wanted);
    }
    let frame = wire.next(|frame| frame.get("method") == method && (id.is_none() || frame.get("id") == id));
    if let Some(result) = frame.get("result").filter(|result| result.get("structuredContent").is_some()) {
        complete(place, result);
    }
    if let Some(state) = frame.pointer("/result/requestState") {
        wire.state = state.clone();
    }
    if method.is_some() {
        wire.request = frame["id"].clone();
    }
    matches(place, &frame, wanted);
}

/// Some clients show the model the words and others the value: the one says what the other says.
fn complete(place: &str, result: &Value) {
    let (value, words) = (&result["structuredContent"], result["content"][0]["text"].as_str().unwrap());
    assert_eq!(result["isError"], json!(value["error"].is_object()), "{place}: {result}");
    let texts = |name: &str| value[name].as_array().into_iter().flatten().filter_map(Value::as_str);
    let said: Vec<&str> = match value["text"].as_str() {
        Some(text) => std::iter::once(text).chain(texts("remarks")).chain(value["instructions"].as_str()).collect(),
        None => value["error"]["message"].as_str().into_iter().chain(value["error"]["hint"].as_str()).collect(),
    };
    assert!(!said.is_empty() && said.iter().all(|one| !one.is_empty() && words.contains(one)), "{place}: {result}");
}

fn matches(place: &str, found: &Value, wanted: &Value) {
    assert!(contains(found, wanted), "{place}\nwanted {wanted}\nfound  {found}");
}

/// Whether everything that `wanted` says stands in `found`; a text that begins with `…` is a part of one, and of codes
/// with `or` between them it is one.
fn contains(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) => {
            wanted.iter().all(|(key, value)| found.get(key).is_some_and(|one| contains(one, value)))
        }
        (Value::Array(found), Value::Array(wanted)) => {
            found.len() >= wanted.len() && wanted.iter().zip(found).all(|(wanted, found)| contains(found, wanted))
        }
        (Value::String(found), Value::String(wanted)) => match wanted.strip_prefix('…') {
            Some(part) => found.contains(part),
            None => found == wanted || (is_code(found) && wanted.split(" or ").any(|code| code == found)),
        },
        (found, wanted) => found == wanted,
    }
}

fn is_code(text: &str) -> bool {
    text.contains('_') && text.bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase())
}

/// A person at a terminal of their own.
fn sits(bench: &Bench, scene: &Value) {
    let mut words = scene.as_array().unwrap().iter().map(|word| word.as_str().unwrap());
    let mut command = Command::new("sh");
    command.args(["-c", words.next().expect("a line")]).current_dir(bench.repo()).envs(bench.environment());
    let mut pty = Pty::spawn(&command, 50, 100);
    while let (Some(sees), Some(types)) = (words.next(), words.next()) {
        pty.wait_for(sees);
        pty.send(types);
    }
    let code = pty.exit_code();
    assert_eq!(code, 0, "{scene}\n{}", pty.screen());
}
