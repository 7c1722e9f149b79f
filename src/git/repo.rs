//! An open repository, whoever reads it.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use git2::{ErrorClass, ErrorCode, Repository};

use super::error::Error;
use super::forced::is_forced;
use super::loose;
use super::object::{self, Commit, Kind, Object};
use super::program::Program;
pub use super::refs::Because;
use super::transaction;
use super::unpacked;
use super::{Naming, Oid};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    Library,
    Program,
}

impl Backend {
    /// The word for people and machines.
    pub fn word(self) -> &'static str {
        match self {
            Self::Library => "libgit2",
            Self::Program => "git",
        }
    }
}

/// What is known of the index before it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Staged {
    /// It may hold what is looked for.
    Possibly,
    No,
}

pub enum Repo {
    Library(Repository),
    Program(Program),
}

impl From<Repository> for Repo {
    fn from(repo: Repository) -> Self {
        Self::Library(repo)
    }
}

pub fn library_id(id: Oid) -> Result<git2::Oid, Error> {
    git2::Oid::from_bytes(id.as_slice()).map_err(Error::from)
}

pub fn our_id(id: git2::Oid) -> Oid {
    Oid::try_from(id.as_bytes()).expect("the library names objects by SHA-1")
}

/// Whether there is nothing of that name, which is no failure.
fn absent<T>(error: &git2::Error) -> Result<Option<T>, Error> {
    if error.code() == ErrorCode::NotFound { Ok(None) } else { Err(Error(error.message().to_owned())) }
}

impl Repo {
    pub fn backend(&self) -> Backend {
        match self {
            Self::Library(_) => Backend::Library,
            Self::Program(_) => Backend::Program,
        }
    }

    pub fn naming(&self) -> Naming {
        match self {
            Self::Library(_) => Naming::Sha1,
            Self::Program(program) => program.naming,
        }
    }

    pub fn is_reftable(&self) -> bool {
        match self {
            Self::Library(_) => false,
            Self::Program(program) => program.is_reftable(),
        }
    }

    /// The git directory of this worktree.
    pub fn git_dir(&self) -> &Path {
        match self {
            Self::Library(repo) => repo.path(),
            Self::Program(program) => &program.git_dir,
        }
    }

    /// The git directory that all worktrees share.
    pub fn common_dir(&self) -> &Path {
        match self {
            Self::Library(repo) => repo.commondir(),
            Self::Program(program) => &program.common_dir,
        }
    }

    /// The top of the working tree; none in a bare repository.
    pub fn worktree(&self) -> Option<PathBuf> {
        match self {
            // The library's paths end in a slash; collecting the components leaves it out.
            Self::Library(repo) => repo.workdir().map(|path| path.components().collect()),
            Self::Program(program) => program.worktree.clone(),
        }
    }

    /// The name that these bytes have as a blob; nothing is written.
    pub fn blob_name(&self, bytes: &[u8]) -> Result<Oid, Error> {
        object::name_of(self.naming(), Kind::Blob, bytes)
    }

    /// An object; `None` when it is not here.
    pub fn read(&self, id: Oid) -> Result<Option<Object>, Error> {
        match self {
            Self::Library(repo) => match read_by_library(repo, id) {
                Ok(object) => Ok(Some(object)),
                Err(error) => absent(&error),
            },
            Self::Program(program) => program.read(id),
        }
    }

    /// The bytes of a blob, which has to be here.
    pub fn blob(&self, id: Oid) -> Result<Vec<u8>, Error> {
        match self.read(id)? {
            Some(Object { kind: Kind::Blob, bytes }) => Ok(bytes),
            Some(_) => Err(Error(format!("{id} is no blob"))),
            None => Err(Error::missing(id)),
        }
    }

    /// Kind and size of an object; `None` when it is not here.
    pub fn header(&self, id: Oid) -> Result<Option<(Kind, usize)>, Error> {
        match self {
            Self::Library(repo) => {
                if let Some(found) = loose_in(repo, |objects| loose::header(objects, id))? {
                    return Ok(Some(found));
                }
                let Ok(id) = library_id(id) else { return Ok(None) };
                match repo.odb().and_then(|odb| odb.read_header(id)) {
                    Ok((size, kind)) => Ok(Kind::of_library(kind).map(|kind| (kind, size))),
                    Err(error) => absent(&error),
                }
            }
            Self::Program(program) => program.header(id),
        }
    }

    /// Whether an object can be read, here or in what this repository borrows from.
    pub fn holds(&self, id: Oid) -> bool {
        let file = || matches!(loose::read(&self.common_dir().join("objects"), id), Ok(Some(_)));
        match self {
            Self::Library(_) => matches!(self.read(id), Ok(Some(_))),
            // A file is read without asking a process for it.
            Self::Program(program) => file() || matches!(program.read(id), Ok(Some(_))),
        }
    }

