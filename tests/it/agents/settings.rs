//! What real agents read of what is installed, and what they hand to their model.

use serde_json::{Value, json};

use super::known::{ALL, Known, QUIET};
use super::led::{environment, model};
use super::programs;
use crate::bench::Bench;

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn every_agent_lists_our_server() {
    for option in ["--project", "--user"] {
        let bench = Bench::on_disk(Bench::new);
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

/// The largest request that the model got since the last time: agents ask small ones for titles beside it.
pub fn request(bench: &Bench) -> String {
    let asked = bench.read("../asked");
    bench.run(": >../asked").assert_code(0);
    let bodies = asked.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["body"].to_string());
    bodies.max_by_key(String::len).expect("the model was asked")
}

/// The instructions as they were installed into the repository arrive in what the model is asked.
#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn g36_every_agent_hands_the_instructions_to_its_model() {
    // Grok Build hands on nothing of what hooks say: it knows the instructions from the MCP server.
    for known in ALL.iter().filter(|known| known.name != "grok") {
        let Known { name: agent, begin, go_on, .. } = known;
        let bench = Bench::on_disk(Bench::new);
        let _model = model(&bench, &json!([]));
        let ask = |line: &str| {
            let asked = bench.run(&format!("{}SAY=hello; {line} </dev/null", environment(&bench, known)));
            assert!(asked.code == 0, "{agent}: {asked}");
            request(&bench)
        };
        let times = |told: &str, what: &str| told.matches(what).count();
        bench.run(&format!("git grill agent install {agent}")).assert_code(0);
        let told = ask(begin);
        assert_eq!(times(&told, "git grill instructions"), 0, "{agent} without a session");

        // It begins in the middle of a conversation, goes on, and changes its phase.
        bench.run(&format!("git grill start --interviewer agent:{agent} --research off 'one question'")).assert_code(0);
        let told = ask(go_on);
        assert_eq!(times(&told, "[git grill instructions "), 1, "{agent}");
        assert!(told.contains("You are the interviewer"), "{agent}");
        let question = r#"{"question": "Which?", "options": [{"label": "this"}, {"label": "that"}]}"#;
        bench.run_with_input("git grill tool ask_question", question).assert_contains("unavailable");
        let told = ask(go_on);
        assert_eq!(times(&told, "[git grill instructions "), 1, "{agent} a second time");
        let is_reminded = *agent != "opencode";
        assert_eq!(told.contains("Question 1 waits for the user"), is_reminded, "{agent}");
        bench.run("git grill select").assert_code(0);
        let told = ask(go_on);
        assert!(told.contains("Choose nothing yourself"), "{agent} in the next phase");

        let told = ask(begin);
        assert_eq!(times(&told, "[git grill instructions "), 1, "{agent} from the start");
        assert!(told.contains("Choose nothing yourself"), "{agent} from the start");
        bench.run("git grill stop --without-output").assert_code(0);
        assert_eq!(times(&ask(begin), "git grill instructions"), 0, "{agent} after the end");

        // Where git grill asks by itself, the agent is told that it does not.
        bench.run("git grill start --research off 'one question'").assert_code(0);
        let told = ask(begin);
        assert_eq!(times(&told, "[git grill instructions "), 1, "{agent} beside our interviewer");
        assert!(told.contains("you are not the interviewer here"), "{agent} beside our interviewer");
        assert!(!told.contains("You are the interviewer"), "{agent} beside our interviewer");
    }
}
