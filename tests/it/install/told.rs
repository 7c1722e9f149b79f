//! What agents' hooks are told: every agent, every moment, every state of a session, to the byte; and nothing, with exit
//! code 0, whatever goes wrong.

use git_grill::domain::fnv::fnv1a;
use serde_json::{Value, json};

use crate::bench::{Bench, Output};

const AGENTS: [&str; 8] = ["claude", "codex", "gemini", "cursor", "grok", "opencode", "pi", "generic"];
const MOMENTS: [&str; 2] = ["session-start", "prompt"];

fn ask(bench: &Bench, agent: &str, moment: &str, payload: impl AsRef<[u8]>) -> Output {
    // Its own folder says nothing: the payload's does.
    bench.at("..").run_with_input(&format!("git-grill instructions --for {agent} --hook {moment}"), payload)
}

fn payload(bench: &Bench, more: &Value) -> String {
    let mut payload = json!({"session_id": "s", "cwd": bench.repo(), "prompt": "go on", "hook_event_name": "x"});
    payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    payload.to_string()
}

/// The text in the form of this agent; empty where it hears nothing.
fn shaped(agent: &str, moment: &str, text: &str) -> String {
    let context = |event: &str| {
        let text = Value::from(text);
        format!("{{\"hookSpecificOutput\":{{\"additionalContext\":{text},\"hookEventName\":\"{event}\"}}}}\n")
    };
    match (agent, moment) {
        ("claude" | "codex" | "gemini", "session-start") => context("SessionStart"),
        ("claude" | "codex", "prompt") => context("UserPromptSubmit"),
        ("gemini", "prompt") => context("BeforeAgent"),
        ("cursor", "session-start") => format!("{{\"additional_context\":{}}}\n", Value::from(text)),
        ("cursor" | "grok", _) => String::new(),
        _ => format!("{text}\n"),
    }
}

#[track_caller]
fn assert_silent(output: &Output) {
    assert_eq!((output.code, output.stdout.as_str(), output.stderr.as_str()), (0, "", ""), "{output}");
}

/// Every agent at every moment in the state that the bench is in.
#[track_caller]
fn assert_told(bench: &Bench, reminder: &str) {
    let instructions = bench.run("git grill instructions").assert_code(0);
    let mark = format!("git grill instructions {:016x}", fnv1a(instructions.stdout().bytes()));
    let full = format!("[{mark}]\n{}", instructions.stdout().trim_end());
    for agent in AGENTS {
        for moment in MOMENTS {
            // Gemini has no hook of ours at the start, so its first prompt brings everything.
            let text = if moment == "prompt" && agent != "gemini" { reminder } else { full.as_str() };
            let output = ask(bench, agent, moment, payload(bench, &json!({})));
            assert_eq!(output.stdout, shaped(agent, moment, text), "{agent} {moment}");
            assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{agent} {moment}");
        }
        // What the agent wrote down decides what a prompt brings.
        for (written, text) in [
            (format!("{{\"text\":{}}}\n", Value::from(full.as_str())), reminder),
            ("{\"text\":\"hello\"}\n".to_owned(), full.as_str()),
            (String::new(), full.as_str()),
        ] {
            bench.write("../conversation.jsonl", written);
            let named = payload(bench, &json!({"transcript_path": bench.root().join("conversation.jsonl")}));
            let output = ask(bench, agent, "prompt", named);
            assert_eq!(output.stdout, shaped(agent, "prompt", text), "{agent}");
        }
    }
}

