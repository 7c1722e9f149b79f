//! What was granted in this clone: one record a session, in the clone's private folder, of the claims that this git grill
//! itself recorded here. A session's claims count where its record has a line of the same words.
//!
//! A line is written before the ref moves and taken away after it: a process that dies in between leaves a mark of
//! something that was granted, while the other order would lose a person's yes.
//!
//! The record counts only as the very file that was made here. Its first line names its own inode number and the time of
//! its birth in nanoseconds, which no program can choose. So a `.git` that comes in an archive, or back from a backup,
//! brings no authority, and a repository that is moved on its disk keeps it. Where the file system tells no time of birth,
//! the first line names the file [`ANCHOR`] beside it instead, which is made once and never touched, by its inode number
//! and its change time.
//!
//! It is no secret and no signature. Whoever may write the private folder may write a record: against a process of this
//! account that tries, only the sandbox helps, in which that folder cannot be written.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::durable::Durability;
use super::lock::Locks;
use crate::app::ports::StoreError;
use crate::domain::authority::Claim;
use crate::domain::ids::SessionId;
use crate::domain::production::Production;
use crate::domain::session::{Phase, Session};
use crate::domain::subsystem::Grant;
use crate::files::fresh::Fresh;

/// The folder, in the one that a repository has for us.
const FOLDER: &str = "grill/granted";
/// The file by which a folder is known where files have no time of birth.
const ANCHOR: &str = "here";
/// The first words of a record; another one is not ours to read.
const FORM: &str = "git-grill granted 1";
/// The largest record that is read.
const LIMIT: u64 = 4 * 1024 * 1024;
/// So many more lines than marks, and the record is written anew.
const SPARE: usize = 256;

/// The marks of one session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Granted(BTreeSet<String>);

impl Granted {
    /// The marks that this clone keeps for a session; none where there is no record of this folder's own. What cannot be
    /// read is an error, since it may hold a person's word.
    pub fn of(common: &Path, id: &SessionId) -> Result<Self, StoreError> {
        let read = read(&folder(common), id.as_str()).map_err(failed("reading what was granted in this clone"))?;
        Ok(read.map(|record| Self(record.marks)).unwrap_or_default())
    }

    /// An output phase as far as its plan and its drafts count here.
    pub(super) fn phase(&self, production: &Production) -> Phase {
        production.counting(&|claim| self.0.contains(&claim.to_string()))
    }

    /// Whether what a subsystem lets somebody act on was granted here.
    pub(super) fn knows(&self, grant: &Grant) -> bool {
        self.0.contains(&Claim::Of(grant.clone()).to_string())
    }

    /// The session as far as its authority counts here.
    pub fn counts(&self, session: Session) -> Session {
        match session.lapse(&|claim| self.0.contains(&claim.to_string())) {
            Some(lapse) => session.lapsed(lapse),
            None => session,
        }
    }
}

/// A session as far as its authority counts in the clone with this common directory.
pub fn counting(common: &Path, session: Session) -> Result<Session, StoreError> {
    if session.claims().is_empty() {
        return Ok(session);
    }
    Ok(Granted::of(common, &session.id)?.counts(session))
}

pub(super) struct Marking {
    folder: PathBuf,
    id: SessionId,
    before: BTreeSet<String>,
    after: BTreeSet<String>,
    /// Whether the record takes further lines before it is written anew.
    appends: bool,
    durability: Durability,
}

impl Marking {
    /// Marks what the session claims with what is about to be recorded. All of it was granted here: the state before it was
    /// read as far as it counts here, and the rest was decided just now.
    pub(super) fn begin(common: &Path, after: &Session, durability: Durability) -> Result<Self, StoreError> {
        let doing = failed("noting what was granted in this clone");
        let (folder, id) = (folder(common), after.id.clone());
        let after: BTreeSet<String> = after.claims().iter().map(ToString::to_string).collect();
        let record = read(&folder, id.as_str()).map_err(&doing)?;
        let new: Vec<&String> = match &record {
            Some(record) => after.difference(&record.marks).collect(),
            None => after.iter().collect(),
        };
        if !new.is_empty() {
            let written = match &record {
                Some(record) if record.is_appendable() => append(&folder, id.as_str(), '+', &new),
                Some(record) => write(&folder, id.as_str(), record.marks.union(&after)),
                None => write(&folder, id.as_str(), after.iter()),
            };
            let path = folder.join(id.as_str());
            let settled = written.and_then(|()| durability.settle(path.ancestors().take(3)));
            settled.map_err(&doing)?;
        }
        // What was written just now is whole.
        let appends = !new.is_empty() || record.as_ref().is_none_or(Record::is_appendable);
        let before = record.map(|record| record.marks).unwrap_or_default();
        Ok(Self { folder, id, before, after, appends, durability })
    }

