//! What another terminal settles while a prompt waits here: the prompt ends, it is said, and what was typed decides nothing.

use super::{CTRL_C, ENTER, Sitting};
use crate::bench::Bench;

/// At the output selection, with one answer.
fn at_the_gate(bench: &Bench) -> Sitting {
    let mut sitting = Sitting::begun(bench);
    sitting.line("it works");
    sitting.open("question 2 ·");
    sitting.line("/select");
    sitting.below("output selection\n", "Tab choices");
    sitting
}

/// At the first draft.
fn at_the_draft(sitting: &mut Sitting) {
    sitting.line("select design-doc");
    sitting.below("Produce design-doc", "[y/n]");
    sitting.pty.send("y");
    sitting.below("Write exactly this as docs/design/", "[y/n]");
}

fn unpaged() -> Bench {
    let bench = Bench::new();
    bench.run("git config core.pager cat").assert_code(0);
    bench
}

#[test]
fn the_output_selection_that_another_terminal_leaves_is_left_here_too() {
    let bench = unpaged();
    let mut first = at_the_gate(&bench);
    first.pty.send("select ad");
    first.pty.wait_for("› select ad");
    let mut second = Sitting::wide(&bench, &["next"]);
    second.below("output selection", "stop, /help");
    second.line("continue");
    second.below("question 2 ·", "Tab alternatives");
    first.pty.wait_for("the output selection was left elsewhere; the session is in the interview phase now");
    // What stood half typed at the gate is there, and was not sent.
    first.below("question 2 ·", "› select ad");
    second.pty.send(CTRL_C);
    second.ends_with(130);
    first.pty.send(CTRL_C);
    first.ends_with(130);
}

#[test]
fn a_choice_that_another_terminal_made_is_not_made_twice() {
    let bench = unpaged();
    let mut first = at_the_gate(&bench);
    first.line("select design-doc");
    first.below("Produce design-doc", "[y/n]");
    let mut second = Sitting::wide(&bench, &["select", "design-doc", "--path", "d.md"]);
    second.below("as d.md?", "[y/n]");
    second.pty.send("y");
    first.pty.wait_for("choosing outputs was left: the session was moved on elsewhere meanwhile");
    let log = bench.run("git log --format=%s --grep='Grill-Op: outputs' --glob='refs/grill/sessions/*'").stdout;
    assert_eq!(log.trim(), "select design-doc");
    bench.run("git grill status --json").assert_contains("\"d.md\"");
    first.pty.send(CTRL_C);
    drop(second);
}

#[test]
fn g30_a_verb_typed_at_a_draft_approves_nothing() {
    let bench = unpaged();
    let mut sitting = at_the_gate(&bench);
    at_the_draft(&mut sitting);
    sitting.pty.send("/why");
    sitting.below("Write exactly this as docs/design/", "no verbs or words here: Enter or Esc clears them");
    sitting.pty.send(ENTER);
    sitting.below("Write exactly this as docs/design/", "that decided nothing: type y or n");
    bench.run("test ! -e docs").assert_code(0);
    sitting.pty.send("n");
    sitting.below("What becomes of docs/design/", "Esc cancels");
    sitting.pty.send(ENTER);
    sitting.below("What next?", "Tab choices");
    sitting.pty.send(CTRL_C);
    sitting.ends_with(130);
}

#[test]
fn a_draft_that_another_terminal_approves_waits_here_no_longer() {
    let bench = unpaged();
    let mut first = at_the_gate(&bench);
    at_the_draft(&mut first);
    let mut second = Sitting::wide(&bench, &["approve"]);
    second.below("Write exactly this as docs/design/", "[y/n]");
    second.pty.send("y");
    second.pty.wait_for("✓ wrote docs/design/");
    second.ends_with(0);
    first.pty.wait_for("waits no longer: it was approved elsewhere");
    first.below("What next?", "Tab choices");
    // And the output phase that another terminal ends is over here.
    bench.run("git grill finish").assert_code(0);
    first.pty.wait_for("the output phase was left elsewhere; git grill next goes on with the interview");
    let log = bench.run("git log --format=%s --grep='Grill-Op: approve' --glob='refs/grill/sessions/*'").stdout;
    assert_eq!(log.lines().count(), 1, "{log}");
    first.ends_with(0);
}

#[test]
fn g31_a_draft_that_another_terminal_changes_or_leaves_out_says_which() {
    let bench = unpaged();
    let mut first = at_the_gate(&bench);
    at_the_draft(&mut first);
    first.pty.send("n");
    first.below("What becomes of docs/design/", "Esc cancels");
    bench.run("echo theirs | git grill draft --edit --from -").assert_code(0);
    first.pty.wait_for("was changed elsewhere: its draft is");
    first.below("and is shown again", "Write exactly this as docs/design/");
    first.below("Write exactly this as docs/design/", "[y/n]");
    bench
        .run("git grill draft --drop $(git grill status --json | grep -o 'docs/design/[^\"]*' | head -n 1)")
        .assert_code(0);
    first.pty.wait_for("waits no longer: it was left out elsewhere; git grill draft --edit docs/design/");
    first.below("What next?", "Tab choices");
    first.pty.send(CTRL_C);
    first.ends_with(130);
}

#[test]
fn a_plain_terminal_says_so_and_sends_no_half_line_to_the_next_question() {
    let bench = Bench::new();
    let mut first = Sitting::at(&bench, &["start", "add rate limiting"], 50, 100, &[("TERM", "dumb")]);
    first.below("question 1 ·", "number or reply> ");
    first.pty.send("half an ans");
    first.pty.wait_for("> half an ans");
    bench.run("git grill answer 'our customers'").assert_code(0);
    first.pty.wait_for("this was settled elsewhere; Enter goes on");
    first.pty.send("wer");
    first.pty.send(ENTER);
    first.pty.wait_for("question 1 was answered elsewhere: our customers");
    first.pty.wait_for("what you had typed is kept:");
    first.below("question 2 ·", "number or reply> ");
    assert!(bench.run("git grill status --json").stdout.contains("\"resolved\":1"));
    bench.run("cat .git/grill/replies/*/*").assert_contains("half an answer");
    first.pty.send(CTRL_C);
    first.ends_with(130);
}