#[test]
fn g36_every_agent_is_told_what_holds_in_every_phase_and_nothing_otherwise() {
    let bench = Bench::new();
    let silent = |bench: &Bench| {
        for agent in AGENTS {
            for moment in MOMENTS {
                assert_silent(&ask(bench, agent, moment, payload(bench, &json!({}))));
            }
        }
    };
    silent(&bench);
    silent(&Bench::nowhere());
    bench.scripts_may_approve();
    bench.run("git grill start --research off 'a \"quoted\" topic'").assert_code(0);
    let wording = bench.run("git grill --json status").assert_code(0);
    let wording: Value = serde_json::from_str(wording.stdout()).unwrap();
    let wording = wording["currentQuestion"].as_str().unwrap();
    assert_told(
        &bench,
        &format!(
            "git grill: the interview about \"a \"quoted\" topic\" is open. Question 1 waits for the user: \"{wording}\". \
             What they answer in chat is recorded with `grill_record_answer`, in their words. Nothing in the repository \
             changes meanwhile. `git grill instructions` says it in full."
        ),
    );
    bench.run("git grill discuss").assert_code(0);
    assert_told(
        &bench,
        "git grill: the interview about \"a \"quoted\" topic\" is open, and the user talks something over (question 1): \
         plain text, until `resume_structured` is called with what it came to. Nothing in the repository changes \
         meanwhile. `git grill instructions` says it in full.",
    );
    bench.run("git grill discuss --done 'it is clear' && git grill select").assert_code(0);
    assert_told(
        &bench,
        "git grill: the interview about \"a \"quoted\" topic\" is at the output selection. The choice is the user's: show \
         the options and wait. Nothing in the repository changes meanwhile. `git grill instructions` says it in full.",
    );
    bench.run("git grill select design-doc --path docs/adr.md").assert_code(0);
    assert_told(
        &bench,
        "git grill: \"a \"quoted\" topic\" is in its output phase. Approved: design-doc (vertical-slices) as docs/adr.md. Each output goes in as a draft \
         with `grill_submit_draft`; nothing else changes. `git grill instructions` says it in full.",
    );
    bench.run("git grill finish && git grill stop --without-output").assert_code(0);
    silent(&bench);
}

#[test]
fn g24_g36_between_two_questions_the_agent_is_told_what_comes_next() {
    let bench = Bench::new();
    bench.run("git grill start --research off --interviewer agent:x 'one topic'").assert_code(0);
    let told = |state: &str| {
        let output = ask(&bench, "generic", "prompt", payload(&bench, &json!({})));
        assert_eq!(
            output.stdout,
            format!(
                "git grill: the interview about \"one topic\" is open{state} Nothing in the repository changes meanwhile. \
                 `git grill instructions` says it in full.\n"
            )
        );
    };
    told(", with no question just now: ask the next one, by a tool.");
    let question = r#"{"question": "Which?", "options": [{"label": "this"}, {"label": "that"}]}"#;
    bench.run_with_input("git grill tool ask_question", question).assert_contains("unavailable");
    bench.run("git grill answer --choose 1").assert_code(0);
    told(
        ", and the checkpoint does not know the last answer yet: `grill_update_checkpoint` comes before the next question.",
    );
}

#[test]
fn a_phase_that_changed_since_is_told_once() {
    let bench = Bench::new();
    bench.run("git grill start --research off 'one topic'").assert_code(0);
    let named = payload(&bench, &json!({"transcript_path": bench.root().join("conversation.jsonl")}));
    let prompts = |count: usize| {
        let mut full = Vec::new();
        for _ in 0..count {
            let told = ask(&bench, "claude", "prompt", &named).stdout;
            full.push(told.contains("[git grill instructions "));
            // The agent writes down what it was told.
            bench.write("../conversation.jsonl", bench.read("../conversation.jsonl") + &told);
        }
        full
    };
    bench.write("../conversation.jsonl", "{\"a conversation\": \"that began before the interview\"}\n");
    assert_eq!(prompts(3), [true, false, false]);
    bench.run("git grill select").assert_code(0);
    assert_eq!(prompts(2), [true, false]);
    bench.run("git grill intensity hard && git grill next").assert_code(0);
    assert_eq!(prompts(2), [true, false]);
    // A conversation that is gone on with has it still; the prompt that follows would say it again.
    let resumed = payload(&bench, &json!({"source": "resume"}));
    for (agent, is_told) in [("claude", false), ("codex", false), ("gemini", false), ("cursor", true), ("pi", true)] {
        assert_eq!(!ask(&bench, agent, "session-start", &resumed).stdout.is_empty(), is_told, "{agent}");
    }
    for source in ["startup", "clear", "compact", "another"] {
        let output = ask(&bench, "claude", "session-start", payload(&bench, &json!({"source": source})));
        assert!(output.stdout.contains("[git grill instructions "), "{source}: {output}");
    }
}

