//! The hook entries that ask the guard, and those that hand our instructions over, in the shape of each agent.

use serde_json::Value;

use super::json::{Entry, Slot};

/// How every line of ours that asks the guard begins, whichever version wrote it.
const ASKS: &str = "git-grill guard --for ";
/// How every line of ours that hands instructions over begins.
const TELLS: &str = "git-grill instructions --for ";

/// A group of hooks in the shape that Claude Code brought up: a matcher and commands.
pub(super) fn group(path: &'static [&'static str], matcher: &str, line: &str, more: &str) -> Entry {
    let value = format!(
        "{{\"matcher\": {}, \"hooks\": [{{\"type\": \"command\", \"command\": {}{more}}}]}}",
        Value::from(matcher),
        Value::from(line)
    );
    Entry { path, slot: Slot::Element { value, ours: asks_as_group } }
}

/// A group that hands instructions over. It has no matcher: whichever way a conversation begins, it is told.
pub(super) fn telling_group(path: &'static [&'static str], line: &str, more: &str) -> Entry {
    let value = format!("{{\"hooks\": [{{\"type\": \"command\", \"command\": {}{more}}}]}}", Value::from(line));
    Entry { path, slot: Slot::Element { value, ours: tells_as_group } }
}

/// One hook in Cursor's shape.
pub(super) fn plain(path: &'static [&'static str], line: &str) -> Entry {
    let value = format!("{{\"command\": {}, \"failClosed\": true}}", Value::from(line));
    Entry { path, slot: Slot::Element { value, ours: asks } }
}

/// One that hands instructions over. It may fail open: what is not told is no reason to stop anything.
pub(super) fn telling_plain(path: &'static [&'static str], line: &str) -> Entry {
    let value = format!("{{\"command\": {}}}", Value::from(line));
    Entry { path, slot: Slot::Element { value, ours: tells } }
}

/// A group is ours if it runs nothing but lines of ours; one that somebody mixed with theirs is theirs.
fn is_group_of(value: &Value, ours: fn(&Value) -> bool) -> bool {
    let hooks = value.get("hooks").and_then(Value::as_array);
    hooks.is_some_and(|hooks| !hooks.is_empty() && hooks.iter().all(ours))
}

fn asks_as_group(value: &Value) -> bool {
    is_group_of(value, asks)
}

fn tells_as_group(value: &Value) -> bool {
    is_group_of(value, tells)
}

fn asks(value: &Value) -> bool {
    command_begins(value, ASKS)
}

fn tells(value: &Value) -> bool {
    command_begins(value, TELLS)
}

fn command_begins(value: &Value, with: &str) -> bool {
    value.get("command").and_then(Value::as_str).is_some_and(|command| command.starts_with(with))
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
            assert_eq!(asks_as_group(&serde_json::from_str(text).unwrap()), expected, "{text}");
            let telling = text.replace("git-grill guard", "git-grill instructions");
            assert_eq!(tells_as_group(&serde_json::from_str(&telling).unwrap()), expected, "{telling}");
            assert!(!tells_as_group(&serde_json::from_str(text).unwrap()), "{text}");
            assert!(!asks_as_group(&serde_json::from_str(&telling).unwrap()), "{telling}");
        }
    }
}
