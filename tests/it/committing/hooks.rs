//! The user's own hooks, signing and identity count, as for any commit of theirs.

use super::{changed, drafted, refused, trailers};
use crate::bench::{self, Bench};

fn hook(bench: &Bench, name: &str, text: &str) {
    bench.write(&format!(".git/hooks/{name}"), format!("#!/bin/sh\n{text}\n"));
    bench.run(&format!("chmod +x .git/hooks/{name}")).assert_code(0);
}

#[test]
fn a_hook_that_says_no_leaves_the_file_written_and_the_index_alone() {
    let bench = Bench::new();
    hook(&bench, "pre-commit", "test -e ok || { echo 'the lint says no' >&2; exit 1; }");
    drafted(&bench, "docs/d.md");
    let said = refused(&bench, "git grill approve --commit", 128).stderr;
    assert!(said.contains("docs/d.md stands as it was written and is not committed"), "{said}");
    assert!(said.contains("caused by: the lint says no\n"), "{said}");
    assert!(said.contains("hint: mend that, then git grill produce --commit"), "{said}");
    assert_eq!(bench.run("git status --porcelain docs").stdout, "?? docs/\n");
    bench.run("touch ok && git grill produce --commit").assert_code(0);
    assert_eq!(changed(&bench.at(".")), "A\tdocs/d.md\n");
}

#[test]
fn a_hook_that_adds_another_file_is_refused_and_one_that_changes_ours_is_told() {
    let bench = Bench::new();
    hook(&bench, "pre-commit", "test -e ok || { echo x >more && git add more; }");
    drafted(&bench, "d.md");
    let said = refused(&bench, "git grill approve --commit", 128).stderr;
    assert!(said.contains("'more' is not in the approved plan"), "{said}");
    hook(&bench, "pre-commit", "echo formatted >>d.md && git add d.md");
    let done = bench.run("git grill produce --commit").assert_code(0);
    done.assert_contains("! d.md in the commit is not what was approved");
    assert_eq!(changed(&bench.at(".")), "A\td.md\n");
}

#[test]
fn g31_what_a_hook_says_is_bounded_and_steers_no_terminal() {
    let bench = Bench::new();
    hook(
        &bench,
        "pre-commit",
        "for n in $(seq 100); do echo line $n; done; printf '\\033[2J%1000s.\\n' ' ' | tr ' ' x; exit 1",
    );
    drafted(&bench, "d.md");
    let said = refused(&bench, "git grill approve --commit", 128).stderr;
    let told: Vec<&str> = said.lines().filter(|line| line.starts_with("caused by: ")).collect();
    assert_eq!(told.len(), 20, "{said}");
    assert!(told[0].ends_with("line 82") && !said.contains('\u{1b}'), "{said}");
    assert!(told[19].contains("xxx") && told[19].chars().count() < 450, "{said}");
}

#[test]
fn a_hook_of_theirs_for_messages_goes_on_running_and_a_commit_of_ones_own_gets_nothing_from_us() {
    for (folder, configured) in [(".git/hooks", false), (".mine", true)] {
        let bench = Bench::new();
        bench.write(&format!("{folder}/prepare-commit-msg"), "#!/bin/sh\ntest ! -e no && sed -i '1s/^/T-1 /' \"$1\"\n");
        bench.run(&format!("chmod +x {folder}/prepare-commit-msg")).assert_code(0);
        if configured {
            bench.run(&format!("git config core.hooksPath {folder}")).assert_code(0);
        }
        drafted(&bench, "d.md");
        drop(refused(&bench, "touch no; git grill approve --commit", 128));
        bench.run("rm no && git add d.md && git commit -qm x").assert_code(0);
        assert_eq!(bench.run("git log -1 --format=%B").stdout, "T-1 x\n\n", "{folder}");
        bench.run("git grill stop").assert_code(0);
        bench.run(&format!("test -x {folder}/prepare-commit-msg")).assert_code(0);
    }
}

