//! Coding agents in the roles (D19, D28, D32, A11), and what a debate takes out of an interview (D4, D26).

use serde_json::json;

use super::{DOSSIER, PROPOSAL, critique};
use crate::bench::Bench;
use crate::conversation::Sitting;
use crate::leading::{ENTER, play, scripted, story::walled};

fn world(said: &str) -> Bench {
    let bench = scripted(&json!({}));
    bench.write("dossier.md", DOSSIER);
    bench.write("../tmp/roles/critique.md", critique("", "sound"));
    play(&bench, &json!({"turns": [[{ "say": said }]]}));
    bench
}

/// Begins a debate whose proposer is the agent, and agrees to it for good.
fn begun(bench: &Bench) -> Sitting {
    let roles = ["--proposer", "agent:scripted", "--advocate", "file:../tmp/roles/critique.md"];
    let words = [&["debate", "start", "--dossier", "dossier.md"][..], &roles[..]].concat();
    let mut sitting = Sitting::at(bench, &words, 50, 110, &[]);
    sitting.pty.wait_for("[y/n]");
    sitting.pty.send("y");
    sitting.below("Start scripted (", "digits jump");
    sitting.pty.send("2");
    sitting.pty.send(ENTER);
    sitting
}

#[test]
fn d19_d28_d32_a_coding_agent_plays_a_role_in_a_fresh_session_of_its_own() {
    if !walled() {
        return;
    }
    let bench = world(PROPOSAL);
    let sitting = begun(&bench);
    // The critique is taken, and the file is no attack: there it ends.
    sitting.pty.wait_for("attack");
    sitting.ends_with(1);
    let status: serde_json::Value = serde_json::from_str(&bench.run("git grill status --json").stdout).unwrap();
    assert_eq!(status["debate"]["step"], "attack");
    let author = bench.run("git log --format=%an --grep='proposal by agent:scripted' GRILL_HEAD").stdout;
    assert_eq!(author.trim(), "scripted (via git grill)");
    let record = bench.run("git show GRILL_HEAD:.grill/debate/1/record.md").stdout;
    assert!(record.contains("- Proposal: agent:scripted (.grill/debate/1/round-1/proposal.md; "), "{record}");
    // Nothing of its session goes on.
    bench.run("git grill agent status").assert_code(0).assert_contains("g1");
    bench.run("git grill agent log g1").assert_code(0).assert_contains("local-review");
    bench.run("git grill agent send g1 more --confirm-provider-use").assert_code(1);
}

#[test]
fn d6_d30_an_agent_whose_text_lacks_something_is_asked_again_in_another_session() {
    if !walled() {
        return;
    }
    let bench = world("I propose nothing.");
    let sitting = begun(&bench);
    sitting.pty.wait_for("after 3 tries");
    sitting.ends_with(128);
    bench.run("git grill agent log g3").assert_code(0);
    bench.run("git grill debate log").assert_code(0).assert_contains("no proposal by agent:scripted");
    // Without a person who agrees, none is started.
    bench.run("CLAUDECODE=1 git grill debate next").assert_code(1);
    bench.run("git grill agent log g4").assert_code(6);
}

#[test]
fn d4_d26_in_an_interview_the_open_question_is_debated_after_the_user_s_yes() {
    let bench = Bench::new();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    let mut sitting = Sitting::at(&bench, &["debate"], 50, 110, &[]);
    sitting.below("What is to be debated?", "digits jump");
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("## Alternatives");
    sitting.pty.wait_for("[y/n]");
    sitting.pty.send("n");
    sitting.ends_with(5);
    bench.run("git grill debate status").assert_code(1);
}
