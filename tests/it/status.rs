//! What `status` tells (G14, G19, G50) in each phase of a real session.

use serde_json::Value;

use crate::bench::Bench;

/// The keys of `--porcelain`, in their order.
fn keys(bench: &Bench) -> Vec<String> {
    let told = bench.run("git grill status --porcelain").assert_code(0).stdout().to_owned();
    told.lines().map(|line| line.split_once('\t').expect("key, tab, value").0.to_owned()).collect()
}

const ALWAYS: &[&str] = &[
    "active",
    "session",
    "topic",
    "phase",
    "intent",
    "intensity",
    "research",
    "interviewer",
    "approval",
    "output",
    "progress",
    "updated",
];

/// What G50 names, besides `schema`.
const FIELDS: &[&str] = &[
    "active",
    "topic",
    "intent",
    "intensity",
    "outputPreference",
    "researchMode",
    "checkpoint",
    "phase",
    "outputPhase",
    "outputSelection",
    "approvedOutputPlan",
    "currentQuestion",
    "alternatives",
    "updatedAt",
    "lastChangeSummary",
];

fn json(bench: &Bench) -> Value {
    let told = bench.run("git grill status --json").assert_code(0).stdout().to_owned();
    let value: Value = serde_json::from_str(&told).unwrap();
    for field in FIELDS.iter().chain(&["schema"]) {
        assert!(value.get(field).is_some(), "{field} is missing in {told}");
    }
    value
}

#[track_caller]
fn tells(bench: &Bench, line: &str, all: &[&str]) {
    let told = bench.run(line).assert_code(0).stdout().to_owned();
    for wanted in all {
        assert!(told.contains(wanted), "{line} does not tell {wanted:?}:\n{told}");
    }
}

#[test]
fn g19_g50_every_item_is_told_in_every_phase() {
    let bench = Bench::new();
    bench.scripts_may_approve();
    assert_eq!(json(&bench)["active"], false);
    bench.run("git grill start 'add rate limiting' --output design-doc").assert_code(0);
    let question = ["question", "number", "wording"];
    assert_eq!(keys(&bench)[..ALWAYS.len()], *ALWAYS);
    assert!(question.iter().all(|key| keys(&bench).iter().any(|told| told == key)), "{:?}", keys(&bench));
    assert!(keys(&bench).iter().filter(|key| *key == "alternative").count() >= 2);
    tells(
        &bench,
        "git grill status",
        &["interview, a question is open", "design-doc", "0 resolved", " left", "1. ", "(recommended)"],
    );
    bench.run("git grill answer 'nobody waits'").assert_code(0);
    bench.write("new.txt", "x");
    bench.run("git grill verify").assert_code(1);
    tells(
        &bench,
        "git grill status",
        &["last change  ", "updated      2026-", "verified     1 thing drifted (2026-", "1 resolved"],
    );
    bench.run("rm new.txt; git grill verify").assert_code(0);

    bench.run("git grill select").assert_code(0);
    tells(
        &bench,
        "git grill status",
        &["output selection", "Not ready", "so far: 1 resolved", "recommended: design-doc, cut as"],
    );
    tells(
        &bench,
        "git grill status --porcelain",
        &["\nrationale\tNot ready", "\nrecommended\tdesign-doc, cut as ", "\nwording\t", "\nalternative\t1. "],
    );
    let value = json(&bench);
    assert!(value["outputSelection"]["readinessRationale"].is_string() && value["approvedOutputPlan"].is_null());

    bench.run("git grill select design-doc").assert_code(0);
    bench.run("git grill draft").assert_code(0);
    tells(&bench, "git grill status", &["output\n", "design-doc cut as", "drafted, waits for approval"]);
    tells(&bench, "git grill status --porcelain", &["\nplan\tdesign-doc cut as ", "drafted, waits for approval"]);
    let value = json(&bench);
    assert!(value["outputPhase"] == true && value["approvedOutputPlan"].is_object(), "{value}");

    bench.run("git grill stop --without-output").assert_code(0);
    bench.run("git grill status --porcelain").assert_code(0).assert_stdout("active\tno\n");
    assert_eq!(json(&bench)["active"], false);
}

