//! With research off an agent sees nothing of the repository, and can ask all the same.

use serde_json::json;

use super::story::walled;
use super::{ENTER, asks, goes_on, scripted, started};
use crate::conversation::Sitting;

/// What an agent could look with; each line says what it found.
const LOOKS: &str = "echo files: $(ls -A); echo secret: $(cat secret.txt 2>&1); echo log: $(git log --oneline 2>&1); \
                     echo dir: $(ls -A .git 2>&1); echo up: $(cat ../repo/secret.txt 2>&1); \
                     echo peek: $(cat /proc/[0-9]*/cwd/secret.txt /proc/[0-9]*/root$PWD/secret.txt 2>/dev/null); \
                     umount \"$PWD\" 2>/dev/null; unshare -rm umount \"$PWD\" 2>/dev/null; echo again: $(ls -A); \
                     touch mine 2>&1; echo all was tried";

#[test]
fn g55_with_research_off_the_agent_sees_nothing_of_the_repository() {
    if !walled() {
        return;
    }
    for subfolder in [false, true] {
        let turns = json!([asks("First?"), [{"shell": LOOKS}], goes_on("Second?"), [{"sleep": 600_000}]]);
        let bench = scripted(&json!({"turns": turns}));
        bench.write("secret.txt", "the crown jewels");
        bench.write("below/deep.txt", "x");
        bench.run("git add -A && git commit -qm 'a telling subject'").assert_code(0);
        let mut sitting = if subfolder {
            let line = "cd below && exec git grill start --research off --interviewer scripted 'add rate limiting'";
            let mut sitting = Sitting::of_a_line(&bench, line);
            super::agree(&mut sitting);
            sitting
        } else {
            started(&bench)
        };
        sitting.below("question 1 ·", "digits jump");
        sitting.pty.send("/why\r");
        sitting.pty.wait_for("all was tried");
        sitting.below("question 1 ·", "digits jump");
        let screen = sitting.pty.screen();
        assert!(screen.contains("files:") && !screen.contains("jewels") && !screen.contains("telling"), "{screen}");
        sitting.pty.send("1");
        sitting.pty.send(ENTER);
        sitting.below("question 2 ·", "digits jump");
        let said = bench.run("git grill checkpoint show && ls -A").assert_code(0);
        said.assert_contains("Before: Second?").assert_contains("secret.txt");
        assert!(!bench.repo().join("mine").exists());
    }
}

#[test]
fn g55_with_research_auto_it_sees_the_repository() {
    if !walled() {
        return;
    }
    let bench = scripted(&json!({"turns": [asks("First?"), [{"shell": LOOKS}]]}));
    bench.write("secret.txt", "the crown jewels");
    let words = ["start", "--interviewer", "scripted", "add rate limiting"];
    let mut sitting = Sitting::at(&bench, &words, 50, 100, &[]);
    super::agree(&mut sitting);
    sitting.below("question 1 ·", "digits jump");
    sitting.pty.send("/why\r");
    sitting.pty.wait_for("secret: the crown jewels");
}
