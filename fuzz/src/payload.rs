//! What the hooks of coding agents send: whatever it is, it becomes at least one deed, and what is not whole or says two
//! things is never taken for a call.

use std::path::Path;

use git_grill::agents::Hooked;
use git_grill::guard::payload::{Call, ToolAction, read};
use git_grill::guard::{rewrite, telling};
use serde_json::Value;

pub fn run(data: &[u8]) {
    for agent in Hooked::all() {
        let call = read(agent, data);
        assert!(!call.deeds.is_empty(), "{agent}: a call that does nothing would pass");
        if is_unreadable(&call) {
            continue;
        }
        // Only an object reads, and only as a whole.
        let value: Value = serde_json::from_slice(data).expect("what was read is JSON");
        let whole = data.trim_ascii_end();
        let object = value.as_object().expect("what was read is an object");
        assert!(is_unreadable(&read(agent, &whole[..whole.len() - 1])), "{agent}: cut off, and read");
        let twice = [&whole[..whole.len() - 1], b",\"cwd\":\"/\",\"cwd\":\"/\"}"].concat();
        assert!(is_unreadable(&read(agent, &twice)), "{agent}: a key twice, and read");
        // The same said in other white space and another order is the same call.
        let again = serde_json::to_vec_pretty(&value).expect("it was JSON");
        assert_eq!(sorted(read(agent, &again)), sorted(call.clone()), "{agent}");
        if let Some(Value::String(tool)) = object.get("tool_name") {
            writes_are_named(agent, tool, &value, &call);
        }
        if let Some(shell) = &call.shell {
            assert_eq!(call.deeds, [ToolAction::Shell(shell.command.clone())]);
            rewritten(agent, shell);
        }
    }
    if let Some(heard) = telling::heard(data) {
        let value: Value = serde_json::from_slice(data).expect("what was heard is JSON");
        let said = value.to_string();
        let named = |path: &String| said.contains(&Value::from(path.as_str()).to_string());
        assert!(heard.places.iter().chain(heard.transcript.iter()).all(named), "a place that nobody named");
    }
}

pub fn is_unreadable(call: &Call) -> bool {
    call.deeds.iter().any(|deed| matches!(deed, ToolAction::Unreadable(_)))
}

/// The order in which a list of files is read says nothing.
fn sorted(mut call: Call) -> Call {
    call.deeds.sort_by_key(|deed| format!("{deed:?}"));
    call
}

/// A file that a writing tool names where every agent names it is one that is written.
fn writes_are_named(agent: Hooked, tool: &str, value: &Value, call: &Call) {
    let Some(path) = value["tool_input"]["file_path"].as_str() else { return };
    let writes = matches!((agent.name(), tool), ("claude", "Write" | "Edit") | ("gemini", "write_file" | "replace"));
    let named = ToolAction::Write(Some(path.to_owned()));
    assert!(!writes || call.deeds.contains(&named), "{agent} {tool} writes {path}: {:?}", call.deeds);
}

/// The agent is given its own input back, with the sandbox in the place of the command and nothing else changed.
fn rewritten(agent: Hooked, shell: &git_grill::guard::payload::ShellInput) {
    let Some(command) = rewrite::sandboxed(Path::new("/opt/git-grill"), "bash", &shell.command) else { return };
    let answer = rewrite::answer(agent, shell, command.clone());
    let said: Value = serde_json::from_str(&answer.stdout).expect("one object");
    let own = &said["hookSpecificOutput"];
    let mut input = [&said["tool_input"], &own["tool_input"], &own["updatedInput"]]
        .into_iter()
        .find_map(Value::as_object)
        .expect("the input comes back")
        .clone();
    assert_eq!(input.insert("command".to_owned(), shell.command.clone().into()), Some(command.into()));
    assert_eq!(input, shell.input);
}
