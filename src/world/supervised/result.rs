//! What an agent says in a turn, written down as it comes: a kill loses none of it, and no flood fills memory. It is bounded
//! on the disk.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use crate::files::fresh;
use crate::files::regular;

/// The most bytes of one turn's words.
const MOST: u64 = 16 * 1024 * 1024;
/// What stands behind the last of them where there was more.
const CUT: &str = "\n\n[git grill: the agent said more, which was not kept]\n";

/// The words of a turn.
pub(super) struct Words {
    file: File,
    length: u64,
    /// The message goes on.
    speaks: bool,
    is_cut: bool,
}

impl Words {
    /// Begins with none, in a new file.
    pub(super) fn begin(path: &Path) -> io::Result<Self> {
        fresh::create(path, 0o600, fresh::OnDisk::Later, b"")?;
        Ok(Self { file: regular::at_its_end(path)?, length: 0, speaks: false, is_cut: false })
    }

    /// Adds a piece of a message.
    pub(super) fn say(&mut self, piece: &str) -> io::Result<()> {
        if piece.is_empty() || self.is_cut {
            return Ok(());
        }
        if !self.speaks && self.length > 0 {
            self.put("\n\n")?;
        }
        self.speaks = true;
        self.put(piece)
    }

    /// Ends the message: something else follows it.
    pub(super) fn pause(&mut self) {
        self.speaks = false;
    }

    fn put(&mut self, piece: &str) -> io::Result<()> {
        let room = usize::try_from(MOST - self.length).unwrap_or(usize::MAX);
        let taken = &piece[..piece.floor_char_boundary(room)];
        self.file.write_all(taken.as_bytes())?;
        self.length += taken.len() as u64;
        if taken.len() < piece.len() {
            self.is_cut = true;
            self.file.write_all(CUT.as_bytes())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a9_messages_are_parted_and_a_flood_is_cut_and_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result.md");
        let mut words = Words::begin(&path).unwrap();
        for piece in ["Look", "ing.", ""] {
            words.say(piece).unwrap();
        }
        words.pause();
        words.pause();
        words.say("Done.").unwrap();
        assert_eq!(regular::text(&path, 1024).unwrap(), "Looking.\n\nDone.");
        let piece = "é".repeat(512 * 1024);
        for _ in 0..40 {
            words.say(&piece).unwrap();
        }
        let text = regular::text(&path, 2 * MOST).unwrap();
        assert!(text.ends_with(CUT) && text.len() as u64 <= MOST + CUT.len() as u64, "{}", text.len());
        assert!(Words::begin(&path).is_err());
    }
}
