//! Whether a line fits: the protocol's own type takes it, and the type written again has all that the line had. The types
//! forgive much when they read: what they do not know they leave out, and what they do not understand they put a default
//! for. Both show in what is written again.

use std::collections::HashMap;

use agent_client_protocol::v1::schema::{
    AgentNotification, AgentRequest, AgentResponse, ClientNotification, ClientRequest, ClientResponse, Error,
    ProtocolLevelNotification, RequestId,
};
use agent_client_protocol::{JsonRpcMessage, JsonRpcResponse};
use serde_json::Value;

/// An answer to a request that did not come.
pub const UNASKED: &str = "an answer";

/// Who sent a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    Client,
    Agent,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Self::Client => Self::Agent,
            Self::Agent => Self::Client,
        }
    }
}

/// A conversation, line by line.
#[derive(Default)]
pub struct Strict {
    /// Requests that wait for their answer: who asked, under which id, by which method.
    open: HashMap<(Side, String), String>,
}

impl Strict {
    /// Takes the next line: what kind of message it is, and why it does not fit, if it does not.
    pub fn take(&mut self, side: Side, line: &Value) -> (String, Result<(), String>) {
        let method = line["method"].as_str();
        let id = line.get("id").map(ToString::to_string);
        let (kind, allowed, fits): (String, &[&str], _) = match (method, id) {
            (Some(method), Some(id)) => {
                let again = self.open.insert((side, id), method.to_owned());
                let fits = match again {
                    Some(before) => Err(format!("its id is that of a {before} that waits for its answer")),
                    None => request(side, method, line.get("params").unwrap_or(&Value::Null)),
                };
                (method.to_owned(), &["jsonrpc", "id", "method", "params"], fits)
            }
            (Some(method), None) => {
                let fits = notice(side, method, line.get("params").unwrap_or(&Value::Null));
                (format!("{method}, a notice"), &["jsonrpc", "method", "params"], fits)
            }
            (None, Some(id)) => match (self.open.remove(&(side.other(), id)), line.get("error")) {
                (None, _) => (UNASKED.to_owned(), &[], Err("nobody asked".to_owned())),
                (Some(method), Some(error)) => {
                    (format!("{method}, refused"), &["jsonrpc", "id", "error"], refusal(error))
                }
                (Some(method), None) => {
                    let fits = answer(side, &method, line.get("result"));
                    (format!("{method}, answered"), &["jsonrpc", "id", "result"], fits)
                }
            },
            (None, None) => ("no message".to_owned(), &[], Err("it has neither a method nor an id".to_owned())),
        };
        (kind, fits.and_then(|()| envelope(line, allowed)))
    }
}

/// The line around a message.
fn envelope(line: &Value, allowed: &[&str]) -> Result<(), String> {
    if line["jsonrpc"] != "2.0" {
        return Err(format!("jsonrpc is {}", line["jsonrpc"]));
    }
    if let Some(id) = line.get("id") {
        let read = serde_json::from_value::<RequestId>(id.clone()).map_err(|error| format!("id: {error}"))?;
        if read == RequestId::Null {
            return Err("its id is null".to_owned());
        }
    }
    match line.as_object().and_then(|line| line.keys().find(|key| !allowed.contains(&key.as_str()))) {
        Some(key) => Err(format!("{key} has no place in it")),
        None => Ok(()),
    }
}

fn request(side: Side, method: &str, params: &Value) -> Result<(), String> {
    match side {
        Side::Client => message::<ClientRequest>(method, params),
        Side::Agent => message::<AgentRequest>(method, params),
    }
}

fn notice(side: Side, method: &str, params: &Value) -> Result<(), String> {
    match side {
        _ if ProtocolLevelNotification::matches_method(method) => message::<ProtocolLevelNotification>(method, params),
        Side::Client => message::<ClientNotification>(method, params),
        Side::Agent => message::<AgentNotification>(method, params),
    }
}

/// The protocol says nothing of what an extension sends.
fn is_extension(method: &str) -> bool {
    method.starts_with('_')
}

fn message<M: JsonRpcMessage>(method: &str, params: &Value) -> Result<(), String> {
    if is_extension(method) {
        return Ok(());
    }
    let read = M::parse_message(method, params).map_err(|error| error.to_string())?;
    let again = read.to_untyped_message().map_err(|error| error.to_string())?;
    same("params", params, again.params())
}

fn answer(side: Side, method: &str, result: Option<&Value>) -> Result<(), String> {
    let result = result.ok_or("it has neither a result nor an error")?;
    if is_extension(method) {
        return Ok(());
    }
    let again = match side {
        Side::Client => again::<ClientResponse>(method, result),
        Side::Agent => again::<AgentResponse>(method, result),
    };
    same("result", result, &again.map_err(|error| error.to_string())?)
}

fn again<R: JsonRpcResponse>(method: &str, result: &Value) -> Result<Value, agent_client_protocol::Error> {
    R::from_json(method, result.clone())?.into_json(method)
}

fn refusal(error: &Value) -> Result<(), String> {
    let read: Error = serde_json::from_value(error.clone()).map_err(|why| format!("error: {why}"))?;
    same("error", error, &serde_json::to_value(read).map_err(|why| why.to_string())?)
}

