//! The hook entries that ask the guard, in the shape of each agent.

use serde_json::Value;

use super::json::{Entry, Slot};

/// How every hook line of ours begins, whichever version wrote it.
const BEGINS: &str = "git-grill guard --for ";

/// A group of hooks in the shape that Claude Code brought up: a matcher and commands.
pub(super) fn group(path: &'static [&'static str], matcher: &str, line: &str, more: &str) -> Entry {
    let value = format!(
        "{{\"matcher\": {}, \"hooks\": [{{\"type\": \"command\", \"command\": {}{more}}}]}}",
        Value::from(matcher),
        Value::from(line)
    );
    Entry { path, slot: Slot::Element { value, ours: is_our_group } }
}

/// One hook in Cursor's shape.
pub(super) fn plain(path: &'static [&'static str], line: &str) -> Entry {
    let value = format!("{{\"command\": {}, \"failClosed\": true}}", Value::from(line));
    Entry { path, slot: Slot::Element { value, ours: is_our_hook } }
}

/// A group is ours if it calls nothing but the guard; one that somebody mixed with theirs is theirs.
fn is_our_group(value: &Value) -> bool {
    let hooks = value.get("hooks").and_then(Value::as_array);
    hooks.is_some_and(|hooks| !hooks.is_empty() && hooks.iter().all(is_our_hook))
}

fn is_our_hook(value: &Value) -> bool {
    value.get("command").and_then(Value::as_str).is_some_and(|command| command.starts_with(BEGINS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_ours_only_if_nobody_elses_hook_is_in_it() {
        let ours =
            r#"{"matcher": "*", "hooks": [{"type": "command", "command": "git-grill guard --for claude || exit 2"}]}"#;
        let mixed = r#"{"hooks": [{"command": "lint"}, {"command": "git-grill guard --for claude"}]}"#;
        let foreign = r#"{"hooks": [{"command": "echo git-grill guard --for claude"}]}"#;
        for (text, expected) in
            [(ours, true), (mixed, false), (foreign, false), ("3", false), (r#"{"hooks": []}"#, false)]
        {
            assert_eq!(is_our_group(&serde_json::from_str(text).unwrap()), expected, "{text}");
        }
    }
}
