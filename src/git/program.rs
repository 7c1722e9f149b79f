//! A repository through the `git` program: one process that is asked for objects as long as we look at it, one that
//! writes what we made, and short ones for refs.
//!
//! The environment that git is run in leads it to this repository and nowhere else; nothing of the user's is run (hooks,
//! replacement objects), and nothing is fetched.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::command::Git;
use super::error::Error;
use super::forced;
use super::loose;
use super::object::{self, Kind, Object, name_of};
use super::pack::pack;
use super::{Naming, Oid};
use crate::app::ports::{Process, Ran, Talk};
use crate::files::patience;

/// What spawns programs, shared by everything that was opened with it.
pub type Spawner = Arc<dyn Process + Send + Sync>;

/// How long objects are tried to be written whose folders come and go: somebody else's `git gc` lasts no longer.
const FOLDER_PATIENCE: Duration = Duration::from_secs(2);
/// So many bytes are kept before they are written.
const WAITING: usize = 32 * 1024 * 1024;

/// A repository that only the program opens.
pub struct Program {
    pub(super) process: Spawner,
    /// The git directory of this worktree.
    pub(super) git_dir: PathBuf,
    /// The git directory that all worktrees share.
    pub(super) common_dir: PathBuf,
    /// The top of the working tree; none in a bare repository.
    pub(super) worktree: Option<PathBuf>,
    pub(super) naming: Naming,
    reading: RefCell<Option<Box<dyn Talk + Send>>>,
    sizing: RefCell<Option<Box<dyn Talk + Send>>>,
    unwritten: RefCell<Unwritten>,
}

/// Objects that no run of git has taken yet.
#[derive(Default)]
struct Unwritten {
    objects: HashMap<Oid, Object>,
    bytes: usize,
}

impl Program {
    pub fn new(
        process: Spawner,
        git_dir: PathBuf,
        common_dir: PathBuf,
        worktree: Option<PathBuf>,
        naming: Naming,
    ) -> Self {
        Self {
            process,
            git_dir,
            common_dir,
            worktree,
            naming,
            reading: RefCell::default(),
            sizing: RefCell::default(),
            unwritten: RefCell::default(),
        }
    }

    /// The same repository once more, with nothing that was begun.
    #[must_use]
    pub fn again(&self) -> Self {
        Self::new(
            Arc::clone(&self.process),
            self.git_dir.clone(),
            self.common_dir.clone(),
            self.worktree.clone(),
            self.naming,
        )
    }

    /// The same repository from another of its worktrees, by its git directory.
    #[must_use]
    pub fn at(&self, git_dir: &Path) -> Self {
        Self { git_dir: git_dir.to_owned(), ..self.again() }
    }

