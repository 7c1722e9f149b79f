//! How far a step is, by what was said of it and what was seen (P24, P25).

use std::collections::BTreeMap;

use super::{after, agent, executing, line, recorded, settle, steps};
use crate::domain::actor::Actor;
use crate::domain::decide::decide;
use crate::domain::plan::derived::{Backed, Backing, FileMark, Observed, Sighting, backed, outside, paths};
use crate::domain::plan::named::{checks, files, is_path};
use crate::domain::plan::progress::{Glyph, Tally, list};
use crate::domain::plan::{Command, Settlement, State, Steps};
use crate::domain::session::Session;
use crate::domain::subsystem::Folded as _;
use crate::domain::text::Line;

fn plan() -> Steps {
    steps(&["Add a limiter in `src/limit.rs`", "Call it in src/main.rs, check: cargo test", "Say so"])
}

fn marked(numbers: &[u32]) -> Session {
    after(executing(plan()), &agent(), &Command::Mark { steps: numbers.to_vec() })
}

/// The plan of a session, once these files were seen: their names, how they stood, and how they stand.
fn seeing(session: &Session, seen: &[(&str, &str, &str)]) -> State {
    let file = |(path, begun, now): &(&str, &str, &str)| {
        let mark = |text: &str| FileMark::noted(text);
        ((*path).to_owned(), Sighting { begun: Some(mark(begun)), now: mark(now) })
    };
    let files: BTreeMap<String, Sighting> = seen.iter().map(file).collect();
    State { seen: Observed { files, outside: None }, ..session.own.plan.clone() }
}

fn words(plan: &State) -> Vec<&'static str> {
    plan.steps.iter().map(|step| plan.derived(step).word()).collect()
}

fn back(session: &Session, backed: Vec<Backed>) -> Command {
    Command::Back { plan: session.own.plan.plan().unwrap(), backed }
}

fn by_check(step: u32, path: &str, mark: &str) -> Backed {
    let files = BTreeMap::from([(path.to_owned(), FileMark::noted(mark))]);
    Backed { step, backing: Backing { checks: vec![line("cargo test")], files } }
}

#[test]
fn p24_a_step_names_files_between_backticks_and_as_words() {
    let rows: &[(&str, &[&str])] = &[
        ("Add `Limiter` in src/limit.rs", &["Limiter", "src/limit.rs"]),
        ("Mend README.md.", &["README.md"]),
        ("Edit `Makefile`, (docs/a.md) and \"./b.txt\"", &["Makefile", "docs/a.md", "b.txt"]),
        ("See `src/a.rs:12:3` and src/b.rs#L4-L9", &["src/a.rs", "src/b.rs"]),
        ("Mend `my notes.md`", &["my notes.md", "notes.md"]),
        ("Fill the folder src/limit/", &["src/limit"]),
        ("Look at the code:\n```sh\ncat src/a.rs\n```\nthen src/b.rs", &["src/b.rs"]),
        ("Call it, check: sh tests/run.sh", &[]),
        ("Call it (check: sh tests/run.sh) in src/a.rs", &["src/a.rs"]),
        ("Never ../x.rs, /etc/passwd, .git/config, a/../b.rs, .grill/plan.yaml or https://example.org/a.rs", &[]),
        ("Only words. And more", &[]),
    ];
    for (text, expected) in rows {
        assert_eq!(files(text), *expected, "{text}");
    }
    assert!(!is_path(&"x".repeat(201)) && !is_path("a\u{202e}b") && is_path("src/__init__.py"));
}

#[test]
fn p24_a_check_is_a_line_or_a_part_of_one() {
    let rows: &[(&str, &[&str])] = &[
        ("Add it\ncheck: cargo test limiter", &["cargo test limiter"]),
        ("Add it. Check: cargo test", &["cargo test"]),
        ("Add it (check: test $(cat a) = b)", &["test $(cat a) = b"]),
        ("Add it, `check: make a`, then `check: make b`.", &["make a", "make b"]),
        ("**check:** `make a` and more", &["make a"]),
        ("- check: make", &["make"]),
        ("double-check: nothing", &[]),
        ("check:", &[]),
        ("Like this:\n```\ncheck: make\n```", &[]),
    ];
    for (text, expected) in rows {
        let found = checks(text);
        assert_eq!(found.iter().map(Line::as_str).collect::<Vec<_>>(), *expected, "{text}");
    }
}

