//! Damages of one session, one row each, in every format of refs and objects.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

use super::{WORDS, two_sessions};
use crate::bench::{Bench, git_has_reftable, one_of, side_by_side};
use crate::faults::traces::{assert_same, everything};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Refs {
    Any,
    Files,
    Reftable,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mended {
    /// The session goes back to an earlier commit.
    Back,
    Whole,
    ByHand,
}

pub struct Row {
    pub name: &'static str,
    pub refs: Refs,
    pub by: &'static str,
    pub code: &'static str,
    mended: Mended,
}

const fn row(name: &'static str, refs: Refs, by: &'static str, code: &'static str, mended: Mended) -> Row {
    Row { name, refs, by, code, mended }
}

pub const ROWS: &[Row] = &[
    row("no newest commit", Refs::Any, "rm -f $(loose $tip)", "session_unreadable", Mended::Back),
    row("a spoilt commit", Refs::Any, "spoil $tip", "session_unreadable", Mended::Back),
    row("a commit cut off", Refs::Any, "sever $tip", "session_unreadable", Mended::Back),
    row("a folder cut off", Refs::Any, "sever $(git rev-parse $tip:.grill)", "session_unreadable", Mended::Back),
    row(
        "a state cut off",
        Refs::Any,
        "sever $(git rev-parse $tip:.grill/session.yaml)",
        "session_unreadable",
        Mended::Whole,
    ),
    row("no tree", Refs::Any, "rm -f $(loose $(git rev-parse $tip^{tree}))", "session_unreadable", Mended::Back),
    row(
        "no state",
        Refs::Any,
        "rm -f $(loose $(git rev-parse $tip:.grill/session.yaml))",
        "session_unreadable",
        Mended::Whole,
    ),
    row(
        "a spoilt state",
        Refs::Any,
        "spoil $(git rev-parse $tip:.grill/session.yaml)",
        "session_unreadable",
        Mended::Whole,
    ),
    row(
        "no checkpoint, and a copy of it in the working tree",
        Refs::Any,
        "rm -f $(loose $(git rev-parse $tip:.grill/checkpoint.md))",
        "session_unreadable",
        Mended::Whole,
    ),
    row(
        "a checkpoint cut off, and a copy of it that was edited",
        Refs::Any,
        "sever $(git rev-parse $tip:.grill/checkpoint.md); echo '- by hand' >>.grill/checkpoint.md",
        "session_unreadable",
        Mended::Back,
    ),
    row(
        "no answer",
        Refs::Any,
        "rm -f $(loose $(git rev-parse $tip:$(git ls-tree -r --name-only $tip .grill/answers | tail -n 1)))",
        "session_unreadable",
        Mended::Back,
    ),
    row("another branch", Refs::Any, "past update-ref $ref refs/heads/main", "session_unreadable", Mended::Whole),
    row(
        "no commit at all",
        Refs::Any,
        "past update-ref $ref $(echo x | git hash-object -w --stdin)",
        "session_unreadable",
        Mended::Whole,
    ),
    row("garbage in the ref", Refs::Files, "echo junk >.git/$ref", "session_unreadable", Mended::Whole),
    row("zeros in the ref", Refs::Files, "head -c 41 /dev/zero >.git/$ref", "session_unreadable", Mended::Whole),
    row(
        "a packed ref without its commit",
        Refs::Files,
        "git pack-refs --all && rm -f $(loose $tip)",
        "session_unreadable",
        Mended::Back,
    ),
    row("no ref file", Refs::Files, "rm .git/$ref", "session_gone", Mended::Whole),
    row("a deleted ref", Refs::Any, "past update-ref -d $ref", "session_gone", Mended::Whole),
    row(
        "no reflog and no tree",
        Refs::Any,
        "git reflog expire --expire=all --all && rm -f $(loose $(git rev-parse $tip^{tree}))",
        "session_unreadable",
        Mended::Back,
    ),
    row(
        "no reflog and no commit",
        Refs::Any,
        "git reflog expire --expire=all --all && rm -f $(loose $tip)",
        "session_unreadable",
        Mended::Back,
    ),
    row(
        "no commit of it",
        Refs::Any,
        "for one in $(git rev-list $ref); do rm -f $(loose $one); done",
        "session_unreadable",
        Mended::ByHand,
    ),
    row("a lock of the ref", Refs::Files, "touch -d '1 hour ago' .git/$ref.lock", "stale_lock", Mended::Whole),
    row(
        "a lock of the pointer",
        Refs::Files,
        "touch -d '1 hour ago' .git/GRILL_HEAD.lock",
        "stale_lock",
        Mended::Whole,
    ),
    row("a detached pointer", Refs::Files, "echo $tip >.git/GRILL_HEAD", "bad_pointer", Mended::Whole),
    row("a pointer that is none", Refs::Files, "echo junk >.git/GRILL_HEAD", "bad_pointer", Mended::ByHand),
    row(
        "a pointer to a branch",
        Refs::Any,
        "past symbolic-ref GRILL_HEAD refs/heads/main",
        "bad_pointer",
        Mended::ByHand,
    ),
    row(
        "a stray ref file",
        Refs::Reftable,
        "mkdir -p .git/refs/grill/sessions && echo $tip >.git/$ref",
        "stray_ref",
        Mended::Whole,
    ),
    row(
        "a stray ref file of another commit",
        Refs::Reftable,
        "mkdir -p .git/refs/grill/sessions && git rev-parse $tip~1 >.git/$ref",
        "stray_ref",
        Mended::Whole,
    ),
    row(
        "a forced refspec",
        Refs::Any,
        "git config remote.up.fetch '+refs/grill/*:refs/grill/*'",
        "forced_refspec",
        Mended::ByHand,
    ),
];

fn doctor(bench: &Bench, line: &str, code: i32, when: &str) -> Value {
    let ran = bench.run(line);
    assert_eq!(ran.code, code, "{when}, {line}: {ran}");
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{when}, {line}: {error}: {}", ran.stdout))
}

fn line(bench: &Bench, line: &str) -> String {
    bench.run(line).assert_code(0).stdout().trim().to_owned()
}

/// Everything that git and git grill keep, objects included.
fn state(bench: &Bench) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = everything(bench.repo());
    found.retain(|path, _| path.starts_with(".git"));
    found.into_iter().map(|(path, trace)| (path, format!("{trace:?}").into_bytes())).collect()
}

