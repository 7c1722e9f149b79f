//! What an agent asks to be allowed, and the answer: chosen by the kind of an option, never by its id or its label
//! (A27). Our own tools pass, recognised exactly; what the agent may do passes, and everything else is refused.

use serde_json::Value;

use super::update::{CallKind, CallUpdate, Word};
use super::v1;
use crate::agents::Preset;
use crate::domain::tool::Tool;

#[derive(Clone, Debug, PartialEq)]
pub struct Permission {
    pub call: CallUpdate,
    /// The options: kind and id, as they came.
    pub(super) options: Vec<(String, Value)>,
}

/// The answer to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// This once.
    Allowed,
    Refused,
    /// Its turn is being cancelled, so it is neither.
    Cancelled,
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The repository is not looked at.
    Kept,
    /// It changes files.
    Changes,
    /// A command of which nobody knows that it only reads.
    Command,
    /// It goes out to the net.
    Net,
    /// It changes the agent's mode.
    Mode,
    Unknown,
    /// Nothing offered to allow it just once.
    ForGood,
}

/// What an agent may do by itself. Whatever that is, thinking and our own tools pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct May {
    /// Look at files, and run commands that only read.
    pub look: bool,
    /// Change files, and run any command: only where walls keep it to a copy of its own.
    pub change: bool,
    /// Look at the web.
    pub fetch: bool,
}

impl May {
    /// Nothing beside our own tools.
    pub const NOTHING: Self = Self { look: false, change: false, fetch: false };
    pub const LOOK: Self = Self { look: true, ..Self::NOTHING };
}

/// What the rules go by.
pub struct Rules<'a> {
    pub preset: Preset,
    /// The name of our MCP server, where the agent has it.
    pub server: Option<&'a str>,
    pub may: May,
    /// Whether a shell command only reads, by the policy.
    pub only_reads: &'a dyn Fn(&str) -> bool,
}

impl Permission {
    /// The answer as it is sent. What cannot be allowed just once is refused; what offers no refusal is cancelled.
    pub fn outcome(&self, ruling: Ruling) -> (Ruling, Value) {
        let of_kind = |kind: &str| self.options.iter().find(|(is, _)| is == kind).map(|(_, id)| id.clone());
        let refusal = || of_kind("reject_once").or_else(|| of_kind("reject_always"));
        let (ruling, chosen) = match ruling {
            Ruling::Allowed => match of_kind("allow_once") {
                Some(id) => (Ruling::Allowed, Some(id)),
                None => (Ruling::Refused, refusal()),
            },
            Ruling::Refused => (Ruling::Refused, refusal()),
            Ruling::Cancelled => (Ruling::Cancelled, None),
        };
        (ruling, v1::chosen(chosen.as_ref()))
    }
}

