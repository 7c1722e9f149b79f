//! Every session of the repository at a glance: one small file of each tip, and of a session without an interview those of
//! its subsystems; no history. What cannot be read is listed
//! with the reason instead of hiding the others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read as _;
use std::path::PathBuf;

use jiff::Timestamp;
use serde::Deserialize;

use super::active::{self, PREFIX};
use super::codec::{self, STATE_LIMIT};
use super::files::{self, Broken};
use super::layout;
use super::patience::patiently;
use super::publish;
use super::tree::CommitFiles;
use crate::app::ports::{Listed, ListedState, StoreError};
use crate::domain::ids::SessionId;
use crate::domain::text::Topic;
use crate::files::regular;
use crate::git::Repo;

/// What a list needs of `session.yaml`.
#[derive(Deserialize)]
struct ListEntry {
    topic: Topic,
    phase: PhaseName,
    updated_at: Timestamp,
}

#[derive(Deserialize)]
struct PhaseName {
    phase: String,
}

/// These sessions, the one that changed last first; unreadable ones at the end.
pub fn list_entries(repo: &Repo, ids: &[SessionId]) -> Vec<Listed> {
    let mut active_in: BTreeMap<SessionId, PathBuf> = active::elsewhere(repo).into_iter().collect();
    active_in.extend(active::here(repo));
    let mut listed: Vec<Listed> = ids
        .iter()
        .map(|id| Listed {
            state: state(repo, id).map_err(|error| error.to_string()),
            active_in: active_in.remove(id),
            id: id.clone(),
        })
        .collect();
    let changed = |one: &Listed| one.state.as_ref().ok().map(|state| state.updated_at);
    listed.sort_by(|a, b| (changed(b), &b.id).cmp(&(changed(a), &a.id)));
    listed
}

/// So much of a reflog is read; its first entry says who began.
const LOG_LIMIT: u64 = 64 * 1024;

/// Whether git grill has recorded something in a session here, as its ref's log says, which no fetch brings: git keeps none
/// of such a ref of its own accord, and where it is told to, its entries say that it fetched. A log whose entries have
/// expired is one of ours. Where refs are kept as reftable the log is no file, and nothing is said against a session.
pub fn recorded_here(repo: &Repo, id: &SessionId) -> bool {
    let path = repo.common_dir().join("logs").join(id.ref_name());
    if repo.is_reftable() {
        return true;
    }
    // Anything but a plain file could keep us waiting.
    if !fs::symlink_metadata(&path).is_ok_and(|about| about.is_file()) {
        return false;
    }
    let mut log = Vec::new();
    let read = regular::open(&path).and_then(|file| file.take(LOG_LIMIT).read_to_end(&mut log));
    let is_ours = |line: &str| line.split_once('\t').is_some_and(|(_, message)| message.starts_with("grill: "));
    read.is_ok() && (log.is_empty() || String::from_utf8_lossy(&log).lines().any(is_ours))
}

/// Every session, the one that changed last first: for who asks for all of them.
pub fn list(repo: &Repo) -> Result<Vec<Listed>, StoreError> {
    let ids: Vec<SessionId> = ids(repo)?.into_iter().collect();
    Ok(list_entries(repo, &ids))
}

/// The ids that refs are named after, in order. The folder is read as well, because the library passes over a ref file that it
/// cannot make sense of; and first, because one that a `git pack-refs` moves meanwhile stands in its list afterwards.
pub fn ids(repo: &Repo) -> Result<BTreeSet<SessionId>, StoreError> {
    let mut found = BTreeSet::new();
    // Where refs are kept as reftable, a file is a stray that git does not see.
    let loose = (!repo.is_reftable()).then(|| std::fs::read_dir(repo.common_dir().join(PREFIX)));
    for entry in loose.into_iter().flatten().flatten().flatten() {
        let name = entry.file_name();
        found.extend(name.to_str().and_then(|id| SessionId::parse(id).ok()));
    }
    let fail = |why: String| StoreError::Git { doing: "listing sessions".to_owned(), why };
    let mut enter = |name: &str| found.extend(name.strip_prefix(PREFIX).and_then(|id| SessionId::parse(id).ok()));
    match repo {
        Repo::Library(repo) => {
            let listed = patiently(repo, || repo.references_glob(&format!("{PREFIX}*")));
            let mut references = listed.map_err(|error| fail(error.message().to_owned()))?;
            references.names().flatten().for_each(&mut enter);
        }
        Repo::Program(program) => {
            let listed = program.below(PREFIX).map_err(|error| fail(error.0))?;
            for (name, _) in &listed {
                enter(name);
            }
        }
    }
    Ok(found)
}

fn state(repo: &Repo, id: &SessionId) -> Result<ListedState, StoreError> {
    let tip = publish::tip(repo, &id.ref_name())
        .map_err(|error| Broken::at(id.ref_name(), error.0).of(id))?
        .ok_or_else(|| StoreError::NoSuchSession(id.to_string()))?;
    CommitFiles::of(repo, tip).and_then(|files| about(&files)).map_err(|broken| broken.of(id))
}

fn about(files: &CommitFiles<'_>) -> Result<ListedState, Broken> {
    files::check_format(files)?;
    let at = |why: String| Broken::at(layout::SESSION, why);
    let list_entry: ListEntry = codec::decode(&files::required(files, layout::SESSION)?, STATE_LIMIT).map_err(at)?;
    let name = list_entry.phase.phase.as_str();
    let phase = phase_named(name).ok_or_else(|| at(format!("'{}' is no phase", name.escape_debug())))?;
    let called = if phase == NO_INTERVIEW { files::read_own(files)?.called() } else { None };
    Ok(ListedState { topic: list_entry.topic, phase, called, updated_at: list_entry.updated_at })
}

/// The phase in which a session is what its subsystems say.
const NO_INTERVIEW: &str = "no-interview";

pub(super) fn phase_named(name: &str) -> Option<&'static str> {
    ["interview", "output-selection", "output", NO_INTERVIEW, "closed"].into_iter().find(|known| *known == name)
}
