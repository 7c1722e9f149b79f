//! Two terminals, or sixteen processes, at one question: one answer counts, the others are kept and say where.

use std::collections::BTreeSet;
use std::path::Path;

use super::{answers, open_question};
use crate::bench::{Bench, wait_until};

#[test]
fn sixteen_answers_to_one_question_record_one_and_keep_fifteen() {
    let bench = Bench::new();
    bench.run("git grill start 'a faster search' --research off").assert_code(0);
    let question = open_question(&bench);
    let running: Vec<_> = (0..16)
        .map(|n| bench.spawn(&format!("git grill answer --question {question} 'the words of process {n}'")))
        .collect();
    let (mut won, mut kept) = (Vec::new(), BTreeSet::new());
    for (n, running) in running.into_iter().enumerate() {
        let words = format!("the words of process {n}");
        let output = running.finish();
        if output.code == 0 {
            won.push(words);
            continue;
        }
        let late =
            output.assert_code(4).assert_contains("is not open any more").assert_contains("hint: git grill next");
        let (_, after) = late.stderr().split_once("its text is kept in ").expect("it says where");
        let file = Path::new(after.lines().next().unwrap());
        assert_eq!(std::fs::read_to_string(bench.repo().join(file)).unwrap().trim_end(), words);
        assert!(kept.insert(file.to_owned()), "each has a file of its own");
    }
    assert_eq!((won.len(), kept.len()), (1, 15));
    assert_eq!(answers(&bench), 1);
    // The answer, and the question that its process asked then: a text in the working tree that is merely old is no edit.
    let history = bench.run("git log -3 --format=%s GRILL_HEAD").assert_code(0);
    assert!(history.stdout().lines().nth(1).is_some_and(|line| line.contains(&won[0])), "{}", history.stdout());
    bench.run("git grill checkpoint show").assert_contains(&won[0]);
    bench.run("git fsck --no-dangling").assert_code(0);
}

