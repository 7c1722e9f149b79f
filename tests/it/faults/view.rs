//! Something else stands where the view would be (DESIGN section 4): it is left alone, and the interview goes on.

use super::traces::{assert_same, lasting};
use crate::bench::Bench;

/// A whole session, warned once a command, that leaves `.grill` as it was.
fn left_alone(bench: &Bench, why: &str) {
    let before = lasting(bench.repo());
    for line in ["git grill start 'a faster search'", "git grill answer --choose 1", "git grill next"] {
        let said = bench.run(line).assert_code(0).assert_contains("question ").assert_lacks("error:");
        let warnings = said.stderr().lines().filter(|line| line.starts_with("warning: ") && line.contains(why)).count();
        assert!(warnings <= 1, "`{line}` warns {warnings} times: {}", said.stderr());
        assert!(warnings == 1 || line.ends_with("next"), "`{line}` says nothing: {}", said.stderr());
    }
    bench.run("git grill stop --without-output").assert_code(0);
    assert_same(&before, &lasting(bench.repo()), "after stop");
}

#[test]
fn a_file() {
    let bench = Bench::new();
    bench.write(".grill", "mine\n");
    left_alone(&bench, "it is not a directory of its own");
}

#[test]
fn a_symlink_is_never_followed() {
    let bench = Bench::new();
    bench.run("mkdir ../elsewhere && echo '*' >../elsewhere/.gitignore && ln -s ../elsewhere .grill").assert_code(0);
    left_alone(&bench, "it is not a directory of its own");
    bench.run("ls ../elsewhere").assert_stdout("");
}

#[test]
fn a_symlink_in_the_place_of_the_checkpoint_is_never_followed() {
    let bench = Bench::new();
    bench.write("precious", "precious\n");
    bench.run("git grill start 'a faster search' && ln -sf ../precious .grill/checkpoint.md").assert_code(0);
    bench.run("git grill answer --choose 1").assert_code(0).assert_contains("answered").assert_contains("symlink");
    bench.run("git grill stop --without-output").assert_code(0);
    assert_eq!(bench.read("precious"), "precious\n");
}

/// git opens every `.gitignore` that it comes by, and waits at a pipe until somebody writes to it.
#[test]
fn a_pipe_in_the_place_of_the_rules_is_never_waited_at() {
    let bench = Bench::new();
    bench.run("mkdir .grill && mkfifo .grill/.gitignore").assert_code(0);
    for line in ["git grill start --research off 'a faster search'", "git grill answer --choose 1"] {
        bench.run(line).assert_code(0).assert_contains("question ").assert_contains("it is not a regular file");
    }
    bench.run("git grill verify").assert_code(0).assert_contains("nothing drifted");
    bench.run("git grill stop --without-output").assert_code(0).assert_contains("is left alone");
    bench.run("ls -A .grill && test -p .grill/.gitignore").assert_code(0).assert_stdout(".gitignore\n");
}

#[test]
fn a_folder_of_somebody_else() {
    let bench = Bench::new();
    bench.write(".grill/recipes.txt", "steak\n");
    left_alone(&bench, "it holds files that are not ours");
}

#[test]
fn a_folder_that_the_project_keeps_in_git() {
    let bench = Bench::new();
    bench.commit(".grill/checkpoint.md", "# ours, says the project\n");
    left_alone(&bench, "is left alone");
    bench.run("git status --short").assert_stdout("");
}

#[test]
fn a_folder_that_was_deleted_comes_back() {
    let bench = Bench::new();
    bench
        .run("git grill start 'a faster search' && rm -r .grill && git grill answer --choose 1")
        .assert_code(0)
        .assert_quiet();
    assert!(bench.read(".grill/checkpoint.md").starts_with("# Shared Understanding"));
    bench.run("git clean -fdxq && git grill answer --choose 1").assert_code(0).assert_quiet();
    bench.run("git grill stop --without-output").assert_code(0).assert_quiet();
    assert!(!bench.repo().join(".grill").exists());
}
