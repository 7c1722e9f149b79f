//! A real Claude Code against a scripted model on 127.0.0.1, with the guard installed through `--settings`: what it is
//! told not to do does not happen. Not part of an ordinary run, since it takes the agent's program (some 200 MB):
//!
//! ```sh
//! npm install --prefix /tmp/claude @anthropic-ai/claude-code
//! GRILL_CLAUDE=/tmp/claude/node_modules/.bin/claude cargo test --test it -- --ignored guard::real_agent
//! ```

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::interview;
use crate::bench::{Bench, Running};

/// What the agent said back for each call: refused or not, and with which words.
fn play(bench: &Bench, calls: &Value) -> Vec<(bool, String)> {
    let claude = std::env::var("GRILL_CLAUDE").expect("GRILL_CLAUDE names Claude Code's program");
    let line = bench.run("git grill guard --for claude --hook-line").assert_code(0).stdout().trim_end().to_owned();
    let hooks =
        json!({ "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [{ "type": "command", "command": line }] }] } });
    bench.write("../settings.json", hooks.to_string());
    play_with(bench, &claude, "--settings ../settings.json", calls)
}

/// The same with the settings that `options` name, or with those that are installed.
pub fn play_with(bench: &Bench, claude: &str, options: &str, calls: &Value) -> Vec<(bool, String)> {
    let model = model(bench, calls);
    bench
        .run(&format!(
            "ANTHROPIC_BASE_URL=http://127.0.0.1:$(cat ../port) ANTHROPIC_API_KEY=dummy DISABLE_AUTOUPDATER=1 \
             CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 {claude} -p go {options} --permission-mode \
             acceptEdits --allowedTools Bash,Write"
        ))
        .assert_code(0)
        .assert_contains("done");
    drop(model);
    let said = bench.read("../said");
    let said = said.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    said.map(|call| (call["refused"] == true, call["text"].as_str().unwrap().to_owned())).collect()
}

/// A model that orders these calls; its port stands in `../port`, and what they came to in `../said`.
pub fn model(bench: &Bench, calls: &Value) -> Running {
    bench.write("../calls.json", calls.to_string());
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/guard-model/model.mjs");
    let model = bench.spawn(&format!("exec node {} ../calls.json ../port > ../said", model.display()));
    let began = Instant::now();
    while !bench.root().join("port").exists() {
        assert!(began.elapsed() < Duration::from_mins(1), "the scripted model did not start");
        std::thread::sleep(Duration::from_millis(20));
    }
    model
}

#[test]
#[ignore = "takes Claude Code's program; see the top of this file"]
fn g37_claude_code_reads_and_does_not_write() {
    let bench = interview();
    let file = bench.repo().join("by-tool.md");
    let calls = json!([
        { "name": "Bash", "input": { "command": "touch by-shell", "description": "make a file" } },
        { "name": "Write", "input": { "file_path": file, "content": "x" } },
        { "name": "Bash", "input": { "command": "git status", "description": "look" } },
    ]);
    let said = play(&bench, &calls);
    assert!(said[0].0 && said[0].1.contains("`touch by-shell` was not run"), "{said:?}");
    assert!(said[1].0 && said[1].1.contains("was not written"), "{said:?}");
    assert!(!said[2].0 && said[2].1.contains("On branch main"), "{said:?}");
    bench.run("test ! -e by-shell && test ! -e by-tool.md").assert_code(0);

    bench.run("git grill stop --without-output && rm ../port").assert_code(0);
    let said = play(&bench, &calls);
    assert!(said.iter().all(|(refused, _)| !refused), "{said:?}");
    bench.run("test -e by-shell && test -e by-tool.md").assert_code(0);
}
