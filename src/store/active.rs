//! `GRILL_HEAD`: the pointer of each worktree to its active session. Always symbolic: git's garbage collection does not
//! count a detached one.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::claim;
use super::durable::Durability;
use super::lock::{self, Held};
use super::prompt_summary;
use super::publish;
use crate::app::ports::StoreError;
use crate::domain::ids::SessionId;
use crate::files::fresh::Fresh;
use crate::files::lock::FAR;
use crate::files::patience::Patience;
use crate::files::regular;
use crate::git::program::is_reftable;
use crate::git::worktrees::{is_same, present};
use crate::git::{Error, Oid, Repo, holder};

pub const POINTER: &str = "GRILL_HEAD";
/// In a reftable repository the pointer is no file; there a file of this name below `<git-dir>/grill` stands from before
/// the pointer is set until after it is gone. It says that it is worth asking git, and nothing more.
pub const MARK: &str = "active";
pub const PREFIX: &str = "refs/grill/sessions/";

fn io(doing: &str) -> impl Fn(std::io::Error) -> StoreError + '_ {
    move |source| StoreError::Io { doing: doing.to_owned(), source }
}

fn git(doing: &str) -> impl Fn(Error) -> StoreError + '_ {
    move |error| StoreError::Git { doing: doing.to_owned(), why: error.0 }
}

/// What the pointer of the worktree with this git directory says; `None` when there is none.
fn read(repo: &Repo, git_dir: &Path) -> Result<Option<SessionId>, StoreError> {
    match repo {
        Repo::Program(program) if program.is_reftable() => {
            let said = program.symbolic(git_dir, POINTER).map_err(git("reading GRILL_HEAD"))?;
            said.map(|target| named(&format!("ref: {target}"))).transpose()
        }
        Repo::Program(_) | Repo::Library(_) => read_file(git_dir),
    }
}

fn read_file(git_dir: &Path) -> Result<Option<SessionId>, StoreError> {
    let bytes = match regular::bytes(git_dir.join(POINTER), regular::SHORT) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::FileTooLarge) => {
            return Err(StoreError::BadPointer { why: error.to_string() });
        }
        Err(error) => return Err(io("reading GRILL_HEAD")(error)),
    };
    named(&String::from_utf8_lossy(&bytes)).map(Some)
}

fn named(text: &str) -> Result<SessionId, StoreError> {
    let id = text
        .strip_prefix("ref:")
        .and_then(|target| target.trim().strip_prefix(PREFIX))
        .and_then(|id| SessionId::parse(id).ok());
    match id {
        Some(id) => Ok(id),
        None => Err(StoreError::BadPointer {
            why: format!(
                "it should name a session and says '{}'",
                text.trim().chars().take(80).collect::<String>().escape_debug()
            ),
        }),
    }
}

/// The session that this worktree's pointer names, and its newest commit.
pub fn active(repo: &Repo) -> Result<Option<(SessionId, Oid)>, StoreError> {
    let Some(id) = read(repo, repo.git_dir())? else {
        return Ok(None);
    };
    match publish::tip(repo, &id.ref_name()) {
        Ok(Some(tip)) => Ok(Some((id, tip))),
        Ok(None) => Err(StoreError::BadPointer { why: format!("the session {id} that it names is gone") }),
        Err(error) => Err(StoreError::Corrupt { what: id.ref_name(), why: error.0, id }),
    }
}

/// The lock of whoever sets the pointer.
const SETTING: &str = "head.lock";
/// How long the lock of a pointer is waited for that is none of ours.
const PATIENCE: Duration = Duration::from_secs(5);
/// Nobody but us sets the pointer, and one of us at a time: a lock file of this age was left by a process that died.
const STALE: Duration = Duration::from_secs(1);

/// Points this worktree at a session. Call it with the session's lock held, so that two worktrees cannot both see the
/// session free.
pub fn activate(repo: &Repo, id: &SessionId, durability: Durability) -> Result<(), StoreError> {
    if let Some((_, worktree)) = elsewhere(repo).into_iter().find(|(other, _)| other == id) {
        return Err(StoreError::ActiveElsewhere { id: id.clone(), worktree });
    }
    let held = lock::wait(&repo.git_dir().join("grill"), SETTING, FAR)?;
    let set = set_pointer(repo, id, durability, &held);
    held.remove();
    set
}

