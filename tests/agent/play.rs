//! Playing the script: requests are answered, and each prompt plays one turn, step by step.

mod unruly;

use std::collections::VecDeque;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::outside;
use super::tools::Server;

/// Says on standard error why it ends.
pub fn complain(why: &str) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "scripted agent: {why}");
    ExitCode::from(2)
}

/// How a turn goes on after a step.
enum Next {
    Step,
    /// The turn ends, with this answer to its prompt.
    End(Value),
    Never,
    /// The process ends, with this code.
    Die(u8),
}

pub struct Player {
    script: Value,
    heard: Receiver<Value>,
    /// Whether it goes on reading what it is sent.
    reads: Arc<AtomicBool>,
    turns: VecDeque<Value>,
    /// Messages that came while a turn waited for something else.
    waiting: VecDeque<Value>,
    /// Answers of the client that no step waited for.
    replies: Vec<Value>,
    /// Steps to be played when the turn has ended.
    late: Vec<Value>,
    described: Value,
    server: Option<Server>,
    prompt: String,
    /// What came with it.
    blocks: Vec<Value>,
    calls: u64,
    /// What the client answered last.
    answered: String,
    /// The version that a refusal named last.
    based_on: String,
    cancelled: bool,
}

impl Player {
    pub fn new(script: Value, heard: Receiver<Value>, reads: Arc<AtomicBool>) -> Self {
        let turns = script["turns"].as_array().cloned().unwrap_or_default().into();
        Self {
            script,
            heard,
            reads,
            turns,
            waiting: VecDeque::new(),
            replies: Vec::new(),
            late: Vec::new(),
            described: Value::Null,
            server: None,
            prompt: String::new(),
            blocks: Vec::new(),
            calls: 0,
            answered: String::new(),
            based_on: String::new(),
            cancelled: false,
        }
    }

    /// Serves until its input ends.
    pub fn play(mut self) -> ExitCode {
        if let Some(text) = self.script["stderr"].as_str() {
            let _ = writeln!(std::io::stderr(), "{text}");
        }
        if let Some(code) = self.script["exit"].as_u64() {
            return ExitCode::from(u8::try_from(code).unwrap_or(1));
        }
        while let Some(message) = self.waiting.pop_front().or_else(|| self.heard.recv().ok()) {
            if let Some(code) = self.serve(&message) {
                return ExitCode::from(code);
            }
        }
        if self.script["stays"] == true {
            std::thread::sleep(Duration::from_mins(10));
        }
        ExitCode::SUCCESS
    }

    fn serve(&mut self, message: &Value) -> Option<u8> {
        let params = &message["params"];
        if let Err(code) = self.is_served(message) {
            return code;
        }
        match message["method"].as_str().unwrap_or_default() {
            "initialize" => {
                let mut reply = json!({"protocolVersion": 1, "agentCapabilities": {"loadSession": true},
                    "agentInfo": {"name": "scripted-agent", "version": "1"}, "authMethods": []});
                merge(&mut reply, &self.script["initialize"]);
                Self::answer(message, &reply);
            }
            method @ ("session/new" | "session/load") => {
                self.described = params["mcpServers"][0].clone();
                let key = if method == "session/new" { "open" } else { "load" };
                let mut reply = json!({"sessionId": "scripted-session"});
                merge(&mut reply, &self.script[key]);
                if method == "session/load" {
                    self.turns = self.script["loaded"].as_array().cloned().unwrap_or_default().into();
                    self.script["replays"].as_array().into_iter().flatten().for_each(Self::update);
                }
                Self::answer(message, &reply);
                if self.script["server"] != "never" && reply.get("error").is_none() {
                    match Server::start(&self.described) {
                        Ok(server) => self.server = Some(server),
                        Err(why) => {
                            complain(&why);
                        }
                    }
                }
            }
            "session/prompt" => return self.turn(message),
            "session/set_config_option" | "session/set_mode" => {
                Self::answer(message, self.script.get("setting").unwrap_or(&json!({})));
            }
            "" => self.replies.push(message.clone()),
            _ => {}
        }
        None
    }