    /// The git directory that all worktrees share.
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// The git directory of this worktree.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    pub fn is_reftable(&self) -> bool {
        is_reftable(&self.common_dir)
    }

    /// A run of git in this repository that reads `stdin`.
    pub(super) fn git(&self, args: &[&str], stdin: Vec<u8>) -> Git {
        Self::git_at(&self.git_dir, args, stdin)
    }

    /// The same for another of its worktrees, by its git directory.
    pub(super) fn git_at(git_dir: &Path, args: &[&str], stdin: Vec<u8>) -> Git {
        Git::new(args.iter().copied()).inside(git_dir).silent().reading().fed(stdin)
    }

    /// Runs git, however it ends.
    pub(super) fn run(&self, git: Git) -> Result<Ran, Error> {
        Ok(git.run(&*self.process)?)
    }

    /// Runs git, and takes anything but success as a failure.
    pub(super) fn ask(&self, args: &[&str], stdin: Vec<u8>) -> Result<Vec<u8>, Error> {
        self.git(args, stdin).ask(&*self.process)
    }

    /// An object; `None` when it is not here.
    pub(super) fn read(&self, id: Oid) -> Result<Option<Object>, Error> {
        if let Some(object) = self.unwritten.borrow().objects.get(&id) {
            return Ok(Some(object.clone()));
        }
        self.talking(&self.reading, "--batch", |talk| {
            let Some((kind, size)) = asked(talk, id)? else {
                return Ok(None);
            };
            // Grown as it comes: of a broken object git may name any size, and then say nothing more.
            let mut bytes = Vec::new();
            let read = (&mut *talk).take(size as u64).read_to_end(&mut bytes)?;
            if read != size {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            let mut end = [0];
            talk.read_exact(&mut end)?;
            Ok(Some(Object { kind, bytes }))
        })
    }

    /// Kind and size of an object; `None` when it is not here.
    pub(super) fn header(&self, id: Oid) -> Result<Option<(Kind, usize)>, Error> {
        if let Some(object) = self.unwritten.borrow().objects.get(&id) {
            return Ok(Some((object.kind, object.bytes.len())));
        }
        self.talking(&self.sizing, "--batch-check", |talk| asked(talk, id))
    }

    /// Asks the process that is kept for it, which is begun with the first question. One that fails is asked nothing
    /// more, since nobody knows how far it is; the question goes to a new one, once.
    fn talking<T>(
        &self,
        kept: &RefCell<Option<Box<dyn Talk + Send>>>,
        form: &str,
        ask: impl Fn(&mut dyn Talk) -> std::io::Result<T>,
    ) -> Result<T, Error> {
        if let Some(mut talk) = kept.take()
            && let Ok(told) = ask(&mut *talk)
        {
            kept.replace(Some(talk));
            return Ok(told);
        }
        let mut talk = self.process.talk(&self.git(&["cat-file", form], Vec::new()).prepared())?;
        let told = ask(&mut *talk).map_err(|error| Error(format!("git cat-file {form}: {error}")))?;
        kept.replace(Some(talk));
        Ok(told)
    }

    /// Keeps an object that is to be written, and names it.
    pub fn write(&self, kind: Kind, bytes: Vec<u8>) -> Result<Oid, Error> {
        let id = name_of(self.naming, kind, &bytes)?;
        let full = {
            let mut unwritten = self.unwritten.borrow_mut();
            let size = bytes.len();
            if unwritten.objects.insert(id, Object { kind, bytes }).is_none() {
                unwritten.bytes += size;
            }
            unwritten.bytes > WAITING
        };
        if full {
            self.flush()?;
        }
        Ok(id)
    }

    /// Has git write every object that is kept, each of which git names and checks anew.
    pub fn flush(&self) -> Result<(), Error> {
        let Unwritten { objects, .. } = self.unwritten.take();
        if objects.is_empty() {
            return Ok(());
        }
        let folder = self.common_dir.join("objects");
        for name in objects.keys() {
            // One that does not go away is said by whoever reads it.
            let _ = loose::make_way(&folder, *name);
        }
        let packed = pack(self.naming, objects.values())?;
        let args: Vec<&str> = forced::arguments().chain(["unpack-objects", "-q"]).collect();
        let written = self.unpacked(&args, &packed).and_then(|()| {
            let names = objects.keys().copied();
            loose::settle(&folder, names).map_err(|error| Error(format!("fsync: {error}")))
        });
        if written.is_err() {
            // What was not written can still be read and tried again.
            let bytes = objects.values().map(|object| object.bytes.len()).sum();
            self.unwritten.replace(Unwritten { objects, bytes });
        }
        written
    }

    /// Has git take a pack apart, again while a `git gc` takes away the folders that it has just made.
    fn unpacked(&self, args: &[&str], packed: &[u8]) -> Result<(), Error> {
        patience::again(FOLDER_PATIENCE, || self.ask(args, packed.to_vec()), Error::is_passing).map(drop)
    }

    /// The value of an attribute, if it is set to one.
    pub(super) fn attribute(&self, path: &str, name: &str) -> Result<bool, Error> {
        let git = self.git(&["check-attr", "-z", "--stdin", name], [path.as_bytes(), b"\0"].concat());
        let told = git.at_work_in(self.worktree.as_deref()).ask(&*self.process)?;
        let value = told.split(|byte| *byte == 0).nth(2).unwrap_or_default();
        Ok(!matches!(value, b"" | b"unspecified" | b"unset"))
    }

    /// The paths of the submodules in the index.
    pub fn gitlinks(&self) -> Result<Vec<Vec<u8>>, Error> {
        let listed = self.ask(&["ls-files", "-z", "-s"], Vec::new())?;
        let links = listed.split(|byte| *byte == 0).filter(|line| line.starts_with(b"160000 "));
        Ok(links.filter_map(|line| Some(line.splitn(2, |byte| *byte == b'\t').nth(1)?.to_vec())).collect())
    }

    /// Whether git keeps anything at this path: in HEAD's tree or in the index.
    pub(super) fn tracks(&self, path: &str) -> bool {
        let listed = |args: &[&str]| self.ask(args, Vec::new()).is_ok_and(|listed| !listed.is_empty());
        listed(&["ls-tree", "--full-tree", "HEAD", "--", path]) || {
            let git = self.git(&["ls-files", "-z", "--", path], Vec::new()).at_work_in(self.worktree.as_deref());
            git.ask(&*self.process).is_ok_and(|listed| !listed.is_empty())
        }
    }
}

/// Whether the refs of the repository with this git directory are kept as reftable.
pub fn is_reftable(git_dir: &Path) -> bool {
    git_dir.join("reftable").is_dir()
}

/// Asks for one object: kind and size, or that it is missing.
fn asked(talk: &mut dyn Talk, id: Oid) -> std::io::Result<Option<(Kind, usize)>> {
    talk.write_all(format!("{id}\n").as_bytes())?;
    talk.flush()?;
    let mut line = Vec::new();
    talk.read_until(b'\n', &mut line)?;
    let line = String::from_utf8_lossy(&line).into_owned();
    let words: Vec<&str> = line.split_whitespace().collect();
    match *words.as_slice() {
        [_, "missing"] => Ok(None),
        [_, kind, size] => {
            let known = Kind::named(kind).zip(size.parse().ok());
            known.map(Some).ok_or_else(|| std::io::Error::other(format!("it said '{}'", line.trim_end())))
        }
        [] => Err(std::io::Error::other("it ended")),
        _ => Err(std::io::Error::other(format!("it said '{}'", line.trim_end()))),
    }
}

/// A whole name that git printed.
pub(super) fn id_in(line: &[u8]) -> Option<Oid> {
    object::parsed(std::str::from_utf8(line).ok()?.trim())
}
