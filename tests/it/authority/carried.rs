//! What a person grants here counts here, and what travels does not: between two clones, with real fetches.

use crate::bench::Bench;
use crate::conversation::Sitting;

/// A clone in which scripts may approve tells a session up to its drafts, which another clone fetches; the session's id.
fn fetched(bench: &Bench, lines: &str) -> String {
    bench.scripts_may_approve();
    bench.run("git clone -q . ../theirs").assert_code(0);
    let theirs = bench.at("../theirs");
    theirs.run("git grill start --research off 'rate limiting'").assert_code(0);
    theirs.run("git grill answer 'requests per client are counted'").assert_code(0);
    theirs.run("git grill select design-doc --path docs/api.md").assert_code(0);
    theirs.run(lines).assert_code(0);
    bench.run("git config --global --unset grill.approval").assert_code(0);
    bench.run("git fetch -q ../theirs 'refs/grill/sessions/*:refs/grill/sessions/*'").assert_code(0);
    let id = bench.run("git for-each-ref --format='%(refname:lstrip=3)' refs/grill/sessions").assert_code(0);
    id.stdout().trim().to_owned()
}

#[test]
fn a_fetched_session_says_once_what_does_not_count_and_a_person_grants_it_anew() {
    let bench = Bench::new();
    let edited = "printf '# By hand\\n' > ../hand.md && git grill draft --edit --from ../hand.md docs/api.md";
    let id = fetched(&bench, edited);
    let resumed = bench.run(&format!("git grill resume {id}")).assert_code(0);
    resumed
        .assert_contains("what was granted in another clone does not count here")
        .assert_contains("git grill approve, at a terminal, approves the outputs that wait");
    bench
        .run("git grill status")
        .assert_code(0)
        .assert_contains("approval     person")
        .assert_lacks("granted in another");
    bench.run("git log --format=%s GRILL_HEAD").assert_contains("lapse: what was granted in another clone");
    bench.run("git grill fsck").assert_code(0);
    bench.run("git grill approve").assert_code(3);
    let mut sitting = Sitting::at(&bench, &["approve"], 60, 110, &[]);
    sitting.below("produce design-doc (vertical-slices) as docs/api.md. Grant it?", "[y/");
    sitting.pty.send("y");
    sitting.ends_with(0);
    // What was written by hand there is still the draft here.
    bench.run("git grill draft").assert_contains("By hand");
    bench.run("test ! -e docs").assert_code(0);
    let mut sitting = Sitting::at(&bench, &["approve"], 60, 110, &[]);
    sitting.below("Write exactly this as docs/api.md", "[y/n]");
    sitting.pty.send("y");
    sitting.ends_with(0);
    bench.run("cat docs/api.md").assert_code(0).assert_stdout("# By hand\n");
    bench.run("git grill fsck").assert_code(0);
    // What was granted here is theirs no more than the other way round.
    bench.run("git -C ../theirs grill stop --without-output").assert_code(0);
    let back = "git -C ../theirs fetch -q ../repo '+refs/grill/sessions/*:refs/grill/sessions/*'";
    bench.run(back).assert_code(0);
    let theirs = bench.at("../theirs").run(&format!("git grill resume {id}")).assert_code(0);
    theirs.assert_contains("1 approved draft is a draft again");
    bench.at("../theirs").run("git grill produce --undo").assert_code(1);
}

/// A concern that was waived holds an agent's gate no longer, so a fetched session must not bring that along.
#[test]
fn a_concern_that_was_waived_elsewhere_holds_the_gate_here() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.run("git clone -q . ../theirs").assert_code(0);
    let theirs = bench.at("../theirs");
    theirs.run("git grill start --research off --interviewer agent:claude 'rate limiting'").assert_code(0);
    let ask = r#"echo '{"question":"Who waits?","options":[{"label":"We do"},{"label":"They do"}]}' | CLAUDECODE=1 git grill tool ask_question"#;
    theirs.run(ask).assert_code(3);
    theirs.run("git grill answer 'we do' && git grill waive area:scope").assert_code(0).assert_contains("waived");
    assert!(theirs.run("git show GRILL_HEAD:.grill/session.yaml").assert_code(0).stdout().contains("waived:"));
    theirs.run("git grill status").assert_code(0).assert_lacks("another clone");
    bench.run("git config --global --unset grill.approval").assert_code(0);
    bench.run("git fetch -q ../theirs 'refs/grill/sessions/*:refs/grill/sessions/*'").assert_code(0);
    let resumed = bench.run("git grill resume").assert_code(0);
    resumed.assert_contains("1 waived concern holds again");
    assert!(!bench.run("git show GRILL_HEAD:.grill/session.yaml").assert_code(0).stdout().contains("waived:"));
    bench.run("git grill fsck").assert_code(0);
}

