//! The files for pi and opencode, loaded by node as these agents load them.

use super::{interview, produce};
use crate::bench::{Bench, Checked};

/// Calls the shim once, as its agent would, and prints what becomes of the call.
const PI: &str = r#"
import load from "./shim.mjs";
let handler;
load({ on: (event, made) => { if (event === "tool_call") handler = made; } });
const event = JSON.parse(process.argv[2]);
const verdict = await handler(event, { cwd: process.argv[3] });
console.log(verdict?.block ? "blocked" : "runs", JSON.stringify(event.input), verdict?.reason ?? "");
"#;
const OPENCODE: &str = r#"
import { GitGrill } from "./shim.mjs";
const event = JSON.parse(process.argv[2]);
const hooks = await GitGrill({ directory: process.argv[3] });
const output = { args: event.input };
try {
  await hooks["tool.execute.before"]({ tool: event.toolName, sessionID: "s", callID: "c" }, output);
  console.log("runs", JSON.stringify(output.args));
} catch (error) {
  console.log("blocked", JSON.stringify(output.args), error.message);
}
"#;

const AGENTS: [(&str, &str); 2] = [("pi", PI), ("opencode", OPENCODE)];

fn has_node(bench: &Bench) -> bool {
    let there = bench.run("node --version").code == 0;
    if !there {
        eprintln!("skipped: node is not installed");
    }
    there
}

fn install(bench: &Bench, agent: &str, driver: &str) {
    bench.run(&format!("git grill guard --for {agent} --hook-line > ../shim.mjs")).assert_code(0);
    bench.write("../driver.mjs", driver);
}

fn call(bench: &Bench, before: &str, tool: &str, input: &str) -> Checked {
    let event = format!(r#"{{"toolName":"{tool}","input":{input}}}"#);
    bench.run(&format!("{before} node ../driver.mjs '{event}' \"$PWD\"")).assert_code(0)
}

#[test]
fn what_the_guard_refuses_is_blocked() {
    let bench = interview();
    if !has_node(&bench) {
        return;
    }
    for (agent, driver) in AGENTS {
        install(&bench, agent, driver);
        let key = if agent == "pi" { "path" } else { "filePath" };
        call(&bench, "", "bash", r#"{"command":"rm x"}"#)
            .assert_contains("blocked")
            .assert_contains("`rm x` was not run");
        call(&bench, "", "bash", r#"{"command":"ls"}"#).assert_contains(r#"runs {"command":"ls"}"#);
        call(&bench, "", "write", &format!(r#"{{"{key}":"docs/adr.md"}}"#)).assert_contains("blocked");
        call(&bench, "", "nobody_knows", "{}").assert_contains("blocked");
        call(&bench, "", "read", "{}").assert_contains("runs");
    }
    produce(&bench);
    for (agent, driver) in AGENTS {
        install(&bench, agent, driver);
        let key = if agent == "pi" { "path" } else { "filePath" };
        call(&bench, "", "write", &format!(r#"{{"{key}":"docs/adr.md"}}"#)).assert_contains("runs");
        call(&bench, "", "write", &format!(r#"{{"{key}":"src/main.rs"}}"#)).assert_contains("blocked");
    }
}

#[test]
fn a_guard_that_fails_blocks_while_a_session_is_active_and_only_then() {
    let held = interview();
    if !has_node(&held) {
        return;
    }
    let free = Bench::new();
    for bench in [&held, &free] {
        bench.run("mkdir -p ../fake ../node && ln -s \"$(command -v node)\" ../node/node").assert_code(0);
    }
    let failures = [
        ("missing", "rm -f ../fake/git-grill; PATH=$PWD/../node"),
        (
            "crashes",
            "printf '#!/bin/sh\\nexit 101\\n' > ../fake/git-grill; chmod +x ../fake/git-grill; PATH=$PWD/../fake:$PATH",
        ),
        ("is killed", "printf '#!/bin/sh\\nkill -9 $$\\n' > ../fake/git-grill; PATH=$PWD/../fake:$PATH"),
        ("babbles", "printf '#!/bin/sh\\necho garbage\\n' > ../fake/git-grill; PATH=$PWD/../fake:$PATH"),
    ];
    for (agent, driver) in AGENTS {
        for (what, before) in failures {
            for (bench, expected) in [(&held, "blocked"), (&free, "runs")] {
                install(bench, agent, driver);
                let said = call(bench, before, "bash", r#"{"command":"ls"}"#);
                assert!(said.stdout().starts_with(expected), "{agent} {what}: {}", said.stdout());
            }
        }
    }
}

#[test]
fn a_command_that_goes_into_the_sandbox_is_put_in_place() {
    let bench = interview();
    if !has_node(&bench) {
        return;
    }
    let fake = r#"printf '#!/bin/sh\ncat >/dev/null\necho "{\\"tool_input\\":{\\"command\\":\\"boxed\\"}}"\n' > ../fake/git-grill"#;
    for (agent, driver) in AGENTS {
        install(&bench, agent, driver);
        let before = format!("mkdir -p ../fake; {fake}; chmod +x ../fake/git-grill; PATH=$PWD/../fake:$PATH");
        call(&bench, &before, "bash", r#"{"command":"rm x","timeout":5}"#)
            .assert_contains(r#"runs {"command":"boxed","timeout":5}"#);
    }
}
