//! The walls, as Linux lets us build them around this process.

mod calls;
mod covers;
mod devices;
mod init;
mod kernel;
mod landlock;
mod mounts;
mod overlays;
mod private;
mod privileges;
mod processes;
mod signals;
mod streams;
mod terminal;
mod warden;

use std::io;
use std::path::PathBuf;

use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;
use rustix::thread::UnshareFlags;

use super::{Abilities, Built, Confinement, Missing, WITHOUT_WALLS, Wall, Walled, Walls};
use calls::Refused;
use mounts::Processes;
use private::Private;
use streams::Streams;

pub use processes::{Inside, divide, divide_openly};
pub use streams::BadStream;
pub use warden::{adopt_orphans, end_orphans};

#[derive(Debug, thiserror::Error)]
pub enum NoWalls {
    /// What was wanted cannot be built here.
    #[error("the kernel does not let this run be read-only: {0}")]
    Lacking(String),
    /// Through a standard stream more could be written than the caller says.
    #[error(transparent)]
    Stream(#[from] BadStream),
    #[error("{} cannot be entered: {why}", dir.display())]
    NoFolder { dir: PathBuf, why: io::Error },
    #[error("a privilege could not be given up: {0}")]
    Privileged(#[source] io::Error),
    /// The process that watches the run cannot be relied on.
    #[error("no process can watch it: {0}")]
    Outside(#[source] io::Error),
    /// Everything was built, and still a file can be written.
    #[error("{} could still be written behind the walls", .0.display())]
    Leaking(PathBuf),
    /// Without its owner's rights the repository cannot be read.
    #[error("{} cannot be read without the privileges that the run gives up", .0.display())]
    Unreadable(PathBuf),
}

impl NoWalls {
    pub fn hint(&self) -> String {
        match self {
            Self::Stream(bad) => bad.hint(),
            Self::Lacking(_)
            | Self::NoFolder { .. }
            | Self::Privileged(_)
            | Self::Outside(_)
            | Self::Leaking(_)
            | Self::Unreadable(_) => WITHOUT_WALLS.to_owned(),
        }
    }
}

/// Builds the walls around this process, for good. Whatever it runs from now on is behind them.
pub fn confine(confinement: &Confinement, inside: &mut Inside) -> Result<Walled, NoWalls> {
    let mut streams = Streams::look()?;
    kernel::keep_only_standard_streams().map_err(NoWalls::Privileged)?;
    let processes = if inside.own.is_ok() { Processes::Own } else { Processes::Shared };
    let (mounts, private) = match mounts::build(confinement, processes) {
        Ok(private) => (Built::Stands, private),
        Err(failed) => {
            let why = format!("cannot {}: {}", failed.step, failed.error);
            let private = Private::without_mounts(confinement, &why);
            (Built::Lacks(why), private)
        }
    };
    // Only from here on does the folder's path lead through the new mounts.
    rustix::process::chdir(&confinement.dir)
        .map_err(|why| NoWalls::NoFolder { dir: confinement.dir.clone(), why: why.into() })?;
    if mounts == Built::Stands {
        streams.reopen()?;
    }
    inside.streams = streams;
    privileges::never_gain().map_err(NoWalls::Privileged)?;
    let own = inside.own.clone().map_or_else(Built::Lacks, |()| Built::Stands);
    let memory = kernel::unshare(UnshareFlags::NEWIPC).map_or_else(lacks, |()| Built::Stands);
    let first = vec![(Wall::Mounts, mounts), (Wall::Processes, own), (Wall::Memory, memory)];
    let mut walls = Walled { walls: first, ..Walled::default() };
    if confinement.walls == Walls::MountsAndLandlock || !walls.stands(Wall::Mounts) {
        walls.walls.push((Wall::Landlock, files(confinement, &private)));
    }
    walls.walls.push((Wall::Scopes, scopes()));
    privileges::drop_all().map_err(NoWalls::Privileged)?;
    // Where nothing keeps it from writing, modes and times are its own as well.
    let alone = walls.stands(Wall::Landlock) && !walls.stands(Wall::Mounts);
    let refused = if alone { Refused::TypingAndAttributes } else { Refused::Typing };
    walls.walls.push((Wall::Calls, calls::refuse(refused).map_or_else(lacks, |()| Built::Stands)));
    enough(confinement, &walls)?;
    inside.end_with_outside().map_err(NoWalls::Outside)?;
    walls.said = private.told(walls.stands(Wall::Mounts) || walls.stands(Wall::Landlock));
    walls.variables = private.variables;
    Ok(walls)
}

fn files(confinement: &Confinement, private: &Private) -> Built {
    match kernel::landlock_version() {
        Ok(version) if version >= landlock::WHOLE => {
            landlock::restrict_files(confinement, private).map_or_else(lacks, |()| Built::Stands)
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
            .filter(|(wall, _)| wall.keeps_from_writing())
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

/// What can be built here; the caller gives up a process for it, since mounts are tried on this one.
pub fn abilities() -> Abilities {
    let nothing = Confinement { missing: Missing::Say, ..Confinement::from_args(&[]).expect("no argument is wrong") };
    Abilities {
        landlock: kernel::landlock_version().map_err(|error| error.to_string()),
        mounts: mounts::build(&nothing, Processes::Shared)
            .map(drop)
            .map_err(|failed| format!("cannot {}: {}", failed.step, failed.error)),
    }
}