#[test]
fn p24_a_claim_is_done_once_a_file_of_its_step_changed() {
    const SAME: (&str, &str, &str) = ("src/main.rs", "100644 a", "100644 a");
    let session = marked(&[1, 3]);
    assert_eq!(words(&session.own.plan), ["claimed", "pending", "claimed"], "nobody looked");
    let unchanged = seeing(&session, &[("src/limit.rs", "-", "-"), SAME]);
    assert_eq!(words(&unchanged), ["claimed", "pending", "claimed"]);
    let changed = seeing(&session, &[("src/limit.rs", "-", "100644 b"), SAME]);
    assert_eq!(words(&changed), ["done", "pending", "claimed"]);
    let files = BTreeMap::from([("src/limit.rs".to_owned(), FileMark::noted("100644 b"))]);
    assert_eq!(backed(&changed), [Backed { step: 1, backing: Backing { checks: vec![], files } }]);
    let unmarked = seeing(&session, &[("src/main.rs", "100644 a", "100755 a")]);
    assert_eq!(words(&unmarked), ["claimed", "unknown", "claimed"]);
    assert!(backed(&unmarked).is_empty(), "a change without a mark is no claim");
    assert_eq!(unmarked.derived(&unmarked.steps[1]).because().unwrap(), "unclaimed: src/main.rs has changed");
    let tally = Tally::of(&unmarked);
    assert_eq!(tally.in_words(), "0 of 3 steps finished, 2 claimed, 1 unclaimed, but changed");
    assert_eq!((tally.current, list(&unmarked)[1].glyph), (Some(2), Glyph::Current), "it is the next one all the same");
    let others = seeing(&executing(plan()), &[("src/limit.rs", "-", "-"), ("src/main.rs", "100644 a", "100644 b")]);
    let glyphs: Vec<Glyph> = list(&others).iter().map(|line| line.glyph).collect();
    assert_eq!(glyphs, [Glyph::Current, Glyph::Unknown, Glyph::Pending]);
    // What was not noted at the beginning is not known to have changed.
    let mut unknown = changed.clone();
    unknown.seen.files.values_mut().for_each(|seen| seen.begun = None);
    assert_eq!(words(&unknown), ["claimed", "pending", "claimed"]);
}

#[test]
fn p24_what_backs_a_step_is_recorded_once_and_bound_to_its_files() {
    let session = marked(&[1]);
    let changed = seeing(&session, &[("src/limit.rs", "-", "100644 b")]);
    let command = back(&session, backed(&changed));
    for actor in [Actor::Human, Actor::Unattended, agent()] {
        let refused = decide(&session, &actor, super::at(), &command.clone().into()).unwrap_err();
        assert_eq!(refused.code(), "not_yours", "{actor}");
    }
    let session = after(session, &Actor::System, &command);
    assert!(recorded(&session, &Actor::System, &command).is_empty(), "nothing is new");
    assert_eq!(words(&session.own.plan), ["done", "pending", "pending"]);
    assert_eq!(paths(&session.own.plan), ["src/limit.rs", "src/main.rs"]);
    let stale = seeing(&session, &[("src/limit.rs", "-", "100644 c")]);
    assert_eq!(words(&stale)[0], "stale");
    assert_eq!(stale.derived(&stale.steps[0]).because().unwrap(), "stale: src/limit.rs has changed since");
    assert!(backed(&stale).is_empty());
    // A word on the step takes its place.
    let open = after(session.clone(), &Actor::Human, &settle(1, Settlement::Pending));
    assert_eq!(words(&open.own.plan)[0], "pending");
    let done = after(session, &Actor::Human, &settle(1, Settlement::Done));
    assert_eq!(words(&seeing(&done, &[("src/limit.rs", "-", "100644 c")]))[0], "done", "theirs counts as it stands");
}

/// A pipe, or a file that is too large, is none of the files that were read, whichever of them stood there.
#[test]
fn p24_what_is_not_read_is_a_change_of_what_was_and_no_evidence() {
    let session = marked(&[1]);
    for stood in ["100644 b", "120000 b", "-"] {
        let files = BTreeMap::from([("src/limit.rs".to_owned(), FileMark::noted(stood))]);
        let backed = Backed { step: 1, backing: Backing { checks: vec![], files } };
        let session = after(session.clone(), &Actor::System, &back(&session, vec![backed]));
        assert_eq!(words(&seeing(&session, &[("src/limit.rs", "100644 a", stood)]))[0], "done", "{stood}");
        assert_eq!(words(&seeing(&session, &[("src/limit.rs", "100644 a", "?")]))[0], "stale", "{stood}");
    }
    let claimed = seeing(&session, &[("src/limit.rs", "100644 a", "?")]);
    assert_eq!(words(&claimed)[0], "claimed");
    assert!(backed(&claimed).is_empty() && !claimed.seen.files["src/limit.rs"].counts());
}

