//! A repository that was moved or copied in the middle of an interview takes its own traces away, and no other's.

use crate::bench::Bench;

/// What must be as it was when nothing of ours is left.
const TRACES: &str = "cat .git/config; ls .git/hooks; find .git -name '*.lock' -not -path '*/grill/*'";

/// Runs a line in the bench's repository after moving it away.
fn moved(bench: &Bench, line: &str) -> String {
    whole(bench, &format!("mv \"$PWD\" \"$PWD-moved\" && cd \"$PWD-moved\" && {line}"))
}

/// What a line that succeeded printed.
fn whole(bench: &Bench, line: &str) -> String {
    let ran = bench.run(line);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stdout
}

#[test]
fn a_moved_repository_gets_its_hooks_folder_back() {
    let bench = Bench::new();
    bench
        .run(
            "mkdir .hk && printf '#!/bin/sh\\necho ran >>\"$HOME/ran\"\\n' >.hk/pre-commit && chmod +x .hk/pre-commit && \
             git add . && git commit -qm hooks && git config core.hooksPath .hk",
        )
        .assert_code(0);
    let before = bench.run(TRACES).stdout;
    bench.run("git grill start 'x' --research off").assert_code(0);
    let after = moved(
        &bench,
        &format!(
            "git grill doctor --fix >&2; git grill hooks status >&2 && ! git branch no && git grill stop \
             --without-output >&2 && {TRACES}; cd / && mv \"$OLDPWD\" \"${{OLDPWD%-moved}}\""
        ),
    );
    assert_eq!(after, before);
    let ran = bench.run("rm -f \"$HOME/ran\" && git commit -q --allow-empty -m x && cat \"$HOME/ran\"");
    assert_eq!(ran.stdout, "ran\n", "his own hooks run again");
}

#[test]
fn a_moved_repository_loses_hooks_and_locks() {
    for how in ["", "--fence"] {
        let bench = Bench::new();
        let before = bench.run(TRACES).stdout;
        bench.run(&format!("git grill start 'x' --research off {how}")).assert_code(0);
        let after = moved(&bench, &format!("git grill stop --without-output >&2 && {TRACES}"));
        assert_eq!(after, before, "{how}");
    }
}

#[test]
fn a_copy_takes_nothing_away_from_the_first() {
    for (setting, how) in [("true", ""), ("true", "--fence"), ("git config core.hooksPath .hk", "")] {
        let bench = Bench::new();
        bench.run(setting).assert_code(0);
        let before = bench.run(TRACES).stdout;
        bench.run(&format!("git grill start 'x' --research off {how}")).assert_code(0);
        let armed = bench.run(TRACES).stdout;
        assert_ne!(armed, before);
        let copy = "cp -r \"$PWD\" \"$PWD-copy\" && cd \"$PWD-copy\" && git grill stop --without-output >&2";
        let copied = whole(&bench, &format!("{copy} && {TRACES}"));
        assert_eq!(copied, before, "{setting} {how}: the copy is free");
        assert_eq!(bench.run(TRACES).stdout, armed, "{setting} {how}: the first is armed");
        assert_ne!(bench.run("git branch no").code, 0);
        bench.run("git grill stop --without-output").assert_code(0);
        assert_eq!(bench.run(TRACES).stdout, before, "{setting} {how}");
    }
}

#[test]
fn a_copy_with_the_worktrees_of_the_first_is_free_when_it_stops() {
    let bench = Bench::new();
    let linked = bench.worktree("linked");
    let before = bench.run(TRACES).stdout;
    bench.run("git grill start 'one' --research off").assert_code(0);
    linked.run("git grill start 'two' --fence --research off").assert_code(0);
    let copied = whole(
        &bench,
        &format!("cp -r \"$PWD\" \"$PWD-copy\" && cd \"$PWD-copy\" && git grill stop --without-output >&2 && {TRACES}"),
    );
    assert_eq!(copied, before);
    linked.run("test -d \"$(git rev-parse --git-dir)/HEAD.lock\"").assert_code(0);
}

#[test]
fn a_dispatcher_that_doctor_adds_is_no_drift() {
    let bench = Bench::new();
    let hook = |name: &str| format!("printf '#!/bin/sh\\n' >.husky/_/{name} && chmod +x .husky/_/{name}");
    bench
        .run(&format!(
            "mkdir -p .husky/_ && {} && echo '*' >.husky/_/.gitignore && git config core.hooksPath .husky/_",
            hook("pre-commit")
        ))
        .assert_code(0);
    bench.run("git grill start 'x' --research off").assert_code(0);
    bench.run(&format!("{} && git grill doctor --fix", hook("post-checkout"))).assert_code(0);
    bench.run("test -x .git/grill/hooks/post-checkout").assert_code(0);
    let verified = bench.run("git grill verify");
    assert!(!verified.stdout.contains("grill/hooks"), "{}", verified.stdout);
}
