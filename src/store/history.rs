//! The history of a session, commit by commit: each one's events lead from the state before it to the state that its
//! tree holds, its numbers go on, and what its message says of it is so.
//!
//! A commit is compared by what its events would have written; only where that is not what stands there is its whole
//! state read and compared. Nothing but the newest state and the list of commits is kept in memory.

use std::collections::BTreeSet;

use super::changes::{self, Change};
use super::files::{self, Broken};
use super::mending::tip::readable;
use super::tree::CommitFiles;
use super::{events, layout};
use crate::app::ports::Batch;
use crate::domain::event::Recorded;
use crate::domain::ids::SessionId;
use crate::domain::production::ParkedDraft;
use crate::domain::session::Session;
use crate::git::object::name_of;
use crate::git::{Commit, Kind, Oid, Repo};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FlawKind {
    /// A commit, a tree or a file cannot be read.
    Unreadable,
    /// The events do not lead to the state.
    Replay,
    /// The numbers of the events do not go on.
    Numbers,
    /// It has other parents than the one before it.
    Parents,
    /// The message says something else than the tree.
    Trailers,
    Newer,
}

/// Something that is wrong with one commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    pub kind: FlawKind,
    pub commit: Oid,
    pub what: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    pub commits: usize,
    /// What is wrong, the oldest first.
    pub flaws: Vec<Flaw>,
}

/// Walks a session's whole history from its beginning. `seen` is told how many commits of how many are done.
pub fn walk(repo: &Repo, id: &SessionId, tip: Oid, seen: &mut dyn FnMut(usize, usize)) -> Walked {
    let mut walked = Walked::default();
    let mut line = Vec::new();
    let mut at = Some(tip);
    while let Some(commit) = at {
        match read(repo, commit) {
            Ok((found, _)) => {
                line.push(commit);
                at = found.parents.first().copied();
            }
            Err(broken) => {
                walked.flaws.push(unread(commit, broken));
                at = None;
            }
        }
    }
    let whole = walked.flaws.is_empty();
    let (of, mut before) = (line.len(), if whole { Before::Nothing } else { Before::Unknown });
    while let Some(commit) = line.pop() {
        before = step(repo, id, commit, before, &mut walked.flaws);
        walked.commits += 1;
        seen(walked.commits, of);
    }
    walked
}

/// Looks at the newest commit, with what stands before it, and whether the one before it can be read: two commits,
/// however many there are.
pub fn newest(repo: &Repo, id: &SessionId, tip: Oid) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    let before = match repo.commit(tip).ok().flatten().map(|commit| commit.parents) {
        Some(parents) => match parents.first() {
            None => Before::Nothing,
            Some(parent) => {
                let state = step(repo, id, *parent, Before::Unknown, &mut flaws);
                // What else is wrong with it depends on the one before, which the walk through all of them asks.
                flaws.retain(|flaw| flaw.kind == FlawKind::Unreadable);
                state
            }
        },
        None => Before::Unknown,
    };
    step(repo, id, tip, before, &mut flaws);
    flaws
}

/// What is known of the state before a commit.
enum Before {
    Nothing,
    State(Oid, Box<Session>),
    Unknown,
}

fn flaw(kind: FlawKind, commit: Oid, what: impl Into<String>) -> Flaw {
    Flaw { kind, commit, what: what.into() }
}

fn unread(commit: Oid, broken: Broken) -> Flaw {
    match broken {
        Broken::Newer { found } => {
            let what = format!("it has format {found}, and this git grill knows format {}", layout::FORMAT);
            flaw(FlawKind::Newer, commit, what)
        }
        // The flaw names the commit already.
        Broken::Corrupt { what, why } if what == format!("commit {commit}") => flaw(FlawKind::Unreadable, commit, why),
        Broken::Corrupt { what, why } => flaw(FlawKind::Unreadable, commit, format!("{what}: {why}")),
    }
}

fn read(repo: &Repo, at: Oid) -> Result<(Commit, Vec<u8>), Broken> {
    let broken = |why: String| Broken::at(format!("commit {at}"), why);
    let object = repo.read(at).map_err(|error| broken(error.0))?;
    let bytes = object.ok_or_else(|| broken("it is missing".to_owned()))?.bytes;
    let commit = Commit::parse(at, &bytes).ok_or_else(|| broken("its bytes are no commit".to_owned()))?;
    Ok((commit, bytes))
}

/// Looks at one commit; what stands before the next one.
fn step(repo: &Repo, id: &SessionId, at: Oid, before: Before, flaws: &mut Vec<Flaw>) -> Before {
    match one(repo, id, at, before, flaws) {
        Ok(state) => Before::State(at, Box::new(state)),
        Err(broken) => {
            flaws.push(unread(at, broken));
            // What the tree says counts, as far as it can be read; of a newer format that is nothing.
            readable(repo, id, at).map_or(Before::Unknown, |state| Before::State(at, Box::new(state)))
        }
    }
}

