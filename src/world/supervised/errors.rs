//! Why something did not happen, for whoever asked.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::wire::Told;
use crate::app::error::AppError;
use crate::app::ports::NO_ROOM;
use crate::app::supervising::NOT_KEPT;
use crate::domain::agents::{AgentHandle, AgentSession, Refusal, TurnHandle};
use crate::ledger::LedgerError;
use crate::lend::{LendError, LentFolder, Parent};
use crate::text::shell::{no_option, word_of_bytes, word_of_path};
use crate::world::failure::failed;

/// Codes of what a supervisor refuses, as they come back from it.
const CODES: [&str; 10] = [
    "session_terminal",
    "queue_full",
    "turns_used_up",
    "context_lost",
    "answer_void",
    "turn_active",
    "turn_not_found",
    "illegal_transition",
    "not_ready",
    "parent_undecided",
];

pub(super) fn queued(told: Told) -> Result<TurnHandle, AppError> {
    match told {
        Told::Queued { turn } => Ok(turn),
        Told::Done | Told::More | Told::Form { .. } | Told::Doing { .. } | Told::Refused { .. } => {
            done(told).and(Err(AppError::Environment {
                code: "supervisor",
                message: "the supervisor answered something else than what was asked".to_owned(),
                causes: Vec::new(),
                hint: None,
            }))
        }
    }
}

pub(super) fn done(told: Told) -> Result<(), AppError> {
    match told {
        Told::Refused { code, message, hint } => Err(AppError::Declined {
            code: CODES.iter().find(|known| **known == code).copied().unwrap_or("supervisor"),
            message,
            causes: Vec::new(),
            hint,
        }),
        Told::Done | Told::More | Told::Queued { .. } | Told::Form { .. } | Told::Doing { .. } => Ok(()),
    }
}

pub(super) fn gone(handle: AgentHandle) -> AppError {
    AppError::Environment {
        code: "supervisor",
        message: format!("no prompt was added to {handle}: its supervisor has just ended"),
        causes: Vec::new(),
        hint: Some(format!("git grill agent log {handle} says why")),
    }
}

/// A refusal of the rules.
pub(super) fn declined(refusal: &Refusal) -> AppError {
    refusal.clone().into()
}

/// A failure of a ledger.
pub(super) fn kept(error: LedgerError) -> AppError {
    if let LedgerError::Refused(refusal) = error {
        return declined(&refusal);
    }
    if let LedgerError::NotFound { handle } = error {
        return declined(&Refusal::SessionNotFound { deed: "nothing was done", handle });
    }
    let hint = "git grill agent status lists the sessions that can be read";
    failed("ledger", "the ledger of the session was not used", &error, Some(hint.to_owned()))
}

pub(super) fn not_lent(error: &LendError) -> AppError {
    refused(error, way_out(error).unwrap_or_else(|| "git status shows what is there".to_owned()))
}

fn refused(error: &LendError, hint: String) -> AppError {
    AppError::Declined { code: error.code(), message: error.to_string(), causes: Vec::new(), hint }
}

/// Why nothing is done with a copy that is gone: where its work is, if it was kept.
pub(super) fn no_copy(deed: &'static str, session: &AgentSession) -> AppError {
    let handle = session.started.handle;
    match &session.kept {
        Some(commit) => AppError::Declined {
            code: "not_ready",
            message: format!("{deed}: session {handle} has no copy any more; its work is kept"),
            causes: Vec::new(),
            hint: format!("git show --stat {} shows it", commit.short()),
        },
        None => declined(&Refusal::NotReady { deed, handle, lacks: "has no copy any more" }),
    }
}

/// Why nothing was tidied.
pub(super) fn not_tidied(handle: AgentHandle, error: &LendError) -> AppError {
    if !matches!(error, LendError::WouldLose { .. }) {
        return not_lent(error);
    }
    AppError::Declined {
        code: NOT_KEPT,
        message: error.to_string(),
        causes: Vec::new(),
        hint: format!(
            "copy it elsewhere first; git grill agent cleanup {handle}, at a terminal, asks whether it may go"
        ),
    }
}

/// Why work was not accepted, or not taken back.
pub(super) fn not_accepted(error: &LendError) -> AppError {
    const LOOK: &str = "git status shows the files; git grill agent status lists the sessions";
    refused(error, way_out(error).unwrap_or_else(|| LOOK.to_owned()))
}