    /// The ref has moved: what the session claims no more has no mark.
    pub(super) fn done(self) {
        let gone: Vec<&String> = self.before.difference(&self.after).collect();
        self.take_away(&gone);
    }

    /// The ref has not moved: nothing was granted.
    pub(super) fn undo(self) {
        let gone: Vec<&String> = self.after.difference(&self.before).collect();
        self.take_away(&gone);
    }

    /// A mark that stays is of something that was granted here once; the next append takes it away.
    fn take_away(&self, gone: &[&String]) {
        if gone.is_empty() {
            return;
        }
        let left: BTreeSet<&String> = self.before.union(&self.after).filter(|mark| !gone.contains(mark)).collect();
        let taken = if left.is_empty() {
            remove(&self.folder, self.id.as_str())
        } else if self.appends {
            append(&self.folder, self.id.as_str(), '-', gone)
        } else {
            write(&self.folder, self.id.as_str(), left.into_iter())
        };
        let _ = taken.and_then(|()| self.durability.settle([self.folder.as_path()]));
    }
}

fn folder(common: &Path) -> PathBuf {
    common.join(FOLDER)
}

fn failed(doing: &'static str) -> impl Fn(io::Error) -> StoreError {
    move |source| StoreError::Io { doing: doing.to_owned(), source }
}

pub(super) struct Record {
    pub(super) marks: BTreeSet<String>,
    lines: usize,
    /// Whether its last line is whole: a process that died may have left half of one.
    whole: bool,
}

impl Record {
    fn is_appendable(&self) -> bool {
        self.whole && self.lines <= self.marks.len() * 2 + SPARE
    }
}

/// The record of a session; none where there is none that was made here, or that is ours to read.
pub(super) fn read(folder: &Path, name: &str) -> io::Result<Option<Record>> {
    let Some((file, text)) = read_plain(&folder.join(name))? else {
        return Ok(None);
    };
    let whole = text.ends_with('\n');
    let mut lines: Vec<&str> = text.split('\n').collect();
    // Behind the last line end stands nothing, or half a line.
    lines.pop();
    let Some((first, rest)) = lines.split_first() else {
        return Ok(None);
    };
    if !first.starts_with(FORM) || identity(&file, folder)?.is_none_or(|here| **first != header(&here)) {
        return Ok(None);
    }
    let mut marks = BTreeSet::new();
    for line in rest {
        match line.split_at_checked(2) {
            Some(("+ ", mark)) => drop(marks.insert(mark.to_owned())),
            Some(("- ", mark)) => drop(marks.remove(mark)),
            Some(_) | None => {}
        }
    }
    Ok(Some(Record { marks, lines: rest.len(), whole }))
}

fn header(here: &str) -> String {
    format!("{FORM} {here}")
}

