//! What is shown of agents that work is lent to, in a window of 80 columns.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use super::*;
use crate::app::reply::{AcceptFate, AgentChanges, AgentFile, LiveAgent, Offer, OfferedFile, SeenSession, UnreadLoan};
use crate::domain::agents::ask::AskKind;
use crate::domain::agents::changed::ChangedFiles;
use crate::domain::agents::command::Command;
use crate::domain::agents::event::{Event, Record};
use crate::domain::agents::failure::FailureCode;
use crate::domain::agents::overlap::{Overlap, overlaps};
use crate::domain::agents::preview::{MOST_CHARACTERS, Preview};
use crate::domain::agents::profile::Profile;
use crate::domain::agents::receipt::WaitEnd;
use crate::domain::agents::tests::{Played, agent, at, failure, launch, line, open, proof, rest, send, turn};
use crate::domain::agents::usage::UsageReport;
use crate::domain::agents::waiting::waiting;
use crate::domain::ids::ObjectId;
use crate::render::palette::{Asked, Links};

mod needed;
mod taking;

const LOOK: Look = Look { colours: false, terminal: true, asked: Asked::InText, links: Links::Spelled };

fn asking(number: u32, words: &str) -> Played {
    let idle = Played::begin(number, Profile::LocalReview).then(&launch(200)).then(&open());
    let ask = Command::Ask { kind: AskKind::Permission, words: line(words) };
    idle.then(&send()).then(&Command::RecordSent).then(&ask)
}

fn works(number: u32) -> Played {
    let idle = Played::begin(number, Profile::GroundedReview).then(&launch(200)).then(&open());
    idle.then(&send()).then(&Command::RecordSent)
}

fn failed(number: u32) -> Played {
    works(number).then(&Command::Fail { failure: failure(FailureCode::BackendSilent) })
}

fn seen(played: Played, size: Option<u64>) -> LoanSession {
    let live = (!played.session.state.is_terminal()).then(LiveAgent::default);
    LoanSession::of(SeenSession { session: played.session, live, size, half_done: false, newer: None }, at(305))
}

fn list(sessions: Vec<LoanSession>, unreadable: Vec<UnreadLoan>) -> LoanList {
    let waiting = waiting(sessions.iter().map(|seen| &seen.session));
    let overlaps = overlaps(sessions.iter().map(|seen| &seen.session));
    LoanList { now: at(305), waiting, overlaps, sessions, unreadable }
}

fn receipt(seconds: u64, end: WaitEnd) -> WaitReceipt {
    WaitReceipt::new(WaitSeconds::new(seconds).unwrap(), Duration::from_millis(5_250), end)
}

fn at_80(lent: &Loan) -> String {
    let shown = text(lent, &LOOK, Some(80));
    for line in shown.lines() {
        assert!(width(line) <= 80, "{line}");
        assert!(!line.chars().any(crate::domain::harmless::acts_on_a_terminal), "{line:?}");
    }
    shown
}

#[test]
fn a42_a43_the_list_begins_with_what_waits_and_says_how_large_a_worktree_is() {
    let editing = Played::begin(3, Profile::WorktreeEdit).then(&launch(200)).then(&open());
    let editing = editing.then(&Command::RecordProof { proof: Box::new(proof()) });
    let unread = UnreadLoan { session: agent(9), why: "line 3\u{1b}[2J is no record".to_owned(), hint: None };
    let all =
        vec![seen(asking(2, "write a.txt\u{1b}[2J"), None), seen(editing, Some(1_300_000)), seen(failed(10), None)];
    assert_eq!(
        at_80(&Loan::List(list(all, vec![unread]))),
        "! g2 claude asks for permission, for 4 min: write a.txt␛[2J\n  git grill agent answer g2\n\n\
         session agent    profile         turns since  size    state\n\
         g2      claude   local-review        1 4 min  -       waits for you\n\
         g3      claude   worktree-edit       0 5 min  1.2 MiB idle; no changes to accept\n\
         g10     claude   grounded-review     1 4 min  -       failed: backend_silent\n\
         ! g9 cannot be read: line 3␛[2J is no record\n"
    );
    assert_eq!(at_80(&Loan::List(list(Vec::new(), Vec::new()))), NOTHING);
}

