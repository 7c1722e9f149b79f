//! Agents that work is lent to: the list of them, one of them, and what came of a request (A44). Their words are foreign:
//! they are harmless, and each line of a result has a mark.

mod accepting;
mod changed;
mod json;
mod log;
mod needed;
mod widget;

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::app::reply::{CleanedUp, Loan, LoanList, LoanSession, TurnResult};
use crate::domain::agents::failure::Failure;
use crate::domain::agents::receipt::{WaitOutcome, WaitReceipt, WaitSeconds};
use crate::domain::agents::state::TurnState;
use crate::domain::agents::turn::AgentTurn;
use crate::domain::agents::{AgentHandle, TurnHandle};
use crate::domain::harmless::on_one_line;
use crate::domain::text::counted;
use crate::text::columns::width;
use crate::text::wrap::{Row, Span, wrap};

use super::diff::unified;
use super::palette::Look;
use super::{fold, harmless};
use needed::{can_be_accepted, needs_you, to_decide};

pub(super) use json::{json, list as list_json};
pub(super) use widget::{waiting_lines, widget};

/// The most turns that are listed of one session.
const MOST_TURNS: usize = 10;
const NOTHING: &str = "there is no agent session yet; git grill agent start \"<prompt>\" begins one\n";

/// A reply for a terminal of so many columns; without columns, as it is piped.
pub(super) fn text(lent: &Loan, look: &Look, columns: Option<usize>) -> String {
    match lent {
        Loan::Started { session, turn, agent: _, title, profile } => {
            let title = on_one_line(title);
            let head = format!("{} {session} began: {title} works on {turn} ({profile})\n", look.good("✓"));
            let next = format!("  git grill agent result {session} --wait 60\n");
            folded(&head, columns) + &next
        }
        Loan::Sent { session, turn, before: _, held: true } => {
            let head = format!(
                "{} {turn} was added to {session}; it is sent once you have decided on the changes in the repository\n",
                look.good("✓")
            );
            folded(&head, columns) + &format!("  git grill agent answer {session}\n")
        }
        Loan::Sent { session, turn, before: 0, held: false } => {
            let head = format!("{} {turn} was added to {session}\n", look.good("✓"));
            folded(&head, columns) + &format!("  git grill agent result {session} {turn} --wait 60\n")
        }
        Loan::Sent { session, turn, before, held: false } => {
            let turns = counted(*before, "turn");
            let head = format!("{} {turn} was added to {session}, behind {turns}\n", look.good("✓"));
            folded(&head, columns) + &format!("  git grill agent result {session} {turn} --wait 60\n")
        }
        Loan::List(list) => listed(list, look, columns),
        Loan::Alone(list) => {
            let waiting = waiting_lines(list, look, columns);
            waiting + "no session is active in this worktree\n" + &widget(list, columns)
        }
        Loan::Session { session, receipt } | Loan::Waits { session, receipt } => {
            folded(&one(session, receipt, look), columns)
        }
        Loan::Result { session, receipt, result } => {
            let state = format!("{}; {}\n", state_line(session, look), completed(session, result.turn));
            let head = state + &waited(receipt) + &failed_since(session, result.turn, look) + &needs_you(session, look);
            folded(&head, columns) + &said(result, look, columns) + &made(&result.made) + &can_be_accepted(session)
        }
        Loan::Cancelled { session, turn: Some(turn) } => {
            // What it changed is known once its agent has stopped.
            let handle = session.session.started.handle;
            let head = format!("{} {turn} of {handle} was cancelled\n", look.good("✓"));
            folded(&head, columns) + &format!("  git grill agent status {handle}\n")
        }
        Loan::Cancelled { session, turn: None } => {
            let handle = session.session.started.handle;
            let head = format!("{} {handle} was cancelled, with its turns\n", look.good("✓"));
            folded(&(head + &needs_you(session, look)), columns)
        }
        Loan::CleanedUp { session, dry, cleaned } => cleaned_up(*session, *dry, cleaned, look, columns),
        Loan::Changes { session, changes, undecided, unfinished } => {
            let head = undecided.as_ref().map(|found| to_decide(*session, found, look)).unwrap_or_default();
            let told = unfinished.as_ref().map(|told| look.warning(format!("! {told}")) + "\n").unwrap_or_default();
            // Nothing can be taken before that is decided.
            let ways = undecided.as_ref().map_or_else(|| changed::ways(*session, changes), |_| String::new());
            folded(&(head + &told + &changed::in_words(*session, changes) + &ways), columns)
        }
        Loan::Offered { session, offer, overlaps } => {
            folded(&accepting::offered(*session, offer, overlaps, look), columns)
        }
        Loan::Difference { session: _, diff } => unified(diff, look),
        Loan::Conflict { session: _, path, text } => accepting::conflict(path, text, look),
        Loan::Accepted { session, paths, kept: _, rest, commit } => {
            folded(&accepting::accepted(*session, paths, *rest, commit.as_ref(), look), columns)
        }
        Loan::TakenBack { session, paths, older, committed, cut_off, work, staged } => {
            let told = accepting::taken_back(*session, paths, *cut_off, look)
                + &accepting::remaining(*older, committed)
                + &accepting::still_staged(staged);
            let work = work.as_deref().map(|work| accepting::kept_work(*session, work)).unwrap_or_default();
            folded(&(told + &work), columns)
        }
        Loan::Log { session, records } => log::lines(*session, records, look, columns),
    }
}

