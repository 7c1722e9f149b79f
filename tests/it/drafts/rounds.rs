//! A round of drafts is one commit, however many they are: what records each by itself reads the session as often, and
//! becomes slow by it.

use crate::bench::Bench;

/// The most that an interview makes of its decisions.
const MOST: usize = 100;

/// A session whose checkpoint holds this many decisions, of which each becomes a file.
fn chosen(decisions: usize) -> Bench {
    let bench = Bench::new();
    bench.scripts_may_approve();
    bench.run("git grill start --research off 'rate limiting'").assert_code(0);
    bench.run("git grill answer 'requests per client are counted'").assert_code(0);
    let bullets: String = (1..=decisions).map(|number| format!("- Part {number} is built\n")).collect();
    let checkpoint =
        bench.read(".grill/checkpoint.md").replace("## Decisions\n", &format!("## Decisions\n\n{bullets}"));
    bench.write(".grill/checkpoint.md", &checkpoint);
    bench.run("git grill status").assert_code(0);
    bench
        .run("git grill select github-issues --strategy vertical-slices --path docs/issues 2>&1 | tail -1")
        .assert_contains("git grill approve writes it");
    bench
}

/// How many commits the baseline of the session has.
fn baseline_steps(bench: &Bench) -> usize {
    let told = bench.run("git rev-list --count --glob=refs/grill/local/*/baseline");
    told.assert_code(0).stdout().trim().parse().unwrap()
}

/// The bytes of all objects of the repository, before git packs them.
fn bytes_of_objects(bench: &Bench) -> usize {
    let told = bench.run("git cat-file --batch-all-objects --batch-check='%(objectsize)'");
    told.assert_code(0).stdout().lines().map(|size| size.parse::<usize>().unwrap()).sum()
}

/// The subjects of the newest commits, the last one last.
fn newest(bench: &Bench, commits: usize) -> Vec<String> {
    let told = bench.run(&format!("git log --reverse --format=%s -{commits} GRILL_HEAD"));
    told.assert_code(0).stdout().lines().map(str::to_owned).collect()
}

#[test]
fn g31_as_many_drafts_as_there_can_be_are_drafted_approved_and_written_in_a_commit_each() {
    let bench = chosen(MOST);
    let steps = baseline_steps(&bench);
    bench.run("git grill approve | tail -1").assert_code(0);
    assert_eq!(baseline_steps(&bench), steps + 1, "what was written is expected by one step of the baseline");
    bench.run("ls docs/issues | wc -l").assert_contains(&MOST.to_string());
    let said = newest(&bench, 4);
    for (subject, op) in [(&said[0], "draft "), (&said[2], "approve "), (&said[3], "write ")] {
        assert!(subject.starts_with(op) && subject.ends_with(", and 99 more"), "{said:?}");
    }
    // Each stands in the message, for `git log --grep`.
    let written = bench.run("git log -1 --format=%b GRILL_HEAD | grep -c '^write docs/issues/'");
    written.assert_stdout(&format!("{MOST}\n"));
    let before = super::commits(&bench);
    bench.run("git grill produce --undo").assert_code(0);
    bench.run("ls docs/issues 2>/dev/null | wc -l").assert_stdout("0\n");
    let taken_back = super::commits(&bench).parse::<usize>().unwrap() - before.parse::<usize>().unwrap();
    assert!(taken_back <= 2, "{taken_back}");
    assert_eq!(baseline_steps(&bench), steps + 2, "and what was taken back by another one");
}

#[test]
fn g31_a_round_of_ten_times_as_many_drafts_writes_at_most_ten_times_as_much() {
    let written = |drafts: usize| {
        let bench = chosen(drafts);
        let before = bytes_of_objects(&bench);
        bench.run("git grill approve | tail -1").assert_code(0);
        bench.run("ls docs/issues | wc -l").assert_contains(&drafts.to_string());
        bytes_of_objects(&bench) - before
    };
    let (few, many) = (written(MOST / 10), written(MOST));
    assert!(many <= 10 * few, "{MOST} drafts: {many} bytes of objects, a tenth of them: {few}");
}

#[test]
fn a_round_of_one_is_named_by_itself() {
    let bench = chosen(1);
    bench.run("git grill approve").assert_code(0);
    let said = newest(&bench, 1);
    assert!(said[0].starts_with("write docs/issues/") && !said[0].contains("more"), "{said:?}");
}
