//! Files that the person names: read from anywhere, and written into a folder of their own outside of the repository.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use crate::app::desk::Elsewhere;
use crate::app::error::AppError;

use super::failure::failed;

/// The longest text that is read; a draft that is longer fits into no record.
const LONGEST: u64 = 4 << 20;

/// Everything there is to read, unless that is too long.
pub(super) fn whole(from: impl io::Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if from.take(LONGEST + 1).read_to_end(&mut bytes)? as u64 > LONGEST {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {LONGEST} bytes")));
    }
    Ok(bytes)
}

/// The files of this machine.
pub(super) struct Machine {
    /// Where the person stands.
    pub cwd: PathBuf,
    /// What belongs to the repository, where nothing is written past its rules.
    pub within: Vec<PathBuf>,
}

impl Elsewhere for Machine {
    fn read(&self, file: &str) -> Result<String, AppError> {
        let path = self.cwd.join(file);
        text(&path, fs::File::open(&path), None)
    }

    fn read_regular(&self, file: &str, hint: &str) -> Result<String, AppError> {
        let path = self.cwd.join(file);
        text(&path, regular(&path), Some(hint.to_owned()))
    }

    fn fill(&self, folder: &str, files: &[(String, String)]) -> Result<PathBuf, AppError> {
        let named = self.cwd.join(folder);
        let not_written = format!("nothing was exported to {}", named.display());
        let wrong = |error: io::Error| failed("io", &not_written, &error, None);
        let folder = real(&named).map_err(wrong)?;
        if self.within.iter().any(|place| fs::canonicalize(place).is_ok_and(|place| folder.starts_with(place))) {
            return Err(AppError::Declined {
                code: "inside_repository",
                message: format!("{not_written}: it lies in the repository"),
                causes: Vec::new(),
                hint: "git grill draft --export ../issues; or git grill select github-issues --path issues, which has \
                       them approved as files"
                    .to_owned(),
            });
        }
        if taken(&folder).map_err(wrong)? {
            return Err(AppError::Declined {
                code: "not_empty",
                message: format!("{not_written}: something is there already"),
                causes: Vec::new(),
                hint: "git grill draft --export <a new folder>".to_owned(),
            });
        }
        publish(&folder, files).map_err(wrong)?;
        Ok(folder)
    }
}

/// The text of a file that was opened.
fn text(path: &Path, opened: io::Result<fs::File>, hint: Option<String>) -> Result<String, AppError> {
    let not_read = format!("{} could not be read, and nothing changed", path.display());
    let read = opened.and_then(whole).and_then(|bytes| io::read_to_string(bytes.as_slice()));
    read.map_err(|error| failed("io", &not_read, &error, hint))
}

/// Opens a regular file. Not even opening waits, as it does for the writer of a pipe.
fn regular(path: &Path) -> io::Result<fs::File> {
    let file = fs::OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is not a regular file")) }
}

/// The path without links, as far as it exists.
fn real(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Ok(real) => Ok(real),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match (path.parent(), path.file_name()) {
            // A link that leads nowhere is there all the same, and would be followed.
            (Some(above), Some(name)) if fs::symlink_metadata(path).is_err() => Ok(real(above)?.join(name)),
            (Some(_) | None, _) => Err(error),
        },
        Err(error) => Err(error),
    }
}

/// Whether something stands there that is no empty folder.
fn taken(folder: &Path) -> io::Result<bool> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_some()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(true),
        Err(error) => Err(error),
    }
}

/// Writes all files into a folder beside the one that is meant and puts it in its place, which a folder that is not empty
/// keeps by itself: whatever happens, there are all of them or none.
fn publish(folder: &Path, files: &[(String, String)]) -> io::Result<()> {
    let (Some(above), Some(name)) = (folder.parent(), folder.file_name()) else {
        return Err(io::Error::other("it has no name"));
    };
    fs::create_dir_all(above)?;
    let mut beside = OsString::from(".");
    beside.push(name);
    beside.push(format!(".grill-{}", std::process::id()));
    let beside = above.join(beside);
    fs::create_dir(&beside)?;
    let written = files.iter().try_for_each(|(name, text)| {
        let mut file = fs::OpenOptions::new().write(true).create_new(true).open(beside.join(name))?;
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&beside, folder)).inspect_err(|_| {
        // What cannot be taken away again is in nobody's way.
        let _ = fs::remove_dir_all(&beside);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[&str]) -> Vec<(String, String)> {
        names.iter().map(|name| ((*name).to_owned(), format!("{name}\n"))).collect()
    }

    #[test]
    fn g32_a_folder_gets_all_files_or_none_and_is_never_one_of_the_repository() {
        let scratch = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(scratch.path()).unwrap();
        fs::create_dir_all(root.join("repo/.git")).unwrap();
        let machine = Machine { cwd: root.join("repo"), within: vec![root.join("repo")] };
        std::os::unix::fs::symlink(root.join("repo"), root.join("link")).unwrap();
        std::os::unix::fs::symlink(root.join("nowhere"), root.join("dangling")).unwrap();
        fs::create_dir(root.join("empty")).unwrap();
        for inside in ["out", ".", ".git/out", "../link/out", "../repo/a/b"] {
            let error = machine.fill(inside, &files(&["a.md"])).unwrap_err();
            assert_eq!(error.code(), "inside_repository", "{inside}");
        }
        for outside in ["../new", "../empty", "../deep/er"] {
            let folder = machine.fill(outside, &files(&["a.md", "b.md"])).unwrap();
            assert_eq!(fs::read_to_string(folder.join("b.md")).unwrap(), "b.md\n");
            assert_eq!(machine.fill(outside, &files(&["a.md"])).unwrap_err().code(), "not_empty");
        }
        assert_eq!(machine.fill("../new/a.md", &files(&["a.md"])).unwrap_err().code(), "not_empty");
        assert!(machine.fill("../dangling", &files(&["a.md"])).is_err());
        // Two of one name cannot both be there, so neither is.
        assert!(machine.fill("../half", &files(&["a.md", "a.md"])).is_err());
        let mut left: Vec<String> =
            fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        left.sort();
        assert_eq!(left, ["dangling", "deep", "empty", "link", "new", "repo"]);
    }
}
