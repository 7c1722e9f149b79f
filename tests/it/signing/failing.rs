//! A commit that cannot be signed: nothing is written, the reason is the program's own, and what was typed is kept.

use super::{program, verdicts};
use crate::bench::Bench;

/// Says no as gpg does without its pinentry.
const SAYS_NO: &str = "cat >/dev/null; echo '[GNUPG:] FAILURE sign 67108949' >&2
echo 'gpg: signing failed: No pinentry' >&2; exit 2";

fn with_signer(script: &str) -> Bench {
    let bench = Bench::new();
    let path = program(&bench, "signer", script);
    bench.global_config(&format!("[gpg]\n\tprogram = {path}\n"));
    bench
}

fn tip(bench: &Bench) -> String {
    bench.run("git rev-parse GRILL_HEAD").assert_code(0).stdout().to_owned()
}

/// The file that a refused reply was kept in.
fn kept(stderr: &str) -> String {
    let (_, path) = stderr.split_once("its text is kept in ").unwrap();
    std::fs::read_to_string(path.lines().next().unwrap()).unwrap()
}

#[test]
fn a_session_does_not_begin_unsigned() {
    let bench = with_signer(SAYS_NO);
    let before = bench.run("git for-each-ref; ls .git; cat .git/config").assert_code(0).stdout().to_owned();
    let refused = bench.run("git -c commit.gpgSign=true grill start x").assert_code(128);
    refused
        .assert_contains("error: nothing more was recorded: ")
        .assert_contains("signer failed to sign\ncaused by: gpg: signing failed: No pinentry\n")
        .assert_contains("git config grill.sign false");
    let after = "git for-each-ref; ls .git | grep -v '^grill$'; cat .git/config";
    assert_eq!(bench.run(after).assert_code(0).stdout(), before, "no ref, no pointer, no hook is left");
    bench.run("git grill status --short").assert_code(0).assert_stdout("");
    bench.run("git commit --quiet --allow-empty -m free").assert_code(0);
}

#[test]
fn a_reply_is_kept_and_taken_once_the_reason_is_gone() {
    let bench = with_signer(SAYS_NO);
    bench.run("git grill start 'a faster search' && git config commit.gpgSign true").assert_code(0);
    let before = tip(&bench);
    let refused = bench.run("git grill answer 'half a second at most'").assert_code(128);
    let refused = refused
        .assert_contains("error: the reply was not recorded: ")
        .assert_contains("signer failed to sign; its text is kept in ")
        .assert_contains("caused by: gpg: signing failed: No pinentry\n")
        .assert_contains("git config grill.sign false")
        .assert_lacks("GNUPG");
    assert_eq!(kept(refused.stderr()), "half a second at most");
    let from_a_pipe = bench.run_with_input("git grill answer -", "two lines\nof it\n").assert_code(128);
    assert_eq!(kept(from_a_pipe.stderr()).trim_end(), "two lines\nof it");
    let note = bench.run("git grill unknown --note 'ask the users'").assert_code(128);
    assert_eq!(kept(note.stderr()), "ask the users");
    let json = bench.run("git grill --json answer x").assert_code(128);
    json.assert_contains("\"code\":\"signing_failed\"").assert_contains("No pinentry");
    for verb in ["answer --choose 1", "skip", "intensity hard", "stop --without-output"] {
        bench.run(&format!("git grill {verb}")).assert_code(128).assert_contains("No pinentry");
    }
    assert_eq!(tip(&bench), before, "nothing was written");
    bench.run("git fsck --strict --no-dangling").assert_code(0).assert_quiet();
    bench.run("git config grill.sign false && git grill answer 'half a second'").assert_code(0);
    bench.run("git grill stop --without-output").assert_code(0);
}

