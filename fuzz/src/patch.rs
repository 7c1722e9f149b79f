//! Patches of agents: either it is certain which files they change, and every one is named, or they are not read.

use std::collections::BTreeSet;

use git_grill::agents::Hooked;
use git_grill::guard::payload::{ToolAction, read};
use serde_json::json;

use super::payload::is_unreadable;
use super::text;

pub fn run(data: &[u8]) {
    let Some(patch) = text(data) else { return };
    let codex = Hooked::named("codex").expect("it has hooks");
    let call = json!({ "hook_event_name": "PreToolUse", "cwd": "/w", "tool_name": "apply_patch",
                       "tool_input": { "command": patch } });
    let call = read(codex, call.to_string().as_bytes());
    if is_unreadable(&call) {
        return;
    }
    let told: BTreeSet<String> = call
        .deeds
        .iter()
        .map(|deed| match deed {
            ToolAction::Write(Some(file)) | ToolAction::Delete(Some(file)) => file.clone(),
            other => panic!("a patch does nothing like {other:?}"),
        })
        .collect();
    // Read as leniently as a tool that applies patches could: whatever looks like a file is among them.
    for line in patch.lines() {
        for marker in ["*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:"] {
            if let Some((_, path)) = line.split_once(marker).filter(|(before, _)| before.trim().is_empty()) {
                assert!(told.contains(path.trim()), "{path:?} is not among {told:?}");
            }
        }
    }
    assert!(told.iter().all(|path| !path.is_empty() && patch.contains(path.as_str())));
    // A line more is a file more, whatever it stands behind.
    let more = format!("{patch}\n*** Add File: one/more\n");
    let more = json!({ "cwd": "/w", "tool_name": "apply_patch", "tool_input": { "command": more } });
    let more = read(codex, more.to_string().as_bytes());
    assert!(is_unreadable(&more) || more.deeds.contains(&ToolAction::Write(Some("one/more".to_owned()))));
}
