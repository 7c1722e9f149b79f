//! Real agents read what is installed, and lead interviews (`real_story.rs`). Not part of an ordinary run, since it takes
//! their programs; a scripted model on 127.0.0.1 stands behind them, with dummy keys and a throw-away home:
//!
//! ```sh
//! npm install --prefix /tmp/agents @anthropic-ai/claude-code @openai/codex @google/gemini-cli opencode-ai \
//!     @earendil-works/pi-coding-agent@0.87.1 node@22
//! GRILL_AGENTS=/tmp/agents/node_modules/.bin cargo test --test it -- --ignored --test-threads=1 install::real
//! ```

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bench::{Bench, Running};

pub fn programs() -> String {
    std::env::var("GRILL_AGENTS").expect("GRILL_AGENTS names the folder with the agents' programs")
}

/// Dummy keys, and nothing that asks the network.
pub const QUIET: &str = "ANTHROPIC_API_KEY=dummy GEMINI_API_KEY=dummy OPENAI_API_KEY=dummy DISABLE_AUTOUPDATER=1 \
                     CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 OPENCODE_DISABLE_MODELS_FETCH=1 \
                     GEMINI_CLI_TRUST_WORKSPACE=true OPENCODE_DISABLE_AUTOUPDATE=1 PI_OFFLINE=1";

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

/// An agent as it is started here: what it needs to reach the model at `$PORT`, how a conversation begins, and how it
/// goes on.
struct Started {
    agent: &'static str,
    prepare: &'static str,
    begin: &'static str,
    go_on: &'static str,
}

const STARTED: [Started; 5] = [
    Started {
        agent: "claude",
        prepare: "true",
        begin: "ANTHROPIC_BASE_URL=http://127.0.0.1:$PORT $BIN/claude -p",
        go_on: "ANTHROPIC_BASE_URL=http://127.0.0.1:$PORT $BIN/claude -c -p",
    },
    Started {
        agent: "codex",
        prepare: "mkdir -p ~/.codex && cat >~/.codex/config.toml <<EOF
model = \"m\"
model_provider = \"x\"
[model_providers.x]
name = \"x\"
base_url = \"http://127.0.0.1:$PORT/v1\"
wire_api = \"responses\"
env_key = \"OPENAI_API_KEY\"
[projects.\"$PWD\"]
trust_level = \"trusted\"
EOF",
        begin: "$BIN/codex exec --dangerously-bypass-hook-trust",
        go_on: "$BIN/codex exec resume --last --dangerously-bypass-hook-trust",
    },
    Started {
        agent: "gemini",
        prepare: "mkdir -p ~/.gemini && echo '{\"security\":{\"auth\":{\"selectedType\":\"gemini-api-key\"}}}' \
                  >~/.gemini/settings.json",
        begin: "GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:$PORT $BIN/gemini -m gemini-2.5-flash -p",
        go_on: "GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:$PORT $BIN/gemini -m gemini-2.5-flash --resume latest -p",
    },
    Started {
        agent: "opencode",
        prepare: "mkdir -p ~/.config/opencode && echo '{\"provider\":{\"x\":{\"npm\":\"@ai-sdk/anthropic\",\"options\":\
                  {\"baseURL\":\"http://127.0.0.1:'$PORT'/v1\",\"apiKey\":\"dummy\"},\"models\":{\"m\":{\"name\":\"m\"}}}}}' \
                  >~/.config/opencode/opencode.json",
        begin: "$BIN/opencode run --model x/m",
        go_on: "$BIN/opencode run --model x/m -c",
    },
    Started {
        agent: "pi",
        prepare: "mkdir -p ~/.pi/agent && echo '{\"providers\":{\"x\":{\"baseUrl\":\"http://127.0.0.1:'$PORT'\",\"api\":\
                  \"anthropic-messages\",\"apiKey\":\"dummy\",\"models\":[{\"id\":\"m\"}]}}}' >~/.pi/agent/models.json",
        begin: "$BIN/pi --approve --provider x --model m -p",
        go_on: "$BIN/pi --approve --provider x --model m -c -p",
    },
];

/// A model that says \"done\" to everything and writes down what it was told.
fn listener(bench: &Bench) -> Running {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/told-model/model.mjs");
    let model = bench.spawn(&format!("exec node {} ../port >> ../told", model.display()));
    let began = Instant::now();
    while !bench.root().join("port").exists() {
        assert!(began.elapsed() < Duration::from_mins(1), "the scripted model did not start");
        std::thread::sleep(Duration::from_millis(20));
    }
    model
}

/// The largest request that the model got since the last time: agents ask small ones for titles beside it.
fn request(bench: &Bench) -> String {
    let told = bench.read("../told");
    bench.run(": >../told").assert_code(0);
    let bodies = told.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["body"].to_string());
    bodies.max_by_key(String::len).expect("the model was asked")
}