fn folded(text: &str, columns: Option<usize>) -> String {
    columns.map_or_else(|| text.to_owned(), |columns| fold::fold(text, columns))
}

/// `git grill agent status`: what waits for the person first (A42), then every session.
fn listed(list: &LoanList, look: &Look, columns: Option<usize>) -> String {
    if list.is_empty() {
        return NOTHING.to_owned();
    }
    let mut text = waiting_lines(list, look, columns);
    text.push_str(&list.sessions.iter().map(|session| accepting::half_done(session, look)).collect::<String>());
    text.push_str(&folded(&accepting::overlapping(&list.overlaps, look), columns));
    if !text.is_empty() {
        text.push('\n');
    }
    if !list.sessions.is_empty() {
        let head = start("session", "agent", "profile", ("turns", "since", "size"));
        let _ = writeln!(text, "{}", look.muted(format!("{head} state")));
    }
    for session in &list.sessions {
        let started = &session.session.started;
        let (turns, age) = (session.session.turns.len().to_string(), age(session));
        let size = session.size.map_or_else(|| "-".to_owned(), bytes);
        let agent = on_one_line(started.agent.as_str());
        let name = started.profile.terms().name;
        let begin = start(&started.handle.to_string(), &agent, name, (&turns, &age, &size));
        text.push_str(&hung(&begin, &words(session), columns));
    }
    for one in &list.unreadable {
        let line = format!("! {} cannot be read: {}\n", one.session, on_one_line(&one.why));
        text.push_str(&folded(&look.warning(line.trim_end()), columns));
        text.push('\n');
        if let Some(hint) = &one.hint {
            text.push_str(&folded(&format!("  {}\n", on_one_line(hint)), columns));
        }
    }
    text
}

/// A row before its last column.
fn start(session: &str, agent: &str, profile: &str, (turns, since, size): (&str, &str, &str)) -> String {
    format!("{session:<7} {agent:<8} {profile:<15} {turns:>5} {since:<6} {size:<7}")
}

/// The fewest columns in which text hangs.
const NARROWEST: usize = 10;

/// A row in so many columns: what does not fit stands below its last column.
fn hung(start: &str, last: &str, columns: Option<usize>) -> String {
    let indent = width(start) + 1;
    let Some(room) = columns.and_then(|columns| columns.checked_sub(indent)).filter(|room| *room >= NARROWEST) else {
        return folded(&format!("{start} {last}\n"), columns);
    };
    let mut text = String::new();
    for (place, row) in wrapped(last, room).iter().enumerate() {
        let before = if place == 0 { format!("{start} ") } else { " ".repeat(indent) };
        let _ = writeln!(text, "{before}{row}");
    }
    text
}

fn wrapped(text: &str, columns: usize) -> Vec<String> {
    wrap(&[Span { text: text.to_owned(), style: () }], columns).iter().map(Row::text).collect()
}

/// Its state, and by the facts what it is doing (A38).
pub(super) fn words(session: &LoanSession) -> String {
    on_one_line(&session.doing)
}

/// The line of state that every answer about a session begins with (A44).
fn state_line(session: &LoanSession, look: &Look) -> String {
    let started = &session.session.started;
    format!(
        "{} {} ({}): {}, {}",
        look.name(started.handle),
        on_one_line(started.agent.as_str()),
        started.profile,
        words(session),
        age(session)
    )
}