/// One damage: found, said, mended, and clean the second time.
fn played(row: &Row, format: &str) {
    let Row { name, by, code, mended, .. } = row;
    let when = format!("{name} ({format})");
    let bench = two_sessions(format);
    let side = "git -C ../side";
    let others = line(&bench, &format!("git rev-parse $({side} symbolic-ref GRILL_HEAD)"));
    let tip = line(&bench, &format!("{WORDS} echo $tip"));
    let session = line(&bench, &format!("{WORDS} echo $ref"));
    bench.run(&format!("{WORDS} {by}")).assert_code(0);

    let before = state(&bench);
    let found = doctor(&bench, "git grill doctor --json", 1, &when);
    assert_eq!(before, state(&bench), "{when}: looking changes nothing");
    let finding = found["findings"].as_array().unwrap().iter().find(|one| one["code"] == *code);
    let finding = finding.unwrap_or_else(|| panic!("{when}: {found}"));
    for key in ["what", "why", "mend"] {
        assert!(finding[key].as_str().is_some_and(|text| !text.is_empty()), "{when}: {finding}");
    }
    if code.starts_with("session_") {
        let said = bench.run("git grill status");
        assert!(said.code == 128 && said.stderr.contains("git grill doctor"), "{when}: {said}");
        let listed = bench.run("git grill sessions");
        assert!(listed.code == 0 && listed.stdout.contains("a faster search"), "{when}: {listed}");
        let shown = bench.run(&format!("{side} grill status"));
        assert!(shown.code == 0 && shown.stdout.contains("a faster search"), "{when}: {shown}");
    }
    if *code == "session_unreadable" {
        let refused = bench.run("git update-ref refs/heads/x HEAD");
        assert!(refused.code == 128 && refused.stderr.contains("is read-only"), "{when}: {refused}");
    }

    if *mended == Mended::ByHand {
        let fixed = doctor(&bench, "git grill doctor --fix --json", 1, &when);
        assert_eq!(fixed["done"].as_array().unwrap().len(), 0, "{when}: {fixed}");
        let refs = |state: &BTreeMap<PathBuf, Vec<u8>>| {
            let mut kept = state.clone();
            let ours = [".git/refs", ".git/logs", ".git/packed-refs", ".git/reftable", ".git/config"];
            kept.retain(|path, _| ours.iter().any(|ours| path.starts_with(ours)) || path.ends_with("GRILL_HEAD"));
            kept
        };
        assert_eq!(refs(&before), refs(&state(&bench)), "{when}: nothing is made worse");
        bench.run("git grill stop --without-output").assert_code(0);
        return;
    }
    let fixed = doctor(&bench, "git grill doctor --fix --json", 0, &when);
    assert!(!fixed["done"].as_array().unwrap().is_empty(), "{when}: {fixed}");
    let clean = doctor(&bench, "git grill doctor --json", 0, &when);
    assert_eq!(clean["findings"].as_array().unwrap().len(), 0, "{when}: {clean}");
    let again = doctor(&bench, "git grill doctor --fix --json", 0, &when);
    assert!(again["mended"].as_array().unwrap().is_empty() && again["done"].as_array().unwrap().is_empty(), "{again}");
    let now = line(&bench, &format!("git rev-parse {session}"));
    assert_eq!(now == tip, *mended == Mended::Whole, "{when}: {fixed}");
    assert_eq!(others, line(&bench, &format!("git rev-parse $({side} symbolic-ref GRILL_HEAD)")), "{when}");
    for check in ["git grill status", "git grill fsck", "git gc --quiet", "git fsck --no-dangling", "git grill next"] {
        let ran = bench.run(check);
        assert_eq!(ran.code, 0, "{when}, {check}: {ran}\n{fixed}");
    }
    bench.run("git grill stop --without-output").assert_code(0);
}