impl Rules<'_> {
    pub fn on(&self, asked: &Permission) -> Ruling {
        if self.forbid(&asked.call).is_none() { Ruling::Allowed } else { Ruling::Refused }
    }

    /// Why a call that was asked about and refused was refused.
    pub fn why(&self, call: &CallUpdate) -> Why {
        self.forbid(call).unwrap_or(Why::ForGood)
    }

    /// Why a call is forbidden; `None` where it is allowed.
    fn forbid(&self, call: &CallUpdate) -> Option<Why> {
        if self.is_ours(call) {
            return None;
        }
        let May { look, change, fetch } = self.may;
        let only_reads = || call.input.get("command").and_then(Value::as_str).is_some_and(self.only_reads);
        let unless = |may: bool, why: Why| (!may).then_some(why);
        match &call.kind {
            Some(Word::Known(CallKind::Think)) => None,
            Some(Word::Known(CallKind::Read | CallKind::Search)) => unless(look, Why::Kept),
            Some(Word::Known(CallKind::Execute)) if change => None,
            Some(Word::Known(CallKind::Execute)) if !look => Some(Why::Kept),
            Some(Word::Known(CallKind::Execute)) => unless(only_reads(), Why::Command),
            Some(Word::Known(CallKind::Edit | CallKind::Delete | CallKind::Move)) => unless(change, Why::Changes),
            Some(Word::Known(CallKind::Fetch)) => unless(fetch, Why::Net),
            // In another mode it may ask for nothing more.
            Some(Word::Known(CallKind::SwitchMode)) => Some(Why::Mode),
            // It may be anything, so it takes all that there is to allow.
            Some(Word::Known(CallKind::Other) | Word::Unknown(_)) | None => {
                unless(look && change && fetch, Why::Unknown)
            }
        }
    }

    /// The name of our tool that a call is of, as the agent names one.
    fn our_tool<'c>(&self, call: &'c CallUpdate) -> Option<&'c str> {
        let server = self.server?;
        self.preset.ours.iter().find_map(|ours| ours.tool(call.name.as_deref(), call.title.as_deref(), server))
    }

    /// Whether a call is one of our own tools: the agent's own way of naming it, one of our tools, and no kind that
    /// changes files.
    pub fn is_ours(&self, call: &CallUpdate) -> bool {
        let changes = matches!(
            call.kind,
            Some(Word::Known(CallKind::Edit | CallKind::Delete | CallKind::Move | CallKind::SwitchMode))
        );
        !changes && self.our_tool(call).is_some_and(|tool| Tool::named(tool).is_some())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::agents::Preset;

    fn ruled(agent: &str, asked: &Value) -> (Ruling, Value) {
        let preset = Preset::named(agent).unwrap();
        let only_reads = |command: &str| command == "git log";
        let rules = Rules { preset, server: Some("grill"), may: May::LOOK, only_reads: &only_reads };
        let asked = Permission::read(asked);
        asked.outcome(rules.on(&asked))
    }

    fn asking(call: &Value) -> Value {
        json!({"sessionId": "s", "toolCall": call, "options": [
            {"optionId": "x-always", "kind": "allow_always"},
            {"optionId": "x-no", "kind": "reject_once"},
            {"optionId": "x-yes", "kind": "allow_once"},
        ]})
    }

    #[test]
    fn a27_ours_are_recognised_exactly_and_nothing_that_resembles_them() {
        for (agent, call, allowed) in [
            ("claude", json!({"name": "mcp__grill__ask_question", "kind": "other"}), true),
            ("claude", json!({"name": "mcp__grill__ask_question", "kind": "edit"}), false),
            ("claude", json!({"name": "mcp__grill__rm_rf", "kind": "other"}), false),
            ("claude", json!({"name": "mcp__grills__ask_question", "kind": "other"}), false),
            ("claude", json!({"name": "Bash", "title": "mcp__grill__ask_question", "kind": "execute"}), false),
            ("claude", json!({"title": "mcp__grill__ask_question", "kind": "other"}), false),
            ("gemini", json!({"title": "ask_question (grill MCP Server)", "kind": "other"}), true),
            ("gemini", json!({"title": "ask_question (other MCP Server)", "kind": "other"}), false),
            ("gemini", json!({"title": "rm; ask_question (grill MCP Server)", "kind": "other"}), false),
            ("grok", json!({"title": "grill__ask_question", "kind": "other"}), true),
            ("grok", json!({"title": "xgrill__ask_question", "kind": "other"}), false),
            ("codex", json!({"title": "mcp.grill.ask_question", "kind": "execute"}), true),
            ("opencode", json!({"title": "grill_grill_status", "kind": "other"}), true),
            ("opencode", json!({"title": "grill_status", "kind": "other"}), false),
        ] {
            let mut call = call;
            call["toolCallId"] = json!("c");
            let (ruling, answer) = ruled(agent, &asking(&call));
            let id = if allowed { "x-yes" } else { "x-no" };
            assert_eq!(answer["outcome"]["optionId"], id, "{agent}: {call}");
            assert_eq!(ruling == Ruling::Allowed, allowed);
        }
    }

    #[test]
    fn a27_doubt_means_no() {
        for (call, allowed) in [
            (json!({"kind": "read"}), true),
            (json!({"kind": "search"}), true),
            (json!({"kind": "think"}), true),
            (json!({"kind": "execute", "rawInput": {"command": "git log"}}), true),
            (json!({"kind": "execute", "rawInput": {"command": "rm -rf ."}}), false),
            (json!({"kind": "execute", "rawInput": {"command": ["git", "log"]}}), false),
            (json!({"kind": "execute"}), false),
            (json!({"kind": "edit"}), false),
            (json!({"kind": "delete"}), false),
            (json!({"kind": "move"}), false),
            (json!({"kind": "fetch"}), false),
            (json!({"kind": "switch_mode"}), false),
            (json!({"kind": "other", "title": "read"}), false),
            (json!({"kind": "READ"}), false),
            (json!({}), false),
        ] {
            let mut call = call;
            call["toolCallId"] = json!("c");
            assert_eq!(ruled("claude", &asking(&call)).0 == Ruling::Allowed, allowed, "{call}");
        }
        assert_eq!(ruled("claude", &json!({})).1["outcome"]["outcome"], "cancelled");
        assert_eq!(ruled("claude", &json!([1])).0, Ruling::Refused);
    }

    #[test]
    fn a18_what_is_refused_has_its_reason() {
        let preset = Preset::named("claude").unwrap();
        let why = |may: May, call: &Value| {
            let only_reads = |command: &str| command == "git log";
            let rules = Rules { preset, server: Some("grill"), may, only_reads: &only_reads };
            rules.why(&Permission::read(&asking(call)).call)
        };
        for (kind, because) in [
            ("read", Why::ForGood),
            ("execute", Why::Command),
            ("edit", Why::Changes),
            ("delete", Why::Changes),
            ("move", Why::Changes),
            ("fetch", Why::Net),
            ("switch_mode", Why::Mode),
            ("other", Why::Unknown),
            ("READ", Why::Unknown),
        ] {
            assert_eq!(why(May::LOOK, &json!({"toolCallId": "c", "kind": kind})), because, "{kind}");
        }
        for kind in ["read", "search", "execute"] {
            assert_eq!(why(May::NOTHING, &json!({"toolCallId": "c", "kind": kind})), Why::Kept, "{kind}");
        }
    }

    #[test]
    fn a27_never_for_always_and_a_refusal_takes_what_there_is() {
        let only = |kinds: &[&str], kind: &str| {
            let options: Vec<Value> = kinds.iter().map(|kind| json!({"optionId": kind, "kind": kind})).collect();
            let call = json!({"toolCallId": "c", "kind": kind});
            ruled("claude", &json!({"toolCall": call, "options": options}))
        };
        let (ruling, answer) = only(&["allow_always", "reject_always"], "read");
        assert_eq!((ruling, &answer["outcome"]["optionId"]), (Ruling::Refused, &json!("reject_always")));
        assert_eq!(only(&["reject_always", "reject_once"], "edit").1["outcome"]["optionId"], "reject_once");
        assert_eq!(only(&["allow_once"], "edit").1["outcome"]["outcome"], "cancelled");
    }

    #[test]
    fn a35_in_a_turn_that_is_cancelled_no_option_is_chosen() {
        let asked = Permission::read(&asking(&json!({"toolCallId": "c", "kind": "read"})));
        let cancelled = json!({"outcome": {"outcome": "cancelled"}});
        assert_eq!(asked.outcome(Ruling::Cancelled), (Ruling::Cancelled, cancelled));
    }

    /// The profiles of A4 and what each lets through; a mode in which it asks for nothing is never one of it.
    #[test]
    fn a4_what_an_agent_may_do_passes_and_nothing_beside() {
        let preset = Preset::named("claude").unwrap();
        let (look, change, fetch) = (true, true, true);
        for (may, passing) in [
            (May::NOTHING, &["think"][..]),
            (May::LOOK, &["read", "search", "think", "reads"]),
            (May { fetch, ..May::NOTHING }, &["think", "fetch"]),
            (May { look, fetch, change: false }, &["read", "search", "think", "reads", "fetch"]),
            (
                May { look, change, fetch: false },
                &["read", "search", "think", "reads", "writes", "edit", "delete", "move"],
            ),
            (
                May { look, change, fetch },
                &["read", "search", "think", "reads", "writes", "edit", "delete", "move", "fetch", "other", "warp"],
            ),
        ] {
            let rules = Rules { preset, server: None, may, only_reads: &|command| command == "reads" };
            for word in [
                "read",
                "search",
                "think",
                "reads",
                "writes",
                "edit",
                "delete",
                "move",
                "fetch",
                "other",
                "warp",
                "switch_mode",
            ] {
                let kind = if word == "reads" || word == "writes" { "execute" } else { word };
                let call = json!({"toolCallId": "c", "kind": kind, "rawInput": {"command": word}});
                let allowed = rules.on(&Permission::read(&asking(&call))) == Ruling::Allowed;
                assert_eq!(allowed, passing.contains(&word), "{may:?}: {word}");
            }
        }
    }

    #[test]
    fn a1_without_our_server_nothing_is_one_of_our_tools() {
        let preset = Preset::named("claude").unwrap();
        let rules = Rules { preset, server: None, may: May::NOTHING, only_reads: &|_| false };
        for name in ["mcp__grill__ask_question", "mcp____ask_question", "ask_question"] {
            let call = json!({"toolCallId": "c", "name": name, "kind": "other"});
            assert_eq!(rules.on(&Permission::read(&asking(&call))), Ruling::Refused, "{name}");
        }
    }

    #[test]
    fn with_research_off_nothing_is_read() {
        let preset = Preset::named("claude").unwrap();
        let rules = Rules { preset, server: Some("grill"), may: May::NOTHING, only_reads: &|_| true };
        for call in [
            json!({"toolCallId": "c", "kind": "read"}),
            json!({"toolCallId": "c", "kind": "execute",
            "rawInput": {"command": "git log"}}),
        ] {
            assert_eq!(rules.on(&Permission::read(&asking(&call))), Ruling::Refused);
        }
    }
}
