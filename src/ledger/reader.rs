//! Reading a ledger: line by line, into the session that it tells of. Anybody may read, also while another process
//! writes.

use std::fs::File;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _};

use rustix::fs::OFlags;

use super::codec::{self, Entry};
use super::error::LedgerError;
use super::limits::{MOST_LEDGER, MOST_RECORD, ROOM_TO_CLOSE};
use super::session_folder::{LEDGER, SessionFolder};
use crate::domain::agents::{AgentHandle, AgentSession, Refusal};

/// The first record of a newer git grill in a ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewerLine {
    pub line: u64,
    /// Harmless and short.
    pub kind: String,
}

/// A ledger that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    pub session: AgentSession,
    /// With such a record the ledger is read-only for us, and the session shows what we understand of it.
    pub newer: Option<NewerLine>,
    /// Bytes behind the last whole record: an append that was broken off, or that another process is just making.
    pub unfinished: u64,
}

/// All that a file holds, which may be nothing yet.
pub(super) struct Content {
    pub(super) session: Option<AgentSession>,
    pub(super) newer: Option<NewerLine>,
    /// Bytes of all whole records.
    pub(super) whole: u64,
    pub(super) unfinished: u64,
}

/// Reads the ledger of a session.
pub fn read(folder: &SessionFolder) -> Result<Ledger, LedgerError> {
    read_with(folder, &mut |_| {})
}

/// Reads it and hands every record out.
pub fn read_with(folder: &SessionFolder, heard: &mut dyn FnMut(&Entry)) -> Result<Ledger, LedgerError> {
    let handle = folder.handle();
    let file = match folder.file(LEDGER, OFlags::RDONLY) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(LedgerError::Empty { handle }),
        Err(error) => return Err(LedgerError::io("could not read", &folder.ledger_path())(error)),
    };
    let Content { session, newer, unfinished, .. } = content(folder, &file, heard)?;
    match (session, newer) {
        (Some(session), newer) => Ok(Ledger { session, newer, unfinished }),
        (None, Some(NewerLine { line, kind })) => Err(LedgerError::Newer { handle, line, kind }),
        (None, None) => Err(LedgerError::Empty { handle }),
    }
}

pub(super) fn content(
    folder: &SessionFolder,
    file: &File,
    heard: &mut dyn FnMut(&Entry),
) -> Result<Content, LedgerError> {
    let (handle, path) = (folder.handle(), folder.ledger_path());
    let failed = || LedgerError::io("could not read", &path);
    let bytes = file.metadata().map_err(failed())?.len();
    if bytes > MOST_LEDGER + ROOM_TO_CLOSE {
        return Err(LedgerError::TooLarge { handle, bytes });
    }
    let mut reader = BufReader::new(file.take(bytes));
    let mut content = Content { session: None, newer: None, whole: 0, unfinished: 0 };
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        reader.by_ref().take(MOST_RECORD as u64).read_until(b'\n', &mut line).map_err(failed())?;
        let damaged = |why| LedgerError::Damaged { handle, line: number, why };
        if line.last() != Some(&b'\n') {
            if line.len() == MOST_RECORD {
                return Err(damaged(format!("it has {MOST_RECORD} bytes or more")));
            }
            content.unfinished = line.len() as u64;
            break;
        }
        let entry = codec::entry(&line).map_err(damaged)?;
        content.take(handle, number, &entry).map_err(damaged)?;
        content.whole += line.len() as u64;
        heard(&entry);
    }
    Ok(content)
}

impl Content {
    /// Takes a line in; the error says why it does not fit.
    fn take(&mut self, handle: AgentHandle, number: u64, entry: &Entry) -> Result<(), String> {
        let in_words = |refusal: Refusal| refusal.to_string();
        match (entry, &mut self.session) {
            (Entry::Record(record), None) if self.newer.is_none() => {
                let session = AgentSession::begin(record).map_err(in_words)?;
                let named = session.started.handle;
                if named != handle {
                    return Err(format!("it is of session {named}"));
                }
                self.session = Some(session);
            }
            (Entry::Record(record), Some(session)) if self.newer.is_none() => session.take(record).map_err(in_words)?,
            // What we do not know may have changed what fits now.
            (Entry::Record(record), Some(session)) => {
                if session.take(record).is_err() {
                    session.pass(record.seq, record.at).map_err(in_words)?;
                }
            }
            (Entry::Record(_), None) => {}
            (Entry::Newer { seq, at, kind }, session) => {
                if let Some(session) = session {
                    session.pass(*seq, *at).map_err(in_words)?;
                }
                self.newer.get_or_insert_with(|| NewerLine { line: number, kind: kind.clone() });
            }
        }
        Ok(())
    }
}
