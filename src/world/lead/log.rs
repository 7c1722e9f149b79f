//! The raw log of an agent's conversation, in the clone's private folder, for looking into what went wrong. Each start has
//! one of its own, and the last few are kept.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use crate::acp::rawlog::{Paper, RawLog};

/// The folder, in the one that a repository has for us.
const FOLDER: &str = "grill/agents";

/// So many logs of each kind are kept. A restart is tried where something went wrong, so the one before is wanted most.
const KEPT: usize = 3;

/// The conversation that a log is of.
#[derive(Clone, Copy)]
pub(in crate::world) enum Of<'a> {
    Interview,
    /// Lent work, whose log lies with its session in this folder.
    Lent(&'a Path),
    /// A look beforehand, which leaves the logs of interviews as they are.
    Doctor,
    /// What its program was asked by itself: its version.
    Version,
    Trial,
}

/// Where the newest log of this kind is.
pub(super) fn place(common: &Path, agent: &str, of: Of<'_>) -> PathBuf {
    let more = match of {
        Of::Lent(folder) => return folder.join("wire.log"),
        Of::Interview => "",
        Of::Doctor => ".doctor",
        Of::Version => ".version",
        Of::Trial => ".preflight",
    };
    common.join(FOLDER).join(format!("{agent}{more}.log"))
}

/// Where the log of so many starts before is. The number comes last: no other agent's log ends in one.
fn before(newest: &Path, starts: usize) -> PathBuf {
    if starts == 0 {
        return newest.to_owned();
    }
    let mut name = newest.as_os_str().to_owned();
    name.push(format!(".{starts}"));
    name.into()
}

/// Opens a log for this start of the agent, without these secrets. One that cannot be written is no reason not to start it.
pub(super) fn open(common: &Path, agent: &str, of: Of<'_>, secrets: &[String]) -> Option<RawLog> {
    let file = begun(&place(common, agent, of))?;
    Some(RawLog::new(Box::new(file), secrets))
}

/// An empty file here; those of the starts before make room for it.
fn begun(newest: &Path) -> Option<File> {
    DirBuilder::new().recursive(true).mode(0o700).create(newest.parent()?).ok()?;
    for starts in (1..KEPT).rev() {
        // Where there was none, there is none to move.
        let _ = fs::rename(before(newest, starts - 1), before(newest, starts));
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(true).mode(0o600);
    let file = options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(newest).ok()?;
    file.metadata().ok().filter(fs::Metadata::is_file)?;
    Some(file)
}

impl Paper for File {
    fn cut(&mut self, length: u64) -> std::io::Result<()> {
        self.set_len(length)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn a31_each_start_has_a_log_of_its_own_and_the_last_three_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let newest = place(folder.path(), "claude", Of::Interview);
        for start in 0..5 {
            begun(&newest).unwrap().write_all(format!("start {start}").as_bytes()).unwrap();
            begun(&place(folder.path(), "claude", Of::Doctor)).unwrap();
        }
        let text = |name: &str| fs::read_to_string(newest.with_file_name(name)).ok();
        assert_eq!(text("claude.log").as_deref(), Some("start 4"));
        assert_eq!(text("claude.log.1").as_deref(), Some("start 3"));
        assert_eq!(text("claude.log.2").as_deref(), Some("start 2"));
        assert_eq!(fs::read_dir(newest.parent().unwrap()).unwrap().count(), 2 * KEPT);
    }

    #[test]
    fn a31_a_log_in_a_file_is_bounded_as_well() {
        let folder = tempfile::tempdir().unwrap();
        let newest = place(folder.path(), "claude", Of::Interview);
        let log = RawLog::new(Box::new(begun(&newest).unwrap()), &[]);
        let line = [b'x'; 1024];
        for _ in 0..5_000 {
            log.note("<", &line);
        }
        log.note("!", b"Error: it broke");
        let text = fs::read_to_string(&newest).unwrap();
        assert!(text.len() <= crate::acp::rawlog::MOST && text.ends_with("! Error: it broke\n"), "{}", text.len());
        assert_eq!(text.matches("= git grill left out ").count(), 1);
    }
}
