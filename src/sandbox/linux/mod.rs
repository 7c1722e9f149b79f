//! The walls, as Linux lets us build them around this process.

mod calls;
mod devices;
mod kernel;
mod landlock;
mod mounts;
mod privileges;

use std::io;
use std::os::fd::AsFd;
use std::path::PathBuf;

use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;
use rustix::process::{Pid, Signal};

use super::{Abilities, Built, Confinement, Missing, Wall, Walled, Walls};
use calls::Refused;

/// Why there is no run.
#[derive(Debug, thiserror::Error)]
pub enum NoWalls {
    /// What was wanted cannot be built here.
    #[error("the kernel does not let this run be read-only: {0}")]
    Lacking(String),
    /// A standard stream is a folder, through which all of it could be written.
    #[error("standard stream {0} is a folder, and what is below it could be written through it")]
    FolderAsStream(usize),
    /// The folder to run in is not there.
    #[error("{} cannot be entered: {why}", dir.display())]
    NoFolder {
        /// Which.
        dir: PathBuf,
        /// What the system said.
        why: io::Error,
    },
    /// A privilege could not be given up.
    #[error("a privilege could not be given up: {0}")]
    Privileged(#[source] io::Error),
    /// Everything was built, and still a file can be written.
    #[error("{} could still be written behind the walls", .0.display())]
    Leaking(PathBuf),
    /// Without its owner's rights the repository cannot be read.
    #[error("{} cannot be read without the privileges that the run gives up", .0.display())]
    Unreadable(PathBuf),
}

/// Builds the walls around this process, for good. Whatever it runs from now on is behind them.
pub fn confine(confinement: &Confinement) -> Result<Walled, NoWalls> {
    no_folders_as_streams()?;
    kernel::keep_only_standard_streams().map_err(NoWalls::Privileged)?;
    let mounts = match mounts::build(confinement) {
        Ok(()) => Built::Stands,
        Err(failed) => Built::Lacks(format!("cannot {}: {}", failed.step, failed.error)),
    };
    // Only from here on does the folder's path lead through the new mounts.
    rustix::process::chdir(&confinement.dir)
        .map_err(|why| NoWalls::NoFolder { dir: confinement.dir.clone(), why: why.into() })?;
    privileges::never_gain().map_err(NoWalls::Privileged)?;
    let mut walls = Walled(vec![(Wall::Mounts, mounts)]);
    if confinement.walls == Walls::MountsAndLandlock || !walls.stands(Wall::Mounts) {
        walls.0.push((Wall::Landlock, files(confinement)));
    }
    walls.0.push((Wall::Scopes, scopes()));
    privileges::drop_all().map_err(NoWalls::Privileged)?;
    let refused = if walls.stands(Wall::Mounts) { Refused::Typing } else { Refused::TypingAndAttributes };
    walls.0.push((Wall::Calls, calls::refuse(refused).map_or_else(lacks, |()| Built::Stands)));
    enough(confinement, &walls)?;
    hang_up_with_keeper(confinement).map_err(NoWalls::Privileged)?;
    Ok(walls)
}

fn files(confinement: &Confinement) -> Built {
    match kernel::landlock_version() {
        Ok(version) if version >= landlock::WHOLE => {
            landlock::restrict_files(confinement).map_or_else(lacks, |()| Built::Stands)
        }
        Ok(version) => {
            Built::Lacks(format!("its version is {version}, and what is safe begins with {}", landlock::WHOLE))
        }
        Err(error) => lacks(error),
    }
}

fn scopes() -> Built {
    match kernel::landlock_version() {
        Ok(version) if version >= landlock::SCOPES => {
            landlock::restrict_scopes().map_or_else(lacks, |()| Built::Stands)
        }
        Ok(version) => Built::Lacks(format!("its version is {version}, and they begin with {}", landlock::SCOPES)),
        Err(error) => lacks(error),
    }
}

fn lacks(error: impl std::error::Error) -> Built {
    Built::Lacks(error.to_string())
}

/// Whether what stands keeps the repository as it is. The kernel is asked, not our own account of what we built.
fn enough(confinement: &Confinement, walls: &Walled) -> Result<(), NoWalls> {
    let agents = confinement.walls == Walls::Mounts;
    let held = walls.stands(Wall::Mounts) || (!agents && walls.stands(Wall::Landlock));
    if confinement.missing == Missing::Refuse && !(held && walls.stands(Wall::Calls)) {
        let lacking: Vec<String> = walls
            .lacking()
            .filter(|(wall, _)| *wall != Wall::Scopes)
            .map(|(wall, why)| format!("{} ({why})", wall.name()))
            .collect();
        return Err(NoWalls::Lacking(lacking.join("; ")));
    }
    for path in &confinement.sealed {
        if (walls.stands(Wall::Mounts) || walls.stands(Wall::Landlock)) && can_write(path) {
            return Err(NoWalls::Leaking(path.clone()));
        }
        if rustix::fs::openat(CWD, path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).err() == Some(Errno::ACCESS) {
            return Err(NoWalls::Unreadable(path.clone()));
        }
    }
    Ok(())
}

/// Whether none of these folders can be written by this process, whatever the reason.
pub fn is_confined(sealed: &[PathBuf]) -> bool {
    !sealed.is_empty() && !sealed.iter().any(can_write)
}

/// A nameless file is tried: nothing of the folder changes, not even its time.
fn can_write(folder: &PathBuf) -> bool {
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    match rustix::fs::openat(CWD, folder, flags, Mode::RUSR | Mode::WUSR) {
        Ok(_) => true,
        Err(error) => ![Errno::ROFS, Errno::ACCESS, Errno::PERM, Errno::NOTDIR, Errno::NOENT].contains(&error),
    }
}

fn no_folders_as_streams() -> Result<(), NoWalls> {
    let (stdin, stdout, stderr) = (io::stdin(), io::stdout(), io::stderr());
    for (number, stream) in [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()].into_iter().enumerate() {
        let folder =
            rustix::fs::fstat(stream).is_ok_and(|about| rustix::fs::FileType::from_raw_mode(about.st_mode).is_dir());
        if folder {
            return Err(NoWalls::FolderAsStream(number));
        }
    }
    Ok(())
}

/// A command that nobody waits for any more is told so, as when a terminal goes away.
fn hang_up_with_keeper(confinement: &Confinement) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::HUP))?;
    let gone =
        rustix::process::getppid().map(Pid::as_raw_nonzero).map(i32::from) != i32::try_from(confinement.keeper).ok();
    // It may have ended before it was watched.
    if gone && confinement.keeper != 0 {
        return Err(io::Error::other("the process outside is gone"));
    }
    Ok(())
}

/// What can be built here; the caller gives up a process for it, since mounts are tried on this one.
pub fn abilities() -> Abilities {
    let nothing = Confinement { missing: Missing::Say, ..Confinement::from_args(&[]).expect("no argument is wrong") };
    Abilities {
        landlock: kernel::landlock_version().map_err(|error| error.to_string()),
        mounts: mounts::build(&nothing).map_err(|failed| format!("cannot {}: {}", failed.step, failed.error)),
    }
}
