//! Plan mode in real agents. A scripted model writes by the agent's own tool, by its shell, and through the MCP server of
//! somebody else: all three are refused until a person executes the plan that the agent handed in, pass then, and are
//! refused again once plan mode is on. What has to be known of the plan reaches the model again after compaction.

use serde_json::{Value, json};

use super::known::{self, Deed, Known};
use super::led::{AT_ONCE, Led, Person, environment, installed, model, world};
use super::settings::request;
use super::story::not_written;
use crate::bench::Bench;

/// An MCP server of somebody else, with one tool that writes a file.
const WRITER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/model/writer.mjs");

/// The line that begins a conversation in which the agent has that server too, as `other`.
fn beside_another_server(bench: &Bench, known: &Known) -> String {
    let begin = known.begin;
    match known.name {
        // The tools that it may call without a question stand last in its line.
        "claude" => {
            let servers = json!({ "mcpServers": { "other": { "command": "node", "args": [WRITER] } } });
            bench.write("../other.json", servers.to_string());
            format!("{begin},mcp__other --mcp-config ../other.json")
        }
        "codex" => {
            let server = format!("[mcp_servers.other]\ncommand = \"node\"\nargs = [\"{WRITER}\"]\n");
            bench.write("../other.toml", server);
            format!("cat ../other.toml >>~/.codex/config.toml; {begin}")
        }
        "opencode" => {
            let server = json!({ "mcp": { "other": { "type": "local", "command": ["node", WRITER] } } });
            bench.write("../other.json", server.to_string());
            format!("export OPENCODE_CONFIG=$PWD/../other.json; {begin}")
        }
        name => panic!("{name} is told of no other server here"),
    }
}

/// The three ways to write, each a file of its own that begins with `when`.
fn writes(known: &Known, when: &str, after: &str) -> [Value; 3] {
    let file = |way: &str| format!("{when}-{way}");
    [
        known.step(&file("tool"), after, &Deed::Write(&file("tool"))),
        known.step(&file("shell"), AT_ONCE, &Deed::Shell(&format!("touch {}", file("shell")))),
        known.step_at("other", &file("server"), AT_ONCE, &Deed::Ours("write_file", json!({ "path": file("server") }))),
    ]
}

fn script(known: &Known) -> Vec<Value> {
    let ours = |label: &str, tool: &str, input: Value| known.step(label, AT_ONCE, &Deed::Ours(tool, input));
    let status = known.step("status", "recorder/to/greeted", &Deed::Ours("grill_status", json!({})));
    let mut script = vec![status];
    script.extend(writes(known, "early", AT_ONCE));
    script.push(ours("plan", "grill_set_plan", json!({ "steps": ["Write three files", "Say so"] })));
    script.push(ours("early mark", "grill_step_done", json!({ "step": 1 })));
    script.extend(writes(known, "planned", "executed"));
    script.push(ours("mark", "grill_step_done", json!({ "step": 1 })));
    script.extend(writes(known, "late", "on-again"));
    script.push(ours("late mark", "grill_step_done", json!({ "step": 2 })));
    script
}

/// None of the three ways leads to a file, and no step is marked.
fn refuses(led: &mut Led<'_>, known: &Known, when: &str) {
    led.says(&format!("{when}-tool"), not_written(known));
    led.says(&format!("{when}-shell"), &format!("`touch {when}-shell` was not run"));
    led.says(&format!("{when}-server"), "write_file` was not let through");
    led.says(&format!("{when} mark"), "Change nothing yet");
}

fn executes(bench: &Bench) {
    Person::types(bench, "git grill plan execute").says(&["Write three files", "[y/n]"], "y").leaves();
}

