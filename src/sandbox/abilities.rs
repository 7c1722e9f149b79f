//! What this machine can do, and what a run got of it.

use std::fmt;

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

/// One wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wall {
    /// Private mounts, everything on them read-only.
    Mounts,
    /// Landlock over files.
    Landlock,
    /// Landlock over signals and abstract sockets.
    Scopes,
    /// The system calls that type into a terminal, or change what Landlock leaves open, are refused.
    Calls,
}

impl Wall {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mounts => "private mounts",
            Self::Landlock => "Landlock",
            Self::Scopes => "Landlock's scopes",
            Self::Calls => "the filter of system calls",
        }
    }
}

/// What became of one wall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Built {
    /// It stands.
    Stands,
    /// The kernel does not have it, or did not let us.
    Lacks(String),
}

/// What stands around a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walled(pub Vec<(Wall, Built)>);

impl Walled {
    /// Whether a wall stands.
    pub fn stands(&self, wall: Wall) -> bool {
        self.0.iter().any(|(one, built)| *one == wall && *built == Built::Stands)
    }

    /// The walls that were wanted and are not there, with the reason.
    pub fn lacking(&self) -> impl Iterator<Item = (Wall, &str)> {
        self.0.iter().filter_map(|(wall, built)| match built {
            Built::Stands => None,
            Built::Lacks(why) => Some((*wall, why.as_str())),
        })
    }
}
