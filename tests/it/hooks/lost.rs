//! What guards a session can be lost while it is active: the program is moved, `.git/grill` is removed, the repository is
//! moved. It is told, the next command mends it, and nothing of ours stays behind.

use crate::bench::Bench;

/// A program of its own in `../bin1`, so that it can be moved.
const OWN: &str = "PATH=\"$PWD/../bin1:$PWD/../bin2:$PATH\"; ";

fn started(bench: &Bench) {
    // Another name for the same file where that is possible: the program is large.
    let own = "mkdir ../bin1 ../bin2; at=$(readlink -f \"$(command -v git-grill)\"); \
               ln \"$at\" ../bin1/git-grill 2>/dev/null || cp \"$at\" ../bin1/git-grill";
    bench.run(own).assert_code(0);
    bench.run(&format!("{OWN}git grill start --research off 'rate limiting'")).assert_code(0);
    refused(bench, "armed");
}

fn refused(bench: &Bench, when: &str) {
    let tried = bench.run(&format!("{OWN}git commit -q --allow-empty -m x"));
    assert!(tried.code == 128 && tried.stderr.contains("the interview is read-only"), "{when}: {tried}");
}

fn passes(bench: &Bench) {
    bench.run(&format!("{OWN}git commit -q --allow-empty -m x")).assert_code(0);
}

/// The folder with the repository's hooks, and its configuration.
const HOOKS: &str = "ls .git/hooks | grep -v sample; cat .git/config";

#[test]
fn g19_a_program_that_was_moved_is_told_and_the_next_command_arms_again() {
    let bench = Bench::new();
    started(&bench);
    bench.run("mv ../bin1/git-grill ../bin2/").assert_code(0);
    bench.run(&format!("{OWN}git grill hooks status")).assert_code(1).assert_contains("its program is gone");
    let json = bench.run(&format!("{OWN}git grill hooks status --json")).assert_code(1);
    json.assert_contains("\"state\":\"program-gone\"");
    let found = bench.run(&format!("{OWN}git grill doctor")).assert_code(1);
    found.assert_contains("/bin1/git-grill, which is gone").assert_contains("git grill doctor --fix");
    passes(&bench);
    // What is still so was not only once so.
    bench.run(&format!("{OWN}git grill doctor")).assert_code(1).assert_lacks("missing once");
    let rearmed = bench.run(&format!("{OWN}git grill answer 'requests per client'")).assert_code(0);
    rearmed.assert_contains("warning: the hooks ran ").assert_contains("they were installed anew");
    refused(&bench, "after an answer");
    bench.run(&format!("{OWN}git grill status")).assert_code(0).assert_lacks("warning");
    bench.run(&format!("{OWN}git grill doctor")).assert_contains("missing once");
    bench.run("mv ../bin2/git-grill ../bin1/").assert_code(0);
    bench.run(&format!("{OWN}git grill doctor --fix")).assert_code(0).assert_contains("mended: the hooks run ");
    refused(&bench, "after doctor --fix");
    bench.run(&format!("{OWN}git grill hooks status")).assert_code(0);
}

/// Nobody runs `doctor` where the session is: it is mended from another worktree, too.
#[test]
fn g19_a_program_that_was_moved_is_found_from_another_worktree() {
    let bench = Bench::new();
    let side = bench.worktree("side");
    started(&bench);
    bench.run("mv ../bin1/git-grill ../bin2/").assert_code(0);
    side.run(&format!("{OWN}git grill doctor")).assert_contains("which is gone");
    side.run(&format!("{OWN}git grill doctor --fix")).assert_code(0).assert_contains("mended: the hooks run ");
    refused(&bench, "mended from elsewhere");
    side.run("git commit -q --allow-empty -m x").assert_code(0);
}

#[test]
fn g19_hooks_that_nobody_remembers_are_known_by_their_bytes() {
    for own in ["true", "printf '#!/bin/sh\\nexit 0\\n' >.git/hooks/pre-push; chmod +x .git/hooks/pre-push"] {
        for way in ["answer", "doctor", "stop"] {
            let bench = Bench::new();
            bench.run(own).assert_code(0);
            let before = bench.run(HOOKS).stdout;
            started(&bench);
            bench.run("rm -rf .git/grill").assert_code(0);
            let told = bench.run(&format!("{OWN}git grill hooks status")).assert_code(1);
            told.assert_contains("on no record").assert_lacks("no hook of ours");
            bench
                .run(&format!("{OWN}git grill doctor"))
                .assert_code(1)
                .assert_contains("nothing says that it was installed");
            match way {
                "answer" => {
                    let said = bench.run(&format!("{OWN}git grill answer 'requests per client'")).assert_code(0);
                    said.assert_contains("warning: nothing was left that says which hooks are git grill's");
                    refused(&bench, way);
                }
                "doctor" => {
                    bench.run(&format!("{OWN}git grill doctor --fix")).assert_code(0);
                    refused(&bench, way);
                }
                _ => {}
            }
            bench.run(&format!("{OWN}git grill stop --without-output")).assert_code(0);
            let after = bench.run(HOOKS).stdout;
            assert_eq!(after, before, "{own}, {way}");
            passes(&bench);
        }
    }
}

