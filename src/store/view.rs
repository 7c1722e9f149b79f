//! `.grill/` in the working tree: the newest checkpoint and a short status, to look at. Never a source, except that an
//! edited `checkpoint.md` is taken in at the next command.
//!
//! What tells an edit from a view that is merely old is the blob id of what we wrote last, kept in the git directory;
//! the file is written first and the id second, so that a crash between them shows at worst as an edit, never as none.
//! Nobody reads the one before, and the other after, somebody else has written both: what is merely old would be an edit.

use std::cell::Cell;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::folder::Folder;
use super::layout::ROOT;
use super::patience::awaited;
use crate::app::ports::{CheckpointView, HandEdit, StoreError};
use crate::domain::checkpoint::Checkpoint;
use crate::domain::harmless::one_line;
use crate::domain::session::Session;
use crate::files::fresh::{self, OnDisk};
use crate::files::{lock, patience, regular};
use crate::git::object::parsed;
use crate::git::{Kind, Oid, Repo, Staged};

/// How long another command is waited for, which holds it for a few milliseconds.
const PATIENCE: Duration = Duration::from_secs(2);
const DOCUMENT: &str = "checkpoint.md";
const STATUS: &str = "status";
const IGNORE: &str = ".gitignore";
/// Keeps the folder out of git's sight, and tells that it is ours.
const IGNORE_ALL: &[u8] = b"*\n";

pub struct WorkTreeView<'r> {
    repo: &'r Repo,
    folder: PathBuf,
    /// The edit that was handed out last.
    handed_out: Cell<Option<Oid>>,
    /// The edit that is recorded, and may be overwritten.
    taken: Cell<Option<Oid>>,
}

impl<'r> WorkTreeView<'r> {
    /// The view in a repository's worktree; a bare repository has none.
    pub fn open(repo: &'r Repo) -> Option<Self> {
        let folder = repo.worktree()?.join(ROOT);
        Some(Self { repo, folder, handed_out: Cell::new(None), taken: Cell::new(None) })
    }

    fn refuse(&self, name: &str, why: &str) -> StoreError {
        let path = if name.is_empty() { self.folder.clone() } else { self.folder.join(name) };
        StoreError::View { path, why: why.to_owned() }
    }

    fn failed(&self, name: &'static str) -> impl Fn(std::io::Error) -> StoreError + '_ {
        move |error| self.refuse(name, &error.to_string())
    }

    /// Where the id of what we wrote last is kept.
    fn id_file(&self) -> PathBuf {
        self.repo.git_dir().join("grill").join("view")
    }

    fn last_written(&self) -> Option<Oid> {
        let text = regular::text(self.id_file(), regular::SHORT).ok()?;
        parsed(text.trim())
    }

    fn remember(&self, id: Oid) -> std::io::Result<()> {
        if self.last_written() == Some(id) {
            return Ok(());
        }
        let path = self.id_file();
        let unfinished = path.with_extension(std::process::id().to_string());
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fresh::replace(&path, &unfinished, 0o666, OnDisk::Later, format!("{id}\n").as_bytes())
    }

    /// Removes the ids that processes which died had not put in their place.
    fn forget_unfinished(&self) {
        let id_file = self.id_file();
        for entry in id_file.parent().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_a_process = |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            if path.with_extension("") == id_file
                && path.extension().and_then(|number| number.to_str()).is_some_and(is_a_process)
            {
                // Whoever lives writes its id again with the next view.
                let _ = fs::remove_file(path);
            }
        }
    }

    /// Holds that no other command reads or writes document and id meanwhile. A file system without locks holds nothing.
    fn alone(&self) -> Result<Option<File>, StoreError> {
        let is_held = |error: &std::io::Error| error.kind() == ErrorKind::WouldBlock;
        match patience::again(PATIENCE, || lock::folder(&self.folder), is_held) {
            Err(error) if is_held(&error) => Err(self.refuse("", "another program holds its lock")),
            held => Ok(held.ok()),
        }
    }

    fn document(&self, folder: &Folder) -> Result<Option<Vec<u8>>, StoreError> {
        folder.read(DOCUMENT, 2 * Checkpoint::LIMIT).map_err(self.failed(DOCUMENT))
    }

    fn is_ours(&self, folder: &Folder) -> Result<bool, StoreError> {
        let marker = folder.read(IGNORE, 4096).map_err(self.failed(IGNORE))?;
        if marker.as_deref() == Some(IGNORE_ALL) || self.last_written().is_some() {
            return Ok(true);
        }
        // Nothing, or what a machine that lost its power leaves of us: our names, and nothing in them.
        let names = folder.names().map_err(self.failed(""))?;
        let is_lost = |name: &String| {
            [DOCUMENT, STATUS, IGNORE].contains(&name.as_str())
                && matches!(folder.read(name, 0), Ok(Some(bytes)) if bytes.is_empty())
        };
        Ok(names.iter().all(is_lost))
    }