fn set_pointer(repo: &Repo, id: &SessionId, durability: Durability, held: &Held) -> Result<(), StoreError> {
    const DOING: &str = "setting GRILL_HEAD";
    let git_dir = repo.git_dir();
    if let Repo::Program(program) = repo
        && program.is_reftable()
    {
        let mark = mark(git_dir);
        let marked = regular::write(&mark, "");
        // Before the pointer is there: whoever finds no mark does not ask for it.
        marked.and_then(|()| durability.settle(mark.ancestors().take(3))).map_err(io("marking the worktree"))?;
        program.point_symbolic(POINTER, &id.ref_name(), "grill: active").map_err(git(DOING))?;
        return durability.settle_tables(repo).map_err(io(DOING));
    }
    let lock_file = git_dir.join(format!("{POINTER}.lock"));
    let mut patience = Patience::begin();
    loop {
        match write_pointer(git_dir, &lock_file, id, durability) {
            Ok(()) => return durability.settle([git_dir]).map_err(io(DOING)),
            // Nobody but us sets it, and `held` says that nobody else of us is alive at it.
            Err(error) if error.kind() == ErrorKind::AlreadyExists && held.remove_stale(&lock_file, STALE) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists && patience.is_over(PATIENCE) => {
                let holder = holder::with_it_open(&lock_file);
                return Err(StoreError::Busy { path: lock_file, seconds: PATIENCE.as_secs(), holder });
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => patience.rest(),
            Err(error) => return Err(io(DOING)(error)),
        }
    }
}

/// Writes the pointer as git would, under the name of its lock and then in its place; git itself forces none onto the
/// disk.
fn write_pointer(git_dir: &Path, lock_file: &Path, id: &SessionId, durability: Durability) -> std::io::Result<()> {
    let (mut file, mut fresh) = Fresh::alone(lock_file, 0o666)?;
    file.write_all(format!("ref: {}\n", id.ref_name()).as_bytes())?;
    // Shared with whom the repository is shared with.
    if let Ok(head) = fs::metadata(git_dir.join("HEAD")) {
        file.set_permissions(head.permissions())?;
    }
    durability.settle([lock_file])?;
    fresh.place(git_dir.join(POINTER))
}

/// Removes what a process left that died while it set the pointer or took it away; the path of the pointer's lock, if
/// that was left.
pub fn tidy(repo: &Repo) -> Result<Option<PathBuf>, StoreError> {
    tidy_at(repo, repo.git_dir())
}

/// The same for the worktree with this git directory.
pub fn tidy_at(repo: &Repo, git_dir: &Path) -> Result<Option<PathBuf>, StoreError> {
    claim::tidy_at(git_dir);
    let folder = git_dir.join("grill");
    let lock_file = git_dir.join(format!("{POINTER}.lock"));
    if ![&lock_file, &folder.join(SETTING), &mark(git_dir)].into_iter().any(|path| path.symlink_metadata().is_ok()) {
        return Ok(None);
    }
    let held = lock::wait(&folder, SETTING, FAR)?;
    let removed = held.remove_stale(&lock_file, STALE);
    // While it is held, nobody has set the mark and not yet the pointer.
    if let Some(mark) = orphan_mark(repo, git_dir) {
        let _ = fs::remove_file(mark);
    }
    held.remove();
    // Fails when something else is in it, as it should.
    let _ = fs::remove_dir(&folder);
    Ok(removed.then_some(lock_file))
}

/// Takes this worktree's pointer away, whatever it says.
pub fn deactivate(repo: &Repo, durability: Durability) -> Result<(), StoreError> {
    let gone = remove_pointer(repo, durability);
    prompt_summary::forget(repo.git_dir());
    gone
}

fn remove_pointer(repo: &Repo, durability: Durability) -> Result<(), StoreError> {
    const DOING: &str = "removing GRILL_HEAD";
    if let Repo::Program(program) = repo
        && program.is_reftable()
    {
        program.remove_symbolic(POINTER).map_err(git(DOING))?;
        durability.settle_tables(repo).map_err(io(DOING))?;
        // One that stays only has git asked in vain, and the next who tidies up takes it away.
        let _ = fs::remove_file(mark(program.git_dir()));
        return Ok(());
    }
    // git's library reads the pointer's target and packed-refs to delete it, and fails on a corrupt one; the pointer
    // is never packed.
    match fs::remove_file(repo.git_dir().join(POINTER)) {
        Ok(()) => durability.settle([repo.git_dir()]).map_err(io(DOING)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(io(DOING)(error)),
    }
}

/// The same where the pointer is a file, which it is unless the repository keeps its refs as reftable.
pub fn pointer_file(git_dir: &Path) -> Result<Option<SessionId>, StoreError> {
    read_file(git_dir)
}

/// The session that the pointer in a worktree's git directory names, without asking whether it exists.
pub fn pointer(repo: &Repo, git_dir: &Path) -> Result<Option<SessionId>, StoreError> {
    read(repo, git_dir)
}

/// Whether the worktree with this git directory may have an active session: where it has not, nobody needs to look any
/// further. Costs two looks at the file system.
pub fn may_be_active(git_dir: &Path) -> std::io::Result<bool> {
    let there = |path: &Path| match fs::symlink_metadata(path) {
        Ok(_) => Ok(true),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(false),
        Err(error) => Err(error),
    };
    Ok(there(&git_dir.join(POINTER))? || (is_reftable(git_dir) && there(&mark(git_dir))?))
}

/// The mark of a worktree that has no pointer: whoever was about to set that, or had taken it away, died.
pub fn orphan_mark(repo: &Repo, git_dir: &Path) -> Option<PathBuf> {
    let mark = mark(git_dir);
    (mark.symlink_metadata().is_ok() && matches!(read(repo, git_dir), Ok(None))).then_some(mark)
}

fn mark(git_dir: &Path) -> PathBuf {
    git_dir.join("grill").join(MARK)
}

/// What is active in the repository's other worktrees, with the worktree's folder. A worktree whose folder is gone
/// holds nothing, and neither does a pointer that cannot be read.
pub fn elsewhere(repo: &Repo) -> Vec<(SessionId, PathBuf)> {
    present(repo.common_dir())
        .into_iter()
        .filter(|other| !is_same(&other.git_dir, repo.git_dir()))
        .filter_map(|other| Some((read(repo, &other.git_dir).ok().flatten()?, other.folder)))
        .collect()
}

/// The session that is active here, with the worktree's folder, without asking whether it exists.
pub fn here(repo: &Repo) -> Option<(SessionId, PathBuf)> {
    let folder = repo.worktree().unwrap_or_else(|| repo.git_dir().components().collect());
    Some((read(repo, repo.git_dir()).ok().flatten()?, folder))
}
