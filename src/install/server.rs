//! Our MCP server, as it is named and started everywhere.

use serde_json::Value;

/// Its name in every agent's settings; the guard knows our tools under it.
pub(super) const NAME: &str = "grill";
pub(super) const COMMAND: &str = "git";
pub(super) const ARGS: [&str; 2] = ["grill", "mcp"];

/// Whether this starts git grill's server, in the way of this version or of another.
pub(super) fn starts_us(command: &str, args: &[&str]) -> bool {
    match command.rsplit('/').next() {
        Some("git") => args.starts_with(&ARGS),
        Some("git-grill") => args.first() == Some(&"mcp"),
        Some(_) | None => false,
    }
}

/// Whether a value is a server of ours: `command` and `args`, or one list of words.
pub(super) fn is_ours(value: &Value) -> bool {
    let words = |value: &Value| -> Option<Vec<String>> {
        value.as_array()?.iter().map(|word| word.as_str().map(str::to_owned)).collect()
    };
    let (command, args) = match value.get("command") {
        Some(Value::String(command)) => (command.clone(), value.get("args").and_then(words).unwrap_or_default()),
        Some(line @ Value::Array(_)) => match words(line).unwrap_or_default().split_first() {
            Some((command, args)) => (command.clone(), args.to_vec()),
            None => return false,
        },
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => return false,
    };
    starts_us(&command, &args.iter().map(String::as_str).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_ours_by_what_it_starts_and_not_by_its_name() {
        for ours in [
            r#"{"command": "git", "args": ["grill", "mcp"]}"#,
            r#"{"command": "/usr/bin/git-grill", "args": ["mcp", "--x"]}"#,
            r#"{"type": "local", "command": ["git", "grill", "mcp"]}"#,
        ] {
            assert!(is_ours(&serde_json::from_str(ours).unwrap()), "{ours}");
        }
        for other in [
            "null",
            r#"{"command": "git", "args": ["status"]}"#,
            r#"{"command": "npx", "args": ["grill", "mcp"]}"#,
            r#"{"command": []}"#,
            r#"{"url": "https://example.org"}"#,
            r#"{"command": "mygit-grill", "args": ["mcp"]}"#,
        ] {
            assert!(!is_ours(&serde_json::from_str(other).unwrap()), "{other}");
        }
    }
}
