//! The recommendation that is kept back: at the terminal it is told when the person leans, and not before (G13).

use super::{ENTER, HELP, Sitting, TAB, said};
use crate::bench::Bench;

#[test]
fn at_hard_the_recommendation_is_told_once_the_person_leans() {
    let bench = Bench::new();
    let mut sitting = Sitting::wide(&bench, &["start", "add rate limiting", "--intensity", "hard"]);
    sitting.open("question 1 ·");
    sitting.line("/why");
    sitting.below("why question 1 matters", HELP);
    assert!(!sitting.pty.raw().contains("recommended"), "{}", sitting.pty.screen());
    sitting.pty.send(TAB);
    sitting.pty.send(TAB);
    sitting.pty.wait_for("› 2.");
    sitting.pty.send(ENTER);
    sitting.pty.wait_for("recommended");
    bench.run("git grill status --porcelain").assert_code(0).assert_contains("progress\t0 resolved");
    sitting.pty.send(ENTER);
    sitting.open("question 2 ·");
    sitting.pause();
    bench.run("git grill status --questions").assert_code(0).assert_contains("— human");
    // At the usual intensity nothing is kept back.
    let other = Bench::new();
    let sitting = Sitting::wide(&other, &["start", "add rate limiting"]);
    sitting.open("question 1 ·");
    assert!(sitting.pty.screen().contains("(recommended)"), "{}", sitting.pty.screen());
    sitting.pause();
}

#[test]
fn g13_a_number_means_the_same_alternative_in_the_editor_in_the_list_and_on_the_command_line() {
    let bench = Bench::new();
    let sitting = Sitting::wide(&bench, &["start", "add rate limiting", "--intensity", "hard"]);
    sitting.open("question 1 ·");
    let screen = sitting.pty.screen();
    sitting.pause();
    let numbered = |text: &str| -> Vec<String> {
        let lines = text.lines().map(str::trim_start);
        lines
            .filter(|line| line.starts_with(|sign: char| sign.is_ascii_digit()))
            .map(|line| line.trim_end().to_owned())
            .collect()
    };
    let labels = numbered(screen.rsplit_once("question 1 ·").unwrap().1);
    let labels: Vec<String> = labels.into_iter().filter(|line| line[1..].starts_with(". ")).collect();
    assert!(labels.len() > 1, "{screen}");
    let listed = said(&bench, "git grill next");
    for label in &labels {
        assert!(listed.lines().any(|line| line.trim() == label), "{label} in\n{listed}");
    }
}
