//! `git grill guard`: payloads of every agent against real sessions, and everything that can go wrong with a hook.

mod clone;
mod faults;
mod payloads;
mod places;
mod recorded;
mod shims;
mod typed;

use std::path::Path;

pub use payloads::{reading_alone_passes, whatever_is_understood_passes};

use crate::bench::{Bench, Output};

/// A repository with an interview, answered by scripts.
pub fn interview() -> Bench {
    let bench = Bench::new();
    bench.write("docs/.keep", "");
    bench.write("src/main.rs", "fn main() {}\n");
    start(&bench);
    bench
}

/// Begins an interview in which a script's word approves.
pub fn start(bench: &Bench) {
    bench.scripts_may_approve();
    bench.run("git grill start --research off 'one question'").assert_code(0);
}

/// Goes on to the output phase, with `docs/adr.md` approved.
pub fn produce(bench: &Bench) {
    bench.run("git grill select design-doc --path docs/adr.md").assert_code(0);
}

/// Asks the guard at `place` about a payload, in which `$REPO` and `$HOME` are put in.
pub fn guard(bench: &Bench, place: &Path, agent: &str, payload: &[u8]) -> Output {
    bench.at(place).run_with_input(&format!("git-grill guard --for {agent}"), filled(bench, payload))
}

fn filled(bench: &Bench, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = payload;
    while let Some(at) = rest.iter().position(|byte| *byte == b'$') {
        bytes.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        let (name, value) = [("$REPO", bench.repo().to_path_buf()), ("$HOME", bench.root().join("home"))]
            .into_iter()
            .find(|(name, _)| rest.starts_with(name.as_bytes()))
            .unwrap_or(("$", "$".into()));
        bytes.extend_from_slice(value.to_str().unwrap().as_bytes());
        rest = &rest[name.len()..];
    }
    bytes.extend_from_slice(rest);
    bytes
}

/// Whether a refusal says within 200 characters what to do, with a tool that an agent can call: agents cut off the rest.
pub fn leads_on(refusal: &str) -> bool {
    let first: String = refusal.chars().take(200).collect();
    first.contains("grill_status") && refusal.contains(". Refused: ")
}

/// Whether the answer is a yes or the one portable no; anything else is neither and fails the test.
#[track_caller]
pub fn says(agent: &str, output: &Output) -> &'static str {
    match output.code {
        0 => {
            let heard = if agent == "cursor" { "{\"permission\":\"allow\"}\n" } else { "" };
            assert_eq!((output.stdout.as_str(), output.stderr.as_str()), (heard, ""), "{output}");
            "pass"
        }
        2 => {
            assert_eq!(output.stdout, "", "{output}");
            assert_eq!(output.stderr.lines().count(), 1, "{output}");
            assert!(output.stderr.starts_with("git grill: ") && output.stderr.ends_with('\n'), "{output}");
            assert!(
                leads_on(&output.stderr),
                "nothing to do, and no tool to do it with, within 200 characters: {output}"
            );
            "refuse"
        }
        _ => panic!("neither yes nor no: {output}"),
    }
}
