//! The files for pi and opencode, loaded by node as these agents load them.

use serde_json::Value;

use super::{interview, produce};
use crate::bench::{Bench, Checked};

/// Calls the shim once, as its agent would, and prints what becomes of the call.
const PI: &str = r#"
import load from "./shim.mjs";
let handler;
const nothing = () => {};
load({ on: (event, made) => { if (event === "tool_call") handler = made; }, registerTool: nothing, registerCommand: nothing });
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

/// Loads pi's extension and prints, a line each, what it registered, what a call of a tool came to, what the command
/// says, and what is told before the model is asked.
const PI_TOOLS: &str = r#"
import load from "./shim.mjs";
const [name, input, cwd] = process.argv.slice(2);
const handlers = {}, tools = {}, commands = {};
let sent = "";
load({
  on: (event, made) => { handlers[event] = made; },
  registerTool: (tool) => { tools[tool.name] = tool; },
  registerCommand: (name, command) => { commands[name] = command; },
  sendUserMessage: (text) => { sent = text; handlers.agent_end({}); },
});
console.log(Object.values(tools).map((tool) => `${tool.name}:${tool.parameters.type}:${tool.description.length > 20}`).join(" "));
const ctx = { cwd, hasUI: false };
try {
  const { content, details } = await tools[name].execute("id", JSON.parse(input), undefined, undefined, ctx);
  console.log("done", JSON.stringify(content), JSON.stringify(details));
} catch (error) {
  console.log("failed", error.message);
}
await commands.grill.handler(" tea ", ctx);
console.log(JSON.stringify(sent));
const event = { systemPrompt: "before", systemPromptOptions: { sections: {} } };
const result = await handlers.before_agent_start(event, ctx);
console.log(JSON.stringify(event.systemPromptOptions.sections.git_grill ?? null), JSON.stringify(result ?? null));
const older = await handlers.before_agent_start({ systemPrompt: "before" }, ctx);
console.log(JSON.stringify(older?.systemPrompt ?? null));
"#;

const OPENCODE_SYSTEM: &str = r#"
import { GitGrill } from "./shim.mjs";
const hooks = await GitGrill({ directory: process.argv[2] });
const output = { system: ["before"] };
await hooks["experimental.chat.system.transform"]({}, output);
console.log(JSON.stringify(output.system));
"#;

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

/// The remarks of a call that came to something, each of which stands in the text that the model reads.
fn remarks_told(said: &str) -> Vec<String> {
    let result = said.strip_prefix("done ").unwrap_or_else(|| panic!("the call failed: {said}"));
    let parts: Vec<Value> =
        serde_json::Deserializer::from_str(result).into_iter().collect::<Result<_, _>>().expect("content and details");
    let (text, remarks) = (parts[0][0]["text"].as_str().unwrap(), parts[1]["remarks"].as_array().unwrap());
    let remarks: Vec<String> = remarks.iter().map(|remark| remark.as_str().unwrap().to_owned()).collect();
    assert!(remarks.iter().all(|remark| text.lines().any(|line| line == remark)), "{said}");
    remarks
}

fn pi(bench: &Bench, before: &str, tool: &str, input: &str) -> Vec<String> {
    install(bench, "pi", PI_TOOLS);
    let said = bench.run(&format!("{before} node ../driver.mjs {tool} '{input}' \"$PWD\"")).assert_code(0);
    said.stdout().lines().map(str::to_owned).collect()
}

