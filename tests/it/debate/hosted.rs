//! A host brings its own roles, by the tool `grill_debate` (D19, D25, D29).

use serde_json::{Value, json};

use super::{DOSSIER, PROPOSAL, Stage, attack, critique};
use crate::bench::Bench;

/// Calls the tool as an agent's shell does; its exit code and its result.
fn call(bench: &Bench, request: &Value) -> (i32, String) {
    let output = bench.run_with_input("CLAUDECODE=1 git grill tool grill_debate", request.to_string());
    (output.code, output.stdout)
}

fn submits(bench: &Bench, role: &str, round: u32, text: &str) -> (i32, String) {
    call(bench, &json!({"action": "submit", "debate": 1, "role": role, "round": round, "text": text}))
}

fn hosted() -> Bench {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.write("dossier.md", DOSSIER);
    let roles = "--proposer host --advocate host --synthesizer me";
    bench.run(&format!("git grill debate start --dossier dossier.md {roles}")).assert_code(0);
    bench
}

#[test]
fn d19_d27_a_host_is_told_who_writes_next_and_hands_the_text_in() {
    let bench = hosted();
    let (code, told) = call(&bench, &json!({"action": "next"}));
    assert!(
        code == 0 && told.contains("debate 1, role proposer, round 1") && told.contains("Clients hammer the API."),
        "{told}"
    );
    let (code, told) = submits(&bench, "proposer", 1, "I propose nothing.");
    assert!(code == 1 && told.contains("it lacks the part “Architecture overview”"), "{told}");
    let (code, told) = submits(&bench, "proposer", 1, PROPOSAL);
    assert!(code == 0 && told.contains("role devils-advocate"), "{told}");
    // The critique is written before the proposal is seen.
    assert!(!told.contains("Token bucket"), "{told}");
    assert_eq!(submits(&bench, "devils-advocate", 1, &critique("", "sound")).0, 0);
    let cited = attack("- [high] It calls warp\n  Evidence: src/warp.rs:1 \"warp();\"\n");
    let (code, told) = submits(&bench, "devils-advocate", 1, &cited);
    assert!(code == 0 && told.contains("This step is the user's."), "{told}");
    bench.run("git grill debate show").assert_code(0).assert_contains("not there: there is no such file");
    let author = bench.run("git log --format=%an --grep='attack by host' GRILL_HEAD").stdout;
    assert_eq!(author.trim(), "claude (via git grill)");
}

#[test]
fn d19_d25_a_host_brings_no_other_text_and_answers_for_nobody() {
    let bench = hosted();
    for (role, round, said) in [
        ("general-purpose", 1, "is an agent for anything"),
        ("synthesizer", 1, "the text was not taken"),
        ("proposer", 2, "the text was not taken"),
    ] {
        let (code, told) = submits(&bench, role, round, PROPOSAL);
        assert!(code != 0 && told.contains(said), "{role}: {told}");
    }
    for request in [json!({"action": "submit"}), json!({"action": "submit", "round": 1}), json!({"action": "answer"})] {
        assert_ne!(call(&bench, &request).0, 0, "{request}");
    }
    // A text for a debate that has ended is none for the next one.
    let roles = "--proposer host --advocate host --synthesizer me";
    bench.run(&format!("git grill debate kill && git grill debate start --dossier dossier.md {roles}")).assert_code(0);
    let (code, told) = submits(&bench, "proposer", 1, PROPOSAL);
    assert!(code != 0 && told.contains("it was for debate 1, which has ended"), "{told}");
    // What the user did not give to a host, a host does not play.
    let stage = Stage::new("");
    let (code, told) = submits(&stage.bench, "proposer", 1, PROPOSAL);
    assert!(code != 0, "{told}");
    assert_eq!(stage.stands(), (1, "propose".to_owned()));
}
