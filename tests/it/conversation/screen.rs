//! What the screen looks like (Q17): narrow, resized, without colours, without a cursor that moves.

use super::{CTRL_C, CTRL_U, ENTER, SHIFT_TAB, Sitting, TAB, deeds};
use crate::bench::Bench;

const START: &[&str] = &["start", "add rate limiting to the public endpoints of the service"];

#[test]
fn an_answer_stands_on_the_screen_once_and_once_in_the_checkpoint() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    sitting.line("a sentence that stands out");
    sitting.open("question 2 ·");
    let screen = sitting.pty.screen();
    let shown: Vec<&str> = screen.lines().filter(|line| line.contains("a sentence that stands out")).collect();
    assert_eq!(shown.len(), 2, "{screen}");
    assert!(shown[0].starts_with("› ") && shown[1].trim_start().starts_with("+ "), "{screen}");
    sitting.pause();
}

#[test]
fn g14_the_status_line_keeps_the_progress_in_every_window() {
    for (cols, wanted) in [
        (120, " left · interview · auto/standard/auto · add rate limiting"),
        (100, "0 resolved, 0 unknown, 1 open, 0 deferred · about "),
        (40, "0/1/0 · about "),
        (20, "0/1/0 · interview\n"),
    ] {
        let bench = Bench::new();
        let sitting = Sitting::at(&bench, START, 40, cols, &[]);
        sitting.pty.wait_for(wanted);
        sitting.pause_narrow();
    }
}

#[test]
fn twenty_columns_are_enough_to_answer() {
    let bench = Bench::new();
    let mut sitting = Sitting::at(&bench, START, 12, 20, &[]);
    sitting.pty.wait_for("1. ");
    sitting.pty.wait_for("0/1/0");
    sitting.pty.send(TAB);
    sitting.pty.wait_for("› 1.");
    sitting.pty.send(SHIFT_TAB);
    sitting.pty.wait_gone("› 1.");
    sitting.pty.send(TAB);
    sitting.pty.wait_for("› 1.");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("1/1/0");
    sitting.pause_narrow();
    assert_eq!(deeds(&bench), ["human start:", "system ask", "human answer", "system ask"]);
}

#[test]
fn a_window_that_is_resized_keeps_what_was_typed() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    sitting.pty.send("a reply that is longer than the narrow window");
    sitting.pty.wait_for("narrow window");
    sitting.pty.resize(30, 30);
    sitting.pty.wait_for("› a reply that is longer than\n  the narrow window");
    sitting.pty.resize(50, 100);
    sitting.pty.wait_for("› a reply that is longer than the narrow window\n");
    sitting.pty.send(ENTER);
    sitting.open("question 2 ·");
    sitting.pause();
    bench.run("git grill checkpoint").assert_code(0).assert_contains("a reply that is longer than the narrow window");
}

#[test]
fn q8_the_question_is_in_view_in_every_window_and_after_each_change_of_its_size() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    let screen = sitting.pty.screen();
    let question = screen.lines().skip_while(|line| !line.starts_with("question 1 ·")).nth(1).unwrap();
    let first = question.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let mut typed = String::new();
    for (rows, cols) in [(15, 60), (8, 20), (24, 72), (24, 80), (6, 20), (24, 60), (40, 120)] {
        sitting.pty.resize(rows, cols);
        // The picture with this letter is drawn in the new window.
        sitting.pty.send("x");
        typed.push('x');
        sitting.pty.wait_until(&format!("{first:?} above {typed:?} in {cols}x{rows}"), |screen| {
            let above = screen.rsplit_once(&format!("› {typed}\n")).map(|(above, _)| above);
            above.is_some_and(|above| above.lines().any(|line| line.starts_with(&first)))
        });
        // Descriptions and help give way; the first alternative does not.
        sitting.pty.wait_for("1. ");
    }
    // Text that fills the window and is deleted again brings the question back.
    sitting.pty.resize(24, 80);
    sitting.pty.send(&"long ".repeat(300));
    sitting.pty.send("end");
    sitting.pty.wait_for("long end");
    sitting.pty.send(CTRL_U);
    sitting.pty.wait_until("the whole question again", |screen| {
        screen.contains("question 1 ·") && screen.lines().any(|line| line.starts_with(&first))
    });
    sitting.pty.send(CTRL_C);
    sitting.ends_with(130);
}

