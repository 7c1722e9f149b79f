//! How a conversation begins: an inferred topic, another topic, a session that waits.

use super::{CTRL_U, ENTER, ESCAPE, Sitting, TAB, said};
use crate::bench::{Bench, in_a_container};

fn sessions(bench: &Bench) -> usize {
    said(bench, "git for-each-ref refs/grill/sessions").lines().count()
}

/// In a container the group in the terminal's foreground may have no number, and neither has ours.
#[test]
#[cfg(target_os = "linux")]
fn a_terminal_of_a_container_is_asked_at() {
    let Some(container) = in_a_container("a terminal of a container") else { return };
    let bench = Bench::new();
    let sitting = Sitting::of_a_line(&bench, &format!("{container} git-grill start 'add rate limiting'"));
    sitting.open("question 1 ·");
    sitting.pause();
}

fn branched() -> Bench {
    let bench = Bench::new();
    bench.run("git checkout --quiet -b feature/brace-expansion").assert_code(0);
    bench
}

#[test]
fn g2_an_inferred_topic_is_confirmed() {
    let bench = branched();
    let mut sitting = Sitting::wide(&bench, &[]);
    sitting.pty.wait_for("› brace expansion");
    sitting.pty.wait_for("\nEnter starts, Esc cancels · from the branch 'feature/brace-expansion'");
    sitting.pty.send(ENTER);
    sitting.open("question 1 ·");
    sitting.pause();
    bench.run("git grill status").assert_code(0).assert_contains("topic        brace expansion\n");
}

#[test]
fn g2_an_inferred_topic_is_edited() {
    let bench = branched();
    let mut sitting = Sitting::wide(&bench, &["start"]);
    sitting.pty.wait_for("Enter starts");
    sitting.pty.send(CTRL_U);
    sitting.line("braces within braces");
    sitting.open("question 1 ·");
    sitting.pause();
    bench.run("git grill status").assert_code(0).assert_contains("topic        braces within braces\n");
}

#[test]
fn g2_a_cancelled_topic_creates_nothing() {
    let bench = branched();
    let mut sitting = Sitting::wide(&bench, &[]);
    sitting.pty.wait_for("Enter starts");
    sitting.pty.send(ESCAPE);
    let (code, screen) = sitting.end();
    assert_eq!(code, 5, "{screen}");
    assert_eq!(sessions(&bench), 0);
    bench.run("git grill status").assert_contains("no session");
}

/// An interview about rate limiting that was set aside for another one, which has ended.
fn set_aside(bench: &Bench) -> String {
    Sitting::begun(bench).pause();
    let id = said(bench, "git for-each-ref --format='%(refname:lstrip=3)' refs/grill/sessions");
    let mut sitting = Sitting::wide(bench, &["start", "something else"]);
    sitting.below("Which is meant?", "Esc cancels");
    sitting.line("2");
    sitting.open("question 1 ·");
    sitting.pause();
    bench.run("git grill stop --without-output").assert_code(0);
    id
}

#[test]
fn g2_an_unfinished_interview_is_offered_and_gone_on_with() {
    let bench = branched();
    let id = set_aside(&bench);
    // Where nobody can be asked, it is named. The one that ended is not.
    let way = format!("git grill resume {id} continues the newest unfinished session");
    bench.run("git grill").assert_code(3).assert_contains(&way);
    bench.run("git grill start").assert_code(3).assert_contains(&way);

    let mut sitting = Sitting::wide(&bench, &[]);
    sitting.below("1. brace expansion", "from the branch 'feature/brace-expansion'");
    sitting.below("2. add rate limiting", &format!("continues {id}"));
    sitting.pty.wait_for("› brace expansion");
    sitting.pty.send(TAB);
    sitting.pty.wait_for(&format!("› /resume {id}"));
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("resumed ");
    sitting.open("question 1 ·");
    sitting.pause();
    assert_eq!(sessions(&bench), 2);
    bench.run("git grill status").assert_code(0).assert_contains("topic        add rate limiting\n");
}