    /// The same at a glance: a file that is not empty counts.
    pub fn seems_to_hold(&self, id: Oid) -> bool {
        let file = loose::path_of(&self.common_dir().join("objects"), id).metadata();
        match file {
            Ok(about) => about.len() > 0,
            Err(_) => matches!(self.header(id), Ok(Some(_))),
        }
    }

    pub fn exists(&self, id: Oid) -> bool {
        match self {
            Self::Library(repo) => library_id(id).is_ok_and(|id| repo.odb().is_ok_and(|odb| odb.exists(id))),
            Self::Program(program) => program.header(id).is_ok_and(|found| found.is_some()),
        }
    }

    /// Writes an object, at the latest with the next [`Self::flush`]: as a file of its own, whatever packs hold. They may be
    /// gone a moment later, what the library takes for young in one of them git may take for old, and to look through them
    /// takes longer than to write it.
    pub fn write(&self, kind: Kind, bytes: Vec<u8>) -> Result<Oid, Error> {
        match self {
            Self::Library(repo) => loose::write(&objects(repo), self.naming(), kind, &bytes),
            Self::Program(program) => program.write(kind, bytes),
        }
    }

    /// The same, unless it is one of those that something else keeps.
    pub fn write_unless(&self, kept: &HashSet<Oid>, kind: Kind, bytes: Vec<u8>) -> Result<Oid, Error> {
        let name = object::name_of(self.naming(), kind, &bytes)?;
        if kept.contains(&name) { Ok(name) } else { self.write(kind, bytes) }
    }

    /// Writes whatever is not written yet; only then may anything name it.
    pub fn flush(&self) -> Result<(), Error> {
        match self {
            Self::Library(_) => Ok(()),
            Self::Program(program) => program.flush(),
        }
    }

    /// A commit; `None` when there is none of that name here.
    pub fn commit(&self, id: Oid) -> Result<Option<Commit>, Error> {
        Ok(self
            .read(id)?
            .filter(|object| object.kind == Kind::Commit)
            .and_then(|object| Commit::parse(id, &object.bytes)))
    }

    /// The one commit whose name begins so; `None` when there is none, or more than one.
    pub fn commit_beginning(&self, name: &str) -> Result<Option<Oid>, Error> {
        match self {
            Self::Library(library) => {
                let found = library.find_object_by_prefix(name, Some(git2::ObjectType::Commit));
                Ok(found.ok().map(|object| our_id(object.id())))
            }
            Self::Program(program) => program.named(&format!("{name}^{{commit}}")),
        }
    }

    /// The commit that an object leads to: itself, or what a tag names; `None` when it leads to none.
    pub fn peeled(&self, id: Oid) -> Result<Option<Oid>, Error> {
        match self {
            Self::Library(_) => Ok(self.walked_to_commit(id)),
            Self::Program(program) => program.peeled(id),
        }
    }

    /// Whether a commit has this hash or a hash that begins so. A beginning that several share names some of them.
    pub fn has_commit(&self, hash: &str) -> Result<bool, Error> {
        match self {
            Self::Library(repo) => Ok(match repo.revparse_single(hash) {
                Ok(object) => object.peel_to_commit().is_ok(),
                Err(error) => error.code() == git2::ErrorCode::Ambiguous,
            }),
            Self::Program(program) => Ok(program.named(&format!("{hash}^{{commit}}"))?.is_some()),
        }
    }

    /// The object that a ref names, also through another ref; `None` when there is no such ref.
    pub fn tip(&self, name: &str) -> Result<Option<Oid>, Error> {
        match self {
            Self::Library(repo) => Ok(transaction::named(repo, name)?),
            Self::Program(program) => program.tip(name),
        }
    }

    /// The object that a ref names, there or deleted; `None` where git finds no ref of that name that it can make sense
    /// of.
    pub fn named(&self, name: &str) -> Result<Option<Oid>, Error> {
        match self {
            Self::Library(repo) => Ok(transaction::named(repo, name)?),
            Self::Program(program) => program.named(name),
        }
    }

    /// Every ref below a folder that names an object, with that object.
    pub fn below(&self, folder: &str) -> Result<Vec<(String, Oid)>, Error> {
        match self {
            Self::Library(repo) => {
                let mut found = Vec::new();
                for reference in repo.references_glob(&format!("{folder}*"))?.flatten() {
                    if let (Ok(name), Some(id)) = (reference.name(), reference.target()) {
                        found.push((name.to_owned(), our_id(id)));
                    }
                }
                Ok(found)
            }
            Self::Program(program) => program.below(folder),
        }
    }

