//! Among many sessions the one that is meant is found by its name; only who asks for all of them has all of them read.

use super::stage::multiply;
use crate::bench::Bench;

/// The session that is active.
fn id(bench: &Bench) -> String {
    let told = bench.run("git rev-parse --symbolic-full-name GRILL_HEAD").assert_code(0);
    told.stdout().trim().rsplit('/').next().unwrap().to_owned()
}

#[test]
fn p5_other_sessions_are_not_read_by_who_does_not_ask_for_them() {
    let bench = Bench::new();
    bench.run("git grill start --research off 'Rate limiting, per client'").assert_code(0);
    let ours = id(&bench);
    multiply(&bench, &ours, 30);
    // A pipe to which nobody writes stands where their object is: a git that reads these sessions never ends.
    let run = |line: &str| bench.run(&format!("export GRILL_BACKEND=git; {line}"));
    let broken = "mkdir -p .git/objects/11 && mkfifo .git/objects/11/11111111111111111111111111111111111111 && \
                  for name in $(git for-each-ref --format='%(refname)' 'refs/grill/sessions/2026010*'); do \
                  echo 1111111111111111111111111111111111111111 > .git/$name; done";
    run(broken).assert_code(0);
    run("timeout 2 git-grill sessions").assert_code(124);
    // git grill itself waits at no pipe.
    bench.run("git grill sessions").assert_code(0).assert_contains(&ours);
    run("git grill answer 'because they asked'").assert_code(0);
    run("git grill status").assert_code(0);
    run(&format!("git grill verify {ours}")).assert_code(0);
    run("rm .git/GRILL_HEAD").assert_code(0);
    run(&format!("git grill resume {ours}")).assert_code(0);
    assert_eq!(id(&bench), ours);
    // A topic is one whatever its letters and spaces: the session about it is gone on with.
    run("rm .git/GRILL_HEAD && git grill start --research off '  rate LIMITING per client '").assert_code(0);
    assert_eq!(id(&bench), ours);
    run("git grill resume 2026010").assert_code(2).assert_contains("begins the ids of 30 sessions");
    run("git grill stop --without-output").assert_code(0);
}

#[test]
fn g6_a_whole_id_is_one_even_where_it_begins_another() {
    let bench = Bench::new();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    let ours = id(&bench);
    bench.run(&format!("git update-ref refs/grill/sessions/{ours}z GRILL_HEAD && rm .git/GRILL_HEAD")).assert_code(0);
    bench.run(&format!("git grill resume {ours}")).assert_code(0);
    assert_eq!(id(&bench), ours);
}
