//! A reply whose commit cannot be signed: it stands in the editor again, and an interrupt at the passphrase loses nothing.

use super::{CTRL_C, Sitting, deeds, kept};
use crate::bench::{Bench, executable};

/// Signing is asked for once the session has begun; the signer is this script, in the world's own folder.
fn begun(script: &str) -> (Bench, Sitting) {
    let bench = Bench::new();
    let signer = bench.root().join("signer");
    executable(&signer, format!("#!/bin/sh\n{script}\n"));
    bench.run("git grill start 'add rate limiting'").assert_code(0);
    bench
        .run(&format!("git config grill.sign true && git config --global gpg.program {}", signer.display()))
        .assert_code(0);
    let sitting = Sitting::wide(&bench, &["next"]);
    sitting.open("question 1 ·");
    (bench, sitting)
}

#[test]
fn a_reply_that_could_not_be_signed_stands_in_the_editor_again() {
    let (bench, mut sitting) = begun("cat >/dev/null; echo 'gpg: No pinentry' >&2; exit 2");
    sitting.line("half a second at most");
    sitting.pty.wait_for("caused by: gpg: No pinentry");
    sitting.below("caused by:", "› half a second at most");
    assert_eq!(kept(&bench), ["half a second at most"], "one copy");
    bench.run("git config grill.sign false").assert_code(0);
    // What signs is read when the program starts.
    sitting.pause();
    let mut sitting = Sitting::wide(&bench, &["next"]);
    sitting.below("question 1 ·", "› half a second at most");
    sitting.line("");
    sitting.open("question 2 ·");
    sitting.pause();
    assert_eq!(deeds(&bench), ["unattended start:", "system ask", "human answer", "system ask"]);
    assert_eq!(kept(&bench), [""; 0]);
}

#[test]
fn an_interrupt_at_the_passphrase_keeps_the_reply() {
    let (bench, mut sitting) = begun("cat >/dev/null; : >\"$0.asks\"; exec sleep 60");
    sitting.line("half a second at most");
    bench.run("for i in $(seq 600); do ls ../signer.asks && exit; sleep 0.1; done").assert_contains("asks");
    sitting.pty.send(CTRL_C);
    sitting.ends_with(130);
    assert_eq!(kept(&bench), ["half a second at most"]);
    assert_eq!(deeds(&bench), ["unattended start:", "system ask"]);
    bench.run("git config grill.sign false").assert_code(0);
    let sitting = Sitting::wide(&bench, &["next"]);
    sitting.below("question 1 ·", "› half a second at most");
}