/// An answer names its question, so the second terminal's never lands on the next one (DESIGN section 4).
#[test]
fn an_answer_to_a_question_that_was_answered_meanwhile_is_kept() {
    let bench = Bench::new();
    bench.run("git grill start 'a faster search' --research off").assert_code(0);
    let question = open_question(&bench);
    bench.run(&format!("git grill answer --question {question} first")).assert_code(0);
    let late = bench.run(&format!("git grill answer --question {question} second")).assert_code(4);
    late.assert_contains("its text is kept in ");
    let json = bench.run(&format!("git grill --json answer --question {question} third")).assert_code(4);
    json.assert_contains(r#""code":"question_gone""#).assert_quiet();
    bench.run("git grill status --short").assert_stdout("grill:interview q2 1/1/0\n");
    let next = open_question(&bench);
    assert_ne!(next, question);
    bench.run(&format!("git grill answer --question {next} fourth")).assert_code(0).assert_contains("answered");
    assert_eq!(answers(&bench), 2);
}

/// Different verbs at once: each is recorded after the other or refused by the rules, and none is lost.
#[test]
fn different_verbs_at_once_do_not_lose_each_other() {
    let bench = Bench::new();
    bench.run("git grill start 'a faster search' --research off").assert_code(0);
    let question = open_question(&bench);
    let lines = [
        format!("git grill answer --question {question} words"),
        "git grill intensity hard".to_owned(),
        "git grill output adr".to_owned(),
        "git grill intent learn".to_owned(),
        "git grill status".to_owned(),
        // Not with --prune=now: git itself loses what is being written then (git-gc(1), NOTES).
        "git gc --quiet".to_owned(),
    ];
    let running: Vec<_> = lines.iter().map(|line| bench.spawn(line)).collect();
    for running in running {
        running.finish().assert_code(0);
    }
    bench.run("git grill intensity; git grill output; git grill intent").assert_stdout("hard\nadr\nlearn\n");
    assert_eq!(answers(&bench), 1);
    bench.run("git fsck --no-dangling").assert_code(0);
}

/// Of several that start at once one begins and is protected; the others are refused, and nothing of them is left.
#[test]
fn several_starts_at_once_begin_one_session() {
    for _ in 0..3 {
        let bench = Bench::new();
        let running: Vec<_> = (0..8).map(|n| bench.spawn(&format!("git grill start 'topic number {n}'"))).collect();
        let mut started = 0;
        for running in running {
            let output = running.finish();
            match output.code {
                0 => started += 1,
                1 => drop(output.assert_contains("is active in this worktree").assert_contains("hint: git grill next")),
                other => panic!("exit code {other}: {output}"),
            }
        }
        assert_eq!(started, 1);
        bench.run("git for-each-ref refs/grill/sessions | wc -l").assert_stdout("1\n");
        bench.run("git for-each-ref refs/grill/local | wc -l").assert_stdout("1\n");
        bench.run("git grill status --short").assert_stdout("grill:interview q1 0/1/0\n");
        bench.run("git commit --quiet --allow-empty -m x").assert_code(128).assert_contains("grill");
        bench.run("git grill stop --without-output").assert_code(0);
        bench.run("git commit --quiet --allow-empty -m x").assert_code(0);
        bench
            .run("ls .git/hooks | grep -v sample; ls .git/grill; ls -d .git/GRILL_HEAD 2>/dev/null")
            .assert_stdout("copies\n");
    }
}

/// A process that holds a lock of ours may have to wait for the machine, longer than it would ever hold it by itself.
#[test]
#[ignore = "takes twelve seconds: .ci/thorough kills"]
fn a_start_waits_for_whoever_holds_our_locks_for_long() {
    let bench = Bench::new();
    let slow = bench.spawn(
        "mkdir -p .git/grill && exec 8>.git/grill/begin.lock 9>.git/grill/hooks.lock && flock 8 && flock 9 && \
         touch ../held && sleep 12",
    );
    wait_until("the locks", || bench.root().join("held").exists());
    bench.run("git grill start 'a faster search'").assert_code(0);
    slow.finish().assert_code(0);
    bench.run("git grill stop --without-output").assert_code(0);
}

/// Two that mean the same topic mean the same session: the second goes on with what the first has begun.
#[test]
fn several_starts_of_one_topic_at_once_are_one_session() {
    let bench = Bench::new();
    let running: Vec<_> = (0..6).map(|_| bench.spawn("git grill start 'one topic'")).collect();
    for running in running {
        running.finish().assert_code(0);
    }
    bench.run("git for-each-ref refs/grill/sessions refs/grill/local | wc -l").assert_stdout("2\n");
    bench.run("git grill status --short").assert_stdout("grill:interview q1 0/1/0\n");
}

/// Of several sessions that are resumed at once, the one that says so is active.
#[test]
fn several_resumes_at_once_agree_on_who_is_active() {
    let bench = Bench::new();
    for n in 0..4 {
        bench.run(&format!("git grill start 'topic number {n}' && rm .git/GRILL_HEAD")).assert_code(0);
    }
    let ids = bench
        .run("git for-each-ref --format='%(refname:lstrip=3)' refs/grill/sessions")
        .assert_code(0)
        .stdout()
        .to_owned();
    let running: Vec<_> = ids.lines().map(|id| (id, bench.spawn(&format!("git grill resume {id}")))).collect();
    let mut resumed = Vec::new();
    for (id, running) in running {
        let output = running.finish();
        match output.code {
            0 => resumed.push(id),
            1 => drop(output.assert_contains("is active in this worktree")),
            other => panic!("exit code {other}: {output}"),
        }
    }
    let active = bench.run("git symbolic-ref GRILL_HEAD").assert_code(0).stdout().to_owned();
    assert!(resumed.iter().any(|id| active.trim_end().ends_with(id)), "{resumed:?} {active}");
}
