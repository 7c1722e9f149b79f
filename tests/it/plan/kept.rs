//! What stays of plan mode and of a plan: in another process, in another clone, and once it is turned off.

use super::{PLAN, at_terminal, commits_are_refused, execute, plan, planned, steps};
use crate::bench::Bench;

#[test]
fn p13_turning_it_off_keeps_the_plan_and_its_marks() {
    let bench = planned();
    execute(&bench);
    at_terminal(&bench, &["todos", "done", "1"]).ends_with(0);
    let before = steps(&bench);
    assert_eq!(before[0], "done Add `Limiter`");
    for words in [&["plan", "on"][..], &["plan", "off"]] {
        at_terminal(&bench, words).ends_with(0);
        assert_eq!(steps(&bench), before, "{words:?}");
    }
    bench.run("git grill todos").assert_code(0).assert_contains("☑ 1. Add `Limiter`");
}

#[test]
fn p13_it_travels_with_its_session_and_what_was_granted_does_not() {
    let bench = planned();
    bench.run("git clone --quiet . ../theirs").assert_code(0);
    execute(&bench);
    at_terminal(&bench, &["todos", "done", "1"]).ends_with(0);
    at_terminal(&bench, &["todos", "skip", "2"]).ends_with(0);
    let theirs = bench.at("../theirs");
    theirs.run("git fetch --quiet origin 'refs/grill/sessions/*:refs/grill/sessions/*'").assert_code(0);
    let resumed = theirs.run("git grill resume").assert_code(0);
    let told = resumed.stderr().lines().filter(|line| line.contains("in another clone")).count();
    assert_eq!(told, 1, "one line says so: {}", resumed.stderr());
    assert!(resumed.stderr().contains("plan mode stays on until you turn it off or execute the plan"));
    theirs.run("git grill status --short").assert_stdout("grill Plan Mode: ON\n");
    let shown = theirs.run("git grill todos").assert_code(0);
    shown
        .assert_contains("◐ 1. Add `Limiter`")
        .assert_contains("☐ 2. Call it")
        .assert_contains("not being executed")
        .assert_lacks("in another clone");
    let before = theirs.run("git rev-parse HEAD").assert_code(0).stdout().to_owned();
    assert_ne!(theirs.run("git commit --quiet --allow-empty -m more").code, 0);
    theirs.run("git rev-parse HEAD").assert_stdout(&before);
    theirs.run("git grill fsck").assert_code(0);
    // Where it was granted, it still counts.
    bench.run("git commit --quiet --allow-empty -m more").assert_code(0);
}

#[test]
fn p13_a_session_that_asks_nothing_ends_without_a_selection_and_leaves_nothing() {
    let bench = Bench::new();
    let files = "find .git -name 'GRILL*' -o -path '.git/hooks/*' ! -name '*.sample' | sort; git config --list --local";
    let before = bench.run(files).assert_code(0).stdout().to_owned();
    bench.run("git grill plan on").assert_code(0).assert_contains("plan mode is on");
    bench.run("git grill status").assert_code(0).assert_contains("phase        plan mode");
    commits_are_refused(&bench);
    bench.run("git grill next").assert_code(1).assert_contains("git grill stop ends this session");
    bench.run("git grill answer 'ten a second'").assert_code(1).assert_contains("git grill stop ends this session");
    bench.run("git grill stop").assert_code(0).assert_contains("the session ended; git is as free as before");
    bench.run("git grill status").assert_code(0).assert_contains("no session is active");
    bench.run(files).assert_code(0).assert_stdout(&before);
    bench.run("git status --porcelain").assert_stdout("");
    bench.run("git commit --quiet --allow-empty -m more").assert_code(0);
}

/// The line that it ends with is one to type.
#[test]
fn p13_a_session_that_asks_nothing_has_no_outputs_and_names_a_way_that_works() {
    let bench = planned();
    for line in ["git grill select", "git grill select adr", "git grill select prd --strategy vertical-slices"] {
        bench
            .run(line)
            .assert_code(1)
            .assert_contains("is not possible in the no-interview phase")
            .assert_contains("hint: git grill plan show shows the plan; git grill stop ends this session")
            .assert_lacks("git grill next");
    }
    bench.run("git grill plan show").assert_code(0);
}