/// Whether all that was sent is there again. A field more is a default that the type knows; null says as much as nothing.
fn same(at: &str, sent: &Value, again: &Value) -> Result<(), String> {
    match (sent, again) {
        (Value::Object(sent), Value::Object(again)) => {
            sent.iter().filter(|(_, value)| !value.is_null()).try_for_each(|(key, value)| match again.get(key) {
                Some(again) => same(&format!("{at}.{key}"), value, again),
                None => Err(format!("{at}.{key} is left over: {value}")),
            })
        }
        (Value::Array(sent), Value::Array(again)) if sent.len() == again.len() => {
            let pairs = sent.iter().zip(again).enumerate();
            pairs.into_iter().try_for_each(|(index, (sent, again))| same(&format!("{at}[{index}]"), sent, again))
        }
        (Value::Number(sent), Value::Number(again)) if sent.as_f64() == again.as_f64() => Ok(()),
        _ if sent == again => Ok(()),
        _ => Err(format!("{at} is {sent}, and is read as {again}")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn taken(lines: &[(Side, Value)]) -> Vec<Result<(), String>> {
        let mut strict = Strict::default();
        lines.iter().map(|(side, line)| strict.take(*side, line).1).collect()
    }

    fn sent(line: Value) -> Result<(), String> {
        taken(&[(Side::Client, line)]).remove(0)
    }

    /// What comes of an answer to this request of the agent.
    fn answered(method: &str, params: Value, result: Value) -> Result<(), String> {
        let asked = json!({"jsonrpc": "2.0", "id": "a", "method": method, "params": params});
        let answer = json!({"jsonrpc": "2.0", "id": "a", "result": result});
        let fits = taken(&[(Side::Agent, asked), (Side::Client, answer)]);
        assert_eq!(fits[0], Ok(()));
        fits[1].clone()
    }

    #[test]
    fn what_the_type_does_not_know_or_reads_otherwise_does_not_fit() {
        let open = |more: Value| {
            let mut params =
                json!({"cwd": "/repo", "mcpServers": [{"name": "s", "command": "c", "args": [], "env": []}]});
            params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            sent(json!({"jsonrpc": "2.0", "id": 1, "method": "session/new", "params": params}))
        };
        assert_eq!(open(json!({"_meta": {"any": 1}})), Ok(()));
        for (more, why) in [
            (json!({"workdir": "/repo"}), "params.workdir is left over"),
            (json!({"_meta": 7}), "params._meta is left over"),
            (json!({"mcpServers": [{"name": "s", "command": "c", "args": [], "env": [{"name": "A"}]}]}), "mcpServers"),
            (json!({"cwd": 7}), "string"),
        ] {
            let said = open(more).unwrap_err();
            assert!(said.contains(why), "{why}: {said}");
        }
    }

    #[test]
    fn an_answer_is_of_the_type_of_its_request_and_comes_once() {
        let form = || json!({"sessionId": "s", "mode": "form", "message": "m", "requestedSchema": {"type": "object", "properties": {}}});
        let fills = |result: Value| answered("elicitation/create", form(), result);
        assert_eq!(fills(json!({"action": "accept", "content": {"n": 1.5, "w": 3, "m": ["a"], "b": true}})), Ok(()));
        assert_eq!(fills(json!({"action": "cancel", "_meta": {"why": "so"}})), Ok(()));
        assert!(fills(json!({"action": "cancel", "reason": "so"})).unwrap_err().contains("result.reason is left over"));
        assert!(fills(json!({"outcome": "accept"})).is_err());
        let asked = || json!({"sessionId": "s", "toolCall": {"toolCallId": "c"}, "options": []});
        let rules = |result: Value| answered("session/request_permission", asked(), result);
        assert_eq!(rules(json!({"outcome": {"outcome": "cancelled"}})), Ok(()));
        assert!(rules(json!({"outcome": "cancelled"})).is_err());
        assert!(rules(json!({"outcome": {"outcome": "selected"}})).is_err());
        let answer = json!({"jsonrpc": "2.0", "id": "a", "error": {"code": -32800, "message": "Request cancelled"}});
        let asked = json!({"jsonrpc": "2.0", "id": "a", "method": "elicitation/create", "params": form()});
        let fits = taken(&[(Side::Agent, asked), (Side::Client, answer.clone()), (Side::Client, answer)]);
        assert_eq!(fits, [Ok(()), Ok(()), Err("nobody asked".to_owned())]);
    }

    #[test]
    fn the_line_around_a_message_has_what_it_needs_and_no_more() {
        let cancel = json!({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s"}});
        let with = |key: &str, value: Value| {
            let mut line = cancel.clone();
            line[key] = value;
            sent(line)
        };
        assert_eq!(sent(cancel.clone()), Ok(()));
        assert!(with("jsonrpc", json!("1.0")).is_err());
        assert!(with("extra", json!(1)).is_err());
        assert!(with("id", Value::Null).is_err(), "a notice has no id");
        assert!(with("method", json!("session/teleport")).is_err());
        let unread = json!({"jsonrpc": "2.0", "id": 1.5, "method": "session/set_mode", "params": {"sessionId": "s", "modeId": "m"}});
        assert!(sent(unread).unwrap_err().starts_with("id: "));
    }
}
