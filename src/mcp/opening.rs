//! The wire: lines in, frames out. A line that is no frame gets its error by the book, with the id where one can be read,
//! and the conversation goes on. What comes before the first request belongs to no conversation.
//!
//! | line | answer |
//! |---|---|
//! | no JSON, nested too deeply, not UTF-8 | -32700, id null |
//! | a list, a value that is no object, neither request nor response, a wrong type, too long | -32600, the id if there is one |
//! | a notification, a response, a blank line | none |

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::JsonRpcMessage;
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::task::JoinHandle;

/// The longest line, in bytes; the largest draft with every byte escaped, and some.
const LONGEST: usize = 16 * 1024 * 1024;
/// The most errors that wait to be written; a client that reads none of them is not read any further.
const MOST_OWED: usize = 64;

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;

/// Handling of a form's answer that comes after the form was withdrawn.
pub(super) type Taker = Box<dyn FnOnce(Value) -> Option<JoinHandle<()>> + Send>;

/// Forms that were withdrawn, by the id of their request: what comes back from one is late, and is kept.
#[derive(Clone, Default)]
pub(super) struct Withdrawn {
    forms: Arc<Mutex<BTreeMap<String, Taker>>>,
    /// What is being kept just now.
    keeping: Arc<Mutex<Vec<JoinHandle<()>>>>,
}

impl Withdrawn {
    /// The most forms that are remembered.
    const MOST: usize = 100;

    pub(super) fn note(&self, request: &Value, taker: Taker) {
        let mut forms = self.forms.lock().unwrap_or_else(PoisonError::into_inner);
        if forms.len() < Self::MOST {
            forms.insert(request.to_string(), taker);
        }
    }

    /// Has the answer of such a form kept; whether the request was one.
    pub(super) fn takes(&self, request: &Value, frame: &Value) -> bool {
        let taker = self.forms.lock().unwrap_or_else(PoisonError::into_inner).remove(&request.to_string());
        let Some(taker) = taker else { return false };
        if let Some(work) = taker(frame.clone()) {
            let mut keeping = self.keeping.lock().unwrap_or_else(PoisonError::into_inner);
            keeping.retain(|work| !work.is_finished());
            keeping.push(work);
        }
        true
    }

