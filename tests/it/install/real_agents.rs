//! Real agents read what is installed. Not part of an ordinary run, since it takes their programs:
//!
//! ```sh
//! npm install --prefix /tmp/agents @anthropic-ai/claude-code @openai/codex @google/gemini-cli opencode-ai
//! GRILL_AGENTS=/tmp/agents/node_modules/.bin cargo test --test it -- --ignored install::real_agents
//! ```

use serde_json::json;

use crate::bench::Bench;

fn programs() -> String {
    std::env::var("GRILL_AGENTS").expect("GRILL_AGENTS names the folder with the agents' programs")
}

/// Dummy keys, and nothing that asks the network.
const QUIET: &str = "ANTHROPIC_API_KEY=dummy GEMINI_API_KEY=dummy OPENAI_API_KEY=dummy DISABLE_AUTOUPDATER=1 \
                     CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 OPENCODE_DISABLE_MODELS_FETCH=1 \
                     GEMINI_CLI_TRUST_WORKSPACE=true";

#[test]
#[ignore = "takes the agents' programs; see the top of this file"]
fn every_agent_lists_our_server() {
    for option in ["--project", "--user"] {
        let bench = Bench::new();
        if option == "--project" {
            let trust = format!("[projects.\"{}\"]\ntrust_level = \"trusted\"\n", bench.repo().display());
            bench.write("../home/.codex/config.toml", trust);
        }
        for agent in ["claude", "codex", "gemini", "opencode"] {
            bench.run(&format!("git grill agent install {agent} {option}")).assert_code(0);
            bench
                .run(&format!("{QUIET} {}/{agent} mcp list", programs()))
                .assert_contains("grill")
                .assert_contains("mcp");
        }
        let config = bench.run(&format!("{QUIET} {}/opencode debug config", programs())).assert_code(0);
        assert!(config.stdout().contains("plugins/git-grill.js"), "{}", config.stdout());
        for agent in ["claude", "codex", "gemini", "opencode"] {
            bench.run(&format!("git grill agent uninstall {agent} {option}")).assert_code(0);
        }
        if option == "--project" {
            bench.run("git status --porcelain --untracked-files=all").assert_stdout("");
        }
    }
}

/// The gate as it was installed into the repository, with a scripted model behind the agent.
#[test]
#[ignore = "takes the agents' programs; see the top of this file"]
fn g37_an_installed_claude_code_does_not_write() {
    for option in ["--project", "--user"] {
        let bench = Bench::new();
        bench.run(&format!("git grill agent install claude {option}")).assert_code(0);
        bench.run("git grill start --research off 'one question'").assert_code(0);
        let file = bench.repo().join("by-tool.md");
        let calls = json!([
            { "name": "Bash", "input": { "command": "touch by-shell", "description": "make a file" } },
            { "name": "Write", "input": { "file_path": file, "content": "x" } },
            { "name": "Bash", "input": { "command": "git status", "description": "look" } },
            { "name": "Skill", "input": { "skill": "grill" } },
        ]);
        let said = crate::guard::real_agent::play_with(&bench, &format!("{}/claude", programs()), "", &calls);
        assert!(said[0].0 && said[0].1.contains("`touch by-shell` was not run"), "{said:?}");
        assert!(said[1].0 && said[1].1.contains("was not written"), "{said:?}");
        assert!(!said[2].0 && said[2].1.contains("On branch main"), "{said:?}");
        assert!(!said[3].0, "our own skill is read: {said:?}");
        bench.run("test ! -e by-shell && test ! -e by-tool.md").assert_code(0);
    }
}
