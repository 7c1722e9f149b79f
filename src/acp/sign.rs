//! Signs of trouble in what an agent tells: agents say in their own ways that a provider failed, and the turn then often
//! ends like any other.

use serde_json::Value;

use super::update::Update;
use super::v1;

/// A sign of trouble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// The provider failed, and the agent tries again.
    Retrying {
        /// The provider's status, where one is told.
        status: Option<u16>,
    },
    Provider {
        /// The provider's status, where one is told.
        status: Option<u16>,
    },
    /// The agent could not start our MCP server.
    ToolsFailed,
}

impl Sign {
    /// Whether this update shows that the agent goes on in spite of it. Behind a failure that it does not try again, text
    /// only says what failed, and a call that ends was begun before.
    pub fn is_over_with(&self, update: &Update) -> bool {
        match (self, update) {
            (Self::Retrying { .. } | Self::Provider { .. }, Update::Thought(_) | Update::Plan(_))
            | (Self::Retrying { .. }, Update::Said(_) | Update::Call(_)) => true,
            (Self::Provider { .. }, Update::Call(call)) => !call.is_over(),
            (Self::Provider { .. }, Update::Said(_))
            | (Self::ToolsFailed, _)
            | (_, Update::Usage(_) | Update::Quiet(_) | Update::Unknown(_)) => false,
        }
    }
}

/// The sign in a notification, if it is one. That another MCP server than ours did not start is none.
pub fn sign(method: &str, params: &Value, server: Option<&str>) -> Option<Sign> {
    let update = v1::update(params)?;
    let (call, state) = v1::call(update);
    let is = |pointer: &str, word: &str| update.pointer(pointer).is_some_and(|value| value == word);
    match method {
        v1::UPDATE => {
            if is("/_meta/codex/threadStatus/type", "systemError") {
                return Some(Sign::Provider { status: None });
            }
            if let Some(error) = update.pointer("/_meta/codex/error") {
                let status = status_in(&error.to_string());
                let again = error.get("willRetry").is_some_and(|again| again == true);
                return Some(if again { Sign::Retrying { status } } else { Sign::Provider { status } });
            }
            let server = server?;
            if is("/_meta/claudeCode/kind", "mcpServerStatus") && says_failed(update, server) {
                return Some(Sign::ToolsFailed);
            }
            let ours = format!("mcp_startup.{server}.");
            let startup = call.is_some_and(|id| id.starts_with(&ours));
            (startup && state == Some("failed")).then_some(Sign::ToolsFailed)
        }
        v1::GROK_UPDATE if v1::sort(update) == Some("retry_state") => {
            let reason = update.get("reason").and_then(Value::as_str).unwrap_or_default();
            let limited = update.get("is_rate_limited").is_some_and(|is| is == true);
            let status = if limited { Some(429) } else { status_in(reason) };
            Some(if is("/type", "retrying") { Sign::Retrying { status } } else { Sign::Provider { status } })
        }
        _ => None,
    }
}

/// Whether a status of Claude Code's servers says that this one did not start: its sentence, or the parts beside it.
fn says_failed(update: &Value, server: &str) -> bool {
    let sentence = format!("MCP server \"{server}\" failed to start");
    let said = v1::text(update).is_some_and(|text| text.contains(&sentence));
    said || update.pointer("/_meta/claudeCode").is_some_and(|status| names_failed(status, server))
}