/// A plain file of text that is not too large; none where there is another thing, or another account's file.
fn read_plain(path: &Path) -> io::Result<Option<(File, String)>> {
    // Without NONBLOCK a pipe of that name would make us wait for ever.
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let mut file = match OpenOptions::new().read(true).custom_flags(flags).open(path) {
        Ok(file) => file,
        Err(error) if is_none(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    if !file.metadata()?.is_file() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    (&mut file).take(LIMIT + 1).read_to_end(&mut bytes)?;
    let fits = u64::try_from(bytes.len()).is_ok_and(|length| length <= LIMIT);
    Ok(if fits { String::from_utf8(bytes).ok().map(|text| (file, text)) } else { None })
}

/// Whether nothing stands there that this account could have written.
fn is_none(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::PermissionDenied)
        || error.raw_os_error() == Some(libc::ELOOP)
        || error.raw_os_error() == Some(libc::ENXIO)
}

/// How a record is known; none where neither it nor its folder can be told from a copy.
fn identity(record: &File, folder: &Path) -> io::Result<Option<String>> {
    if let Some((seconds, nanoseconds)) = born(record)? {
        return Ok(Some(format!("{} born {seconds}.{nanoseconds:09}", record.metadata()?.ino())));
    }
    Ok(match fs::symlink_metadata(folder.join(ANCHOR)) {
        Ok(about) if about.is_file() => {
            Some(format!("{} changed {}.{:09}", about.ino(), about.ctime(), about.ctime_nsec()))
        }
        Ok(_) => None,
        Err(error) if is_none(&error) => None,
        Err(error) => return Err(error),
    })
}

/// When a file was made, where the file system tells.
#[cfg(target_os = "linux")]
fn born(file: &File) -> io::Result<Option<(i64, u32)>> {
    use rustix::fs::{AtFlags, StatxFlags, statx};
    let about = statx(file, "", AtFlags::EMPTY_PATH, StatxFlags::BTIME)?;
    let told = about.stx_mask & StatxFlags::BTIME.bits() != 0;
    Ok(told.then_some((about.stx_btime.tv_sec, about.stx_btime.tv_nsec)))
}

/// When a file was made, where the file system tells.
#[cfg(not(target_os = "linux"))]
fn born(file: &File) -> io::Result<Option<(i64, u32)>> {
    let since = file.metadata()?.created().ok().and_then(|made| made.duration_since(std::time::UNIX_EPOCH).ok());
    Ok(since.and_then(|since| Some((i64::try_from(since.as_secs()).ok()?, since.subsec_nanos()))))
}

/// A file that only its owner reads.
fn ours() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).mode(0o600).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    options
}

fn append(folder: &Path, name: &str, sign: char, marks: &[&String]) -> io::Result<()> {
    let text: String =
        marks.iter().flat_map(|mark| [sign.to_string(), " ".to_owned(), (*mark).clone(), "\n".to_owned()]).collect();
    ours().append(true).open(folder.join(name))?.write_all(text.as_bytes())
}

/// Writes a record anew, whole beside it first: whoever reads sees the old one or the new one.
pub(super) fn write<'a>(folder: &Path, name: &str, marks: impl Iterator<Item = &'a String>) -> io::Result<()> {
    // The session's lock says that nobody is at it.
    let (mut file, mut fresh) = made(folder, &unfinished(folder, name))?;
    let here = if let Some(here) = identity(&file, folder)? {
        here
    } else {
        drop(ours().create_new(true).open(folder.join(ANCHOR))?);
        identity(&file, folder)?.ok_or_else(|| io::Error::other(format!("{ANCHOR} in it is not a regular file")))?
    };
    let mut text = header(&here) + "\n";
    for mark in marks {
        text.extend(["+ ", mark, "\n"]);
    }
    file.write_all(text.as_bytes())?;
    fresh.place(folder.join(name))
}

/// A new file in the folder, which is made if need be; another session's process may take an empty one away just now.
fn made(folder: &Path, path: &Path) -> io::Result<(File, Fresh<'static>)> {
    const TRIES: usize = 100;
    let mut tried = 0;
    loop {
        tried += 1;
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        match Fresh::make(path, 0o600) {
            Err(error) if error.kind() == ErrorKind::NotFound && tried < TRIES => {}
            other => return other,
        }
    }
}

/// Takes a record away, with what a process left that died at it, and the folder with the last one.
pub(super) fn remove(folder: &Path, name: &str) -> io::Result<()> {
    let _ = fs::remove_file(unfinished(folder, name));
    fs::remove_file(folder.join(name))?;
    // Fails when something else is in it, as it should.
    let _ = fs::remove_dir(folder);
    Ok(())
}

/// A record that is being written.
fn unfinished(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.new"))
}

/// Takes away the records of sessions that are over or gone: whoever ended them may have died before that.
pub(super) fn sweep(common: &Path, is_over: &dyn Fn(&SessionId) -> bool) {
    for folder in [folder(common), super::led::folder(common), super::led::session_consents(common)] {
        sweep_in(common, &folder, is_over);
    }
}

fn sweep_in(common: &Path, folder: &Path, is_over: &dyn Fn(&SessionId) -> bool) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let Ok(id) = SessionId::parse(name.strip_suffix(".new").unwrap_or(&name)) else { continue };
        // While it is held, nobody is about to create it or to write to it.
        let Ok(_held) = Locks::new(common, Duration::ZERO).hold(&id) else { continue };
        if is_over(&id) {
            let _ = remove(folder, id.as_str());
        }
    }
    let _ = fs::remove_dir(folder);
}
