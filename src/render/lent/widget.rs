//! The widget of agents that work is lent to (A21), and the lines of what waits for the person (A42). Both are bounded.

use std::fmt::Write as _;

use crate::app::reply::{LoanList, LoanSession};
use crate::domain::agents::ask::AskKind;
use crate::domain::agents::state::SessionState;
use crate::domain::agents::waiting::WaitsFor;
use crate::domain::harmless::on_one_line;

use super::super::USUAL_COLUMNS;
use super::super::palette::Look;
use super::super::status_line::cut;
use super::{age, seconds, words};

/// The most sessions in the widget, and the most asks in the list of what waits.
const MOST: usize = 3;

/// The list of what waits for the person, oldest first: two lines each, with the command that answers it.
pub(in crate::render) fn waiting_lines(list: &LoanList, look: &Look, columns: Option<usize>) -> String {
    let columns = columns.unwrap_or(USUAL_COLUMNS);
    let mut text = String::new();
    for one in list.waiting.iter().take(MOST) {
        let asks = match one.what {
            WaitsFor::Parent => "waits",
            WaitsFor::Answer { kind: AskKind::Question, .. } => "asks",
            WaitsFor::Answer { kind: AskKind::Permission, .. } => "asks for permission",
        };
        let since = seconds(list.now.as_second().saturating_sub(one.since.as_second()));
        let (agent, words) = (on_one_line(one.agent.as_str()), on_one_line(one.words.as_str()));
        let line = format!("! {} {agent} {asks}, for {since}: {words}", one.session);
        let _ = writeln!(text, "{}", look.warning(cut(&line, columns)));
        let _ = writeln!(text, "  {}", one.command());
    }
    let more = list.waiting.len().saturating_sub(MOST);
    if more > 0 {
        let _ = writeln!(text, "+{more} more wait for you");
    }
    text
}

/// Why a session stands in the widget; what is most urgent comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Waits,
    Failed,
    Works,
    Idle,
}

/// A cancelled session, and one that was cleaned up, is history.
fn rank(session: &LoanSession) -> Option<Rank> {
    if session.half_done || session.session.is_undecided() {
        return Some(Rank::Waits);
    }
    match session.session.state {
        SessionState::Starting | SessionState::TurnActive | SessionState::Idle if !session.session.asks.is_empty() => {
            Some(Rank::Waits)
        }
        SessionState::Starting | SessionState::TurnActive => Some(Rank::Works),
        SessionState::Idle => Some(Rank::Idle),
        SessionState::Failed => Some(Rank::Failed),
        SessionState::Cancelled | SessionState::Cleaned => None,
    }
}

/// At most three sessions in five lines, and how many more there are.
pub(in crate::render) fn widget(list: &LoanList, columns: Option<usize>) -> String {
    let columns = columns.unwrap_or(USUAL_COLUMNS);
    let of_session = |session: &LoanSession| {
        let started = &session.session.started;
        let agent = on_one_line(started.agent.as_str());
        let line = format!("{} {agent} ({}): {}, {}", started.handle, started.profile, words(session), age(session));
        rank(session).map(|rank| (rank, line))
    };
    let mut entries: Vec<(Rank, String)> = list.sessions.iter().filter_map(of_session).collect();
    entries.extend(
        list.unreadable
            .iter()
            .map(|one| (Rank::Failed, format!("{} cannot be read: {}", one.session, on_one_line(&one.why)))),
    );
    entries.sort_by_key(|(rank, _)| *rank);
    let more = entries.len().saturating_sub(MOST);
    let mut lines: Vec<String> = entries.into_iter().take(MOST).map(|(_, line)| line).collect();
    if lines.is_empty() {
        return String::new();
    }
    if more > 0 {
        lines.push(format!("+{more} more; git grill agent status"));
    }
    let head = if lines.len() == 1 { "agent" } else { "agents" };
    let mut text = String::new();
    for line in std::iter::once(head.to_owned()).chain(lines.into_iter().map(|line| format!("  {line}"))) {
        let _ = writeln!(text, "{}", cut(&line, columns));
    }
    text
}
