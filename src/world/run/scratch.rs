//! The temporary folder of one run. It goes with the run; one that a killed process left goes with the next.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::app::error::AppError;
use crate::app::ports::Nonce;
use crate::files::lock;

use super::super::environment::Environment;
use super::super::failure::failed;
use super::super::nonce::KernelNonce;
use super::approved;

const PREFIX: &str = "git-grill-run-";
/// The list in it of what was made in the working tree.
const MADE: &str = "made";

/// A folder of ours alone; dropping it removes it with everything in it.
pub(super) struct Scratch {
    path: PathBuf,
    /// Held locked, so that others see that the run goes on.
    _lock: File,
}

impl Scratch {
    /// Makes one where temporary files go, outside of what is sealed.
    pub(super) fn make(environment: &Environment, sealed: &[PathBuf]) -> Result<Self, AppError> {
        let mut failure = None;
        for base in bases(environment, sealed) {
            sweep(&base);
            match Self::make_in(&base) {
                Ok(scratch) => return Ok(scratch),
                Err(error) => failure = Some(failure.unwrap_or(error)),
            }
        }
        let why = failure.unwrap_or_else(|| io::Error::other("the repository holds every folder for temporary files"));
        let hint = "TMPDIR=<a folder outside of the repository> git grill run -- <command>";
        Err(failed("io", "the run has no place for temporary files", &why, Some(hint.to_owned())))
    }

    fn make_in(base: &Path) -> io::Result<Self> {
        let path = base.join(format!("{PREFIX}{:016x}", KernelNonce.next()));
        let folder = |path: &Path| DirBuilder::new().mode(0o700).create(path);
        folder(&path)?;
        let scratch = Self { _lock: lock::folder(&path)?, path };
        folder(&scratch.tmp())?;
        Ok(scratch)
    }

    /// The part that the command may write.
    pub(super) fn tmp(&self) -> PathBuf {
        self.path.join("tmp")
    }

    /// The list of what was made in the working tree for this run.
    pub(super) fn made(&self) -> PathBuf {
        self.path.join(MADE)
    }

    /// Where the broker listens.
    pub(super) fn socket(&self) -> PathBuf {
        self.path.join("broker")
    }

    /// Where a server outside of the walls listens.
    #[cfg(feature = "acp")]
    pub(super) fn host(&self) -> PathBuf {
        self.path.join("host")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Where temporary files may go, the wished place first.
fn bases(environment: &Environment, sealed: &[PathBuf]) -> Vec<PathBuf> {
    let named = ["TMPDIR", "XDG_RUNTIME_DIR"].map(|name| environment.var(name).map(PathBuf::from));
    let [wished, runtime] = named;
    let all = [wished, Some("/tmp".into()), Some("/var/tmp".into()), runtime];
    let real = all.into_iter().flatten().filter(|path| path.is_absolute()).filter_map(|path| path.canonicalize().ok());
    real.filter(|path| !sealed.iter().any(|seal| path.starts_with(seal))).collect()
}

/// Removes what killed runs of this user left, wherever a run may put it.
#[cfg(feature = "acp")]
pub(in crate::world) fn sweep_scratch(environment: &Environment) {
    for base in bases(environment, &[]) {
        sweep(&base);
    }
}

/// Removes what killed runs of this user left in `base`.
pub(super) fn sweep(base: &Path) {
    let user = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        let ours = entry.metadata().is_ok_and(|about| about.is_dir() && about.uid() == user);
        if ours && let Ok(_held) = lock::folder(&entry.path()) {
            approved::unmake(&entry.path().join(MADE));
            remove(&entry.path());
        }
    }
}

/// Removes a folder; a command may have closed some of what it holds.
pub(super) fn remove(path: &Path) {
    if fs::remove_dir_all(path).is_err() {
        reopen(path);
        // What still stays goes with the next run, or with the system's own cleaning.
        let _ = fs::remove_dir_all(path);
    }
}

fn reopen(folder: &Path) {
    let _ = fs::set_permissions(folder, Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            reopen(&entry.path());
        }
    }
}