    /// Plays the next turn, and what comes late; the code with which the process ends, if it does.
    fn turn(&mut self, message: &Value) -> Option<u8> {
        message["params"]["prompt"][0]["text"].as_str().unwrap_or_default().clone_into(&mut self.prompt);
        self.blocks = message["params"]["prompt"].as_array().into_iter().flatten().skip(1).cloned().collect();
        self.cancelled = false;
        let turn = self.turns.pop_front().unwrap_or_default();
        let mut end = json!({"stopReason": "end_turn"});
        for step in turn.as_array().into_iter().flatten() {
            match self.step(step) {
                Next::Step => {}
                Next::End(answer) => {
                    end = answer;
                    break;
                }
                Next::Never => return None,
                Next::Die(code) => return Some(code),
            }
            while let Ok(message) = self.heard.try_recv() {
                self.heed(message);
            }
            if self.cancelled {
                end = json!({"stopReason": "cancelled"});
                break;
            }
        }
        Self::answer(message, &end);
        self.cancelled = false;
        for step in std::mem::take(&mut self.late) {
            if let Next::Die(code) = self.step(&step) {
                return Some(code);
            }
        }
        None
    }

    /// Plays one step. Its first key says what it is.
    fn step(&mut self, step: &Value) -> Next {
        let Some((name, given)) = step.as_object().and_then(|step| step.iter().find(|(name, _)| is_step(name))) else {
            complain(&format!("no step: {step}"));
            return Next::Die(2);
        };
        let text = given.as_str().unwrap_or_default();
        match name.as_str() {
            "say" => {
                let blocks = Value::from(self.blocks.clone()).to_string();
                Self::say(&text.replace("$PROMPT", &self.prompt).replace("$BLOCKS", &blocks));
            }
            "think" => {
                Self::update(
                    &json!({"sessionUpdate": "agent_thought_chunk", "content": {"type": "text", "text": text}}),
                );
            }
            "tool" => self.tool(text, step),
            "does" => {
                // A call of its own tools: kind and title, and what it names.
                self.calls += 1;
                let id = format!("call-{}", self.calls);
                let mut call = json!({"sessionUpdate": "tool_call", "toolCallId": id, "status": "in_progress"});
                merge(&mut call, given);
                Self::update(&call);
                if let Some(file) = step["until"].as_str() {
                    self.until(Path::new(file));
                }
                Self::update(&json!({"sessionUpdate": "tool_call_update", "toolCallId": id, "status": "completed"}));
            }
            "permission" => {
                let mut call =
                    json!({"toolCallId": "asked", "status": "pending", "kind": "edit", "title": "Write a file"});
                merge(&mut call, given);
                let answer = self.ask(
                    "session/request_permission",
                    &json!({"sessionId": "scripted-session",
                    "toolCall": call, "options": [
                        {"optionId": "yes-always", "name": "Always", "kind": "allow_always"},
                        {"optionId": "yes", "name": "Once", "kind": "allow_once"},
                        {"optionId": "no", "name": "No", "kind": "reject_once"}]}),
                );
                Self::say(&format!("permission: {}\n", answer["result"]["outcome"]));
                // It lies: it writes whatever it was answered.
                if let Some(path) = step["write_anyway"].as_str() {
                    let done = outside::write(path, "x");
                    Self::say(&format!("{done}\n"));
                }
            }
            "write" => {
                let done = outside::write(text, step["content"].as_str().unwrap_or("x"));
                Self::say(&format!("{done}\n"));
            }
            "shell" => {
                let done = outside::shell(text, &self.answered);
                Self::say(&format!("{done}\n"));
            }
            "client" => {
                let answer = self.ask(text, &step["params"]);
                self.answered = format!("{}{}", answer["result"], answer["error"]);
                Self::say(&format!("{text}: {}\n", self.answered));
            }
            "sleep" => self.sleep(given.as_u64().unwrap_or_default()),
            "until" => self.until(Path::new(text)),
            "stderr" => {
                let _ = writeln!(std::io::stderr(), "{text}");
            }
            "stop" => return Next::End(json!({"stopReason": text})),
            "error" => return Next::End(json!({"error": given})),
            "die" => return Next::Die(u8::try_from(given.as_u64().unwrap_or(1)).unwrap_or(1)),
            "hang" => return Next::Never,
            other => self.unruly(other, given, step),
        }
        Next::Step
    }