/// Whether one object within names the server and says that it failed.
fn names_failed(status: &Value, server: &str) -> bool {
    match status {
        Value::Object(parts) => {
            let holds = |word: &str| parts.values().any(|part| part == word);
            (holds(server) && holds("failed")) || parts.values().any(|part| names_failed(part, server))
        }
        Value::Array(parts) => parts.iter().any(|part| names_failed(part, server)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// The provider's status in a text: a number from 400 to 599 that is told as one, or a word that means one. Agents put it
/// into messages, data and standard error, and their own codes say next to nothing.
pub fn status_in(text: &str) -> Option<u16> {
    let lower = text.to_lowercase();
    let word = || {
        [
            ("rate_limit", 429),
            ("rate limit", 429),
            ("unauthorized", 401),
            ("incorrect api key", 401),
            ("authentication required", 401),
            ("api key is missing", 401),
            ("overloaded", 529),
            ("server_error", 500),
        ]
        .into_iter()
        .find_map(|(word, status)| lower.contains(word).then_some(status))
    };
    number_in(&lower).or_else(word)
}

/// The provider's status in what an agent said last, where that is an error message in one of the ways in which agents tell
/// one as if it were prose. It begins a line, or stands right behind the end of a sentence: one agent sends it as the next
/// piece of its message. A model that only talks of a status is not taken for one.
pub fn status_said(said: &str) -> Option<u16> {
    const BEGIN: &[&str] = &["api error", "failed to authenticate", "exceeded retry limit"];
    const ENDS: &[char] = &['.', ':', '!', '?', '…', ')'];
    let last = said.lines().map(str::trim).rfind(|line| !line.is_empty())?.to_lowercase();
    let begins = |at: usize| at == 0 || last[..at].ends_with(ENDS);
    let begin = BEGIN.iter().flat_map(|words| last.match_indices(words)).map(|(at, _)| at).filter(|at| begins(*at));
    begin.min().and_then(|at| status_in(&last[at..]))
}

fn number_in(lower: &str) -> Option<u16> {
    let continues = |c: char| c.is_ascii_alphanumeric();
    lower.match_indices(|c: char| c.is_ascii_digit()).find_map(|(at, _)| {
        let (before, rest) = lower.split_at(at);
        let (digits, behind) = rest.split_at_checked(3)?;
        let status = digits.parse::<u16>().ok().filter(|status| matches!(status, 400 | 401 | 403 | 429 | 500..=599))?;
        let whole = !before.ends_with(continues) && !behind.starts_with(continues);
        (whole && is_told_as_status(before, status, behind)).then_some(status)
    })
}

/// Whether a number is a status and no count, size or name: by the word before it, or by what is around and behind it.
fn is_told_as_status(before: &str, status: u16, behind: &str) -> bool {
    const NAMED: &[(u16, &str)] = &[
        (400, "bad request"),
        (401, "unauthorized"),
        (403, "forbidden"),
        (429, "too many requests"),
        (500, "internal server error"),
        (502, "bad gateway"),
        (503, "service unavailable"),
        (504, "gateway time"),
        (529, "overloaded"),
    ];
    let mut words = before.rsplit(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let (word, earlier) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let by_word = match word {
        "code" | "errorcode" | "http" => true,
        // Behind a colon there may be any number; `API Error: 401` is the form of one agent.
        "error" => matches!(earlier, "api" | "http" | "server") || before.ends_with("error "),
        word => ["status", "statuscode", "error"].iter().any(|end| word.ends_with(end)),
    };
    let rest = behind.trim_start();
    // `429 {"error": …}` and `503 status code (no body)` are the forms of two providers' libraries.
    let by_rest = ["{\"", "status code"].iter().any(|next| rest.starts_with(next));
    let known = NAMED.iter().find(|(known, _)| *known == status);
    let in_brackets = before.ends_with('(') && behind.starts_with(')');
    by_word || by_rest || known.is_some_and(|(_, name)| in_brackets || rest.starts_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_status_is_found_wherever_it_stands() {
        for (text, status) in [
            ("Failed to authenticate. API Error: 401 ..", Some(401)),
            ("Request rejected (429)", Some(429)),
            ("exceeded retry limit, last status: 429 ..", Some(429)),
            (r#"{"responseStreamDisconnected":{"httpStatusCode":529}}"#, Some(529)),
            ("errorKind rate_limit", Some(429)),
            ("Authentication required", Some(401)),
            ("Unauthorized from x", Some(401)),
            ("HTTP/1.1 503 Service Unavailable", Some(503)),
            (r#"{"error":{"message":"x","code":401}}"#, Some(401)),
            (r#"{\"code\": 429}"#, Some(429)),
            (r#"529 {"type":"error"}"#, Some(529)),
            ("RateLimitError: 429 You exceeded your quota", Some(429)),
            ("error 500", Some(500)),
        ] {
            assert_eq!(status_in(text), status, "{text}");
        }
    }

    #[test]
    fn g56_a_number_that_is_not_told_as_a_status_is_none() {
        for (text, status) in [
            ("took 512 ms", None),
            ("wrote 500.rs", None),
            ("error: 500 files were skipped", None),
            ("read 429 lines (512)", None),
            ("3 of 500", None),
            ("http status 5031", None),
            ("took 512 ms, then status 503", Some(503)),
            ("line 4290 of a file", None),
            ("all is well", None),
            ("", None),
        ] {
            assert_eq!(status_in(text), status, "{text}");
        }
    }

    #[test]
    fn g56_an_error_message_that_is_said_like_prose_is_one_and_talk_of_a_status_is_not() {
        for (said, status) in [
            ("Failed to authenticate. API Error: 401 {\"type\":\"error\"}", Some(401)),
            ("API Error: 529 overloaded_error", Some(529)),
            ("I look at the limits first.\n\nexceeded retry limit, last status: 429 Too Many Requests\n", Some(429)),
            ("I look at the limits first.exceeded retry limit, last status: 429 Too Many Requests", Some(429)),
            ("Let me see (all of it):API Error: 529 overloaded_error", Some(529)),
            ("It says that it exceeded retry limit, last status: 429 Too Many Requests.", None),
            ("It prints: exceeded retry limit, last status: 429 Too Many Requests.", None),
            ("It took 429 ms.exceeded retry limit", None),
            ("Should a client that exceeded its limit get status 429?", None),
            ("API Error: 401\nis what the code answers today. Shall it?", None),
            ("An API error with status 503 is retried.", None),
            ("exceeded retry limit", None),
            ("", None),
        ] {
            assert_eq!(status_said(said), status, "{said}");
        }
    }

    #[test]
    fn each_agent_says_it_in_its_own_way() {
        let update = |update: Value| json!({"sessionId": "s", "update": update});
        for (method, told, expected) in [
            (
                "session/update",
                json!({"sessionUpdate": "session_info_update", "_meta": {"codex": {"threadStatus": {"type": "systemError"}}}}),
                Some(Sign::Provider { status: None }),
            ),
            (
                "session/update",
                json!({"_meta": {"codex": {"error": {"message": "Reconnecting... 1/1", "willRetry": true,
                    "codexErrorInfo": {"responseStreamDisconnected": {"httpStatusCode": 529}}}}}}),
                Some(Sign::Retrying { status: Some(529) }),
            ),
            (
                "_x.ai/session_notification",
                json!({"sessionUpdate": "retry_state", "type": "retrying", "reason": "API error (status 500 ...)"}),
                Some(Sign::Retrying { status: Some(500) }),
            ),
            (
                "_x.ai/session_notification",
                json!({"sessionUpdate": "retry_state", "type": "exhausted", "is_rate_limited": true}),
                Some(Sign::Provider { status: Some(429) }),
            ),
            (
                "session/update",
                json!({"sessionUpdate": "tool_call", "toolCallId": "mcp_startup.grill.1", "status": "failed"}),
                Some(Sign::ToolsFailed),
            ),
            (
                "session/update",
                json!({"sessionUpdate": "tool_call", "toolCallId": "mcp_startup.other.1", "status": "failed"}),
                None,
            ),
            ("session/update", json!({"sessionUpdate": "tool_call", "toolCallId": "c", "status": "failed"}), None),
            (
                "session/update",
                json!({"sessionUpdate": "agent_message_chunk", "_meta": {"claudeCode": {"kind": "mcpServerStatus"}},
                    "content": {"type": "text", "text": "**MCP server \"grill\" failed to start:** x"}}),
                Some(Sign::ToolsFailed),
            ),
            (
                "session/update",
                json!({"_meta": {"claudeCode": {"kind": "mcpServerStatus", "servers": [
                    {"name": "other", "status": "connected"}, {"name": "grill", "status": "failed"}]}}}),
                Some(Sign::ToolsFailed),
            ),
        ] {
            assert_eq!(sign(method, &update(told.clone()), Some("grill")), expected, "{told}");
        }
        assert_eq!(sign("session/update", &json!(null), Some("grill")), None);
    }

    #[test]
    fn g56_a_trouble_is_over_with_the_next_sign_of_work() {
        let retrying = Sign::Retrying { status: Some(529) };
        let failed = Sign::Provider { status: None };
        let call = |status: &str| json!({"sessionUpdate": "tool_call", "toolCallId": "c", "status": status});
        for (update, again, last) in [
            (json!({"sessionUpdate": "agent_message_chunk", "content": {"text": "stream disconnected"}}), true, false),
            (json!({"sessionUpdate": "agent_thought_chunk", "content": {"text": "Now"}}), true, true),
            (json!({"sessionUpdate": "plan", "entries": []}), true, true),
            (call("pending"), true, true),
            (call("failed"), true, false),
            (json!({"sessionUpdate": "usage_update", "used": 1, "size": 2}), false, false),
            (json!({"sessionUpdate": "session_info_update"}), false, false),
            (json!({"sessionUpdate": "hologram"}), false, false),
        ] {
            let read = Update::read(&json!({"update": update}));
            assert_eq!((retrying.is_over_with(&read), failed.is_over_with(&read)), (again, last), "{update}");
        }
    }

    #[test]
    fn g56_another_server_that_failed_is_no_sign_and_neither_is_ours_that_works() {
        for (servers, text) in [
            (json!([{"name": "grill", "status": "connected"}, {"name": "other", "status": "failed"}]), "x"),
            (json!([{"name": "grillroom", "status": "failed"}]), "**MCP server \"grillroom\" failed to start:** x"),
            (json!([]), "**MCP server \"other\" failed to start:** see /repo/grill/log"),
        ] {
            let meta = json!({"claudeCode": {"kind": "mcpServerStatus", "servers": servers}});
            let update = json!({"update": {"content": {"type": "text", "text": text}, "_meta": meta}});
            assert_eq!(sign("session/update", &update, Some("grill")), None, "{update}");
        }
    }
}
