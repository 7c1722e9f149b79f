//! Where a supervisor listens: in the session's folder, which is its owner's alone. Where that path is longer than the system
//! takes for a socket, in a folder of ours in the runtime directory, whose name follows from it.

use std::fs::{DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use crate::domain::fnv::fnv1a;

/// The longest path of a socket that every system takes, in bytes.
const LONGEST: usize = 100;
const NAME: &str = "socket";

/// The place of the session in this folder.
pub(super) fn place(folder: &Path, runtime: Option<&Path>) -> PathBuf {
    let plain = folder.join(NAME);
    if plain.as_os_str().len() <= LONGEST {
        return plain;
    }
    let user = rustix::process::geteuid().as_raw();
    let base = match runtime {
        Some(runtime) => runtime.join("git-grill"),
        None => PathBuf::from(format!("/tmp/git-grill-{user}")),
    };
    base.join(format!("{:016x}", fnv1a(folder.as_os_str().as_encoded_bytes().iter().copied())))
}

/// A socket of ours that goes with its supervisor.
pub(super) struct Socket {
    path: PathBuf,
}

impl Socket {
    /// Listens there. Whoever holds the session's ledger is the only one to do so: what stands there was left behind.
    pub(super) fn bind(path: PathBuf) -> io::Result<(Self, UnixListener)> {
        if let Some(folder) = path.parent() {
            private(folder)?;
        }
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        let listener = UnixListener::bind(&path)?;
        std::fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        Ok((Self { path }, listener))
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        // It is in nobody's way: nobody listens there.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Makes a folder of ours alone, or checks the one that is there.
fn private(folder: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let about = std::fs::symlink_metadata(folder)?;
    let is_ours = about.is_dir()
        && about.uid() == rustix::process::geteuid().as_raw()
        && about.permissions().mode().trailing_zeros() >= 6;
    if is_ours { Ok(()) } else { Err(io::Error::new(io::ErrorKind::PermissionDenied, "its folder is not ours alone")) }
}
