//! Repositories that are not what one expects (G6): a session works there from start to stop, or is refused with a
//! reason and nothing half-made; afterwards the place is as it was.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use super::traces::{assert_same, everything, lasting};
use crate::bench::{Bench, Place};

/// A whole session at a place whose git directory lies inside of it.
fn a_session_works(place: &Place<'_>) {
    let before = lasting(place.dir());
    place.run("git grill start 'a faster search'").assert_code(0).assert_contains("read-only until git grill stop");
    place.run("git grill status --short").assert_stdout("grill:interview q1 0/1/0\n").assert_quiet();
    place.run("git commit --quiet --allow-empty --no-verify -m x").assert_code(128).assert_contains("was not");
    place.run("git grill answer --choose 1").assert_code(0).assert_contains("answered");
    assert!(place.dir().join(".grill/checkpoint.md").exists(), "the view is there");
    place.run("git grill stop --without-output").assert_code(0).assert_lacks("warning");
    place.run("git grill status --short").assert_stdout("").assert_quiet();
    assert_same(&before, &lasting(place.dir()), "after stop");
    place.run("git fsck --no-dangling").assert_code(0);
    place.run("git commit --quiet --allow-empty -m free").assert_code(0).assert_lacks("grill");
}

#[test]
fn an_ordinary_repository() {
    a_session_works(&Bench::new().at("."));
}

#[test]
fn without_any_commit() {
    a_session_works(&Bench::empty().at("."));
}

#[test]
fn with_a_detached_head() {
    let bench = Bench::new();
    bench.run("git checkout --quiet --detach").assert_code(0);
    a_session_works(&bench.at("."));
}

#[test]
fn with_spaces_in_its_path() {
    a_session_works(&Bench::spaced().at("."));
}

#[test]
fn a_shallow_clone() {
    let bench = Bench::new();
    bench.commit("more.txt", "more\n");
    bench.run("git clone --quiet --depth 1 \"file://$PWD\" ../shallow").assert_code(0);
    let shallow = bench.at("../shallow");
    shallow.run("git rev-parse --is-shallow-repository").assert_stdout("true\n");
    a_session_works(&shallow);
}

#[test]
fn a_partial_clone() {
    let bench = Bench::new();
    bench.commit("more.txt", "more\n");
    bench.run("git config uploadpack.allowFilter true").assert_code(0);
    let line = "git clone --quiet --filter=blob:none --no-checkout \"file://$PWD\" ../partial";
    bench.run(line).assert_code(0);
    a_session_works(&bench.at("../partial"));
}

#[test]
fn a_path_that_is_no_utf8() {
    let bench = Bench::new();
    let name = OsStr::from_bytes(b"caf\xe9");
    bench.run("git clone --quiet . \"../$(printf 'caf\\351')\"").assert_code(0);
    a_session_works(&bench.at(std::path::Path::new("..").join(name)));
}

#[test]
fn tracked_names_that_are_no_utf8() {
    let bench = Bench::new();
    bench.run("printf 'fn search() {}' >\"$(printf 'src\\377.rs')\" && git add . && git commit -qm x").assert_code(0);
    a_session_works(&bench.at("."));
}

#[test]
fn a_linked_worktree() {
    let bench = Bench::new();
    let linked = bench.worktree("side");
    let before = lasting(bench.repo());
    // Its git directory is inside of the main repository, so that is compared as well.
    linked.run("git grill start 'a faster search'").assert_code(0);
    linked.run("git grill status --short").assert_stdout("grill:interview q1 0/1/0\n");
    bench.run("git grill status --short").assert_stdout("");
    linked.run("git commit --quiet --allow-empty -m x").assert_code(128);
    bench.run("git commit --quiet --allow-empty -m 'not held' && git reset --quiet --soft HEAD~1").assert_code(0);
    linked.run("git grill stop --without-output").assert_code(0).assert_lacks("warning");
    let [before, after] = [before, lasting(bench.repo())].map(|mut traces| {
        // The main worktree's own commit, forth and back.
        traces.retain(|path, _| !path.starts_with(".git/logs"));
        traces
    });
    assert_same(&before, &after, "after stop");
    assert!(!linked.dir().join(".grill").exists());
}

