//! A plan that a fresh agent carries out in a copy of its own (P22).

use serde_json::json;

use super::Lent;
use crate::conversation::Sitting;
use crate::leading::{ENTER, play, walled};
use crate::pty::shows;

#[test]
fn p22_a_plan_is_lent_to_a_fresh_agent_and_what_it_made_comes_back_through_accept() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    play(&lent, &json!({"turns": [[{"shell": "echo limits >limits.txt"}, {"say": "1: written"}]]}));
    lent.run("git grill plan on rate limiting").assert_code(0);
    lent.run_with_input("git grill plan set -", "1. write `limits.txt`\n2. say so\n").assert_code(0);
    let words = ["plan", "execute", "--agent", "scripted"];

    // What can be refused at once approves nothing.
    lent.write("dirty.txt", "x\n");
    let (code, screen) = Sitting::at(&lent, &words, 50, 140, &[]).end();
    assert_eq!(code, 1, "{screen}");
    let way = "git grill plan execute ends plan mode, in which git refuses commits; then commit what git status shows, or git stash -u; \
               then type it again";
    assert!(shows(&screen, way), "{screen}");
    lent.run("git grill agent start --agent scripted --profile worktree-edit x").assert_code(1).assert_contains(
        "git grill plan off ends plan mode, in which git refuses commits; then commit what git status shows, or git stash -u; then \
         type it again",
    );
    let unknown = lent.run("git grill plan execute --agent nobody");
    assert_ne!(unknown.code, 0, "{unknown}");
    lent.run("rm dirty.txt && git grill plan show").assert_contains("not being executed");

    // Whoever wants no agent has approved the plan all the same, and is asked again by the same command.
    let mut sitting = Sitting::at(&lent, &words, 50, 140, &[]);
    sitting.pty.wait_for("[y/n]");
    sitting.pty.send("y");
    sitting.below("Start scripted (", "digits jump");
    sitting.pty.send("3");
    sitting.pty.send(ENTER);
    let (code, screen) = sitting.end();
    assert_eq!(code, 5, "{screen}");
    let told = "the plan is approved and being executed, but no agent was started; the same command asks again";
    assert!(screen.contains(told) && !screen.contains("nothing changed"), "{screen}");
    assert!(!lent.repo().join(".git/grill/agents/g1").exists());

    // What is not committed is no dead end.
    lent.write("dirty.txt", "x\n");
    lent.run("git grill agent start --agent scripted --profile worktree-edit x")
        .assert_code(1)
        .assert_contains("commit what git status shows, or git stash -u; then type it again");
    lent.run("git add dirty.txt && git commit -qm dirty").assert_code(0);

    let mut sitting = Sitting::at(&lent, &words, 50, 110, &[]);
    sitting.below("Start scripted (", "digits jump");
    sitting.pty.send("1");
    sitting.pty.send(ENTER);
    let (code, screen) = sitting.end();
    assert_eq!(code, 0, "{screen}");
    assert!(screen.contains("g1 began: scripted works on t1 (worktree-edit)"), "{screen}");
    lent.rests("g1");
    let prompt = lent.read(".git/grill/agents/g1/turns/t1/prompt.md");
    for part in
        ["Carry out this plan", "1. write `limits.txt`\n2. say so", "What was understood before:", "rate limiting"]
    {
        assert!(prompt.contains(part), "{part}: {prompt}");
    }
    assert!(!lent.repo().join("limits.txt").exists());
    let mut accepting = Sitting::at(&lent, &["agent", "accept", "g1"], 50, 110, &[]);
    accepting.below(" of g1?", "digits jump");
    accepting.pty.send("1");
    accepting.pty.send(ENTER);
    accepting.ends_with(0);
    assert_eq!(lent.read("limits.txt"), "limits\n");
    lent.run("git grill todos --outside").assert_code(0).assert_lacks("limits.txt");
    lent.told("cancel g1");
    lent.is_over();
}

/// A repository that was unpacked or copied brings its configuration, and what that names is a program of somebody else's.
#[test]
fn a13_before_the_yes_no_filter_of_the_repository_s_own_is_run() {
    if !walled() {
        return;
    }
    let lent = Lent::new();
    let plant = "echo '* filter=evil' >.git/info/attributes && git config filter.evil.clean 'touch ../ran; cat' &&
        git config filter.evil.smudge 'touch ../ran; cat' && touch -d 2001-01-01 README.md";
    lent.run(plant).assert_code(0);
    let words = ["agent", "start", "--agent", "scripted", "--profile", "worktree-edit", "x"];
    let mut sitting = Sitting::at(&lent, &words, 50, 110, &[]);
    sitting.below("Start scripted (", "digits jump");
    sitting.pty.send("3");
    sitting.pty.send(ENTER);
    let (code, screen) = sitting.end();
    assert_ne!(code, 0, "{screen}");
    let looked = lent.run("git grill agent status; git grill doctor");
    assert!(!looked.stderr.contains("panicked"), "{looked}");
    assert!(!lent.repo().join("../ran").exists(), "a program of the repository was run");
}
