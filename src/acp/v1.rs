//! Version 1 of ACP: every method, field and code of the protocol that is said or understood here, and nowhere else (A34).
//! What comes is read into our own types, which know no version; a second version is a second file like this one. The
//! words of kinds, statuses and reasons stand beside their types.
//!
//! Two methods and some fields are one agent's own, and stand here because they come the same way.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value, json};

use super::client::{Offers, Server};
use super::elicit::Shape;
use super::permission::Permission;
use super::resource::Resource;
use super::update::{CallKind, CallState, CallUpdate, EntryStatus, PlanEntry, StopReason, Update, Word};

/// The one version that is spoken.
pub const VERSION: i64 = 1;

// What we ask and tell.
pub(super) const INITIALIZE: &str = "initialize";
pub(super) const NEW: &str = "session/new";
pub(super) const LOAD: &str = "session/load";
pub(super) const PROMPT: &str = "session/prompt";
const CANCEL: &str = "session/cancel";
const SET_MODE: &str = "session/set_mode";
const SET_OPTION: &str = "session/set_config_option";

// What an agent asks and tells.
pub(super) const UPDATE: &str = "session/update";
pub(super) const PERMISSION: &str = "session/request_permission";
pub(super) const ELICIT: &str = "elicitation/create";
pub(super) const WITHDRAW: &str = "$/cancel_request";
pub(super) const READ_FILE: &str = "fs/read_text_file";
const WRITE_FILE: &str = "fs/write_text_file";
/// Grok's notices of its own.
pub(super) const GROK_UPDATE: &str = "_x.ai/session_notification";
/// Grok's way to put a form.
pub(super) const GROK_ELICIT: &str = "_x.ai/mcp/elicit";

/// The code of a login that is needed.
pub(super) const AUTHENTICATION: i64 = -32000;
/// The code of what cannot be found, used for files that are not handed out.
pub(super) const NOT_FOUND: i64 = -32002;
/// The code that adapters answer to a version they do not speak.
pub(super) const UNSUPPORTED: i64 = -32022;
/// The code of a request that whoever sent it took back.
pub(super) const CANCELLED: i64 = -32800;

/// Whether this asks for a file or a terminal of ours.
pub(super) fn is_of_the_machine(method: &str) -> bool {
    method.starts_with("fs/") || is_of_a_terminal(method)
}

/// Whether this asks us to change a file or to run something.
pub fn changes_something(method: &str) -> bool {
    method == WRITE_FILE || is_of_a_terminal(method)
}

fn is_of_a_terminal(method: &str) -> bool {
    method.starts_with("terminal/")
}

/// What we say: the method, and its parameters.
pub(super) type Said = (&'static str, Value);

/// Forms are offered to every agent (A36), also to one that is known to elicit in none: it says what our terminal can show,
/// which is true whoever asks, and a newer version of the agent may begin to ask. One that does not know the word passes over it.
pub(super) fn initialize(offers: Offers) -> Said {
    let offered = offers == Offers::WritesAndCommands;
    let params = json!({
        "protocolVersion": VERSION,
        "clientCapabilities": {"fs": {"readTextFile": false, "writeTextFile": offered}, "terminal": offered,
            "elicitation": {"form": {}}},
        "clientInfo": {"name": "git-grill", "title": "git grill", "version": env!("CARGO_PKG_VERSION")},
    });
    (INITIALIZE, params)
}

/// A session in this directory, with these servers, in the agent's own words where it has any.
pub(super) fn new(cwd: &str, servers: &[Server], own: Option<&Value>) -> Said {
    (NEW, with(own, json!({"cwd": cwd, "mcpServers": described(servers)})))
}

/// A session of before.
pub(super) fn load(id: &str, cwd: &str, servers: &[Server], own: Option<&Value>) -> Said {
    (LOAD, with(own, json!({"sessionId": id, "cwd": cwd, "mcpServers": described(servers)})))
}

pub(super) fn set_mode(session: &str, mode: &str) -> Said {
    (SET_MODE, json!({"sessionId": session, "modeId": mode}))
}

pub(super) fn set_option(session: &str, option: &str, value: &str) -> Said {
    (SET_OPTION, json!({"sessionId": session, "configId": option, "value": value}))
}

/// A text, and behind it files as resources with their bytes, which only an agent takes that [`embeds`](Abilities::embeds).
pub(super) fn prompt(session: &str, text: &str, resources: &[Resource]) -> Said {
    let mut blocks = vec![json!({"type": "text", "text": text})];
    blocks.extend(resources.iter().map(|Resource { uri, mime, bytes }| {
        json!({"type": "resource", "resource": {"uri": uri, "mimeType": mime, "blob": BASE64.encode(bytes)}})
    }));
    (PROMPT, json!({"sessionId": session, "prompt": blocks}))
}

/// A notice.
pub(super) fn cancel(session: &str) -> Said {
    (CANCEL, json!({"sessionId": session}))
}

fn with(own: Option<&Value>, mut params: Value) -> Value {
    if let Some(own) = own {
        params["_meta"] = own.clone();
    }
    params
}

fn described(servers: &[Server]) -> Value {
    let one = |server: &Server| {
        let variables = server.variables.iter().map(|(name, value)| json!({"name": name, "value": value}));
        json!({
            "name": server.name,
            "command": server.command,
            "args": server.args,
            "env": variables.collect::<Vec<_>>(),
        })
    };
    servers.iter().map(one).collect()
}

/// The answer to a request for permission: the option of this id, or that there was none to take.
pub(super) fn chosen(option: Option<&Value>) -> Value {
    match option {
        Some(id) => json!({"outcome": {"outcome": "selected", "optionId": id}}),
        None => json!({"outcome": {"outcome": "cancelled"}}),
    }
}

/// The answer to a form, with what was filled in, or the reason for which it is closed.
pub(super) fn filled(shape: Shape, word: &str, content: Option<Map<String, Value>>, because: Option<&str>) -> Value {
    let mut answer = match shape {
        Shape::Action => json!({"action": word}),
        Shape::Outcome => json!({"outcome": word}),
    };
    if let Some(content) = content {
        answer["content"] = content.into();
    }
    if let Some(because) = because {
        answer["_meta"] = json!({"git-grill": {"reason": because}});
    }
    answer
}

/// Whether the answer to `initialize` speaks our version; the error is the version that it speaks.
pub fn speaks(answer: &Value) -> Result<(), String> {
    match answer.get("protocolVersion") {
        Some(version) if version.as_i64() == Some(VERSION) => Ok(()),
        other => Err(other.map(ToString::to_string).unwrap_or_default()),
    }
}

/// The version that an agent tells of itself. Grok Build tells it in a place of its own.
pub fn told_version(answer: &Value) -> Option<String> {
    let told = ["/agentInfo/version", "/_meta/agentVersion"].iter().find_map(|at| answer.pointer(at)?.as_str());
    told.map(str::to_owned)
}

/// The abilities that an agent names in its answer to `initialize`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Abilities {
    /// It can go on with a session of before.
    pub loads: bool,
    /// It takes resources in a prompt.
    pub embeds: bool,
}

