//! What coding agents wait for: the guard's verdict before each of their calls, and the server's first answer.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::race::{Lane, SHORT, race};
use crate::table::Table;
use crate::world::{GRILL, World};

const GUARD: [&str; 4] = [GRILL, "guard", "--for", "claude"];
const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"bench","version":"1"}}}"#;

pub fn measure(world: &World, table: &mut Table) {
    let (quiet, armed) = (world.repository("unguarded"), world.session("guarded", 2));
    let reads = "git log --oneline -20 | head -5 && grep -rn 'fn main' src";
    let rows = [
        ("guard verdict, no session", &quiet, reads, 0),
        ("guard verdict, let through", &armed, reads, 0),
        ("guard verdict, refused", &armed, "rm -rf docs && git push --force", 2),
    ];
    let nothing = world.nothing();
    for (what, dir, command, code) in rows {
        let call = call(world, dir, command);
        let nothing = Lane::new(dir, &[&nothing]).reading(&call);
        let raced = race(world, &Lane::new(dir, &GUARD).reading(&call).ending(code), &[nothing], SHORT);
        table.budget(what, "a process that does nothing", &raced, 2.0);
    }
    let call = call(world, &armed, reads);
    let through = Lane::new(&armed, &GUARD).reading(&call).with("GRILL_BACKEND", "git");
    let raced = race(world, &through, &[Lane::new(&armed, &[&nothing]).reading(&call)], SHORT);
    table.told("guard verdict through the git program", "a process that does nothing", &raced);

    let request = world.path("initialize.jsonl");
    fs::write(&request, format!("{INITIALIZE}\n")).unwrap();
    let version = Lane::new(&armed, &["git", "--version"]).reading(&request);
    let raced = race(world, &Lane::new(&armed, &[GRILL, "mcp"]).reading(&request), &[version], SHORT);
    table.budget("mcp, started, initialized and ended", "git --version", &raced, 3.0);
}

/// A call of Claude Code's, as its hook gets it.
fn call(world: &World, dir: &Path, command: &str) -> std::path::PathBuf {
    let call = json!({
        "session_id": "a", "transcript_path": "/dev/null", "cwd": dir, "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": { "command": command },
    });
    let path = world.path("call.json");
    fs::write(&path, call.to_string()).unwrap();
    path
}
