//! Frames of an MCP client, as many as there are lines. The server answers what was asked under the id that it was asked
//! under, in whole lines of JSON, and no frame brings it down.

use std::sync::Arc;

use git_grill::app::toolbox::{Call, Called, Described, Field, Filled, Nature, Takes, ToolText, Toolbox, Waiting};
use git_grill::mcp::serve_frames;
use serde_json::{Value, json};

/// A toolbox with a tool that is done at once, and one that waits for a person.
struct Box2;

fn said(kind: &str) -> ToolText {
    ToolText { text: kind.to_owned(), value: json!({ "kind": kind }), failed: false }
}

impl Toolbox for Box2 {
    fn tools(&self) -> Vec<Described> {
        let described = |name: &str, nature| Described {
            name: name.to_owned(),
            description: "does something".to_owned(),
            schema: json!({ "type": "object" }),
            nature,
        };
        vec![described("grill_status", Nature::Reads), described("ask_question", Nature::Records)]
    }

    fn call(&self, call: &Call) -> Called {
        assert!(call.arguments.is_object(), "{call:?}");
        match call.tool.as_str() {
            "grill_status" => Called::Done(said("status")),
            "ask_question" => Called::Waiting(Box::new(Waiting {
                handle: "q-1".to_owned(),
                message: "Which?".to_owned(),
                fields: vec![Field {
                    name: "choice".to_owned(),
                    title: "One".to_owned(),
                    takes: Takes::One(vec![("1".to_owned(), "one".to_owned())]),
                    required: true,
                    initial: None,
                }],
                within: None,
                given: Value::Null,
                meanwhile: said("waiting"),
            })),
            other => panic!("a tool that is not there was called: {other}"),
        }
    }

    fn look(&self, _waiting: &Waiting, _call: &Call) -> Option<ToolText> {
        None
    }

    fn fill(&self, _waiting: &Waiting, _call: &Call, _filled: Filled) -> Called {
        Called::Done(said("filled"))
    }

    fn late(&self, _waiting: &Waiting, _call: &Call, _values: Value) {}

    fn undelivered(&self, _said: ToolText) {}

    fn version(&self) -> Option<String> {
        None
    }

    fn instructions(&self) -> Option<String> {
        Some("ask first".to_owned())
    }

    fn has_prompt(&self) -> bool {
        true
    }

    fn prompt(&self, _topic: Option<&str>) -> String {
        "begin".to_owned()
    }
}

pub fn run(data: &[u8]) {
    let (told, _ended) = serve_frames(Arc::new(Box2), data.to_vec());
    let told = String::from_utf8(told).expect("what it says is text");
    let asked: Vec<Value> = data
        .split(|byte| *byte == b'\n')
        // A mark of the byte order before a frame is passed over.
        .map(|line| line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line))
        .filter_map(|line| serde_json::from_slice::<Value>(line).ok()?.get("id").cloned())
        .collect();
    for line in told.split_inclusive('\n') {
        let frame: Value = serde_json::from_str(line).unwrap_or_else(|why| panic!("{why}: {line:?}"));
        assert_eq!(frame["jsonrpc"], "2.0", "{line}");
        let is_answer = frame.get("method").is_none();
        if let Some(id) = frame.get("id").filter(|id| is_answer && !id.is_null()) {
            let same = |asked: &Value| asked == id || asked.as_f64().is_some() && asked.as_f64() == id.as_f64();
            assert!(asked.iter().any(same), "nobody asked under {id}: {line}");
            assert!(frame.get("result").is_some() != frame.get("error").is_some(), "{line}");
        }
    }
}
