//! What agents were last shown of the checkpoint, in the git directory: a small file for each session and agent, with the
//! number of the process that wrote it.
//!
//! A process that serves one client knows from its own memory what that client was shown. The file carries it over to
//! the next process: to the next call of `git grill tool`, and to a server that was started anew. While the process that
//! wrote the file runs, another one of the same name is another agent, and is told nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::app::ports::LastShown;
use crate::domain::checkpoint::Checkpoint;
use crate::domain::ids::SessionId;
use crate::files::fresh::{self, OnDisk};
use crate::files::regular;

/// So many files are kept of a session.
const MOST: usize = 32;

/// What one process knows by heart, since it serves one client.
#[derive(Debug, Default)]
pub(super) struct Memory(Mutex<BTreeMap<String, Checkpoint>>);

/// What agents were shown, as this process knows it.
pub(super) struct ShownTexts<'m> {
    folder: PathBuf,
    memory: Option<&'m Memory>,
}

impl<'m> ShownTexts<'m> {
    pub(super) fn in_repository(git_dir: &Path, memory: Option<&'m Memory>) -> Self {
        Self { folder: git_dir.join("grill").join("shown"), memory }
    }

    /// The file of an agent; none for a name that is no file's.
    fn file(&self, session: &SessionId, agent: &str) -> Option<PathBuf> {
        let plain = |one: char| one.is_ascii_alphanumeric() || "-_.".contains(one);
        let fits = !agent.is_empty() && agent.len() <= 64 && agent.chars().all(plain);
        fits.then(|| self.folder.join(session.as_str()).join(format!("{agent}.txt")))
    }

    fn write(&self, session: &SessionId, agent: &str, text: &Checkpoint) -> Option<()> {
        let file = self.file(session, agent)?;
        let own = std::process::id();
        let unfinished = file.with_extension(own.to_string());
        fs::create_dir_all(file.parent()?).ok()?;
        let text = format!("{own}\n{}", text.as_str());
        fresh::replace(&file, &unfinished, 0o666, OnDisk::Later, text.as_bytes()).ok()?;
        drop_oldest(&file);
        Some(())
    }

    fn read(&self, session: &SessionId, agent: &str) -> Option<Checkpoint> {
        let file = self.file(session, agent)?;
        let longest = u64::try_from(2 * Checkpoint::LIMIT).unwrap_or(u64::MAX);
        if !fs::symlink_metadata(&file).is_ok_and(|found| found.is_file() && found.len() <= longest) {
            return None;
        }
        let kept = regular::text(&file, longest).ok()?;
        let (process, text) = kept.split_once('\n')?;
        if runs(process.parse().ok()?) {
            return None;
        }
        Checkpoint::parse(text).ok()
    }
}

/// Removes the oldest files beside this one, which has just been written, where there are too many: a client may have
/// another name each time. An agent of which one was removed is refused more.
fn drop_oldest(file: &Path) -> Option<()> {
    let entries = fs::read_dir(file.parent()?).ok()?.flatten();
    let mut others: Vec<(SystemTime, PathBuf)> = entries
        .map(|entry| (entry.metadata().and_then(|about| about.modified()).unwrap_or(UNIX_EPOCH), entry.path()))
        .filter(|(_, path)| path != file)
        .collect();
    others.sort();
    others.truncate((others.len() + 1).saturating_sub(MOST));
    for (_, path) in others {
        // Somebody else may have removed it.
        let _ = fs::remove_file(path);
    }
    Some(())
}

/// Whether a process of this number runs that is not this one.
fn runs(process: i32) -> bool {
    let own = i32::try_from(std::process::id()) == Ok(process);
    let Some(process) = Some(process).filter(|number| *number > 0).and_then(rustix::process::Pid::from_raw) else {
        return true;
    };
    // One of another user's is refused, and runs.
    !own && rustix::process::test_kill_process(process) != Err(rustix::io::Errno::SRCH)
}

