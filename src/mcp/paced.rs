//! What a waiting client hears, frame by frame over a pipe in memory, at a pace that no test has to wait for.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rmcp::ServiceExt as _;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf, split};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::asking::{PACE, Pace};
use super::opening::{Opening, Withdrawn};
use super::server::Server;
use crate::app::toolbox::{Call, Called, Described, Field, Filled, Nature, NotSent, Takes, ToolText, Toolbox, Waiting};

/// A toolbox whose one tool waits, and is answered elsewhere once the session has been looked at so often.
#[derive(Default)]
struct Waits {
    looks: AtomicUsize,
    answered_at: usize,
    /// Holds a look at the session.
    looking: Option<Stop>,
    /// Holds the recording of an answer.
    filling: Option<Stop>,
    /// So many answers are recorded.
    recorded: AtomicUsize,
}

/// A place at which a thread stops until it is let go.
struct Stop {
    reached: UnboundedSender<()>,
    go: Mutex<Receiver<()>>,
}

impl Stop {
    /// One, with what tells that it is reached and what lets go.
    fn new() -> (Self, UnboundedReceiver<()>, mpsc::Sender<()>) {
        let (reached, arrivals) = unbounded_channel();
        let (lets_go, go) = mpsc::channel();
        (Self { reached, go: Mutex::new(go) }, arrivals, lets_go)
    }

    fn waits(&self) {
        self.reached.send(()).unwrap();
        self.go.lock().unwrap().recv().unwrap();
    }
}

fn said(kind: &str) -> ToolText {
    ToolText { text: kind.to_owned(), value: json!({ "kind": kind, "text": kind }), failed: false }
}

impl Toolbox for Waits {
    fn tools(&self) -> Vec<Described> {
        let schema = json!({ "type": "object" });
        vec![Described {
            name: "ask_question".to_owned(),
            description: "asks".to_owned(),
            schema,
            nature: Nature::Records,
        }]
    }

    fn call(&self, call: &Call) -> Called {
        let seconds = call.arguments.get("seconds").and_then(Value::as_f64);
        Called::Waiting(Box::new(Waiting {
            handle: "q-1".to_owned(),
            message: "Which?".to_owned(),
            fields: vec![Field {
                name: "own_words".to_owned(),
                title: "Yours".to_owned(),
                takes: Takes::Text,
                required: true,
                initial: None,
            }],
            within: seconds.map(Duration::from_secs_f64),
            given: Value::Null,
            meanwhile: said("waiting"),
        }))
    }

    fn look(&self, _waiting: &Waiting, _call: &Call) -> Option<ToolText> {
        if let Some(stop) = &self.looking {
            stop.waits();
        }
        (self.looks.load(Ordering::SeqCst) >= self.answered_at).then(|| said("elsewhere"))
    }

    fn fill(&self, _waiting: &Waiting, _call: &Call, filled: Filled) -> Called {
        Called::Done(match filled {
            Filled::Sent(_) => {
                if let Some(stop) = &self.filling {
                    stop.waits();
                }
                self.recorded.fetch_add(1, Ordering::SeqCst);
                said("sent")
            }
            Filled::NotSent(NotSent::TimedOut) => said("timed_out"),
            Filled::NotSent(NotSent::Declined | NotSent::Cancelled | NotSent::NoForms | NotSent::Failed) => {
                said("not_sent")
            }
        })
    }

    fn late(&self, _waiting: &Waiting, _call: &Call, _values: Value) {}

    fn undelivered(&self, _said: ToolText) {}

    /// Another one at every look.
    fn version(&self) -> Option<String> {
        Some(self.looks.fetch_add(1, Ordering::SeqCst).to_string())
    }

    fn instructions(&self) -> Option<String> {
        None
    }

    fn has_prompt(&self) -> bool {
        true
    }

    fn prompt(&self, _topic: Option<&str>) -> String {
        String::new()
    }
}

/// A client of the first era.
struct Client {
    input: WriteHalf<DuplexStream>,
    output: tokio::io::Lines<BufReader<ReadHalf<DuplexStream>>>,
}

impl Client {
    async fn of(answered_at: usize, pace: Pace) -> Self {
        let withdrawn = Withdrawn::default();
        let toolbox = Arc::new(Waits { answered_at, ..Waits::default() });
        Self::to(Server::new(toolbox, pace, withdrawn.clone()), withdrawn).await
    }

