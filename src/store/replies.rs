//! Replies that could not be taken, kept in the git directory until the person comes back to them.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use crate::app::ports::StoreError;
use crate::domain::ids::{QuestionId, SessionId};

/// Most replies that are kept for one question.
const MOST: u32 = 1_000;

fn folder(common: &Path, id: &SessionId) -> PathBuf {
    common.join("grill").join("replies").join(id.as_str())
}

fn file(folder: &Path, question: &QuestionId, number: u32) -> PathBuf {
    folder.join(format!("{question}.{number}.txt"))
}

/// Keeps a reply; the file it was written to.
pub fn keep(common: &Path, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, StoreError> {
    let folder = folder(common, id);
    let io = |source| StoreError::Io { doing: format!("keeping a reply in {}", folder.display()), source };
    fs::create_dir_all(&folder).map_err(io)?;
    for number in newest(&folder, question).map_or(1, |last| last + 1)..=MOST {
        let path = file(&folder, question, number);
        match write(ours().create_new(true), &path, text) {
            Ok(()) => {
                settle(&folder);
                return Ok(path);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => {
                tidy(&folder);
                return Err(io(error));
            }
        }
    }
    Err(io(std::io::Error::other(format!("{MOST} replies to {question} are kept already"))))
}

/// Keeps a reply in the place of the newest one: whole beside it first, so that a process that is killed meanwhile
/// leaves the old one or the new one.
pub fn replace(common: &Path, id: &SessionId, question: &QuestionId, text: &str) -> Result<PathBuf, StoreError> {
    let folder = folder(common, id);
    let Some(number) = newest(&folder, question) else {
        return keep(common, id, question, text);
    };
    let io = |source| StoreError::Io { doing: format!("keeping a reply in {}", folder.display()), source };
    let path = file(&folder, question, number);
    let beside = path.with_extension("new");
    write(ours().create(true).truncate(true), &beside, text).and_then(|()| fs::rename(&beside, &path)).map_err(io)?;
    settle(&folder);
    Ok(path)
}

/// Has the name of what was kept on the disk, and those of the folders that lead there, which may be as new: a text is
/// lost with its name.
fn settle(folder: &Path) {
    for above in folder.ancestors().take(4) {
        // The text is there; what a file system does not force it may still keep.
        let _ = File::open(above).and_then(|above| above.sync_all());
    }
}

/// The newest kept reply, which stays where it is.
pub fn kept(common: &Path, id: &SessionId, question: &QuestionId) -> Result<Option<String>, StoreError> {
    let folder = folder(common, id);
    let Some(number) = newest(&folder, question) else {
        return Ok(None);
    };
    let path = file(&folder, question, number);
    let io = |source| StoreError::Io { doing: format!("reading {}", path.display()), source };
    fs::read_to_string(&path).map(Some).map_err(io)
}

/// A file that only its owner reads.
fn ours() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

fn write(how: &OpenOptions, path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = how.open(path)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    if written.is_err() {
        // Half a text would be taken for what was typed. What counts is the first error.
        let _ = fs::remove_file(path);
    }
    written
}

/// Takes the folders away that nothing is kept in. They stay while something is.
fn tidy(folder: &Path) {
    if fs::remove_dir(folder).is_ok()
        && let Some(replies) = folder.parent()
    {
        let _ = fs::remove_dir(replies);
    }
}

/// Takes back the newest kept reply.
pub fn take(common: &Path, id: &SessionId, question: &QuestionId) -> Result<Option<String>, StoreError> {
    let folder = folder(common, id);
    let Some(number) = newest(&folder, question) else {
        return Ok(None);
    };
    let path = file(&folder, question, number);
    let io = |source| StoreError::Io { doing: format!("reading {}", path.display()), source };
    let text = fs::read_to_string(&path).map_err(io)?;
    fs::remove_file(&path).map_err(io)?;
    Ok(Some(text))
}

fn newest(folder: &Path, question: &QuestionId) -> Option<u32> {
    let prefix = format!("{question}.");
    fs::read_dir(folder)
        .ok()?
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name();
            let number = name.to_str()?.strip_prefix(&prefix)?.strip_suffix(".txt")?;
            number.parse().ok()
        })
        .max()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A device that takes nothing stands for a disk that is full.
    #[test]
    fn what_cannot_be_written_whole_is_not_left_behind() {
        let dir = tempfile::tempdir().unwrap();
        let link = dir.path().join("q-abc.1.txt");
        std::os::unix::fs::symlink("/dev/full", &link).unwrap();
        assert!(write(ours().truncate(true), &link, "a text").is_err());
        assert!(link.symlink_metadata().is_err(), "half a text stays");
        let folder = dir.path().join("replies/session");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("q-def.1.txt"), "kept").unwrap();
        tidy(&folder);
        assert_eq!(fs::read_to_string(folder.join("q-def.1.txt")).unwrap(), "kept");
        fs::remove_file(folder.join("q-def.1.txt")).unwrap();
        tidy(&folder);
        assert!(!dir.path().join("replies").exists());
    }
}
