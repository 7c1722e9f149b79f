//! Clients that we did not write, against the real server: the MCP Inspector on its command line, and fastmcp's client
//! with and without a handler for forms, in both eras. Not part of an ordinary run, since they are installed first:
//!
//! ```sh
//! .ci/mcp-clients && cargo test --test it mcp::foreign -- --ignored
//! ```

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::bench::Bench;

/// Where a client is; says how to install it if it is not.
fn client(program: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/ci-tools/mcp-clients");
    assert!(folder.join("installed").exists(), "the clients are missing; install them with: .ci/mcp-clients");
    folder.join(program)
}

#[test]
#[ignore = "takes clients that are not ours; see the top of this file"]
fn fastmcp_walks_through_every_tool_in_both_eras() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/mcp/fastmcp_walk.py");
    let python = client("venv/bin/python");
    for (mode, version) in [("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28"), ("auto", "2026-07-28")] {
        for forms in ["forms", "unseen"] {
            let bench = Bench::new();
            bench
                .run(&format!("'{}' '{}' {mode} {forms}", python.display(), script.display()))
                .assert_stdout(&format!("{version} {forms}: ok\n"));
        }
    }
}

/// One request of the inspector's, which is one server's life.
fn inspect(bench: &Bench, arguments: &str) -> Value {
    let inspector = client("npm/node_modules/.bin/mcp-inspector");
    let output = bench.run(&format!("'{}' --cli git grill mcp {arguments}", inspector.display()));
    serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error} in {output}"))
}

/// A call; what it came to, by its kind or the code of its error.
fn calls(bench: &Bench, tool: &str, arguments: &Value) -> String {
    let arguments = arguments.as_object().unwrap().iter().map(|(name, value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        format!(" --tool-arg '{name}={value}'")
    });
    let line = format!("--method tools/call --tool-name {tool}{}", arguments.collect::<String>());
    let result = inspect(bench, &line);
    let value = &result["structuredContent"];
    let code = value.pointer("/error/code").or(value.get("kind")).and_then(Value::as_str);
    code.unwrap_or_else(|| panic!("{tool}: {result}")).to_owned()
}

#[test]
#[ignore = "takes clients that are not ours; see the top of this file"]
fn the_inspector_lists_calls_and_reads_everything() {
    let bench = Bench::new();
    let names = |listed: &Value, kind: &str, name: &str| -> Vec<String> {
        let listed = listed[kind].as_array().unwrap_or_else(|| panic!("{listed}"));
        listed.iter().map(|one| one[name].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&inspect(&bench, "--method tools/list"), "tools", "name").len(), 18);
    assert_eq!(names(&inspect(&bench, "--method prompts/list"), "prompts", "name"), ["grill"]);
    let prompt = inspect(&bench, "--method prompts/get --prompt-name grill --prompt-args topic=links");
    assert!(prompt.to_string().contains("grill_start"), "{prompt}");

    let alternatives = json!([{ "label": "a", "recommended": true }, { "label": "b" }]);
    let options = json!([{ "label": "a" }, { "label": "b" }]);
    let gate = json!({ "readinessRationale": "r", "recommendedOutputs": ["design-doc"], "question": "What now?",
                       "recommendedStrategy": "none", "alternatives": options });
    for (tool, arguments, kind) in [
        ("grill_status", json!({}), "no_session"),
        ("grill_start", json!({ "topic": "links" }), "waiting"),
        ("grill_start", json!({ "topic": "links", "confirmed": "yes" }), "started"),
        ("grill_set_alternatives", json!({ "question": "Who?", "alternatives": alternatives }), "unavailable"),
        ("grill_record_answer", json!({ "answer": "a" }), "recorded"),
        ("ask_question", json!({ "question": "Who else?", "options": options }), "checkpoint_due"),
        ("grill_update_checkpoint", json!({ "markdown": "# Links", "changeSummary": "who" }), "updated"),
        ("ask_question", json!({ "question": "Who else?", "options": options }), "unavailable"),
        ("ask_multi_select", json!({ "question": "Which?", "options": options }), "question_open"),
        ("grill_record_answer", json!({ "answer": "b" }), "recorded"),
        ("resume_structured", json!({ "summary": "it" }), "resumed"),
        ("questionnaire", json!({ "questions": [{ "id": "a", "prompt": "A?" }], "noChange": "n" }), "unavailable"),
        ("grill_enter_output_selection_phase", gate, "waiting"),
        ("grill_enter_output_phase", json!({ "outputPlan": "the document" }), "approval_required"),
        ("grill_submit_draft", json!({ "path": "docs/design.md", "content": "x" }), "wrong_phase"),
        ("grill_finish_output_phase", json!({}), "wrong_phase"),
        ("grill_finish_output_selection_phase", json!({ "outcome": "approved" }), "usage"),
        ("grill_finish_output_selection_phase", json!({ "outcome": "continue-grilling" }), "continued"),
    ] {
        assert_eq!(calls(&bench, tool, &arguments), kind, "{tool}");
    }
}
