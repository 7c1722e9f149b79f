//! The first extension: the program behind the tool `questionnaire`, which uses nothing but the protocol (P8). A single
//! question becomes a list, several become one form. The arguments `noChange` and `timeoutSeconds` are for git grill,
//! which records the answers and limits the time; this program accepts and ignores them.

use std::io::{BufRead, Read, Result, Write};

use serde_json::{Map, Value, json};

/// The longest line that a host sends.
const LONGEST_LINE: u64 = 1024 * 1024;
/// The tool as it is offered, and as agents see it.
const TOOL: &str = include_str!("../domain/tool/schema/questionnaire.json");
/// The tool's other arguments.
const FOR_THE_CALLER: [&str; 2] = ["noChange", "timeoutSeconds"];

/// Serves git grill until the input ends.
pub fn serve(input: impl BufRead, output: impl Write) -> Result<()> {
    Program { input, output, calls: 0 }.serve()
}

struct Program<I, O> {
    input: I,
    output: O,
    calls: u64,
}

impl<I: BufRead, O: Write> Program<I, O> {
    fn serve(mut self) -> Result<()> {
        while let Some(frame) = self.read()? {
            // A message without an id wants no answer, and this program does nothing else.
            let (Some(id), Some(method)) = (frame.get("id"), frame.get("method").and_then(Value::as_str)) else {
                continue;
            };
            let outcome = match method {
                "initialize" => Ok(introduction()?),
                "tool/call" if frame["params"]["name"] == "questionnaire" => {
                    let Some(result) = self.call(&frame["params"]["arguments"])? else { return Ok(()) };
                    Ok(result)
                }
                "tool/call" => Err(json!({"code": -32602, "message": "questionnaire has no other tool"})),
                other => Err(json!({"code": -32601, "message": format!("questionnaire does not serve {other}")})),
            };
            self.write(&match outcome {
                Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
                Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
            })?;
        }
        Ok(())
    }

    /// The result of the tool; `None` if the host went away.
    fn call(&mut self, arguments: &Value) -> Result<Option<Value>> {
        let questions = match questions(arguments) {
            Ok(questions) => questions,
            Err(why) => return Ok(Some(without(&[], "bad_request", &why))),
        };
        let (method, params) = asked(&questions);
        Ok(self.ask(method, &params)?.map(|reply| result(&questions, &reply)))
    }

    /// Calls the UI; the frame with the answer, or `None` if the host went away.
    fn ask(&mut self, method: &str, params: &Value) -> Result<Option<Value>> {
        self.calls += 1;
        let id = self.calls;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        while let Some(frame) = self.read()? {
            if frame.get("method").is_none() && frame["id"] == id {
                return Ok(Some(frame));
            }
        }
        Ok(None)
    }

    /// The next frame; `None` at the end of the input.
    fn read(&mut self) -> Result<Option<Value>> {
        loop {
            let mut line = Vec::new();
            if self.input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
                return Ok(None);
            }
            if !line.trim_ascii().is_empty() {
                return Ok(Some(serde_json::from_slice(&line)?));
            }
        }
    }

    fn write(&mut self, frame: &Value) -> Result<()> {
        writeln!(self.output, "{frame}")?;
        self.output.flush()
    }
}

/// The answer to `initialize`.
fn introduction() -> Result<Value> {
    let tool: Value = serde_json::from_str(TOOL)?;
    Ok(json!({"name": "questionnaire", "ui_api_version": 1, "tools": [tool]}))
}

/// The questions, with their ids checked and their defaults filled in. The rest of each is the UI's to check.
fn questions(arguments: &Value) -> std::result::Result<Vec<Value>, String> {
    let Value::Object(arguments) = arguments else { return Err("questionnaire takes an object".to_owned()) };
    let known = |key: &str| key == "questions" || FOR_THE_CALLER.contains(&key);
    if let Some(key) = arguments.keys().find(|key| !known(key)) {
        return Err(format!("questionnaire does not know {key}"));
    }
    let raw = arguments.get("questions").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if raw.is_empty() {
        return Err("questionnaire takes at least one question, and there is none".to_owned());
    }
    let mut questions: Vec<Value> = Vec::with_capacity(raw.len());
    for (number, question) in (1..).zip(raw) {
        let Value::Object(question) = question else { return Err(format!("question {number} is not an object")) };
        let mut question = question.clone();
        let id = question.get("id").and_then(Value::as_str).unwrap_or_default().trim().to_owned();
        if id.is_empty() {
            return Err(format!("question {number} has no id"));
        }
        if questions.iter().any(|earlier| earlier["id"] == id.as_str()) {
            return Err(format!("question {number} has the id {id}, which an earlier one has"));
        }
        question.insert("id".to_owned(), json!(id));
        question.entry("label").or_insert_with(|| json!(format!("Q{number}")));
        question.entry("allow_other").or_insert(json!(true));
        questions.push(Value::Object(question));
    }
    Ok(questions)
}

/// The call of the UI that asks them.
fn asked(questions: &[Value]) -> (&'static str, Value) {
    match questions {
        // A list takes neither a note nor a preview.
        [Value::Object(only)] if !only.contains_key("note") && !only.contains_key("preview") => {
            let mut list = only.clone();
            list.remove("id");
            list.remove("label");
            match list.remove("kind") {
                None => ("ui.select", Value::Object(list)),
                Some(kind) if kind == "one" => ("ui.select", Value::Object(list)),
                Some(kind) if kind == "multi" => ("ui.multi_select", Value::Object(list)),
                // The UI says what it knows.
                Some(_) => ("ui.form", json!({"questions": questions})),
            }
        }
        questions => ("ui.form", json!({"questions": questions})),
    }
}

/// The result of the tool, from the frame that answers the call.
fn result(questions: &[Value], reply: &Value) -> Value {
    let Some(returned) = reply.get("result") else {
        let error = &reply["error"];
        let kind = error["data"]["kind"].as_str().unwrap_or("bad_request");
        return without(questions, kind, error["message"].as_str().unwrap_or("the questions were not shown"));
    };
    if returned["cancelled"] == true {
        return json!({
            "questions": questions, "answers": [], "cancelled": true, "text": "User cancelled the selection.",
        });
    }
    let answers: Vec<Value> = match (returned.get("answers").and_then(Value::as_array), questions) {
        (Some(answers), _) => answers.iter().filter_map(Value::as_object).map(answer).collect(),
        (None, [only]) => {
            let mut one = returned.as_object().cloned().unwrap_or_default();
            one.remove("cancelled");
            one.insert("id".to_owned(), only["id"].clone());
            vec![answer(&one)]
        }
        (None, _) => Vec::new(),
    };
    json!({"questions": questions, "answers": answers, "cancelled": false, "text": "User answered the questions."})
}

/// An answer that always says whether it is the person's own words.
fn answer(one: &Map<String, Value>) -> Value {
    let mut one = one.clone();
    one.entry("other").or_insert(json!(false));
    Value::Object(one)
}

/// The result without an answer; it is not a cancellation either.
fn without(questions: &[Value], kind: &str, why: &str) -> Value {
    json!({
        "questions": questions, "answers": [], "cancelled": false, "isError": true, "kind": kind, "text": why,
    })
}
