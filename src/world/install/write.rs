//! All files or none: every new text is first put beside its file, then all are moved into place, and what was moved
//! already is moved back when one of them cannot be.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use crate::app::error::AppError;
use crate::files::fresh::Fresh;
use crate::files::regular;

use super::target::{Target, contents, not_written};

type Change = (Target, Option<String>);

/// Writes what differs.
pub(super) fn all(changes: &[Change]) -> Result<(), AppError> {
    for (target, _) in changes {
        sweep_what_died(&target.real);
    }
    let changes: Vec<&Change> = changes.iter().filter(|(target, after)| target.before != *after).collect();
    for (target, _) in &changes {
        is_writable(target)?;
    }
    let mut work = Work::default();
    let done = work.run(&changes);
    if let Err((shown, error)) = done {
        let mut error = not_written(&shown, &error);
        if let (Err(left), AppError::Environment { message, causes, .. }) = (work.undo(), &mut error) {
            *message = format!("{} was not written, and other files could not be brought back", shown.display());
            causes.push(left);
        }
        return Err(error);
    }
    for (target, _) in changes.iter().filter(|(_, after)| after.is_none()) {
        remove_empty_folders(target);
    }
    Ok(())
}

/// How a text is called that lies beside its file, before the number of the process that put it there.
fn beside(name: &str) -> String {
    format!(".{name}.git-grill-")
}

