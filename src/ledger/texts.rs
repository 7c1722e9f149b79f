//! Texts of turns (A6, A9): a prompt and a result are files of their own, and a record only says that they are there.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::PathBuf;

use rustix::fs::OFlags;

use super::error::LedgerError;
use super::limits::MOST_TEXT;
use super::own;
use super::session_folder::SessionFolder;
use crate::domain::agents::TurnHandle;
use crate::domain::agents::preview::{ENOUGH_BYTES, Preview};
use crate::files::fresh::{Fresh, OnDisk};

const TURNS: &str = "turns";

/// A text of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnText {
    Prompt,
    Result,
}

impl TurnText {
    pub const fn file(self) -> &'static str {
        match self {
            Self::Prompt => "prompt.md",
            Self::Result => "result.md",
        }
    }
}

/// A preview of a text, and where all of it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownText {
    pub preview: Preview,
    pub path: PathBuf,
}

impl SessionFolder {
    /// The path of a text, whether it is there or not.
    pub fn text_path(&self, turn: TurnHandle, text: TurnText) -> PathBuf {
        self.path().join(TURNS).join(turn.to_string()).join(text.file())
    }

    /// Writes a text: all of it, or nothing. The one before, of a turn that was broken off, is replaced.
    pub fn write_text(
        &self,
        turn: TurnHandle,
        text: TurnText,
        bytes: &[u8],
        on_disk: OnDisk,
    ) -> Result<PathBuf, LedgerError> {
        if bytes.len() > MOST_TEXT {
            return Err(LedgerError::TextTooLong { handle: self.handle(), bytes: bytes.len() });
        }
        let path = self.text_path(turn, text);
        let written = || -> io::Result<()> {
            let turns = own::made(self.fd(), TURNS)?;
            let folder = own::made(&turns, turn.to_string())?;
            let (mut file, mut fresh) = Fresh::make_in(folder.as_fd(), format!("{}.new", text.file()), 0o600)?;
            file.write_all(bytes)?;
            if on_disk == OnDisk::First {
                file.sync_all()?;
            }
            fresh.place(text.file())?;
            if on_disk == OnDisk::First {
                for folder in [&folder, &turns, self.fd()] {
                    rustix::fs::fsync(folder)?;
                }
            }
            Ok(())
        };
        written().map_err(LedgerError::io("could not write", &path))?;
        Ok(path)
    }

    /// The beginning of a text (A9); `None` when it was not written.
    pub fn preview(&self, turn: TurnHandle, text: TurnText) -> Result<Option<ShownText>, LedgerError> {
        let path = self.text_path(turn, text);
        let file = match self.turn_folder(turn).and_then(|folder| own::file(folder, text.file(), OFlags::RDONLY)) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(LedgerError::io("could not read", &path)(error)),
        };
        let failed = || LedgerError::io("could not read", &path);
        let whole = file.metadata().map_err(failed())?.len();
        let mut beginning = Vec::new();
        file.take(ENOUGH_BYTES as u64).read_to_end(&mut beginning).map_err(failed())?;
        Ok(Some(ShownText { preview: Preview::new(&beginning, whole), path }))
    }

    fn turn_folder(&self, turn: TurnHandle) -> io::Result<OwnedFd> {
        own::folder(own::folder(self.fd(), TURNS)?, turn.to_string())
    }
}
