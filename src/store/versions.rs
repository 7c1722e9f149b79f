//! Looking back: the newest commits of a session, and the checkpoint at one of them. First parents only, and never
//! without a limit.

use jiff::Timestamp;

use super::events;
use super::files::{self, Broken};
use super::layout;
use super::patience::awaited;
use super::tree::CommitFiles;
use crate::app::ports::{StoreError, Version};
use crate::domain::checkpoint::Checkpoint;
use crate::domain::committed::DraftSearch;
use crate::domain::event::Recorded;
use crate::domain::ids::{ObjectId, SessionId};
use crate::domain::production::Draft;
use crate::domain::session::Session;
use crate::domain::undoing::TakenBack;
use crate::git::object::{in_words as object, parsed};
use crate::git::{Commit, Error, Kind, Object, Oid, Repo};

/// The furthest that one question looks back.
const FURTHEST: usize = 100_000;

/// A session's line of commits, from the tip backwards.
struct Line<'r> {
    repo: &'r Repo,
    next: Option<Result<Commit, Broken>>,
}

impl<'r> Line<'r> {
    fn from(repo: &'r Repo, tip: Oid) -> Self {
        Self { repo, next: Some(commit(repo, tip)) }
    }
}

fn commit(repo: &Repo, id: Oid) -> Result<Commit, Broken> {
    let at = |error: Error| Broken::at(format!("commit {id}"), error.0);
    let object = awaited(repo, id).map_err(at)?;
    Commit::parse(id, &object.bytes).ok_or_else(|| at(Error::missing(id)))
}

impl Iterator for Line<'_> {
    type Item = Result<Commit, Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        let current = self.next.take()?;
        if let Ok(newer) = &current
            && let Some(parent) = newer.parents.first()
        {
            self.next = Some(commit(self.repo, *parent));
        }
        Some(current)
    }
}

/// The newest `limit` commits.
pub fn versions(repo: &Repo, tip: Oid, limit: usize) -> Result<Vec<Version>, Broken> {
    Line::from(repo, tip)
        .take(limit)
        .map(|commit| {
            let commit = commit?;
            Ok(Version {
                commit: object(commit.id),
                subject: commit.subject,
                author: commit.author,
                at: Timestamp::from_second(commit.authored).unwrap_or(Timestamp::UNIX_EPOCH),
            })
        })
        .collect()
}

/// Every event from the beginning. Walks everything, so it is for checks alone.
pub fn history(repo: &Repo, tip: Oid) -> Result<Vec<Recorded>, Broken> {
    let mut commits = Vec::new();
    for commit in Line::from(repo, tip) {
        let commit = commit?;
        let files = CommitFiles::of(repo, commit.id)?;
        commits.push(events::read(&files)?);
    }
    Ok(commits.into_iter().rev().flatten().collect())
}

/// The checkpoint at a version: the id of a commit or of a text, or its beginning, `~N`, or `@N`.
pub fn checkpoint_at(repo: &Repo, id: &SessionId, tip: Oid, version: &str) -> Result<Checkpoint, StoreError> {
    let commit = find(repo, tip, version).map_err(|broken| broken.of(id))?;
    let Some(commit) = commit else {
        return Err(StoreError::NoSuchVersion { id: id.clone(), version: version.to_owned() });
    };
    CommitFiles::of(repo, commit)
        .and_then(|files| files::text(&files, layout::CHECKPOINT))
        .map(Checkpoint::stored)
        .map_err(|broken| broken.of(id))
}

/// The newest text before the one at the tip; that one when there never was another.
pub fn previous_checkpoint(repo: &Repo, tip: Oid) -> Result<Checkpoint, Broken> {
    let mut newest: Option<String> = None;
    for commit in Line::from(repo, tip).take(FURTHEST) {
        let text = files::text(&CommitFiles::of(repo, commit?.id)?, layout::CHECKPOINT)?;
        match &newest {
            Some(now) if *now != text => return Ok(Checkpoint::stored(text)),
            Some(_) => {}
            None => newest = Some(text),
        }
    }
    Ok(Checkpoint::stored(newest.unwrap_or_default()))
}

