//! The messages: JSON-RPC 2.0, one per line. Batches are refused.

use serde_json::{Value, json};

/// The method by which an extension cancels its open call (P15).
pub(super) const CANCEL: &str = "ui.cancel";

pub(super) const UNKNOWN_METHOD: i32 = -32601;
pub(super) const BAD_PARAMS: i32 = -32602;
/// There is no answer; the kind says why (P5, P19).
pub(super) const WITHOUT: i32 = -32001;
/// Another call is open.
pub(super) const BUSY: i32 = -32002;

/// A message from an extension.
pub(super) enum Frame {
    /// It wants an answer.
    Request {
        /// A string or a number.
        id: Value,
        method: String,
        /// The parameters; an empty object if there are none.
        params: Value,
    },
    /// It wants none.
    Notice {
        method: String,
        /// The parameters; an empty object if there are none.
        params: Value,
    },
    Reply {
        /// The request's id; null where an error belongs to none.
        id: Value,
        /// The result, or the message of the error.
        outcome: Result<Value, String>,
    },
}

impl Frame {
    /// Reads a line; `None` if it is not a message.
    pub(super) fn read(line: &[u8]) -> Option<Self> {
        let Value::Object(mut frame) = serde_json::from_slice(line).ok()? else { return None };
        if frame.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return None;
        }
        let id = frame.remove("id");
        if id.as_ref().is_some_and(|id| !(id.is_string() || id.is_number() || id.is_null())) {
            return None;
        }
        let Some(method) = frame.remove("method") else {
            let outcome = match (frame.remove("result"), frame.remove("error")) {
                (Some(result), None) => Ok(result),
                (None, Some(error)) => Err(error.get("message")?.as_str()?.to_owned()),
                (Some(_), Some(_)) | (None, None) => return None,
            };
            return Some(Self::Reply { id: id?, outcome });
        };
        let method = method.as_str()?.to_owned();
        let params = frame.remove("params").unwrap_or_else(|| json!({}));
        match id {
            Some(Value::Null) => None,
            Some(id) => Some(Self::Request { id, method, params }),
            None => Some(Self::Notice { method, params }),
        }
    }
}

pub(super) fn is_ui(method: &str) -> bool {
    method.starts_with("ui.")
}

pub(super) fn request(id: u64, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

pub(super) fn answer(id: &Value, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

/// An error with a code alone.
pub(super) fn refusal(id: &Value, code: i32, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

/// An error with a code and a kind.
pub(super) fn refusal_of_kind(id: &Value, code: i32, kind: &str, message: &str) -> Value {
    let mut frame = refusal(id, code, message);
    frame["error"]["data"] = json!({"kind": kind});
    frame
}

pub(super) fn unknown(id: &Value, method: &str) -> Value {
    let method = super::ended::shown(method);
    refusal(id, UNKNOWN_METHOD, &format!("there is no method {method}"))
}