fn age(session: &LoanSession) -> String {
    seconds(session.now.as_second().saturating_sub(session.since.as_second()))
}

fn seconds(seconds: i64) -> String {
    match seconds.max(0) {
        few @ 0..60 => format!("{few} s"),
        some @ 60..3_600 => format!("{} min", some / 60),
        many @ 3_600..86_400 => format!("{} h", many / 3_600),
        days => format!("{} d", days / 86_400),
    }
}

/// A number of bytes in a few columns.
fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1_024 {
        return format!("{bytes} B");
    }
    let (mut tenths, mut unit) = (u128::from(bytes) * 10 / 1_024, 0);
    while tenths >= 10_240 && unit + 1 < UNITS.len() {
        tenths /= 1_024;
        unit += 1;
    }
    let name = UNITS[unit];
    if tenths < 100 { format!("{}.{} {name}", tenths / 10, tenths % 10) } else { format!("{} {name}", tenths / 10) }
}

/// `git grill agent status <g>`
fn one(seen: &LoanSession, receipt: &WaitReceipt, look: &Look) -> String {
    let session = &seen.session;
    let mut text = format!("{}\n{}", state_line(seen, look), waited(receipt));
    text.push_str(&needs_you(seen, look));
    if let Some(live) = seen.live.as_ref().filter(|live| !live.line.trim().is_empty()) {
        let _ = writeln!(text, "{} {}", label("now", look), on_one_line(&live.line));
    }
    let earlier = session.turns.len().saturating_sub(MOST_TURNS);
    if earlier > 0 {
        let _ = writeln!(text, "{} {earlier} before these", label("turns", look));
    }
    for turn in session.turns.iter().skip(earlier) {
        let _ = writeln!(text, "{} {}", label(turn.handle, look), turn_in_words(seen, turn));
    }
    let usage = [("context", &session.usage.context), ("last turn", &session.usage.turn)];
    for (key, reported) in usage {
        if let Some(reported) = reported {
            let _ = writeln!(text, "{} {}", label(key, look), on_one_line(reported.as_str()));
        }
    }
    if let Some(size) = seen.size {
        let _ = writeln!(text, "{} {}", label("copy", look), bytes(size));
    }
    // The row of a turn that failed with it has it already.
    let is_told = |failure: &&Failure| session.turns.iter().any(|turn| turn.failure.as_ref() == Some(*failure));
    if let Some(failure) = session.failure.as_ref().filter(|failure| !is_told(failure)) {
        let _ = writeln!(text, "{} {}", label("failure", look), failure.reason());
    }
    if let Some(why) = &seen.newer {
        let _ = writeln!(text, "{} {}", label("read-only", look), on_one_line(why));
    }
    text
}

/// That a turn failed after the one whose result is shown, and why.
fn failed_since(seen: &LoanSession, shown: TurnHandle, look: &Look) -> String {
    let newest = seen.session.newest_turn().filter(|turn| turn.handle > shown);
    let failed = newest.and_then(|turn| Some((turn.handle, turn.failure.as_ref()?)));
    let told = |(turn, failure): (TurnHandle, &Failure)| format!("! {turn} failed: {}", failure.reason());
    failed.map(|failed| look.warning(told(failed)) + "\n").unwrap_or_default()
}

fn label(key: impl std::fmt::Display, look: &Look) -> String {
    let key = key.to_string();
    look.muted(format!("{key:<10}"))
}

fn turn_in_words(session: &LoanSession, turn: &AgentTurn) -> String {
    let age = seconds(session.now.as_second().saturating_sub(turn.since.as_second()));
    match turn.state {
        TurnState::Sent | TurnState::Streaming if !session.session.asks.is_empty() => {
            format!("{} for {age}, waits for you", turn.state.name())
        }
        TurnState::Queued | TurnState::Sent | TurnState::Streaming => format!("{} for {age}", turn.state.name()),
        TurnState::Completed => format!("{} {age} ago{}", turn.state.name(), because(turn)),
        TurnState::Cancelled | TurnState::Dropped => format!("{} {age} ago", turn.state.name()),
        TurnState::Failed => {
            let told = |failure: &Failure| format!(": {} ({})", failure.reason(), failure.code.name());
            format!("{} {age} ago{}", turn.state.name(), turn.failure.as_ref().map(told).unwrap_or_default())
        }
    }
}