    /// Waits until everything that came is kept: with the client, this process ends.
    pub(super) async fn settled(&self) {
        let keeping = std::mem::take(&mut *self.keeping.lock().unwrap_or_else(PoisonError::into_inner));
        for work in keeping {
            // A panic in it was reported where it was.
            let _ = work.await;
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Incoming {
    Frame(Value),
    Silence,
    Error { id: Value, code: i32, message: &'static str },
}

fn read(line: &[u8]) -> Incoming {
    // A mark of the byte order before a frame is passed over.
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    if line.iter().all(u8::is_ascii_whitespace) {
        return Incoming::Silence;
    }
    let invalid = |id: Option<&Value>, message| Incoming::Error {
        id: id.cloned().unwrap_or(Value::Null),
        code: INVALID_REQUEST,
        message,
    };
    let parsed = serde_json::from_slice::<Value>(line);
    let mut frame = match parsed.or_else(|_| serde_json::from_slice(&without_halves(line))) {
        Ok(Value::Object(frame)) => frame,
        Ok(Value::Array(_)) => return invalid(None, "batches are not supported; send one request per line"),
        Ok(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => {
            return invalid(None, "a request is an object");
        }
        Err(_) => return Incoming::Error { id: Value::Null, code: PARSE_ERROR, message: "the line is not JSON" },
    };
    let id = frame.get("id").cloned();
    let usable = |id: &Value| id.is_string() || id.is_i64() || id.is_u64();
    if id.as_ref().is_some_and(|id| !usable(id)) && (frame.contains_key("method") || !is_response(&frame)) {
        return invalid(None, "the id must be a string or a whole number");
    }
    let id = id.as_ref().filter(|id| usable(id));
    if frame.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return invalid(id, "jsonrpc is \"2.0\"");
    }
    match frame.get("method") {
        Some(Value::String(_)) => {}
        Some(_) => return invalid(id, "the method must be a string"),
        None if is_response(&frame) => return Incoming::Frame(Value::Object(frame)),
        None => return invalid(id, "a request must have a method"),
    }
    match frame.get("params") {
        None | Some(Value::Object(_) | Value::Array(_)) => {}
        Some(Value::Null) => drop(frame.remove("params")),
        Some(_) => return invalid(id, "params must be an object"),
    }
    Incoming::Frame(Value::Object(frame))
}

/// The line with the sign for an unknown character in the place of each half of a pair (`\ud83d` alone). A client that
/// cuts a text in the middle of an emoji sends one, and the rest of what a person wrote is not lost for it.
fn without_halves(line: &[u8]) -> Vec<u8> {
    /// The escape of an unknown character.
    const UNKNOWN: &[u8] = br"\ufffd";
    let mut whole = Vec::with_capacity(line.len());
    let mut rest = line;
    while let Some((first, behind)) = rest.split_first() {
        let length = match (first, unit(rest)) {
            (_, Some(0xd800..=0xdbff)) if matches!(unit(&rest[UNKNOWN.len()..]), Some(0xdc00..=0xdfff)) => {
                2 * UNKNOWN.len()
            }
            (_, Some(0xd800..=0xdfff)) => {
                whole.extend_from_slice(UNKNOWN);
                rest = &rest[UNKNOWN.len()..];
                continue;
            }
            // What stands behind a backslash belongs to it.
            (b'\\', _) if !behind.is_empty() => 2,
            _ => 1,
        };
        let (taken, left) = rest.split_at(length);
        whole.extend_from_slice(taken);
        rest = left;
    }
    whole
}

/// The code unit of the escape that these bytes begin with.
fn unit(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.strip_prefix(br"\u")?.get(..4)?;
    let digits = std::str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|one| one.is_ascii_hexdigit()))?;
    u16::from_str_radix(digits, 16).ok()
}

fn is_response(frame: &serde_json::Map<String, Value>) -> bool {
    frame.contains_key("result") || frame.contains_key("error")
}

/// A transport over two streams.
pub(super) struct Opening<R, W> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// Whether the line is too long, and passed over to its end.
    passing: bool,
    output: Arc<tokio::sync::Mutex<W>>,
    owed: Vec<JoinHandle<()>>,
    withdrawn: Withdrawn,
    begun: bool,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Send + Unpin + 'static> Opening<R, W> {
    pub(super) fn of((input, output): (R, W), withdrawn: Withdrawn) -> Self {
        Self {
            input: BufReader::new(input),
            line: Vec::new(),
            passing: false,
            output: Arc::new(tokio::sync::Mutex::new(output)),
            owed: Vec::new(),
            withdrawn,
            begun: false,
        }
    }

    /// The next line; `None` at the end. Dropped while it waits, it has lost nothing.
    async fn next(&mut self) -> Option<Incoming> {
        loop {
            let there = match self.input.fill_buf().await {
                Ok([]) | Err(_) => {
                    // The last line may have no end.
                    let last = std::mem::take(&mut self.line);
                    return Some(read(&last)).filter(|line| !self.passing && *line != Incoming::Silence);
                }
                Ok(there) => there,
            };
            let end = there.iter().position(|byte| *byte == b'\n');
            let taken = end.unwrap_or(there.len());
            if self.passing || self.line.len() + taken > LONGEST {
                self.passing = true;
                self.line.clear();
            } else {
                self.line.extend_from_slice(&there[..taken]);
            }
            self.input.consume(taken + usize::from(end.is_some()));
            if end.is_some() {
                let line = std::mem::take(&mut self.line);
                let long = std::mem::take(&mut self.passing);
                let message = "the line is too long";
                return Some(if long {
                    Incoming::Error { id: Value::Null, code: INVALID_REQUEST, message }
                } else {
                    read(&line)
                });
            }
        }
    }

    /// Has an error written, beside whatever else is going on.
    fn answer(&mut self, id: &Value, code: i32, message: &str) {
        let frame = json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } });
        let output = self.output.clone();
        self.owed.push(tokio::spawn(async move {
            // A client that is gone reads no errors.
            let _ = write(&output, &frame.to_string()).await;
        }));
    }

    /// Waits until no more than so many errors are owed.
    async fn settle(&mut self, most: usize) {
        self.owed.retain(|writing| !writing.is_finished());
        while self.owed.len() > most {
            if let Some(writing) = self.owed.first_mut() {
                let _ = writing.await;
                self.owed.remove(0);
            }
        }
    }

    /// The message of a frame, where it is one for the conversation.
    fn message(&mut self, frame: Value) -> Option<RxJsonRpcMessage<RoleServer>> {
        let id = frame.get("id").cloned();
        let is_request = frame.get("method").is_some();
        if !is_request && id.as_ref().is_some_and(|id| self.withdrawn.takes(id, &frame)) {
            return None;
        }
        if let Ok(message) = serde_json::from_value::<RxJsonRpcMessage<RoleServer>>(frame) {
            self.begun |= matches!(message, JsonRpcMessage::Request(_));
            return self.begun.then_some(message);
        }
        // Neither a notification nor a response is answered.
        if let Some(id) = id.filter(|_| is_request) {
            self.answer(&id, INVALID_REQUEST, "the request cannot be read");
        }
        None
    }
}

async fn write<W: AsyncWrite + Unpin>(output: &tokio::sync::Mutex<W>, line: &str) -> std::io::Result<()> {
    let mut output = output.lock().await;
    output.write_all(format!("{line}\n").as_bytes()).await?;
    output.flush().await
}

