//! Two terminals, or sixteen processes, at one question: one answer counts, the others are kept and say where.

use std::collections::BTreeSet;
use std::path::Path;

use super::{answers, open_question};
use crate::bench::Bench;

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
    bench.run("git log -1 --skip=1 --format=%s GRILL_HEAD").assert_contains(&won[0]);
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

/// Of several that start at once one session is active afterwards and protected, whatever became of the others.
#[test]
fn several_starts_at_once_leave_one_session_active() {
    for _ in 0..4 {
        let bench = Bench::new();
        let running: Vec<_> = (0..4).map(|n| bench.spawn(&format!("git grill start 'topic number {n}'"))).collect();
        let mut started = 0;
        for running in running {
            let output = running.finish();
            match output.code {
                0 => started += 1,
                1 => drop(output.assert_contains("is active in this worktree")),
                4 => {}
                other => panic!("exit code {other}: {output}"),
            }
        }
        assert!(started > 0);
        bench.run("git grill status --short").assert_stdout("grill:interview q1 0/1/0\n");
        bench.run("git commit --quiet --allow-empty -m x").assert_code(128).assert_contains("grill");
        bench.run("git grill stop --without-output").assert_code(0);
        bench.run("git commit --quiet --allow-empty -m x").assert_code(0);
        bench.run("ls .git/hooks | grep -v sample; ls .git/GRILL_HEAD 2>/dev/null").assert_stdout("");
    }
}
