//! `fixtures/guard/recorded`: what real agents sent to the guard, an agent and its version a file, with the phase in which
//! it was sent and what was said to it. The stories of `agents::story` record them (`GRILL_RECORD=1`).

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Map, Value};

use super::{guard, interview, produce, says};
use crate::bench::{Bench, Output};

struct Sent {
    /// The agent and its version.
    by: String,
    agent: String,
    phase: String,
    verdict: String,
    payload: Map<String, Value>,
}

fn recorded() -> Vec<Sent> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/guard/recorded");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let by = path.file_stem().unwrap().to_str().unwrap().to_owned();
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let text = |key: &str| line[key].as_str().unwrap().to_owned();
            let agent = by.split('-').next().unwrap().to_owned();
            let payload = line["payload"].as_object().unwrap().clone();
            all.push(Sent { by: by.clone(), agent, phase: text("phase"), verdict: text("verdict"), payload });
        }
    }
    all
}

fn ask(bench: &Bench, agent: &str, payload: &Map<String, Value>) -> Output {
    guard(bench, Path::new("."), agent, Value::Object(payload.clone()).to_string().as_bytes())
}

/// Spellings of one field that come together.
const PAIRS: [(&str, &str); 3] =
    [("tool_name", "toolName"), ("tool_input", "toolInput"), ("hook_event_name", "hookEventName")];

#[test]
fn g37_what_real_agents_sent_is_ruled_on_as_it_was() {
    let (in_selection, in_output) = (interview(), interview());
    in_selection.run("git grill select").assert_code(0);
    produce(&in_output);
    // In the output selection nothing may change either, so that what was said in the interview is said there too.
    let phases: [(&str, Bench, &[&str]); 4] = [
        ("interview", interview(), &["interview"]),
        ("output-selection", in_selection, &["output-selection", "interview"]),
        ("output", in_output, &["output"]),
        ("none", Bench::new(), &["none"]),
    ];
    let all = recorded();
    let mut played = BTreeSet::new();
    for (phase, bench, sent_in) in &phases {
        for Sent { by, agent, payload, verdict, phase: sent } in &all {
            if !sent_in.contains(&sent.as_str()) {
                continue;
            }
            let output = ask(bench, agent, payload);
            assert_eq!(says(agent, &output), verdict, "{by} in {phase}: {payload:?}\n{output}");
            played.insert((by, sent));
        }
    }
    for Sent { by, phase, .. } in &all {
        assert!(played.contains(&(by, phase)), "{by}: what was sent in {phase} was not played");
    }
}

#[test]
fn g37_one_spelling_says_as_much_as_both_and_two_that_differ_are_refused() {
    let bench = interview();
    let mut tried = 0;
    for Sent { by, agent, payload, verdict, phase } in recorded() {
        for (one, other) in PAIRS {
            if phase != "interview" || !(payload.contains_key(one) && payload.contains_key(other)) {
                continue;
            }
            tried += 1;
            for key in [one, other] {
                let mut alone = payload.clone();
                alone.remove(key);
                assert_eq!(says(&agent, &ask(&bench, &agent, &alone)), verdict, "{by} without {key}: {payload:?}");
                let mut differing = payload.clone();
                differing
                    .insert(key.to_owned(), if key.ends_with("nput") { serde_json::json!({}) } else { "ls".into() });
                if differing[one] == differing[other] {
                    continue;
                }
                let output = ask(&bench, &agent, &differing);
                assert_eq!(says(&agent, &output), "refuse", "{by} with another {key}: {payload:?}");
                assert!(output.stderr.contains(key), "{by} with another {key}: {output}");
            }
        }
    }
    assert!(tried > 10, "only {tried} pairs");
}
