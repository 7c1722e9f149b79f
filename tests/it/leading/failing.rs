//! What stands in the way of an agent is said in a sentence, and the built-in interviewer goes on in the same session
//! (G56).

use serde_json::{Value, json};

use super::refereed::prompts;
use super::story::walled;
use super::{ENTER, ESCAPE, SOON_MISSED, asks, lets, play, scripted, started, started_with, takes_first, until};
use crate::conversation::Sitting;
use crate::pty::shows;

/// Everything that can go wrong, and the sentence about it.
fn failures() -> Vec<(Value, &'static str)> {
    vec![
        (
            json!({"open": {"error": {"code": -32000, "message": "Authentication required"}}}),
            "scripted is not logged in",
        ),
        (json!({"initialize": {"protocolVersion": 2}}), "speaks version 2 of ACP"),
        (json!({"stderr": "no such model: x", "exit": 3}), "it printed: no such model: x"),
        (json!({"turns": [[{"say": "half a tho"}, {"die": 1}]]}), "scripted ended unexpectedly"),
        (json!({"turns": [[{"junk": "hello", "times": 20}]]}), "scripted printed what is not ACP"),
        (
            json!({"turns": [[{"error": {"code": -32603, "message": "Internal error", "data": {"errorKind": "rate_limit"}}}]]}),
            "limits requests",
        ),
        (
            json!({"turns": [[{"error": {"code": -32603, "message": "Internal error: API Error: 529 overloaded_error",
                "data": {"errorKind": "server_error"}}}]]}),
            "scripted's provider failed: Internal error: API Error: 529",
        ),
        (
            json!({"turns": [[{"raw": {"jsonrpc": "2.0", "method": "_x.ai/session_notification", "params": {"update":
                {"sessionUpdate": "retry_state", "type": "exhausted", "is_rate_limited": true}}}}]]}),
            "limits requests",
        ),
        (
            json!({"turns": [[{"error": {"code": -32000, "message": "Authentication required"}}]]}),
            "scripted is not logged in",
        ),
        (json!({"turns": [[{"stop": "refusal"}]]}), "scripted's model refused to continue"),
        (
            json!({"turns": [[{"tool": "ask_question", "arguments": {}}, {"tool": "grill_status"},
                {"tool": "ask_question", "arguments": {"question": 7}}, {"tool": "ask_question", "arguments": {"q": "x"}},
                {"sleep": 600_000}]]}),
            "scripted made too many calls that git grill refused; the last was ask_question:",
        ),
        (json!({"turns": [[{"say": "I could not think of one."}]]}), "ended its turn 3 times without a question"),
        // As one agent says that its login is not valid, and another that its provider takes no more requests.
        (
            json!({"turns": [[{"say": "Failed to authenticate. API Error: 401 {\"type\":\"error\"}"}]]}),
            "scripted is not logged in",
        ),
        (
            json!({"turns": [[{"say": "exceeded retry limit, last status: "}, {"say": "429 Too Many Requests"}]]}),
            "scripted's provider limits requests",
        ),
        // As another piece of what its model was saying.
        (
            json!({"turns": [[{"say": "I look first."}, {"say": "exceeded retry limit, last status: 429 Too Many Requests"}]]}),
            "scripted's provider limits requests",
        ),
        (
            json!({"turns": [[cut_short()], [cut_short()], [{"say": "half a tho"}, cut_short()]]}),
            "scripted ended its turn 3 times without a question (its model ran out of tokens)",
        ),
        (json!({"turns": [[{"update": system_error()}]]}), "scripted's provider failed"),
        // What it says behind that is what failed.
        (
            json!({"turns": [[{"update": system_error()}, {"say": "stream disconnected before completion"}]]}),
            "scripted's provider failed",
        ),
        // It went on all the same.
        (
            json!({"turns": [[{"update": system_error()}, {"does": {"kind": "read", "title": "Read README.md"}},
                {"say": "I have read it."}]]}),
            "ended its turn 3 times without a question",
        ),
    ]
}