#[test]
fn words_stay_whole_in_what_is_said() {
    let bench = Bench::new();
    let sitting = Sitting::at(&bench, START, 50, 46, &[]);
    sitting.pty.wait_for("0 resolved");
    let screen = sitting.pty.screen();
    for whole in ["refuses", "commits", "endpoints"] {
        assert!(screen.contains(whole), "{whole} is broken in\n{screen}");
    }
    let whole = screen.split_once("question 1").unwrap().0.replace('\n', " ");
    let whole = whole.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(whole.contains("add rate limiting to the public endpoints of the service"), "{screen}");
    assert!(whole.contains("read-only until git grill stop: git refuses commits and branch changes"), "{screen}");
    sitting.pause_narrow();
}

#[test]
fn colours_are_used_on_a_terminal_and_not_where_they_are_not_wanted() {
    let colour = |raw: &str| raw.contains("\x1b[1m") || raw.contains("\x1b[2m") || raw.contains("\x1b[32m");
    for (variables, coloured) in [(&[][..], true), (&[("NO_COLOR", "1")][..], false)] {
        let bench = Bench::new();
        let sitting = Sitting::at(&bench, START, 50, 100, variables);
        sitting.open("question 1 ·");
        assert_eq!(colour(&sitting.pty.raw()), coloured, "{variables:?}: {:?}", sitting.pty.raw());
        sitting.pause();
    }
}

#[test]
fn a_dumb_terminal_gets_plain_lines_and_a_number_answers() {
    for variables in [[("TERM", "dumb")], [("GRILL_ACCESSIBLE", "1")]] {
        let bench = Bench::new();
        let mut sitting = Sitting::at(&bench, START, 50, 100, &[variables[0], ("NO_COLOR", "1")]);
        sitting.pty.wait_for("number or reply> ");
        sitting.line("2");
        sitting.pty.wait_for("not sent yet: ");
        sitting.below("Enter alone sends that", "number or reply> ");
        assert_eq!(deeds(&bench), ["human start:", "system ask"], "nothing is sent yet");
        sitting.pty.send(ENTER);
        sitting.below("✓ answered 1", "question 2 ·");
        sitting.below("question 2 ·", "number or reply> ");
        sitting.line("/status");
        sitting.below("progress     1 resolved", "number or reply> ");
        assert!(!sitting.pty.screen().contains("Tab "), "there are no keys here:\n{}", sitting.pty.screen());
        assert!(!sitting.pty.raw().contains('\x1b'), "no escape sequence in {:?}", sitting.pty.raw());
        sitting.pty.send(CTRL_C);
        sitting.ends_with(130);
    }
}

#[test]
fn a_long_draft_is_followed_by_its_question_at_the_bottom() {
    let bench = Bench::new();
    // Without a pager, in which a draft that is taller than the window is read otherwise.
    bench.run("git config core.pager cat").assert_code(0);
    let mut sitting = Sitting::begun(&bench);
    sitting.line("it works");
    sitting.open("question 2 ·");
    sitting.pty.resize(15, 60);
    sitting.pty.wait_for("1 resolved");
    sitting.line("/select design-doc");
    sitting.pty.wait_for("[y/n]");
    sitting.pty.send("y");
    sitting.below("Write exactly this", "[y/n]");
    let screen = sitting.pty.screen();
    assert!(screen.contains("\n+"), "the end of the draft stands above:\n{screen}");
    assert!(screen.trim_end().ends_with("y or n, Esc cancels"), "{screen}");
    sitting.pty.send(CTRL_C);
    sitting.ends_with(130);
    bench.run("test ! -e docs").assert_code(0);
}

impl Sitting {
    /// Leaves by Escape where the window is too narrow for whole sentences.
    #[track_caller]
    fn pause_narrow(mut self) {
        self.pty.send(super::ESCAPE);
        self.ends_with(0);
    }
}