#[test]
fn a21_the_widget_has_three_sessions_in_five_lines_and_no_cancelled_one() {
    let cancelled = works(1).then(&Command::Cancel);
    let mut all = vec![seen(cancelled, None)];
    assert_eq!(widget(&list(all.clone(), Vec::new()), Some(80)), "", "it is history");
    all.push(seen(works(2), None));
    assert_eq!(
        widget(&list(all.clone(), Vec::new()), Some(80)),
        "agent\n  g2 claude (grounded-review): thinks, 5 min\n"
    );
    for number in 3..9 {
        all.push(seen(works(number), None));
    }
    all.push(seen(failed(9), None));
    all.push(seen(asking(10, "write"), None));
    let shown = widget(&list(all.clone(), Vec::new()), Some(80));
    assert_eq!(
        shown,
        "agents\n  g10 claude (local-review): waits for you, 4 min\n  \
         g9 claude (grounded-review): failed: backend_silent, 4 min\n  \
         g2 claude (grounded-review): thinks, 5 min\n  +6 more; git grill agent status\n"
    );
    for columns in 0..100 {
        let shown = widget(&list(all.clone(), Vec::new()), Some(columns));
        assert!(shown.lines().count() <= 5 && shown.lines().all(|line| width(line) <= columns), "{columns}: {shown}");
    }
}

#[test]
fn a9_a42_a_wait_that_only_a_person_can_end_says_so() {
    let mut waits = seen(asking(1, "write a.txt"), None);
    waits.live = Some(LiveAgent { line: "claude waits for your answer, 48 s".to_owned(), ..LiveAgent::default() });
    let lent = Loan::Session { session: Box::new(waits), receipt: receipt(5, WaitEnd::NeedsPerson) };
    assert_eq!(
        at_80(&lent),
        "g1 claude (local-review): waits for you, 4 min\nwaited 5.2 s: you are needed\n! it asks for permission: \
         write a.txt\n  git grill agent answer g1\nnow        claude waits for your answer, 48 s\nt1         streaming for 4 min, waits for \
         you\n"
    );
    assert_eq!(json(1, &lent)["wait"]["outcome"], "needs_person");
}

#[test]
fn a44_an_answer_is_a_line_of_state_and_then_what_was_asked_for() {
    let report = UsageReport { context: Some(line("100 of 200000 tokens")), turn: None };
    let session = works(1).then(&Command::ReportUsage { report }).then(&rest()).then(&send());
    let lent = Loan::Session { session: Box::new(seen(session, None)), receipt: receipt(5, WaitEnd::GoesOn) };
    assert_eq!(
        at_80(&lent),
        "g1 claude (grounded-review): idle, 4 min\n\
         waited 5.2 s, and it goes on\n\
         t1         completed 4 min ago\n\
         t2         queued for 4 min\n\
         context    100 of 200000 tokens\n"
    );
    let lent = Loan::Session { session: Box::new(seen(failed(1), None)), receipt: receipt(0, WaitEnd::Before) };
    assert_eq!(
        at_80(&lent),
        "g1 claude (grounded-review): failed: backend_silent, 4 min\n\
         t1         failed 4 min ago: because (backend_silent)\n"
    );
}

#[test]
fn a9_a44_a_turn_that_was_cut_off_is_told_with_its_reason() {
    let cut_off = works(1).then(&Command::RecordRest { stop: line("its model ran out of tokens") });
    let session = Box::new(seen(cut_off, None));
    let told = |lent: &Loan| at_80(lent).split_whitespace().collect::<Vec<_>>().join(" ");
    let lent = Loan::Session { session: session.clone(), receipt: receipt(0, WaitEnd::Before) };
    let row = "t1 completed 4 min ago: its model ran out of tokens";
    assert!(told(&lent).contains(row), "{}", told(&lent));
    let path = PathBuf::from("/result.md");
    let of = |cut| TurnResult {
        turn: turn(1),
        preview: Preview { text: "so far".to_owned(), cut },
        path: path.clone(),
        made: Vec::new(),
    };
    let of = |cut| Loan::Result { session: session.clone(), receipt: receipt(0, WaitEnd::Before), result: of(cut) };
    let state = "t1 was cut off, 4 min; t1 was cut off: its model ran out of tokens";
    assert!(told(&of(0)).contains(state), "{}", told(&of(0)));
    let note = "t1 was cut off: its model ran out of tokens";
    assert_eq!(json(1, &of(0))["result"]["note"], note);
    let both = format!("{note}; 1 more byte is not shown; the whole text is in /result.md");
    assert_eq!(json(1, &of(1))["result"]["note"], both);
}

