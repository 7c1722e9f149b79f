//! `git grill produce --undo`: exactly what was there comes back, or nothing happens (G31).

use crate::bench::Bench;

/// A session whose approved design document stands at `path`.
fn produced(bench: &Bench, path: &str) {
    bench.scripts_may_approve();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill answer 'requests per client are counted'").assert_code(0);
    bench.run(&format!("git grill select design-doc --path \"{path}\"")).assert_code(0);
    bench.run("git grill approve").assert_code(0);
    bench.run(&format!("grep -q 'rate limiting' \"{path}\" || grep -qi 'rate limiting' \"{path}\"")).assert_code(0);
}

#[test]
fn g31_a_file_that_existed_is_as_it_was() {
    let bench = Bench::new();
    bench.write("docs/api.md", "# Ours\r\nby hand, without a newline at the end");
    bench
        .run("chmod 640 docs/api.md && git add . && git commit -qm docs && git status --porcelain > ../before")
        .assert_code(0);
    produced(&bench, "docs/api.md");
    bench.run("git grill produce --undo").assert_code(0).assert_contains("docs/api.md is as it was before");
    bench
        .run("git status --porcelain | cmp - ../before && stat -c %a docs/api.md")
        .assert_code(0)
        .assert_contains("640");
    bench.run("git grill verify").assert_code(0);
    // The draft needs a new approval, and can have it.
    bench.run("git grill produce --undo").assert_code(0).assert_contains("taken back already");
    bench.run("git grill approve && git grill finish").assert_code(0);
    bench.run("git grill produce --undo && git diff --exit-code").assert_code(0);
    bench.run("git grill verify").assert_code(0);
}

#[test]
fn g31_a_file_that_did_not_exist_is_gone_after_the_phase_too() {
    let bench = Bench::new();
    produced(&bench, "docs/design/limits.md");
    bench.run("git grill finish").assert_code(0);
    bench
        .run("git grill --json produce --undo")
        .assert_code(0)
        .assert_contains("\"undone\":[\"docs/design/limits.md\"]");
    bench.run("test ! -e docs").assert_code(0);
    bench.run("git grill verify").assert_code(0);
    bench.run("git grill status").assert_code(0).assert_lacks("produced ");
    bench.run("git log -1 --format=%s GRILL_HEAD").assert_contains("take back docs/design/limits.md");
}

/// Whoever repeats the command after a kill loses no older document by it.
#[test]
fn g31_taking_back_twice_never_takes_back_an_older_plan() {
    let bench = Bench::new();
    bench.run("git grill produce --undo").assert_code(6);
    produced(&bench, "docs/first.md");
    bench.run("git grill finish").assert_code(0);
    // A plan that has written nothing is the newest too.
    bench.run("git grill select design-doc --path docs/second.md").assert_code(0);
    let early = bench.run("git grill produce --undo").assert_code(0);
    early.assert_contains("has written nothing yet").assert_contains("docs/first.md of an older output phase stays");
    bench.run("test -f docs/first.md && git grill approve && git grill finish").assert_code(0);
    let undone = bench.run("git grill produce --undo").assert_code(0);
    undone.assert_contains("docs/second.md is as it was before");
    for _ in 0..2 {
        let again = bench.run("git grill produce --undo").assert_code(0);
        again.assert_contains("nothing to do").assert_contains("taken back already").assert_lacks("as it was before");
        bench.run("test -f docs/first.md && test ! -e docs/second.md").assert_code(0);
        // There is nothing to approve, so an agent is told the same.
        bench.run("CLAUDECODE=1 git grill produce --undo").assert_code(0).assert_contains("docs/first.md");
    }
    let told = bench.run("git grill --json produce --undo").assert_code(0).assert_contains("\"undone\":[]");
    let told = told.assert_contains("\"paths\":[\"docs/first.md\"]").stdout().to_owned();
    let command =
        told.split_once("\"command\":\"").expect("there is a command").1.split('"').next().unwrap().to_owned();
    bench.run("git config --global --unset grill.approval").assert_code(0);
    bench.run(&format!("CLAUDECODE=1 {command}")).assert_code(3);
    bench.scripts_may_approve();
    bench.run(&command).assert_code(0).assert_contains("docs/first.md is as it was before");
    bench.run(&command).assert_code(0).assert_contains("taken back already");
    bench.run("test ! -e docs && git grill verify && git grill fsck").assert_code(0);
    bench.run("git grill produce --undo").assert_code(0).assert_lacks("--round");
    let unknown = bench.run("git grill produce --undo --round 9999").assert_code(2);
    unknown.assert_contains("output phase 9999 wrote nothing here");
    bench.run("git grill produce --round 1").assert_code(2);
}