#[test]
fn g2_a_session_that_was_only_fetched_is_called_one_and_its_topic_begins_a_new_one() {
    let bench = branched();
    Sitting::begun(&bench).pause();
    let id = said(&bench, "git for-each-ref --format='%(refname:lstrip=3)' refs/grill/sessions");
    bench.run("git grill stop --without-output").assert_code(0);
    // As a fetch leaves it: the ref with the session as it was, and no log.
    bench.run(&format!("git update-ref refs/grill/sessions/{id} refs/grill/sessions/{id}~1")).assert_code(0);
    bench.run(&format!("rm .git/logs/refs/grill/sessions/{id}")).assert_code(0);
    let asked = bench.run("git grill");
    assert!(!asked.stderr.contains("resume"), "{asked}");
    let mut sitting = Sitting::wide(&bench, &[]);
    sitting.below("2. add rate limiting", "from another clone");
    sitting.pty.wait_for("› brace expansion");
    sitting.pty.send(CTRL_U);
    sitting.line("add rate limiting");
    sitting.open("question 1 ·");
    sitting.pause();
    assert_eq!(sessions(&bench), 2);
}

#[test]
fn g2_an_interview_that_another_worktree_holds_is_not_offered() {
    let bench = branched();
    bench.worktree("beside").run("git grill start --research off 'add rate limiting'").assert_code(0);
    let asked = bench.run("git grill");
    assert!(!asked.stderr.contains("resume"), "{asked}");
    asked.assert_code(3).assert_contains("git grill start \"<topic>\"");
    let mut sitting = Sitting::wide(&bench, &[]);
    sitting.pty.wait_for("Enter starts, Esc cancels");
    sitting.pty.send(ESCAPE);
    sitting.ends_with(5);
}

#[test]
fn g3_another_topic_asks_which_is_meant() {
    let bench = Bench::new();
    Sitting::begun(&bench).pause();
    let other = ["start", "something else"];

    let mut sitting = Sitting::wide(&bench, &other);
    sitting.below("Which is meant?", "Esc cancels");
    sitting.pty.send(ESCAPE);
    sitting.ends_with(5);
    assert_eq!(sessions(&bench), 1);

    let mut sitting = Sitting::wide(&bench, &other);
    sitting.below("Which is meant?", "Esc cancels");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("resumed ");
    sitting.open("question 1 ·");
    sitting.pause();
    assert_eq!(sessions(&bench), 1);

    let mut sitting = Sitting::wide(&bench, &other);
    sitting.below("Which is meant?", "Esc cancels");
    sitting.line("2");
    sitting.open("question 1 ·");
    sitting.pause();
    assert_eq!(sessions(&bench), 2);
    bench.run("git grill status").assert_code(0).assert_contains("topic        something else\n");
}

#[test]
fn g3_the_same_topic_is_resumed_and_said_to_be() {
    let bench = Bench::new();
    Sitting::begun(&bench).pause();
    let sitting = Sitting::wide(&bench, &["start", "Add  Rate limiting"]);
    sitting.pty.wait_for("resumed ");
    sitting.open("question 1 ·");
    sitting.pause();
    assert_eq!(sessions(&bench), 1);
}

#[test]
fn g15_research_ask_asks_kind_by_kind_with_nothing_ticked() {
    let bench = Bench::new();
    let mut sitting = Sitting::wide(&bench, &["start", "the demo", "--research", "ask"]);
    sitting.below("What may git grill read", "what earlier grill sessions here decided");
    let screen = sitting.pty.screen();
    assert!(screen.contains("subjects of the newest commits") && screen.contains("so that questions know"), "{screen}");
    // The third of five: README and decisions.
    sitting.pty.send("\x1b[B\x1b[B ");
    sitting.pty.wait_for("[x] 3.");
    sitting.pty.send("\x1b[B\x1b[B\x1b[B");
    sitting.pty.send(ENTER);
    sitting.open("question 1 ·");
    sitting.pause();
    let status = said(&bench, "git grill status --json");
    assert!(status.contains("\"inspected\":[\"writings\"]"), "{status}");

    let bench = Bench::new();
    let mut sitting = Sitting::wide(&bench, &["start", "the demo", "--research", "ask"]);
    sitting.pty.wait_for("Done (0 selected)");
    sitting.pty.send("\x1b[B\x1b[B\x1b[B\x1b[B\x1b[B");
    sitting.pty.send(ENTER);
    sitting.open("question 1 ·");
    sitting.pause();
    let status = said(&bench, "git grill status --json");
    assert!(status.contains("\"inspected\":[]"), "nothing was ticked: {status}");

    let bench = Bench::new();
    let mut sitting = Sitting::wide(&bench, &["start", "the demo", "--research", "ask"]);
    sitting.pty.wait_for("What may git grill read");
    sitting.pty.send(ESCAPE);
    sitting.ends_with(5);
    assert_eq!(sessions(&bench), 0);
}
