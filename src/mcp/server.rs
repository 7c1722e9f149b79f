//! What a client can ask of the server, method by method.

use std::sync::{Arc, OnceLock};

use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult, DiscoverResult,
    ErrorCode, ErrorData, GetPromptRequestParams, GetPromptResponse, GetPromptResult, Implementation,
    InitializeRequestParams, InitializeResult, JsonObject, ListPromptsResult, ListToolsResult, PaginatedRequestParams,
    Prompt, PromptArgument, PromptMessage, Role, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;
use tokio::sync::{OwnedRwLockReadGuard, RwLock};

use crate::app::toolbox::{Call, Described, Nature, ToolText, Toolbox};
use crate::domain::harmless::harmless;

use super::asking::{self, Asker, Pace, Seal};
use super::blocking::blocking;
use super::era::Era;
use super::opening::Withdrawn;

/// What the prompt is called that starts an interview.
const PROMPT: &str = "grill";

/// What a client is told that brings a state back which this server did not give out.
const NOT_OURS: &str = "nothing was recorded or kept: this server did not give out that requestState. Call the tool again \
                        without requestState, and put the form that comes back to the user; if they had sent one, tell \
                        them to send it again";

/// The methods that take parameters, and can be called with the wrong ones.
const METHODS: &[&str] = &["tools/call", "tools/list", "prompts/list", "prompts/get"];

/// The calls that a server has begun. Each of them may have an answer in hand that is not recorded yet.
#[derive(Clone, Default)]
pub(super) struct Calls(Arc<RwLock<()>>);

impl Calls {
    /// Counts a call until the guard is dropped.
    async fn begin(&self) -> OwnedRwLockReadGuard<()> {
        self.0.clone().read_owned().await
    }

    /// Waits until each of them has ended. Once the client is gone, none of them waits for a person.
    pub(super) async fn ended(&self) {
        drop(self.0.write().await);
    }
}

pub(super) struct Server {
    toolbox: Arc<dyn Toolbox>,
    tools: OnceLock<Vec<Tool>>,
    calls: Calls,
    pace: Pace,
    withdrawn: Withdrawn,
    seal: Arc<Seal>,
}

impl Server {
    pub(super) fn new(toolbox: Arc<dyn Toolbox>, pace: Pace, withdrawn: Withdrawn) -> Self {
        Self { toolbox, tools: OnceLock::new(), calls: Calls::default(), pace, withdrawn, seal: Arc::default() }
    }

    pub(super) fn calls(&self) -> Calls {
        self.calls.clone()
    }

    /// What the toolbox holds, read when somebody asks for it: the first answer is waited for.
    fn tools(&self) -> &[Tool] {
        self.tools.get_or_init(|| self.toolbox.tools().into_iter().map(announced).collect())
    }

    /// What the agent is told at the beginning; nothing without a session.
    async fn instructions(&self) -> Result<Option<String>, ErrorData> {
        blocking(&self.toolbox, |toolbox| toolbox.instructions()).await
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_prompts().build();
        let mut info = ServerConfig::new(capabilities);
        info.server_info = Implementation::new("git-grill", env!("CARGO_PKG_VERSION"));
        info
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        let mut hello = self.negotiate_initialize(&request)?;
        hello.instructions = self.instructions().await?;
        Ok(hello)
    }

    async fn discover(&self, _context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let mut info = self.get_info();
        info.instructions = self.instructions().await?;
        Ok(DiscoverResult::from_server_info(self.supported_protocol_versions().into_owned(), info))
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools().to_vec()))
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let _begun = self.calls.begin().await;
        if !self.tools().iter().any(|tool| tool.name == params.name) {
            return Err(ErrorData::invalid_params(format!("there is no tool {}", params.name), None));
        }
        let client = context.client_info().map(|client| client.name).unwrap_or_default();
        let Some((again, given)) = self.seal.brought_back(params.request_state.as_deref()) else {
            return Err(ErrorData::invalid_params(NOT_OURS, None));
        };
        let call = Call {
            tool: params.name.to_string(),
            arguments: Value::Object(params.arguments.unwrap_or_default()),
            client,
            again,
            given: given.clone(),
        };
        let (toolbox, withdrawn) = (self.toolbox.clone(), self.withdrawn.clone());
        let asker = Asker { toolbox, call, context, pace: self.pace, withdrawn, seal: self.seal.clone() };
        match Era::of(asker.context.protocol_version().as_ref()) {
            Era::Requests => asking::by_requests(&asker).await.map(Into::into),
            Era::Rounds => asking::by_rounds(&asker, params.input_responses, given).await,
        }
    }

    /// A request that could not be read as any of ours. Where its method is one, its parameters are the mistake.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method;
        if METHODS.contains(&method.as_str()) {
            return Err(ErrorData::invalid_params(format!("{method} does not take these parameters"), None));
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("there is no method {method}"), None))
    }

    async fn list_prompts(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        if !self.toolbox.has_prompt() {
            return Ok(ListPromptsResult::with_all_items(Vec::new()));
        }
        let mut topic = PromptArgument::new("topic");
        topic.description =
            Some("What the interview is about; left out, it goes on with the one that is open".to_owned());
        topic.required = Some(false);
        let about = "Be interviewed before a file changes";
        Ok(ListPromptsResult::with_all_items(vec![Prompt::new(PROMPT, Some(about), Some(vec![topic]))]))
    }

    async fn get_prompt(
        &self,
        params: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if params.name != PROMPT || !self.toolbox.has_prompt() {
            return Err(ErrorData::invalid_params(format!("there is no prompt {}", params.name), None));
        }
        let topic = params.arguments.as_ref().and_then(|given| given.get("topic")).and_then(Value::as_str);
        let topic = topic.map(str::trim).filter(|topic| !topic.is_empty()).map(str::to_owned);
        let text = blocking(&self.toolbox, move |toolbox| toolbox.prompt(topic.as_deref())).await?;
        Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).into())
    }
}

/// A tool with the hints that clients gate on: one that is neither destructive nor of an open world runs without a
/// question in those that were tried.
fn announced(tool: Described) -> Tool {
    let schema = match tool.schema {
        Value::Object(schema) => schema,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => JsonObject::new(),
    };
    let hints = match tool.nature {
        Nature::Reads => ToolAnnotations::new().read_only(true),
        Nature::Records => ToolAnnotations::new().read_only(false).destructive(false).idempotent(true),
        // What somebody else's program does is not known here.
        Nature::Runs => ToolAnnotations::new().read_only(false),
    };
    let hints = hints.open_world(tool.nature == Nature::Runs);
    Tool::new(tool.name, tool.description, schema).with_annotations(hints)
}

/// A result for a client: clients show the model either the words or the value, so each is complete. The value has every
/// text as it was given, and the words are harmless to look at. Tabs stay, since the words hold the checkpoint, of which an
/// agent hands back what it does not change.
pub(super) fn result(said: ToolText) -> CallToolResult {
    let words = said.text.split('\t').map(harmless).collect::<Vec<_>>().join("\t");
    let content = vec![ContentBlock::text(words)];
    let mut result = if said.failed { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = Some(said.value);
    result
}
