//! `git grill agent doctor`: an agent is met as far as its first turn, and each step is told with its outcome and with what
//! to do.

use serde_json::{Value, json};

use super::story::walled;
use super::{SOON_MISSED, agent, play, scripted};
use crate::bench::{Bench, executable};

/// What is said of an agent whose logs are not known.
const PERHAPS: &str = "after a pause, the agent loads its earlier conversation if it still has it (git grill keeps no copy of this \
                       agent's logs); otherwise a new one begins, with everything the session recorded";
const STEPS: [&str; 4] = ["starts", "speaks", "session", "tools"];

/// A program that a preset starts: its lines, and the command line by which it is looked at.
fn preset(bench: &Bench, name: &str, program: &str, lines: &str) -> String {
    let folder = bench.root().join("bin");
    executable(&folder.join(program), format!("#!/bin/sh\n{lines}\n"));
    format!("PATH={}:$PATH git grill agent doctor {name}", folder.display())
}

/// The lines of the scripted agent in the place of another.
fn played(bench: &Bench) -> String {
    format!("exec {} --script {}", agent().display(), bench.root().join("script.json").display())
}

/// The text in the line of a step.
fn of<'a>(told: &'a str, step: &str) -> Option<&'a str> {
    told.lines().find_map(|line| Some(line.strip_prefix(&format!("{step:<9}"))?.trim_end()))
}

#[test]
fn a28_doctor_goes_as_far_as_the_greeted_server_and_calls_no_provider() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [super::asks("First?")]}));
    let told = bench.run("git grill agent doctor scripted").assert_code(0).stdout().to_owned();
    for (step, is) in [
        ("starts", "yes"),
        ("speaks", "ACP 1"),
        ("session", "opened, with git grill's tools"),
        ("tools", "it started git grill's tools"),
        ("version", "1; git grill was not tested with this agent"),
        // Its conversation is asked for after a pause, as for an agent that git grill knows.
        ("loads", PERHAPS),
        ("forms", "not known whether it shows any; git grill's questions need none"),
        ("login", "git grill does not know where this agent keeps its login; see its own manual"),
    ] {
        assert_eq!(of(&told, step), Some(is), "{told}");
    }
    assert_eq!(of(&told, "to do"), None, "{told}");
    play(&bench, &json!({"initialize": {"agentCapabilities": {"loadSession": false}}}));
    let told = bench.run("git grill agent doctor scripted").assert_code(0).stdout().to_owned();
    assert!(of(&told, "loads").unwrap().starts_with("after a pause, a new conversation begins"), "{told}");
    let log = bench.read(".git/grill/agents/scripted.doctor.log");
    assert!(log.contains("session/new") && !log.contains("session/prompt"), "{log}");
    bench.run("git grill agent doctor scripted --json").assert_code(0).assert_contains(r#""ready":true"#);
    // In the middle of an interview as well, which stays as it is.
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    let before = bench.run("git for-each-ref; git grill status --json").stdout;
    bench.run("git grill agent doctor scripted").assert_code(0);
    assert_eq!(bench.run("git for-each-ref; git grill status --json").stdout, before);
}

/// What goes wrong: what the agent plays, the step at which it does, what is said there, and what there is to do.
fn troubles() -> Vec<(Value, &'static str, &'static str, &'static str)> {
    vec![
        (
            json!({"stderr": "no such model: x", "exit": 3}),
            "starts",
            "it printed: no such model: x",
            "prints what it said",
        ),
        (
            json!({"initialize": {"protocolVersion": 2}}),
            "speaks",
            "speaks version 2 of ACP",
            "git config --global grill.agent.scripted.command",
        ),
        (
            json!({"open": {"error": {"code": -32000, "message": "Authentication required"}}}),
            "session",
            "scripted is not logged in",
            "log in first: see its own manual",
        ),
        (
            json!({"open": {"error": {"code": -32603, "message": "boom"}}}),
            "session",
            "scripted rejected ACP session/new: boom",
            "scripted.doctor.log prints what it said",
        ),
        (json!({"server": "never"}), "tools", "scripted did not start git grill's tools", "prints what it said"),
    ]
}

