//! A round of drafts is one commit, however many they are: what records each by itself reads the session as often, and
//! becomes slow by it.

use std::fmt::Write as _;
use std::time::Instant;

use serde_json::{Value, json};

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

/// A session in which so many drafts wait. An agent handed the first one in, and git makes the others of it, since each
/// by itself would be a command.
fn handed_in(drafts: usize) -> Bench {
    let bench = Bench::new();
    bench.scripts_may_approve();
    let told = |line: &str| bench.run(line).assert_code(0).stdout().trim().to_owned();
    let asked = |tool: &str, input: &Value| bench.run_with_input(&format!("git grill tool {tool}"), input.to_string());
    told("git grill start --research off --interviewer agent:claude-code 'rate limiting'");
    let alternatives = json!([{"label": "the files"}, {"label": "more questions"}]);
    let gate = json!({
        "readinessRationale": "nothing is left to ask", "recommendedOutputs": ["custom:many"],
        "recommendedStrategy": "vertical-slices", "question": "What now?", "alternatives": alternatives,
    });
    asked("grill_enter_output_selection_phase", &gate).assert_code(3);
    let paths: Vec<String> = (0..drafts).map(|number| format!("docs/part/{number:04}.md")).collect();
    let plan = json!({"outputPlan": "many files", "outputs": [{"destination": "custom:many", "paths": paths}]});
    asked("grill_enter_output_phase", &plan).assert_code(3);
    told("git grill approve");
    asked("grill_submit_draft", &json!({"path": paths[0], "content": "Text.\n"})).assert_code(0);

    let outputs = told("git show GRILL_HEAD:.grill/outputs.yaml") + "\n";
    let (plan, rest) = outputs.split_once("drafts:\n").unwrap();
    let (draft, stood) = rest.split_once("stood:\n").unwrap();
    let each = |one: &str| paths.iter().map(|path| one.replace(&paths[0], path)).collect::<String>();
    let outputs = format!("{plan}drafts:\n{}stood:\n{}", each(draft), each(stood));
    let (name, at) = (told("git symbolic-ref GRILL_HEAD"), told("git log -1 --format=%ct GRILL_HEAD"));
    let message = told("git log -1 --format=%B GRILL_HEAD");
    let blob = told(&format!("git rev-parse GRILL_HEAD:.grill/drafts/{}", paths[0]));
    let mut stream = format!("commit {name}\ncommitter Ada Author <ada@example.org> {at} +0000\n");
    write!(stream, "data {}\n{message}\nfrom {name}^0\n", message.len()).unwrap();
    write!(stream, "M 100644 inline .grill/outputs.yaml\ndata {}\n{outputs}\n", outputs.len()).unwrap();
    for path in &paths {
        writeln!(stream, "M 100644 {blob} .grill/drafts/{path}").unwrap();
    }
    bench.run_with_input("git -c core.hooksPath=/dev/null fast-import --quiet", stream).assert_code(0);
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
fn g31_a_thousand_drafts_approved_in_one_go_write_at_most_ten_times_as_much_as_a_hundred() {
    let written = |drafts: usize| {
        let bench = handed_in(drafts);
        let (steps, bytes) = (baseline_steps(&bench), bytes_of_objects(&bench));
        bench.run("git grill approve | tail -1").assert_code(0);
        bench.run("ls docs/part | wc -l").assert_stdout(&format!("{drafts}\n"));
        let said = newest(&bench, 2);
        for (subject, op) in said.iter().zip(["approve ", "write "]) {
            let more = format!(", and {} more", drafts - 1);
            assert!(subject.starts_with(op) && subject.ends_with(&more), "{said:?}");
        }
        assert_eq!(baseline_steps(&bench), steps + 1);
        bytes_of_objects(&bench) - bytes
    };
    let (hundred, thousand) = (written(100), written(1_000));
    assert!(thousand <= 10 * hundred, "bytes of objects: {thousand} for 1,000 drafts, {hundred} for 100");
}

/// Not a test: how long the same takes.
///
/// `cargo test --release --test it drafts::rounds -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn measured_by_hand() {
    let took = |drafts: usize| {
        let bench = handed_in(drafts);
        let begun = Instant::now();
        bench.run("git grill approve >/dev/null").assert_code(0);
        begun.elapsed()
    };
    let (hundred, thousand) = (took(100), took(1_000));
    let ratio = thousand.as_secs_f64() / hundred.as_secs_f64();
    eprintln!("100 drafts in one go: {hundred:.1?}, 1,000: {thousand:.1?}, {ratio:.1} times as long (budget: 10)");
}

#[test]
fn a_round_of_one_is_named_by_itself() {
    let bench = chosen(1);
    bench.run("git grill approve").assert_code(0);
    let said = newest(&bench, 1);
    assert!(said[0].starts_with("write docs/issues/") && !said[0].contains("more"), "{said:?}");
}
