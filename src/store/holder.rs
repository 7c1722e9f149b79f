//! Who holds a lock. A message that names no process leaves its reader nothing to do but to wait.

use std::fs::{Metadata, metadata, read, read_dir, read_link, read_to_string};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::app::ports::Holder;

/// Where Linux tells of processes; other systems have nothing there, and no holder is named.
const PROCESSES: &str = "/proc";

/// The process that holds the lock of the file at `path`, as far as the system tells: Linux does of the user's own
/// processes. One that took the lock goes before one that inherited it.
pub fn of(path: &Path) -> Option<Holder> {
    let file = metadata(path).ok()?;
    let mut heir = None;
    for entry in read_dir(PROCESSES).ok()?.flatten() {
        let Some(process) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let Some(taker) = taker(&entry.path(), &file) else { continue };
        // Its name is gone when it has just ended, and then it holds nothing any more.
        let Ok(name) = read_to_string(entry.path().join("comm")) else { continue };
        let holder = Holder { process, name: name.trim_end().to_owned() };
        if taker == process {
            return Some(holder);
        }
        heir = Some(holder);
    }
    heir
}

/// A process that may be at work with a lock of git's own: it has the file open, or it is a git in one of these folders,
/// since git closes the lock of the index while an editor is open. Whoever runs us is not meant.
pub fn at_work(lock: &Path, folders: &[PathBuf]) -> Option<Holder> {
    let file = metadata(lock).ok()?;
    let folders: Vec<PathBuf> = folders.iter().filter_map(|folder| folder.canonicalize().ok()).collect();
    let parent = rustix::process::getppid().and_then(|process| u32::try_from(process.as_raw_nonzero().get()).ok());
    read_dir(PROCESSES).ok()?.flatten().find_map(|entry| {
        let process: u32 = entry.file_name().to_str()?.parse().ok()?;
        let name = read_to_string(entry.path().join("comm")).ok()?.trim_end().to_owned();
        let is_git_there = || {
            let there =
                read_link(entry.path().join("cwd")).is_ok_and(|at| folders.iter().any(|one| at.starts_with(one)));
            name == "git" && there && Some(process) != parent && !runs_us(&entry.path())
        };
        let opened = || Some(read_dir(entry.path().join("fd")).ok()?.flatten().any(|open| is_at(&open.path(), &file)));
        (opened().unwrap_or(false) || is_git_there()).then_some(Holder { process, name })
    })
}

/// Whether a git was told to run us: it holds nothing itself.
fn runs_us(process: &Path) -> bool {
    read(process.join("cmdline")).is_ok_and(|line| line.split(|byte| *byte == 0).any(|word| word == b"grill"))
}

fn is_at(path: &Path, file: &Metadata) -> bool {
    metadata(path).is_ok_and(|there| (there.dev(), there.ino()) == (file.dev(), file.ino()))
}

/// Who took the lock of the file that this process has open with its lock.
fn taker(process: &Path, file: &Metadata) -> Option<u32> {
    // Others' processes are not ours to look into.
    read_dir(process.join("fd")).ok()?.flatten().find_map(|open| {
        let said =
            is_at(&open.path(), file).then(|| read_to_string(process.join("fdinfo").join(open.file_name())).ok())??;
        said.lines().find_map(|line| taker_said(line.strip_prefix("lock:")?))
    })
}

/// The process in `1: FLOCK  ADVISORY  WRITE 4711 fe:01:1234 0 EOF` (proc(5)).
fn taker_said(lock: &str) -> Option<u32> {
    let mut words = lock.split_whitespace().skip(1);
    (words.next() == Some("FLOCK")).then(|| words.nth(2)?.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_taker_of_a_lock_is_read_and_nobody_is_made_up() {
        for (lock, taker) in [
            ("\t1: FLOCK  ADVISORY  WRITE 4711 fe:01:1234 0 EOF", Some(4711)),
            ("\t1: POSIX  ADVISORY  WRITE 4711 fe:01:1234 0 EOF", None),
            ("\t1: FLOCK  ADVISORY  WRITE", None),
            ("\t1: FLOCK  ADVISORY  WRITE -1 fe:01:1234 0 EOF", None),
            ("", None),
        ] {
            assert_eq!(taker_said(lock), taker, "{lock}");
        }
    }
}