#[test]
fn a_submodule_leaves_its_superproject_free() {
    let bench = Bench::new();
    bench.run("git clone --quiet . ../part").assert_code(0);
    bench
        .run("git -c protocol.file.allow=always submodule --quiet add ../part part && git commit -qm part")
        .assert_code(0);
    let part = bench.at("part");
    let before = lasting(bench.repo());
    part.run("git grill start 'a faster search'").assert_code(0);
    part.run("git commit --quiet --allow-empty -m x").assert_code(128).assert_contains("grill");
    part.run("git grill answer --choose 1").assert_code(0);
    bench.run("git grill status").assert_stdout("no session is active in this worktree\n");
    bench.run("git commit --quiet --allow-empty -m 'not held'").assert_code(0).assert_lacks("grill");
    part.run("git grill stop --without-output").assert_code(0);
    let ours = |traces: super::traces::Traces| -> super::traces::Traces {
        let inside = std::path::Path::new(".git/modules/part");
        let kept = |path: &std::path::Path| {
            path.starts_with("part")
                || ["hooks", "config", "GRILL_HEAD"].iter().any(|name| path.starts_with(inside.join(name)))
        };
        traces.into_iter().filter(|(path, _)| kept(path)).collect()
    };
    assert_same(&ours(before), &ours(lasting(bench.repo())), "after stop");
}

#[test]
fn a_bare_repository_has_an_interview_but_no_files() {
    let bench = Bench::bare();
    let before = lasting(bench.repo());
    bench.run("git grill start 'a faster search'").assert_code(0);
    bench
        .run("git update-ref refs/heads/other HEAD")
        .assert_code(128)
        .assert_contains("branch 'other' was not created");
    bench.run("git grill answer --choose 1").assert_code(0);
    let refused = bench.run("git -c grill.approval=script grill select design-doc").assert_code(128);
    refused.assert_contains("no working tree").assert_contains("hint: git worktree add");
    bench.run("git grill status --short").assert_stdout("grill:interview q2 1/1/0\n");
    bench.run("git grill stop --without-output").assert_code(0).assert_lacks("warning");
    assert_same(&before, &lasting(bench.repo()), "after stop");
    bench.run("git update-ref refs/heads/other HEAD").assert_code(0).assert_quiet();
}

#[test]
fn outside_of_any_repository() {
    let bench = Bench::nowhere();
    for verb in ["start x", "status", "next", "answer --choose 1", "stop", "sessions", "resume", "checkpoint", ""] {
        let said = bench.run(&format!("git grill {verb}")).assert_code(128);
        said.assert_contains("is not in a git repository").assert_contains("hint: git init");
    }
    bench
        .run("git grill --json status")
        .assert_code(128)
        .assert_contains(r#""code":"not_a_repository""#)
        .assert_quiet();
    // A prompt must stay quiet wherever one goes.
    bench.run("git grill status --short").assert_stdout("").assert_quiet();
    bench.run("git grill help").assert_code(0);
    assert!(everything(bench.repo()).is_empty());
}

#[test]
fn kinds_of_repository_that_cannot_be_read() {
    let future = "git config core.repositoryFormatVersion 1 && git config extensions.fromTheFuture 1";
    // One that nobody knows, and one that only the program reads, which is not there.
    let away = "PATH=$(dirname \"$(command -v git-grill)\"):/nowhere; git() { shift; git-grill \"$@\"; }; ";
    for (options, config, before_all, says) in
        [("", future, "", "fromthefuture"), ("--object-format=sha256", "true", away, "SHA-256")]
    {
        let bench = Bench::with_init(options);
        bench.run(config).assert_code(0);
        let before = everything(bench.repo());
        for verb in ["start 'a faster search'", "status", "next", "stop --without-output", "sessions"] {
            let said = bench.run(&format!("{before_all}git grill {verb}")).assert_code(128);
            said.assert_contains(says).assert_contains("\nhint: git ");
        }
        let json = bench.run(&format!("{before_all}git grill --json start x")).assert_code(128);
        json.assert_contains(r#""code":"unsupported_repository""#);
        assert_same(&before, &everything(bench.repo()), options);
    }
}

#[test]
fn from_a_folder_inside_and_from_outside() {
    let bench = Bench::new();
    bench.write("deep/er/file", "");
    let inside = bench.at("deep/er");
    inside.run("git grill start 'a faster search'").assert_code(0);
    assert!(bench.repo().join(".grill/checkpoint.md").exists(), "the view is at the top");
    assert!(!inside.dir().join(".grill").exists());
    let outside = bench.at("..");
    outside.run("git -C repo grill status --short").assert_stdout("grill:interview q1 0/1/0\n");
    outside.run("git --git-dir=repo/.git --work-tree=repo grill answer --choose 1").assert_code(0);
    outside.run("git -C repo/deep grill stop --without-output").assert_code(0);
    assert!(!bench.repo().join(".grill").exists());
}
