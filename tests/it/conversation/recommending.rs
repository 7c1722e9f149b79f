//! The recommendation stands beside its alternative from the start, and a number means the same alternative everywhere.

use super::{Sitting, said};
use crate::bench::Bench;

#[test]
fn g8_g49_the_recommendation_is_shown_at_every_intensity_and_one_enter_sends() {
    for intensity in ["gentle", "standard", "hard", "adversarial"] {
        let bench = Bench::new();
        let mut sitting = Sitting::wide(&bench, &["start", "add rate limiting", "--intensity", intensity]);
        sitting.open("question 1 ·");
        assert!(sitting.pty.screen().contains("(recommended)"), "{intensity}: {}", sitting.pty.screen());
        bench.run("git grill status --porcelain").assert_code(0).assert_contains(" (recommended)");
        sitting.line("nobody waits");
        sitting.open("question 2 ·");
        sitting.pause();
    }
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
