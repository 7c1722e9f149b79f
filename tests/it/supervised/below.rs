//! What is typed in a folder below the top means all of the repository there, too.

use serde_json::json;

use super::Lent;
use crate::conversation::Sitting;
use crate::leading::{ENTER, play, walled};

/// A repository with a folder, and an agent that writes at the top and in that folder.
fn with_a_folder() -> Lent {
    let lent = Lent::new();
    lent.run("mkdir src && echo 1 >src/limit.rs && git add -A && git commit -qm src").assert_code(0);
    let line = "echo top >top.txt && echo new >src/new.rs && echo 2 >>src/limit.rs";
    play(&lent, &json!({"turns": [[{"shell": line}, {"say": "done"}]]}));
    lent
}

#[test]
fn a15_the_line_that_applies_an_agents_changes_applies_all_of_them_below_the_top() {
    if !walled() {
        return;
    }
    let lent = with_a_folder();
    lent.agrees(&["--profile", "worktree-edit", "write"]);
    lent.rests("g1");
    lent.run("git grill agent changes g1").assert_code(0).assert_contains("\n  git apply --3way /");
    let told = lent.run("cd src && git grill agent changes g1").assert_code(0).stdout().to_owned();
    let line = told.lines().find(|line| line.contains(" apply --3way ")).unwrap().trim();
    assert!(line.starts_with("git -C "), "{line}");
    lent.run(&format!("cd src && {line}")).assert_code(0);
    assert_eq!(
        (lent.read("top.txt"), lent.read("src/new.rs"), lent.read("src/limit.rs")),
        ("top\n".to_owned(), "new\n".to_owned(), "1\n2\n".to_owned())
    );
    lent.told("cancel g1");
    lent.is_over();
}

#[test]
fn p22_an_agent_that_carries_out_a_plan_starts_at_the_top_wherever_the_user_stands() {
    if !walled() {
        return;
    }
    let lent = with_a_folder();
    lent.run("git grill plan on limits").assert_code(0);
    lent.run_with_input("git grill plan set -", "1. Add `src/new.rs`\n").assert_code(0);
    let mut sitting = Sitting::of_a_line(&lent, "cd src && exec git grill plan execute --agent scripted");
    sitting.pty.wait_for("[y/n]");
    sitting.pty.send("y");
    sitting.below("Start scripted (", "digits jump");
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    sitting.ends_with(0);
    lent.rests("g1");
    let changes = lent.told("changes g1");
    let paths: Vec<&str> =
        changes["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["src/limit.rs", "src/new.rs", "top.txt"]);
    lent.told("cancel g1");
    lent.is_over();
}
