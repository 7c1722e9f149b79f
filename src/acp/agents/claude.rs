//! Claude Code, by the adapter `claude-agent-acp`. It asks before every call of our tools, names them in `name`, and goes
//! on after a refusal. The mode that asks nobody is left out of its session: the adapter offers it to every client, and
//! then does not start for root at all. Its requests for suggestions cost a whole history each and are switched off; its
//! tool search would hide our tools from the first request.

use super::{Asks, Elicits, Lacks, Leads, Least, Lent, Preset, Refusal, Setting, Settings, behind};

/// The mode that asks, whatever the person's own settings begin with.
const ASKS: Option<Setting> = Some(Setting { option: "mode", value: "default" });
const SETTINGS: Settings = Settings { walled: ASKS, bare: ASKS };

pub(super) const CLAUDE: Preset = Preset {
    name: "claude",
    title: "Claude Code",
    command: &["claude-agent-acp"],
    variables: &[("CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION", "false"), ("ENABLE_TOOL_SEARCH", "false")],
    bare_variables: &[],
    opening: Some(r#"{"claudeCode":{"options":{"allowDangerouslySkipPermissions":false,"promptSuggestions":false}}}"#),
    settings: SETTINGS,
    lent: |_| Lent { settings: SETTINGS, ..Lent::PLAIN },
    asks: Asks::Each,
    ours: |call, server| behind(call.name.as_deref(), &format!("mcp__{server}__")),
    refusal: Refusal::GoesOn,
    leads: Leads::OverAcp,
    adapts: Some("claude"),
    tried: Some("0.100.0"),
    least: Some(Least {
        version: "0.44.0",
        because: "older versions do not send git grill their own questions",
        lacks: Lacks::Part,
    }),
    elicits: Elicits::Yes,
    keys: &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    install: "npm install -g @agentclientprotocol/claude-agent-acp",
    log_in: "run claude once in your own terminal",
};
