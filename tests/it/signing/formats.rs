//! What is run for each `gpg.format`, seen by a stand-in for the program.

use super::program;
use crate::bench::Bench;

/// Writes down its arguments and what it is given, and signs like gpg.
const STAND_IN: &str = "echo \"$@\" >>\"$0.args\"; cat >\"$0.input\"
echo '[GNUPG:] SIG_CREATED D 22 8 00 1 F' >&2
printf -- '-----BEGIN PGP SIGNATURE-----\\r\\n\\r\\nabc=\\n-----END PGP SIGNATURE-----\\n'";

fn signed_by(config: &[(&str, &str)]) -> (Bench, String) {
    let bench = Bench::new();
    let path = program(&bench, "stand-in", STAND_IN);
    bench.run("git config commit.gpgSign true").assert_code(0);
    for (key, value) in config {
        bench.run(&format!("git config --global {key} '{}'", value.replace("STAND-IN", &path))).assert_code(0);
    }
    bench.run("git grill start 'a faster search'").assert_code(0).assert_quiet();
    let args = std::fs::read_to_string(format!("{path}.args")).unwrap();
    (bench, args)
}

#[test]
fn gpg_and_gpgsm_are_run_as_git_runs_them() {
    for (config, args) in [
        (vec![("gpg.program", "STAND-IN")], "--status-fd=2 -bsau Carl Committer <carl@example.org>"),
        (vec![("gpg.openpgp.program", "STAND-IN"), ("gpg.program", "false")], "--status-fd=2 -bsau Carl Committer"),
        (vec![("gpg.program", "STAND-IN"), ("user.signingKey", "0xBEEF")], "--status-fd=2 -bsau 0xBEEF"),
        (
            vec![("gpg.format", "x509"), ("gpg.x509.program", "STAND-IN"), ("gpg.program", "false")],
            "--status-fd=2 -bsau Carl Committer <carl@example.org>",
        ),
    ] {
        let (bench, seen) = signed_by(&config);
        assert_eq!(seen.lines().count(), 2, "one a commit: {config:?}");
        assert!(seen.starts_with(args), "{config:?}: {seen}");
        // What is signed is the commit without its signature, byte for byte.
        let unsigned = "git cat-file commit GRILL_HEAD | sed '/^gpgsig /,/^ -----END/d' | cmp - ../stand-in.input";
        bench.run(unsigned).assert_code(0);
        let header = "git cat-file commit GRILL_HEAD | sed -n '/^gpgsig /,/^ -----END/p'";
        bench
            .run(header)
            .assert_stdout("gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc=\n -----END PGP SIGNATURE-----\n");
    }
}

#[test]
fn a_format_or_a_switch_that_git_does_not_know_is_named_with_its_file() {
    let bench = Bench::new();
    bench.run("git config commit.gpgSign true && git config gpg.format pgp").assert_code(0);
    let refused = bench.run("git grill start x").assert_code(128);
    refused.assert_contains("gpg.format is 'pgp'").assert_contains("openpgp, x509, ssh");
    bench.run("git config commit.gpgSign perhaps").assert_code(0);
    bench.run("git grill start x").assert_code(128).assert_contains("commit.gpgSign is 'perhaps'");
    bench.run("git config grill.sign perhaps").assert_code(0);
    bench.run("git grill start x").assert_code(128).assert_contains("grill.sign is 'perhaps'");
    bench.run("git config grill.sign no && git grill start x").assert_code(0).assert_quiet();
}
