//! The one writer of a ledger. It holds a lock that ends with its process; an append is whole or it is absent.

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::time::Duration;

use jiff::Timestamp;
use rustix::fs::{AtFlags, OFlags};

use super::codec;
use super::error::LedgerError;
use super::limits::{MOST_LEDGER, MOST_RECORD, ROOM_TO_CLOSE};
use super::reader::{self, NewerLine};
use super::session_folder::{LEDGER, SessionFolder};
use crate::domain::agents::event::Started;
use crate::domain::agents::{AgentSession, Event, Record, Refusal};
use crate::files::fresh::OnDisk;
use crate::files::{lock, patience, regular};

/// The lock of the writer, which stays as long as the folder does.
pub(super) const LOCK: &str = "writer.lock";

/// So long the lock is waited for that a program which was just started still holds.
const AGAIN: Duration = Duration::from_secs(10);

/// The right to append, and the session as it is now.
#[derive(Debug)]
pub struct Writer {
    folder: SessionFolder,
    /// Closing it lets the lock go.
    _lock: File,
    ledger: File,
    /// Bytes of all whole records.
    length: u64,
    session: AgentSession,
    on_disk: OnDisk,
    /// All of it, where an agent could take it away.
    copy: Option<Vec<u8>>,
    /// True after a write that could not be taken back.
    is_broken: bool,
}

impl Writer {
    /// Begins the ledger of a session whose folder was claimed, with its first record.
    pub fn begin(folder: SessionFolder, at: Timestamp, started: Started, on_disk: OnDisk) -> Result<Self, LedgerError> {
        let lock = hold(&folder, Duration::ZERO)?;
        let path = folder.ledger_path();
        let failed = || LedgerError::io("could not begin", &path);
        let ledger = folder.file(LEDGER, OFlags::RDWR | OFlags::CREATE).map_err(failed())?;
        let content = reader::content(&folder, &ledger, &mut |_| {})?;
        if content.session.is_some() || content.newer.is_some() {
            return Err(Refusal::Beginning.into());
        }
        ledger.set_len(0).map_err(failed())?;
        let first = Record::new(1, at, Event::Started(Box::new(started)));
        let session = AgentSession::begin(&first)?;
        let copy = session.started.unwalled.then(Vec::new);
        let mut writer = Self { folder, _lock: lock, ledger, length: 0, session, on_disk, copy, is_broken: false };
        let line = writer.line(&first)?;
        writer.write(&line).map_err(failed())?;
        if on_disk == OnDisk::First {
            // The names of the file and of its folder.
            rustix::fs::fsync(writer.folder.fd()).map_err(|errno| failed()(errno.into()))?;
            let parent = writer.folder.path().parent().unwrap_or(writer.folder.path());
            regular::settle(parent).map_err(failed())?;
        }
        Ok(writer)
    }

