//! Copy of one commit that is being written: filled object by object, kept before the ref moves, compared with the object
//! database after it.

use super::file::{self, Grown};
use super::record::{Copied, Record};
use super::restore::{Reach, bring_back};
use super::{KEPT_FOR, MOST, is_older, now, trim};
use crate::app::ports::StoreError;
use crate::domain::ids::SessionId;
use crate::git::{Error, Kind, Oid, Repo};

/// How often missing objects are written again before the command goes on without them: the copy has them.
const LOOKS: u32 = 8;
/// After so many bytes the whole file is compared with the object database.
const COMPARED: u64 = 1024 * 1024;

/// Objects of one commit.
#[derive(Debug, Default)]
pub struct Copy {
    listed: Vec<(Oid, Kind, usize, usize)>,
    bytes: Vec<u8>,
}

impl Copy {
    pub fn write(&mut self, repo: &Repo, kind: Kind, bytes: Vec<u8>) -> Result<Oid, Error> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&bytes);
        let name = repo.write(kind, bytes)?;
        self.listed.push((name, kind, start, self.bytes.len()));
        Ok(name)
    }

    fn objects(&self) -> impl Iterator<Item = Copied<'_>> {
        self.listed.iter().map(|(name, kind, start, end)| Copied::new(*name, *kind, &self.bytes[*start..*end]))
    }

    /// Keeps the copy. Called before the ref moves, with the session's lock held.
    pub fn keep(&self, repo: &Repo, id: &SessionId, commit: Oid) -> Result<Grown, StoreError> {
        let path = file::own(repo.common_dir(), id);
        let record = Record { at: now(), commit, objects: self.objects().collect() };
        let doing = || format!("keeping a copy of what is recorded in {}", path.display());
        file::append(&path, &record.bytes()).map_err(|source| StoreError::Io { doing: doing(), source })
    }

    /// Reads the objects back after the ref moved, and writes again what a collection has deleted meanwhile. Whether all
    /// of them are there.
    pub fn read_back(&self, repo: &Repo) -> bool {
        for _ in 0..LOOKS {
            let missing: Vec<Copied<'_>> = self.objects().filter(|one| !repo.holds(one.name)).collect();
            if missing.is_empty() {
                return true;
            }
            let written = missing.iter().filter_map(Copied::object);
            let written = written.map(|object| repo.write(object.kind, object.bytes)).find_map(Result::err);
            if written.is_some() || repo.flush().is_err() {
                break;
            }
        }
        self.objects().all(|one| repo.holds(one.name))
    }
}

/// Compares the file with the object database where it has grown enough for that, and takes out what is safe. A failure
/// costs nothing but room: the next one does it. Called with the session's lock held.
pub fn tend(repo: &Repo, id: &SessionId, grown: Grown) {
    if grown.from / COMPARED != grown.to / COMPARED {
        bring_back(repo, id, Reach::All);
    }
    if grown.to > MOST || grown.since.is_none_or(|since| is_older(since, 2 * KEPT_FOR)) {
        let _ = trim::trim(repo, id, &file::own(repo.common_dir(), id));
    }
}
