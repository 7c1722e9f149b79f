//! JSON-RPC lines: what arrives is sorted into four kinds, and what is neither stays as it came.

use serde_json::{Value, json};

#[derive(Clone, Debug, PartialEq)]
pub struct RpcError {
    /// Its code; agents use few of them for everything.
    pub code: i64,
    pub message: String,
    /// What else came with it.
    pub data: Value,
}

/// A line from the agent.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    Request {
        /// The id to answer with, a number or a string.
        id: Value,
        method: String,
        params: Value,
    },
    Notice {
        method: String,
        params: Value,
    },
    Reply {
        id: Value,
        result: Result<Value, RpcError>,
    },
    /// JSON, and no message.
    Odd(Value),
    /// No JSON.
    Junk(String),
}

impl Message {
    /// Sorts a line. Nothing is refused: what has both a method and a result is taken for the request that it may be.
    pub fn read(line: &[u8]) -> Self {
        let Ok(mut value) = serde_json::from_slice::<Value>(line) else {
            return Self::Junk(String::from_utf8_lossy(line).into_owned());
        };
        let id = value.get("id").filter(|id| id.is_number() || id.is_string()).cloned();
        let method = value.get("method").and_then(Value::as_str).map(str::to_owned);
        let params = value.get_mut("params").map(Value::take).unwrap_or_default();
        match (method, id) {
            (Some(method), Some(id)) => Self::Request { id, method, params },
            (Some(method), None) => Self::Notice { method, params },
            (None, Some(id)) => match (value.get_mut("error").map(Value::take), value.get_mut("result")) {
                (Some(error), _) if !error.is_null() => Self::Reply { id, result: Err(RpcError::of(error)) },
                (_, Some(result)) => Self::Reply { id, result: Ok(result.take()) },
                (_, None) => Self::Odd(value),
            },
            (None, None) => Self::Odd(value),
        }
    }
}

impl RpcError {
    /// The error in what stood under `error`, whatever it is.
    fn of(mut error: Value) -> Self {
        Self {
            code: error.get("code").and_then(Value::as_i64).unwrap_or_default(),
            message: match error.get("message").and_then(Value::as_str) {
                Some(message) => message.to_owned(),
                None => error.to_string(),
            },
            data: error.get_mut("data").map(Value::take).unwrap_or_default(),
        }
    }
}

pub fn request(id: u64, method: &str, params: &Value) -> Vec<u8> {
    line(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
}

pub fn notice(method: &str, params: &Value) -> Vec<u8> {
    line(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
}

pub fn answer(id: &Value, result: &Value) -> Vec<u8> {
    line(&json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

pub fn refusal(id: &Value, code: i64, message: &str) -> Vec<u8> {
    line(&json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}))
}

/// JSON-RPC's code for a request that is none.
pub const NOT_A_REQUEST: i64 = -32600;
/// JSON-RPC's code for a method that is not served.
pub const NO_SUCH_METHOD: i64 = -32601;
/// JSON-RPC's code for parameters that are not accepted.
pub const NOT_ALLOWED: i64 = -32602;

fn line(value: &Value) -> Vec<u8> {
    let mut bytes = value.to_string().into_bytes();
    bytes.push(b'\n');
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_one_of_them() {
        let read = |text: &str| Message::read(text.as_bytes());
        assert!(matches!(read(r#"{"id":"a","method":"x"}"#), Message::Request { id, .. } if id == "a"));
        assert!(matches!(read(r#"{"id":0,"method":"x","params":[1]}"#), Message::Request { id, .. } if id == 0));
        assert!(matches!(read(r#"{"id":null,"method":"x"}"#), Message::Notice { .. }));
        assert!(matches!(read(r#"{"id":1,"result":null}"#), Message::Reply { result: Ok(Value::Null), .. }));
        let failed = read(r#"{"id":1,"error":{"code":401,"message":7},"result":{}}"#);
        assert!(matches!(failed, Message::Reply { result: Err(RpcError { code: 401, .. }), .. }));
        assert!(matches!(read(r#"{"id":1,"error":"no"}"#), Message::Reply { result: Err(_), .. }));
        for odd in ["{}", "[]", "1", r#"{"id":1}"#, r#"{"id":[1],"result":2}"#] {
            assert!(matches!(read(odd), Message::Odd(_)), "{odd}");
        }
        for junk in ["", "hello", "{", "\u{1b}[31m{\"id\":1}"] {
            assert!(matches!(read(junk), Message::Junk(_)), "{junk}");
        }
        assert!(matches!(Message::read(b"\xff\xfe"), Message::Junk(_)));
    }

    #[test]
    fn what_we_send_is_one_line() {
        let sent = request(3, "session/prompt", &json!({"text": "a\nb"}));
        let sent_length = sent.len();
        assert_eq!(String::from_utf8(sent).unwrap().find('\n'), Some(sent_length - 1));
    }
}
