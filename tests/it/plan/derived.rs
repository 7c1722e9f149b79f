//! Progress is derived (P24, P25): what backs a claim is looked up, by a look or by a check, and what no step names is told.

#[cfg(target_os = "linux")]
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::{at_terminal, call, execute, plan, set, steps};
#[cfg(target_os = "linux")]
use crate::bench::wait_until;
use crate::bench::{Bench, side_by_side};

/// A repository in which scripts may approve, with two files beside its README.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.write("src/a.rs", "a\n");
    bench.write("src/b.rs", "b\n");
    bench.run("git add . && git commit --quiet -m 'two files'").assert_code(0);
    bench
}

/// The same while this plan is carried out.
fn executing(plan: &str) -> Bench {
    let bench = bench();
    bench.run("git grill plan on rate limiting").assert_code(0);
    set(&bench, plan);
    bench.run("git grill plan execute").assert_code(0);
    bench
}

#[track_caller]
fn mark(bench: &Bench, step: u32) {
    let (code, result) = call(bench, "grill_step_done", &format!("{{\"step\":{step}}}"));
    assert_eq!(code, 0, "{result}");
}

fn commits(bench: &Bench) -> String {
    bench.run("git rev-list --count GRILL_HEAD").assert_code(0).stdout().to_owned()
}

/// How the steps are told at the end of a case.
fn played(row: &[&str; 7]) -> String {
    let [_, before, texts, marked, during, later, _] = *row;
    let bench = bench();
    let act = |line: &str| {
        if line != "-" {
            bench.run(line).assert_code(0);
        }
    };
    act(before);
    bench.run("git grill plan on the case").assert_code(0);
    let texts: Vec<String> = texts.split(" ;; ").map(|text| text.replace('␤', "\n")).collect();
    assert_eq!(call(&bench, "grill_set_plan", &json!({ "steps": texts }).to_string()).0, 0);
    bench.run("git grill plan execute").assert_code(0);
    act(during);
    marked.split(',').filter_map(|number| number.parse::<u32>().ok()).for_each(|number| mark(&bench, number));
    bench.run("git grill todos").assert_code(0);
    act(later);
    bench.run("git grill todos").assert_code(0);
    bench.run("git grill fsck").assert_code(0);
    let told = plan(&bench)["steps"].as_array().unwrap().clone();
    told.iter().map(|step| step["status"].as_str().unwrap()).collect::<Vec<_>>().join(",")
}