fn one(repo: &Repo, id: &SessionId, at: Oid, before: Before, flaws: &mut Vec<Flaw>) -> Result<Session, Broken> {
    let (commit, bytes) = read(repo, at)?;
    if commit.parents.len() > 1 {
        flaws.push(flaw(FlawKind::Parents, at, format!("it has {} parents", commit.parents.len())));
    }
    let files = CommitFiles::plainly(repo, at)?;
    files::check_format(&files)?;
    let events = events::read(&files)?;
    let (known, folded) = match before {
        Before::Nothing => (None, Session::replay(&events)),
        Before::State(parent, state) => {
            let folded = events.iter().fold((*state).clone(), Session::evolve);
            numbers(at, state.seq, &events, flaws);
            (Some((parent, state)), Some(folded))
        }
        Before::Unknown => (None, None),
    };
    let first = commit.parents.is_empty();
    let after = match folded {
        Some(folded) if folded.id == *id && is_written(repo, &files, known.as_ref(), &events, &folded)? => folded,
        Some(folded) => {
            let stored = readable(repo, id, at)?;
            // Earlier versions kept no edited draft of an output phase that was left; later ones not of one that the
            // session ended in.
            let kept: &[ParkedDraft] = known.as_ref().map_or(&[], |(_, state)| state.parked.as_slice());
            let is_earlier = stored.parked.is_empty() || (folded.is_closed() && stored.parked == kept);
            let parked = if is_earlier { stored.parked.clone() } else { folded.parked };
            let folded = Session { parked, ..folded };
            let differing = differing(&folded, &stored);
            if !differing.is_empty() {
                let what = format!("its events do not lead to what stands in {}", differing.join(", "));
                flaws.push(flaw(FlawKind::Replay, at, what));
            }
            stored
        }
        None => {
            if first {
                flaws.push(flaw(FlawKind::Replay, at, "it is the first commit, and its events do not begin a session"));
            }
            readable(repo, id, at)?
        }
    };
    trailers(at, &bytes, id, &after, &events, flaws);
    Ok(after)
}

/// The numbers of the events go on, one by one.
fn numbers(at: Oid, before: u64, events: &[Recorded], flaws: &mut Vec<Flaw>) {
    if events.is_empty() {
        flaws.push(flaw(FlawKind::Replay, at, "it holds no event"));
    }
    let mut last = before;
    for event in events {
        if event.seq != last + 1 {
            flaws.push(flaw(FlawKind::Numbers, at, format!("event {} comes after event {last}", event.seq)));
            return;
        }
        last = event.seq;
    }
}

/// Whether the tree is to the byte what these events write, on top of the one before.
fn is_written(
    repo: &Repo,
    files: &CommitFiles<'_>,
    before: Option<&(Oid, Box<Session>)>,
    events: &[Recorded],
    folded: &Session,
) -> Result<bool, Broken> {
    let batch = Batch { events, after: folded, base: None };
    let (changes, touched) = match before {
        None => {
            let nothing = std::collections::BTreeMap::new();
            let all = repo.files(files.tree_id()).map_err(|error| Broken::at("its tree", error.0))?;
            (changes::between(None, &nothing, batch), all.into_keys().collect())
        }
        Some((parent, state)) => {
            let parent = CommitFiles::plainly(repo, *parent)?;
            let differing = repo.differing(parent.tree_id(), files.tree_id());
            let differing = differing.map_err(|error| Broken::at("its tree", error.0))?;
            let paths: BTreeSet<Vec<u8>> = differing.into_iter().map(|one| one.path).collect();
            (changes::between(Some(state), &parent, batch), paths)
        }
    };
    // What could not have been written is compared as a whole.
    let Ok(changes) = changes else { return Ok(false) };
    if touched.iter().any(|path| !changes.keys().any(|ours| ours.as_bytes() == path.as_slice())) {
        return Ok(false);
    }
    for (path, change) in &changes {
        let there = files.blob_id(path)?;
        let wanted = match change {
            Change::Remove => None,
            Change::Put(bytes) => {
                Some(name_of(repo.naming(), Kind::Blob, bytes).map_err(|error| Broken::at(path, error.0))?)
            }
        };
        if there != wanted {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The files in which two states differ.
fn differing(folded: &Session, stored: &Session) -> Vec<String> {
    let mut found = Vec::new();
    let (ours, theirs) = (files::split(folded), files::split(stored));
    let paths: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    found.extend(paths.into_iter().filter(|path| ours.get(*path) != theirs.get(*path)).cloned());
    if folded.checkpoint != stored.checkpoint {
        found.push(layout::CHECKPOINT.to_owned());
    }
    if folded.evidence != stored.evidence {
        found.push(layout::EVIDENCE.to_owned());
    }
    let ids: BTreeSet<_> =
        folded.transcript.asked.iter().chain(&stored.transcript.asked).map(|asked| &asked.question.id).collect();
    for id in ids {
        let (ours, theirs) = (folded.transcript.get(id), stored.transcript.get(id));
        if ours.map(files::question_value) != theirs.map(files::question_value) {
            found.push(layout::question(id));
        }
        if ours.map(|asked| &asked.answers) != theirs.map(|asked| &asked.answers) {
            found.push(format!("{}/{id}", layout::ANSWERS));
        }
    }
    if found.is_empty() && folded != stored {
        found.push(layout::DRAFTS.to_owned());
    }
    found
}

/// What the message says of the commit.
fn trailers(at: Oid, bytes: &[u8], id: &SessionId, after: &Session, events: &[Recorded], flaws: &mut Vec<Flaw>) {
    let text = String::from_utf8_lossy(bytes);
    let message = text.split_once("\n\n").map_or("", |(_, message)| message);
    let last = message.trim_end().rsplit("\n\n").next().unwrap_or_default();
    let said = |key: &str| last.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
    let op = events.first().map(|first| first.event.facets().op.to_owned());
    for (key, true_one) in [
        ("Grill-Session", Some(id.to_string())),
        ("Grill-Seq", Some(after.seq.to_string())),
        ("Grill-Op", op),
        ("Grill-Format", Some(layout::FORMAT.to_string())),
    ] {
        if let Some(wanted) = true_one
            && said(key) != Some(&wanted)
        {
            let said = said(key).map_or("nothing".to_owned(), |said| format!("'{}'", said.escape_debug()));
            flaws.push(flaw(FlawKind::Trailers, at, format!("its message says {said} for {key}, and it is {wanted}")));
            return;
        }
    }
}