/// Turns that end, or an agent that says so itself, in the words of one agent each; and the sentence about it.
fn ends() -> Vec<(Value, &'static str)> {
    let three = |turn: Value| json!({"turns": [turn, turn, turn]});
    vec![
        // An end that is not known is kept as it came (A31).
        (three(json!([{"stop": "zzz-unknown"}])), "(it stopped for a reason of its own: zzz-unknown)"),
        (three(json!([{"stop": "max_turn_requests"}])), "(it ran out of requests)"),
        (three(json!([{"stop": "cancelled"}])), "(it cancelled its turn)"),
        (
            three(json!([{"permission": {"kind": "edit", "title": "Write it"}}])),
            "scripted ended its turn 3 times without a question",
        ),
        // Our tools did not start, as two agents tell it.
        (
            json!({"turns": [[{"update": {"sessionUpdate": "tool_call", "toolCallId": "mcp_startup.grillinterview.1",
                "status": "failed"}}, {"sleep": 600_000}]]}),
            "scripted did not start git grill's tools",
        ),
        (
            json!({"turns": [[{"update": {"sessionUpdate": "agent_message_chunk", "_meta": {"claudeCode":
                {"kind": "mcpServerStatus", "servers": [{"name": "grillinterview", "status": "failed"}]}}}},
                {"sleep": 600_000}]]}),
            "scripted did not start git grill's tools",
        ),
        // The answer to no request of ours is none, whatever it says.
        (
            json!({"turns": [[{"raw": {"jsonrpc": "2.0", "id": "never", "result": {"stopReason": "end_turn"}}},
                {"error": {"code": -32603, "message": "x", "data": "status 529"}}]]}),
            "scripted's provider failed: x",
        ),
    ]
}

fn cut_short() -> Value {
    json!({"stop": "max_tokens"})
}

/// As one agent tells that its provider failed for good.
fn system_error() -> Value {
    json!({"sessionUpdate": "session_info_update", "_meta": {"codex": {"threadStatus": {"type": "systemError"}}}})
}

#[test]
fn g56_every_failure_is_a_sentence_and_the_interview_goes_on() {
    if !walled() {
        return;
    }
    for (script, sentence) in failures().into_iter().chain(ends()) {
        let bench = scripted(&script);
        let mut sitting = started(&bench);
        sitting.pty.wait_for(sentence);
        sitting.pty.wait_for("hint: ");
        sitting.below("How should the interview continue?", "digits jump");
        sitting.pty.send(ENTER);
        sitting.below("question 1 ·", "Tab alternatives");
        let said = bench.run("git grill interviewer");
        assert_eq!(said.stdout.trim(), "built-in", "{script}");
    }
}

#[test]
fn g56_an_agent_whose_question_was_refused_says_why_it_has_none_and_is_told_why() {
    if !walled() {
        return;
    }
    // Its checkpoint does not know the answer yet.
    let says = json!([{"say": "I wait."}]);
    let bench = scripted(&json!({"turns": [asks("First?"), asks("Second?"), says, says]}));
    let mut sitting = started(&bench);
    takes_first(&mut sitting, "question 1 ·");
    sitting.pty.wait_for(
        "scripted ended its turn 3 times without a question; git grill refused its last call: the last answer is not in \
         the checkpoint yet",
    );
    let told = prompts(&bench);
    let refused = "git grill refused your last call: the last answer is not in the checkpoint yet";
    assert!(told.iter().any(|prompt| prompt.contains(refused)), "{told:#?}");
}

#[test]
fn g56_a_model_that_does_not_answer_is_waited_for_and_esc_leads_on() {
    if !walled() {
        return;
    }
    // As one that tries again and again and tells only its standard error.
    let script = json!({"turns": [[{"stderr": "Attempt 1 failed with status: 429"}, {"sleep": 90_000}]]});
    let bench = scripted(&script);
    let mut sitting = started_with(&bench, &[("GRILL_TEST_QUIET", "1000")]);
    let waits = |sitting: &Sitting| {
        sitting.pty.wait_until("what it waits for", |screen| {
            shows(screen, "scripted waits for the model (") && shows(screen, "s, after an error 429)")
        });
    };
    waits(&sitting);
    sitting.pty.send(ESCAPE);
    sitting.below("How should the interview continue?", "digits jump");
    sitting.pty.wait_for("1. Wait for scripted");
    sitting.pty.send(ENTER);
    waits(&sitting);
    sitting.pty.send(ESCAPE);
    sitting.below("1. Wait for scripted", "digits jump");
    sitting.pty.send("2");
    sitting.pty.send(ENTER);
    sitting.below("question 1 ·", "Tab alternatives");
    assert_eq!(bench.run("git grill interviewer").stdout.trim(), "built-in");
}

#[test]
fn g56_a_retry_is_told_until_the_agent_goes_on() {
    if !walled() {
        return;
    }
    let retry = json!({"raw": {"jsonrpc": "2.0", "method": "_x.ai/session_notification", "params": {"update":
        {"sessionUpdate": "retry_state", "type": "retrying", "attempt": 1, "reason": "API error (status 529 ..)"}}}});
    let bench = scripted(&json!({}));
    let mut reads = until(&bench, "read");
    reads["does"] = json!({"kind": "read", "title": "Read README.md"});
    let mut turn = json!([retry, until(&bench, "seen"), reads]);
    turn.as_array_mut().unwrap().extend(super::asks("First?").as_array().unwrap().clone());
    play(&bench, &json!({"turns": [turn]}));
    let sitting = started(&bench);
    sitting.pty.wait_for("scripted's provider failed (529); it tries again");
    lets(&bench, "seen");
    sitting.pty.wait_for("scripted reads README.md");
    lets(&bench, "read");
    sitting.below("question 1 ·", "digits jump");
}

