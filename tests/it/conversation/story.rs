//! One interview from its first question to a written file, and who is recorded as having done what.

use super::{CTRL_C, ENTER, HELP, Sitting, TAB, deeds, said};
use crate::bench::Bench;

#[test]
fn an_interview_from_the_first_question_to_the_written_file() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    sitting.pty.send(TAB);
    sitting.pty.wait_for("› 1.");
    sitting.pty.send(TAB);
    sitting.pty.wait_for("› 2.");
    sitting.pty.send(ENTER);
    sitting.open("question 2 ·");
    sitting.pty.wait_for("✓ answered 1");
    sitting.pty.wait_for("+ - ");
    sitting.line("the public endpoints first, in my own words");
    sitting.open("question 3 ·");
    sitting.line("/status");
    sitting.below("progress     2 resolved", HELP);
    sitting.pty.send("half a thought");
    sitting.pty.wait_for("› half a thought");
    sitting.pty.send(CTRL_C);
    let (code, screen) = sitting.end();
    assert_eq!(code, 130);
    assert!(screen.contains("what you typed is kept; git grill next brings it back"), "{screen}");

    let mut sitting = Sitting::wide(&bench, &["next"]);
    sitting.pty.wait_for("› half a thought");
    sitting.pty.wait_for(HELP);
    sitting.line(", finished now");
    sitting.open("question 4 ·");
    sitting.line("/select");
    sitting.below("output selection\n", "Tab choices");
    sitting.pty.send(TAB);
    sitting.pty.wait_for("› select design-doc");
    sitting.pty.send(ENTER);
    sitting.below("Produce design-doc", "[y/n]");
    sitting.pty.send("y");
    // The draft is longer than the window, so the pager shows it first.
    sitting.below("+++ b/docs/design/", "\n:");
    sitting.pty.send("q");
    sitting.below("Write exactly this as docs/design/", "[y/n]");
    bench.run("test ! -e docs").assert_code(0);
    sitting.pty.send("y");
    sitting.below("✓ wrote docs/design/", "Tab choices");
    sitting.line("stop");
    let (code, screen) = sitting.end();
    assert_eq!(code, 0);
    assert!(screen.contains("the session ended") && screen.contains("git log -p grill/sessions/"), "{screen}");

    let written = bench.read(said(&bench, "ls docs/design/*.md").as_str());
    assert!(written.contains("the public endpoints first, in my own words"), "{written}");
    assert!(written.contains("half a thought, finished now"), "{written}");
    let expected = [
        "human start:",
        "system ask",
        "human answer",
        "system ask",
        "human answer",
        "system ask",
        "human answer",
        "system ask",
        "human open",
        "human select",
        "human draft",
        "system verify:",
        "human approve",
        "system write",
        "human stop",
    ];
    assert_eq!(deeds(&bench), expected);
}

#[test]
fn the_same_keys_from_an_agent_approve_nothing() {
    let bench = Bench::new();
    let words = ["start", "add rate limiting"];
    let mut sitting = Sitting::at(&bench, &words, 50, 100, &[("CLAUDECODE", "1")]);
    sitting.open("question 1 ·");
    sitting.line("whatever the agent thinks");
    sitting.open("question 2 ·");
    sitting.line("/select design-doc");
    sitting.pty.wait_for("error: ");
    sitting.below("output selection\n", "Tab choices");
    sitting.pause();
    bench.run("test ! -e docs").assert_code(0);
    let deeds = deeds(&bench);
    assert!(deeds.contains(&"agent:claude answer".to_owned()), "{deeds:?}");
    assert!(!deeds.iter().any(|deed| deed.starts_with("human") || deed.ends_with("approve")), "{deeds:?}");
    bench.run("git grill status").assert_code(0).assert_contains("asks for a decision");
}

#[test]
fn a_declined_draft_is_not_written_and_not_shown_again_by_itself() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    sitting.line("everybody gets an answer in time");
    sitting.open("question 2 ·");
    sitting.line("/select design-doc");
    sitting.below("Produce design-doc", "[y/n]");
    sitting.pty.send("y");
    sitting.below("Write exactly this as docs/design/", "[y/n]");
    sitting.pty.send("n");
    sitting.below("What becomes of docs/design/", "Esc cancels");
    sitting.pty.send(ENTER);
    sitting.below("Not everything is written. What next?", "Tab choices");
    sitting.line("/intensity hard");
    sitting.below("✓ intensity hard", "Not everything is written. What next?");
    assert_eq!(sitting.pty.raw().matches("Write exactly this as").count(), 1);
    sitting.below("✓ intensity hard", "Tab choices");
    sitting.line("produce");
    sitting.below("› produce", "[y/n]");
    sitting.pty.send("y");
    sitting.below("✓ wrote docs/design/", "Tab choices");
    sitting.pause();
    bench.run("ls docs/design").assert_code(0).assert_contains(".md");
}

#[test]
fn the_checkpoint_is_edited_in_the_users_editor_from_within() {
    let bench = Bench::new();
    bench.write("../editor.sh", "sed -i 's/^## Decisions$/## Decisions\\n\\n- Written by hand./' \"$1\"\n");
    let editor = format!("sh {}/editor.sh", bench.root().display());
    let words = ["start", "add rate limiting"];
    let mut sitting = Sitting::at(&bench, &words, 50, 100, &[("GIT_EDITOR", &editor)]);
    sitting.open("question 1 ·");
    sitting.line("/checkpoint edit");
    sitting.below("+ - Written by hand.", "question 1 ·");
    sitting.below("+ - Written by hand.", HELP);
    sitting.pause();
    bench.run("git grill checkpoint").assert_code(0).assert_contains("- Written by hand.");
}

/// A conversation in which a design document was chosen after one answer, approved and written.
fn design_written(bench: &Bench) -> Sitting {
    bench.run("git config core.pager cat").assert_code(0);
    let mut sitting = Sitting::begun(bench);
    sitting.line("everybody gets an answer in time");
    sitting.open("question 2 ·");
    sitting.line("/select design-doc");
    sitting.below("Produce design-doc", "[y/n]");
    sitting.pty.send("y");
    sitting.below("Write exactly this as docs/design/", "[y/n]");
    sitting.pty.send("y");
    sitting
}

#[test]
fn g31_what_was_written_is_committed_or_taken_back_from_the_menu_and_not_asked_about_again() {
    let bench = Bench::new();
    let mut sitting = design_written(&bench);
    sitting.below("What next?", "Commit it (1 file)");
    sitting.below("What next?", "Take it back");
    sitting.below("What next?", "Tab choices");
    sitting.line("produce --commit");
    sitting.below("✓ committed docs/design/", "Tab choices");
    sitting.line("produce --undo");
    sitting.below("is as it was before", "Not everything is written. What next?");
    sitting.below("is as it was before", "Tab choices");
    assert_eq!(sitting.pty.raw().matches("Write exactly this as").count(), 1);
    sitting.pause();
    bench.run("test ! -e docs && git log -1 --format=%s").assert_code(0).assert_contains("docs: add rate limiting");
}

#[test]
fn g34_finish_in_the_conversation_goes_on_with_the_next_question() {
    let bench = Bench::new();
    let mut sitting = design_written(&bench);
    sitting.below("What next?", "Tab choices");
    sitting.line("finish");
    sitting.below("› finish", HELP);
    sitting.below("question 2 ·", HELP);
    sitting.pause();
}
