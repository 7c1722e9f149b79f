//! The temporary files beside a target, under names that tell whose they are. Each is locked while its writer lives.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};

use rustix::fs::{AtFlags, FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use super::resolve::{Place, Trouble};
use crate::domain::ids::ObjectId;
use crate::files::fresh::Fresh;
use crate::files::lock;

/// How many names are tried: so many processes may write the same bytes to one place at once.
const NAMES_TRIED: usize = 16;

/// Removes what writers of these bytes left beside a target who died.
pub(super) fn tidy(place: &Place, blob: &ObjectId) {
    for number in 0..NAMES_TRIED {
        left_behind(place, &named(blob, number));
    }
}

/// Makes a temporary file beside a target, and locks it.
pub(super) fn make<'p>(place: &'p Place, blob: &ObjectId) -> Result<(File, Fresh<'p>), Trouble> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    for number in 0..NAMES_TRIED {
        let name = named(blob, number);
        left_behind(place, &name);
        match rustix::fs::openat(&place.folder, &name, flags, Mode::from_raw_mode(0o666)) {
            // Nobody who tidies up has taken it between the two calls, or else it is as good as another one's.
            Ok(file) if is_ours_alone(&file) => return Ok((file.into(), Fresh::at(place.folder.as_fd(), name))),
            Ok(_) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Trouble::Io(io::Error::new(
        io::ErrorKind::AlreadyExists,
        "temporary files of earlier runs are in the way: .grill-*.tmp",
    )))
}

/// What the temporary file for these bytes is called.
fn named(blob: &ObjectId, number: usize) -> OsString {
    OsString::from(format!(".grill-{}-{number}.tmp", blob.short()))
}

/// Locks a temporary file for as long as it is being written, so that it can be told from one that was left. Where there
/// are no such locks nobody tidies up either.
fn is_ours_alone(file: &OwnedFd) -> bool {
    match rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => rustix::fs::fstat(file).is_ok_and(|about| about.st_nlink > 0),
        Err(Errno::NOTSUP | Errno::NOSYS | Errno::NOLCK) => true,
        Err(_) => false,
    }
}

/// Removes a temporary file that nobody writes any more.
fn left_behind(place: &Place, name: &OsString) {
    // With its lock held nobody else removes it, so the name is still that of the file that was looked at.
    if let Some(_held) = lock::unheld_in(place.folder.as_fd(), name) {
        // One that does not go away costs the next writer another name.
        let _ = rustix::fs::unlinkat(&place.folder, name, AtFlags::empty());
    }
}
