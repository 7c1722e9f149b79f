//! Who turns plan mode off and starts an execution: a person at a terminal, who has seen this very plan.

use super::{PLAN, at_terminal, call, commits_are_refused, execute, plan, planned, set, steps};
use crate::bench::{Bench, executable};
use crate::conversation::Sitting;
use crate::pty::shows;

const ESCAPE: &str = "\x1b";

#[track_caller]
fn is_not_executed(bench: &Bench) {
    let plan = plan(bench);
    assert!(plan["executing"] == false && plan["on"] == true, "{plan}");
    commits_are_refused(bench);
}

#[test]
fn p14_without_a_terminal_nobody_turns_it_off_or_executes() {
    let bench = planned();
    for (line, way_out) in [
        ("git grill plan off", "a person runs git grill plan off at a terminal"),
        ("git grill plan", "a person runs git grill plan off at a terminal"),
        ("git grill plan execute", "a person runs git grill plan execute at a terminal"),
        ("git grill todos done 1", "at a terminal"),
        ("git grill todos skip 1", "at a terminal"),
    ] {
        bench.run(line).assert_code(3).assert_contains("needs a person's word").assert_contains(way_out);
    }
    is_not_executed(&bench);
    assert!(steps(&bench).iter().all(|step| step.starts_with("pending ")));
}

#[test]
fn p14_an_agents_terminal_is_no_persons() {
    let bench = planned();
    for words in [&["plan", "off"][..], &["plan"], &["plan", "execute"], &["todos", "done", "1"]] {
        let (code, screen) = Sitting::at(&bench, words, 50, 100, &[("CLAUDECODE", "1")]).end();
        assert_eq!(code, 3, "{words:?}: {screen}");
        assert!(shows(&screen, "needs a person's word, and the agent claude cannot give it"), "{words:?}: {screen}");
    }
    is_not_executed(&bench);
}

#[test]
fn p14_a_person_is_shown_the_plan_and_no_escape_or_a_closed_terminal_approves_nothing() {
    let bench = planned();
    let asked = || {
        let sitting = at_terminal(&bench, &["plan", "execute"]);
        sitting.pty.wait_for("☐ 1. Add `Limiter`\n☐ 2. Call it\n☐ 3. Say so in the README\nset by ");
        sitting.below("Execute this plan?", "[y/n]");
        sitting
    };
    for key in ["n", ESCAPE] {
        let mut sitting = asked();
        sitting.pty.send(key);
        let (code, screen) = sitting.end();
        assert_eq!(code, 5, "{screen}");
        assert!(shows(&screen, "executing the plan was cancelled, and nothing changed"), "{screen}");
        is_not_executed(&bench);
    }
    assert_ne!(asked().pty.hang_up(), 0);
    is_not_executed(&bench);
    execute(&bench);
    let plan = plan(&bench);
    assert!(plan["executing"] == true && plan["on"] == false, "{plan}");
}

/// In plain lines a word is a word: what begins as one that approves is none.
#[test]
fn p14_g30_in_plain_lines_only_a_whole_word_approves() {
    let bench = planned();
    for (typed, code) in [(&["yup", "y n", "no"][..], 5), (&["Yess", "nope", "YES"], 0)] {
        let mut sitting = Sitting::at(&bench, &["plan", "execute"], 50, 100, &[("GRILL_ACCESSIBLE", "1")]);
        let (answer, vain) = typed.split_last().unwrap();
        sitting.below("Execute this plan?", "yes or no>");
        for word in vain {
            is_not_executed(&bench);
            sitting.pty.send(&format!("{word}\r"));
            sitting.below(&format!("yes or no> {word}"), "there is no default: yes or no");
            sitting.below("there is no default: yes or no; Ctrl-D closes", "yes or no>");
        }
        sitting.pty.send(&format!("{answer}\r"));
        sitting.ends_with(code);
    }
    assert_eq!(plan(&bench)["executing"], true);
}

/// Nobody approves what went by above the window.
#[test]
fn p14_a_plan_that_is_taller_than_the_window_is_read_in_the_pager_first() {
    let bench = planned();
    let pager = bench.root().join("home/pages");
    executable(&pager, "#!/bin/sh\ncat >>\"$HOME/paged\"\n");
    let pager = pager.display().to_string();
    let asked = || {
        let mut sitting = Sitting::at(&bench, &["plan", "execute"], 50, 100, &[("GIT_PAGER", pager.as_str())]);
        sitting.below("Execute this plan?", "[y/n]");
        sitting.pty.send("n");
        let (code, screen) = sitting.end();
        assert_eq!(code, 5, "{screen}");
        screen
    };
    assert!(shows(&asked(), "3. Say so in the README"), "what fits stays on the screen");
    bench.run("test ! -e ../home/paged").assert_code(0);
    set(&bench, &(1..=100).map(|number| format!("{number}. number {number} of many\n")).collect::<String>());
    let screen = asked();
    let shown = bench.read("../home/paged");
    for line in ["☐   1. number 1 of many\n", "☐ 100. number 100 of many\n", "set by "] {
        assert!(shown.contains(line), "{line:?} is not shown: {shown}");
    }
    assert!(!shows(&screen, "of many"), "{screen}");
    bench.run("rm ../home/paged").assert_code(0);
    let (code, screen) = Sitting::at(&bench, &["plan", "show"], 50, 100, &[("GIT_PAGER", pager.as_str())]).end();
    assert_eq!(code, 0, "{screen}");
    assert!(bench.read("../home/paged").contains("☐ 100. number 100 of many\n"));
}