/// A command that is named leads on: it sets a plan, or ends the session.
#[test]
fn p13_without_a_plan_no_hint_names_a_command_that_needs_one() {
    let bench = Bench::new();
    bench.run("git grill plan on rate limiting").assert_code(0);
    let id = bench.run("git grill status --json").assert_code(0);
    let id = serde_json::from_str::<serde_json::Value>(id.stdout()).unwrap()["session"].as_str().unwrap().to_owned();
    let needs_one = ["plan show", "plan execute", "plan review", "todos"].map(|verb| format!("git grill {verb}"));
    for words in [
        "plan",
        "plan on",
        "plan off",
        "plan show",
        "plan execute",
        "plan review",
        "plan review --drop",
        "plan review --note '1: no'",
        "plan set garbage",
        "plan set",
        "plan take",
        "todos",
        "todos --outside",
        "todos done 1",
        "todos skip 1",
        "todos reopen 1",
        "todos check",
        "todos check 1",
        "status",
        "next",
        "answer yes",
        "why",
        "skip",
        "unknown",
        "discuss",
        "back",
        "select",
        "select adr",
        "approve",
        "draft",
        "produce",
        "finish",
        "waive",
        "checkpoint",
        "instructions",
        "resume",
    ] {
        let said = bench.run(&format!("git grill {words}"));
        for (named, line) in needs_one.iter().flat_map(|named| said.stderr.lines().map(move |line| (named, line))) {
            assert!(!line.starts_with("hint:") || !line.contains(named.as_str()), "git grill {words}: {line}");
        }
        assert!(!said.stdout.contains("plan execute") && !said.stdout.contains("plan show"), "{said}");
    }
    let sets_one = "git grill plan set";
    for words in
        ["next", "select", "answer yes", "todos", "plan show", "plan execute", "todos --outside", "todos check"]
    {
        bench.run(&format!("git grill {words}")).assert_contains(sets_one);
    }
    bench.run("git commit --quiet --allow-empty -m more").assert_contains("(git grill plan set sets one");
    // A plan is set in the session that is active, and in no other one.
    bench.run("git grill stop && git grill start --research off links").assert_code(0);
    bench
        .run(&format!("git grill plan show {id}"))
        .assert_code(0)
        .assert_stdout(&format!("session {id} has no plan; git grill sessions lists the others\n"));
}

#[test]
fn p13_a_session_that_ends_names_the_history_of_its_plan() {
    let bench = planned();
    let stopped = bench.run("git grill stop").assert_code(0).stdout().to_owned();
    let line = stopped.lines().find(|line| line.contains("git log")).expect("it names a history").trim().to_owned();
    assert!(line.ends_with(" -- :/.grill/plan.yaml"), "{line}");
    bench.run(&line).assert_code(0).assert_contains("- text: \"Add `Limiter`\"");
    // That of an interview is its checkpoint's, a plan in it or not.
    bench.run("git grill start --research off links").assert_code(0);
    bench.run("git grill answer 'in one file'").assert_code(0);
    bench.run("git grill plan on").assert_code(0);
    bench.run("git grill stop --without-output").assert_code(0).assert_contains(" -- :/.grill/checkpoint.md");
}

#[test]
fn p13_without_a_session_there_is_nothing_to_turn_off() {
    let bench = Bench::new();
    for line in ["git grill plan off", "git grill plan show", "git grill plan execute", "git grill todos"] {
        bench.run(line).assert_code(6).assert_contains("no session is active");
    }
    bench.run_with_input("git grill plan set -", PLAN).assert_code(6);
    bench.run("git for-each-ref refs/grill").assert_stdout("");
}

#[test]
fn p13_a_new_process_reads_what_the_last_one_wrote() {
    let bench = planned();
    let before = plan(&bench);
    // Without the copies and the views that are kept beside the ref.
    bench.run("rm -rf .git/grill/copies .git/grill/view").assert_code(0);
    assert_eq!(plan(&bench), before);
    bench.run("git show GRILL_HEAD:.grill/plan.yaml").assert_code(0).assert_contains("Add `Limiter`");
}
