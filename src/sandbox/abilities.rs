//! What this machine can do, and what a run got of it.

use std::fmt;
use std::path::PathBuf;

/// What the kernel lets us build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// The version of Landlock's interface; why there is none otherwise.
    pub landlock: Result<u32, String>,
    /// Private mounts; why there are none otherwise.
    pub mounts: Result<(), String>,
}

impl Abilities {
    /// Whether a run can be kept from writing here. Private mounts alone do it, and so does Landlock but for modes and
    /// times of files.
    pub fn keeps_from_writing(&self) -> bool {
        self.mounts.is_ok() || self.landlock.is_ok()
    }
}

impl fmt::Display for Abilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.landlock, &self.mounts) {
            (Ok(version), Ok(())) => write!(f, "kernel: landlock v{version} + mount"),
            (Ok(version), Err(_)) => write!(f, "kernel: landlock v{version} only"),
            (Err(_), Ok(())) => f.write_str("kernel: mount only"),
            (Err(_), Err(_)) => f.write_str("kernel: none"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wall {
    /// Private mounts, everything on them read-only.
    Mounts,
    /// A process namespace: no process goes on after the run, whatever becomes of git grill.
    Processes,
    /// An IPC namespace: shared memory and message queues go with the run.
    Memory,
    /// Landlock over files.
    Landlock,
    /// Landlock over signals and abstract sockets.
    Scopes,
    /// The system calls that type into a terminal, or change what Landlock leaves open, are refused.
    Calls,
}

impl Wall {
    pub fn name(self) -> &'static str {
        match self {
            Self::Mounts => "private mounts",
            Self::Processes => "a process namespace",
            Self::Memory => "an IPC namespace",
            Self::Landlock => "Landlock",
            Self::Scopes => "Landlock's scopes",
            Self::Calls => "the filter of system calls",
        }
    }

    pub fn keeps_from_writing(self) -> bool {
        match self {
            Self::Mounts | Self::Landlock | Self::Calls => true,
            Self::Processes | Self::Memory | Self::Scopes => false,
        }
    }

    /// What can stay behind where this wall is missing, in a sentence; none where a run leaves nothing.
    pub fn leaves(self) -> Option<&'static str> {
        match self {
            Self::Processes => Some("a process that detaches itself can go on if git grill is killed during this run"),
            Self::Memory => Some("System V shared memory and message queues that this run makes stay after it"),
            Self::Mounts | Self::Landlock | Self::Scopes | Self::Calls => None,
        }
    }
}

/// What became of one wall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Built {
    Stands,
    /// The kernel does not have it, or did not let us.
    Lacks(String),
}

/// What stands around a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walled {
    pub walls: Vec<(Wall, Built)>,
    /// Variables that lead the agent to a private copy of its folder, where no layer could be put over it.
    pub variables: Vec<(String, PathBuf)>,
    /// What the run was to have of its own and fell back to something narrower, in sentences.
    pub said: Vec<String>,
}

impl Walled {
    pub fn stands(&self, wall: Wall) -> bool {
        self.walls.iter().any(|(one, built)| *one == wall && *built == Built::Stands)
    }

    /// The walls that were wanted and are not there, with the reason.
    pub fn lacking(&self) -> impl Iterator<Item = (Wall, &str)> {
        self.walls.iter().filter_map(|(wall, built)| match built {
            Built::Stands => None,
            Built::Lacks(why) => Some((*wall, why.as_str())),
        })
    }
}
