//! The ledger of an agent session as a person reads it: the time, and in words what happened, one line each.

use std::fmt::Write as _;

use crate::domain::agents::AgentHandle;
use crate::domain::agents::acceptance::{Acceptance, AcceptedBy};
use crate::domain::agents::ask::{AskAnswer, AskKind};
use crate::domain::agents::changed::{ChangedFiles, MOST_PATHS};
use crate::domain::agents::event::{Event, Opening, Record};
use crate::domain::agents::failure::Failure;
use crate::domain::agents::media::Media;
use crate::domain::agents::state::Foreground;
use crate::domain::harmless::on_one_line;
use crate::domain::text::{Line, counted};

use super::super::palette::Look;
use super::super::status_line::cut;

/// `git grill agent log`
pub(super) fn lines(session: AgentHandle, records: &[Record], look: &Look, columns: Option<usize>) -> String {
    if records.is_empty() {
        return format!("the log of {session} is empty\n");
    }
    let mut text = String::new();
    for record in records {
        let at = record.at.strftime("%Y-%m-%d %H:%M:%S").to_string();
        let room = columns.map(|columns| columns.saturating_sub(at.len() + 2));
        let fit = |words: &str| room.map_or_else(|| words.to_owned(), |room| cut(words, room));
        let words = in_words(&record.event, Names::Here);
        let places =
            places(&record.event).filter(|all| all.paths.len() > NAMED || all.more > 0 || fit(&words) != words);
        let words = if places.is_some() { in_words(&record.event, Names::Below) } else { words };
        let margin = " ".repeat(at.len() + 2);
        let _ = writeln!(text, "{}  {}", look.muted(at), fit(&words));
        for path in places.into_iter().flat_map(|all| all.paths.iter().take(MOST_PATHS)) {
            let _ = writeln!(text, "{margin}  {}", on_one_line(path));
        }
        if let Some(more) = places.map(|all| all.more).filter(|more| *more > 0) {
            let _ = writeln!(text, "{margin}  and {more} more");
        }
    }
    text
}

/// Where the names stand that an event has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    Here,
    /// Each in a line of its own: there are many, or they do not fit.
    Below,
}

/// What an event is about, by name.
fn places(event: &Event) -> Option<&ChangedFiles> {
    if let Event::ParentRestored { places: all, .. }
    | Event::ParentKept { places: all }
    | Event::ParentSettled { kept: all, .. }
    | Event::WorkAccepted { acceptance: Acceptance { files: all, .. } }
    | Event::AcceptUndone { acceptance: Acceptance { files: all, .. } } = event
    {
        Some(all).filter(|all| !all.paths.is_empty())
    } else {
        None
    }
}

