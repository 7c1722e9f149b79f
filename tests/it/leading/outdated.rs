//! An agent whose version is too old: what that means is said before its first turn (G56).

use serde_json::json;

use super::story::walled;
use super::{agent, agree, asks, scripted};
use crate::bench::{Bench, executable};
use crate::conversation::Sitting;
use crate::pty::shows;

/// Starts an interview with the agent of a preset, whose program has these lines.
fn with(bench: &Bench, name: &str, program: &str, lines: &str) -> Sitting {
    let words = format!("git grill start --research off --interviewer {name} 'add rate limiting'");
    let mut sitting = typed(bench, program, lines, &words);
    agree(&mut sitting);
    sitting
}

/// The same for a trial of it.
fn trial(bench: &Bench, name: &str, program: &str, lines: &str) -> Sitting {
    let mut sitting = typed(bench, program, lines, &format!("git grill agent preflight {name}"));
    sitting.below("for a trial of one turn?", "digits jump");
    sitting.pty.send("\r");
    sitting
}

fn typed(bench: &Bench, program: &str, lines: &str, words: &str) -> Sitting {
    let folder = bench.root().join("bin");
    executable(&folder.join(program), format!("#!/bin/sh\n{lines}\n"));
    Sitting::of_a_line(bench, &format!("PATH={}:$PATH; export PATH; exec {words}", folder.display()))
}

#[test]
fn g56_one_that_is_too_old_for_a_part_leads_and_that_is_said_before_its_first_turn() {
    if !walled() {
        return;
    }
    for (version, is_said) in [("0.43.2", true), ("0.44.0", false)] {
        let tells = json!({"agentInfo": {"name": "x", "version": version}});
        let bench = scripted(&json!({"initialize": tells, "turns": [asks("First?")]}));
        let lines = format!("exec {} --script {}", agent().display(), bench.root().join("script.json").display());
        let (_, screen) = trial(&bench, "claude", "claude-agent-acp", &lines).end();
        let says = "claude leads with less, since its version 0.43.2 is too old, git grill needs 0.44.0 or newer: ";
        assert_eq!(shows(&screen, says), is_said, "{screen}");
        let sitting = with(&bench, "claude", "claude-agent-acp", &lines);
        if is_said {
            sitting.pty.wait_for("claude leads with less, since its version 0.43.2 is too old");
            sitting.below("npm install -g @agentclientprotocol/claude-agent-acp installs one", "digits jump");
        }
        sitting.below("question 1 ·", "digits jump");
        assert_eq!(sitting.pty.screen().contains("is too old"), is_said, "{}", sitting.pty.screen());
        sitting.pause();
    }
}

#[test]
fn g56_one_that_is_too_old_to_start_is_told_as_that_with_what_installs_a_newer_one() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({}));
    let lines = "if [ \"$1\" = --version ]; then echo 0.32.1; else echo 'Unknown argument: acp' >&2; exit 1; fi";
    let (code, screen) = trial(&bench, "gemini", "gemini", lines).end();
    assert!(code == 128 && shows(&screen, "gemini was not started, since its version 0.32.1 is too old"), "{screen}");
    assert!(!screen.contains("Unknown argument"), "{screen}");
    let mut sitting = with(&bench, "gemini", "gemini", lines);
    sitting.pty.wait_for("gemini was not started, since its version 0.32.1 is too old");
    sitting.pty.wait_for("hint: npm install -g @google/gemini-cli installs one that fits");
    sitting.below("How should the interview continue?", "digits jump");
    assert!(!sitting.pty.screen().contains("Unknown argument"), "{}", sitting.pty.screen());
    sitting.pty.send("\r");
    sitting.below("question 1 ·", "Tab alternatives");
}