    /// Calls one of our tools, as an agent shows it; `say_result` says what came of it.
    fn tool(&mut self, tool: &str, step: &Value) {
        self.calls += 1;
        let id = format!("call-{}", self.calls);
        let name = format!("mcp__{}__{tool}", self.described["name"].as_str().unwrap_or_default());
        let call = json!({"toolCallId": id, "name": name, "title": name, "kind": "other", "status": "pending"});
        let mut told = call.clone();
        told["sessionUpdate"] = json!("tool_call");
        Self::update(&told);
        if step["asks"] == true {
            let options = json!([{"optionId": "a", "kind": "allow_once"}, {"optionId": "r", "kind": "reject_once"}]);
            let params = json!({"sessionId": "scripted-session", "toolCall": call, "options": options});
            let answer = self.ask("session/request_permission", &params);
            if answer["result"]["outcome"]["optionId"] != "a" {
                Self::say("our own tool was refused\n");
                return;
            }
        }
        let result = match &mut self.server {
            Some(server) => {
                let known = [("$ANSWER", self.answered.as_str()), ("$BASED_ON", self.based_on.as_str())];
                server.call(tool, &filled(&step["arguments"], &known))
            }
            None => Err("no server".to_owned()),
        };
        let (text, failed) = result.unwrap_or_else(|why| (why, true));
        if let Some((version, _)) = text.split_once("basedOn \"").and_then(|(_, rest)| rest.split_once('"')) {
            version.clone_into(&mut self.based_on);
        }
        let state = if failed { "failed" } else { "completed" };
        Self::update(&json!({"sessionUpdate": "tool_call_update", "toolCallId": id, "status": state}));
        if step["say_result"] == true {
            Self::say(&format!("{tool}: {text}\n"));
        }
    }

    fn say(text: &str) {
        Self::update(&json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}));
    }

    fn update(update: &Value) {
        Self::update_of("scripted-session", update);
    }

    fn update_of(session: &str, update: &Value) {
        let params = json!({"sessionId": session, "update": update});
        raw(&json!({"jsonrpc": "2.0", "method": "session/update", "params": params}).to_string());
    }

    fn answer(request: &Value, reply: &Value) {
        let mut answer = json!({"jsonrpc": "2.0", "id": request["id"]});
        match reply.get("error") {
            Some(error) => answer["error"] = error.clone(),
            None => answer["result"] = reply.clone(),
        }
        raw(&answer.to_string());
    }

    /// Asks the client, and waits for its answer; what else comes meanwhile waits.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        let request = json!({"jsonrpc": "2.0", "id": "asked", "method": method, "params": params});
        raw(&request.to_string());
        while let Ok(message) = self.heard.recv() {
            if message["id"] == "asked" && message.get("method").is_none() {
                return message;
            }
            self.heed(message);
        }
        Value::Null
    }

    /// Sleeps, unless it is cancelled or hung up on.
    fn sleep(&mut self, milliseconds: u64) {
        let until = Instant::now() + Duration::from_millis(milliseconds);
        while !self.cancelled {
            match self.heard.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(message) => self.heed(message),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Waits until the test has made this file, unless it is cancelled or hung up on.
    fn until(&mut self, file: &Path) {
        while !self.cancelled && !file.exists() {
            match self.heard.recv_timeout(LOOK) {
                Ok(message) => self.heed(message),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn heed(&mut self, message: Value) {
        if message["method"] == "session/cancel" {
            self.cancelled = self.script["deaf"] != true;
        } else if message.get("method").is_none() {
            self.replies.push(message);
        } else {
            self.waiting.push_back(message);
        }
    }
}

/// Between two looks at what is waited for.
const LOOK: Duration = Duration::from_millis(20);

#[rustfmt::skip]
const STEPS: &[&str] = &[
    "say", "think", "tool", "does", "permission", "write", "shell", "client", "sleep", "until", "stderr", "stop", "error",
    "die", "hang",
];

fn is_step(name: &str) -> bool {
    STEPS.contains(&name) || unruly::STEPS.contains(&name)
}

/// The arguments with what is known by now in the place of its name: `$ANSWER`, what the client answered last, and
/// `$BASED_ON`, the version that a refusal named.
fn filled(arguments: &Value, known: &[(&str, &str)]) -> Value {
    match arguments {
        Value::String(text) => {
            let put = |text: String, (name, value): &(&str, &str)| text.replace(name, value);
            Value::String(known.iter().fold(text.clone(), put))
        }
        Value::Array(list) => list.iter().map(|one| filled(one, known)).collect(),
        Value::Object(map) => map.iter().map(|(name, one)| (name.clone(), filled(one, known))).collect(),
        other @ (Value::Null | Value::Bool(_) | Value::Number(_)) => other.clone(),
    }
}

fn merge(under: &mut Value, over: &Value) {
    if let (Some(under), Some(over)) = (under.as_object_mut(), over.as_object()) {
        under.extend(over.clone());
    }
}

/// Sends a line; whether anybody is there to take it.
fn raw(line: &str) -> bool {
    let mut out = std::io::stdout().lock();
    // A client that is gone has hung up; the end of the input says so as well.
    writeln!(out, "{line}").and_then(|()| out.flush()).is_ok()
}