/// Takes away what a process that was killed left beside a file: nobody else would, and it may be a copy of settings.
fn sweep_what_died(real: &Path) {
    let (Some(folder), Some(name)) = (real.parent(), real.file_name()) else { return };
    let start = beside(&name.to_string_lossy());
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let left = entry.file_name();
        let process = left.to_str().and_then(|left| left.strip_prefix(&start)?.parse().ok()).and_then(Pid::from_raw);
        if process.is_some_and(|process| test_kill_process(process) == Err(Errno::SRCH)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A file that its owner made read-only is meant to stay as it is, whoever could replace it.
fn is_writable(target: &Target) -> Result<(), AppError> {
    match fs::metadata(&target.real) {
        Ok(about) if about.permissions().readonly() => {
            Err(not_written(&target.shown, &io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only")))
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

#[derive(Default)]
struct Work<'a> {
    beside: Vec<Option<Fresh<'static>>>,
    folders: Vec<PathBuf>,
    moved: Vec<&'a Change>,
}

impl<'a> Work<'a> {
    fn run(&mut self, changes: &[&'a Change]) -> Result<(), (PathBuf, io::Error)> {
        for (target, after) in changes {
            let put = match after {
                Some(text) => self.put_beside(&target.real, text).map(Some),
                None => Ok(None),
            };
            self.beside.push(put.map_err(|error| (target.shown.clone(), error))?);
        }
        for (change, beside) in changes.iter().zip(&mut self.beside) {
            move_into_place(change, beside.as_mut()).map_err(|error| (change.0.shown.clone(), error))?;
            self.moved.push(change);
        }
        Ok(())
    }

    /// Writes the text to a file beside the one that it replaces, with its permissions.
    fn put_beside(&mut self, real: &Path, text: &str) -> io::Result<Fresh<'static>> {
        let folder = real.parent().ok_or(io::ErrorKind::NotFound)?;
        self.make(folder)?;
        let name = real.file_name().unwrap_or_default().to_string_lossy();
        let path = folder.join(format!("{}{}", beside(&name), std::process::id()));
        let old = fs::metadata(real).ok();
        // What replaces a file that only its owner reads is at no moment readable by others.
        let mode = if old.is_some() { 0o600 } else { 0o666 };
        let (mut file, fresh) = Fresh::alone(&path, mode)?;
        file.write_all(text.as_bytes())?;
        if let Some(old) = old {
            file.set_permissions(old.permissions())?;
        }
        file.sync_all()?;
        Ok(fresh)
    }

    fn make(&mut self, folder: &Path) -> io::Result<()> {
        if folder.is_dir() {
            return Ok(());
        }
        self.make(folder.parent().ok_or(io::ErrorKind::NotFound)?)?;
        fs::create_dir(folder)?;
        self.folders.push(folder.to_owned());
        Ok(())
    }

    /// Brings back what was moved, the last one first; the error names what could not be.
    fn undo(&mut self) -> Result<(), String> {
        self.beside.clear();
        let mut failed = Vec::new();
        while let Some((target, _)) = self.moved.pop() {
            let back = match &target.before {
                Some(before) => {
                    let put = self.put_beside(&target.real, before);
                    put.and_then(|mut fresh| fresh.place(&target.real))
                }
                None => fs::remove_file(&target.real),
            };
            if let Err(error) = back {
                failed.push(format!("{}: {error}", target.shown.display()));
            }
        }
        for folder in self.folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
        if failed.is_empty() { Ok(()) } else { Err(failed.join("; ")) }
    }
}

/// Moves the new text into place, or removes the file, if nobody was there meanwhile.
fn move_into_place((target, _): &Change, beside: Option<&mut Fresh<'_>>) -> io::Result<()> {
    if contents(&target.real).map_err(io::Error::other)? != target.before {
        return Err(io::Error::other("somebody else changed it meanwhile; try again"));
    }
    match beside {
        Some(fresh) => fresh.place(&target.real)?,
        None => fs::remove_file(&target.real)?,
    }
    if let Some(folder) = target.real.parent() {
        // The names are in the folder; where it cannot be synced they are written a little later.
        let _ = regular::settle(folder);
    }
    Ok(())
}

/// The folders that held nothing but a file of ours.
fn remove_empty_folders(target: &Target) {
    for folder in target.named.ancestors().skip(1) {
        let is_ours_to_take = folder.starts_with(&target.floor) && folder != target.floor && !folder.is_symlink();
        // One that holds something is not removed; that is the end of it.
        if !is_ours_to_take || fs::remove_dir(folder).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(folder: &Path, name: &str, before: Option<&str>) -> Target {
        let path = folder.join(name);
        Target {
            shown: PathBuf::from(name),
            named: path.clone(),
            real: path,
            floor: folder.to_owned(),
            before: before.map(str::to_owned),
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_was_moved_comes_back_when_a_later_file_was_changed_meanwhile() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path();
        for (name, text) in [("edited", "old"), ("gone", "mine"), ("raced", "somebody else's")] {
            fs::write(folder.join(name), text).unwrap();
        }
        let changes = [
            (target(folder, "edited", Some("old")), Some("new".to_owned())),
            (target(folder, "deep/er/made", None), Some("made".to_owned())),
            (target(folder, "gone", Some("mine")), None),
            (target(folder, "raced", Some("as it was read")), Some("new".to_owned())),
        ];
        let error = all(&changes).unwrap_err();
        assert!(error.to_string().contains("nothing was written: raced"), "{error}");
        assert_eq!(error.causes(), ["somebody else changed it meanwhile; try again"]);
        assert_eq!(names(folder), ["edited", "gone", "raced"]);
        for (name, text) in [("edited", "old"), ("gone", "mine"), ("raced", "somebody else's")] {
            assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), text);
        }
    }

    #[test]
    fn only_empty_folders_below_the_floor_are_taken_away() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("repo");
        fs::create_dir_all(folder.join("a/b")).unwrap();
        fs::create_dir_all(folder.join("c/d")).unwrap();
        fs::write(folder.join("a/b/ours"), "x").unwrap();
        fs::write(folder.join("c/d/ours"), "x").unwrap();
        fs::write(folder.join("c/theirs"), "y").unwrap();
        let changes = ["a/b/ours", "c/d/ours"].map(|name| (target(&folder, name, Some("x")), None));
        all(&changes).unwrap();
        assert_eq!(names(&folder), ["c"]);
        assert_eq!(names(&folder.join("c")), ["theirs"]);
    }
}