impl Abilities {
    pub fn told(answer: &Value) -> Self {
        let is_so = |at: &str| answer.pointer(at).is_some_and(|told| told == true);
        Self {
            loads: is_so("/agentCapabilities/loadSession"),
            embeds: is_so("/agentCapabilities/promptCapabilities/embeddedContext"),
        }
    }
}

/// The session that was opened.
pub fn session_id(answer: &Value) -> Option<&str> {
    answer.get("sessionId")?.as_str()
}

/// Why a turn ended, in the answer to its prompt.
pub fn stop_reason(answer: &Value) -> Word<StopReason> {
    match answer.get("stopReason") {
        Some(Value::String(word)) => StopReason::word(word),
        Some(other) => Word::Unknown(other.to_string()),
        None => Word::Unknown("nothing".to_owned()),
    }
}

/// The numbers of a turn, in the answer to its prompt. Grok Build reports them in a place of its own.
pub(super) fn used_by_turn(answer: &Value) -> Option<&Map<String, Value>> {
    ["/usage", "/_meta/usage"].iter().find_map(|at| answer.pointer(at)?.as_object())
}

/// How full an agent says that its context is.
pub(super) struct Context<'a> {
    pub(super) used: &'a Value,
    pub(super) size: Option<&'a Value>,
    pub(super) amount: Option<&'a Value>,
    pub(super) currency: Option<&'a str>,
}

impl<'a> Context<'a> {
    pub(super) fn read(update: &'a Value) -> Option<Self> {
        let number = |at: &str| update.pointer(at).filter(|value| value.is_number());
        let currency = update.pointer("/cost/currency").and_then(Value::as_str);
        Some(Self { used: number("/used")?, size: number("/size"), amount: number("/cost/amount"), currency })
    }
}

/// The request that is taken back.
pub(super) fn withdrawn(params: &Value) -> Option<&Value> {
    params.get("requestId").or_else(|| params.get("id"))
}

/// The file that is asked for.
pub(super) fn path(params: &Value) -> &str {
    params.get("path").and_then(Value::as_str).unwrap_or_default()
}

/// The update in a notice.
pub(super) fn update(params: &Value) -> Option<&Value> {
    params.get("update")
}

/// What sort of update it is.
pub(super) fn sort(update: &Value) -> Option<&str> {
    update.get("sessionUpdate")?.as_str()
}

/// The call that an update is about, and its state.
pub(super) fn call(update: &Value) -> (Option<&str>, Option<&str>) {
    let text = |name: &str| update.get(name).and_then(Value::as_str);
    (text("toolCallId"), text("status"))
}

/// The text that an update holds; a content block of another type has none, and is no text.
pub(super) fn text(holder: &Value) -> Option<&str> {
    holder.get("content")?.get("text")?.as_str()
}

const QUIET: &[&str] = &[
    "user_message_chunk",
    "available_commands_update",
    "current_mode_update",
    "config_option_update",
    "session_info_update",
];

