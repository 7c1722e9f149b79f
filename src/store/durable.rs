//! Forcing what we wrote onto the disk, when git is configured to.
//!
//! git and its library leave loose objects and refs to the system by default; so do we.

use std::io;
use std::path::Path;

use crate::files::regular;
use crate::git::{Repo, forced};

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

    /// Has git's library, the `git` program, and us, force what is written onto the disk before it gets its name, from now
    /// on, the library in every repository that is opened later: what is only forced once it has its name could stand there empty after a loss of power in
    /// between. Whether there is anything to be forced.
    pub fn tell(self) -> bool {
        match self {
            Self::System => false,
            Self::Objects | Self::ObjectsAndRefs => {
                let option = libgit2_sys::GIT_OPT_ENABLE_FSYNC_GITDIR.cast_signed();
                #[expect(unsafe_code, reason = "the library's option has no safe wrapper")]
                // SAFETY: it takes one integer, and sets a flag that nobody ever takes back.
                let done = unsafe { libgit2_sys::git_libgit2_opts(option, libc::c_int::from(true)) };
                forced::force(self.settings());
                debug_assert_eq!(done, 0, "the library knows the option");
                true
            }
        }
    }

    /// git's settings, on top of the user's, that have the `git` program do as much; it does what `core.fsync` says by
    /// itself.
    fn settings(self) -> &'static [&'static str] {
        match self {
            Self::System => &[],
            // The second one is for gits before 2.36.
            Self::Objects => &["core.fsync=committed,loose-object,-reference", "core.fsyncObjectFiles=true"],
            Self::ObjectsAndRefs => &["core.fsync=committed,loose-object,reference", "core.fsyncObjectFiles=true"],
        }
    }

    /// Called when the ref has moved.
    pub fn after_the_ref(self, repo: &Repo, name: &str) -> io::Result<()> {
        self.settle_tables(repo)?;
        let common = repo.common_dir();
        // Its log says whose session it is. The folders that lead to either may be as new as they are.
        for path in [common.join(name), common.join("logs").join(name)] {
            self.settle(path.ancestors().take_while(|folder| *folder != common))?;
        }
        Ok(())
    }

    /// Has the tables of a reftable repository on the disk, where refs are to be.
    pub fn settle_tables(self, repo: &Repo) -> io::Result<()> {
        match self {
            Self::System | Self::Objects => Ok(()),
            Self::ObjectsAndRefs => repo.settle_tables(),
        }
    }

    /// Has files, and the names in folders, on the disk, where refs are to be.
    pub fn settle<'p>(self, paths: impl IntoIterator<Item = &'p Path>) -> io::Result<()> {
        match self {
            Self::System | Self::Objects => Ok(()),
            Self::ObjectsAndRefs => paths.into_iter().try_for_each(sync_if_there),
        }
    }
}

/// An object that is in a pack already, or a ref that was packed meanwhile, has no file of its own.
fn sync_if_there(path: &Path) -> io::Result<()> {
    match regular::settle(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
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
