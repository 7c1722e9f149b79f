//! What a session can be brought back to: the newest commit of it that can be read, and what is not in it.

use super::reflog::{self, Logged};
use super::tip::readable;
use crate::domain::ids::SessionId;
use crate::git::{Error, Kind, Oid, Program, Repo};

/// So many commits before an unreadable one are looked at.
const FURTHEST: usize = 10_000;
/// What the reflog's messages begin with.
const OURS: &str = "grill: ";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// In the session's reflog.
    Reflog,
    /// Among the commits before the unreadable one.
    Before,
    Remote,
    /// Among all objects of the repository.
    Objects,
}

impl Found {
    pub fn words(self) -> &'static str {
        match self {
            Self::Reflog => "the session's reflog",
            Self::Before => "the history before it",
            Self::Remote => "what a remote had",
            Self::Objects => "the repository's objects",
        }
    }
}

/// A commit that will not be part of the session any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    pub commit: Oid,
    /// What happened in it; none where nobody knows.
    pub subject: Option<String>,
}

/// What a session can be brought back to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovery {
    pub to: Oid,
    pub subject: String,
    pub found: Found,
    /// What came after it, the oldest first.
    pub lost: Vec<Lost>,
}

impl Recovery {
    /// Goes back less far: to a commit between the one that it was and `tip`.
    pub fn go_on_to(&mut self, repo: &Repo, to: Oid, tip: Oid) {
        if to == self.to {
            return;
        }
        let after = chain(repo, tip, to);
        let between = chain(repo, to, self.to);
        self.lost.retain(|one| !between.contains(&one.commit) || after.contains(&one.commit));
        self.subject = repo.commit(to).ok().flatten().map(|commit| commit.subject).unwrap_or_default();
        self.to = to;
    }
}

/// The number of a commit's last event, and that commit, which can be read: whichever is greater went further. Of two that
/// went equally far any will do, and it is to be the same one every time.
type Readable = (u64, Oid);

/// What is known at once: the reflog, the commits before `tip`, and what remotes had. The newest entry of the reflog
/// counts, unless the history of the tip itself has something newer.
pub fn recovery(repo: &Repo, id: &SessionId, tip: Option<Oid>) -> Result<Option<Recovery>, Error> {
    let entries = reflog::logged(repo, &id.ref_name())?;
    let mut seen = Vec::new();
    let mut logged = None;
    for entry in &entries {
        if seen.contains(&entry.commit) {
            continue;
        }
        if let Some(found) = seq(repo, id, entry.commit) {
            logged = Some((found, entry.commit));
            break;
        }
        seen.push(entry.commit);
    }
    let before = tip.and_then(|tip| before(repo, id, tip));
    let chosen = match (logged, before) {
        (Some(logged), Some(before)) if before.0 > logged.0 => Some((before.1, Found::Before)),
        (Some((_, logged)), _) => Some((logged, Found::Reflog)),
        (None, Some((_, before))) => Some((before, Found::Before)),
        (None, None) => remote(repo, id)?.map(|(_, commit)| (commit, Found::Remote)),
    };
    Ok(chosen.map(|(to, found)| told(repo, to, found, tip, &entries)))
}

/// The newest readable commit of a session among all objects that are stored here. Reads every commit: only for a
/// session that nothing else knows of.
pub fn searched(repo: &Repo, program: &Program, id: &SessionId) -> Result<Option<Recovery>, Error> {
    let wanted = format!("\nGrill-Session: {id}\n");
    let mut newest: Option<Readable> = None;
    for commit in program.all_commits()? {
        let Ok(Some(object)) = repo.read(commit) else { continue };
        let ours = object.bytes.windows(wanted.len()).any(|part| part == wanted.as_bytes());
        if ours && let Some(seq) = seq(repo, id, commit) {
            newest = newest.max(Some((seq, commit)));
        }
    }
    Ok(newest.map(|(_, to)| told(repo, to, Found::Objects, None, &[])))
}

fn seq(repo: &Repo, id: &SessionId, commit: Oid) -> Option<u64> {
    // What is not even there is not worth being read.
    matches!(repo.header(commit), Ok(Some((Kind::Commit, _)))).then_some(())?;
    readable(repo, id, commit).ok().map(|session| session.seq)
}

/// The newest readable commit before `tip`, by first parents.
fn before(repo: &Repo, id: &SessionId, tip: Oid) -> Option<Readable> {
    let mut at = tip;
    for _ in 0..FURTHEST {
        at = *repo.commit(at).ok()??.parents.first()?;
        if let Some(seq) = seq(repo, id, at) {
            return Some((seq, at));
        }
    }
    None
}

/// The newest that a remote had.
fn remote(repo: &Repo, id: &SessionId) -> Result<Option<Readable>, Error> {
    let mut newest: Option<Readable> = None;
    for (name, commit) in repo.below("refs/grill/remotes/")? {
        if name.ends_with(&format!("/{id}"))
            && let Some(seq) = seq(repo, id, commit)
        {
            newest = newest.max(Some((seq, commit)));
        }
    }
    Ok(newest)
}

fn told(repo: &Repo, to: Oid, found: Found, tip: Option<Oid>, entries: &[Logged]) -> Recovery {
    let subject = repo.commit(to).ok().flatten().map(|commit| commit.subject).unwrap_or_default();
    Recovery { to, subject, found, lost: lost(repo, to, tip, entries) }
}

/// What came after a commit: the entries of the reflog since then, and the commits between it and the tip.
fn lost(repo: &Repo, to: Oid, tip: Option<Oid>, entries: &[Logged]) -> Vec<Lost> {
    let mut lost: Vec<Lost> = Vec::new();
    let mut add = |commit: Oid, said: &str| {
        if commit != to && !lost.iter().any(|one: &Lost| one.commit == commit) {
            let known = repo.commit(commit).ok().flatten().map(|commit| commit.subject);
            let said = Some(said.strip_prefix(OURS).unwrap_or(said).to_owned()).filter(|said| !said.is_empty());
            lost.push(Lost { commit, subject: known.or(said) });
        }
    };
    if let Some(tip) = tip {
        let said = entries.iter().find(|entry| entry.commit == tip).map_or("", |entry| entry.said.as_str());
        add(tip, said);
    }
    for entry in entries.iter().take_while(|entry| entry.commit != to) {
        add(entry.commit, &entry.said);
    }
    if let Some(tip) = tip {
        let chain = chain(repo, tip, to);
        for commit in chain {
            add(commit, "");
        }
    }
    lost.reverse();
    lost
}

/// The commits after `to` up to `tip`, the newest first; none where `tip` does not lead to it.
pub fn chain(repo: &Repo, tip: Oid, to: Oid) -> Vec<Oid> {
    let (mut found, mut at) = (Vec::new(), tip);
    while found.len() < FURTHEST {
        if at == to {
            return found;
        }
        found.push(at);
        match repo.commit(at).ok().flatten().and_then(|commit| commit.parents.first().copied()) {
            Some(parent) => at = parent,
            None => break,
        }
    }
    Vec::new()
}
