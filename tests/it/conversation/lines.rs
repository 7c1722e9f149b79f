//! What a line means: an answer, a number, a verb, a slip of the finger.

use super::{CTRL_C, CTRL_U, ENTER, HELP, Sitting, deeds, kept};
use crate::bench::Bench;

#[test]
fn a_bare_number_fills_the_alternative_in_and_enter_sends_it() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    sitting.line("2");
    sitting.pty.wait_for("Enter sends it; edit it first if you like");
    sitting.pty.wait_for("› 2.");
    assert_eq!(sitting.pty.raw().matches("question 1 ·").count(), 1, "the question is not put again");
    assert_eq!(deeds(&bench), ["human start:", "system ask"], "nothing is sent yet");
    sitting.pty.send(ENTER);
    sitting.open("question 2 ·");
    sitting.pause();
    bench.run("git grill status --questions").assert_code(0).assert_contains("— human");
}

#[test]
fn a_mistyped_verb_is_named_records_nothing_and_can_be_mended() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    sitting.line("/wyh");
    sitting.below("error: 'wyh' is no verb, and nothing was done", "› /wyh");
    sitting.below("question 1 · objective · still open", HELP);
    sitting.pty.send(CTRL_U);
    sitting.line("/checkpoint --zzz");
    sitting.below("error: unexpected argument '--zzz'", "› /checkpoint --zzz");
    sitting.below("unexpected argument", HELP);
    sitting.pty.send(CTRL_U);
    sitting.line("/intensity sideways");
    sitting.below("error: 'sideways'", "› /intensity sideways");
    sitting.below("error: 'sideways'", HELP);
    sitting.pty.send(CTRL_C);
    sitting.ends_with(130);
    assert_eq!(deeds(&bench), ["human start:", "system ask"]);
}

#[test]
fn g11_a_verb_typed_behind_a_number_is_not_sent_as_an_answer() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    for slip in ["1/why", "2 /skip"] {
        sitting.line(slip);
        sitting.below(&format!("error: '{slip}' was not sent"), &format!("› {slip}"));
        sitting.below(&format!("error: '{slip}' was not sent"), HELP);
        sitting.pty.send(CTRL_U);
    }
    assert_eq!(deeds(&bench), ["human start:", "system ask"]);
    sitting.line("/why");
    sitting.below("why question 1 matters", HELP);
    sitting.line("1/3 of the requests");
    sitting.open("question 2 ·");
    sitting.pause();
    bench.run("git grill checkpoint").assert_code(0).assert_contains("1/3 of the requests");
    // In plain lines, too, where the digit does not move in a list.
    let mut plain = Sitting::at(&bench, &["next"], 50, 100, &[("TERM", "dumb")]);
    plain.below("question 2 ·", "number or reply> ");
    plain.line("1/why");
    plain.pty.wait_for("error: '1/why' was not sent");
    plain.below("was not sent", "number or reply> ");
    plain.pty.send(CTRL_C);
    plain.ends_with(130);
}

#[test]
fn an_answer_may_begin_with_a_path() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    sitting.line(" /etc/limits.conf is read once");
    sitting.open("question 2 ·");
    sitting.pause();
    bench.run("git grill checkpoint").assert_code(0).assert_contains("/etc/limits.conf is read once");
}

#[test]
fn a_verb_does_not_repeat_the_question_that_stands_above_it() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    let screen = sitting.pty.screen();
    let question = screen.lines().skip_while(|line| !line.starts_with("question 1 ·")).nth(1).unwrap();
    sitting.line("/why");
    sitting.below("why question 1 matters", "question 1 · objective · still open");
    sitting.below("still open", HELP);
    assert_eq!(sitting.pty.raw().matches(question).count(), 1, "{}", sitting.pty.screen());
    // A long reply pushes the question out of sight, so it is put again.
    sitting.line("/checkpoint");
    sitting.below("Likely Output Strategy", question);
    sitting.below(question, HELP);
    sitting.line("/help");
    sitting.below("/back [number]", question);
    sitting.below("/back [number]", HELP);
    sitting.pause();
}