/// The instructions as they were installed into the repository arrive in what the model is asked.
#[test]
#[ignore = "takes the agents' programs; see the top of this file"]
fn g36_every_agent_hands_the_instructions_to_its_model() {
    for Started { agent, prepare, begin, go_on } in STARTED {
        let bench = Bench::new();
        let _model = listener(&bench);
        let set = format!("export {QUIET} BIN={bin} PATH={bin}:$PATH PORT=$(cat ../port);", bin = programs());
        let ask = |line: &str| {
            let asked = bench.run(&format!("{set} {line} hello </dev/null"));
            assert!(asked.code == 0, "{agent}: {asked}");
            request(&bench)
        };
        let times = |told: &str, what: &str| told.matches(what).count();
        bench.run(&format!("{set} {prepare}")).assert_code(0);
        bench.run(&format!("git grill agent install {agent}")).assert_code(0);
        let told = ask(begin);
        assert_eq!(times(&told, "git grill instructions"), 0, "{agent} without a session");

        // It begins in the middle of a conversation, goes on, and changes its phase.
        bench.run("git grill start --research off 'one question'").assert_code(0);
        let told = ask(go_on);
        assert_eq!(times(&told, "[git grill instructions "), 1, "{agent}");
        assert!(told.contains("You are the interviewer"), "{agent}");
        let told = ask(go_on);
        assert_eq!(times(&told, "[git grill instructions "), 1, "{agent} a second time");
        let is_reminded = agent != "opencode";
        assert_eq!(told.contains("Question 1 waits for the user"), is_reminded, "{agent}");
        bench.run("git grill select").assert_code(0);
        let told = ask(go_on);
        assert!(told.contains("Choose nothing yourself"), "{agent} in the next phase");

        let told = ask(begin);
        assert_eq!(times(&told, "[git grill instructions "), 1, "{agent} from the start");
        assert!(told.contains("Choose nothing yourself"), "{agent} from the start");
        bench.run("git grill stop --without-output").assert_code(0);
        assert_eq!(times(&ask(begin), "git grill instructions"), 0, "{agent} after the end");
    }
}

/// pi calls our tools through its extension, and is refused what it must not do.
#[test]
#[ignore = "takes the agents' programs; see the top of this file"]
fn g35_g37_pi_calls_our_tools_and_does_not_write() {
    let bench = Bench::new();
    bench.run("git grill agent install pi").assert_code(0);
    bench.run("git grill start --research off --interviewer agent:pi 'one question'").assert_code(0);
    let options = json!([{ "label": "one file" }, { "label": "a server" }]);
    let calls = json!([
        { "name": "ask_question", "input": { "question": "Which store?", "options": options } },
        { "name": "resume_structured", "input": {} },
        { "name": "write", "input": { "path": "by-tool.md", "content": "x" } },
        { "name": "bash", "input": { "command": "touch by-shell" } },
    ]);
    bench.write("../calls.json", calls.to_string());
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/guard-model/model.mjs");
    let model = bench.spawn(&format!("exec node {} \"$(cat ../calls.json)\" ../port > ../said", model.display()));
    bench.run("for i in $(seq 600); do [ -e ../port ] && exit 0; sleep 0.1; done; exit 1").assert_code(0);
    let [.., pi] = STARTED;
    let set = format!("export {QUIET} BIN={bin} PATH={bin}:$PATH PORT=$(cat ../port);", bin = programs());
    // The command that the extension registers is what begins it.
    bench.run(&format!("{set} {} && {} '/grill stores' </dev/null", pi.prepare, pi.begin)).assert_contains("done");
    drop(model);
    let said = bench.read("../said");
    let said: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told = |index: usize| said[index]["text"].as_str().unwrap();
    assert!(said[0]["refused"] == false && told(0).contains("Nobody could be asked"), "{said:?}");
    assert!(said[1]["refused"] == true, "{said:?}");
    assert!(said[2]["refused"] == true && told(2).contains("was not written"), "{said:?}");
    assert!(said[3]["refused"] == true && told(3).contains("`touch by-shell` was not run"), "{said:?}");
    bench.run("test ! -e by-shell && test ! -e by-tool.md && git grill status").assert_contains("Which store?");
}
