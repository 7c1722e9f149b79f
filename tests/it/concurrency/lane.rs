//! One of the processes: commands one after the other, and what became of each.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::verbs::{VERBS, Verb};
use crate::bench::{Output, Place};

pub struct Done {
    pub verb: &'static Verb,
    /// What it wrote, if it recorded anything.
    pub token: String,
    pub code: i32,
    pub took: Duration,
}

impl Done {
    /// Whether it said that its words are recorded.
    pub fn is_acknowledged(&self) -> bool {
        self.verb.records && matches!(self.code, 0 | 3)
    }
}

pub fn run(at: &Place<'_>, backend: &str, lane: usize, commands: usize) -> Vec<Done> {
    let mut done = Vec::new();
    let mut question = "q-aaaaaa".to_owned();
    for step in 0..commands {
        let verb = &VERBS[(lane * 5 + step) % VERBS.len()];
        let token = format!("w{lane:03}x{step:03}");
        let fill = |text: &str| text.replace("TOKEN", &token).replace("QUESTION", &question);
        let command = format!("GRILL_BACKEND={backend} git-grill {}", fill(verb.line));
        let begun = Instant::now();
        let output = at.run_with_input(&command, fill(verb.stdin));
        let took = begun.elapsed();
        judge(&output, verb);
        if let Some(id) = open_question(&output) {
            question = id;
        }
        done.push(Done { verb, token, code: output.code, took });
    }
    done
}

/// It went well, or a race was lost (4), or the session's state forbade it by a name that the table allows (1). A
/// question that nobody could be asked stands all the same (3).
fn judge(output: &Output, verb: &Verb) {
    let told = || serde_json::from_str::<Value>(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output}"));
    match output.code {
        0 | 4 => {}
        3 if verb.name == "tool ask_question" => assert!(told()["question"]["id"].is_string(), "{output}"),
        // There is no such concern yet, or none any more.
        2 if verb.name == "waive" => assert_eq!(told()["error"]["code"], "usage", "{output}"),
        1 => {
            let told = told();
            let code = told["error"]["code"].as_str().unwrap_or_default();
            assert!(verb.refusals.contains(&code), "{}: {output}", verb.name);
        }
        _ => panic!("{}: {output}", verb.name),
    }
    // Beside the result nothing is complained of, unless somebody's lock was really in the way.
    assert!(!output.stderr.contains("caused by"), "{output}");
}

fn open_question(output: &Output) -> Option<String> {
    let told: Value = serde_json::from_str(&output.stdout).ok()?;
    Some(told["question"]["id"].as_str()?.to_owned())
}
