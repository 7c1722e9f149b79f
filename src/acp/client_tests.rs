//! The client against what six agents were recorded to say, as it came and with every word changed.

use std::io::{Cursor, PipeReader, Read as _, empty, pipe};
use std::time::Duration;

use serde_json::{Value, json};

use super::*;
use crate::acp::limits::MOST_JUNK;
use crate::acp::permission::May;
use crate::acp::sign::Sign;
use crate::acp::update::{CallKind, CallState, Update, Word};
use crate::acp::v1::{NOT_FOUND, stop_reason};
use crate::acp::wire::{NO_SUCH_METHOD, NOT_ALLOWED};
use std::collections::BTreeSet;

use crate::agents::Preset;
use crate::domain::server_form::ServerValue;

const SAMPLES: &[(&str, &str)] = &[
    ("claude", include_str!("../../fixtures/acp/claude-agent-acp.jsonl")),
    ("codex", include_str!("../../fixtures/acp/codex-acp.jsonl")),
    ("gemini", include_str!("../../fixtures/acp/gemini.jsonl")),
    ("grok", include_str!("../../fixtures/acp/grok.jsonl")),
    ("opencode", include_str!("../../fixtures/acp/opencode.jsonl")),
    ("pi", include_str!("../../fixtures/acp/pi-acp.jsonl")),
];

/// The messages of a sample that went this way.
fn sampled(sample: &str, way: &str) -> Vec<Value> {
    let lines = sample.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let going = lines.filter(|line| line["kind"].as_str().unwrap().starts_with(way));
    going.map(|mut line| line["m"].take()).collect()
}

fn lines(messages: &[Value]) -> String {
    messages.iter().flat_map(|message| [message.to_string(), "\n".to_owned()]).collect()
}