    /// Whether the project keeps a folder of this name in git.
    fn is_tracked(&self) -> bool {
        let staged = if may_name(&self.repo.git_dir().join("index"), ROOT) { Staged::Possibly } else { Staged::No };
        self.repo.tracks(ROOT, staged)
    }

    /// Opens the folder to write into it, or says why we must not.
    fn enter(&self) -> Result<Folder, StoreError> {
        let existing = Folder::open(&self.folder).map_err(self.failed(""))?;
        let marked = match &existing {
            Some(folder) => {
                if !self.is_ours(folder)? {
                    return Err(self.refuse("", "it holds files that are not ours"));
                }
                folder.read(IGNORE, 4096).map_err(self.failed(IGNORE))?.is_some()
            }
            None => false,
        };
        // Asked once, before the first write: reading the index costs milliseconds.
        if !marked && self.is_tracked() {
            return Err(self.refuse("", "the project keeps it in git"));
        }
        match existing {
            Some(folder) => Ok(folder),
            None => Folder::make(&self.folder).map_err(self.failed("")),
        }
    }

    /// Whether a document that stands there may be overwritten without losing somebody's words.
    fn may_replace(&self, id: Oid) -> bool {
        Some(id) == self.taken.get()
            || match self.last_written() {
                Some(last) => id == last,
                None => self.is_recorded(id),
            }
    }

    /// Whether the object is in the repository: a text that we showed is, somebody's edit is not.
    fn is_recorded(&self, id: Oid) -> bool {
        self.repo.header(id).is_ok_and(|found| found.is_some_and(|(kind, _)| kind == Kind::Blob))
    }

    fn id_of(&self, bytes: &[u8]) -> Result<Oid, StoreError> {
        self.repo.blob_name(bytes).map_err(|error| self.refuse(DOCUMENT, &error.0))
    }
}

impl CheckpointView for WorkTreeView<'_> {
    fn edited(&self, current: &Checkpoint) -> Result<Option<HandEdit>, StoreError> {
        let Some(folder) = Folder::open(&self.folder).map_err(self.failed(""))? else {
            return Ok(None);
        };
        if !self.is_ours(&folder)? {
            return Ok(None);
        }
        let (document, last) = {
            let _alone = self.alone()?;
            (self.document(&folder)?, self.last_written())
        };
        let Some(bytes) = document else {
            return Ok(None);
        };
        let id = self.id_of(&bytes)?;
        let only_old = match last {
            Some(last) => id == last,
            None => self.is_recorded(id),
        };
        if only_old {
            return Ok(None);
        }
        let text = String::from_utf8(bytes).map_err(|_| self.refuse(DOCUMENT, "it is not UTF-8"))?;
        let text = Checkpoint::parse(&text).map_err(|error| self.refuse(DOCUMENT, &error.to_string()))?;
        let base = last
            .and_then(|last| awaited(self.repo, last).ok())
            .map(|blob| String::from_utf8_lossy(&blob.bytes).into_owned())
            .unwrap_or_default();
        let edit = HandEdit { base: Checkpoint::stored(base), text };
        self.handed_out.set(Some(id));
        if edit.text == *current || edit.text == edit.base {
            // It says nothing new, so that nothing of it is lost.
            self.taken();
            return Ok(None);
        }
        Ok(Some(edit))
    }

    fn taken(&self) {
        self.taken.set(self.handed_out.take());
    }

    fn show(&self, session: &Session) -> Result<(), StoreError> {
        let folder = self.enter()?;
        let _alone = self.alone()?;
        let text = session.checkpoint.as_str().as_bytes();
        let id = self.id_of(text)?;
        let found = self.document(&folder)?;
        let put = |name: &'static str, bytes: &[u8]| match folder.read(name, bytes.len()) {
            Ok(Some(same)) if same == bytes => Ok(()),
            Ok(_) | Err(_) => folder.replace(name, bytes).map_err(self.failed(name)),
        };
        put(IGNORE, IGNORE_ALL)?;
        let replaces = match &found {
            Some(found) => {
                let there = self.id_of(found)?;
                there == id || self.may_replace(there)
            }
            None => true,
        };
        // An edit that came in meanwhile stays where it is, and the next command takes it in.
        if replaces {
            put(DOCUMENT, text)?;
            self.remember(id)
                .map_err(|source| StoreError::Io { doing: format!("writing {}", self.id_file().display()), source })?;
            self.taken.set(None);
        }
        put(STATUS, status(session).as_bytes())
    }

    fn remove(&self) -> Result<(), StoreError> {
        let folder = Folder::open(&self.folder).map_err(self.failed(""))?;
        if let Some(folder) = folder
            && self.is_ours(&folder)?
        {
            let _alone = self.alone()?;
            folder.remove(STATUS).map_err(self.failed(STATUS))?;
            if let Some(found) = self.document(&folder)? {
                // Nobody's words are in an empty one, which a machine leaves that loses its power.
                if !found.is_empty() && !self.may_replace(self.id_of(&found)?) {
                    return Err(self.refuse(DOCUMENT, "it holds an edit that is not recorded"));
                }
                folder.remove(DOCUMENT).map_err(self.failed(DOCUMENT))?;
            }
            let names = folder.names().map_err(self.failed(""))?;
            // Somebody's own files stay out of git's sight as long as they lie here.
            if names.iter().all(|name| name == IGNORE) {
                folder.remove(IGNORE).map_err(self.failed(IGNORE))?;
            }
            folder.sweep().map_err(self.failed(""))?;
        }
        self.forget_unfinished();
        match fs::remove_file(self.id_file()) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(source) => Err(StoreError::Io { doing: format!("removing {}", self.id_file().display()), source }),
        }
    }
}