/// That a turn is completed or was cut off, and why.
fn completed(session: &LoanSession, turn: TurnHandle) -> String {
    let found = session.session.turn(turn);
    let how = if found.is_some_and(AgentTurn::is_cut_short) { "was cut off" } else { "is completed" };
    format!("{turn} {how}{}", found.map(because).unwrap_or_default())
}

/// Why a completed turn was cut off, behind what is told of it.
fn because(turn: &AgentTurn) -> String {
    turn.cut_off().map(|why| format!(": {}", on_one_line(why.as_str()))).unwrap_or_default()
}

/// How a wait ended; nothing where none was asked for.
fn waited(receipt: &WaitReceipt) -> String {
    let took = format!("{}.{} s", receipt.elapsed_ms / 1_000, receipt.elapsed_ms % 1_000 / 100);
    match receipt.outcome {
        WaitOutcome::NotRequested => String::new(),
        WaitOutcome::AlreadyOver | WaitOutcome::NeedsPerson if receipt.requested == WaitSeconds::default() => {
            String::new()
        }
        WaitOutcome::AlreadyOver => "nothing to wait for: it was over before\n".to_owned(),
        WaitOutcome::NeedsPerson => format!("waited {took}: you are needed\n"),
        WaitOutcome::Reached => format!("waited {took}\n"),
        WaitOutcome::TimedOut => format!("waited {took}, and it goes on\n"),
    }
}

/// The preview of a result, each line with a mark, the note of what is missing, and the path (A9).
fn said(result: &TurnResult, look: &Look, columns: Option<usize>) -> String {
    let path = on_one_line(&result.path.to_string_lossy());
    let mut text = String::new();
    for line in harmless(result.preview.text.trim_end()).lines() {
        let rows = match columns {
            Some(columns) if !line.is_empty() => wrapped(line, columns.saturating_sub(2).max(1)),
            Some(_) | None => vec![line.to_owned()],
        };
        for row in rows {
            let _ = writeln!(text, "{}", format!("> {row}").trim_end());
        }
    }
    match result.preview.note(&path) {
        Some(note) => text + &folded(&format!("{note}\n"), columns),
        None => format!("{text}{}\n", look.muted(path)),
    }
}

fn cleaned_up(session: AgentHandle, dry: bool, cleaned: &CleanedUp, look: &Look, columns: Option<usize>) -> String {
    let CleanedUp { paths, kept } = cleaned;
    let mut text = match (paths.is_empty(), dry) {
        (true, _) => format!("nothing is left of {session} but its log\n"),
        (false, true) => format!("this would be removed from {session}; its log stays:\n"),
        (false, false) => {
            format!("{} {session} was cleaned up; its log stays: git grill agent log {session}\n", look.good("✓"))
        }
    };
    // Before the list, which may be long.
    for line in kept.iter().flat_map(|how| how.lines()) {
        let _ = writeln!(text, "{}", on_one_line(line));
    }
    text = folded(&text, columns);
    if !paths.is_empty() && kept.is_some() {
        text.push_str(if dry { "it would remove:\n" } else { "removed:\n" });
    }
    for (path, within) in bundled(paths) {
        let within = match within {
            0 => String::new(),
            1 => ", with 1 path in it".to_owned(),
            many => format!(", with {many} paths in it"),
        };
        let _ = writeln!(text, "  {}{within}", on_one_line(&path.to_string_lossy()));
    }
    text
}

/// Each path that lies in none of the others, and how many of the others lie in it.
fn bundled(paths: &[PathBuf]) -> Vec<(&PathBuf, usize)> {
    let mut sorted: Vec<&PathBuf> = paths.iter().collect();
    sorted.sort();
    let mut tops: Vec<(&PathBuf, usize)> = Vec::new();
    for path in sorted {
        match tops.last_mut() {
            Some((top, within)) if path.starts_with(&**top) => *within += 1,
            Some(_) | None => tops.push((path, 0)),
        }
    }
    tops
}

/// Where media are that the agent made.
fn made(paths: &[PathBuf]) -> String {
    let mut text = String::new();
    for path in paths {
        let _ = writeln!(text, "picture or video of the agent: {}", on_one_line(&path.to_string_lossy()));
    }
    text
}

#[cfg(test)]
mod tests;