fn writes_only_what_was_approved(name: &str) {
    let known = known::named(name);
    let bench = installed(known);
    bench.run("git grill plan on 'where links live'").assert_code(0);
    let before = world(&bench);
    let mut led = Led::begin_as(&bench, known, &script(known), &beside_another_server(&bench, known));
    refuses(&mut led, known, "early");
    led.says("plan", "plan: 2 steps");
    assert_eq!(world(&bench), before, "{name} changed something in plan mode");
    let status: Value = serde_json::from_str(bench.run("git grill status --json").assert_code(0).stdout()).unwrap();
    let source = &status["plan"]["source"];
    assert_eq!(source["name"], "grill_set_plan", "{source}");
    assert_eq!(source["by"], format!("agent:{}", known.recorded_as), "{source}");

    executes(&bench);
    led.happened("executed");
    led.says("mark", "step 1 is claimed");
    bench.run("test -e planned-tool && test -e planned-shell && test -e planned-server").assert_code(0);
    bench.run("git grill plan on").assert_code(0);
    let before = world(&bench);
    led.happened("on-again");
    refuses(&mut led, known, "late");
    led.ends();
    assert_eq!(world(&bench), before, "{name} changed something after plan mode was on again");
    let steps = bench.run("git grill todos").assert_code(0);
    steps.assert_contains("◐ 1. Write three files").assert_contains("☐ 2. Say so");
}

/// `compact` is the line by which the agent compacts what it was told; none where there is none for it. opencode is such a
/// one: what it knows of the plan is in no message, but in the system prompt, which is made for each request.
fn knows_the_plan_however_long_it_works(name: &str, compact: Option<&str>) {
    let known = known::named(name);
    let bench = installed(known);
    let _model = model(&bench, &json!([]));
    let ask = |say: &str, line: &str| {
        let asked = bench.run(&format!("{}SAY='{say}'; {line} </dev/null", environment(&bench, known)));
        assert!(asked.code == 0, "{name}: {asked}");
        request(&bench)
    };
    bench.run("git grill plan on 'where links live'").assert_code(0);
    bench.run_with_input("git grill plan set -", "1. Write three files\n2. Say so\n").assert_code(0);
    let told = ask("hello", known.begin);
    assert!(told.contains("Plan mode is on: this repository is read-only"), "{name} is not told of plan mode");
    executes(&bench);
    let told = ask("go on", known.go_on);
    assert!(told.contains("Current step 1: Write three files"), "{name} is not told of the current step");
    // Whatever it knows of the next step, it was told after this.
    let mark = bench.run_with_input("CLAUDECODE=1 git grill tool grill_step_done", r#"{"step":1}"#);
    mark.assert_code(0);
    if let Some(compact) = compact {
        ask("go on", compact);
        let told = bench.read("../recorder/to/told");
        assert!(told.contains(r#""source":"compact""#), "{name} did not compact: {told}");
    }
    let told = ask("and now", known.go_on);
    assert!(told.contains("Current step 2: Say so"), "{name} does not know the step any more");
    for earlier in ["Plan mode is on: this repository is read-only", "Current step 1: Write three files"] {
        assert!(!told.contains(earlier), "{name} still reads what it was told before: {earlier}");
    }
}

macro_rules! stories {
    ($($writes:ident $knows:ident $name:literal $compact:expr;)*) => {
        $(
            #[test]
            #[ignore = "takes the agents' programs; see the top of agents.rs"]
            fn $writes() {
                writes_only_what_was_approved($name);
            }

            #[test]
            #[ignore = "takes the agents' programs; see the top of agents.rs"]
            fn $knows() {
                knows_the_plan_however_long_it_works($name, $compact);
            }
        )*
    };
}

stories! {
    p10_p20_claude_code_writes_only_while_a_plan_is_executed
    p21_claude_code_knows_the_plan_after_compaction
    "claude" Some("$BIN/claude -c -p /compact");
    p10_p20_codex_writes_only_while_a_plan_is_executed
    p21_codex_knows_the_plan_after_compaction
    "codex" Some("$BIN/codex exec resume --last --dangerously-bypass-hook-trust -c model_auto_compact_token_limit=2 \"$SAY\"");
    p10_p20_opencode_writes_only_while_a_plan_is_executed
    p21_opencode_knows_the_plan_in_each_request
    "opencode" None;
}