/// Whether this index may name something in a folder at the top. To read it entry by entry takes a third of a second where
/// there are fifty thousand; in the forms that write each path out, one that stands nowhere in the file is not in it.
fn may_name(index: &Path, folder: &str) -> bool {
    /// From this version on a path is written as what it adds to the one before.
    const SHORTENED: u8 = 4;
    match regular::bytes(index, regular::LONG) {
        Ok(bytes) => {
            let written_out = bytes.get(..8).is_some_and(|head| head.starts_with(b"DIRC") && head[7] < SHORTENED);
            let path = [folder.as_bytes(), b"/"].concat();
            !written_out || memchr::memmem::find(&bytes, &path).is_some()
        }
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

/// What a glance into the folder tells.
fn status(session: &Session) -> String {
    let progress = session.transcript.progress();
    let mut text = format!("topic: {}\nphase: {}\n", one_line(session.topic.as_str()), session.phase.name());
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "questions: {} answered, {} unknown, {} open, {} put off",
        progress.resolved, progress.unknown, progress.open, progress.deferred
    );
    if let Some(asked) = session.open_question() {
        let first = one_line(asked.question.text.first_line());
        let _ = writeln!(text, "open question: {}. {first}", asked.number);
    }
    let _ = writeln!(text, "history: git log grill/sessions/{}", session.id);
    text
}

#[cfg(test)]
mod tests {
    use git2::Repository;

    use super::*;

    #[test]
    fn an_index_that_may_name_the_folder_is_read_and_any_other_is_not() {
        let temp = tempfile::tempdir().unwrap();
        let library = Repository::init(temp.path()).unwrap();
        let file = temp.path().join(".git/index");
        let stage = |path: &str| {
            fs::create_dir_all(temp.path().join(path).parent().unwrap()).unwrap();
            fs::write(temp.path().join(path), "x").unwrap();
            let mut index = library.index().unwrap();
            index.add_path(Path::new(path)).unwrap();
            index.write().unwrap();
        };
        // A handle that has read the index remembers it.
        let tracked = || {
            let repo = Repo::Library(Repository::init(temp.path()).unwrap());
            WorkTreeView::open(&repo).unwrap().is_tracked()
        };
        assert!(!may_name(&file, ROOT) && !tracked(), "there is no index yet");
        stage(".github/x");
        stage("a.grill");
        assert!(!may_name(&file, ROOT) && !tracked());
        stage("deep/.grill/x");
        assert!(may_name(&file, ROOT) && !tracked(), "elsewhere in a path it is another folder");
        stage(".grill/x");
        assert!(may_name(&file, ROOT) && tracked());
        // A form that leaves out what the path before has, and what is no index at all, prove nothing.
        for (bytes, expected) in
            [(&b"DIRC\0\0\0\x04\0\0\0\x01"[..], true), (b"DIRC\0\0\0\x03\0\0\0\0", false), (b"?", true), (b"", true)]
        {
            fs::write(&file, bytes).unwrap();
            assert_eq!(may_name(&file, ROOT), expected, "{bytes:?}");
        }
    }
}