#[test]
fn g56_a_question_that_was_asked_before_the_provider_failed_is_put() {
    if !walled() {
        return;
    }
    let mut turn = super::asks("First?");
    turn.as_array_mut().unwrap().push(json!({"update": system_error()}));
    let bench = scripted(&json!({"turns": [turn, super::goes_on("Second?")]}));
    let mut sitting = started(&bench);
    takes_first(&mut sitting, "question 1 ·");
    sitting.below("question 2 ·", "digits jump");
}

#[test]
fn a5_a_tool_that_takes_its_time_is_not_waiting_for_the_model() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    let mut runs = until(&bench, "run");
    runs["does"] = json!({"kind": "execute", "title": "Tests", "rawInput": {"command": "cargo test"}});
    let mut turn = json!([runs]);
    turn.as_array_mut().unwrap().extend(super::asks("First?").as_array().unwrap().clone());
    play(&bench, &json!({"turns": [turn]}));
    let sitting = started_with(&bench, &[("GRILL_TEST_QUIET", "500")]);
    sitting.pty.wait_until("a tool that runs for longer than a model is waited for", |screen| {
        (4..600).any(|seconds| shows(screen, &format!("scripted runs cargo test, {seconds} s")))
    });
    lets(&bench, "run");
    sitting.below("question 1 ·", "digits jump");
}

#[test]
fn g56_tools_that_are_never_greeted_are_told_of() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"server": "never", "turns": [super::asks("First?")]}));
    let mut sitting = started_with(&bench, &SOON_MISSED);
    sitting.pty.wait_for("scripted has not started git grill's tools after 1 s");
    sitting.pty.wait_for("git grill agent doctor scripted checks how it starts, in another terminal");
    sitting.below("How should the interview continue?", "digits jump");
    sitting.pty.send("2");
    sitting.pty.send(ENTER);
    sitting.below("question 1 ·", "Tab alternatives");
}

#[test]
fn g56_an_agent_that_is_not_installed_is_named_with_what_installs_it() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    bench.global_config("[grill \"agent.gone\"]\n\tcommand = no-such-agent acp\n");
    let words = ["start", "--research", "off", "--interviewer", "gone", "add rate limiting"];
    let mut sitting = Sitting::at(&bench, &words, 50, 100, &[]);
    // Before its consent is asked for, and before anything is created.
    sitting.below("gone was not started: there is no program 'no-such-agent'", "digits jump");
    assert_eq!(bench.run("git for-each-ref refs/grill").stdout, "");
    sitting.pty.send("2");
    sitting.pty.send(ENTER);
    sitting.below("› 2. Look again", "digits jump");
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    sitting.below("question 1 ·", "Tab alternatives");
    bench.run("git grill interviewer").assert_contains("built-in");
}

#[test]
fn g56_a_conversation_that_is_gone_is_begun_anew_and_that_is_said() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [super::asks("First?")]}));
    let mut sitting = started(&bench);
    sitting.below("question 1 ·", "digits jump");
    sitting.pty.send(ESCAPE);
    sitting.ends_with(0);
    let gone = json!({"code": -32603, "message": "No previous sessions found"});
    play(&bench, &json!({"load": {"error": gone}, "loaded": [super::goes_on("Second?")]}));
    let mut sitting = Sitting::at(&bench, &["next"], 120, 100, &[]);
    takes_first(&mut sitting, "question 1 ·");
    sitting.pty.wait_for("scripted could not load its earlier conversation and begins a new one");
    sitting.below("question 2 ·", "digits jump");
    bench.run("git grill interviewer").assert_code(0).assert_contains("scripted");
}

#[test]
fn g56_a_crash_in_the_middle_loses_no_answer_and_the_agent_can_be_started_again() {
    if !walled() {
        return;
    }
    let ask = super::asks("First?");
    let bench = scripted(&json!({"turns": [ask, [{"die": 9}]], "loaded": [super::goes_on("Second?")]}));
    let mut sitting = started(&bench);
    takes_first(&mut sitting, "question 1 ·");
    sitting.pty.wait_for("scripted ended unexpectedly");
    sitting.below("How should the interview continue?", "digits jump");
    sitting.pty.send("2");
    sitting.pty.send(ENTER);
    sitting.below("question 2 ·", "digits jump");
    let status = bench.run("git grill status --json");
    assert!(status.stdout.contains("\"resolved\":1"), "{}", status.stdout);
}