    /// Takes a ledger over, waiting so long for its writer to end. What an append left that was broken off is cut.
    pub fn open(folder: SessionFolder, patience: Duration, on_disk: OnDisk) -> Result<Self, LedgerError> {
        let (handle, path) = (folder.handle(), folder.ledger_path());
        let failed = || LedgerError::io("could not open", &path);
        let lock = hold(&folder, patience)?;
        let ledger = match folder.file(LEDGER, OFlags::RDWR) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(LedgerError::Empty { handle }),
            other => other.map_err(failed())?,
        };
        let content = reader::content(&folder, &ledger, &mut |_| {})?;
        if let Some(NewerLine { line, kind }) = content.newer {
            return Err(LedgerError::Newer { handle, line, kind });
        }
        let session = content.session.ok_or(LedgerError::Empty { handle })?;
        if content.unfinished > 0 {
            ledger.set_len(content.whole).map_err(failed())?;
        }
        let mut copy = session.started.unwalled.then(Vec::new);
        if let Some(copy) = &mut copy {
            copy.resize(usize::try_from(content.whole).unwrap_or(0), 0);
            ledger.read_exact_at(copy, 0).map_err(failed())?;
        }
        Ok(Self { folder, _lock: lock, ledger, length: content.whole, session, on_disk, copy, is_broken: false })
    }

    /// Whether the ledger is still the file at its place, with all that was written to it.
    pub fn stands(&self) -> bool {
        self.folder.stands()
            && lock::is_at(&self.ledger, &self.folder.ledger_path())
            && self.ledger.metadata().is_ok_and(|about| about.len() >= self.length)
    }

    /// Writes the ledger again where an agent without walls has removed, cut or replaced it. What stands at its place is
    /// moved aside, unless it is another writer's.
    pub fn written_again(self) -> Result<Self, LedgerError> {
        let Self { folder, _lock: lock, ledger, session, on_disk, copy, .. } = self;
        let (handle, path) = (folder.handle(), folder.ledger_path());
        let failed = || LedgerError::io("could not write again", &path);
        let Some(bytes) = copy else { return Err(LedgerError::Gone { handle }) };
        // Where the folder is the same one, we would wait for ourselves.
        drop((lock, ledger));
        let folder = folder.made_again().map_err(failed())?;
        let lock = hold(&folder, AGAIN)?;
        folder.set_aside(LEDGER).map_err(failed())?;
        let ledger = folder.file(LEDGER, OFlags::RDWR | OFlags::CREATE | OFlags::EXCL).map_err(failed())?;
        let copy = Some(Vec::new());
        let mut writer = Self { folder, _lock: lock, ledger, length: 0, session, on_disk, copy, is_broken: false };
        writer.write(&bytes).map_err(failed())?;
        Ok(writer)
    }

    pub fn session(&self) -> &AgentSession {
        &self.session
    }

    pub fn folder(&self) -> &SessionFolder {
        &self.folder
    }

    /// Appends events, all of them or none. What the domain's gate refuses is not written.
    pub fn append(&mut self, at: Timestamp, events: Vec<Event>) -> Result<&AgentSession, LedgerError> {
        let handle = self.folder.handle();
        if self.is_broken {
            return Err(LedgerError::Broken { handle });
        }
        if !self.stands() {
            return Err(LedgerError::Gone { handle });
        }
        let mut after = self.session.clone();
        let mut bytes = Vec::new();
        let mut most = MOST_LEDGER + ROOM_TO_CLOSE;
        for event in events {
            if !event.closes() {
                most = MOST_LEDGER;
            }
            let record = Record::new(after.seq + 1, at, event);
            after.take(&record)?;
            bytes.extend(self.line(&record)?);
        }
        if self.length + bytes.len() as u64 > most {
            return Err(LedgerError::Full { handle, bytes: self.length });
        }
        self.write(&bytes).map_err(LedgerError::io("could not append to", &self.folder.ledger_path()))?;
        self.session = after;
        Ok(&self.session)
    }

    fn line(&self, record: &Record) -> Result<Vec<u8>, LedgerError> {
        let line = codec::line(record);
        if line.len() > MOST_RECORD {
            return Err(LedgerError::RecordTooLong { handle: self.folder.handle(), bytes: line.len() });
        }
        Ok(line)
    }

    /// Writes whole lines at the end. After a failure the file is as it was, or nothing more is written to it.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Err(error) = self.ledger.write_all_at(bytes, self.length) {
            self.is_broken = self.ledger.set_len(self.length).is_err();
            return Err(error);
        }
        if self.on_disk == OnDisk::First
            && let Err(error) = self.ledger.sync_data()
        {
            // The system may tell such a failure only once: what is on the disk is not known any more.
            self.is_broken = true;
            let _ = self.ledger.set_len(self.length);
            return Err(error);
        }
        self.length += bytes.len() as u64;
        if let Some(copy) = &mut self.copy {
            copy.extend_from_slice(bytes);
        }
        Ok(())
    }
}