#[test]
fn p24_the_steps_of_all_seeded_cases_are_told_right() {
    let rows: Vec<[&str; 7]> = include_str!("../../../fixtures/plan/derived.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect::<Vec<_>>().try_into().unwrap_or_else(|_| panic!("7 columns: {line}")))
        .collect();
    assert!(rows.len() >= 30, "{}", rows.len());
    let told = side_by_side(&rows, played);
    let wrong: Vec<String> = rows
        .iter()
        .zip(&told)
        .filter(|(row, told)| row[6] != told.as_str())
        .map(|(row, told)| format!("{}: {} was told as {told}", row[0], row[6]))
        .collect();
    assert!(wrong.is_empty(), "{} of {} are told wrong:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn p24_a_look_records_what_is_new_once_and_as_git_grills_own() {
    let bench = executing("1. Edit src/a.rs\n2. Edit src/b.rs\n3. Say so\n");
    (1..=3).for_each(|step| mark(&bench, step));
    let before = commits(&bench);
    bench.run("git grill todos").assert_code(0).assert_contains("◐ 1. Edit src/a.rs\n◐ 2. Edit src/b.rs\n");
    assert_eq!(commits(&bench), before, "nothing is new");
    bench.run("echo more >>src/a.rs; echo more >>src/b.rs").assert_code(0);
    for line in ["git grill status", "git grill status --short", "git grill status --porcelain"] {
        bench.run(line).assert_code(0);
    }
    assert_eq!(commits(&bench), before, "a status records nothing");
    assert_eq!(steps(&bench)[0], "done Edit src/a.rs");
    let told = "☑ 1. Edit src/a.rs\n☑ 2. Edit src/b.rs\n◐ 3. Say so\nevery step is marked, 1 without evidence: 2 of 3 \
                steps finished (2 done), 1 claimed\n";
    bench.run("git grill todos").assert_code(0).assert_stdout(told);
    let after = commits(&bench);
    let format = "%(trailers:key=Grill-Actor,valueonly,separator=%x20) %s";
    bench
        .run(&format!("git log -1 --format='{format}' GRILL_HEAD"))
        .assert_stdout("system step 1 is done: src/a.rs changed; step 2 is done: src/b.rs changed\n");
    bench.run("git grill todos").assert_code(0).assert_stdout(told);
    assert_eq!(commits(&bench), after);
    bench.run("rm src/b.rs; git grill todos").assert_contains("! 2. Edit src/b.rs (stale: src/b.rs has changed since)");
    assert_eq!(commits(&bench), after);
}

#[test]
fn p24_a_step_whose_evidence_is_stale_is_not_finished_wherever_it_is_shown() {
    const TALLY: &str = "1 of 2 steps finished (1 done), 1 stale";
    let settling = [("Say so", "git grill todos done 2"), ("Keep it, check: true", "git grill todos check 2")];
    for (second, settled) in settling {
        let bench = executing(&format!("1. Edit src/a.rs\n2. {second}\n"));
        bench.run("echo more >>src/a.rs").assert_code(0);
        mark(&bench, 1);
        bench.run("git grill todos").assert_code(0).assert_contains("☑ 1. Edit src/a.rs\n");
        bench.run("echo again >>src/a.rs").assert_code(0);
        let told = format!("every step is marked, 1 without evidence: {TALLY}");
        bench.run(settled).assert_code(0).assert_contains(&told).assert_lacks("complete");
        let stale = "! 1. Edit src/a.rs (stale: src/a.rs has changed since)\n";
        let listed = format!("{stale}☑ 2. {second}\n{told}\n");
        bench.run("git grill todos").assert_code(0).assert_stdout(&listed);
        for line in ["git grill status", "git grill status --porcelain"] {
            bench.run(line).assert_code(0).assert_contains(&format!("executing, {TALLY}"));
        }
        // A new execution shows it as it is, too, and begins with it.
        bench.run("git grill plan on").assert_code(0);
        bench.run("git grill plan show").assert_code(0).assert_contains(stale);
        assert_eq!(steps(&bench)[0], "stale Edit src/a.rs");
        let sitting = at_terminal(&bench, &["plan", "execute"]);
        sitting.pty.wait_for("! 1. Edit src/a.rs (stale: src/a.rs has changed since)");
        assert_ne!(sitting.pty.hang_up(), 0);
        let begun = bench.run("git grill plan execute").assert_code(0);
        begun.assert_contains(&format!("git grill todos shows how far it is; {TALLY}"));
        assert_eq!(plan(&bench)["complete"], false);
        bench.run("git grill todos done 1").assert_code(0);
        let complete = "the plan is complete: 2 of 2 steps finished (2 done)\n";
        bench.run("git grill todos").assert_code(0).assert_contains(complete);
        assert_eq!(plan(&bench)["complete"], true);
    }
}

#[test]
fn p24_an_agent_is_told_how_far_its_plan_is_by_what_was_looked_up() {
    let bench = executing("1. Edit src/a.rs\n2. Say so\n");
    bench.run("echo more >>src/a.rs").assert_code(0);
    let (code, result) = call(&bench, "grill_step_done", r#"{"step":1}"#);
    assert_eq!(code, 0, "{result}");
    let told = result["text"].as_str().unwrap();
    assert!(told.contains("1 of 2 steps finished (1 done)."), "{told}");
    bench.run("git grill todos && echo again >>src/a.rs").assert_code(0);
    let stale = "0 of 2 steps finished, 1 stale.\nCurrent step 2: Say so";
    bench.run("git grill instructions").assert_code(0).assert_contains(stale);
}

/// A change that was made before the yes is none of the plan's.
#[test]
fn p24_the_execution_begins_with_the_state_that_a_person_said_yes_to() {
    let bench = bench();
    bench.run("git grill plan on rate limiting").assert_code(0);
    set(&bench, "1. Edit src/a.rs\n");
    bench.run("echo early >>src/a.rs; echo early >early.txt; git grill plan execute").assert_code(0);
    mark(&bench, 1);
    bench.run("git grill todos").assert_code(0).assert_contains("◐ 1. Edit src/a.rs");
    bench.run("git grill todos --outside").assert_code(0).assert_lacks("early.txt");
    bench.run("git grill verify").assert_code(0).assert_contains("changes are allowed in this session");
}

#[test]
fn p24_a_person_sees_each_check_before_they_agree_to_it() {
    let bench = bench();
    bench.run("git grill plan on rate limiting").assert_code(0);
    set(&bench, "1. Edit src/a.rs\n   check: touch \"$HOME\"/ran\n2. Say so\n");
    bench
        .run("git grill todos check")
        .assert_code(1)
        .assert_contains("no check was run: the plan is not being executed");
    let sitting = at_terminal(&bench, &["plan", "execute"]);
    sitting.pty.wait_for("step 1 is checked by running: touch \"$HOME\"/ran\nset by ");
    assert_ne!(sitting.pty.hang_up(), 0);
    bench.run("git grill todos check; test ! -e ~/ran").assert_code(0);
    execute(&bench);
    bench.run("test ! -e ~/ran").assert_code(0);
    bench.run("git grill todos check").assert_code(0).assert_contains("step 1 is done: touch \"$HOME\"/ran passed");
    bench.run("test -e ~/ran").assert_code(0);
    bench.run("git grill plan on && rm ~/ran").assert_code(0);
    bench.run("git grill todos check").assert_code(1);
    bench.run("test ! -e ~/ran").assert_code(0);
}

#[test]
fn p24_a_check_that_fails_shows_the_end_of_its_output_and_backs_nothing() {
    let bench =
        executing("1. Edit src/a.rs, check: seq 1 90; printf '\\033[2J'; exit 3\n2. Edit src/b.rs, check: true\n");
    let failed = bench.run("git grill todos check").assert_code(1);
    failed
        .assert_contains("  90\n")
        .assert_contains("␛[2J")
        .assert_contains("ended with 3")
        .assert_contains("step 2 is done: true passed")
        .assert_contains("a check of step 1 did not pass")
        .assert_contains("git grill todos check 1 runs them again")
        .assert_lacks("  49\n");
    assert_eq!(
        steps(&bench).iter().map(|step| step.split(' ').next().unwrap()).collect::<Vec<_>>(),
        ["pending", "done"]
    );
    bench.run("git grill todos check 9").assert_code(1).assert_contains("the plan has no step 9; they are 1 to 2");
    let bench = executing("1. Edit src/a.rs\n");
    bench.run("git grill todos check 1").assert_code(1).assert_contains("no check was run: step 1 names none");
    bench.run("git grill todos check").assert_code(1).assert_contains("no open or claimed step names one");
}

#[test]
fn p24_steps_are_settled_in_the_order_of_the_plan_and_its_news_comes_last() {
    let bench = executing("1. one\n2. two\n3. three\n4. four\n");
    bench
        .run("git grill todos skip 3,1-2,3")
        .assert_code(0)
        .assert_stdout("✓ step 1 is skipped\n✓ step 2 is skipped\n✓ step 3 is skipped\n\n");
    bench
        .run("git grill todos reopen 3,1")
        .assert_code(0)
        .assert_stdout("✓ step 1 is open again\n✓ step 3 is open again\n\n");
    bench.run("git grill todos done 4,3,1").assert_code(0).assert_stdout(
        "✓ step 1 is done\n✓ step 3 is done\n✓ step 4 is done; the plan is complete: 4 of 4 steps finished (3 done, 1 \
         skipped); git grill todos shows them\n\n",
    );
}

/// Nobody would wait for it any more, and it may run for ten minutes.
#[test]
#[cfg(target_os = "linux")]
fn p24_a_check_ends_with_a_git_grill_that_is_killed() {
    let bench = executing("1. Keep it whole, check: echo $$ >../checking; exec sleep 1000\n");
    let running = bench.spawn("exec git-grill todos check");
    let number = || std::fs::read_to_string(bench.root().join("checking")).unwrap_or_default();
    wait_until("the check", || number().ends_with('\n'));
    // The words of a process that has ended are gone, also where nobody has waited for it yet.
    let words = format!("/proc/{}/cmdline", number().trim());
    let runs = || std::fs::read(&words).is_ok_and(|words| !words.is_empty());
    // A process has no words for a moment, while it becomes another program.
    wait_until("what the check became", runs);
    kill_process(Pid::from_raw(running.id().try_into().unwrap()).unwrap(), Signal::KILL).unwrap();
    running.finish().assert_code(137);
    wait_until("the end of the check", || !runs());
    bench.run("git grill todos").assert_code(0).assert_contains("▸ 1. Keep it whole");
}

/// Two processes that note their numbers, one of them in a session of its own, where no signal for a group reaches it.
#[cfg(target_os = "linux")]
const STARTS: &str = "for own in '' setsid; do $own sh -c 'echo $$ >>../started; exec sleep 1000' >../said 2>&1 & done";

/// The processes that a check has started, once there are two.
#[cfg(target_os = "linux")]
fn started(bench: &Bench) -> Vec<String> {
    let numbers = || std::fs::read_to_string(bench.root().join("started")).unwrap_or_default();
    wait_until("what the check starts", || numbers().lines().count() == 2 && numbers().ends_with('\n'));
    numbers().lines().map(str::to_owned).collect()
}

/// Whether a process runs. The words of one that has ended are gone, also where nobody has waited for it yet.
#[cfg(target_os = "linux")]
fn runs(number: &str) -> bool {
    std::fs::read(format!("/proc/{number}/cmdline")).is_ok_and(|words| !words.is_empty())
}

#[test]
#[cfg(target_os = "linux")]
fn p24_nothing_that_a_check_started_outlives_git_grill() {
    for signal in [Signal::KILL, Signal::TERM, Signal::INT, Signal::HUP] {
        let bench = executing(&format!("1. Keep it whole, check: {STARTS}; wait\n"));
        let running = bench.spawn("exec git-grill todos check");
        let started = started(&bench);
        kill_process(Pid::from_raw(running.id().try_into().unwrap()).unwrap(), signal).unwrap();
        let ended = running.finish();
        assert_ne!(ended.code, 0, "{signal:?}: {ended}");
        for number in started {
            wait_until("the end of what the check started", || !runs(&number));
        }
        bench.run("git grill todos").assert_code(0).assert_contains("▸ 1. Keep it whole");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn p24_what_a_check_left_running_ends_with_it() {
    let until = "until test \"$(wc -l <../started)\" = 2; do sleep 0.01; done";
    let bench = executing(&format!("1. Keep it whole, check: : >../started; {STARTS}; {until}; exit 7\n"));
    bench.run("git grill todos check").assert_code(1).assert_contains("ended with 7");
    for number in started(&bench) {
        assert!(!runs(&number), "{number}");
    }
}

/// What such a check was run over is what had changed.
#[test]
fn p24_a_check_of_a_step_without_names_is_bound_to_the_files_that_changed() {
    let bench = executing("1. Keep it whole\n   check: true\n");
    bench.run("echo more >>src/b.rs; git grill todos check").assert_code(0);
    bench.run("git grill todos").assert_contains("☑ 1. Keep it whole");
    bench.run("echo more >>src/a.rs; git grill todos").assert_contains("☑ 1. Keep it whole");
    bench
        .run("echo more >>src/b.rs; git grill todos")
        .assert_contains("! 1. Keep it whole (stale: checked before src/b.rs changed)");
    bench.run("git grill todos check 1; git grill todos").assert_contains("☑ 1. Keep it whole");
}

#[test]
fn p25_outside_lists_changes_that_no_step_names_and_steps_without_a_change() {
    let bench = executing("1. Edit src/a.rs\n2. Edit src/b.rs\n3. Fill docs/guide/\n");
    bench.run("echo more >>src/a.rs; echo x >extra.txt; mkdir -p docs/guide; echo x >docs/guide/one.md").assert_code(0);
    bench.run("git rm --quiet README.md && git commit --quiet -m 'no readme'").assert_code(0);
    bench.run("git grill todos --outside").assert_code(0).assert_stdout(
        "changed, and named by no step:\n  deleted     README.md\n  new         extra.txt\n\
         steps without a change:\n  ☐ 2. Edit src/b.rs\n",
    );
    let told = bench.run("git grill todos --outside --json").assert_code(0);
    let told: serde_json::Value = serde_json::from_str(told.stdout()).unwrap();
    assert_eq!(told["plan"]["outside"], json!({ "changed": ["README.md", "extra.txt"], "unchanged": [2] }));
    // Neither a check of a step that names no file nor a change that was taken back is "without a change".
    let stale = executing("1. Edit src/a.rs\n2. Keep it whole, check: true\n");
    stale.run("echo more >>src/a.rs").assert_code(0);
    mark(&stale, 1);
    stale.run("git grill todos && git grill todos check && git checkout --quiet -- src/a.rs").assert_code(0);
    stale.run("git grill todos --outside").assert_code(0).assert_stdout(
        "every changed file is named by a step\nsteps whose evidence is stale:\n  ! 1. Edit src/a.rs (stale: src/a.rs has \
         changed since)\n  ! 2. Keep it whole, check: true (stale: checked before src/a.rs changed)\n",
    );
    let told = stale.run("git grill todos --outside --json").assert_code(0);
    let told: serde_json::Value = serde_json::from_str(told.stdout()).unwrap();
    assert_eq!(told["plan"]["outside"], json!({ "changed": [], "unchanged": [], "stale": [1, 2] }));
    bench.run("git grill todos --outside done 1").assert_code(2);
    bench.run("git grill plan on; git grill todos --outside").assert_code(1).assert_contains("nothing was compared");
}