impl<R, W> Transport<RoleServer> for Opening<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = std::io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let output = self.output.clone();
        async move {
            let line = serde_json::to_string(&item)?;
            write(&output, &line).await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            self.settle(MOST_OWED).await;
            match self.next().await {
                None => {
                    self.settle(0).await;
                    return None;
                }
                Some(Incoming::Silence) => {}
                Some(Incoming::Error { id, code, message }) => self.answer(&id, code, message),
                Some(Incoming::Frame(frame)) => {
                    if let Some(message) = self.message(frame) {
                        return Some(message);
                    }
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.settle(0).await;
        self.output.lock().await.flush().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_no_frame_gets_its_error() {
        let deep = format!("{}{}", "[".repeat(2000), "]".repeat(2000));
        let deep_params = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"a":{deep}}}}}"#);
        for (line, id, code) in [
            ("this is not JSON", json!(null), PARSE_ERROR),
            (r#"{"jsonrpc":"2.0","id":"#, json!(null), PARSE_ERROR),
            ("[[[[[[", json!(null), PARSE_ERROR),
            (deep.as_str(), json!(null), PARSE_ERROR),
            (deep_params.as_str(), json!(null), PARSE_ERROR),
            (r#"{"jsonrpc":"2.0","id":1,"method":"x"} x"#, json!(null), PARSE_ERROR),
            ("[]", json!(null), INVALID_REQUEST),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, json!(null), INVALID_REQUEST),
            ("7", json!(null), INVALID_REQUEST),
            ("null", json!(null), INVALID_REQUEST),
            (r#""ping""#, json!(null), INVALID_REQUEST),
            ("{}", json!(null), INVALID_REQUEST),
            (r#"{"no":"method"}"#, json!(null), INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":7}"#, json!(7), INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":"a","method":7}"#, json!("a"), INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":"a","method":null}"#, json!("a"), INVALID_REQUEST),
            (r#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#, json!("a"), INVALID_REQUEST),
            (r#"{"id":"a","method":"ping"}"#, json!("a"), INVALID_REQUEST),
            (r#"{"jsonrpc":2.0,"id":8,"method":"ping"}"#, json!(8), INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, json!(null), INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, json!(null), INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, json!(null), INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, json!(null), INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":9,"method":"ping","params":"x"}"#, json!(9), INVALID_REQUEST),
        ] {
            let Incoming::Error { id: found, code: with, message } = read(line.as_bytes()) else {
                panic!("{line} is taken for a frame");
            };
            assert_eq!((found, with), (id, code), "{line}");
            assert!(!message.is_empty());
        }
        assert!(matches!(read(b"\xff{}"), Incoming::Error { code: PARSE_ERROR, .. }));
    }

    #[test]
    fn q15_a_late_answer_is_kept_before_the_server_ends() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (go, goes) = std::sync::mpsc::channel::<()>();
        let kept = Arc::new(Mutex::new(Value::Null));
        let (withdrawn, keeps) = (Withdrawn::default(), kept.clone());
        let taker = move |frame: Value| {
            Some(tokio::task::spawn_blocking(move || {
                goes.recv().unwrap();
                *keeps.lock().unwrap() = frame;
            }))
        };
        withdrawn.note(&json!(7), Box::new(taker));
        runtime.block_on(async {
            assert!(!withdrawn.takes(&json!(8), &json!("another")));
            assert!(withdrawn.takes(&json!(7), &json!("late")));
            assert!(!withdrawn.takes(&json!(7), &json!("again")));
            go.send(()).unwrap();
            withdrawn.settled().await;
        });
        assert_eq!(*kept.lock().unwrap(), json!("late"));
    }

    #[test]
    fn q15_half_an_emoji_costs_no_more_than_itself() {
        for (sent, read_as) in [
            (r"from June \ud83d", "from June \u{fffd}"),
            (r"\uD83D\uD83D\uDE00\uDE00", "\u{fffd}\u{1f600}\u{fffd}"),
            (r"\\ud83d \\\ud83d\n\ud83d\u0041", "\\ud83d \\\u{fffd}\n\u{fffd}A"),
            (r"é\udc00ñ", "é\u{fffd}ñ"),
        ] {
            let line = format!(r#"{{"jsonrpc":"2.0","id":4,"result":{{"content":{{"own_words":"{sent}"}}}}}}"#);
            let Incoming::Frame(frame) = read(line.as_bytes()) else { panic!("{line} is no frame") };
            assert_eq!(frame.pointer("/result/content/own_words"), Some(&json!(read_as)), "{line}");
        }
        for line in [r#"{"a":"\ud83d"#, r"\ud8", r"\", r"\ud83d\"] {
            assert!(matches!(read(line.as_bytes()), Incoming::Error { code: PARSE_ERROR, .. }), "{line}");
        }
    }

    #[test]
    fn a_frame_is_a_frame_and_a_blank_line_is_nothing() {
        for line in [
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":[1]}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":4,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"x"}}"#,
        ] {
            assert!(matches!(read(line.as_bytes()), Incoming::Frame(_)), "{line}");
        }
        let null = read(br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#);
        assert_eq!(null, Incoming::Frame(json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })));
        for line in ["", " ", "\r", "\t \r"] {
            assert_eq!(read(line.as_bytes()), Incoming::Silence);
        }
    }
}