/// Whether a process writes the ledger of a session now.
pub fn is_held(folder: &SessionFolder) -> Result<bool, LedgerError> {
    match hold(folder, Duration::ZERO) {
        Ok(_) => Ok(false),
        Err(LedgerError::Busy { .. }) => Ok(true),
        Err(other) => Err(other),
    }
}

/// Takes the lock. A program that is just being started holds it as well, until it becomes that program, so it is tried
/// a few times at least. A file system without locks has no writer.
fn hold(folder: &SessionFolder, limit: Duration) -> Result<File, LedgerError> {
    let handle = folder.handle();
    let taken = patience::again(limit, || held(folder), |error| error.kind() == io::ErrorKind::WouldBlock);
    taken.map_err(|error| {
        if error.kind() == io::ErrorKind::WouldBlock {
            LedgerError::Busy { handle }
        } else {
            LedgerError::io("could not lock", &folder.path().join(LOCK))(error)
        }
    })
}

fn held(folder: &SessionFolder) -> io::Result<File> {
    let file = folder.file(LOCK, OFlags::WRONLY | OFlags::CREATE)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    // One that was swept away with its folder is no lock.
    let ours = rustix::fs::fstat(&file)?;
    let there = rustix::fs::statat(folder.fd(), LOCK, AtFlags::SYMLINK_NOFOLLOW)?;
    if (ours.st_dev, ours.st_ino) == (there.st_dev, there.st_ino) {
        Ok(file)
    } else {
        Err(io::ErrorKind::WouldBlock.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::agents::profile::Profile;
    use crate::domain::agents::tests::{at, process, started};
    use crate::domain::agents::usage::UsageReport;
    use crate::ledger::Ledgers;

    fn begun(dir: &std::path::Path) -> Writer {
        let Event::Started(started) = started(1, Profile::LocalReview) else { panic!("it begins a session") };
        let folder = Ledgers::make(dir).unwrap().claim(0).unwrap();
        Writer::begin(folder, at(1), *started, OnDisk::Later).unwrap()
    }

    #[test]
    fn a6_a_full_ledger_takes_only_what_ends_something() {
        let dir = tempfile::tempdir().unwrap();
        let mut writer = begun(dir.path());
        writer.append(at(2), vec![Event::AgentLaunched { process: process(200) }]).unwrap();
        let fill = |writer: &mut Writer, length| {
            writer.length = length;
            writer.ledger.set_len(length).unwrap();
        };
        fill(&mut writer, MOST_LEDGER);
        let report = || vec![Event::UsageReported { report: UsageReport::default() }];
        let refused = writer.append(at(3), report()).unwrap_err().to_string();
        assert_eq!(refused, format!("nothing was appended to the ledger of g1: it is full, with {MOST_LEDGER} bytes"));
        assert!(writer.append(at(3), vec![Event::AgentEnded]).is_ok());
        fill(&mut writer, MOST_LEDGER + ROOM_TO_CLOSE);
        let end = vec![Event::SessionCancelled];
        assert!(matches!(writer.append(at(3), end), Err(LedgerError::Full { .. })));
    }

    #[test]
    fn a6_after_a_write_that_cannot_be_taken_back_nothing_is_appended() {
        let dir = tempfile::tempdir().unwrap();
        let mut writer = begun(dir.path());
        // A file that takes nothing stands for a disk that failed.
        writer.ledger = writer.folder.file(LEDGER, OFlags::RDONLY).unwrap();
        let launched = || vec![Event::AgentLaunched { process: process(200) }];
        let failed = writer.append(at(2), launched()).unwrap_err();
        assert!(failed.to_string().starts_with("could not append to "), "{failed}");
        assert!(writer.session().agent.is_none(), "what is not written has not happened");
        assert!(matches!(writer.append(at(2), launched()), Err(LedgerError::Broken { .. })));
    }
}
