//! Real coding agents in the roles, with a scripted model on 127.0.0.1 (D19, D28, D29, D32). They take the agents' programs;
//! see the top of `agents.rs`.

use serde_json::{Value, json};

use super::{DOSSIER, PROPOSAL, attack, critique, synthesis};
use crate::agents::known::{QUIET, named};
use crate::agents::led::model;
use crate::agents::programs;
use crate::bench::Bench;
use crate::conversation::Sitting;
use crate::leading::ENTER;
use crate::pty::shows;

/// What the model says in each role, told by the first words of its prompt.
fn script() -> Value {
    let claim = "- [high] Nothing limits bursts\n  Evidence: src/limit.rs:1 \"fn limit()\"\n";
    // The objection is named as the prompt named it.
    let assessed = [("{{heard:(o-[0-9a-f]{8})}}".to_owned(), "valid — it is taken in")];
    json!([{"answers": [
        {"heard": "You are the proposer", "say": PROPOSAL},
        {"heard": "you have not seen it: judge the idea", "say": critique("", "sound")},
        {"heard": "This is round 1. Attack the proposal", "say": attack(claim)},
        {"heard": "This is round 2. Attack the proposal", "say": attack("")},
        {"heard": "This is round 1. Rewrite the whole", "say": synthesis(&assessed, "One store: shared")},
        {"heard": "This is round 2. Rewrite the whole", "say": synthesis(&[], "One store: shared")},
    ]}])
}

/// A whole debate in which one agent proposes and sums up, and the other attacks: begun at a terminal by the person, who
/// agrees to each of them, and is heard in both rounds.
fn debates(proposer: &str, advocate: &str) {
    let bench = Bench::on_disk(Bench::new);
    bench.with_account();
    bench.write("dossier.md", DOSSIER);
    bench.write("src/limit.rs", "fn limit() {\n    count();\n}\n\nfn count() {}\n");
    bench.run("git add -A && git commit -qm begun").assert_code(0);
    let model = model(&bench, &script());
    let set_up = [proposer, advocate].map(|name| named(name).set_up).join("\n");
    let at_hand = format!("export {QUIET} PATH={}:$PATH PORT=$(cat ../port);\n{set_up}\n", programs());
    let roles = format!("--proposer agent:{proposer} --advocate agent:{advocate} --synthesizer agent:{proposer}");
    let line = format!("{at_hand} exec git grill debate start --dossier dossier.md --rounds 2 {roles}");
    let mut sitting = Sitting::of_a_line(&bench, &line);
    sitting.pty.wait_for("[y/n]");
    sitting.pty.send("y");
    for title in ["Claude Code", "opencode"] {
        sitting.below(&format!("Start {title} ("), "digits jump");
        sitting.pty.send("2");
        sitting.pty.send(ENTER);
    }
    for round in 1..=2 {
        for (question, key) in [
            ("Do you agree with the attack?", "1\r"),
            ("Do you have a concern that the attack missed?", "2\r"),
            ("Do you override any part of the proposal?", "2\r"),
        ] {
            // The questions of the round before stand there as well.
            let is_asked = |screen: &str| {
                let now = screen.rsplit_once(&format!("round {round} of 2;")).map(|(_, now)| now);
                now.and_then(|now| now.rsplit_once(question)).is_some_and(|(_, below)| shows(below, "digits jump"))
            };
            sitting.pty.wait_until(question, is_asked);
            sitting.pty.send(key);
        }
    }
    sitting.pty.wait_for("ended by agreement after 2 rounds");
    let (code, screen) = sitting.end();
    drop(model);
    assert_eq!(code, 0, "{screen}");
    let status = bench.run("git grill status --json").assert_code(0);
    let status: Value = serde_json::from_str(status.stdout()).unwrap();
    let debate = &status["debate"];
    assert_eq!((&debate["termination"], &debate["round"]), (&json!("nash"), &json!(2)), "{debate}");
    let objection = &debate["objections"][0];
    assert_eq!(objection["evidence"][0]["find"], "found", "{objection}");
    let record = bench.run("git show GRILL_HEAD:.grill/debate/1/record.md").assert_code(0);
    assert!(record.stdout().contains(&format!("- Proposal: agent:{proposer} (")), "{}", record.stdout());
    assert!(record.stdout().contains(&format!("agent:{advocate}")), "{}", record.stdout());
    // Each text had a session of its own, and nothing of them goes on.
    let sessions = bench.run("git grill agent status --json").assert_code(0);
    let sessions: Value = serde_json::from_str(sessions.stdout()).unwrap();
    let each: Vec<&str> =
        sessions["sessions"].as_array().unwrap().iter().map(|one| one["state"].as_str().unwrap()).collect();
    assert_eq!(each, ["cleaned"; 6], "{sessions}");
}

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn d19_claude_proposes_and_opencode_attacks() {
    debates("claude", "opencode");
}

#[test]
#[ignore = "takes the agents' programs; see the top of agents.rs"]
fn d19_opencode_proposes_and_claude_attacks() {
    debates("opencode", "claude");
}