/// The answer is one commit and the next question another: a signer that fails between them takes nothing back.
#[test]
fn an_answer_that_is_recorded_is_not_called_lost_when_the_next_question_is() {
    let once = "if [ -e \"$0.used\" ]; then echo 'card removed' >&2; exit 2; fi
        : >\"$0.used\"; cat >/dev/null; echo '[GNUPG:] SIG_CREATED D' >&2
        printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nabc=\\n-----END PGP SIGNATURE-----\\n'";
    let bench = with_signer(once);
    bench.run("git grill start 'a faster search' && git config commit.gpgSign true").assert_code(0);
    let answered = bench.run("git grill answer 'half a second at most'").assert_code(0);
    answered
        .assert_contains("answered")
        .assert_contains("warning: nothing more was recorded: ")
        .assert_contains("caused by: card removed");
    bench.run("git log -1 --format=%s GRILL_HEAD").assert_contains("half a second at most").assert_code(0);
    bench.run("ls .git/grill/replies").assert_code(2);
    bench.run("git grill next").assert_code(128).assert_contains("card removed");
    bench.run("git config grill.sign false && git grill next").assert_code(0).assert_contains("question 2");
}

#[test]
fn whatever_is_no_signature_is_a_failure() {
    for (script, why) in [
        // git does not trust the exit code alone either.
        ("cat >/dev/null; printf -- '-----BEGIN PGP SIGNATURE-----\\n'", "gave no reason"),
        // git (2.47) takes this one for a signature.
        ("cat >/dev/null; echo '[GNUPG:] SIG_CREATED D' >&2", "it made no signature"),
        ("cat >/dev/null; echo '[GNUPG:] SIG_CREATED D' >&2; echo '-----BEGIN X-----'; exit 1", "gave no reason"),
    ] {
        let bench = with_signer(script);
        bench.run("git grill start x && git config commit.gpgSign true").assert_code(0);
        bench.run("git grill answer y").assert_code(128).assert_contains(why);
        assert_eq!(verdicts(&bench), "NN");
    }
}

#[test]
fn a_missing_program_or_key_is_named() {
    let bench = Bench::new();
    bench.run("git config grill.sign true && git config --global gpg.program ~/no-such-gpg").assert_code(0);
    let refused = bench.run("git grill start x").assert_code(128);
    refused.assert_contains("no-such-gpg failed to sign").assert_contains("No such file or directory");
    bench.run("git config gpg.format ssh").assert_code(0);
    let refused = bench.run("git grill start x").assert_code(128);
    refused.assert_contains("ssh-keygen failed to sign").assert_contains("user.signingKey needs to be set");
    bench.run("git config user.signingKey ~/no-such-key").assert_code(0);
    bench.run("git grill start x").assert_code(128).assert_contains("no-such-key").assert_contains("failed to sign");
    bench
        .run("git config --unset user.signingKey && git config --global gpg.ssh.defaultKeyCommand 'echo none'")
        .assert_code(0);
    bench.run("git grill start x").assert_code(128).assert_contains("returned no keys");
}

/// git itself would start it: its settings are above every configuration here.
#[test]
fn g30_a_program_that_the_repository_names_is_not_started() {
    for (config, key) in [
        ("gpg.format openpgp", "gpg.program"),
        ("gpg.format openpgp", "gpg.openpgp.program"),
        ("gpg.format x509", "gpg.x509.program"),
        ("gpg.format ssh && git config user.signingKey k", "gpg.ssh.program"),
        ("gpg.format ssh", "gpg.ssh.defaultKeyCommand"),
    ] {
        let bench = Bench::new();
        let path = program(&bench, "hostile", ": >\"$0.ran\"; exit 1");
        bench.run(&format!("git config commit.gpgSign true && git config {config}")).assert_code(0);
        bench.run(&format!("git config --global {key} false && git config {key} {path}")).assert_code(0);
        bench.run("git grill start x").assert_code(128).assert_contains("is ignored").assert_contains("failed to sign");
        bench.run("ls ../hostile.ran").assert_code(2);
        bench.run("git commit --allow-empty -m x").assert_code(128);
        bench.run("ls ../hostile.ran").assert_code(0);
    }
}
