//! Reasons for which a session waits for the user, and work of it that they can take: each with its command (A42).

use std::fmt::Write as _;

use crate::app::reply::LoanSession;
use crate::domain::agents::AgentHandle;
use crate::domain::agents::ask::AskKind;
use crate::domain::harmless::on_one_line;
use crate::domain::text::{Line, counted};

use super::super::palette::Look;
use super::accepting::half_done;

/// Every reason for which a session waits for the user, with the command that answers it.
pub(super) fn needs_you(seen: &LoanSession, look: &Look) -> String {
    let session = &seen.session;
    let handle = session.started.handle;
    let mut text = half_done(seen, look);
    text.push_str(&session.undecided().map(|found| to_decide(handle, found, look)).unwrap_or_default());
    for open in &session.asks {
        let asks = match open.ask.kind {
            AskKind::Question => "asks",
            AskKind::Permission => "asks for permission",
        };
        let words = on_one_line(open.ask.words.as_str());
        let _ = writeln!(text, "{}", look.warning(format!("! it {asks}: {words}")));
        let _ = writeln!(text, "  git grill agent answer {handle}");
    }
    text
}

/// How much of its work can be accepted now, and the command; nothing where an accept would be refused.
pub(super) fn can_be_accepted(seen: &LoanSession) -> String {
    let session = &seen.session;
    let count = session.changed.count();
    if count == 0 || session.is_undecided() || session.active_turn().is_some() {
        return String::new();
    }
    format!("{} can be accepted\n  git grill agent accept {}\n", counted(count, "file"), session.started.handle)
}

/// What the user has to decide on in the repository, and the command that asks.
pub(super) fn to_decide(session: AgentHandle, found: &Line, look: &Look) -> String {
    let found = look.warning(format!("! {}", on_one_line(found.as_str())));
    format!("{found}\n  git grill agent answer {session}\n")
}
