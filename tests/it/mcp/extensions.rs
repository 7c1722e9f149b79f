//! A tool of an extension, called by clients of both eras and typed at a terminal: a wizard in a shell script, in which what
//! was answered decides what is asked next.

use serde_json::{Value, json};

use super::wire::{Shows, Speaks, Wire};
use crate::bench::{Bench, executable};
use crate::conversation::Sitting;

/// The wizard. It speaks the wire by hand, as a stranger's program would.
const WIZARD: &str = r#"#!/bin/sh
store=none file=none deed=
send() { printf '%s\n' "$1"; }
ask() { send "{\"jsonrpc\":\"2.0\",\"id\":\"$1\",\"method\":\"$2\",\"params\":$3}"; }
sure() { ask sure ui.confirm '{"prompt":"Is it for good?"}'; }
ends() {
    send "{\"jsonrpc\":\"2.0\",\"id\":$deed,\"result\":{\"text\":\"$store in $file: $1\",\"store\":\"$store\",\"file\":\"$file\",\"end\":\"$1\"}}"
}
without() {
    kind=${line#*\"kind\":\"}
    ends "${kind%%\"*}"
}
while IFS= read -r line; do
    id=${line#*\"id\":}
    id=${id%%,*}
    case $line in
    *'"method":"initialize"'*)
        send "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"name\":\"limits\",\"ui_api_version\":1,\"tools\":[{\"name\":\"ask\",\"description\":\"Ask where the counters live.\",\"inputSchema\":{\"type\":\"object\"}}],\"commands\":[{\"name\":\"ask\",\"description\":\"Ask where the counters live\"}]}}"
        ;;
    *'"break":true'*)
        send 'garbage'
        ;;
    *'"method":"tool/call"'* | *'"method":"command/run"'*)
        deed=$id
        ask store ui.select '{"prompt":"Which store?","options":[{"value":"memory","label":"In memory"},{"value":"sqlite","label":"SQLite"}]}'
        ;;
    *'"error"'*) without ;;
    *'"cancelled":true'*) ends cancelled ;;
    *'"id":"store"'*)
        case $line in
        *'"value":"sqlite"'*)
            store=sqlite
            ask file ui.select '{"prompt":"Which file?","options":[{"value":"a.db","label":"a.db"}],"allow_other":true}'
            ;;
        *)
            store=memory
            sure
            ;;
        esac
        ;;
    *'"id":"file"'*)
        file=${line#*\"value\":\"}
        file=${file%%\"*}
        sure
        ;;
    *'"confirmed":true'*) ends sure ;;
    *'"confirmed":false'*) ends unsure ;;
    esac
done
"#;

const ENTER: &str = "\r";

/// A repository with an interview that an agent leads, and with the wizard, which a person enabled.
fn enabled() -> Bench {
    let bench = Bench::new();
    let program = bench.root().join("tools/limits");
    executable(&program, WIZARD);
    let settings = format!("[grill \"extension.limits\"]\n\tcommand = {}\n\tsandbox = false\n", program.display());
    bench.with_account().global_config(&settings);
    let mut sitting = Sitting::at(&bench, &["extensions", "enable", "limits"], 50, 100, &[]);
    sitting.pty.wait_for("[y/n]");
    sitting.pty.send("y");
    sitting.ends_with(0);
    bench.run("git grill start counters --interviewer agent:claude-code --research off").assert_code(0);
    bench
}

/// How many commits of the session have a subject with this in it.
fn commits(bench: &Bench, subject: &str) -> usize {
    let log = bench.run("git log --format=%s GRILL_HEAD").assert_code(0);
    log.stdout().lines().filter(|line| line.contains(subject)).count()
}

fn took(choice: &str) -> Value {
    json!({"action": "accept", "content": {"choice": choice}})
}

/// The form that the client is to show now asks this, and says who does.
#[track_caller]
fn asks(wire: &mut Wire, question: &str) {
    let form = wire.form();
    let asked = format!("limits asks: {question}");
    assert!(form["message"].as_str().is_some_and(|message| message.contains(&asked)), "{form}");
}

fn came_to(wire: &mut Wire) -> Value {
    wire.answered()["result"].clone()
}

#[test]
fn p8_p28_a_wizard_is_the_same_in_both_eras_and_at_a_terminal_and_records_each_answer_once() {
    let told = "sqlite in b.db: sure";
    for speaks in [Speaks::First(Shows::Forms), Speaks::Second(Shows::Forms)] {
        let bench = enabled();
        let mut wire = Wire::to(&bench, speaks);
        wire.call(&json!({"limits_ask": {}}));
        asks(&mut wire, "Which store?");
        wire.fill(&took("2. SQLite"));
        asks(&mut wire, "Which file?");
        // It is recorded as it is given, and not again when the wizard is run again.
        assert_eq!((commits(&bench, ": SQLite"), commits(&bench, "answer q-")), (1, 1));
        wire.fill(&json!({"action": "accept", "content": {"own_words": "b.db"}}));
        asks(&mut wire, "Is it for good?");
        wire.fill(&took("yes"));
        let result = came_to(&mut wire);
        let value = &result["structuredContent"];
        assert_eq!(
            (&value["store"], &value["file"], &value["end"]),
            (&json!("sqlite"), &json!("b.db"), &json!("sure"))
        );
        assert_eq!(value["text"], told, "{result}");
        wire.close();
        assert_eq!((commits(&bench, "answer q-"), commits(&bench, "answer to limits: Is it for good?: Yes")), (2, 1));
    }
    let bench = enabled();
    let mut sitting = Sitting::at(&bench, &["limits", "ask"], 50, 100, &[]);
    sitting.pty.wait_for("Which store?");
    sitting.pty.send("2");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("Which file?");
    sitting.pty.send("2");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("Enter submits");
    sitting.pty.send("b.db");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("[y/n]");
    sitting.pty.send("y");
    sitting.pty.wait_for(told);
    sitting.ends_with(0);
    assert_eq!((commits(&bench, "answer q-"), commits(&bench, "answer to limits: Is it for good?: Yes")), (2, 1));
}

