//! Files that the person names, read from anywhere.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::app::context::{Elsewhere, Stands};
use crate::app::error::AppError;
use crate::files::regular;

use super::failure::failed;

/// The longest text that is read; a draft that is longer fits into no record.
const LONGEST: u64 = 4 << 20;

/// Everything there is to read, unless that is too long.
pub(super) fn whole(from: impl io::Read) -> io::Result<Vec<u8>> {
    at_most(from, LONGEST)
}

fn at_most(from: impl io::Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if from.take(most + 1).read_to_end(&mut bytes)? as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {most} bytes")));
    }
    Ok(bytes)
}

pub(super) struct Machine {
    /// Where the person stands.
    pub cwd: PathBuf,
}

impl Elsewhere for Machine {
    fn read(&self, file: &str) -> Result<String, AppError> {
        let path = self.cwd.join(file);
        text(&path, fs::File::open(&path), LONGEST, None)
    }

    fn read_regular(&self, file: &str, most: u64, hint: &str) -> Result<String, AppError> {
        let path = self.cwd.join(file);
        text(&path, regular::open(&path), most, Some(hint.to_owned()))
    }

    fn stands(&self, path: &str) -> Stands {
        match fs::metadata(self.cwd.join(path)) {
            Ok(found) if found.is_dir() => Stands::Folder,
            Ok(_) => Stands::File,
            Err(_) => Stands::Nothing,
        }
    }
}

/// The text of a file that was opened, of at most so many bytes.
fn text(path: &Path, opened: io::Result<fs::File>, most: u64, hint: Option<String>) -> Result<String, AppError> {
    let not_read = format!("{} could not be read, and nothing changed", path.display());
    let read = opened.and_then(|file| at_most(file, most)).and_then(|bytes| io::read_to_string(bytes.as_slice()));
    read.map_err(|error| failed("io", &not_read, &error, hint))
}
