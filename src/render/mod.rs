//! Rendering: from replies and errors to terminal text, JSON and porcelain. Nothing here decides, asks or prints.
//!
//! Foreign text (topics, questions, replies, paths, commit subjects) passes [`harmless`] before it is shown on a
//! terminal: it is stored as given and shown so that it cannot act.

mod agents;
mod committed;
mod diff;
mod doctor;
mod drafts;
mod error;
mod extensions;
mod fold;
mod json;
mod kept;
mod lent;
mod lists;
mod markdown;
mod outcome;
mod outside;
mod palette;
mod preflight;
mod produced;
mod question;
mod status;
mod status_line;
mod tool;
mod verified;

use crate::app::error::AppError;
use crate::app::reply::{Lines, Plain, Progress, Reply, Traits};
use crate::domain::session::Session;

pub use error::{agent_error_json, error_json, error_text, warning_text};
pub use json::{json_text, reply_json};
pub use palette::{Asked, Links, Look};
pub use status::porcelain;
pub use status_line::{short, status_line};

pub use crate::domain::harmless::harmless;

/// How wide a terminal is taken to be that does not tell.
pub const USUAL_COLUMNS: usize = 80;

pub fn reply_text(reply: &Reply, look: &Look) -> String {
    shown(reply, look, None)
}

/// A reply as text for a terminal of so many columns. Differences of files are shown as they are, sign by sign; those of
/// the checkpoint are prose.
pub fn reply_folded(reply: &Reply, look: &Look, columns: usize) -> String {
    let text = shown(reply, look, Some(columns));
    match reply.traits().lines {
        Lines::Folded => fold::fold(&text, columns),
        Lines::Markdown | Lines::Kept => text,
    }
}

/// Foreign Markdown in harmless lines: laid out on a terminal, else as it was written.
pub fn prose(markdown: &str, look: &Look, columns: usize) -> Vec<String> {
    let text =
        if look.terminal { markdown::document(markdown, look, columns) } else { harmless(markdown).into_owned() };
    text.trim_end().lines().map(str::to_owned).collect()
}

/// A reply as text, before a terminal of so many columns folds it; without columns, as it is piped.
fn shown(reply: &Reply, look: &Look, columns: Option<usize>) -> String {
    match reply {
        Reply::Arrived { arrival, outcome, protection } => outcome::arrived(*arrival, outcome, protection, look),
        Reply::Happened(outcome) => outcome::happened(outcome, look),
        Reply::Left { outcome, warnings } => outcome::left(outcome, warnings, look),
        Reply::Abandoned { why, warnings } => outcome::abandoned(why, warnings, look),
        Reply::Status(session, guards) => status::status(session, guards, look, columns),
        Reply::NoSession => "no session is active in this worktree\n".to_owned(),
        Reply::Questions(session) => lists::questions(session, look),
        Reply::Checkpoint(checkpoint) => {
            markdown::document(checkpoint.as_str(), look, columns.unwrap_or(USUAL_COLUMNS))
        }
        Reply::CheckpointDiff { from, old, to, new, in_passing: _ } => {
            diff::versions((from, old.as_str()), (to, new.as_str()), diff::Of::Prose, look)
        }
        Reply::Versions { session, versions } => lists::versions(session, versions, look),
        Reply::Sessions(sessions) => lists::sessions(sessions, look),
        Reply::Why { question, number, explained } => question::why(question, *number, *explained, look),
        Reply::Drafts { previews, session } => drafts::drafts(previews, session, look),
        Reply::Redrafted { outcome, changes } => drafts::redrafted(outcome, changes, look),
        Reply::Wrote { outcome, paths } => produced::wrote(outcome, paths, "", look),
        Reply::Committed { outcome, paths, commit } => {
            produced::wrote(outcome, paths, &committed::lines(commit, look), look)
        }
        Reply::Undone { outcome, paths, nothing, older } => {
            produced::undone(outcome, paths, *nothing, older.as_ref(), look)
        }
        Reply::Hooks(report, more) => doctor::hooks(report, more, look),
        Reply::Examined(examination) => doctor::examined(examination, look),
        Reply::Verified { session, verification } => verified::verified(session.as_str(), verification, look),
        Reply::Outside(changes) => outside::shown(changes, look),
        Reply::Drifted(verification) => verified::named(verification, look),
        Reply::Behind(verification) => verified::behind(verification, look),
        Reply::Difference(diff) => diff::unified(diff, look),
        Reply::Restored { session, restored, verification } => {
            verified::restored(session.as_str(), restored, verification, look)
        }
        // Whoever calls a tool reads JSON.
        Reply::Tool(_) | Reply::Tools(_) => json::json_text(&json::reply_json(reply)),
        Reply::SetUp(set_up) => agents::set_up(set_up, look),
        Reply::Agents(rows) => agents::list(rows, look),
        Reply::Preflight(report) => preflight::report(report, look),
        Reply::Loan(lent) => lent::text(lent, look, columns),
        Reply::Extensions(extending) => extensions::text(extending, look),
        Reply::Shown { lines, signs, session: _ } => {
            let signs = signs.iter().map(|glyph| glyph.entry());
            let legend = columns.map_or_else(String::new, |columns| lists::legend(signs, look, columns));
            format!("{}\n{legend}", harmless(&lines.join("\n")))
        }
        Reply::Plain(Plain { text, traits: Traits { lines: Lines::Markdown, .. }, .. }) if look.terminal => {
            markdown::document(text, look, columns.unwrap_or(USUAL_COLUMNS))
        }
        Reply::Text(text) | Reply::Plain(Plain { text, .. }) if text.is_empty() => String::new(),
        Reply::Text(text) | Reply::Plain(Plain { text, .. }) => format!("{}\n", text.trim_end()),
    }
}

/// An issue that was created just now, in one line.
pub fn progress_text(step: &Progress, look: &Look) -> String {
    let Progress { at, of, number, url, .. } = step;
    let verb = if step.found { "found" } else { "created" };
    let place = look.muted(format!("({at}/{of})"));
    format!("{place} {verb} #{number} {} {}\n", harmless(&step.title), look.name(url))
}

/// An error as text for a terminal of so many columns.
pub fn error_folded(error: &AppError, look: &Look, columns: usize) -> String {
    fold::fold(&error_text(error, look), columns)
}

fn phase_in_words(session: &Session) -> &'static str {
    use crate::domain::session::{Floor, Phase};
    match &session.phase {
        Phase::Interview(Floor::Free) => match session.transcript.progress().open {
            0 => "interview, no question open",
            1 => "interview, a question waits to be asked again",
            _ => "interview, questions wait to be asked again",
        },
        Phase::Interview(Floor::Question { .. }) => "interview, a question is open",
        Phase::Interview(Floor::Discussion { .. }) => "interview, in discussion",
        Phase::Selection(_) => "output selection",
        Phase::Production(_) => "output",
        Phase::NoInterview { .. } => session.own.called().unwrap_or("no interview"),
        Phase::Closed { .. } => "closed",
    }
}
