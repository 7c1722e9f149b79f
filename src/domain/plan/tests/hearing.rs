//! What an agent lets hear of a plan in a turn, as data (`fixtures/domain/heard.tsv`): how far the plan was and is, its
//! messages and the entries of its own list; and which steps that claims, and what it proposes.

use std::fmt::Write as _;

use super::{after, agent, executing, fresh, set, settle, steps};
use crate::domain::actor::Actor;
use crate::domain::plan::heard::{Entry, EntryStatus, Listed, Turn, claims, is_unmarked, proposal};
use crate::domain::plan::parse::LARGEST_TEXT;
use crate::domain::plan::{Command, Refusal, Settlement, State, Steps};
use crate::domain::subsystem::Refused as _;
use crate::domain::text::Prose;

const TABLE: &str = include_str!("../../../../fixtures/domain/heard.tsv");
/// What stands between two messages, and between two entries.
const BETWEEN: &str = " ¦ ";

fn plan() -> Steps {
    steps(&[
        "Add `Limiter` in src/limiter.rs",
        "Call it",
        "Call it",
        "Say so\nin the README",
        "Say so",
        "Test it\nby hand",
    ])
}

fn mark(numbers: &[u32]) -> Command {
    Command::Mark { steps: numbers.to_vec() }
}

/// The plan as the turn began, and as it is.
fn plans(named: &str) -> (State, State) {
    let on = after(fresh(), &Actor::Human, &Command::SetMode { on: true });
    let planned = after(on.clone(), &agent(), &set(plan()));
    let running = executing(plan());
    let (begun, now) = match named {
        "on" => (planned.clone(), planned),
        "set-meanwhile" => (on, planned),
        "off" => {
            let off = after(planned, &Actor::Human, &Command::SetMode { on: false });
            (off.clone(), off)
        }
        "executing" => (running.clone(), running),
        "marked-1" => (running.clone(), after(running, &agent(), &mark(&[1]))),
        "begun-meanwhile" => (planned, running),
        other => panic!("{other}"),
    };
    (begun.own.plan, now.own.plan)
}

fn list(cell: &str) -> Vec<String> {
    if cell == "-" { vec![] } else { cell.split(BETWEEN).map(|one| one.replace("\\n", "\n")).collect() }
}

fn entry(text: &str) -> Entry {
    let (status, text) = text.split_once('=').unwrap();
    let status = match status {
        "pending" => EntryStatus::Pending,
        "in_progress" => EntryStatus::InProgress,
        "completed" => EntryStatus::Completed,
        other => EntryStatus::Unknown(other.to_owned()),
    };
    Entry { text: text.to_owned(), status }
}

#[test]
fn p16_p20_what_a_turn_claims_and_proposes() {
    let mut wrong = String::new();
    for row in TABLE.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [named, said, entries, ..] = cells[..] else { panic!("{row}") };
        let (begun, now) = plans(named);
        let entries = list(entries).iter().map(|text| entry(text)).collect();
        let turn = Turn { messages: list(said), entries, ..Turn::default() };
        let claimed: Vec<String> =
            claims(&begun, &now, &turn, &mut Listed::default()).iter().map(ToString::to_string).collect();
        let claimed = if claimed.is_empty() { "-".to_owned() } else { claimed.join(" ") };
        let proposed = match proposal(&begun, &now, &turn) {
            Ok(None) => "-".to_owned(),
            Ok(Some(steps)) => steps.texts().iter().map(Prose::as_str).collect::<Vec<_>>().join(" / "),
            Err(refusal) => format!("!{}", refusal.code()),
        };
        let computed = format!("{}\t{claimed}\t{proposed}", cells[..3].join("\t"));
        if computed != row {
            let _ = writeln!(wrong, "computed {computed}\ntable    {row}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn p16_of_what_is_cut_no_plan_is_read() {
    let (begun, now) = plans("on");
    let turn = Turn { messages: vec!["Plan:\n1. a".to_owned()], is_cut: true, ..Turn::default() };
    assert_eq!(proposal(&begun, &now, &turn), Err(Refusal::TextTooLarge { bytes: LARGEST_TEXT + 1 }));
    let (begun, now) = plans("executing");
    assert_eq!(proposal(&begun, &now, &turn), Ok(None));
}

#[test]
fn p20_a_turn_that_worked_and_marked_nothing_is_asked_about() {
    let worked = Turn { worked: true, ..Turn::default() };
    for (named, turn, unmarked) in [
        ("executing", &worked, true),
        ("executing", &Turn::default(), false),
        // By the tool, or by another one.
        ("marked-1", &worked, false),
        ("on", &worked, false),
        ("off", &worked, false),
    ] {
        let (begun, now) = plans(named);
        assert_eq!(is_unmarked(&begun, &now, turn), unmarked, "{named}");
    }
    let all = after(executing(plan()), &agent(), &mark(&[1, 2, 3, 4, 5, 6])).own.plan;
    assert!(!is_unmarked(&all, &all, &worked), "nothing is left to be marked");
}

/// A step that was claimed, and that a person opened again.
fn reopened(number: u32) -> State {
    let marked = after(executing(plan()), &agent(), &mark(&[number]));
    after(marked, &Actor::Human, &settle(number, Settlement::Pending)).own.plan
}

#[test]
fn p20_an_entry_that_was_completed_all_along_does_not_claim_a_step_that_was_opened_again() {
    let listed =
        |entries: &[&str]| Turn { entries: entries.iter().map(|text| entry(text)).collect(), ..Turn::default() };
    let (open, done) = (listed(&["in_progress=Call it"]), listed(&["completed=Call it"]));
    let now = reopened(2);
    let mut seen = Listed::default();
    let mut claimed = |turn: &Turn| claims(&now, &now, turn, &mut seen);
    // Sent again in each turn, also by an agent that was started anew.
    assert_eq!(claimed(&done), [0; 0]);
    assert_eq!(claimed(&done), [0; 0]);
    // It was taken up in between, in another turn or in the same.
    assert_eq!(claimed(&open), [0; 0]);
    assert_eq!(claimed(&done), [2]);
    assert_eq!(claimed(&done), [0; 0]);
    assert_eq!(claimed(&Turn { open: ["Call it".to_owned()].into(), ..done.clone() }), [2]);
    // A mark in a message is said anew.
    assert_eq!(claimed(&Turn { messages: list("[DONE:2]"), ..done }), [2]);
}

#[test]
fn p20_of_a_message_that_breaks_off_what_may_be_quoted_is_no_mark() {
    for (said, marked) in [("[DONE:1]", vec![1]), ("`[DONE:1]", vec![]), ("[DONE:2]\nWrite `[DONE:1]", vec![2])] {
        let turn = Turn { messages: vec![said.to_owned()], ..Turn::default() }.broken_off();
        let (begun, now) = plans("executing");
        assert_eq!(claims(&begun, &now, &turn, &mut Listed::default()), marked, "{said}");
    }
}
