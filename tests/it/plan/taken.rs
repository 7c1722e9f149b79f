//! A plan that is taken over: from the output of an interview, and from another session.

use serde_json::Value;

use super::{call, commits_are_refused, plan, planned, set, steps};
use crate::bench::Bench;

/// An interview with an answer, in its output phase, with a draft of its implementation plan.
fn drafted() -> Bench {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill answer 'a client that loops cannot starve the others'").assert_code(0);
    bench.run("git grill answer 'requests are counted in src/limits.rs'").assert_code(0);
    bench.run("git grill select implementation-plan && git grill draft").assert_code(0);
    bench
}

/// The id of the session that is active.
fn id(bench: &Bench) -> String {
    let status = bench.run("git grill status --json").assert_code(0);
    let status: Value = serde_json::from_str(status.stdout()).unwrap();
    status["session"].as_str().unwrap().to_owned()
}

#[test]
fn p13_the_output_of_an_interview_becomes_the_plan_of_the_next_session_and_nothing_is_approved() {
    let bench = drafted();
    let interview = id(&bench);
    bench.run("git grill approve && git grill finish && git grill stop").assert_code(0);
    let taken = bench.run("git grill plan take").assert_code(0);
    taken
        .assert_contains("plan mode is on")
        .assert_contains(&format!("from docs/plans/rate-limiting.md of session {interview}"));
    assert_ne!(id(&bench), interview);
    let now = plan(&bench);
    assert!(now["on"] == true && now["executing"] == false, "{now}");
    assert!(now["source"]["kind"] == "session" && now["source"]["id"] == interview.as_str(), "{now}");
    let steps = steps(&bench);
    assert!(steps.iter().any(|step| step.contains("Done when:")), "the test that ends a step comes with it: {steps:?}");
    assert!(steps.iter().any(|step| step.lines().next().unwrap().contains("(decision")), "{steps:?}");
    // The session has no interview of its own, and knows what was decided all the same.
    bench.run("git grill todos").assert_code(0).assert_contains("serves decision ").assert_lacks("not known here");
    commits_are_refused(&bench);
    // A plan that the agent hands in after it may cite them still.
    for steps in [r#"{"steps":["Count (decision 2)","Log (decision 9)"]}"#, r#"{"steps":["Count them (decision 2)"]}"#]
    {
        assert_eq!(call(&bench, "grill_set_plan", steps).0, 0);
        bench.run("git grill todos").assert_contains("serves decision 2: requests are counted in src/limits.rs");
    }
    bench.run("git grill plan execute").assert_code(0);
    bench.run("git commit --quiet --allow-empty -m more").assert_code(0);
    bench.run("git grill fsck").assert_code(0);
}

#[test]
fn p13_in_the_output_phase_it_sets_that_sessions_plan_which_is_not_executed_there() {
    let bench = drafted();
    bench.run("git grill plan take").assert_code(0).assert_contains("plan: ");
    assert!(!steps(&bench).is_empty());
    bench.run("git grill plan take").assert_code(0).assert_contains("this is the plan already");
    bench.run("git grill plan execute").assert_code(1).assert_contains("git grill plan take");
    // What a person changed in the draft counts.
    let edited = "## Steps\n\n### 1. Only this (decision 2)\n\nDone when:\n\n- [ ] It is so.\n";
    bench.run_with_input("git grill draft --edit docs/plans/rate-limiting.md --from -", edited).assert_code(0);
    bench.run("git grill plan take").assert_code(0);
    assert_eq!(steps(&bench), ["pending Only this (decision 2)\n\nDone when:\n\n- [ ] It is so."]);
    bench.run("git grill todos").assert_contains("serves decision 2: requests are counted in src/limits.rs");
    let before = steps(&bench);
    bench.run_with_input("git grill draft --edit docs/plans/rate-limiting.md --from -", "# Nothing\n").assert_code(0);
    bench
        .run("git grill plan take")
        .assert_code(1)
        .assert_contains("docs/plans/rate-limiting.md of session")
        .assert_contains("has no steps");
    assert_eq!(steps(&bench), before);
}

#[test]
fn p13_a_plan_of_plan_mode_is_taken_by_its_sessions_id_and_shown_by_it() {
    let bench = planned();
    let first = id(&bench);
    bench.run("git grill stop").assert_code(0);
    bench.run("git grill plan take 20").assert_code(0).assert_contains(&format!("from session {first}"));
    assert_eq!(steps(&bench).len(), 3);
    set(&bench, "1. Another one\n");
    bench
        .run(&format!("git grill plan show {first}"))
        .assert_code(0)
        .assert_contains("☐ 1. Add `Limiter`")
        .assert_contains(&format!("git grill plan take {first} takes it over"));
    bench.run("git grill plan show").assert_code(0).assert_contains("☐ 1. Another one");
    bench.run("git grill plan show no-such").assert_code(6).assert_contains("git grill sessions");
    bench.run(&format!("git grill plan take {first}")).assert_code(0);
    assert_eq!(steps(&bench)[0], "pending Add `Limiter`");
}

#[test]
fn p13_where_there_is_no_plan_none_is_taken_and_no_session_begins() {
    let bench = Bench::new();
    bench
        .run("git grill plan take")
        .assert_contains("no session of this clone has ended")
        .assert_contains("plan take <session>");
    bench.run("git grill plan on").assert_code(0);
    let empty = id(&bench);
    bench.run("git grill stop").assert_code(0);
    bench.run("git grill plan take").assert_code(1).assert_contains(&format!("session {empty} has neither a plan nor"));
    bench.run("git grill status").assert_contains("no session is active");
}

#[test]
fn p13_a_plan_of_a_fetched_session_is_text_that_waits_for_a_person() {
    let bench = planned();
    let theirs_id = id(&bench);
    bench.run("git clone --quiet . ../theirs").assert_code(0);
    let theirs = bench.at("../theirs");
    theirs.run("git fetch --quiet origin 'refs/grill/sessions/*:refs/grill/sessions/*'").assert_code(0);
    // Without an id it is never one that was only fetched.
    theirs.run("git grill plan take").assert_contains("no session of this clone has ended");
    theirs.run(&format!("git grill plan take {theirs_id}")).assert_code(0).assert_contains("plan mode is on");
    theirs.run("git grill todos").assert_code(0).assert_contains("not being executed");
    theirs.run("git grill plan execute").assert_code(3).assert_contains("needs a person's word");
    theirs.run("git grill todos").assert_contains("☐ 3. Say so in the README");
}
