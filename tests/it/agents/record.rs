//! What an agent sends us: a `git-grill` of the tests stands first in its `PATH`, writes down what it is called with, and
//! hands everything on to the real one. With `GRILL_RECORD=1` it becomes fixtures.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use super::known::Known;
use crate::bench::Bench;

/// A call of the guard is kept with the phase before it and the exit code; what a hook that asks for the instructions is
/// handed, in `told`; frames of MCP and calls of `git-grill tool` (pi)
/// in their order.
const RECORDER: &str = r#"#!/bin/sh
real='{real}' to='{to}'
case "$1" in
guard)
    call=$to/hook-$(date +%s%N)-$$
    cat >"$call.in"
    "$real" --json status 2>/dev/null | sed -n 's/.*"phase":"\([a-z-]*\)".*/\1/p' >"$call.phase"
    "$real" "$@" <"$call.in"
    code=$?
    echo $code >"$call.code"
    exit $code
    ;;
mcp) exec node '{relay}' "$real" "$to" ;;
instructions)
    case "$*" in *--hook*) ;; *) exec "$real" "$@" ;; esac
    hook=$(cat)
    printf '%s\n' "$hook" >>"$to/told"
    printf '%s' "$hook" | "$real" "$@"
    ;;
tool)
    case "$2" in --*) exec "$real" "$@" ;; esac
    call=$to/tool-$(date +%s%N)-$$
    cat >"$call.in"
    "$real" "$@" <"$call.in" >"$call.out"
    code=$?
    printf '{"tool":"%s","code":%s,"input":%s,"output":%s}\n' "$2" $code "$(cat "$call.in")" "$(cat "$call.out")" >>"$to/frames"
    cat "$call.out"
    exit $code
    ;;
*) exec "$real" "$@" ;;
esac
"#;

/// The folder that comes first in the agent's `PATH`.
pub fn programs(bench: &Bench) -> String {
    let folder = bench.root().join("recorder");
    let (to, bin) = (folder.join("to"), folder.join("bin"));
    std::fs::create_dir_all(&to).unwrap();
    let relay = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/model/relay.mjs");
    let script = RECORDER
        .replace("{real}", env!("CARGO_BIN_EXE_git-grill"))
        .replace("{to}", to.to_str().unwrap())
        .replace("{relay}", relay.to_str().unwrap());
    bench.write("../recorder/bin/git-grill", script);
    bench.run("chmod 755 ../recorder/bin/git-grill").assert_code(0);
    bin.display().to_string()
}

/// Writes the fixtures, if that is wanted.
pub fn keep(bench: &Bench, known: &Known) {
    if std::env::var_os("GRILL_RECORD").is_none() {
        return;
    }
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let file = format!("{}-{}.jsonl", known.name, known.version);
    let write = |folder: &str, lines: Vec<String>| {
        let folder = fixtures.join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        if !lines.is_empty() {
            std::fs::write(folder.join(&file), lines.concat()).unwrap();
        }
    };
    write("guard/recorded", hooks(bench));
    write("mcp-recorded", frames(bench));
}

/// The bench's own folders by name.
fn plain(bench: &Bench, text: &str) -> String {
    let (repo, home) = (bench.repo().display().to_string(), bench.root().join("home").display().to_string());
    // Grok names a folder after the repository, percent-encoded.
    let encoded = repo.replace('/', "%2F");
    text.replace(&repo, "$REPO")
        .replace(&home, "$HOME")
        .replace(&encoded, "repo")
        .replace(&*bench.root().to_string_lossy(), "$ROOT")
}

/// One payload of each tool, phase and verdict, in the order in which they came.
fn hooks(bench: &Bench) -> Vec<String> {
    let folder = bench.root().join("recorder/to");
    let mut calls: Vec<String> = folder
        .read_dir()
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.strip_suffix(".code").map(str::to_owned))
        .collect();
    calls.sort();
    let (mut kept, mut seen) = (Vec::new(), BTreeSet::new());
    for call in calls {
        let read = |kind: &str| std::fs::read_to_string(folder.join(format!("{call}.{kind}"))).unwrap();
        let phase = match read("phase").trim() {
            "" => "none".to_owned(),
            phase => phase.to_owned(),
        };
        let verdict = if read("code").trim() == "0" { "pass" } else { "refuse" };
        let payload: Value = serde_json::from_str(&plain(bench, &read("in"))).unwrap();
        let tool = payload.get("tool_name").or(payload.get("toolName")).cloned();
        // In the selection the rules are those of the interview.
        if phase != "selection" && seen.insert((phase.clone(), verdict, tool.map(|tool| tool.to_string()))) {
            kept.push(json!({ "phase": phase, "verdict": verdict, "payload": payload }).to_string() + "\n");
        }
    }
    kept
}

/// The frames of both sides; of the tools that we list only the names.
fn frames(bench: &Bench) -> Vec<String> {
    let path = bench.root().join("recorder/to/frames");
    let all = std::fs::read_to_string(path).unwrap_or_default();
    let kept = |line: &str| {
        let mut line: Value = serde_json::from_str(&plain(bench, line)).unwrap();
        if let Some(tools) = line.pointer_mut("/frame/result/tools").and_then(Value::as_array_mut) {
            for tool in tools {
                *tool = tool["name"].take();
            }
        }
        line.to_string() + "\n"
    };
    all.lines().map(kept).collect()
}