#[test]
fn g11_next_prints_the_open_question_again() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    let screen = sitting.pty.screen();
    let question = screen.lines().skip_while(|line| !line.starts_with("question 1 ·")).nth(1).unwrap();
    sitting.line("/why");
    sitting.below("question 1 · objective · still open", HELP);
    sitting.line("/next");
    sitting.below("› /next", question);
    sitting.below(question, HELP);
    assert_eq!(sitting.pty.raw().matches(question).count(), 2, "{}", sitting.pty.screen());
    sitting.line("/wyh");
    sitting.below("error: 'wyh' is no verb, and nothing was done", "question 1 · objective · still open");
    sitting.pty.send(CTRL_U);
    sitting.line("/next");
    sitting.below("'wyh' is no verb", question);
    sitting.below(question, HELP);
    sitting.pause();
    assert_eq!(deeds(&bench), ["human start:", "system ask"]);
}

#[test]
fn a_paste_that_is_too_long_is_refused_and_not_lost() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    let text = "lorem ipsum 日本語 ".repeat(5_000);
    assert!(text.len() > 100_000);
    sitting.pty.send(&format!("\x1b[200~{text}\x1b[201~"));
    sitting.pty.send("END");
    sitting.pty.wait_for("END");
    sitting.pty.send(ENTER);
    // The text fills the window, so the reason stands below it as well.
    sitting.below("END", "bytes, more than the 12000 that fit");
    assert_eq!(deeds(&bench), ["human start:", "system ask"], "nothing was recorded");
    sitting.pty.send(CTRL_C);
    sitting.ends_with(130);
    assert_eq!(kept(&bench), [format!("{text}END")]);
}

#[test]
fn at_the_gate_an_outputs_name_chooses_it_and_the_gate_is_printed_once() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    sitting.line("/stop");
    sitting.below("nothing was produced yet", "what can come out of it");
    sitting.below("what can come out of it", "Tab choices");
    sitting.line("nonsense");
    sitting.below("error: 'nonsense' is none of the choices", "Tab choices");
    sitting.pty.send(CTRL_U);
    sitting.line("/intensity hard");
    sitting.below("✓ intensity hard", "Tab choices");
    sitting.line("review");
    sitting.below("Likely Output Strategy", "Tab choices");
    assert_eq!(sitting.pty.raw().matches("what can come out of it").count(), 1);
    sitting.line("design-doc");
    sitting.below("Produce design-doc (", "[y/n]");
    sitting.pty.send("n");
    sitting.below("cancelled, and nothing changed", "Tab choices");
    sitting.line("continue");
    sitting.open("question 1 ·");
    sitting.line("/stop --without-output");
    let (code, screen) = sitting.end();
    assert_eq!(code, 0, "{screen}");
    bench.run("git grill status").assert_contains("no session");
}

#[test]
fn g9_the_name_of_an_alternative_fills_it_in_and_the_next_enter_sends_it() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    sitting.line("something becomes possible.");
    sitting.below("question 1 ·", "that names an alternative; Enter sends it");
    bench.run("git log --format=%s GRILL_HEAD").assert_code(0).assert_lacks("answer");
    sitting.pty.send(ENTER);
    sitting.open("question 2 ·");
    sitting.pause();
    bench
        .run("git grill checkpoint")
        .assert_code(0)
        .assert_contains("makes something possible")
        .assert_lacks("becomes");
    // Without an editor it is recorded at once.
    bench.run("git grill back 1 && git grill answer 'Something STOPS hurting.'").assert_code(0);
    bench.run("git grill checkpoint").assert_code(0).assert_contains("removes a workaround").assert_lacks("hurting");
}

#[test]
fn g11_an_objection_needs_no_quotation_marks() {
    let bench = Bench::new();
    let mut sitting = Sitting::begun(&bench);
    sitting.line("/skip --because it's not ours");
    sitting.open("question 2 ·");
    sitting.pause();
    bench.run("git log --format=%s GRILL_HEAD").assert_code(0).assert_contains("it's not ours");
}
