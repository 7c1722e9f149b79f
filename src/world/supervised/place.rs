//! Where the sessions of a repository lie: in its private directory, or in a folder of its own in the directory that the
//! account names for all repositories (A6). That folder has a random name, which the repository keeps: a repository that is
//! moved finds its sessions again, and another one at the same place does not.

use std::ffi::OsString;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use super::errors::{kept, not_written};
use crate::app::error::AppError;
use crate::app::ports::Nonce as _;
use crate::files::fresh::{self, OnDisk};
use crate::files::regular;
use crate::ledger::Ledgers;
use crate::repo::config::Config;
use crate::world::nonce::KernelNonce;

/// The name of the folder, in the repository's private directory.
const NAME: &str = "grill/agents-folder";
/// The git directory of the repository, in the folder.
const REPOSITORY: &str = "repository";
/// The most bytes of either.
const SHORT: u64 = 8 * 1024;

pub(super) enum Place {
    /// In the git directory that all worktrees share.
    Repository(PathBuf),
    Elsewhere(Elsewhere),
}

/// A folder in a directory of the account's.
pub(super) struct Elsewhere {
    directory: PathBuf,
    /// The git directory that all worktrees share, every link followed.
    common: PathBuf,
}

impl Place {
    /// `common` is the git directory that all worktrees share.
    pub(super) fn of(config: &Config, common: &Path) -> Result<Self, AppError> {
        let Some(directory) = config.agent_directory()? else { return Ok(Self::Repository(common.to_owned())) };
        let common = common.canonicalize().unwrap_or_else(|_| common.to_owned());
        Ok(Self::Elsewhere(Elsewhere { directory, common }))
    }

    /// The sessions, if there are some.
    pub(super) fn found(&self) -> Result<Option<Ledgers>, AppError> {
        match self {
            Self::Repository(common) => Ledgers::find(common).map_err(kept),
            Self::Elsewhere(elsewhere) => match elsewhere.name() {
                Some(name) => Ledgers::find_at(&elsewhere.directory.join(name)).map_err(kept),
                None => Ok(None),
            },
        }
    }

    /// Makes their folder, if it is missing.
    pub(super) fn made(&self) -> Result<Ledgers, AppError> {
        match self {
            Self::Repository(common) => Ledgers::make(common).map_err(kept),
            Self::Elsewhere(elsewhere) => elsewhere.made(),
        }
    }
}

impl Elsewhere {
    /// The name of this repository's folder, unless the repository is a copy of the one that has it.
    fn name(&self) -> Option<String> {
        let name = noted(&self.common)?;
        let owner = regular::bytes(self.directory.join(&name).join(REPOSITORY), SHORT).ok();
        let owner = owner.map(|bytes| PathBuf::from(OsString::from_vec(bytes)));
        let is_another = |owner: &PathBuf| *owner != self.common && noted(owner).as_ref() == Some(&name);
        (!owner.as_ref().is_some_and(is_another)).then_some(name)
    }

    fn made(&self) -> Result<Ledgers, AppError> {
        let failed = |what: &Path, error: &io::Error| not_written(&format!("{} was not made", what.display()), error);
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&self.directory);
        made.and_then(|()| private(&self.directory)).map_err(|error| failed(&self.directory, &error))?;
        let name = match self.name() {
            Some(name) => name,
            None => self.named_anew().map_err(|error| failed(&self.common.join(NAME), &error))?,
        };
        let folder = self.directory.join(&name);
        let sessions = Ledgers::make_at(&folder).map_err(kept)?;
        let owner = self.common.as_os_str().as_bytes();
        if regular::bytes(folder.join(REPOSITORY), SHORT).ok().as_deref() != Some(owner) {
            let (note, new) = (folder.join(REPOSITORY), folder.join(format!("{REPOSITORY}.new")));
            fresh::replace(&note, &new, 0o600, OnDisk::Later, owner).map_err(|error| failed(&note, &error))?;
        }
        Ok(sessions)
    }

    /// A name that no other repository has: one for people, and a number that tells them apart.
    fn named_anew(&self) -> io::Result<String> {
        let top = if self.common.ends_with(".git") { self.common.parent() } else { Some(&*self.common) };
        let shown = top.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let plain = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '-' };
        let shown: String = shown.trim_start_matches('.').chars().map(plain).take(40).collect();
        let name = format!("{shown}-{:016x}", KernelNonce.next());
        let note = self.common.join(NAME);
        if let Some(folder) = note.parent() {
            fs::create_dir_all(folder)?;
        }
        let written = |name: &str| {
            let new = note.with_extension(format!("{:016x}.new", KernelNonce.next()));
            fresh::write(&new, 0o600, OnDisk::First, name.as_bytes())
        };
        if noted(&self.common).is_some() {
            // That of the repository of which this one is a copy.
            written(&name)?.place(&note)?;
            return Ok(name);
        }
        match written(&name)?.link(&note) {
            // Another process was faster.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                noted(&self.common).ok_or_else(|| io::Error::other("it holds no name; rm removes it"))
            }
            done => done.map(|()| name),
        }
    }
}

