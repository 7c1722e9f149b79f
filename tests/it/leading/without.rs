//! What the run of a leading agent goes without is said at the terminal, and by the doctor beforehand: the agent's standard
//! error, where it stands for every other run, is read by nobody.

use std::os::unix::fs::symlink;

use serde_json::json;

use super::story::walled;
use super::{ENTER, agent, asks, play, started_with};
use crate::bench::Bench;
use crate::conversation::Sitting;

#[test]
fn a25_a_private_copy_in_place_of_a_layer_is_said_before_the_first_turn() {
    if !walled() {
        return;
    }
    let bench = Bench::on_disk(Bench::new);
    bench.with_account();
    // What it says in the same words is its own.
    play(&bench, &json!({"stderr": "warning: mine", "turns": [asks("First?")]}));
    // By the name of its program it is Codex, whose folder is in the repository here: nothing is layered there.
    let program = bench.root().join("codex");
    symlink(agent(), &program).unwrap();
    let command = format!("{} --script {}", program.display(), bench.root().join("script.json").display());
    bench.global_config(&format!("[grill \"agent.scripted\"]\n\tcommand = {command}\n"));
    bench.write(".codex/config.toml", "model = \"m\"\n");
    let folder = bench.repo().join(".codex");
    let folder = folder.to_str().unwrap();
    bench
        .run(&format!("CODEX_HOME={folder} git grill agent doctor scripted"))
        .assert_code(0)
        .assert_contains("without  CODEX_HOME points to a private copy of");
    let sitting = started_with(&bench, &[("CODEX_HOME", folder)]);
    sitting.below("warning: CODEX_HOME points to a private copy of", "question 1 ·");
    assert!(!sitting.pty.screen().contains("warning: mine"), "{}", sitting.pty.screen());
    sitting.pause();
    // A trial says it as well.
    let mut trial = Sitting::at(&bench, &["agent", "preflight", "scripted"], 50, 100, &[("CODEX_HOME", folder)]);
    trial.below("for a trial of one turn?", "digits jump");
    trial.pty.send(ENTER);
    trial.pty.wait_for("warning: CODEX_HOME points to a private copy of");
    trial.end();
    assert_eq!(bench.read(".codex/config.toml"), "model = \"m\"\n");
}