    /// Moves a ref of ours from exactly `from` (`None`: it must not exist) to `to`.
    pub fn point(&self, name: &str, from: Option<Oid>, to: Oid, because: &Because<'_>) -> Result<(), Error> {
        match self {
            Self::Library(repo) => {
                let moved = transaction::point(repo, name, from, to, None, because.message)?;
                moved.then_some(()).ok_or_else(|| Error(format!("{name} does not name what it named")))
            }
            Self::Program(program) => {
                program.point(name, from, Some(to), because)?;
                if is_forced() { Ok(program.settle_tables()?) } else { Ok(()) }
            }
        }
    }

    /// Deletes a loose ref that all worktrees share; returns whether the ref is gone.
    ///
    /// git deletes a packed ref, and every ref in a repository that the git executable reads. libgit2 would read
    /// packed-refs before it locks that file, and then write what it read. Any ref that `git pack-refs` packed in
    /// between would go back to its older value.
    pub fn remove_loose(&self, name: &str) -> Result<bool, Error> {
        match self {
            Self::Library(repo) => unpacked::remove(repo.commondir(), name),
            Self::Program(_) => Ok(false),
        }
    }

    /// Has the tables of a reftable repository on the disk.
    pub fn settle_tables(&self) -> io::Result<()> {
        match self {
            Self::Library(_) => Ok(()),
            Self::Program(program) => program.settle_tables(),
        }
    }

    /// The newest commits that `from` reaches, the newest first, each with its subject. A commit that is missing ends
    /// the list: a shallow or damaged repository shows what it has.
    pub fn newest(&self, from: Oid, limit: usize) -> Vec<(Oid, String)> {
        match self {
            Self::Library(_) => self.walked(from, limit),
            Self::Program(program) => program.newest(from, limit).unwrap_or_default(),
        }
    }

    /// Whether git's attributes give this one a value for a path.
    pub fn has_attribute(&self, path: &str, name: &str) -> bool {
        match self {
            Self::Library(repo) => {
                let flags = git2::AttrCheckFlags::FILE_THEN_INDEX;
                repo.get_attr(Path::new(path), name, flags).is_ok_and(|value| value.is_some())
            }
            Self::Program(program) => program.attribute(path, name).unwrap_or(false),
        }
    }

    /// Whether git keeps anything at this path from the top, committed or staged; `staged` is what is known of the index,
    /// which the library reads entry by entry.
    pub fn tracks(&self, path: &str, staged: Staged) -> bool {
        match self {
            Self::Library(repo) => {
                let committed = self.has_committed(path).unwrap_or(false);
                // An index that the library cannot read (split, sparse) leaves only what is committed to go by.
                let listed = || repo.index().is_ok_and(|index| index.find_prefix(format!("{path}/")).is_ok());
                committed || (staged == Staged::Possibly && listed())
            }
            Self::Program(program) => program.tracks(path),
        }
    }
}

fn objects(repo: &Repository) -> PathBuf {
    repo.commondir().join("objects")
}

/// What `look` finds among the objects that are files of their own, here or in a repository that this one borrows from.
/// The library must not be asked for one whose file is cut off: it would read for ever.
fn loose_in<T>(repo: &Repository, look: impl Fn(&Path) -> Result<Option<T>, Error>) -> Result<Option<T>, Error> {
    let objects = objects(repo);
    if let Some(found) = look(&objects)? {
        return Ok(Some(found));
    }
    for folder in loose::borrowed(&objects) {
        if let Some(found) = look(&folder)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// An object of a repository that the library opened: its file is read here, and packs are read by the library.
pub fn read_by_library(repo: &Repository, id: Oid) -> Result<Object, git2::Error> {
    let failed = |error: Error| git2::Error::new(ErrorCode::GenericError, ErrorClass::Zlib, error.0);
    if let Some(object) = loose_in(repo, |objects| loose::read(objects, id)).map_err(failed)? {
        return Ok(object);
    }
    let absent = || git2::Error::new(ErrorCode::NotFound, ErrorClass::Odb, Error::missing(id).0);
    let library = library_id(id).map_err(|_| absent())?;
    let odb = repo.odb()?;
    let found = match odb.read(library) {
        Err(error) if error.code() == ErrorCode::NotFound => return Err(absent()),
        other => other?,
    };
    let kind = Kind::of_library(found.kind()).ok_or_else(absent)?;
    Ok(Object { kind, bytes: found.data().to_vec() })
}