#[test]
fn g31_trailers_that_a_hook_takes_out_are_told() {
    let bench = Bench::new();
    hook(&bench, "commit-msg", "sed -i '/^Grill-D/d' \"$1\"");
    drafted(&bench, "d.md");
    let done = bench.run("git grill approve --commit").assert_code(0);
    done.assert_contains(
        "! the commit lacks trailers of git grill (Grill-Decision): a hook of yours changed its message",
    );
    assert_eq!(trailers(&bench.at(".")).len(), 1);
}

#[test]
fn hooks_of_messages_and_the_signature_count() {
    let bench = Bench::new();
    hook(&bench, "commit-msg", "grep -q '^Grill-Session: ' \"$1\" && sed -i '1s/^/T-1 /' \"$1\"");
    hook(&bench, "post-commit", "pwd >../told; git rev-parse --show-toplevel >>../told; exit 1");
    drafted(&bench, "d.md");
    bench
        .run("git config commit.gpgSign true && git config grill.sign false && git config --global gpg.program false")
        .assert_code(0);
    let said = refused(&bench, "git grill approve --commit", 128).stderr;
    assert!(said.contains("failed to sign"), "{said}");
    bench.run("git config commit.gpgSign false && cd .git && git -C .. grill produce --commit").assert_code(0);
    assert_eq!(bench.run("git log -1 --format=%s").stdout, "T-1 docs: rate limiting (design-doc)\n");
    assert_eq!(trailers(&bench.at(".")).len(), 3);
    let told = std::fs::read_to_string(bench.root().join("told")).unwrap();
    assert!(told.lines().all(|line| line == bench.repo().to_str().unwrap()), "{told}");
}

#[test]
fn g30_a_signing_program_that_the_repository_names_is_never_started_for_a_commit() {
    let keys =
        ["gpg.program", "gpg.openpgp.program", "gpg.x509.program", "gpg.ssh.program", "gpg.ssh.defaultKeyCommand"];
    let key = "git config user.signingKey 'key::ssh-ed25519 AAAA'";
    for (format, own, and) in [
        ("openpgp", "gpg.openpgp.program", "true"),
        ("x509", "gpg.x509.program", "true"),
        ("ssh", "gpg.ssh.program", key),
        ("ssh", "gpg.ssh.defaultKeyCommand", "true"),
    ] {
        let bench = Bench::new();
        drafted(&bench, "d.md");
        for name in ["mine", "theirs"] {
            bench::executable(&bench.root().join(name), "#!/bin/sh\ntouch \"$0.ran\"\nexit 1\n");
        }
        for key in keys {
            bench.run(&format!("git config {key} \"$PWD/../theirs\"")).assert_code(0);
        }
        bench.run(&format!("git config --global {own} \"$PWD/../mine\"")).assert_code(0);
        let sign = "git config commit.gpgSign true && git config grill.sign false";
        bench.run(&format!("git config gpg.format {format} && {sign} && {and}")).assert_code(0);
        drop(refused(&bench, "git grill approve --commit", 128));
        let ran = ["mine", "theirs"].map(|name| bench.root().join(format!("{name}.ran")).exists());
        assert_eq!(ran, [true, false], "{format}: {own}");
    }
}

#[test]
fn g30_a_file_watcher_that_the_repository_names_is_never_started() {
    let bench = Bench::new();
    bench::executable(&bench.root().join("theirs"), "#!/bin/sh\ntouch \"$0.ran\"\n");
    let ran = || bench.root().join("theirs.ran").exists();
    bench.run("git config core.fsmonitor \"$PWD/../theirs\"").assert_code(0);
    drafted(&bench, "d.md");
    bench.run("git grill approve --commit && git grill finish && git grill verify").assert_code(0);
    assert!(!ran());
    bench.run("git status").assert_code(0);
    assert!(ran(), "git would have started it");
}