pub(super) fn in_words(event: &Event, names: Names) -> String {
    match event {
        Event::Started(started) => {
            let walls = if started.unwalled { ", without a sandbox" } else { "" };
            format!("{} began: {}, {}{walls}", started.handle, shown(&started.agent), started.profile)
        }
        Event::SupervisorBegan { process } => format!("the supervisor was replaced (process {})", process.id()),
        Event::SupervisorLeft => "the supervisor ended".to_owned(),
        Event::SupervisorLost => "the supervisor was found gone".to_owned(),
        Event::AgentLaunched { process } => format!("the agent was started (process {})", process.id()),
        Event::AgentEnded => "the agent ended, with everything that it had started".to_owned(),
        Event::BackendOpened { opening: Opening::New, .. } => "the agent opened a session of its own".to_owned(),
        Event::BackendOpened { opening: Opening::Loaded, .. } => "the agent loaded its session of before".to_owned(),
        Event::WorktreeProved { proof } => format!("its copy was proved, at {}", proof.head.short()),
        Event::TurnQueued { turn, media } if media.is_empty() => format!("{turn} was queued"),
        Event::TurnQueued { turn, media } => format!("{turn} was queued, with {}", counted(media.len(), "picture")),
        Event::TurnSent { turn } => format!("{turn} was sent to the agent"),
        Event::TurnStreaming { turn } => format!("the agent works on {turn}"),
        Event::TurnCompleted { turn, stop } => format!("{turn} is completed ({})", shown(stop)),
        Event::TurnFailed { turn, failure } => format!("{turn} failed: {}", why(failure)),
        Event::TurnCancelled { turn } => format!("{turn} was cancelled"),
        Event::TurnDropped { turn } => format!("{turn} was dropped: the agent never had its prompt"),
        Event::ForegroundChanged { now: Foreground::Running } => "the agent works".to_owned(),
        Event::ForegroundChanged { now: Foreground::Idle } => "the agent rests".to_owned(),
        Event::ForegroundChanged { now: Foreground::Waits } => "the agent waits for an answer".to_owned(),
        Event::Asked { ask } => {
            let asks = match ask.kind {
                AskKind::Question => "asks",
                AskKind::Permission => "asks for permission",
            };
            format!("the agent {asks} ({}): {}", ask.number, shown(&ask.words))
        }
        Event::Answered { number, answer } => match answer {
            AskAnswer::Person { words } => format!("question {number} was answered by you: {}", shown(words)),
            AskAnswer::Policy { why } => format!("question {number} was answered by the rules: {}", shown(why)),
            AskAnswer::Nobody => format!("question {number} was refused: nobody answered it in time"),
            AskAnswer::Cancelled => format!("question {number} was cancelled"),
        },
        Event::UsageReported { report } => {
            let parts: Vec<String> = [("context", &report.context), ("turn", &report.turn)]
                .into_iter()
                .filter_map(|(key, line)| line.as_ref().map(|line| format!("{key} {}", shown(line))))
                .collect();
            format!("usage: {}", parts.join(", "))
        }
        Event::MediaMade { turn, media } => {
            let names: Vec<String> = media.iter().map(Media::file_name).collect();
            format!("media of {turn} were kept: {}", names.join(", "))
        }
        Event::FilesChanged { files } if files.unread => "what it changed in its copy is not known yet".to_owned(),
        Event::FilesChanged { files } => match files.count() {
            0 => "nothing in its copy is left to accept".to_owned(),
            1 => "1 file in its copy can be accepted".to_owned(),
            count => format!("{count} files in its copy can be accepted"),
        },
        Event::SetupEnded { how } => format!("grill.agent.setup {}; its output is in setup.log", shown(how)),
        Event::ParentWatched => "the repository is compared while the agent runs".to_owned(),
        Event::ParentUndecided { found } => format!("your decision is needed: {}", shown(found)),
        Event::ParentRestored { places, left, copy } => restored(places, *left, copy.as_ref(), names),
        Event::ParentKept { places } => format!("you kept {} so far{}", changes(places), named(places, names)),
        Event::ParentSettled { unseen: true, .. } => {
            "nothing could be compared, and you took the repository as it was".to_owned()
        }
        Event::ParentSettled { kept, .. } if !kept.is_empty() => {
            format!("you kept {}{}; nothing is left to decide", changes(kept), named(kept, names))
        }
        Event::ParentSettled { .. } => "no change in the repository is left to decide".to_owned(),
        Event::WorkKept { commit } => format!("its work was kept: git log {}", commit.short()),
        Event::WorkAccepted { acceptance } => {
            let which = named(&acceptance.files, names);
            format!("{} accepted {}{which}", files_were(&acceptance.files), by(&acceptance.by))
        }
        Event::AcceptUndone { acceptance } => {
            let which = named(&acceptance.files, names);
            format!("an accept of {} was undone {}{which}", files(&acceptance.files), by(&acceptance.by))
        }
        Event::SessionFailed { failure } => format!("the session failed: {}", why(failure)),
        Event::SessionCancelled => "the session was cancelled".to_owned(),
        Event::SessionCleaned => "the session's files were removed".to_owned(),
    }
}

fn restored(places: &ChangedFiles, left: u32, copy: Option<&Line>, names: Names) -> String {
    let left = if left == 0 { String::new() } else { format!("; {left} could not be undone") };
    let copy = copy.map_or_else(String::new, |copy| format!("; what was there is kept: {}", shown(copy)));
    let undone = if places.is_empty() { "no changes".to_owned() } else { changes(places) };
    format!("you had {undone} undone{}{left}{copy}", named(places, names))
}

/// How many places of the repository it is about.
fn changes(places: &ChangedFiles) -> String {
    counted(places.count(), "change")
}

fn files(files: &ChangedFiles) -> String {
    counted(files.count(), "file")
}

/// So many files are named in a line.
const NAMED: usize = 3;

fn named(all: &ChangedFiles, names: Names) -> String {
    let names: Vec<String> = match names {
        Names::Here => all.paths.iter().take(NAMED).map(|path| on_one_line(path)).collect(),
        Names::Below => Vec::new(),
    };
    if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) }
}

fn files_were(all: &ChangedFiles) -> String {
    format!("{} {}", files(all), if all.count() == 1 { "was" } else { "were" })
}

fn by(by: &AcceptedBy) -> String {
    match by {
        AcceptedBy::Person => "by you".to_owned(),
        AcceptedBy::Unrecorded => "by a command that was interrupted".to_owned(),
        AcceptedBy::Host { name } => format!("by {}, as grill.agent.accept allows", shown(name)),
    }
}

fn shown(line: &Line) -> String {
    on_one_line(line.as_str())
}

fn why(failure: &Failure) -> String {
    format!("{} ({})", shown(&failure.why), failure.code.name())
}