#[test]
fn a44_the_reason_of_each_failed_turn_stands_in_its_row_and_beside_the_result_of_one_before_it() {
    let why = |why: &str| Command::FailTurn { failure: Failure { code: FailureCode::Refused, why: line(why) } };
    let again = |played: Played| played.then(&send()).then(&Command::RecordSent);
    let one = works(1).then(&rest());
    let two = again(again(one).then(&why("quota\u{1b} exceeded"))).then(&why("its model refused"));
    let session = Box::new(seen(two.clone(), None));
    let told = at_80(&Loan::Session { session: session.clone(), receipt: receipt(0, WaitEnd::Before) });
    assert!(told.contains("t2         failed 4 min ago: quota␛ exceeded (refused)\n"), "{told}");
    assert!(told.contains("t3         failed 4 min ago: its model refused (refused)\n"), "{told}");
    let next = Box::new(seen(again(two).then(&rest()), None));
    let told = at_80(&Loan::Session { session: next, receipt: receipt(0, WaitEnd::Before) });
    assert!(told.contains("quota␛ exceeded (refused)\n") && !told.contains("\nfailure "), "{told}");
    let preview = Preview { text: "so far".to_owned(), cut: 0 };
    let result = TurnResult { turn: turn(1), preview, path: PathBuf::from("/result.md"), made: Vec::new() };
    let told = at_80(&Loan::Result { session, receipt: receipt(0, WaitEnd::Before), result });
    assert!(told.contains("; t1 is completed\n! t3 failed: its model refused\n> so far\n"), "{told}");
}

#[test]
fn a9_each_line_of_a_preview_has_its_mark_and_below_it_stand_the_note_and_the_path() {
    let session = Box::new(seen(works(1).then(&rest()), None));
    let said = format!("{}\nerror: \u{1b}[2Jnot ours\n", "word ".repeat(30).trim_end());
    let path = PathBuf::from("/repo/.git/grill/agents/g1/turns/t1/result.md");
    let whole = |text: &str| Preview::new(text.as_bytes(), text.len() as u64);
    let result = TurnResult { turn: turn(1), preview: whole(&said), path: path.clone(), made: Vec::new() };
    let of = |result| Loan::Result { session: session.clone(), receipt: receipt(0, WaitEnd::Before), result };
    let shown = at_80(&of(result));
    let words = "word ".repeat(15);
    assert_eq!(
        shown,
        format!(
            "g1 claude (grounded-review): idle, 4 min; t1 is completed\n> {words}\n> {words}\n\
             > error: ␛[2Jnot ours\n/repo/.git/grill/agents/g1/turns/t1/result.md\n"
        )
        .replace("word \n", "word\n")
    );
    let long = "x".repeat(MOST_CHARACTERS + 7);
    let result = TurnResult { turn: turn(1), preview: whole(&long), path, made: Vec::new() };
    let shown = at_80(&of(result));
    assert!(shown.lines().skip(1).take_while(|line| line.starts_with("> ")).count() > 20, "{shown}");
    let note = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let ends = "7 more bytes are not shown; the whole text is in /repo/.git/grill/agents/g1/turns/t1/result.md";
    assert!(note.ends_with(ends), "{note}");
}

#[test]
fn a2_the_log_is_told_in_words_a_line_each() {
    let played = asking(1, "write a.txt").then(&Command::Cancel);
    let lent = Loan::Log { session: agent(1), records: played.records };
    let shown = at_80(&lent);
    let words: Vec<&str> = shown.lines().map(|line| line.split_once("  ").unwrap().1).collect();
    assert_eq!(
        words,
        [
            "g1 began: claude, local-review",
            "the agent was started (process 200)",
            "the agent opened a session of its own",
            "t1 was queued",
            "t1 was sent to the agent",
            "the agent works on t1",
            "the agent asks for permission (1): write a.txt",
            "the agent waits for an answer",
            "question 1 was cancelled",
            "t1 was cancelled",
            "the session was cancelled",
        ]
    );
    assert!(shown.starts_with("1970-01-01 00:00:01  g1 began"), "{shown}");
}

