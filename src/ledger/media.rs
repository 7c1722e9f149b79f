//! Copies of media in a session's folder, each under the name of its content (A19, A20).

use std::io::{self, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::path::PathBuf;

use rustix::fs::OFlags;

use super::error::LedgerError;
use super::own;
use super::session_folder::SessionFolder;
use crate::domain::agents::media::{MOST_MADE, Media};
use crate::files::fresh::{Fresh, OnDisk};

/// The folder, in that of the session.
pub const MEDIA: &str = "media";

impl SessionFolder {
    /// The path of a copy, whether it is there or not.
    pub fn media_path(&self, media: &Media) -> PathBuf {
        self.path().join(MEDIA).join(media.file_name())
    }

    /// Keeps a copy; one that is damaged is replaced.
    pub fn keep_media(&self, media: &Media, bytes: &[u8], on_disk: OnDisk) -> Result<(), LedgerError> {
        let kept = || -> io::Result<()> {
            let folder = own::made(self.fd(), MEDIA)?;
            let name = media.file_name();
            if let Ok(file) = own::file(&folder, &name, OFlags::RDONLY) {
                let mut found = Vec::new();
                file.take(bytes.len() as u64 + 1).read_to_end(&mut found)?;
                if found == bytes {
                    return Ok(());
                }
            }
            let (mut file, mut fresh) = Fresh::make_in(folder.as_fd(), format!("{name}.new"), 0o600)?;
            file.write_all(bytes)?;
            if on_disk == OnDisk::First {
                file.sync_all()?;
            }
            fresh.place(&name)
        };
        kept().map_err(LedgerError::io("could not write", &self.media_path(media)))
    }

    /// The bytes of a copy; none where it is gone. Nobody has compared it with its name yet.
    pub fn media(&self, media: &Media) -> Option<Vec<u8>> {
        let read = || -> io::Result<Vec<u8>> {
            let file = own::file(own::folder(self.fd(), MEDIA)?, media.file_name(), OFlags::RDONLY)?;
            let mut bytes = Vec::new();
            file.take(MOST_MADE as u64 + 1).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        read().ok()
    }
}
