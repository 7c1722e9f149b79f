//! `git grill agent install` and `uninstall` on real files: what is written, what is left alone, and what goes wrong.

mod places;
mod told;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use git_grill::agents::Installable;
use serde_json::Value;

use crate::bench::Bench;

/// Every file, folder and link below `root` but for the repository's own `.git`, with what it holds.
fn tree(root: &Path) -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in folder.read_dir().unwrap() {
            let path = entry.unwrap().path();
            let kind = path.symlink_metadata().unwrap().file_type();
            let holds = if kind.is_symlink() {
                format!("-> {}", path.read_link().unwrap().display())
            } else if kind.is_dir() {
                "folder".to_owned()
            } else {
                // A named pipe would be waited for.
                let bytes = if kind.is_file() { std::fs::read(&path).unwrap() } else { Vec::new() };
                String::from_utf8_lossy(&bytes).into_owned()
            };
            if kind.is_dir() && path.file_name().is_some_and(|name| name != ".git") {
                waiting.push(path.clone());
            }
            all.insert(path, holds);
        }
    }
    all
}

#[test]
fn every_agent_is_set_up_and_set_back_in_both_places() {
    let bench = Bench::new();
    bench.write("opencode.jsonc", "{\n  // mine\n  \"theme\": \"x\",\n}\n");
    bench.write("../home/.codex/config.toml", "# mine\nmodel = \"m\"");
    let before = tree(bench.root());
    for option in ["--project", "--user"] {
        for agent in Installable::all() {
            let shown = bench.run(&format!("git grill agent install {agent} {option} --dry-run")).assert_code(0);
            assert!(shown.stdout().contains("+++ "), "{agent}: {}", shown.stdout());
        }
        assert_eq!(tree(bench.root()), before, "a dry run writes nothing");
        for agent in Installable::all() {
            bench
                .run(&format!("git grill agent install {agent} {option}"))
                .assert_code(0)
                .assert_contains("before it works");
            let there = tree(bench.root());
            bench
                .run(&format!("git grill agent install {agent} {option}"))
                .assert_code(0)
                .assert_contains("nothing was written");
            assert_eq!(tree(bench.root()), there, "{agent} a second time");
        }
        let json = bench.run("git grill --json agent install --list").assert_code(0);
        let json: Value = serde_json::from_str(json.stdout()).unwrap();
        for agent in json["agents"].as_array().unwrap() {
            assert_eq!(agent[option.trim_start_matches('-')]["state"], "installed", "{agent}");
        }
        for agent in Installable::all() {
            bench.run(&format!("git grill agent uninstall {agent} {option}")).assert_code(0);
        }
        assert_eq!(tree(bench.root()), before, "after uninstall {option}");
        for agent in Installable::all() {
            bench
                .run(&format!("git grill agent uninstall {agent} {option}"))
                .assert_code(0)
                .assert_contains("nothing of git grill is set up");
        }
    }
}

