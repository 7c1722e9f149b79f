//! `grill.notify`: the terminal calls when a question comes for which one had to wait, once for each.

use std::fs;
use std::time::{Duration, Instant};

use super::Sitting;
use crate::bench::{Bench, executable};

/// A session whose commits take as long to sign as the file `delay` says.
fn slow(notify: &str) -> Bench {
    let bench = Bench::new();
    bench.run("git grill start 'add rate limiting'").assert_code(0);
    let signer = bench.root().join("signer");
    let script = "#!/bin/sh\ncat >/dev/null\nsleep \"$(cat \"$0.delay\")\"\necho '[GNUPG:] SIG_CREATED ' >&2\n\
        printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'\n";
    executable(&signer, script);
    let configure = format!("git config grill.sign true && git config --global gpg.program {}", signer.display());
    bench.run(&configure).assert_code(0);
    bench.run(&format!("git config grill.notify {notify}")).assert_code(0);
    delay(&bench, "0");
    bench
}

fn delay(bench: &Bench, seconds: &str) {
    fs::write(bench.root().join("signer.delay"), seconds).unwrap();
}

fn bells(sitting: &Sitting) -> usize {
    sitting.pty.raw().matches('\x07').count()
}

#[test]
fn the_bell_rings_once_for_each_question_that_took_its_time() {
    let bench = slow("bell");
    let begun = Instant::now();
    let mut sitting = Sitting::wide(&bench, &["next"]);
    sitting.open("question 1 ·");
    sitting.line("nobody waits");
    sitting.open("question 2 ·");
    let before = bells(&sitting);
    // On a busy machine nothing comes at once.
    let at_once = begun.elapsed() < Duration::from_secs(2);
    assert!(!at_once || before == 0, "a question that comes at once calls nobody");

    delay(&bench, "1.2");
    sitting.line("one customer");
    sitting.open("question 3 ·");
    assert_eq!(bells(&sitting), before + 1);
    // The same question again, after as long a time.
    delay(&bench, "2.3");
    sitting.line("/intensity hard");
    sitting.open("still open");
    delay(&bench, "0");
    sitting.line("/status");
    sitting.below("intensity    hard", "› ");
    assert_eq!(bells(&sitting), before + 1, "a question that is put again is no news");
    delay(&bench, "1.2");
    sitting.line("/skip");
    sitting.open("question 4 ·");
    assert_eq!(bells(&sitting), before + 2);
    sitting.pause();
}

#[test]
fn nobody_is_called_who_did_not_ask_for_it() {
    let bench = slow("off");
    let mut sitting = Sitting::wide(&bench, &["next"]);
    sitting.open("question 1 ·");
    delay(&bench, "1.2");
    sitting.line("nobody waits");
    sitting.open("question 2 ·");
    assert_eq!(bells(&sitting), 0);
    sitting.pause();
}

#[test]
fn without_a_terminal_nobody_is_called() {
    let bench = slow("bell");
    delay(&bench, "1.2");
    let said = bench.run("git grill answer 'nobody waits'").assert_code(0);
    assert!(!said.stdout().contains('\x07'));
    said.assert_quiet();
}