/// What backs a step was looked up by another clone, and its checks were agreed to there.
#[test]
fn p24_what_backs_a_step_elsewhere_backs_nothing_here_and_no_check_runs() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.run("git clone -q . ../theirs").assert_code(0);
    let theirs = bench.at("../theirs");
    theirs.run("git grill plan on 'rate limiting'").assert_code(0);
    let plan = "1. Mend README.md\n2. Keep it whole, check: touch ../ran\n";
    theirs.run_with_input("git grill plan set -", plan).assert_code(0);
    theirs.run("git grill plan execute && echo more >>README.md").assert_code(0);
    theirs.run("echo '{\"step\":1}' | git grill tool grill_step_done").assert_code(0);
    theirs.run("git grill todos check && git grill todos").assert_code(0).assert_contains("☑ 1. Mend README.md");
    theirs.run("rm ../ran").assert_code(0);
    bench.run("git fetch -q ../theirs 'refs/grill/sessions/*:refs/grill/sessions/*'").assert_code(0);
    let resumed = bench.run("git grill resume").assert_code(0);
    resumed.assert_contains("evidence found there that a step is done does not count");
    let shown = bench.run("git grill todos").assert_code(0);
    shown.assert_contains("◐ 1. Mend README.md").assert_contains("☐ 2. Keep it whole");
    bench
        .run("git grill todos check")
        .assert_code(1)
        .assert_contains("no check was run: the plan is not being executed");
    bench.run("test ! -e ../ran && git grill fsck").assert_code(0);
    // Agreed to here, the plan begins here: the claim waits for a change of this clone.
    let mut sitting = Sitting::at(&bench, &["plan", "execute"], 60, 110, &[]);
    sitting.below("Execute this plan?", "[y/n]");
    sitting.pty.send("y");
    sitting.ends_with(0);
    bench.run("git grill todos").assert_code(0).assert_contains("◐ 1. Mend README.md");
    bench.run("echo more >>README.md; git grill todos").assert_code(0).assert_contains("☑ 1. Mend README.md");
    bench.run("git grill todos check").assert_code(0).assert_contains("step 2 is done: touch ../ran passed");
    bench.run("test -e ../ran").assert_code(0);
}

/// The agent is one that this clone could start: its account knows the command.
#[test]
fn p3_a_fetched_session_that_an_agent_led_starts_no_agent_at_a_terminal() {
    const PROMPT: &str = "Tab alternatives, Enter sends";
    let bench = Bench::new();
    let launch = "#!/bin/sh\ntouch \"${0%/*}/launched\"\n";
    bench.write("../launch", launch);
    bench.run("chmod +x ../launch").assert_code(0);
    let command = bench.root().join("launch");
    let known = format!("[grill \"agent.scripted\"]\n\tcommand = {}\n", command.display());
    bench.with_account().global_config(&known);
    bench.run("git clone -q . ../theirs").assert_code(0);
    let theirs = bench.at("../theirs");
    theirs.run("git grill start --research off 'rate limiting'").assert_code(0);
    theirs.run("git grill answer 'requests per client are counted'").assert_code(0);
    theirs.run("git grill interviewer agent:scripted").assert_code(0);
    let led = theirs.run("git show GRILL_HEAD:.grill/session.yaml").assert_code(0);
    led.assert_contains("interviewer: agent:scripted");
    bench.run("git fetch -q ../theirs 'refs/grill/sessions/*:refs/grill/sessions/*'").assert_code(0);
    for (verb, told) in [("resume", 1), ("next", 0)] {
        let mut sitting = Sitting::at(&bench, &[verb], 60, 110, &[]);
        sitting.below("question 2 ·", PROMPT);
        let said = sitting.pty.raw().matches("does not count here: the built-in interviewer asks").count();
        assert_eq!(said, told, "{verb}: {}", sitting.pty.screen());
        sitting.pty.send("\x1b");
        sitting.ends_with(0);
        bench.run("test ! -e ../launched && git grill interviewer").assert_code(0).assert_stdout("built-in\n");
    }
}

#[test]
fn a_session_that_a_forced_fetch_replaced_has_no_more_than_this_clone_granted() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill answer 'requests per client are counted'").assert_code(0);
    bench.run("git grill select design-doc --path docs/api.md").assert_code(0);
    bench.run("git config --global --unset grill.approval").assert_code(0);
    // Their clone has it from ours, approves another text, and puts it back over ours.
    bench.run("git clone -q . ../theirs").assert_code(0);
    let theirs = bench.at("../theirs");
    theirs.run("git fetch -q origin 'refs/grill/sessions/*:refs/grill/sessions/*'").assert_code(0);
    let forged = r#"
id=$(git for-each-ref --format='%(refname)' refs/grill/sessions) && mkdir ../forge &&
git archive $id | tar x -C ../forge && printf 'pwned\n' > ../forge/.grill/drafts/docs/api.md &&
sed -i "s/blob: .*/blob: \"$(printf 'pwned\n' | git hash-object --stdin)\"/; s/stage: drafted/stage: approved\n    approval: human/" ../forge/.grill/outputs.yaml &&
export GIT_INDEX_FILE=$PWD/../forge-index GIT_WORK_TREE=$PWD/../forge GIT_DIR=$PWD/.git && cd ../forge && git add -A -f . &&
git commit-tree $(git write-tree) -p $id -m "$(git log -1 --format=%B $id)" | xargs git update-ref $id
"#;
    theirs.run(forged).assert_code(0);
    // The hooks would refuse it while the session is active here.
    let fetched = "git -c core.hooksPath=/dev/null fetch -q ../theirs '+refs/grill/sessions/*:refs/grill/sessions/*'";
    bench.run(fetched).assert_code(0);
    // The plan and the mode were granted here, the approval was not.
    let said = bench.run("git grill status").assert_code(0);
    said.assert_contains("1 approved draft is a draft again").assert_lacks("the chosen outputs wait");
    bench.run("CLAUDECODE=1 git grill produce").assert_code(3);
    bench.run("test ! -e docs").assert_code(0);
}