/// Why an accept was not undone. What the user did to a new file is in no `git diff`, so it is compared with the agent's.
pub(super) fn not_undone(error: &LendError, parent: &Parent<'_>, copy: &LentFolder, cwd: &Path) -> AppError {
    let refusal = not_accepted(error);
    let (LendError::ChangedSince { paths }, AppError::Declined { code, message, causes, .. }) = (error, &refusal)
    else {
        return refusal;
    };
    let typed = |path: &Path| {
        let near = path.strip_prefix(cwd).unwrap_or(path);
        word_of_bytes(&no_option(near.as_os_str().as_encoded_bytes()))
    };
    let differs = paths.iter().find_map(|path| {
        let below = Path::new(OsStr::from_bytes(path));
        let (yours, agents) = (parent.top.join(below), copy.copy().join(below));
        let is_file = |path: &Path| path.symlink_metadata().is_ok_and(|about| about.is_file());
        if !is_file(&yours) {
            return None;
        }
        if is_file(&agents) {
            return Some(format!("git diff --no-index {} {}", typed(&agents), typed(&yours)));
        }
        let kept = word_of_bytes(&[copy.reference().as_bytes(), b":", path.as_slice()].concat());
        copy.copy().symlink_metadata().is_err().then(|| format!("git diff {kept} {}", typed(&yours)))
    });
    let Some(differs) = differs else { return refusal };
    AppError::Declined {
        code,
        message: message.clone(),
        causes: causes.clone(),
        hint: format!("{differs} shows what differs from the agent's; undo your own changes, then type it again"),
    }
}

/// What helps with this error, where something does that helps with no other.
fn way_out(error: &LendError) -> Option<String> {
    let hint = match error {
        LendError::ChangedMeanwhile { .. } => "type it again to see them as they are now".to_owned(),
        LendError::Filtered { .. } => {
            "name the other files to accept them; git check-attr filter -- <path> names the filter".to_owned()
        }
        LendError::ChangedSince { .. } => {
            "git diff shows the accepted changes and yours together; undo your own, then type it again".to_owned()
        }
        LendError::AcceptedSince { handle, .. } => {
            format!("undo that accept first: git grill agent accept {handle} --undo")
        }
        LendError::NotTakenBack { reference, .. } => {
            format!("git show {reference}:before/<path> prints what a file was before")
        }
        LendError::OtherWorktree { top: Some(top) } => {
            format!("type it there: cd {}", word_of_path(top))
        }
        LendError::OtherTop { top } => {
            format!("type it again with GIT_WORK_TREE={}", word_of_path(top))
        }
        LendError::OtherWorktree { top: None } => "git worktree list shows where; type it there".to_owned(),
        LendError::Gone { .. } => "the files stay as they are; git diff shows them beside the last commit".to_owned(),
        LendError::HalfDone { handle } | LendError::Stuck { handle, .. } => {
            format!("git grill agent accept {handle} --undo brings its files back")
        }
        LendError::Damaged { file, without } => removal(file, without),
        LendError::HalfCleaned { handle } => {
            format!("git grill agent cleanup {handle} finishes it; the work is kept")
        }
        LendError::Failed { why, .. } if NO_ROOM.iter().any(|no_room| why.contains(no_room)) => {
            "make room on the disk, then type it again".to_owned()
        }
        LendError::Failed { why, .. } if why.contains(".lock") => {
            "another git process may hold the lock; type it again when that has ended".to_owned()
        }
        LendError::Dirty { unfinished: None, .. } => {
            "commit what git status shows, or git stash -u; then type it again".to_owned()
        }
        // git stashes nothing that conflicts.
        LendError::Dirty { unfinished: Some(operation), .. } => {
            format!("{}; then type it again", operation.ways_out())
        }
        LendError::NoHead => "git commit --allow-empty -m begin makes a first commit; then type it again".to_owned(),
        LendError::Elsewhere(_)
        | LendError::Handle(_)
        | LendError::Wrong(_)
        | LendError::Unproven(_)
        | LendError::WouldLose { .. }
        | LendError::Failed { .. } => return None,
    };
    Some(hint)
}

/// The way out of a damaged note.
fn removal(file: &Path, without: &str) -> String {
    format!("rm {} goes on without it: {without}", word_of_path(file))
}

pub(super) fn not_written(what: &str, error: &std::io::Error) -> AppError {
    failed("io", what, error, None)
}
