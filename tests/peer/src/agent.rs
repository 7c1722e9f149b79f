//! The agent. Its script is a JSON file: `{"turns": [[step, …], …], "loaded": [[step, …], …]}`; each prompt plays the next
//! turn, and a session that is loaded begins with the loaded ones. All that it sends goes through the official types.
//!
//! Each line that comes in is held against those types too. One that does not fit is told on standard error as a
//! `misfit:`, which git grill's raw log keeps.

use std::collections::VecDeque;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    AgentCapabilities, AgentRequest, CancelNotification, Implementation, InitializeRequest, InitializeResponse,
    LoadSessionRequest, LoadSessionResponse, McpServer, NewSessionRequest, NewSessionResponse, PromptRequest,
    PromptResponse, SessionNotification, SessionUpdate, SetSessionConfigOptionRequest, SetSessionConfigOptionResponse,
    StopReason,
};
use agent_client_protocol::{Agent, Client, Error, JsonRpcMessage, LineDirection, Stdio, UntypedMessage};
use blocking::unblock;
use futures::channel::oneshot;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::strict::{Side, Strict};
use crate::tools::Server;

const SESSION: &str = "peer-session";

#[derive(Deserialize)]
struct Script {
    turns: VecDeque<Vec<Step>>,
    #[serde(default)]
    loaded: VecDeque<Vec<Step>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Step {
    Say(String),
    Update(Box<SessionUpdate>),
    /// Calls a tool of the MCP server, and says what came of it.
    Tool {
        name: String,
        arguments: Value,
    },
    /// Asks the client, and says what it answered. The session's id is added.
    Ask {
        method: String,
        params: Value,
    },
    /// Asks the client, and takes it back.
    TakesBack {
        method: String,
        params: Value,
    },
    /// Waits until the turn is cancelled.
    Cancelled,
}

/// A turn that is on, as the rest of the agent knows it.
struct Turn {
    cancel: oneshot::Sender<()>,
}

struct State {
    script: Script,
    turn: Option<Turn>,
    calls: usize,
}

#[derive(Clone)]
struct Peer {
    state: Arc<Mutex<State>>,
    server: Arc<Mutex<Option<Server>>>,
}

pub fn main(script: &str) -> ExitCode {
    let read = std::fs::read_to_string(script).map_err(|error| error.to_string());
    let script = match read.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string())) {
        Ok(read) => read,
        Err(error) => {
            eprintln!("{script}: {error}");
            return ExitCode::from(2);
        }
    };
    let state = State { script, turn: None, calls: 0 };
    let peer = Peer { state: Arc::new(Mutex::new(state)), server: Arc::default() };
    match futures::executor::block_on(peer.serve()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("acp-peer: {error}");
            ExitCode::FAILURE
        }
    }
}

fn misfits() -> impl Fn(&str, LineDirection) + Send + Sync + 'static {
    let strict = Mutex::new(Strict::default());
    move |line, direction| {
        let side = match direction {
            LineDirection::Stdin => Side::Client,
            LineDirection::Stdout => Side::Agent,
            LineDirection::Stderr => return,
        };
        let told = match serde_json::from_str(line) {
            Ok(line) => {
                let (kind, fits) = strict.lock().unwrap_or_else(PoisonError::into_inner).take(side, &line);
                fits.map_err(|why| format!("{kind}: {why}"))
            }
            Err(error) => Err(error.to_string()),
        };
        if let Err(why) = told {
            eprintln!("misfit: {side:?}: {why}");
        }
    }
}

impl Peer {
    async fn serve(self) -> Result<(), Error> {
        let [opening, loading, prompted, cancelling] = [self.clone(), self.clone(), self.clone(), self];
        Agent
            .v1()
            .name("acp-peer")
            .on_receive_request(
                async move |_: InitializeRequest, responder, _cx| {
                    let can = AgentCapabilities::new().load_session(true);
                    let says = InitializeResponse::new(ProtocolVersion::V1).agent_capabilities(can);
                    responder.respond(says.agent_info(Implementation::new("acp-peer", "1")))
                },
                agent_client_protocol::on_receive_request!(),
            )
            .on_receive_request(
                async move |open: NewSessionRequest, responder, _cx| {
                    opening.start(open.mcp_servers).await?;
                    responder.respond(NewSessionResponse::new(SESSION))
                },
                agent_client_protocol::on_receive_request!(),
            )
            .on_receive_request(
                async move |load: LoadSessionRequest, responder, cx: ConnectionTo<Client>| {
                    loading.start(load.mcp_servers).await?;
                    let loaded = {
                        let mut state = loading.state.lock().unwrap_or_else(PoisonError::into_inner);
                        state.script.turns = std::mem::take(&mut state.script.loaded);
                        load.session_id
                    };
                    let said =
                        json!({"sessionUpdate": "user_message_chunk", "content": {"type": "text", "text": "before"}});
                    cx.send_notification(SessionNotification::new(loaded, update(said)?))?;
                    responder.respond(LoadSessionResponse::new())
                },
                agent_client_protocol::on_receive_request!(),
            )
            .on_receive_request(
                async move |_: SetSessionConfigOptionRequest, responder, _cx| {
                    responder.respond(SetSessionConfigOptionResponse::new(Vec::new()))
                },
                agent_client_protocol::on_receive_request!(),
            )
            .on_receive_request(
                async move |_: PromptRequest, responder, cx: ConnectionTo<Client>| {
                    let (peer, to) = (prompted.clone(), cx.clone());
                    cx.spawn(async move {
                        let end = peer.turn(&to).await?;
                        responder.respond(PromptResponse::new(end))
                    })
                },
                agent_client_protocol::on_receive_request!(),
            )
            .on_receive_notification(
                async move |_: CancelNotification, _cx| {
                    let mut state = cancelling.state.lock().unwrap_or_else(PoisonError::into_inner);
                    if let Some(turn) = state.turn.take() {
                        // A turn that waits for nothing is over before it knows.
                        let _ = turn.cancel.send(());
                    }
                    Ok(())
                },
                agent_client_protocol::on_receive_notification!(),
            )
            .connect_to(Stdio::new().with_debug(misfits()))
            .await
    }

