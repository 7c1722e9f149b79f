//! Forcing what we wrote onto the disk, when git is configured to.
//!
//! git and its library leave loose objects and refs to the system by default; so do we.

use std::fs::File;
use std::io;
use std::path::Path;

use git2::{Oid, Repository};

/// How hard a write is pressed onto the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// The system writes when it likes, as git does by default.
    #[default]
    System,
    /// Objects are on the disk before the ref names them.
    Objects,
    /// So is the ref before the write counts as done.
    ObjectsAndRefs,
}

impl Durability {
    /// What `core.fsync` and `grill.fsync` ask for; the second wins.
    pub fn wanted(core_fsync: Option<&str>, grill_fsync: Option<bool>) -> Self {
        match grill_fsync {
            Some(true) => return Self::ObjectsAndRefs,
            Some(false) => return Self::System,
            None => {}
        }
        let mut objects = false;
        let mut refs = false;
        for part in core_fsync.unwrap_or_default().split(',').map(str::trim) {
            let (name, on) = part.strip_prefix('-').map_or((part, true), |rest| (rest, false));
            match name {
                "none" => (objects, refs) = (false, false),
                "loose-object" | "objects" => objects = on,
                "reference" => refs = on,
                "committed" | "added" | "all" => (objects, refs) = (on, on),
                // Packs, the index and the like are not ours to write.
                _ => {}
            }
        }
        match (objects, refs) {
            (_, true) => Self::ObjectsAndRefs,
            (true, false) => Self::Objects,
            (false, false) => Self::System,
        }
    }

    /// Called with what was written, before the ref moves.
    pub fn before_the_ref(self, repo: &Repository, written: &[Oid]) -> io::Result<()> {
        match self {
            Self::System => Ok(()),
            Self::Objects | Self::ObjectsAndRefs => {
                let objects = repo.commondir().join("objects");
                for oid in written {
                    let hex = oid.to_string();
                    let folder = objects.join(&hex[..2]);
                    sync_if_there(&folder.join(&hex[2..]))?;
                    sync_if_there(&folder)?;
                }
                sync_if_there(&objects)
            }
        }
    }

    /// Called when the ref has moved.
    pub fn after_the_ref(self, repo: &Repository, name: &str) -> io::Result<()> {
        match self {
            Self::System | Self::Objects => Ok(()),
            Self::ObjectsAndRefs => {
                let path = repo.commondir().join(name);
                sync_if_there(&path)?;
                path.parent().map_or(Ok(()), sync_if_there)
            }
        }
    }
}

/// An object that is in a pack already, or a ref that was packed meanwhile, has no file of its own.
fn sync_if_there(path: &Path) -> io::Result<()> {
    match File::open(path) {
        Ok(file) => file.sync_all(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_configuration_decides() {
        use Durability::{Objects, ObjectsAndRefs, System};
        for (core, grill, expect) in [
            (None, None, System),
            (Some("committed,-loose-object"), None, ObjectsAndRefs),
            (Some("loose-object"), None, Objects),
            (Some("pack,index"), None, System),
            (Some("all,-reference"), None, Objects),
            (Some("reference"), None, ObjectsAndRefs),
            (Some("all"), Some(false), System),
            (None, Some(true), ObjectsAndRefs),
        ] {
            assert_eq!(Durability::wanted(core, grill), expect, "{core:?} {grill:?}");
        }
    }
}