    async fn to(server: Server, withdrawn: Withdrawn) -> Self {
        let (here, there) = tokio::io::duplex(1 << 16);
        tokio::spawn(async move {
            if let Ok(service) = server.serve(Opening::of(split(there), withdrawn)).await {
                service.waiting().await.ok();
            }
        });
        let (output, input) = split(here);
        let mut client = Self { input, output: BufReader::new(output).lines() };
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} },
                            "clientInfo": { "name": "x", "version": "1" } });
        client.send(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello })).await;
        assert!(client.next().await.get("result").is_some());
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        client
    }

    async fn call(&mut self, arguments: Value, token: Option<&str>) {
        let mut params = json!({ "name": "ask_question", "arguments": arguments });
        if let Some(token) = token {
            params["_meta"] = json!({ "progressToken": token });
        }
        self.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })).await;
    }

    async fn send(&mut self, frame: &Value) {
        self.input.write_all(format!("{frame}\n").as_bytes()).await.expect("the server reads");
    }

    /// Sends the form of a request of the server's.
    async fn fill(&mut self, asked: &Value) {
        assert_eq!(asked["method"], "elicitation/create");
        let answer = json!({ "action": "accept", "content": { "own_words": "mine" } });
        self.send(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": answer })).await;
    }

    async fn next(&mut self) -> Value {
        let line = tokio::time::timeout(Duration::from_mins(1), self.output.next_line()).await;
        let line = line.expect("it comes in time").expect("it is text").expect("the server is there");
        serde_json::from_str(&line).expect("a frame is JSON")
    }

    /// The methods of all that comes until the call is answered, and the kind of the answer.
    async fn until_the_answer(&mut self) -> (Vec<String>, String) {
        let mut methods = Vec::new();
        loop {
            let frame = self.next().await;
            match frame.get("method").and_then(Value::as_str) {
                Some("notifications/progress") => {
                    assert_eq!(frame["params"]["progressToken"], "p");
                    assert!(frame["params"]["progress"].as_f64().is_some(), "{frame}");
                    methods.push("progress".to_owned());
                }
                Some(other) => methods.push(other.to_owned()),
                None => return (methods, frame["result"]["structuredContent"]["kind"].as_str().unwrap().to_owned()),
            }
        }
    }
}

const NEVER: usize = usize::MAX;
const MILLIS: Duration = Duration::from_millis(1);

fn on_one_thread<T>(story: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(story)
}

fn count(methods: &[String], method: &str) -> usize {
    methods.iter().filter(|one| *one == method).count()
}

#[test]
fn the_pace_of_every_server_keeps_a_client_that_gives_up_after_a_minute() {
    assert_eq!(PACE.progress, Duration::from_secs(10));
    assert!(PACE.look < Duration::from_secs(1));
}

#[test]
fn a_waiting_client_hears_of_progress_and_one_that_asked_for_none_does_not() {
    on_one_thread(async {
        for (token, hears) in [(Some("p"), true), (None, false)] {
            let mut client = Client::of(NEVER, Pace { look: 1000 * MILLIS, progress: 20 * MILLIS }).await;
            client.call(json!({ "seconds": 1.5 }), token).await;
            let (methods, kind) = client.until_the_answer().await;
            assert_eq!((methods[0].as_str(), kind.as_str()), ("elicitation/create", "timed_out"));
            assert_eq!(count(&methods, "progress") >= 2, hears, "{methods:?}");
            assert_eq!(count(&methods, "notifications/cancelled"), 1, "the form is taken back: {methods:?}");
        }
    });
}

#[test]
fn q14_there_is_no_default_limit_and_an_answer_from_elsewhere_takes_the_form_back() {
    on_one_thread(async {
        let mut client = Client::of(5, Pace { look: 10 * MILLIS, progress: 1000 * MILLIS }).await;
        client.call(json!({}), Some("p")).await;
        let (methods, kind) = client.until_the_answer().await;
        assert_eq!(kind, "elsewhere");
        assert_eq!(methods, ["elicitation/create", "notifications/cancelled"]);
    });
}

#[test]
fn a_form_that_is_sent_ends_the_wait_before_anything_else() {
    on_one_thread(async {
        let mut client = Client::of(NEVER, Pace { look: 10 * MILLIS, progress: 1000 * MILLIS }).await;
        client.call(json!({}), None).await;
        let asked = client.next().await;
        client.fill(&asked).await;
        assert_eq!(client.until_the_answer().await, (vec![], "sent".to_owned()));
    });
}

#[test]
fn q15_an_answer_with_the_end_of_input_behind_it_is_recorded_before_the_server_ends() {
    on_one_thread(async {
        let (stop, mut reached, go) = Stop::new();
        let toolbox = Arc::new(Waits { answered_at: NEVER, filling: Some(stop), ..Waits::default() });
        let server = Server::new(toolbox.clone(), PACE, Withdrawn::default());
        let calls = server.calls();
        let mut client = Client::to(server, Withdrawn::default()).await;
        client.call(json!({}), None).await;
        let asked = client.next().await;
        client.fill(&asked).await;
        drop(client);
        reached.recv().await.unwrap();
        tokio::select! {
            biased;
            () = calls.ended() => panic!("the server ends, and the answer is not recorded"),
            () = std::future::ready(()) => {}
        }
        go.send(()).unwrap();
        calls.ended().await;
        assert_eq!(toolbox.recorded.load(Ordering::SeqCst), 1);
    });
}

#[test]
fn q15_an_answer_that_comes_while_the_session_is_looked_at_is_taken_as_a_late_one() {
    on_one_thread(async {
        let (stop, mut reached, go) = Stop::new();
        let toolbox = Arc::new(Waits { looking: Some(stop), ..Waits::default() });
        let withdrawn = Withdrawn::default();
        let pace = Pace { look: 10 * MILLIS, progress: 1000 * MILLIS };
        let mut client = Client::to(Server::new(toolbox.clone(), pace, withdrawn.clone()), withdrawn.clone()).await;
        client.call(json!({}), None).await;
        let asked = client.next().await;
        reached.recv().await.unwrap();
        client.fill(&asked).await;
        // Frames are read in their order, so that its answer says that the form has come.
        client.send(&json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" })).await;
        assert_eq!(client.next().await["id"], 2);
        go.send(()).unwrap();
        assert_eq!(client.until_the_answer().await, (vec![], "elsewhere".to_owned()));
        withdrawn.settled().await;
        assert_eq!(toolbox.recorded.load(Ordering::SeqCst), 1);
    });
}