/// The name that a repository keeps. One that leads elsewhere is none.
fn noted(common: &Path) -> Option<String> {
    let name = regular::text(common.join(NAME), SHORT).ok()?;
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || "._-".contains(c)) && !name.starts_with('.');
    (is_plain && !name.is_empty()).then_some(name)
}

/// Refuses a directory in which others could put another one in the place of ours.
fn private(directory: &Path) -> io::Result<()> {
    let about = fs::metadata(directory)?;
    let (mode, owner) = (about.mode(), about.uid());
    let is_ours = owner == 0 || owner == rustix::process::geteuid().as_raw();
    if is_ours && (mode & 0o022 == 0 || mode & 0o1000 != 0) {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::PermissionDenied, "other users can change it"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn of(directory: &Path, common: &Path) -> Place {
        let (directory, common) = (directory.to_owned(), common.canonicalize().unwrap());
        Place::Elsewhere(Elsewhere { directory, common })
    }

    #[test]
    fn a6_sessions_go_with_a_repository_that_is_moved_and_with_no_other() {
        let temp = tempfile::tempdir().unwrap();
        let at = |name: &str| {
            fs::create_dir_all(temp.path().join(name).join(".git")).unwrap();
            temp.path().join(name).join(".git")
        };
        let (directory, one) = (temp.path().join("sessions"), at("one"));
        assert!(of(&directory, &one).found().unwrap().is_none() && !directory.exists());
        let first = of(&directory, &one).made().unwrap().path().to_owned();
        assert_eq!(of(&directory, &one).made().unwrap().path(), first);
        // It is moved, and another repository stands at its place.
        fs::rename(temp.path().join("one"), temp.path().join("moved")).unwrap();
        let moved = temp.path().join("moved/.git");
        assert_eq!(of(&directory, &moved).found().unwrap().unwrap().path(), first);
        assert!(of(&directory, &at("one")).found().unwrap().is_none());
        assert_eq!(of(&directory, &moved).made().unwrap().path(), first);
        // A copy has sessions of its own, and the name that leads elsewhere is none.
        let copy = at("copy");
        fs::create_dir(copy.join("grill")).unwrap();
        fs::copy(moved.join(NAME), copy.join(NAME)).unwrap();
        assert!(of(&directory, &copy).found().unwrap().is_none());
        assert_ne!(of(&directory, &copy).made().unwrap().path(), first);
        assert_eq!(of(&directory, &moved).found().unwrap().unwrap().path(), first);
        for odd in ["../x", "", ".", "a/b", "/x"] {
            fs::write(copy.join(NAME), odd).unwrap();
            assert!(of(&directory, &copy).found().unwrap().is_none(), "{odd}");
        }
    }

    #[test]
    fn a6_a_directory_that_others_can_change_is_refused() {
        let temp = tempfile::tempdir().unwrap();
        let common = temp.path().join("one/.git");
        fs::create_dir_all(&common).unwrap();
        for (mode, fits) in [(0o777, false), (0o770, false), (0o755, true), (0o1777, true)] {
            let directory = temp.path().join(format!("{mode:o}"));
            fs::create_dir(&directory).unwrap();
            fs::set_permissions(&directory, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(of(&directory, &common).made().is_ok(), fits, "{mode:o}");
        }
    }
}