#[test]
fn g35_pi_gets_every_tool_that_there_is_and_calls_it() {
    let bench = Bench::new();
    if !has_node(&bench) {
        return;
    }
    let list = bench.run("git grill tool --list").assert_code(0);
    let list: Value = serde_json::from_str(list.stdout()).unwrap();
    let names: Vec<&str> =
        list["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let said = pi(&bench, "", "ask_question", "{}");
    let registered: Vec<String> = names.iter().map(|name| format!("{name}:object:true")).collect();
    assert_eq!(said[0], registered.join(" "));
    assert!(said[1].starts_with("failed usage: ask_question needs a question"), "{}", said[1]);
    assert!(said[1].contains(" (next: "), "{}", said[1]);
    let sent: String = serde_json::from_str(&said[2]).unwrap();
    assert!(sent.starts_with("The topic: tea\n\nInterview the person"), "{sent}");
    assert_eq!(said[3..], ["null null", "null"], "nothing is told without a session");

    bench.run("git grill start --research off --interviewer agent:pi 'one topic'").assert_code(0);
    let question = r#"{"question": "Which?", "options": [{"label": "this"}, {"label": "that"}]}"#;
    let said = pi(&bench, "", "ask_question", question);
    assert!(said[1].starts_with("done [{\"type\":\"text\",\"text\":\"Nobody could be asked"), "{}", said[1]);
    assert!(said[1].contains("\"kind\":\"unavailable\""), "{}", said[1]);
    let remarks = remarks_told(&said[1]);
    assert!(remarks.iter().any(|remark| remark.starts_with("the question stays open")), "{remarks:?}");
    bench.run("git grill status").assert_contains("Which?");
    let (section, result) = said[3].split_once(" {\"message\"").unwrap();
    assert!(section.contains("You are the interviewer"), "{section}");
    assert!(result.contains("Question 1 waits for the user") && result.contains("\"display\":false"), "{result}");
    assert!(said[4].starts_with("\"before\\n\\n[git grill instructions "), "{}", said[4]);
    let said = pi(&bench, "", "resume_structured", r#"{"summary": "x"}"#);
    assert!(said[1].starts_with("done [{\"type\":\"text\",\"text\":\"Conversation summary captured"), "{}", said[1]);
    let remarks = remarks_told(&said[1]);
    assert!(remarks.iter().any(|remark| remark.starts_with("nothing was pending")), "{remarks:?}");
}

/// Calls a tool as pi does where a person sits there, whose keys are the lines of the last argument: the entry of a list
/// by its beginning, or a text; nothing more is a closed dialog.
const PI_UI: &str = r#"
import load from "./shim.mjs";
const [name, input, cwd, ...keys] = process.argv.slice(2);
const tools = {};
load({ on: () => {}, registerTool: (tool) => { tools[tool.name] = tool; }, registerCommand: () => {} });
const ui = {
  select: async (title, entries) => {
    console.log("select", JSON.stringify(title), JSON.stringify(entries));
    const key = keys.shift();
    return key === undefined ? undefined : entries.find((entry) => entry.startsWith(key));
  },
  input: async (title) => {
    console.log("input", JSON.stringify(title));
    return keys.shift();
  },
};
try {
  const { content, details } = await tools[name].execute("id", JSON.parse(input), undefined, undefined, { cwd, hasUI: true, ui });
  console.log("done", JSON.stringify(content), JSON.stringify(details));
} catch (error) {
  console.log("failed", error.message);
}
"#;

#[test]
fn g2_a_person_at_pi_gets_a_select_and_what_they_choose_is_theirs() {
    let bench = Bench::new();
    if !has_node(&bench) {
        return;
    }
    install(&bench, "pi", PI_UI);
    bench.run("git grill start --research off --interviewer agent:pi 'one topic'").assert_code(0);
    let question =
        r#"{"question": "Which?", "options": [{"label": "this", "description": "it is small"}, {"label": "that"}]}"#;
    let asked = |keys: &str| {
        bench
            .run(&format!("node ../driver.mjs ask_question '{question}' \"$PWD\" {keys}"))
            .assert_code(0)
            .stdout()
            .to_owned()
    };
    let closed = asked("");
    assert!(closed.contains("Which?") && closed.contains("it is small"), "{closed}");
    assert!(closed.contains("This is not the user's answer"), "{closed}");
    bench.run("git grill status").assert_contains("Which?");
    let chosen = asked("2. '' '' ''");
    assert!(chosen.contains("select ") && chosen.contains("User selected: 2. that"), "{chosen}");
    let deeds = "git log --format='%(trailers:key=Grill-Actor,valueonly,separator=%x20) %s' GRILL_HEAD";
    let deeds = bench.run(deeds).assert_code(0).stdout().to_owned();
    assert!(deeds.lines().any(|line| line.starts_with("human answer")), "{deeds}");
}

#[test]
fn pi_works_on_where_git_grill_fails() {
    let bench = Bench::new();
    if !has_node(&bench) {
        return;
    }
    bench.run("mkdir -p ../fake ../node && ln -s \"$(command -v node)\" ../node/node").assert_code(0);
    for body in ["exit 70", "echo garbage", "kill -9 $$", "echo '{\"tools\": 3}'", "rm -- \"$0\""] {
        // The file is printed before git-grill is hidden, and loaded without it.
        bench.run("git grill guard --for pi --hook-line > ../shim.mjs").assert_code(0);
        bench.write("../driver.mjs", PI_TOOLS.replace("await tools[name].execute", "await tools[name]?.execute"));
        bench.write("../fake/git-grill", format!("#!/bin/sh\n{body}\n"));
        let line =
            "chmod +x ../fake/git-grill && PATH=$PWD/../fake:$PWD/../node:/nowhere node ../driver.mjs x '{}' \"$PWD\"";
        let said = bench.run(line).assert_code(0);
        let said: Vec<&str> = said.stdout().lines().collect();
        assert_eq!(said[0], "", "{body}");
        assert_eq!(said[3..], ["null null", "null"], "{body}");
    }
}

#[test]
fn g36_opencode_is_told_in_its_system_prompt() {
    let bench = Bench::new();
    if !has_node(&bench) {
        return;
    }
    install(&bench, "opencode", OPENCODE_SYSTEM);
    bench.run("node ../driver.mjs \"$PWD\"").assert_stdout("[\"before\"]\n");
    bench.run("git grill start --research off 'one topic'").assert_code(0);
    bench.run("node ../driver.mjs \"$PWD\"").assert_contains("[\"before\",\"[git grill instructions ");
}
