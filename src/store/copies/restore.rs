//! Bringing objects back that the object database has lost.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::time::Duration;

use super::super::patience::freshly;
use super::super::publish;
use super::file::{self, Part};
use super::record::{Copied, Record, records};
use crate::domain::ids::SessionId;
use crate::domain::text::counted;
use crate::files::patience::Patience;
use crate::git::{Commit, Object, Oid, Repo};

/// How long a missing object is looked for before its copy is taken: `git gc` may be moving it into a pack.
const MOVING: Duration = Duration::from_millis(300);

thread_local! {
    /// Number of objects that were brought back since the last time it was told, for each session.
    static TOLD: RefCell<BTreeMap<SessionId, usize>> = const { RefCell::new(BTreeMap::new()) };
    /// Objects that were waited for in vain.
    static AWAITED: RefCell<HashSet<Oid>> = RefCell::default();
}

/// Records that are compared each time the session is read.
const NEWEST: usize = 6;

/// How many of a session's copies are compared with the object database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The newest ones, and all of them where one of those is missing.
    Newest,
    All,
}

impl Reach {
    /// Commits without a copy that may stand between two that have one.
    fn gap(self) -> usize {
        match self {
            Self::Newest => 2,
            Self::All => 64,
        }
    }
}

/// Writes every object again that is missing of a session's commits, as far as there are copies; how many.
pub fn bring_back(repo: &Repo, id: &SessionId, reach: Reach) -> usize {
    let tip = || publish::tip(repo, &id.ref_name()).ok().flatten();
    let part = if reach == Reach::Newest { Part::Tail } else { Part::All };
    let files = read(repo.common_dir(), id, part);
    if files.is_empty() {
        return 0;
    }
    let mut records: Vec<Record<'_>> = files.iter().flat_map(|bytes| records(bytes)).collect();
    if reach == Reach::Newest {
        records.sort_by_key(|record| record.at);
        records.drain(..records.len().saturating_sub(NEWEST));
    }
    let Some(tip) = tip() else { return 0 };
    let line = line(repo, &records, tip, reach);
    match reach {
        Reach::Newest if objects(&line).all(|one| repo.seems_to_hold(one.name)) => 0,
        Reach::Newest => bring_back(repo, id, Reach::All),
        Reach::All => write(repo, id, objects(&line)),
    }
}

/// The same for every copy, whether or not the session's ref leads to it: for a session whose ref is damaged.
pub fn bring_back_all(repo: &Repo, id: &SessionId) -> usize {
    let files = read(repo.common_dir(), id, Part::All);
    let records: Vec<Record<'_>> = files.iter().flat_map(|bytes| records(bytes)).collect();
    let all: Vec<&Record<'_>> = records.iter().collect();
    write(repo, id, objects(&all))
}

/// An object that could not be read, from a copy of it, and written again with all else that its session misses. Where the
/// object database cannot be written, the copy is read all the same.
pub fn restored(repo: &Repo, name: Oid) -> Option<Object> {
    for (id, path) in file::listed(repo.common_dir()) {
        let bytes = file::read(&path, Part::All);
        let records = records(&bytes);
        let mut copied = records.iter().flat_map(|record| &record.objects).filter(|one| one.name == name);
        let Some(object) = copied.find_map(Copied::object) else { continue };
        if let Some(copied) = still_missing(repo, vec![Copied::new(name, object.kind, &object.bytes)]).first() {
            // What cannot be written is read all the same.
            if write(repo, &id, std::iter::once(*copied)) > 0 {
                bring_back(repo, &id, Reach::All);
            }
        }
        return Some(object);
    }
    None
}

/// A sentence for each session of which objects were brought back since the last call.
pub fn take_told() -> Vec<String> {
    let told = TOLD.with_borrow_mut(std::mem::take);
    let said = |(id, number): (SessionId, usize)| {
        let objects = counted(number, "object");
        format!("git had lost {objects} of session {id}; git grill wrote them again from its own copy")
    };
    told.into_iter().map(said).collect()
}

/// The copy files of a session that can be read.
fn read(common: &Path, id: &SessionId, part: Part) -> Vec<Vec<u8>> {
    let files = file::listed(common).into_iter().filter(|(of, _)| of == id);
    files.map(|(_, path)| file::read(&path, part)).filter(|bytes| !bytes.is_empty()).collect()
}

/// The records of the commits that `tip` leads to, the newest first. What was copied and then not recorded, by a process
/// that died or was overtaken, is not among them.
pub fn line<'r, 'b>(repo: &Repo, records: &'r [Record<'b>], tip: Oid, reach: Reach) -> Vec<&'r Record<'b>> {
    let by_commit: HashMap<Oid, &Record<'b>> = records.iter().map(|record| (record.commit, record)).collect();
    let (mut found, mut at, mut gap) = (Vec::new(), Some(tip), 0);
    while let Some(commit) = at.filter(|_| found.len() < by_commit.len() && gap < reach.gap()) {
        let copied = by_commit.get(&commit).and_then(|record| {
            let object = record.objects.iter().find(|one| one.name == commit)?.object()?;
            Some((*record, Commit::parse(commit, &object.bytes)?))
        });
        let parents = if let Some((record, parsed)) = copied {
            found.push(record);
            gap = 0;
            parsed.parents
        } else {
            gap += 1;
            repo.commit(commit).ok().flatten().map_or_else(Vec::new, |commit| commit.parents)
        };
        at = parents.first().copied();
    }
    found
}

fn objects<'r, 'b: 'r>(records: &'r [&'r Record<'b>]) -> impl Iterator<Item = Copied<'b>> + 'r {
    records.iter().flat_map(|record| record.objects.iter().copied())
}

/// Writes those of these objects again that are missing; how many were.
fn write<'b>(repo: &Repo, id: &SessionId, objects: impl Iterator<Item = Copied<'b>>) -> usize {
    let mut met = HashSet::new();
    let missing: Vec<Copied<'b>> = objects.filter(|one| met.insert(one.name) && !repo.holds(one.name)).collect();
    let mut written = 0;
    let missing = still_missing(repo, missing);
    for object in missing.iter().filter_map(Copied::object) {
        written += usize::from(repo.write(object.kind, object.bytes).is_ok());
    }
    if written == 0 || repo.flush().is_err() {
        return 0;
    }
    AWAITED.with_borrow_mut(|awaited| awaited.retain(|name| missing.iter().all(|one| one.name != *name)));
    TOLD.with_borrow_mut(|told| *told.entry(id.clone()).or_default() += written);
    written
}

/// Those of these objects that are missing for good, and not only on their way into a pack.
fn still_missing<'b>(repo: &Repo, mut missing: Vec<Copied<'b>>) -> Vec<Copied<'b>> {
    let known = |one: &Copied<'_>| AWAITED.with_borrow(|awaited| awaited.contains(&one.name));
    let mut patience = Patience::begin();
    while !missing.iter().all(known) && !patience.is_over(MOVING) {
        patience.rest();
        freshly(repo);
        missing.retain(|one| !repo.holds(one.name));
    }
    AWAITED.with_borrow_mut(|awaited| awaited.extend(missing.iter().map(|one| one.name)));
    missing
}