#[test]
fn whatever_is_wrong_nothing_is_said_and_no_prompt_is_lost() {
    let bench = Bench::new();
    bench.run("git grill start --research off 'one topic'").assert_code(0);
    let good = payload(&bench, &json!({}));
    let huge = payload(&bench, &json!({"prompt": "x".repeat(10 * 1024 * 1024)}));
    let deep = good.replace("\"go on\"", &format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000)));
    let not_utf8 = [b"{\"cwd\": \"\xff", good.as_bytes()].concat();
    let elsewhere = [
        json!({"cwd": bench.root()}),
        json!({"cwd": "/nowhere/at/all"}),
        json!({"cwd": 3}),
        json!({"cwd": "a\0b"}),
        json!({"cwd": bench.root().join("gitconfig")}),
    ];
    let mut wrong: Vec<Vec<u8>> = elsewhere.iter().map(|more| payload(&bench, more).into_bytes()).collect();
    wrong.extend([huge.into_bytes(), deep.into_bytes(), not_utf8]);
    wrong.extend(["", "{", "[]", "null", "garbage"].map(|text| text.as_bytes().to_vec()));
    wrong.push(good.as_bytes()[..20].to_vec());
    wrong.push(format!("{good}{good}").into_bytes());
    for agent in AGENTS {
        for moment in MOMENTS {
            assert!(agent == "grok" || agent == "cursor" || !ask(&bench, agent, moment, &good).stdout.is_empty());
            for payload in &wrong {
                assert_silent(&ask(&bench, agent, moment, payload));
            }
        }
    }
    bench.write("call.json", &good);
    for line in [
        "git-grill instructions --for claude --hook prompt <&-",
        "git-grill instructions --for claude --hook prompt < call.json >&-",
        "git-grill instructions --for claude --hook prompt < call.json >/dev/full",
        "git-grill instructions --for claude --hook prompt < call.json >&- 2>&-",
        "{ git-grill instructions --for claude --hook prompt < call.json; echo $? > code; } | true; exit $(cat code)",
        "mkdir ../gone && cd ../gone && rmdir ../gone && echo '{}' | git-grill instructions --for claude --hook prompt",
        "cd .. && git-grill instructions --hook prompt --for claude < repo/.git/HEAD",
    ] {
        assert_silent(&bench.run(line));
    }
    // Who names a folder is found from one that is gone.
    let line = "mkdir ../gone && cd ../gone && rmdir ../gone && git-grill instructions --for claude --hook prompt";
    assert!(bench.run_with_input(line, &good).stdout.contains("one topic"));
}

#[test]
fn a_session_that_cannot_be_read_is_not_spoken_of() {
    for breaks in [
        "echo nonsense > .git/GRILL_HEAD",
        "echo 'ref: refs/grill/sessions/20260101-gone-aaaaa' > .git/GRILL_HEAD",
        "rm -rf .git/objects && mkdir .git/objects",
        "echo '[core' > .git/config",
        "rm .git/HEAD",
        // One of a newer format.
        "s=$(git rev-parse GRILL_HEAD) && export GIT_INDEX_FILE=../i && git read-tree $s && echo 99 > ../f && \
         git update-index --cacheinfo 100644,$(git hash-object -w ../f),.grill/format && \
         git -c core.hooksPath=/dev/null -c hook.git-grill-reference-transaction.enabled=false update-ref \
         $(git symbolic-ref GRILL_HEAD) $(git commit-tree $(git write-tree) -p $s -m newer)",
    ] {
        let bench = Bench::new();
        bench.run("git grill start --research off 'one topic'").assert_code(0);
        // Without the copies that git grill keeps of what it wrote, from which it would read on.
        bench.run("rm -r .git/grill/copies").assert_code(0);
        bench.run(breaks).assert_code(0);
        for agent in AGENTS {
            for moment in MOMENTS {
                assert_silent(&ask(&bench, agent, moment, payload(&bench, &json!({}))));
            }
        }
    }
}