/// What an agent wrote into a step hides no other step from whoever approves them.
#[test]
fn p14_whoever_approves_sees_every_letter_of_a_step() {
    let bench = planned();
    let request = r#"{"steps":["push --force\u001b[1A\u001b[2K","say \u202e so"]}"#;
    assert_eq!(call(&bench, "grill_set_plan", request).0, 0);
    let mut sitting = at_terminal(&bench, &["plan", "execute"]);
    sitting.below("Execute this plan?", "[y/n]");
    sitting.pty.send("n");
    let (_, screen) = sitting.end();
    assert!(shows(&screen, "1. push --force␛[1A␛[2K") && shows(&screen, "2. say \\u{202e} so"), "{screen}");
    assert!(shows(&screen, "set by "), "{screen}");
}

/// What is done while nothing is refused is no drift, and no restore takes it back.
#[test]
fn p14_what_is_carried_out_is_never_taken_back_as_drift() {
    let bench = planned();
    execute(&bench);
    bench.run("echo more >more.txt; git add more.txt; git commit -qm more").assert_code(0);
    let head = bench.run("git rev-parse HEAD").assert_code(0).stdout().to_owned();
    bench.run("git grill verify").assert_code(0).assert_contains("changes are allowed in this session");
    bench.run("git grill verify --restore --yes").assert_code(128).assert_contains("nothing was brought back");
    bench.run("git grill plan on").assert_code(0);
    bench.run("git grill verify --restore --yes").assert_code(0);
    bench.run("git rev-parse HEAD").assert_stdout(&head);
    bench.run("git grill plan on elsewhere").assert_code(2).assert_contains("no session about \"elsewhere\" was begun");
    bench.run("git grill stop && cat more.txt").assert_code(0);
    bench.run("git rev-parse HEAD").assert_stdout(&head);
}

#[test]
fn p14_a_plan_that_changed_while_it_was_asked_is_not_executed() {
    let bench = planned();
    let mut sitting = at_terminal(&bench, &["plan", "execute"]);
    sitting.pty.wait_for("[y/n]");
    let (code, result) = call(&bench, "grill_set_plan", r#"{"steps":["Delete everything"]}"#);
    assert_eq!(code, 0, "{result}");
    sitting.pty.send("y");
    let (code, screen) = sitting.end();
    assert_eq!(code, 1, "{screen}");
    assert!(shows(&screen, "the plan was not executed: it has changed since it was shown"), "{screen}");
    is_not_executed(&bench);
    assert_eq!(steps(&bench), ["pending Delete everything"]);
}

#[test]
fn p14_a_person_toggles_with_the_bare_verb() {
    let bench = planned();
    at_terminal(&bench, &["plan"]).ends_with(0);
    assert_eq!(plan(&bench)["on"], false);
    at_terminal(&bench, &["plan"]).ends_with(0);
    is_not_executed(&bench);
}

#[test]
fn p13_inside_an_interview_nothing_is_executed() {
    let bench = Bench::new();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    set(&bench, PLAN);
    let (code, screen) = at_terminal(&bench, &["plan", "execute"]).end();
    assert_eq!(code, 1, "{screen}");
    assert!(shows(&screen, "this session is an interview, which keeps the repository read-only"), "{screen}");
    assert!(shows(&screen, "git grill stop ends the interview"), "{screen}");
    commits_are_refused(&bench);
}

#[test]
fn p13_what_was_changed_while_a_plan_was_executed_is_no_drift_once_the_session_ended() {
    let bench = planned();
    execute(&bench);
    bench.run("echo '// limits' >>src/main.rs && git add src && git commit --quiet -m limits").assert_code(0);
    let id = bench.run("git grill status --json").assert_code(0);
    let id: serde_json::Value = serde_json::from_str(id.stdout()).unwrap();
    let id = id["session"].as_str().unwrap().to_owned();
    at_terminal(&bench, &["stop"]).ends_with(0);
    let (code, screen) = at_terminal(&bench, &["verify", "--restore", &id]).end();
    assert_ne!(code, 0, "{screen}");
    assert!(screen.contains("has no baseline here") && !screen.contains("[y/n]"), "{screen}");
    bench.run("git for-each-ref refs/grill/local").assert_stdout("");
}