/// Plays a third of the rows, another third in each format, or all of them.
fn all(format: &str, refs: Refs) {
    let first = 2 * usize::from(refs == Refs::Reftable) + 4 * usize::from(format.contains("sha256"));
    let rows = ROWS.iter().skip(first % one_of(9)).step_by(one_of(9));
    let rows: Vec<&Row> = rows.filter(|row| row.refs == Refs::Any || row.refs == refs).collect();
    side_by_side(&rows, |row| played(row, format));
}

#[test]
fn p1_damages_are_named_and_mended() {
    all("", Refs::Files);
}

#[test]
fn p1_damages_are_named_and_mended_where_refs_are_reftable() {
    if git_has_reftable("damages where refs are reftable") {
        all("--ref-format=reftable", Refs::Reftable);
    }
}

#[test]
fn p1_damages_are_named_and_mended_where_objects_are_sha256() {
    all("--object-format=sha256", Refs::Files);
}

/// A lock that somebody may hold is nobody's to take.
#[test]
fn a_young_lock_is_left_alone() {
    let bench = two_sessions("");
    bench.run(&format!("{WORDS} touch .git/$ref.lock")).assert_code(0);
    doctor(&bench, "git grill doctor --fix --json", 0, "a young lock");
    bench.run(&format!("{WORDS} test -f .git/$ref.lock")).assert_code(0);
}

#[test]
fn what_could_not_be_read_is_kept_and_noted() {
    let bench = two_sessions("");
    let before = everything(bench.repo());
    bench.run(&format!("{WORDS} past update-ref $ref refs/heads/main")).assert_code(0);
    bench.run("git grill doctor --fix").assert_code(0).assert_contains("is kept as refs/grill/local/recovered/");
    bench.run("test $(git rev-parse refs/grill/local/recovered/*-1) = $(git rev-parse main)").assert_code(1);
    let kept = line(&bench, "git for-each-ref --format='%(objectname)' refs/grill/local/recovered");
    assert_eq!(kept, line(&bench, "git rev-parse main"));
    let note = bench.run("cat .git/grill/recovered/*.txt").assert_code(0);
    note.assert_contains(&format!("tip: {kept}")).assert_contains("brought back to: ").assert_contains("not in it: ");
    // The same damage once more is another note, and the first one stays.
    bench.run(&format!("{WORDS} rm -f $(loose $tip)")).assert_code(0);
    bench.run("git grill doctor --fix").assert_code(0).assert_contains("nothing could be kept");
    assert_eq!(line(&bench, "ls .git/grill/recovered/*.txt | wc -l"), "2");
    let after = everything(bench.repo());
    let heads = |found: &crate::faults::traces::Traces| {
        let mut found = found.clone();
        found.retain(|path, _| path.starts_with(".git/refs/heads") || !path.starts_with(".git"));
        found
    };
    assert_same(&heads(&before), &heads(&after), "nothing of the user's");
}