#[test]
fn an_agent_that_never_ends_its_sentence_is_not_waited_for() {
    let bench = Bench::new();
    bench.run("git grill start --research off 'one topic'").assert_code(0);
    let mut running = bench.spawn("git-grill instructions --for claude --hook prompt; echo \"[$?]\"; exec 0<&-");
    running.send(b"{\"cwd\": ");
    let began = std::time::Instant::now();
    while running.is_running() {
        assert!(began.elapsed().as_secs() < 120, "it waits for ever");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(running.finish().assert_code(0).stdout(), "[0]\n");
}

#[test]
fn the_innermost_session_where_the_agent_works_is_the_one_that_is_spoken_of() {
    let bench = Bench::new();
    let linked = bench.worktree("linked");
    bench.run("git grill start --research off 'the main one'").assert_code(0);
    let told = |place: &str| {
        ask(&bench, "pi", "prompt", json!({"cwd": bench.repo().join(place), "workspace_roots": ["/"]}).to_string())
            .stdout
    };
    bench.run("mkdir -p deep/er").assert_code(0);
    assert!(told("deep/er").contains("the main one"));
    assert_eq!(told("../linked"), "");
    linked.run("git grill start --research off 'the other one'").assert_code(0);
    assert!(told("../linked").contains("the other one"));
    assert!(told("deep/er").contains("the main one"));
}

#[test]
fn a_command_line_that_is_wrong_is_named() {
    let bench = Bench::new();
    for (line, says) in [
        ("--for emacs --hook prompt", "knows no hooks of an agent 'emacs'"),
        ("--for claude --hook promt", "no moment 'promt'"),
        ("--hook prompt", "--for <AGENT>"),
    ] {
        bench.run_with_input(&format!("git grill instructions {line}"), "{}").assert_code(2).assert_contains(says);
    }
}

/// Point 4 of what agents are told: printed for one of them, it says how the tools are called there.
#[test]
fn g36_for_an_agent_it_says_how_the_tools_are_called_there() {
    let bench = Bench::new();
    bench.run("git grill instructions --for claude").assert_code(0).assert_stdout("");
    bench.run("git grill start --interviewer agent:claude --research off 'it'").assert_code(0);
    bench.run("git grill instructions --for claude").assert_code(0).assert_contains("`mcp__grill__grill_status`");
    bench.run("git grill instructions --for pi").assert_code(0).assert_lacks("a name in front");
    bench.run("git grill instructions --for emacs").assert_code(2).assert_contains("opencode");
    // Where git grill asks by itself, nobody else is told to.
    bench.run("git grill stop --without-output && git grill start --research off 'it'").assert_code(0);
    bench
        .run("git grill instructions")
        .assert_contains("you are not the interviewer")
        .assert_lacks("You are the interviewer");
}

/// What the installed lines come to when git-grill is not there, or is one that does not know them.
#[test]
fn an_installed_line_never_ends_in_a_no() {
    let bench = Bench::new();
    for agent in ["claude", "gemini", "cursor"] {
        bench.run(&format!("git grill agent install {agent}")).assert_code(0);
    }
    bench.write("../fake/git-grill", "#!/bin/sh\necho no >&2\nexit 2\n");
    bench.run("chmod +x ../fake/git-grill").assert_code(0);
    let settings: Vec<Value> = [".claude/settings.json", ".gemini/settings.json", ".cursor/hooks.json"]
        .map(|path| serde_json::from_str(&bench.read(path)).unwrap())
        .into();
    let lines = [
        &settings[0]["hooks"]["SessionStart"][0]["hooks"][0]["command"],
        &settings[0]["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"],
        &settings[1]["hooks"]["BeforeAgent"][0]["hooks"][0]["command"],
        &settings[2]["hooks"]["sessionStart"][0]["command"],
    ];
    bench.run("git grill start --research off 'one topic'").assert_code(0);
    for line in lines {
        bench.write("../hook.sh", line.as_str().unwrap());
        assert_silent(&bench.run_with_input("PATH=/usr/bin:/bin sh ../hook.sh", payload(&bench, &json!({}))));
        assert_silent(&bench.run_with_input("PATH=$PWD/../fake:$PATH sh ../hook.sh", payload(&bench, &json!({}))));
        let said = bench.run_with_input("sh ../hook.sh", payload(&bench, &json!({})));
        assert!(said.code == 0 && said.stdout.contains("one topic"), "{line}: {said}");
    }
}
