//! The files that the steps of a plan name: their state when its execution began, and now (P24). It is stored next to
//! the baseline, since a step may name an ignored file, and since reading it must cost little.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::ErrorKind;

use rustix::fs::FileType;

use super::GitBaseline;
use super::folders::Folders;
use crate::app::ports::BaselineError;
use crate::domain::ids::SessionId;
use crate::domain::plan::derived::{FileMark, Sighting};
use crate::files::fresh::{self, OnDisk};
use crate::files::regular;
use crate::git::object::{name_of, name_of_stream};
use crate::git::{Kind, Naming};

const NOTES: &str = "named";
/// The largest file that is read, in bytes.
const LARGEST: u64 = 8 * 1024 * 1024;
/// The most bytes that are read in one look.
const MOST: u64 = 64 * 1024 * 1024;

impl GitBaseline<'_> {
    /// Stores the state of these files, and the object format of their ids.
    pub(super) fn keep_named(&self, id: &SessionId, paths: &[String]) -> Result<(), BaselineError> {
        let notes = self.notes(id);
        if !notes.exists() {
            return Ok(());
        }
        let naming = self.repo()?.naming();
        let mut text = format!("{naming}\n");
        for (path, stand) in self.stands(naming, paths)? {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{}\t{path}", stand.as_str());
        }
        let failed = |error| BaselineError::failed("storing the state of the files that the plan names", error);
        let fresh = notes.join(format!("{NOTES}.new"));
        fresh::replace(&notes.join(NOTES), &fresh, 0o666, OnDisk::Later, text.as_bytes()).map_err(failed)
    }

    /// The state of these files now, and as it was stored.
    pub(super) fn look_at_named(
        &self,
        id: &SessionId,
        paths: &[String],
    ) -> Result<BTreeMap<String, Sighting>, BaselineError> {
        let notes = self.notes(id);
        // In another folder every file would seem to be gone.
        self.unless_elsewhere(&notes)?;
        let text = match regular::text(notes.join(NOTES), regular::LONG) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => {
                return Err(BaselineError::failed("reading the state of the files that the plan names", error));
            }
        };
        let mut lines = text.lines();
        // Opening the repository costs more than the look.
        let known: Option<Naming> = lines.next().and_then(|word| word.parse().ok());
        let naming = match known {
            Some(naming) => naming,
            None => self.repo()?.naming(),
        };
        let begun: BTreeMap<&str, &str> = lines.filter_map(|line| line.split_once('\t')).map(|(a, b)| (b, a)).collect();
        let seen = |(path, now): (String, FileMark)| {
            let begun = begun.get(path.as_str()).map(|stand| FileMark::noted(stand));
            (path, Sighting { begun, now })
        };
        Ok(self.stands(naming, paths)?.into_iter().map(seen).collect())
    }

    /// The state of these files; those that cannot be read are left out.
    fn stands(&self, naming: Naming, paths: &[String]) -> Result<Vec<(String, FileMark)>, BaselineError> {
        let Some(top) = &self.git.top else {
            return Ok(Vec::new());
        };
        let folders = Folders::open(top).map_err(|error| BaselineError::failed("opening the working tree", error))?;
        let mut room = MOST;
        let stand = |path: &String| Some((path.clone(), stand(&folders, naming, path, &mut room)?));
        Ok(paths.iter().filter_map(stand).collect())
    }
}

/// The state of a file; a directory counts as no file. `room` is how many bytes may still be read.
fn stand(folders: &Folders, naming: Naming, path: &str, room: &mut u64) -> Option<FileMark> {
    let Some(found) = folders.look(path.as_bytes()).ok()? else {
        return Some(FileMark::nothing());
    };
    let id = match found.kind {
        FileType::RegularFile => {
            let size = u64::try_from(found.stat.st_size).ok()?;
            if size > LARGEST {
                return Some(FileMark::unread());
            }
            *room = room.checked_sub(size)?;
            name_of_stream(naming, size, &mut folders.open_file(path.as_bytes()).ok()?).ok()?
        }
        FileType::Symlink => {
            let target = folders.read(path.as_bytes(), found.kind).ok()?;
            name_of(naming, Kind::Blob, &target).ok()?
        }
        FileType::Directory => return Some(FileMark::nothing()),
        FileType::Fifo | FileType::Socket | FileType::CharacterDevice | FileType::BlockDevice | FileType::Unknown => {
            return Some(FileMark::unread());
        }
    };
    Some(FileMark::of(found.mode(), &id.to_string()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// What stands at these paths of a folder.
    fn at(top: &std::path::Path, paths: &[&str]) -> Vec<Option<FileMark>> {
        let folders = Folders::open(top).unwrap();
        let mut room = MOST;
        paths.iter().map(|path| stand(&folders, Naming::Sha1, path, &mut room)).collect()
    }

    #[test]
    fn p24_a_file_stands_by_mode_and_bytes_and_nothing_outside_is_read() {
        let temp = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), "x").unwrap();
        std::os::unix::fs::symlink(outside.path(), temp.path().join("link")).unwrap();
        fs::create_dir(temp.path().join("dir")).unwrap();
        fs::write(temp.path().join("dir/empty"), "").unwrap();
        let found = at(temp.path(), &["dir/empty", "dir", "link/secret", "gone", "link"]);
        let empty = FileMark::of(0o100_644, "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        let nothing = Some(FileMark::nothing());
        assert_eq!(found[..4], [Some(empty), nothing.clone(), nothing.clone(), nothing]);
        assert!(found[4].as_ref().is_some_and(|stand| stand.as_str().starts_with("120000 ")), "{found:?}");
    }

    #[test]
    fn p24_what_is_too_large_or_no_file_is_there_and_not_read() {
        let temp = tempfile::tempdir().unwrap();
        fs::File::create(temp.path().join("large")).unwrap().set_len(LARGEST + 1).unwrap();
        let pipe = temp.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, FileType::Fifo, 0o600.into(), 0).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(temp.path().join("socket")).unwrap();
        let unread = Some(FileMark::unread());
        assert_eq!(at(temp.path(), &["large", "pipe", "socket"]), [unread.clone(), unread.clone(), unread]);
    }
}