#[test]
fn the_hook_that_is_installed_is_the_line_that_the_guard_prints() {
    let bench = Bench::new();
    bench.run("git grill agent install claude && git grill agent install pi").assert_code(0);
    let settings: Value = serde_json::from_str(&bench.read(".claude/settings.json")).unwrap();
    let line = bench.run("git grill guard --for claude --hook-line").assert_code(0);
    assert_eq!(settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"], line.stdout().trim_end());
    let plugin = bench.run("git grill guard --for pi --hook-line").assert_code(0);
    assert!(bench.read(".pi/extensions/git-grill.ts").starts_with(plugin.stdout()));
}

#[test]
fn g36_the_list_says_how_each_agent_is_told() {
    let bench = Bench::nowhere();
    let list = bench.run("git grill agent install --list").assert_code(0);
    let json = bench.run("git grill --json agent install --list").assert_code(0);
    let json: Value = serde_json::from_str(json.stdout()).unwrap();
    for agent in json["agents"].as_array().unwrap() {
        let how = agent["instructions"].as_str().unwrap();
        assert!(list.stdout().contains(&format!("  is told         {how}\n")), "{how}");
        let name = agent["name"].as_str().unwrap();
        let tried: Vec<&str> = ["tried", "notTried"]
            .iter()
            .flat_map(|key| agent[key].as_array().unwrap())
            .filter_map(Value::as_str)
            .collect();
        let has_hook = tried.contains(&"instructions hook");
        assert_eq!(has_hook, !how.contains("by the MCP server alone"), "{name}: {how}");
        assert_eq!(tried.contains(&"MCP server"), !tried.contains(&"tools"), "{name} takes our tools in one way");
    }
}

#[test]
fn g37_the_installed_hook_refuses_while_a_session_is_active() {
    let bench = Bench::new();
    bench.run("git grill agent install claude").assert_code(0);
    let settings: Value = serde_json::from_str(&bench.read(".claude/settings.json")).unwrap();
    let line = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap();
    bench.write("../hook.sh", line);
    let call = r#"{"hook_event_name":"PreToolUse","cwd":".","tool_name":"Bash","tool_input":{"command":"rm x"}}"#;
    bench.run_with_input("sh ../hook.sh", call).assert_code(0);
    bench.run("git grill start --research off 'one question'").assert_code(0);
    bench.run_with_input("sh ../hook.sh", call).assert_code(2).assert_contains("`rm x` was not run");
    bench.run_with_input("PATH=/usr/bin:/bin sh ../hook.sh", call).assert_code(2).assert_contains("missing or broken");
}

#[test]
fn a_conflict_or_a_broken_file_stops_all_of_it() {
    let bench = Bench::new();
    bench.write(".claude/settings.json", "{\n  \"hooks\": {\n    oops\n  }\n}\n");
    let before = tree(bench.repo());
    bench
        .run("git grill agent install claude")
        .assert_code(128)
        .assert_contains(".claude/settings.json stays as it is")
        .assert_contains("caused by: line 3:")
        .assert_contains("hint: mend .claude/settings.json, then git grill agent install claude --project");
    assert_eq!(tree(bench.repo()), before);
    bench.run("git grill agent uninstall claude").assert_code(128);
    bench.write(".claude/settings.json", "{}");
    bench.write(".mcp.json", "{\"mcpServers\": {\"grill\": {\"command\": \"barbecue\"}}}");
    let before = tree(bench.repo());
    bench
        .run("git grill agent install claude")
        .assert_code(1)
        .assert_contains("line 1: `mcpServers.grill` is somebody else's entry");
    let json = bench.run("git grill --json agent install claude").assert_code(1);
    assert_eq!(serde_json::from_str::<Value>(json.stdout()).unwrap()["error"]["code"], "conflict");
    bench.run("git grill agent uninstall claude").assert_code(0);
    assert_eq!(tree(bench.repo()), before);
    bench.run("git grill agent install --list").assert_code(0).assert_contains(".mcp.json: line 1:");
    bench.write(".opencode/commands/grill.md", "my own\n");
    bench.run("git grill agent install opencode").assert_code(1).assert_contains("git grill did not write it");
    assert!(!bench.repo().join(".opencode/plugins").exists());
}

#[test]
fn the_permission_to_call_our_tools_is_written_where_it_is_asked_for_and_taken_out() {
    for before in [None, Some("{\n  \"permissions\": {\n    \"allow\": [\"Read\"] // mine\n  }\n}\n")] {
        let bench = Bench::new();
        if let Some(before) = before {
            bench.write(".claude/settings.json", before);
        }
        let allowed = || bench.run("grep -c '\"mcp__grill\"' .claude/settings.json").stdout;
        bench.run("git grill agent install claude").assert_code(0).assert_lacks("permission");
        assert_eq!(allowed(), "0\n", "nobody asked for it");
        bench
            .run("git grill agent install claude --allow-tools --dry-run")
            .assert_code(0)
            .assert_contains("\"mcp__grill\"");
        bench
            .run("git grill agent install claude --allow-tools")
            .assert_code(0)
            .assert_contains("gate hook, instructions hook, permission to call our tools");
        assert_eq!(allowed(), "1\n");
        bench.run("git grill agent install claude").assert_code(0).assert_contains("nothing was written");
        bench.run("git grill agent install --list").assert_contains("installed");
        bench
            .run("git grill agent uninstall claude")
            .assert_code(0)
            .assert_contains("gate hook, instructions hook, permission to call our tools");
        let after = std::fs::read_to_string(bench.repo().join(".claude/settings.json")).ok();
        assert_eq!(after.as_deref(), before);
    }
    let bench = Bench::new();
    bench.write(".grok/config.toml", "[permission]\nallow = [\"Read\"] # mine\n");
    let line = "git grill agent install grok --allow-tools";
    let shown = bench.run(&format!("{line} --dry-run")).assert_code(0);
    shown.assert_contains("allow = [\"Read\", \"mcp__grill\"] # mine");
    bench.run(line).assert_code(0).assert_contains("permission to call our tools");
    bench.run("git grill agent install grok").assert_code(0).assert_contains("nothing was written");
    let line = "git grill agent uninstall grok && cat .grok/config.toml";
    bench.run(line).assert_code(0).assert_contains("\n[permission]\nallow = [\"Read\"] # mine\n");
    bench.run("rm -r .grok && git grill agent install grok").assert_code(0).assert_lacks("permission");
    bench.run("rm -r .grok").assert_code(0);
    bench
        .run("git grill agent install zed --allow-tools")
        .assert_code(2)
        .assert_contains("git grill agent install zed");
    bench.run("git status --porcelain").assert_stdout("");
}

#[test]
fn files_of_the_repository_wait_while_a_session_is_active() {
    let bench = Bench::new();
    bench.run("git grill agent install claude").assert_code(0);
    bench.run("git grill start --research off 'one question'").assert_code(0);
    let before = tree(bench.repo());
    for verb in ["install", "uninstall"] {
        bench
            .run(&format!("git grill agent {verb} claude"))
            .assert_code(1)
            .assert_contains("is active")
            .assert_contains("hint: git grill stop, then");
        bench.run(&format!("git grill agent {verb} claude --dry-run")).assert_code(0);
    }
    assert_eq!(tree(bench.repo()), before);
    bench.run("git grill agent install claude --user").assert_code(0);
    bench
        .run("CLAUDECODE=1 git grill agent uninstall claude --user")
        .assert_code(3)
        .assert_contains("this runs under claude");
    bench.run("git grill agent uninstall claude --user").assert_code(0);
    bench.run("git grill verify").assert_code(0);
    bench.run("git grill stop --without-output").assert_code(0);
    bench.run("git grill agent uninstall claude").assert_code(0);
}

#[test]
fn what_is_typed_wrong_is_said_with_a_way_out() {
    let bench = Bench::new();
    bench.run("git grill agent install emacs").assert_code(2).assert_contains("one of claude, codex");
    for line in ["install", "install claude --user --project", "install claude --list", "uninstall"] {
        bench.run(&format!("git grill agent {line}")).assert_code(2).assert_contains("Usage");
    }
}