#[test]
fn a25_the_log_names_every_change_that_was_kept_and_counts_what_it_has_no_room_for() {
    let kept = |names: &[&str], more| ChangedFiles {
        paths: names.iter().map(|&name| name.to_owned()).collect(),
        more,
        unread: false,
    };
    let shown = |event| {
        let lent = Loan::Log { session: agent(1), records: vec![Record::new(1, at(1), event)] };
        at_80(&lent)
    };
    let below = " ".repeat(23);
    assert_eq!(
        shown(Event::ParentKept { places: kept(&["a", "b"], 0) }),
        "1970-01-01 00:00:01  you kept 2 changes so far: a, b\n"
    );
    assert_eq!(
        shown(Event::ParentSettled { kept: kept(&["refs/heads/main", "a", "b in the index", "b"], 2), unseen: false }),
        format!(
            "1970-01-01 00:00:01  you kept 6 changes; nothing is left to decide\n{below}refs/heads/main\n{below}a\n\
             {below}b in the index\n{below}b\n{below}and 2 more\n"
        )
    );
    // What would be cut off has a line of its own.
    let long = "a/".repeat(25);
    assert_eq!(
        shown(Event::ParentKept { places: kept(&[&long], 0) }),
        format!("1970-01-01 00:00:01  you kept 1 change so far\n{below}{long}\n")
    );
}

#[test]
fn a1_a_beginning_names_the_session_and_the_command_that_shows_what_came_of_it() {
    let (session, title, profile) = (agent(1), "Claude Code".to_owned(), Profile::LocalReview);
    let lent = Loan::Started { session, turn: turn(1), agent: "claude".to_owned(), title, profile };
    let shown = "✓ g1 began: Claude Code works on t1 (local-review)\n  git grill agent result g1 --wait 60\n";
    assert_eq!(at_80(&lent), shown);
    let lent = Loan::Sent { session: agent(1), turn: turn(3), before: 1, held: false };
    assert_eq!(at_80(&lent), "✓ t3 was added to g1, behind 1 turn\n  git grill agent result g1 t3 --wait 60\n");
    let cleaned = CleanedUp { paths: vec![PathBuf::from("agents/g1/tree")], kept: None };
    let lent = Loan::CleanedUp { session: agent(1), dry: true, cleaned };
    assert_eq!(at_80(&lent), "this would be removed from g1; its log stays:\n  agents/g1/tree\n");
    let kept = "the work of g1 is kept in refs/grill/x (1a1a1a); to make it a branch: git switch -c g1 refs/grill/x";
    let cleaned = CleanedUp { paths: Vec::new(), kept: Some(kept.to_owned()) };
    assert_eq!(
        at_80(&Loan::CleanedUp { session: agent(1), dry: false, cleaned }),
        "nothing is left of g1 but its log\nthe work of g1 is kept in refs/grill/x (1a1a1a); to make it a branch:\n\
         git switch -c g1 refs/grill/x\n"
    );
}

#[test]
fn a44_for_programs_every_answer_has_its_keys() {
    let session = || Box::new(seen(asking(1, "write"), Some(7)));
    let value = json(1, &Loan::Session { session: session(), receipt: receipt(5, WaitEnd::GoesOn) });
    assert_eq!(value["wait"]["outcome"], "timed_out");
    assert_eq!(value["session"]["session"], "g1");
    assert_eq!(value["session"]["state"], "turn_active");
    assert_eq!(value["session"]["doing"], "waits for you");
    assert_eq!(value["session"]["waits"][0]["words"], "write");
    assert_eq!(value["session"]["size"], 7);
    let value = json(1, &Loan::List(list(vec![*session()], Vec::new())));
    assert_eq!(value["waiting"][0]["command"], "git grill agent answer g1");
    assert_eq!(value["sessions"][0]["profile"], "local-review");
    let value = json(1, &Loan::Alone(Box::new(list(vec![*session()], Vec::new()))));
    assert_eq!(value["active"], false);
    assert_eq!(value["agents"]["sessions"][0]["agent"], "claude");
}

/// Its agent is still stopping, so what it changed is not known yet.
#[test]
fn a38_a_cancelled_turn_says_nothing_of_what_it_changed() {
    let lent = Loan::Cancelled { session: Box::new(seen(works(1), None)), turn: Some(turn(1)) };
    assert_eq!(at_80(&lent), "✓ t1 of g1 was cancelled\n  git grill agent status g1\n");
    assert_eq!(json(1, &lent)["cancelled"], "t1");
    let all = Loan::Cancelled { session: Box::new(seen(works(1).then(&Command::Cancel), None)), turn: None };
    assert_eq!(json(1, &all)["cancelled"], "g1", "all of it");
}

#[test]
fn a43_a_size_is_short() {
    let shown: Vec<String> = [0, 1_023, 1_024, 15_000, 1_300_000, 999_000_000, 5_000_000_000].map(bytes).into();
    assert_eq!(shown, ["0 B", "1023 B", "1.0 KiB", "14 KiB", "1.2 MiB", "952 MiB", "4.6 GiB"]);
}