    /// Starts the MCP server as it was described to the agent, after the official types have read that.
    async fn start(&self, servers: Vec<McpServer>) -> Result<(), Error> {
        let [server] = &servers[..] else { return Err(Error::invalid_params()) };
        let described = serde_json::to_value(server)?;
        let kept = self.server.clone();
        let started = unblock(move || {
            let server = Server::start(&described)?;
            *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(server);
            Ok::<(), String>(())
        });
        started.await.map_err(|why| Error::internal_error().data(why))
    }

    async fn turn(&self, to: &ConnectionTo<Client>) -> Result<StopReason, Error> {
        let (cancel, mut cancelled) = oneshot::channel();
        let steps = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.turn = Some(Turn { cancel });
            state.script.turns.pop_front().unwrap_or_default()
        };
        let mut end = StopReason::EndTurn;
        for step in steps {
            if matches!(step, Step::Cancelled) {
                // No sender is left where a turn ended without it.
                let _ = (&mut cancelled).await;
                end = StopReason::Cancelled;
            } else {
                self.step(step, to).await?;
            }
        }
        self.state.lock().unwrap_or_else(PoisonError::into_inner).turn = None;
        Ok(end)
    }

    async fn step(&self, step: Step, to: &ConnectionTo<Client>) -> Result<(), Error> {
        match step {
            Step::Say(text) => say(to, &text),
            Step::Update(update) => to.send_notification(SessionNotification::new(SESSION, *update)),
            Step::Tool { name, arguments } => self.tool(name, arguments, to).await,
            Step::Ask { method, params } => {
                let answer = asks(to, &method, params)?.block_task().await;
                say(to, &format!("{method}: {}\n", shown(answer)))
            }
            Step::TakesBack { method, params } => {
                let asked = asks(to, &method, params)?;
                asked.cancel()?;
                let answer = asked.block_task().await;
                say(to, &format!("{method}, taken back: {}\n", shown(answer)))
            }
            Step::Cancelled => Ok(()),
        }
    }

    async fn tool(&self, name: String, arguments: Value, to: &ConnectionTo<Client>) -> Result<(), Error> {
        let id = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.calls += 1;
            format!("call-{}", state.calls)
        };
        let call = json!({"sessionUpdate": "tool_call", "toolCallId": id, "title": name, "kind": "other",
            "status": "in_progress"});
        to.send_notification(SessionNotification::new(SESSION, update(call)?))?;
        let (server, tool) = (self.server.clone(), name.clone());
        let result = unblock(move || match &mut *server.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(server) => server.call(&tool, &arguments),
            None => Err("no server".to_owned()),
        });
        let (text, failed) = result.await.unwrap_or_else(|why| (why, true));
        let status = if failed { "failed" } else { "completed" };
        let call = json!({"sessionUpdate": "tool_call_update", "toolCallId": id, "status": status});
        to.send_notification(SessionNotification::new(SESSION, update(call)?))?;
        say(to, &format!("{name}: {text}\n"))
    }
}

/// A request by the official type of this method, or as it is, where the protocol has none.
fn asks(
    to: &ConnectionTo<Client>,
    method: &str,
    mut params: Value,
) -> Result<agent_client_protocol::v1::SentRequest<Value>, Error> {
    if let Some(params) = params.as_object_mut() {
        params.entry("sessionId").or_insert_with(|| SESSION.into());
    }
    Ok(match AgentRequest::parse_message(method, &params) {
        Ok(request) => to.send_request(request),
        Err(_) if method.starts_with('_') => to.send_request(UntypedMessage::new(method, params)?),
        Err(error) => return Err(error),
    })
}

fn shown(answer: Result<Value, Error>) -> String {
    match answer {
        Ok(answer) => answer.to_string(),
        Err(error) => format!("refused: {error}"),
    }
}

fn say(to: &ConnectionTo<Client>, text: &str) -> Result<(), Error> {
    let said = json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}});
    to.send_notification(SessionNotification::new(SESSION, update(said)?))
}

fn update(update: Value) -> Result<SessionUpdate, Error> {
    Ok(serde_json::from_value(update)?)
}
