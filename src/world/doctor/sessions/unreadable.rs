//! Sessions that cannot be read: what can be brought back, and what was.

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::app::ports::{Code, Finding, Severity, StoreError};
use crate::domain::ids::SessionId;
use crate::git::{Oid, Program, Repo};
use crate::store::mending::recovery::{Lost, Recovery, recovery};
use crate::store::mending::repair::Recovered;
use crate::store::mending::tip::{self, NOTHING, TipState};

/// So many lost commits are named; the note names them all.
const NAMED: usize = 5;

/// What is wrong, before anybody knows what can be done.
fn wrong(id: &SessionId, stands: &TipState, why: &str) -> Finding {
    let (code, what) = match stands {
        TipState::Damaged { why } => (Code::SessionUnreadable, format!("session {id} cannot be read: {why}")),
        TipState::Sound { .. } | TipState::Newer { .. } | TipState::Gone => {
            (Code::SessionGone, format!("there is no ref of session {id}"))
        }
    };
    Finding::new(code, Severity::Error, what, why).of(id)
}

/// A session that cannot be read, with what it can be brought back to.
pub(super) fn finding(
    repo: &Repo,
    program: &Program,
    id: &SessionId,
    stands: &TipState,
) -> Result<Finding, StoreError> {
    let of_git = |why: String| StoreError::Git { doing: format!("looking for what is left of session {id}"), why };
    let named = tip::named(program, &id.ref_name()).map_err(|error| of_git(error.0))?;
    let known = recovery(repo, id, named.object()).map_err(|error| of_git(error.0))?;
    let why = match known {
        Some(recovery) => format!("it can be brought back at least to {}", told(&recovery)),
        None => {
            "neither its reflog nor its history names anything that can be read; --fix searches all objects of the \
                 repository for it"
                .to_owned()
        }
    };
    Ok(wrong(id, stands, &why).fixable())
}

pub(super) fn lost(id: &SessionId, stands: &TipState) -> Finding {
    let why = "nothing of it that can be read is left in this repository; another clone of it, or a backup, may have its \
               objects. Nothing was changed, and stop leaves it as it is";
    let name = id.ref_name();
    let from_a_copy =
        format!("git fetch --refetch PATH-OF-A-COPY '+{name}:refs/grill/remotes/copy/{id}' && git grill doctor --fix");
    wrong(id, stands, why).typed([from_a_copy, "git grill stop --without-output".to_owned()])
}

fn told(recovery: &Recovery) -> String {
    let Recovery { to, subject, found, lost } = recovery;
    let short = to.to_hex_with_len(10);
    let mut text = format!("{short} '{subject}', which {} names", found.words());
    if lost.is_empty() {
        return text;
    }
    let shown = |one: &Lost| match &one.subject {
        Some(subject) => format!("'{subject}'"),
        None => format!("{}, of which nobody knows what it was", one.commit.to_hex_with_len(10)),
    };
    let names: Vec<String> = lost.iter().rev().take(NAMED).rev().map(shown).collect();
    let before = lost.len() - names.len();
    let more = if before > 0 { format!("{before} earlier commits, ") } else { String::new() };
    let _ = write!(text, "; not in it: {more}{}", names.join(", "));
    text
}

/// That nothing is lost.
pub(super) fn written_anew(id: &SessionId, tip: Oid) -> String {
    let short = tip.to_hex_with_len(10);
    format!("what was missing of session {id} at {short} was written anew from its events; nothing is lost")
}

pub(super) fn brought_back(id: &SessionId, recovered: &Recovered) -> String {
    let Recovered { recovery, from, kept, note, aside } = recovered;
    let mut text = format!("session {id} was brought back to {}", told(recovery));
    match kept {
        Some(kept) => drop(write!(text, "; what it named before, {from}, is kept as {kept}")),
        None if from == NOTHING => {}
        None => drop(write!(text, "; it named {from} before, of which nothing could be kept")),
    }
    let _ = write!(text, "; {} says all of it", note.display());
    if let Some(first) = aside.first() {
        let folder = first.parent().map(PathBuf::from).unwrap_or_default();
        let _ = write!(text, "; broken files of {} objects were moved to {}", aside.len(), folder.display());
    }
    text
}