/// The output phases that were taken back since a file was last written.
pub fn taken_back(repo: &Repo, tip: Oid) -> Result<TakenBack, Broken> {
    let mut back = TakenBack::default();
    for commit in Line::from(repo, tip).take(FURTHEST) {
        let events = events::read(&CommitFiles::of(repo, commit?.id)?)?;
        if events.iter().rev().try_for_each(|one| back.look_back(&one.event)).is_break() {
            break;
        }
    }
    Ok(back)
}

/// The states in which these drafts were handed in last, each state once, the newest first.
pub fn drafted(repo: &Repo, tip: Oid, drafts: &[&Draft]) -> Result<Vec<Session>, Broken> {
    let (mut search, mut states) = (DraftSearch::new(drafts), Vec::new());
    for commit in Line::from(repo, tip).take(FURTHEST) {
        if search.is_over() {
            break;
        }
        let files = CommitFiles::of(repo, commit?.id)?;
        if search.finds(&events::read(&files)?) {
            states.push(files::read_session(&files)?);
        }
    }
    Ok(states)
}

/// The bytes of a blob; `None` when there is none of that id.
pub fn blob(repo: &Repo, id: &ObjectId) -> Result<Option<Vec<u8>>, StoreError> {
    let Some(oid) = parsed(id.as_str()) else {
        return Ok(None);
    };
    match awaited(repo, oid) {
        Ok(Object { kind: Kind::Blob, bytes }) => Ok(Some(bytes)),
        Ok(_) => Ok(None),
        Err(error) if error == Error::missing(oid) => Ok(None),
        Err(Error(why)) => Err(StoreError::Git { doing: format!("reading the blob {}", id.short()), why }),
    }
}

fn find(repo: &Repo, tip: Oid, version: &str) -> Result<Option<Oid>, Broken> {
    if let Some(back) = version.strip_prefix('~') {
        let Ok(back) = back.parse::<usize>() else {
            return Ok(None);
        };
        let found = Line::from(repo, tip).take(FURTHEST).nth(back).transpose()?;
        return Ok(found.map(|commit| commit.id));
    }
    if let Some(number) = version.strip_prefix('@') {
        return match number.parse::<usize>() {
            Ok(number) if number > 0 => nth_text(repo, tip, number),
            Ok(_) | Err(_) => Ok(None),
        };
    }
    if ObjectId::parse(version).is_err() {
        return Ok(None);
    }
    let wanted = version.to_ascii_lowercase();
    for commit in Line::from(repo, tip).take(FURTHEST) {
        let commit = commit?;
        if commit.id.to_string().starts_with(&wanted) {
            return Ok(Some(commit.id));
        }
    }
    with_text(repo, tip, &wanted)
}

/// The newest commit whose checkpoint has this blob id.
fn with_text(repo: &Repo, tip: Oid, wanted: &str) -> Result<Option<Oid>, Broken> {
    for commit in Line::from(repo, tip).take(FURTHEST) {
        let commit = commit?.id;
        let blob = CommitFiles::of(repo, commit)?.blob_id(layout::CHECKPOINT)?;
        if blob.is_some_and(|blob| blob.to_string().starts_with(wanted)) {
            return Ok(Some(commit));
        }
    }
    Ok(None)
}

/// The first commit that held the Nth text.
fn nth_text(repo: &Repo, tip: Oid, number: usize) -> Result<Option<Oid>, Broken> {
    let mut texts: Vec<(Oid, Oid)> = Vec::new();
    for commit in Line::from(repo, tip) {
        let commit = commit?.id;
        if texts.len() > FURTHEST {
            return Err(Broken::at(layout::CHECKPOINT, format!("it has more than {FURTHEST} versions")));
        }
        let files = CommitFiles::of(repo, commit)?;
        let blob = files
            .blob_id(layout::CHECKPOINT)?
            .ok_or_else(|| Broken::at(format!("{} at {commit}", layout::CHECKPOINT), "it is missing"))?;
        match texts.last_mut() {
            Some((text, first)) if *text == blob => *first = commit,
            Some(_) | None => texts.push((blob, commit)),
        }
    }
    Ok(texts.iter().rev().nth(number - 1).map(|(_, first)| *first))
}