#[test]
fn g14_progress_is_never_a_part_of_a_number_that_is_a_guess() {
    let bench = Bench::new();
    bench.run("git grill start 'add rate limiting'").assert_code(0);
    for _ in 0..6 {
        bench.run("git grill answer 'it depends'").assert_code(0);
        let told = bench.run("git grill status").assert_code(0).stdout().to_owned();
        let progress = told.lines().find(|line| line.starts_with("progress")).unwrap();
        assert!(progress.ends_with(" left") && progress.contains(" resolved, "), "{progress}");
        assert!(!progress.contains(" of "), "{progress}");
    }
}

#[test]
fn the_line_for_a_shell_fits_and_says_nothing_where_there_is_nothing() {
    let bench = Bench::new();
    bench.run("git grill status --short").assert_code(0).assert_stdout("").assert_quiet();
    bench.run("git grill start 'add rate limiting'").assert_code(0);
    for (width, line) in [
        ("", "grill:interview q1 0/1/0\n"),
        (" --width 20", "grill q1 0/1/0\n"),
        (" --width 8", "grill q1\n"),
        (" --width 3", ""),
    ] {
        bench.run(&format!("git grill status --short{width}")).assert_code(0).assert_stdout(line).assert_quiet();
    }
    bench.run("git grill status --width 20").assert_code(2);
    Bench::nowhere().run("git grill status --short").assert_code(128).assert_stdout("").assert_quiet();
}

#[test]
fn the_line_for_a_shell_comes_from_a_note_that_is_never_older_than_the_session() {
    let bench = Bench::new();
    let told =
        |line: &str| drop(bench.run("git grill status --short").assert_code(0).assert_stdout(line).assert_quiet());
    let note = bench.repo().join(".git/grill/glimpse");
    bench.run("git grill start 'add rate limiting'").assert_code(0);
    told("grill:interview q1 0/1/0\n");
    let first = std::fs::read_to_string(&note).unwrap();
    // Nothing but the note is read for a commit that it was made of.
    std::fs::write(&note, first.replace(" 1 1 0 0 1 0 \n", " 7 1 1 2 3 4 \n")).unwrap();
    told("grill:interview q7 1/3/6\n");
    bench.run("git grill answer 'it depends'").assert_code(0);
    told("grill:interview q2 1/1/0\n");
    // The session's, as each way to ask tells it.
    for line in ["status --short --width 30", "status --width=30 --short", "--no-pager status --short"] {
        bench
            .run(&format!("git grill {line}"))
            .assert_code(0)
            .assert_stdout("grill:interview q2 1/1/0\n")
            .assert_quiet();
    }
    for spoilt in ["", "garbage", &first, &first[..50]] {
        std::fs::write(&note, spoilt).unwrap();
        told("grill:interview q2 1/1/0\n");
    }
    // Where no note can be kept, the session is read each time.
    bench.run("rm .git/grill/glimpse && mkdir -p .git/grill/glimpse/in").assert_code(0);
    told("grill:interview q2 1/1/0\n");
    told("grill:interview q2 1/1/0\n");
    bench.run("rm -r .git/grill/glimpse && ! ls .git/grill | grep glimpse").assert_code(0);
    told("grill:interview q2 1/1/0\n");
    assert!(note.exists());
    bench.run("git grill stop --without-output").assert_code(0);
    told("");
    assert!(!note.exists(), "it goes with the session");
}

#[test]
fn g46_g47_next_without_a_terminal_reopens_nothing_at_the_output_selection() {
    let bench = Bench::new();
    bench.run("git grill start --research off --intensity gentle 'rate limiting'").assert_code(0);
    bench.run("git grill skip").assert_code(0);
    for _ in 0..20 {
        let phase = bench.run("git grill status --porcelain").assert_code(0);
        if phase.stdout().contains("\nphase\toutput selection\n") {
            break;
        }
        bench.run("git grill answer --choose 1").assert_code(0);
    }
    let head = || bench.run("git rev-parse GRILL_HEAD").assert_code(0).stdout().to_owned();
    let before = head();
    let shown = bench.run("git grill next").assert_code(0).assert_contains("what can come out of it");
    shown.assert_contains("git grill back <number>");
    assert_eq!(head(), before);
    bench.run("git grill back 1").assert_code(0).assert_contains("question 1");
}