/// No session is active any more, and its hooks are left without a record.
#[test]
fn g19_what_is_left_without_a_session_is_removed_and_anything_with_another_byte_stays() {
    let bench = Bench::new();
    let before = bench.run(HOOKS).stdout;
    started(&bench);
    bench.run("rm -rf .git/grill .git/GRILL_HEAD").assert_code(0);
    bench.run(&format!("{OWN}git grill doctor")).assert_contains("nothing says that it was installed");
    bench.run(&format!("{OWN}git grill doctor --fix")).assert_code(0).assert_contains("mended: ");
    assert_eq!(bench.run(HOOKS).stdout, before);

    bench.run(&format!("{OWN}git grill start --research off 'a cache'")).assert_code(0);
    if bench.run("test -f .git/hooks/pre-push").code != 0 {
        return; // In the configuration of this git nobody edits a file.
    }
    bench.run("rm -rf .git/grill .git/GRILL_HEAD && echo '# mine' >>.git/hooks/pre-push").assert_code(0);
    bench.run(&format!("{OWN}git grill doctor --fix")).assert_code(0);
    bench.run("ls .git/hooks | grep -v sample").assert_stdout("pre-push\n");
}

/// What earlier versions wrote as `prepare-commit-msg`, beside the hooks that guard.
const RETIRED: &str = "\
#!/bin/sh
# Written by git grill while a session is active and removed by `git grill stop`.
grill_dir=${GIT_DIR:-.git}
grill_bin='/opt/git-grill'
grill_told() {
    if [ -d \"$grill_dir\" ] && ! [ -e \"$grill_dir/grill/armed\" ] || ! [ -x \"$grill_bin\" ]; then return 0; fi
    \"$grill_bin\" hook prepare-commit-msg \"$@\" || :
}
grill_told \"$@\"
";

#[test]
fn g19_the_hook_that_earlier_versions_had_besides_goes_with_the_others() {
    const LISTED: &str = "ls .git/hooks | grep prepare-commit-msg";
    for way in ["doctor --fix", "stop --without-output"] {
        let bench = Bench::new();
        let before = bench.run(HOOKS).stdout;
        started(&bench);
        let sample = bench.run(LISTED).stdout;
        bench.write(".git/hooks/prepare-commit-msg", RETIRED);
        bench
            .run(&format!("{OWN}git grill doctor"))
            .assert_code(1)
            .assert_contains("nothing says that it was installed");
        bench.run(&format!("{OWN}git grill {way}")).assert_code(0);
        assert_eq!(bench.run(LISTED).stdout, sample, "{way}");
        if way.starts_with("doctor") {
            refused(&bench, way);
            // With another byte it is theirs.
            bench.write(".git/hooks/prepare-commit-msg", format!("{RETIRED}# mine\n"));
            bench.run(&format!("{OWN}git grill stop --without-output")).assert_code(0);
            bench.run("rm .git/hooks/prepare-commit-msg").assert_code(0);
        }
        assert_eq!(bench.run(HOOKS).stdout, before, "{way}");
    }
}

#[test]
fn g19_the_hook_that_earlier_versions_had_besides_changes_no_message() {
    let bench = Bench::new();
    started(&bench);
    bench.write(".git/M", "words\n");
    bench.run("git-grill hook prepare-commit-msg .git/M message").assert_code(0).assert_quiet();
    assert_eq!(bench.read(".git/M"), "words\n");
}

#[test]
fn g19_a_repository_that_is_moved_is_armed_by_the_next_command() {
    let bench = Bench::new();
    bench.run("printf '#!/bin/sh\\nexit 0\\n' >.git/hooks/pre-push; chmod +x .git/hooks/pre-push").assert_code(0);
    started(&bench);
    let moved = "cd .. && mv \"$OLDPWD\" moved && cd moved && ";
    let line = format!(
        "{moved}git grill status 2>../said >/dev/null; git commit -q --allow-empty -m x; code=$?; \
         git grill stop --without-output >/dev/null; cat ../said; exit $code"
    );
    let tried = bench.run(&format!("{OWN}PATH=\"$(cd ../bin1 && pwd):$PATH\"; {line}"));
    assert!(tried.code == 128 && tried.stderr.contains("the interview is read-only"), "{tried}");
}