impl LastShown for ShownTexts<'_> {
    fn last(&self, session: &SessionId, agent: &str) -> Option<Checkpoint> {
        let remembered = self
            .memory
            .and_then(|memory| memory.0.lock().unwrap_or_else(PoisonError::into_inner).get(session.as_str()).cloned());
        remembered.or_else(|| self.read(session, agent))
    }

    fn note(&self, session: &SessionId, agent: &str, text: &Checkpoint) {
        if let Some(memory) = self.memory {
            memory.0.lock().unwrap_or_else(PoisonError::into_inner).insert(session.as_str().to_owned(), text.clone());
        }
        // Where it cannot be written, as in a read-only run, the next process knows less, and refuses more.
        let _ = self.write(session, agent, text);
    }

    fn forget(&self, session: &SessionId) {
        // What stays behind is read by no one: a session that is over takes no updates.
        let _ = fs::remove_dir_all(self.folder.join(session.as_str()));
        let _ = fs::remove_dir(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id() -> SessionId {
        SessionId::parse("20261121-rate-limiting-k3f9q").unwrap()
    }

    fn text(text: &str) -> Checkpoint {
        Checkpoint::parse(text).unwrap()
    }

    #[test]
    fn one_client_is_remembered_and_the_next_process_reads_it() {
        let dir = tempfile::tempdir().unwrap();
        let (one, other) = (Memory::default(), Memory::default());
        let first = ShownTexts::in_repository(dir.path(), Some(&one));
        assert_eq!(first.last(&id(), "claude"), None);
        first.note(&id(), "claude", &text("# one"));
        // The same process wrote it, so that the file is its own.
        let second = ShownTexts::in_repository(dir.path(), Some(&other));
        assert_eq!(second.last(&id(), "claude"), Some(text("# one")));
        second.note(&id(), "claude", &text("# two"));
        assert_eq!(first.last(&id(), "claude"), Some(text("# one")), "what another client was shown is not its own");
        assert_eq!(first.last(&id(), "codex"), Some(text("# one")), "a client is one, whatever its name");
        assert_eq!(ShownTexts::in_repository(dir.path(), None).last(&id(), "codex"), None);
    }

    #[test]
    fn a_process_that_runs_keeps_what_it_knows_to_itself() {
        let dir = tempfile::tempdir().unwrap();
        let shown = ShownTexts::in_repository(dir.path(), None);
        shown.note(&id(), "claude", &text("# one"));
        let file = shown.file(&id(), "claude").unwrap();
        for (kept, expected) in [
            // The first process of the machine runs.
            ("1\n# one\n".to_owned(), None),
            (format!("{}\n# one\n", i32::MAX), Some(text("# one"))),
            ("x\n# one\n".to_owned(), None),
            ("-1\n# one\n".to_owned(), None),
            (String::new(), None),
            (format!("{}\n \n", i32::MAX), None),
        ] {
            fs::write(&file, &kept).unwrap();
            assert_eq!(shown.last(&id(), "claude"), expected, "{kept:?}");
        }
    }

    #[test]
    fn of_clients_that_are_ever_new_the_newest_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let shown = ShownTexts::in_repository(dir.path(), None);
        let named = |number: usize| format!("client-{number}");
        let note = |number: usize| shown.note(&id(), &named(number), &text("# one"));
        let last = |number: usize| shown.last(&id(), &named(number));
        (0..MOST).for_each(note);
        assert!((0..MOST).all(|number| last(number).is_some()));
        let old = fs::File::options().append(true).open(shown.file(&id(), &named(7)).unwrap()).unwrap();
        old.set_modified(UNIX_EPOCH).unwrap();
        note(MOST);
        assert!((0..=MOST).all(|number| last(number).is_some() == (number != 7)));
        for number in 0..200 {
            note(number);
            assert!(last(number).is_some(), "{number}");
        }
        assert_eq!(fs::read_dir(dir.path().join("grill/shown").join(id().as_str())).unwrap().count(), MOST);
    }

    #[test]
    fn a_name_that_is_no_files_is_not_kept() {
        let dir = tempfile::tempdir().unwrap();
        let shown = ShownTexts::in_repository(dir.path(), None);
        for name in ["", "../../x", "a b", &"x".repeat(65)] {
            shown.note(&id(), name, &text("# one"));
            assert_eq!(shown.last(&id(), name), None, "{name}");
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