#[test]
fn g56_doctor_says_at_which_step_an_agent_fails_and_what_to_do() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    let [(name, soon)] = SOON_MISSED;
    for (script, step, why, to_do) in troubles() {
        play(&bench, &script);
        let told =
            bench.run(&format!("{name}={soon} git grill agent doctor scripted")).assert_code(1).stdout().to_owned();
        let failed = STEPS.iter().position(|one| *one == step).unwrap();
        for (at, one) in STEPS.iter().enumerate() {
            let is = of(&told, one).unwrap();
            assert_eq!(is.starts_with("failed: "), at == failed, "{one}: {told}");
            assert_eq!(is == "not tried", at > failed, "{one}: {told}");
        }
        assert!(of(&told, step).unwrap().contains(why), "{why}: {told}");
        assert!(of(&told, "to do").unwrap().contains(to_do), "{to_do}: {told}");
    }
    bench.run("git grill agent doctor scripted --json").assert_code(1).assert_contains(r#""ready":false"#);
}

#[test]
fn a5_doctor_waits_for_a_silent_agent_no_longer_than_a_step_may_take() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    bench.global_config("[grill]\n\thandshakeTimeout = 1\n[grill \"agent.deaf\"]\n\tcommand = /bin/sleep 600\n");
    let told = bench.run("git grill agent doctor deaf").assert_code(1).stdout().to_owned();
    assert_eq!(of(&told, "starts"), Some("yes"), "{told}");
    assert!(of(&told, "speaks").unwrap().contains("deaf did not answer ACP initialize within 1 s"), "{told}");
    assert!(of(&told, "to do").unwrap().contains("deaf.doctor.log prints what it said"), "{told}");
}

#[test]
fn g56_doctor_says_what_installs_an_agent_that_is_not_there() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    bench.global_config("[grill \"agent.codex\"]\n\tcommand = /nowhere/codex-acp\n");
    let told = bench.run("git grill agent doctor codex").assert_code(1).stdout().to_owned();
    assert!(of(&told, "program").unwrap().contains("there is no program '/nowhere/codex-acp'"), "{told}");
    assert!(STEPS.iter().all(|step| of(&told, step) == Some("not tried")), "{told}");
    assert_eq!(of(&told, "to do"), Some("npm install -g @agentclientprotocol/codex-acp installs it"), "{told}");
}

#[test]
fn a36_doctor_compares_the_version_with_the_least_and_says_whether_the_agent_elicits() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    // By what it tells of itself.
    let claude = preset(&bench, "claude", "claude-agent-acp", &played(&bench));
    let tells = |version: &str| play(&bench, &json!({"initialize": {"agentInfo": {"name": "x", "version": version}}}));
    tells("0.43.2");
    let told = bench.run(&claude).assert_code(1).stdout().to_owned();
    assert!(
        of(&told, "version").unwrap().starts_with("0.43.2 is too old, git grill needs 0.44.0 or newer: "),
        "{told}"
    );
    assert!(of(&told, "to do").unwrap().starts_with("npm install -g @agentclientprotocol/claude-agent-acp"), "{told}");
    assert_eq!(of(&told, "tools"), Some("it started git grill's tools"), "{told}");
    tells("0.44.0");
    let told = bench.run(&claude).assert_code(0).stdout().to_owned();
    assert!(of(&told, "version").unwrap().starts_with("0.44.0; git grill was tested with "), "{told}");
    assert!(of(&told, "forms").unwrap().ends_with("are shown at your terminal"), "{told}");
    assert_eq!(of(&told, "loads"), Some("after a pause, the agent loads its earlier conversation"), "{told}");
    // By what its program prints, where it does not even know the words by which it is started.
    let lines = "if [ \"$1\" = --version ]; then echo 0.32.1; else echo 'Unknown argument: acp' >&2; exit 1; fi";
    let gemini = preset(&bench, "gemini", "gemini", lines);
    let told = bench.run(&gemini).assert_code(1).stdout().to_owned();
    assert!(of(&told, "starts").unwrap().contains("Unknown argument: acp"), "{told}");
    assert!(
        of(&told, "version").unwrap().starts_with("0.32.1 is too old, git grill needs 0.33.0 or newer: "),
        "{told}"
    );
    assert!(of(&told, "forms").unwrap().starts_with("it shows none; "), "{told}");
    // By a variable.
    let opencode = preset(&bench, "opencode", "opencode", &played(&bench));
    let told = bench.run(&opencode).assert_code(0).stdout().to_owned();
    assert!(of(&told, "forms").unwrap().starts_with("it shows none unless OPENCODE_ENABLE_QUESTION_TOOL=1"), "{told}");
    let told = bench.run(&format!("OPENCODE_ENABLE_QUESTION_TOOL=1 {opencode}")).assert_code(0).stdout().to_owned();
    assert!(of(&told, "forms").unwrap().starts_with("OPENCODE_ENABLE_QUESTION_TOOL is set"), "{told}");
}