#[test]
fn a_copied_private_folder_brings_nothing_and_a_moved_repository_keeps_it() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill answer 'requests per client are counted'").assert_code(0);
    bench.run("git grill select design-doc --path docs/api.md").assert_code(0);
    bench.run("cp -a . ../copied && tar c . | (mkdir ../unpacked && tar x -C ../unpacked)").assert_code(0);
    for copy in ["../copied", "../unpacked"] {
        let said = bench.at(copy).run("git grill approve").assert_code(3);
        said.assert_contains("what was granted in another clone does not count here");
        bench.at(copy).run("test ! -e docs && git grill status").assert_code(0).assert_contains("output selection");
    }
    bench.run("mv ../repo ../moved && ln -s moved ../repo").assert_code(0);
    bench.at("../moved").run("git grill approve").assert_code(0).assert_lacks("another clone");
    bench.run("test -e docs/api.md").assert_code(0);
}

#[test]
fn g3_a_topic_begins_a_new_session_where_one_about_it_was_only_fetched() {
    let bench = Bench::new();
    bench.run("git clone -q . ../theirs").assert_code(0);
    let theirs = bench.at("../theirs");
    theirs.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git fetch -q ../theirs 'refs/grill/sessions/*:refs/grill/sessions/*'").assert_code(0);
    let fetched = bench.run("git for-each-ref --format='%(refname:lstrip=3)' refs/grill/sessions").assert_code(0);
    let fetched = fetched.stdout().trim().to_owned();
    let started = bench.run("git grill start --research off 'Rate  limiting'").assert_code(0);
    started
        .assert_contains("started ")
        .assert_contains(&format!("git grill resume {fetched} continues that one"))
        .assert_lacks("resumed");
    bench.run("git for-each-ref refs/grill/sessions | wc -l | tr -d ' '").assert_stdout("2\n");
    bench.run("git grill status --porcelain").assert_code(0).assert_lacks(&fetched);
    bench.run(&format!("git grill resume {fetched}")).assert_code(0).assert_contains(&format!("resumed {fetched}"));
    // From then on it is a session of this clone.
    bench.run("git grill start 'rate limiting'").assert_code(0).assert_contains(&format!("resumed {fetched}"));
}

#[test]
fn g3_resume_without_an_id_takes_this_clones_session_and_says_when_it_takes_another() {
    let bench = Bench::new();
    bench.run("git clone -q . ../theirs").assert_code(0);
    let theirs = bench.at("../theirs");
    bench.run("git grill start --research off 'fair queues'").assert_code(0);
    let own = bench.run("git symbolic-ref GRILL_HEAD").assert_code(0).stdout().trim().to_owned();
    let own = own.trim_start_matches("refs/grill/sessions/").to_owned();
    // Theirs changed later.
    theirs.run("git grill start --research off 'something urgent' && git grill answer 'now'").assert_code(0);
    bench.run("git fetch -q ../theirs 'refs/grill/sessions/*:refs/grill/sessions/*'").assert_code(0);
    bench.run("rm .git/GRILL_HEAD").assert_code(0);
    let resumed = bench.run("git grill resume").assert_code(0);
    resumed.assert_contains(&format!("resumed {own}")).assert_lacks("only fetched");
    bench.run("git grill stop --without-output").assert_code(0);
    let resumed = bench.run("git grill resume").assert_code(0);
    resumed.assert_contains("-something-urgent-").assert_contains("was only fetched, and this clone has no unfinished");
}

#[test]
fn g38_verify_says_that_a_fetched_session_was_verified_in_its_own_clone() {
    const NOTE: &str = "was only fetched: another clone found this";
    let bench = Bench::new();
    bench.run("git clone -q . ../theirs").assert_code(0);
    let theirs = bench.at("../theirs");
    theirs.run("git grill start --research off 'rate limiting'").assert_code(0);
    theirs.run("git grill stop --without-output").assert_code(0);
    bench.run("git fetch -q ../theirs 'refs/grill/sessions/*:refs/grill/sessions/*'").assert_code(0);
    let id = bench.run("git for-each-ref --format='%(refname:lstrip=3)' refs/grill/sessions").assert_code(0);
    let verify = format!("git grill verify {}", id.stdout().trim());
    theirs.run(&verify).assert_code(0).assert_lacks(NOTE);
    bench.run(&verify).assert_code(0).assert_contains(NOTE);
    bench.run(&format!("{verify} --json")).assert_code(0).assert_contains(NOTE);
}