#[test]
fn p19_a_form_that_is_declined_or_closed_in_the_middle_is_told_to_the_extension_and_recorded_nowhere() {
    for speaks in [Speaks::First(Shows::Forms), Speaks::Second(Shows::Forms)] {
        for (action, end) in [("decline", "ui_declined"), ("cancel", "cancelled")] {
            let bench = enabled();
            let mut wire = Wire::to(&bench, speaks);
            wire.call(&json!({"limits_ask": {}}));
            asks(&mut wire, "Which store?");
            wire.fill(&took("1. In memory"));
            asks(&mut wire, "Is it for good?");
            wire.fill(&json!({"action": action}));
            let result = came_to(&mut wire);
            assert_eq!(result["structuredContent"]["end"], end, "{result}");
            assert_eq!((commits(&bench, "answer q-"), commits(&bench, "answer to limits")), (1, 0));
        }
    }
}

#[test]
fn p5_a_client_without_forms_lets_the_extension_run_on() {
    for speaks in [Speaks::First(Shows::Nothing), Speaks::Second(Shows::Nothing)] {
        let bench = enabled();
        let mut wire = Wire::to(&bench, speaks);
        wire.call(&json!({"limits_ask": {}}));
        let result = came_to(&mut wire);
        assert_eq!(result["structuredContent"]["end"], "ui_unavailable", "{result}");
        assert_eq!(commits(&bench, "answer"), 0);
    }
}

#[test]
fn p5_an_extension_that_asks_while_a_question_is_open_is_told_so() {
    let bench = enabled();
    let question = r#"{"question":"Who pays?","options":[{"label":"we"},{"label":"they"}]}"#;
    bench.run_with_input("git grill tool ask_question", question).assert_code(3);
    let mut wire = Wire::to(&bench, Speaks::First(Shows::Forms));
    wire.call(&json!({"limits_ask": {}}));
    let result = came_to(&mut wire);
    assert_eq!(result["structuredContent"]["end"], "ui_unavailable", "{result}");
}

#[test]
fn p7_an_extension_that_prints_garbage_ends_with_an_error_and_leaves_the_session_as_it_was() {
    let bench = enabled();
    let before = bench.run("git rev-parse GRILL_HEAD").assert_code(0).stdout().to_owned();
    for speaks in [Speaks::First(Shows::Forms), Speaks::Second(Shows::Forms)] {
        let mut wire = Wire::to(&bench, speaks);
        wire.call(&json!({"limits_ask": {"break": true}}));
        let result = came_to(&mut wire);
        assert_eq!(result["isError"], true, "{result}");
        assert!(result["structuredContent"]["error"]["message"].as_str().is_some_and(|why| why.contains("limits")));
        wire.close();
    }
    assert_eq!(bench.run("git rev-parse GRILL_HEAD").assert_code(0).stdout(), before);
}

#[test]
fn p6_the_guard_lets_a_tool_pass_that_a_person_enabled_and_that_is_of_our_server() {
    let bench = enabled();
    for (tool, code) in [
        ("mcp__grill__limits_ask", 0),
        ("mcp__grill__limits_break", 2),
        ("mcp__other__limits_ask", 2),
        ("limits_ask", 2),
    ] {
        let call = json!({"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": {}, "cwd": bench.repo()});
        bench.run_with_input("git-grill guard --for claude", call.to_string()).assert_code(code);
    }
}

#[test]
fn p6_a_tool_whose_file_changed_is_not_announced_and_not_run() {
    let bench = enabled();
    let mut before = Wire::to(&bench, Speaks::First(Shows::Forms));
    before.request("tools/list", &json!({}));
    let listed = before.answered()["result"]["tools"].to_string();
    assert!(listed.contains("limits_ask") && listed.contains("limits (an extension of git grill)"), "{listed}");
    executable(&bench.root().join("tools/limits"), format!("{WIZARD}\n# another one\n"));
    before.call(&json!({"limits_ask": {}}));
    let result = came_to(&mut before);
    assert_eq!(result["isError"], true, "{result}");
    let why = result["structuredContent"]["error"]["message"].as_str().unwrap();
    assert!(why.contains("the extension limits was not started") && why.contains("limits has changed"), "{why}");
    let mut after = Wire::to(&bench, Speaks::First(Shows::Forms));
    after.request("tools/list", &json!({}));
    assert!(!after.answered()["result"]["tools"].to_string().contains("limits_ask"));
}