#[test]
fn p24_neither_a_claim_nor_a_stale_step_is_finished() {
    let session = marked(&[1, 2, 3]);
    let command = back(&session, vec![by_check(1, "src/limit.rs", "100644 b"), by_check(2, "src/main.rs", "100644 a")]);
    let session = after(session, &Actor::System, &command);
    let tally = |limit: &str, main: &str| {
        Tally::of(&seeing(&session, &[("src/limit.rs", "-", limit), ("src/main.rs", "-", main)]))
    };
    let told = |tally: Tally| (tally.finished, tally.open(), tally.is_all_finished(), tally.in_words());
    let words = |counts: &str| counts.replace(" of 3", " of 3 steps finished");
    assert_eq!(told(tally("100644 b", "100644 a")), (2, 0, false, words("2 of 3 (2 done), 1 claimed")));
    assert_eq!(told(tally("100644 c", "100644 a")), (1, 0, false, words("1 of 3 (1 done), 1 claimed, 1 stale")));
    let stale = seeing(&session, &[("src/limit.rs", "-", "100644 c"), ("src/main.rs", "-", "100644 a")]);
    let reason = stale.derived(&stale.steps[0]).because();
    assert_eq!(reason.as_deref(), Some("stale: checked before src/limit.rs changed"));
    let session = after(session, &Actor::Human, &settle(3, Settlement::Done));
    let now = |limit: &str| Tally::of(&seeing(&session, &[("src/limit.rs", "-", limit)]));
    assert_eq!(now("100644 b").completion(), format!("the plan is complete: {}", words("3 of 3 (3 done)")));
    let stale = format!("every step is marked, 1 without evidence: {}", words("2 of 3 (2 done), 1 stale"));
    assert_eq!(now("100644 c").completion(), stale);
}

#[test]
fn p24_a_check_that_passed_needs_no_mark_and_a_change_does() {
    let session = executing(plan());
    let change = Backed { step: 1, backing: Backing { checks: vec![], ..by_check(1, "a", "-").backing } };
    let command = back(&session, vec![change, by_check(2, "src/main.rs", "100644 a")]);
    let session = after(session, &Actor::System, &command);
    assert_eq!(words(&session.own.plan), ["pending", "done", "pending"]);
    assert_eq!(Tally::of(&session.own.plan).open(), 2);
    let open = after(session, &Actor::Human, &settle(2, Settlement::Pending));
    assert_eq!(words(&open.own.plan)[1], "pending");
}

#[test]
fn p24_nothing_backs_another_plan_or_one_that_is_not_carried_out() {
    let session = executing(plan());
    let other = Command::Back { plan: steps(&["another"]), backed: vec![by_check(1, "a", "-")] };
    assert!(recorded(&session, &Actor::System, &other).is_empty());
    let back = back(&session, vec![by_check(2, "a", "-"), by_check(9, "a", "-")]);
    let on = after(session, &Actor::Human, &Command::SetMode { on: true });
    assert!(recorded(&on, &Actor::System, &back).is_empty());
}

#[test]
fn p24_what_backs_a_step_elsewhere_backs_nothing_here() {
    let session = marked(&[1]);
    let command = back(&session, vec![by_check(1, "src/limit.rs", "100644 b"), by_check(2, "a", "-")]);
    let session = after(session, &Actor::System, &command);
    assert_eq!(words(&session.own.plan), ["done", "done", "pending"]);
    assert_eq!(session.lapse(&|_| true), None);
    let lapse = session.lapse(&|_| false).unwrap();
    assert!(
        lapse.in_words().contains("evidence found there that a step is done does not count"),
        "{}",
        lapse.in_words()
    );
    let here = session.clone().lapsed(lapse);
    assert_eq!(words(&here.own.plan), ["claimed", "pending", "pending"]);
    // No two backings look alike.
    let grants = session.own.plan.grants();
    let moved = after(
        session,
        &Actor::System,
        &Command::Back { plan: plan(), backed: vec![by_check(1, "src/limit.rs", "100644 c")] },
    );
    assert_ne!(grants, moved.own.plan.grants());
}

#[test]
fn p25_changes_that_no_step_names_are_told_and_so_are_steps_without_a_change() {
    let steps = steps(&["Add `src/limit.rs`", "Fill docs/guide/", "Say so"]);
    let session = after(executing(steps), &Actor::Human, &settle(3, Settlement::Skipped));
    let plan = seeing(&session, &[("src/limit.rs", "-", "-")]);
    let changes = ["docs/guide/a.md", "src/limit.rs.orig", "extra.rs"].map(str::to_owned);
    let found = outside(&plan, &changes);
    assert_eq!(found.changed, ["src/limit.rs.orig", "extra.rs"]);
    assert_eq!((found.unchanged.as_slice(), found.stale.len()), (&[1][..], 0));
    // A stale step has a change: one that came after its evidence.
    let command = back(&session, vec![by_check(1, "src/limit.rs", "100644 b")]);
    let session = after(session, &Actor::System, &command);
    let found = outside(&seeing(&session, &[("src/limit.rs", "-", "-")]), &changes);
    assert_eq!((found.unchanged.len(), found.stale.as_slice()), (0, &[1][..]));
}
