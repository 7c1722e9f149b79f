//! Who holds a lock, or has a lock file of git's open. A message that names no process leaves its reader nothing to do but
//! to wait.

use std::ffi::OsStr;
use std::fs::{DirEntry, Metadata, metadata, read, read_dir, read_link, read_to_string};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::parent_id;
use std::path::{Path, PathBuf};

use crate::app::ports::Holder;

/// Where Linux tells of processes; other systems have nothing there, and no holder is named.
pub(super) const PROCESSES: &str = "/proc";

/// The process that holds the lock of the file at `path`, as far as the system tells: Linux does of the user's own
/// processes. One that took the lock goes before one that inherited it.
pub fn of(path: &Path) -> Option<Holder> {
    let mut heir = None;
    for (process, taker) in processes(path, taker) {
        let Some(holder) = named(process) else { continue };
        if taker == process {
            return Some(holder);
        }
        heir = Some(holder);
    }
    heir
}

/// A process that has the file at `path` open, locked or not, as far as the system tells.
pub fn with_it_open(path: &Path) -> Option<Holder> {
    processes(path, |_, _| Some(())).into_iter().find_map(|(process, ())| named(process))
}

/// A process that may be at work with a lock of git's own: it has the file open, or it is a git in one of these folders,
/// since git closes the lock of the index while an editor is open. Whoever runs us is not meant.
pub fn at_work(lock: &Path, folders: &[PathBuf]) -> Option<Holder> {
    with_it_open(lock).or_else(|| git_in(folders))
}

/// Whether nobody works with a lock of git's own, however young it is: its maker would be seen, since the system tells of
/// this user's processes and the lock is this user's, none of them is at work with it, and it is the same file after that.
pub fn is_nobodys(lock: &Path, folders: &[PathBuf]) -> bool {
    let about = || lock.symlink_metadata().ok();
    let same = |one: &Metadata| (one.dev(), one.ino(), one.ctime(), one.ctime_nsec());
    let Some(before) = about() else { return false };
    let looks = metadata(Path::new(PROCESSES).join("self")).ok().map(|about| about.uid());
    // A git that ended during the look has taken its lock away, or another one has made a new one.
    looks == Some(before.uid())
        && at_work(lock, folders).is_none()
        && about().is_some_and(|after| same(&after) == same(&before))
}

/// A git that works in one of these folders, and was not told to run us: then it holds nothing itself.
fn git_in(folders: &[PathBuf]) -> Option<Holder> {
    let folders: Vec<PathBuf> = folders.iter().filter_map(|folder| folder.canonicalize().ok()).collect();
    let is_there = |process: &Path| {
        read_link(process.join("cwd")).is_ok_and(|at| folders.iter().any(|folder| at.starts_with(folder)))
    };
    let runs_us = |process: &Path| {
        read(process.join("cmdline")).is_ok_and(|line| line.split(|byte| *byte == 0).any(|word| word == b"grill"))
    };
    read_dir(PROCESSES).ok()?.flatten().find_map(|entry| {
        let holder = named(number(&entry)?).filter(|one| one.name == "git" && one.process != parent_id())?;
        (is_there(&entry.path()) && !runs_us(&entry.path())).then_some(holder)
    })
}

/// The processes that have a file open of which `tell` tells something, by the process and the number of the open file.
fn processes<T>(path: &Path, tell: impl Fn(&Path, &OsStr) -> Option<T>) -> Vec<(u32, T)> {
    let (Ok(file), Ok(listed)) = (metadata(path), read_dir(PROCESSES)) else { return Vec::new() };
    let told_of = |process: &Path| {
        // Others' processes are not ours to look into.
        read_dir(process.join("fd")).ok()?.flatten().find_map(|open| {
            let there = metadata(open.path()).ok()?;
            if is_same(&there, &file) { tell(process, &open.file_name()) } else { None }
        })
    };
    listed.flatten().filter_map(|entry| Some((number(&entry)?, told_of(&entry.path())?))).collect()
}

/// The process that an entry of the system's list is about; none where it is about something else.
fn number(entry: &DirEntry) -> Option<u32> {
    entry.file_name().to_str()?.parse().ok()
}

fn is_same(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// The process with its name, which is gone when it has just ended: then it holds nothing any more.
fn named(process: u32) -> Option<Holder> {
    let name = read_to_string(Path::new(PROCESSES).join(process.to_string()).join("comm")).ok()?;
    Some(Holder { process, name: name.trim_end().to_owned() })
}

/// Who took the lock of a file that a process has open.
fn taker(process: &Path, open: &OsStr) -> Option<u32> {
    let said = read_to_string(process.join("fdinfo").join(open)).ok()?;
    said.lines().find_map(|line| taker_said(line.strip_prefix("lock:")?))
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