/// An older plan can be named while a newer one stands, and the newer one is what is meant without a number.
#[test]
fn g31_an_older_plan_is_taken_back_by_its_number_alone() {
    let bench = Bench::new();
    produced(&bench, "docs/first.md");
    bench.run("git grill finish && git grill select design-doc --path docs/second.md").assert_code(0);
    let early = bench.run("git grill produce --undo").assert_code(0).stdout().to_owned();
    let command =
        early.lines().find(|line| line.contains("--round")).expect("a command").replace(" takes that back", "");
    bench.run("git grill approve && git grill finish").assert_code(0);
    bench.run("echo mine >> docs/first.md").assert_code(0);
    let edited = bench.run(&command).assert_code(4);
    edited.assert_contains(&format!("and {command} takes that back"));
    bench.run("sed -i '$d' docs/first.md").assert_code(0);
    bench.run(&command).assert_code(0).assert_contains("docs/first.md is as it was before").assert_lacks("older");
    bench.run("test -f docs/second.md && test ! -e docs/first.md").assert_code(0);
    bench.run("git grill produce --undo").assert_code(0).assert_contains("docs/second.md is as it was before");
    bench.run("test ! -e docs && git grill verify && git grill fsck").assert_code(0);
}

#[test]
fn g31_what_somebody_changed_since_is_left_alone() {
    let bench = Bench::new();
    produced(&bench, "docs/limits.md");
    bench.run("echo more >> docs/limits.md && cp docs/limits.md ../kept").assert_code(0);
    let refused = bench.run("git grill produce --undo").assert_code(4);
    refused.assert_contains("docs/limits.md changed").assert_contains("git grill finish keeps");
    bench.run("cmp docs/limits.md ../kept").assert_code(0);
    // An agent does not take back what a person approved.
    bench.run("git config --global --unset grill.approval && CLAUDECODE=1 git grill produce --undo").assert_code(3);
}

/// What the hint names can be typed, and leads out: what was written comes back, and that can be taken back.
#[test]
fn g31_a_file_that_was_changed_can_be_taken_back_by_what_the_hint_says() {
    let bench = Bench::new();
    produced(&bench, "docs/it's.md");
    let typed = || {
        bench.run("echo mine > \"docs/it's.md\"").assert_code(0);
        let refused = bench.run("git grill produce --undo").assert_code(4);
        let hint = refused.stderr().split_once("hint: ").expect("there is a hint").1.to_owned();
        hint.split_once(" brings back").expect("a command comes first").0.to_owned()
    };
    let command = typed();
    bench.run(&format!("{command} && git grill produce --undo && test ! -e docs")).assert_code(0);
    bench.run("git grill approve && git grill finish").assert_code(0);
    let command = typed();
    bench.run(&format!("{command} && git grill produce --undo && test ! -e docs")).assert_code(0);
    bench.run("git grill verify").assert_code(0);
}

/// After the output phase the hook refuses the command that takes a commit back, so the hint says when it works.
#[test]
fn g31_g33_what_takes_a_commit_back_is_said_with_when_it_works() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill answer 'requests per client are counted'").assert_code(0);
    bench.run("git grill select design-doc --path docs/limits.md").assert_code(0);
    bench.run("git grill approve --commit && git grill finish").assert_code(0);
    let undone = bench.run("git grill produce --undo").assert_code(0);
    let undone = undone.assert_contains("after git grill stop, this takes it back there as well");
    let command = undone.stdout().lines().find(|line| line.starts_with("  git commit -m")).expect("a command").trim();
    assert_ne!(bench.run(command).code, 0, "{command}");
    bench.run(&format!("git grill stop --without-output && {command}")).assert_code(0);
    bench.run("git ls-files --error-unmatch docs/limits.md").assert_code(1);
}

#[test]
fn g31_the_commit_of_one_output_is_named_after_it_alone() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill answer 'requests per client are counted'").assert_code(0);
    bench.run("git grill select design-doc,implementation-plan").assert_code(0);
    bench.run("git grill draft --drop docs/plans/rate-limiting.md").assert_code(0);
    bench.run("git grill approve --commit").assert_code(0);
    bench.run("git log -1 --format=%s").assert_code(0).assert_stdout("docs: rate limiting (design-doc)\n");
}
