//! What comes out of a layer: credentials as soon as they are refreshed, session logs at the end. Everything else that
//! was written to it is thrown away.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::Stat;

use super::refreshed::{NotRefreshed, refreshed};
use super::{files, logs};
use crate::agents::Folder;

pub const LARGEST_CREDENTIAL: u64 = 64 * 1024;
pub const LARGEST_LOG: u64 = 64 * 1024 * 1024;

/// One folder of an agent's, with where a run writes what it writes to it.
#[derive(Debug)]
pub struct Layered {
    pub folder: &'static Folder,
    pub real: PathBuf,
    /// The run's own part of it.
    pub upper: PathBuf,
    /// The credentials as they stood at the start, and as we last brought them out.
    pub stood: PathBuf,
}

/// When a run began, as the file system counts: what changed below later was changed by another process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Began(i64, i128);

impl Began {
    /// When this file was last changed.
    pub fn of(path: &Path) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt;
        let about = fs::symlink_metadata(path)?;
        Ok(Self(about.ctime(), about.ctime_nsec().into()))
    }
}

/// Why a file did not come out.
enum Stays {
    Since(&'static str),
    Failed(io::Error),
}

impl From<io::Error> for Stays {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<NotRefreshed> for Stays {
    fn from(NotRefreshed(why): NotRefreshed) -> Self {
        Self::Since(why)
    }
}

impl std::fmt::Display for Stays {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Since(why) => f.write_str(why),
            Self::Failed(error) => error.fmt(f),
        }
    }
}

impl Layered {
    pub fn remember(&self) -> io::Result<()> {
        let below = files::folder(&self.real)?;
        for name in self.folder.credentials {
            if let Some(bytes) = credential(&below, OsStr::new(name))? {
                let mut content = &bytes[..];
                files::put(files::folder(&self.stood)?, OsStr::new(name), &mut content, None)?;
            }
        }
        Ok(())
    }

    /// Brings refreshed credentials out; what could not be is said.
    pub fn credentials(&self) -> Vec<String> {
        let tell = |name: &&str| {
            let why = self.credential(OsStr::new(name)).err()?;
            let file = self.real.join(name);
            Some(format!("the run's change to {} was not kept: {why}", file.display()))
        };
        self.folder.credentials.iter().filter_map(tell).collect()
    }

    fn credential(&self, name: &OsStr) -> Result<(), Stays> {
        let (Ok(upper), Ok(below)) = (files::folder(&self.upper), files::folder(&self.real)) else {
            return Ok(());
        };
        let Some((written, about)) = files::file_in(&upper, name)? else {
            return Ok(());
        };
        if about.st_size.cast_unsigned() > LARGEST_CREDENTIAL {
            return Err(Stays::Since("it has more than 64 KiB"));
        }
        let written = files::bytes(written, LARGEST_CREDENTIAL)?.ok_or(Stays::Since("it has more than 64 KiB"))?;
        let Some((_, about)) = files::file_in(&below, name)? else {
            if is_empty(&written) {
                return Ok(());
            }
            return Err(Stays::Since(if files::is_there(&below, name) {
                "it is a link or not a regular file"
            } else {
                "it did not exist when the run began; log in outside of a run"
            }));
        };
        let now = credential(&below, name)?.ok_or(Stays::Since("another process changed it during the run"))?;
        if now == written {
            return Ok(());
        }
        let stood = files::folder(&self.stood)?;
        let mut next = name.to_owned();
        next.push(".next");
        if credential(&stood, name)?.as_ref() != Some(&now) && credential(&stood, &next)?.as_ref() != Some(&now) {
            return Err(Stays::Since("another process changed it during the run"));
        }
        refreshed(&now, &written)?;
        // First what is about to stand there, so that whoever goes on after us knows it for ours.
        files::put(&stood, &next, &mut &written[..], None)?;
        files::put(&below, name, &mut &written[..], Some(&about))?;
        files::put(&stood, name, &mut &written[..], None)?;
        Ok(())
    }

    /// Brings the session logs of a project out; what could not be is said.
    pub fn logs(&self, project: &str, began: Began) -> Vec<String> {
        let (Ok(upper), Ok(below)) = (files::folder(&self.upper), files::folder(&self.real)) else {
            return Vec::new();
        };
        let mut said = Vec::new();
        for way in self.folder.logs.iter().flat_map(|log| logs::found(&upper, &below, log, project)) {
            if let Err(why) = log(&upper, &below, &way, began) {
                let file = self.real.join(way.iter().collect::<PathBuf>());
                said.push(format!("{} was not kept: {why}", file.display()));
            }
        }
        said
    }
}

/// Whether nothing stands in a credential; some agents make such a file when they start.
fn is_empty(bytes: &[u8]) -> bool {
    let object = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(bytes);
    bytes.trim_ascii().is_empty() || object.is_ok_and(|fields| fields.is_empty())
}

fn credential(folder: &OwnedFd, name: &OsStr) -> io::Result<Option<Vec<u8>>> {
    match files::file_in(folder, name)? {
        Some((file, _)) => files::bytes(file, LARGEST_CREDENTIAL),
        None => Ok(None),
    }
}

/// Brings one log out, unless another process has changed the one below since the run began.
fn log(upper: &OwnedFd, below: &OwnedFd, way: &[OsString], began: Began) -> Result<(), Stays> {
    let Some((written, about)) = logs::open(upper, way)? else {
        return Ok(());
    };
    if about.st_size.cast_unsigned() > LARGEST_LOG {
        return Err(Stays::Since("it has more than 64 MiB"));
    }
    let Some((name, folders)) = way.split_last() else {
        return Ok(());
    };
    let mut folder = below.try_clone()?;
    for part in folders {
        folder = files::made_in(&folder, part)?;
    }
    let before = match files::file_in(&folder, name)? {
        Some((_, before)) if changed(&before) < began => Some(before),
        Some((file, _)) => {
            let ours = same(file, upper, way)?;
            return if ours { Ok(()) } else { Err(Stays::Since("another process changed it during the run")) };
        }
        None if files::is_there(&folder, name) => return Err(Stays::Since("it is not a regular file")),
        None => None,
    };
    Ok(files::put(&folder, name, &mut written.take(LARGEST_LOG), before.as_ref())?)
}

fn changed(about: &Stat) -> Began {
    Began(about.st_ctime, i128::from(about.st_ctime_nsec))
}

/// Whether the one below is what would come out.
fn same(below: fs::File, upper: &OwnedFd, way: &[OsString]) -> io::Result<bool> {
    let Some((written, _)) = logs::open(upper, way)? else {
        return Ok(false);
    };
    Ok(files::bytes(below, LARGEST_LOG)? == files::bytes(written, LARGEST_LOG)?)
}
