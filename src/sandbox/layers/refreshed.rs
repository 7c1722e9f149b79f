//! The rule for credentials that come out of a run: tokens and times may be new, nothing else. An entry that was not
//! there, the name of a place or of a program, another kind of credential: some agents run, or ask, what such a file
//! names.

use serde_json::{Map, Value};

/// Words in the names of fields that name a place, a program or a kind; their values stay as they are.
const FIXED: &[&str] = &["url", "uri", "host", "endpoint", "command", "helper", "script", "path", "type", "kind"];
/// Words in the names of fields that hold a key a person put there; no agent refreshes one.
const KEYS: &[&str] = &["apikey", "api_key", "api-key"];
/// The longest token.
const LONGEST: usize = 16 * 1024;

/// Why a credential does not come out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NotRefreshed(pub(super) &'static str);

pub(super) fn refreshed(before: &[u8], after: &[u8]) -> Result<(), NotRefreshed> {
    let read = |bytes| match serde_json::from_slice(bytes) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) | Err(_) => Err(NotRefreshed("it is not a JSON object")),
    };
    fields(&read(before)?, &read(after)?)
}

fn fields(before: &Map<String, Value>, after: &Map<String, Value>) -> Result<(), NotRefreshed> {
    if before.keys().any(|name| !after.contains_key(name)) {
        return Err(NotRefreshed("an entry is gone"));
    }
    for (name, after) in after {
        match (before.get(name), after) {
            (Some(before), after) if before == after => {}
            (Some(Value::Object(before)), Value::Object(after)) => fields(before, after)?,
            (None | Some(Value::Null), Value::Object(_) | Value::Array(_)) => {
                return Err(NotRefreshed("it has a new entry"));
            }
            (Some(Value::Array(_)), Value::Array(items)) => {
                for item in items {
                    fresh(name, item)?;
                }
            }
            (_, after) => fresh(name, after)?,
        }
    }
    Ok(())
}

fn fresh(name: &str, value: &Value) -> Result<(), NotRefreshed> {
    let name = name.to_lowercase();
    if name == "key" || KEYS.iter().any(|word| name.contains(word)) {
        return Err(NotRefreshed("a key changed, and keys are not refreshed"));
    }
    if FIXED.iter().any(|word| name.contains(word)) {
        return Err(NotRefreshed("a path, a program or a type in it changed"));
    }
    match value {
        Value::String(text)
            if text.len() > LONGEST || text.starts_with(['!', '$']) || text.chars().any(char::is_control) =>
        {
            Err(NotRefreshed("a value in it changed that is not a token"))
        }
        Value::Object(_) | Value::Array(_) => Err(NotRefreshed("it has a new entry")),
        Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Null => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_times_may_be_new() {
        for (before, after) in [
            (
                r#"{"tokens":{"access_token":"a","refresh_token":"b"},"last_refresh":"x"}"#,
                r#"{"tokens":{"access_token":"c","refresh_token":"d","account_id":"1"},"last_refresh":"y"}"#,
            ),
            (
                r#"{"claudeAiOauth":{"accessToken":"a","expiresAt":1,"scopes":["x"]}}"#,
                r#"{"claudeAiOauth":{"accessToken":"b","expiresAt":2,"scopes":["x","y"]}}"#,
            ),
            (
                r#"{"anthropic":{"type":"oauth","refresh":"a"},"o":{"type":"api","key":"k"}}"#,
                r#"{"anthropic":{"type":"oauth","refresh":"b"},"o":{"type":"api","key":"k"}}"#,
            ),
            (r#"{"a":null,"auth_mode":"x"}"#, r#"{"auth_mode":"x","a":"t"}"#),
        ] {
            assert_eq!(refreshed(before.as_bytes(), after.as_bytes()), Ok(()), "{after}");
        }
    }

    #[test]
    fn nothing_that_an_agent_would_ask_or_run_may_be() {
        let before =
            r#"{"a":{"type":"oauth","refresh":"r","serverUrl":"https://a"},"k":{"type":"api","key":"k"},"n":null}"#;
        for after in [
            r#"{"a":{"type":"wellknown","refresh":"r","serverUrl":"https://a"},"k":{"type":"api","key":"k"},"n":null}"#,
            r#"{"a":{"type":"oauth","refresh":"r","serverUrl":"https://b"},"k":{"type":"api","key":"k"},"n":null}"#,
            r#"{"a":{"type":"oauth","refresh":"r","serverUrl":"https://a"},"k":{"type":"api","key":"!id"},"n":null}"#,
            r#"{"a":{"type":"oauth","refresh":"!id","serverUrl":"https://a"},"k":{"type":"api","key":"k"},"n":null}"#,
            r#"{"a":{"type":"oauth","refresh":"r","serverUrl":"https://a","enterpriseUrl":"x"},"k":{"type":"api","key":"k"},"n":null}"#,
            r#"{"a":{"type":"oauth","refresh":"r","serverUrl":"https://a"},"k":{"type":"api","key":"k"},"n":null,"b":{}}"#,
            r#"{"a":{"type":"oauth","refresh":"r","serverUrl":"https://a"},"k":{"type":"api","key":"k"},"n":{}}"#,
            r#"{"a":{"type":"oauth","refresh":"r","serverUrl":"https://a"},"n":null}"#,
            r#"{"a":{"type":"oauth","refresh":"a\nb","serverUrl":"https://a"},"k":{"type":"api","key":"k"},"n":null}"#,
            r#"{"a":"r","k":{"type":"api","key":"k"},"n":null,"apiKeyHelper":"id"}"#,
            "[]",
            "",
            "{",
            "{}",
            "null",
        ] {
            assert!(refreshed(before.as_bytes(), after.as_bytes()).is_err(), "{after}");
        }
    }

    #[test]
    fn deep_nesting_is_refused_and_not_followed() {
        let deep = |depth| format!("{}{}", "{\"a\":".repeat(depth), "1".to_owned() + &"}".repeat(depth));
        assert!(refreshed(deep(100_000).as_bytes(), deep(100_000).as_bytes()).is_err());
    }
}