/// What comes of these lines, and what was sent back.
fn heard(agent: &str, lines: &str) -> (Vec<Event>, Option<Failure>, Vec<Value>) {
    let preset = Preset::named(agent).unwrap();
    let rules = Rules { preset, server: Some("grill"), may: May::LOOK, only_reads: &|_| false };
    let (reader, writer): (PipeReader, _) = pipe().unwrap();
    let output = Box::new(Cursor::new(lines.to_owned().into_bytes()));
    let streams = Streams { input: Box::new(writer), output, errors: Box::new(empty()) };
    let mut client = Client::new(streams, None);
    let mut events = Vec::new();
    let failure = loop {
        match client.next(Duration::from_secs(20), &rules) {
            Ok(Some(event)) => events.push(event),
            Ok(None) => panic!("nothing was heard in time"),
            Err(Failure::Gone { .. }) => break None,
            Err(failure) => break Some(failure),
        }
    };
    drop(client);
    let mut sent = String::new();
    let mut reader = reader;
    reader.read_to_string(&mut sent).unwrap();
    (events, failure, sent.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// Every version of a value with one part of it changed: another word, another type, or taken away.
fn mutations(value: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    walk(value, &mut Vec::new(), &mut |path: &[String]| {
        for with in [Some(json!("zzz-unknown")), Some(json!(null)), Some(json!(7)), Some(json!([])), None] {
            let mut changed = value.clone();
            let (last, above) = path.split_last().unwrap();
            let within = changed.pointer_mut(&format_pointer(above)).unwrap();
            match (within, with) {
                (Value::Object(map), Some(with)) => drop(map.insert(last.clone(), with)),
                (Value::Object(map), None) => drop(map.remove(last)),
                (Value::Array(all), Some(with)) => all[last.parse::<usize>().unwrap()] = with,
                (Value::Array(all), None) => drop(all.remove(last.parse().unwrap())),
                _ => unreachable!("only lists and objects have parts"),
            }
            all.push(changed);
        }
    });
    all
}

fn format_pointer(path: &[String]) -> String {
    let parts = path.iter().flat_map(|part| ["/".to_owned(), part.replace('~', "~0").replace('/', "~1")]);
    parts.collect()
}

fn walk(value: &Value, path: &mut Vec<String>, visit: &mut dyn FnMut(&[String])) {
    let parts: Vec<(String, &Value)> = match value {
        Value::Object(map) => map.iter().map(|(name, part)| (name.clone(), part)).collect(),
        Value::Array(list) => list.iter().enumerate().map(|(at, part)| (at.to_string(), part)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    for (name, part) in parts {
        path.push(name);
        visit(path);
        walk(part, path, visit);
        path.pop();
    }
}

#[test]
fn a33_every_agent_has_its_recorded_transcript() {
    let recorded: BTreeSet<&str> = SAMPLES.iter().map(|(agent, _)| *agent).collect();
    let known: BTreeSet<&str> = Preset::all().map(|preset| preset.name()).collect();
    assert_eq!(recorded, known, "an agent is added by its file and by what it was recorded to say");
}

#[test]
fn every_recorded_message_is_an_event_and_none_vanishes() {
    for (agent, sample) in SAMPLES {
        let messages = sampled(sample, "agent -> client");
        assert!(messages.len() > 5, "{agent}");
        let lines = lines(&messages);
        let (events, failure, _) = heard(agent, &lines);
        assert_eq!((events.len(), failure), (messages.len(), None), "{agent}");
        for (message, event) in messages.iter().zip(&events) {
            let unknown = matches!(event, Event::Told(Update::Unknown(_), _));
            assert!(!unknown, "{agent}: {message} is recorded, so it is known");
        }
    }
}

#[test]
fn a31_every_message_with_one_part_changed_is_an_event_too() {
    for (agent, sample) in SAMPLES {
        for message in sampled(sample, "agent -> client") {
            let mutated = mutations(&message);
            let lines = lines(&mutated);
            let (events, failure, _) = heard(agent, &lines);
            assert_eq!((events.len(), failure), (mutated.len(), None), "{agent}: {message}");
        }
    }
}

#[test]
fn a31_unknown_words_are_kept_as_they_came() {
    let zzz = "zzz-unknown";
    for (agent, sample) in SAMPLES {
        for message in sampled(sample, "agent -> client") {
            let update = message.pointer("/params/update").cloned().unwrap_or_default();
            for (part, sort) in [("sessionUpdate", 0), ("kind", 1), ("status", 2)] {
                if update.get(part).is_none() || message["method"] != "session/update" {
                    continue;
                }
                let mut changed = message.clone();
                changed["params"]["update"][part] = json!(zzz);
                let (events, _, _) = heard(agent, &format!("{changed}\n"));
                match (sort, &events[0]) {
                    (0, Event::Told(Update::Unknown(kept), _)) => assert_eq!(*kept, changed["params"]["update"]),
                    (1, Event::Told(Update::Call(call), _)) => assert_eq!(call.kind, Some(CallKind::word(zzz))),
                    (2, Event::Told(Update::Call(call), _)) => assert_eq!(call.state, Some(CallState::word(zzz))),
                    (_, other) => panic!("{agent}: {changed} became {other:?}"),
                }
            }
            if let Some(result) = message.get("result").filter(|result| result.get("stopReason").is_some()) {
                let mut changed = result.clone();
                changed["stopReason"] = json!(zzz);
                assert_eq!(stop_reason(&changed), Word::Unknown(zzz.to_owned()));
            }
        }
    }
}

#[test]
fn a31_an_update_that_is_a_sign_of_trouble_keeps_what_it_says() {
    let line = json!({"method": "session/update", "params": {"update": {
        "sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "Reconnecting... 1/1"},
        "_meta": {"codex": {"error": {"willRetry": true, "status": 529}}}}}});
    let (events, _, _) = heard("codex", &format!("{line}\n"));
    let said = Update::Said("Reconnecting... 1/1".to_owned());
    assert_eq!(events, [Event::Told(said, Some(Sign::Retrying { status: Some(529) }))]);
}

#[test]
fn what_we_send_has_the_form_that_the_agents_took() {
    for (agent, sample) in SAMPLES {
        let asked: Vec<Value> = sampled(sample, "agent -> client")
            .into_iter()
            .filter(|message| message["method"] == "session/request_permission")
            .collect();
        let lines = lines(&asked);
        let (_, _, sent) = heard(agent, &lines);
        assert_eq!(sent.len(), asked.len(), "{agent}: each is answered once");
        for (answer, asked) in sent.iter().zip(&asked) {
            assert_eq!(answer["id"], asked["id"]);
            let taken = &answer["result"]["outcome"];
            let options = asked["params"]["options"].as_array().cloned().unwrap_or_default();
            // In the samples long lists are cut.
            let kind =
                options.iter().find(|option| option["optionId"] == taken["optionId"]).map(|option| &option["kind"]);
            let ours = asked.to_string().contains("grill_") && asked["params"]["toolCall"]["kind"] == "other";
            match kind.and_then(Value::as_str) {
                Some("allow_once") => assert!(ours, "{agent}: {asked}"),
                Some("reject_once" | "reject_always") => assert!(!ours, "{agent}: {asked}"),
                None => assert_eq!(taken["outcome"], "cancelled"),
                Some(other) => panic!("{agent}: {other} is never chosen"),
            }
        }
        let load = sampled(sample, "client -> agent").into_iter().find(|message| message["method"] == "session/load");
        let Some(load) = load else { continue };
        let names: Vec<&String> = load["params"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["cwd", "mcpServers", "sessionId"]);
    }
}

#[test]
fn files_and_terminals_are_refused_and_other_requests_are_unknown() {
    let lines = r#"{"id":"f","method":"fs/read_text_file","params":{"path":"/repo/a"}}
{"id":1,"method":"fs/write_text_file","params":{"path":"/repo/a","content":"x"}}
{"id":2,"method":"terminal/create","params":{"command":"touch a"}}
{"id":3,"method":"terminal/warp"}
{"id":4,"method":"session/teleport","params":{}}
"#;
    let (events, failure, sent) = heard("grok", lines);
    assert_eq!((events.len(), failure), (5, None));
    let codes: Vec<i64> = sent.iter().map(|answer| answer["error"]["code"].as_i64().unwrap()).collect();
    assert_eq!(codes, [NOT_FOUND, NOT_ALLOWED, NOT_ALLOWED, NOT_ALLOWED, NO_SUCH_METHOD]);
    assert_eq!(sent[0]["id"], "f");
}

#[test]
fn a5_ten_lines_of_junk_in_a_row_are_no_protocol() {
    let nine = "hello\n".repeat(MOST_JUNK - 1);
    let alive = "{\"method\":\"x\"}\n";
    let (events, failure, _) = heard("pi", &format!("{nine}{alive}{nine}{alive}"));
    assert_eq!((events.len(), failure), (2 * MOST_JUNK, None));
    let (_, failure, _) = heard("pi", &format!("{nine}hello\n{alive}"));
    assert_eq!(failure, Some(Failure::NotAcp { said: "hello".to_owned() }));
}

#[test]
fn a35_a_form_is_answered_once_in_the_shape_of_whoever_asked() {
    for (agent, method, word) in [("claude", "elicitation/create", "action"), ("grok", "_x.ai/mcp/elicit", "outcome")] {
        for (reply, answer) in [
            (ServerReply::Sent(vec![("a".to_owned(), ServerValue::Number("1".to_owned()))]), "accept"),
            (ServerReply::Declined, "decline"),
            (ServerReply::Closed, "cancel"),
        ] {
            let asked = json!({"id": 9, "method": method, "params": {"message": "Sure?",
                "requestedSchema": {"properties": {"a": {"type": "integer"}}}}});
            let preset = Preset::named(agent).unwrap();
            let rules = Rules { preset, server: Some("grill"), may: May::LOOK, only_reads: &|_| false };
            let (mut reader, writer) = pipe().unwrap();
            let output = Box::new(Cursor::new(lines(&[asked]).into_bytes()));
            let mut client = Client::new(Streams { input: Box::new(writer), output, errors: Box::new(empty()) }, None);
            let Ok(Some(Event::Asks(form))) = client.next(Duration::from_secs(20), &rules) else { panic!("no form") };
            assert_eq!(form.asked.message, "Sure?");
            client.fill(&form, reply).unwrap();
            client.fill(&form, ServerReply::Declined).unwrap();
            client.cancel("s").unwrap();
            drop(client);
            let mut sent = String::new();
            reader.read_to_string(&mut sent).unwrap();
            let sent: Vec<Value> = sent.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!((sent.len(), &sent[1]["method"]), (2, &json!("session/cancel")), "{sent:?}");
            let mut expected = json!({word: answer});
            if answer == "accept" {
                expected["content"] = json!({"a": 1});
            }
            assert_eq!(sent[0], json!({"jsonrpc": "2.0", "id": 9, "result": expected}));
        }
    }
}

#[test]
fn a35_an_agent_that_is_gone_gets_no_answer_any_more() {
    let preset = Preset::named("claude").unwrap();
    let rules = Rules { preset, server: Some("grill"), may: May::LOOK, only_reads: &|_| false };
    let (mut reader, writer) = pipe().unwrap();
    let asked = lines(&[json!({"id": 9, "method": "elicitation/create", "params": {"message": "Sure?"}})]);
    let output = Box::new(Cursor::new(asked.into_bytes()));
    let mut client = Client::new(Streams { input: Box::new(writer), output, errors: Box::new(empty()) }, None);
    let Ok(Some(Event::Asks(form))) = client.next(Duration::from_secs(20), &rules) else { panic!("no form") };
    assert!(client.waits_for(&form));
    assert!(matches!(client.next(Duration::from_secs(20), &rules), Err(Failure::Gone { .. })));
    assert!(!client.waits_for(&form));
    client.fill(&form, ServerReply::Sent(Vec::new())).unwrap();
    drop(client);
    let mut sent = String::new();
    reader.read_to_string(&mut sent).unwrap();
    assert_eq!(sent, "");
}

#[test]
fn an_agent_that_does_not_read_stops_nobody() {
    let (_reader, writer) = pipe().unwrap();
    let (from, _told) = pipe().unwrap();
    let mut client =
        Client::new(Streams { input: Box::new(writer), output: Box::new(from), errors: Box::new(empty()) }, None);
    let text = "x".repeat(64 * 1024);
    let refused = (0..10_000).find_map(|_| client.prompt("s", &text, &[]).err());
    assert_eq!(refused, Some(Failure::Unread));
    // Long before so many messages wait: they are bounded by their bytes, too.
    let (_reader, writer) = pipe().unwrap();
    let long = "7".repeat(1024 * 1024);
    let asked = std::iter::repeat_n(lines(&[json!({"id": long, "method": "nobody/knows", "params": {}})]), 64);
    let output = Box::new(Cursor::new(asked.collect::<String>().into_bytes()));
    let mut client = Client::new(Streams { input: Box::new(writer), output, errors: Box::new(empty()) }, None);
    let preset = Preset::named("claude").unwrap();
    let rules = Rules { preset, server: Some("grill"), may: May::LOOK, only_reads: &|_| false };
    let taken = (0..64).take_while(|_| client.next(Duration::from_mins(1), &rules).is_ok()).count();
    assert_eq!(taken, 31, "refusals of a little more than 1 MiB wait, and no more");
}
