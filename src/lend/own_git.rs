//! A git directory of ours, in which the files of a copy are read. Its configuration is written here and names no
//! program; neither the user's files nor the agent's reach it. It borrows the parent's objects.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use super::error::LendError;
use super::notes::Notes;
use super::parent::{FORCED, Parent};
use super::settings::Settings;
use crate::app::ports::Process;
use crate::files::regular;
use crate::git::Git;

/// Files in the parent's `info` that decide what is ignored and how content is converted.
const INFO: [&str; 2] = ["exclude", "attributes"];

/// Where the objects go that a run writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ObjectsIn {
    /// Our own folder, which goes with the copy.
    Own,
    /// The parent's, on the disk before the run ends: they are to stay.
    Parent,
}

pub(super) struct OwnGit<'a> {
    pub process: &'a dyn Process,
    dir: PathBuf,
    objects: PathBuf,
    into: ObjectsIn,
}

impl<'a> OwnGit<'a> {
    /// The one in these notes.
    pub(super) fn at(parent: &Parent<'a>, notes: &Notes, into: ObjectsIn) -> Self {
        Self { process: parent.process, dir: notes.git_dir(), objects: parent.objects(), into }
    }

    /// Makes it.
    pub(super) fn make(parent: &Parent<'a>, notes: &Notes, settings: &Settings) -> Result<Self, LendError> {
        const DOING: &str = "making a git directory to read with";
        let failed = |error: std::io::Error| LendError::failed(DOING, error);
        let own = Self::at(parent, notes, ObjectsIn::Own);
        initialised(parent, &own.dir, Layout::Bare)?;
        append(&own.dir.join("config"), &settings.for_reading()).map_err(failed)?;
        carry_info(parent, &own.dir).map_err(failed)?;
        Ok(own)
    }

    /// git in it, with this index file.
    pub(super) fn git<A: Into<OsString>>(&self, index: &Path, words: impl IntoIterator<Item = A>) -> Git {
        let git = alone(Git::new(words).inside(&self.dir)).silent().reading().with("GIT_INDEX_FILE", index);
        match self.into {
            ObjectsIn::Own => {
                let git = git.without("GIT_OBJECT_DIRECTORY");
                git.with("GIT_ALTERNATE_OBJECT_DIRECTORIES", listed(&self.objects))
            }
            ObjectsIn::Parent => {
                let git = git.without("GIT_ALTERNATE_OBJECT_DIRECTORIES").settings(FORCED);
                git.with("GIT_OBJECT_DIRECTORY", &self.objects)
            }
        }
    }

    pub(super) fn ask(&self, doing: &str, git: Git) -> Result<Vec<u8>, LendError> {
        git.ask(self.process).map_err(|error| LendError::failed(doing, error))
    }
}

/// A repository with files of its own, or without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    Bare,
    WithFiles,
}

/// Makes an empty repository that names objects as the parent does, from no template.
pub(super) fn initialised(parent: &Parent<'_>, dir: &Path, layout: Layout) -> Result<(), LendError> {
    const DOING: &str = "making a repository";
    let named = parent.ask(DOING, &["rev-parse", "--show-object-format"])?;
    let format = format!("--object-format={}", String::from_utf8_lossy(&named).trim());
    let mut words: Vec<OsString> = vec!["init".into(), "-q".into(), "--template=".into(), format.into()];
    if layout == Layout::Bare {
        words.push("--bare".into());
    }
    words.push(dir.into());
    // Since git 2.45 the user may have set another format of refs; older ones know this variable as little as the
    // format.
    let git = alone(Git::new(words).exactly_at(dir.parent().unwrap_or(dir))).with("GIT_DEFAULT_REF_FORMAT", "files");
    git.silent().ask(parent.process).map(drop).map_err(|error| LendError::failed(DOING, error))
}

/// git that reads no configuration but the repository's own.
fn alone(git: Git) -> Git {
    let git = git.without("GIT_CONFIG_PARAMETERS").without("GIT_CONFIG_COUNT").without("GIT_CONFIG");
    git.with("GIT_CONFIG_GLOBAL", "/dev/null").with("GIT_CONFIG_NOSYSTEM", "1").with("GIT_ATTR_NOSYSTEM", "1")
}

/// Copies what the parent says of ignored files and attributes beside the files that are tracked.
pub(super) fn carry_info(parent: &Parent<'_>, git_dir: &Path) -> std::io::Result<()> {
    for name in INFO {
        carry(&parent.common_dir.join("info").join(name), &git_dir.join("info").join(name))?;
    }
    Ok(())
}

/// Copies a short file, if it is there.
pub(super) fn carry(from: &Path, to: &Path) -> std::io::Result<()> {
    let bytes = match regular::bytes(from, regular::LONG) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    regular::write(to, bytes)
}

pub(super) fn append(file: &Path, text: &[u8]) -> std::io::Result<()> {
    regular::at_its_end(file)?.write_all(text)
}

/// A folder of objects as git takes it in a list: quoted where its name would end there.
pub(super) fn listed(folder: &Path) -> OsString {
    let name = folder.as_os_str().as_bytes();
    if !name.iter().any(|byte| b":\n\"".contains(byte)) {
        return folder.as_os_str().to_owned();
    }
    let mut quoted = b"\"".to_vec();
    for byte in name {
        match byte {
            b'"' | b'\\' => quoted.extend_from_slice(&[b'\\', *byte]),
            b'\n' => quoted.extend_from_slice(b"\\n"),
            other => quoted.push(*other),
        }
    }
    quoted.push(b'"');
    OsString::from_vec(quoted)
}

/// A path of the working tree as the system takes it.
pub(super) fn os(path: &[u8]) -> &OsStr {
    OsStr::from_bytes(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_objects_may_have_any_name() {
        assert_eq!(listed(Path::new("/a b/objects")), "/a b/objects");
        assert_eq!(listed(Path::new("/a:b/\"c\\d/objects")), "\"/a:b/\\\"c\\\\d/objects\"");
    }
}