impl Update {
    /// The update in the parameters of a notice.
    pub fn read(params: &Value) -> Self {
        let Some(update) = update(params) else { return Self::Unknown(params.clone()) };
        let said = || text(update).map(str::to_owned);
        let understood = match sort(update).unwrap_or_default() {
            "agent_message_chunk" => said().map(Self::Said),
            "agent_thought_chunk" => said().map(Self::Thought),
            "tool_call" | "tool_call_update" => CallUpdate::read(update).map(|call| Self::Call(Box::new(call))),
            "plan" => {
                let entries = update.get("entries").and_then(Value::as_array);
                entries.map(|entries| Self::Plan(entries.iter().map(PlanEntry::read).collect()))
            }
            "usage_update" => Context::read(update).map(|_| Self::Usage(update.clone())),
            quiet if QUIET.contains(&quiet) => Some(Self::Quiet(quiet.to_owned())),
            _ => None,
        };
        understood.unwrap_or_else(|| Self::Unknown(update.clone()))
    }
}

impl PlanEntry {
    fn read(entry: &Value) -> Self {
        let text = |name: &str| entry.get(name).and_then(Value::as_str).map(str::to_owned);
        Self {
            text: text("content").unwrap_or_default(),
            status: EntryStatus::word(text("status").as_deref().unwrap_or("nothing")),
            priority: text("priority"),
        }
    }
}

impl CallUpdate {
    /// What is told of a tool call; `None` where it is not said which one is meant.
    pub fn read(call: &Value) -> Option<Self> {
        let named = |name: &str| call.get(name).and_then(Value::as_str).map(str::to_owned);
        let list = |name: &str| call.get(name).and_then(Value::as_array).into_iter().flatten();
        Some(Self {
            id: named("toolCallId")?,
            title: named("title"),
            name: named("name"),
            kind: named("kind").map(|word| CallKind::word(&word)),
            state: named("status").map(|word| CallState::word(&word)),
            // One agent names the file that it edits in the difference alone.
            places: list("locations")
                .chain(list("content").filter(|piece| piece.get("type").is_some_and(|kind| kind == "diff")))
                .filter_map(|place| Some(place.get("path")?.as_str()?.to_owned()))
                .collect(),
            input: call.get("rawInput").cloned().unwrap_or_default(),
            text: list("content").filter_map(text).collect::<Vec<_>>().join("\n"),
        })
    }
}

impl Permission {
    /// The request in these parameters. One that does not say what it is about is one about nothing that is known, which
    /// is refused.
    pub fn read(params: &Value) -> Self {
        let options = params.get("options").and_then(Value::as_array).into_iter().flatten();
        let option = |option: &Value| Some((option.get("kind")?.as_str()?.to_owned(), option.get("optionId")?.clone()));
        let call = params.get("toolCall").and_then(CallUpdate::read).unwrap_or_default();
        Self { call, options: options.filter_map(option).collect() }
    }
}

/// What is asked in a form, in foreign words.
pub(super) struct Elicited<'a> {
    pub(super) server: Option<&'a str>,
    pub(super) message: Option<&'a str>,
    /// The way in which it asks; without it, by the schema.
    pub(super) mode: Option<&'a str>,
    /// A JSON schema of the fields.
    pub(super) schema: &'a Value,
}

impl<'a> Elicited<'a> {
    /// Grok puts the server's own request below its own.
    pub(super) fn read(params: &'a Value) -> Self {
        let asked = params.get("request").filter(|request| request.is_object()).unwrap_or(params);
        let text = |name: &str| asked.get(name).or_else(|| params.get(name)).and_then(Value::as_str);
        let server = text("serverName").or_else(|| params.pointer("/_meta/serverName").and_then(Value::as_str));
        let schema = asked.get("requestedSchema").unwrap_or(&Value::Null);
        Self { server, message: text("message"), mode: text("mode"), schema }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a19_a_picture_goes_as_a_resource_behind_the_text() {
        let picture = Resource { uri: "file:///r/a.png".to_owned(), mime: "image/png", bytes: vec![0xff, 0, 1] };
        let (method, params) = prompt("s", "look", &[picture]);
        let resource = json!({"uri": "file:///r/a.png", "mimeType": "image/png", "blob": "/wAB"});
        let blocks = json!([{"type": "text", "text": "look"}, {"type": "resource", "resource": resource}]);
        assert_eq!((method, &params["prompt"]), ("session/prompt", &blocks));
        for (answer, expected) in [
            (json!({"agentCapabilities": {"promptCapabilities": {"embeddedContext": true}}}), true),
            (json!({"agentCapabilities": {"promptCapabilities": {"embeddedContext": "true"}}}), false),
            (json!({"agentCapabilities": {"promptCapabilities": {"image": true}}}), false),
            (json!({}), false),
        ] {
            assert_eq!(Abilities::told(&answer).embeds, expected, "{answer}");
        }
    }

    #[test]
    fn a36_forms_are_offered_whatever_else_is() {
        for offers in [Offers::Nothing, Offers::WritesAndCommands] {
            let (_, params) = initialize(offers);
            assert_eq!(params["clientCapabilities"]["elicitation"], json!({"form": {}}));
        }
    }
}
