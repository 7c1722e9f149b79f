//! What lies beside the refs: locks of git's that nobody holds any more, and ref files in a repository that keeps its
//! refs as reftable, where git does not see them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::super::active;
use super::super::lock::{self, Locks, PATIENCE, STALE};
use crate::app::ports::StoreError;
use crate::domain::ids::SessionId;
use crate::files::regular;
use crate::git::worktrees::{Worktree, present};
use crate::git::{Because, Kind, Oid, Program, Repo, holder};

use super::super::commit::Person;
use super::keeping::{self, KEPT, Note};
use super::tip::readable;

const OURS: &str = "refs/grill";
/// So long the one lock of a reftable repository is left to others, who may tidy up a large one.
const SHARED: Duration = Duration::from_mins(2);
/// A lock of git's own that somebody may hold unseen is told of only when it is this old: commands that take long hold one.
const ABANDONED: Duration = Duration::from_mins(2);
const ASIDE: &str = "grill/recovered/strays";

/// A lock file that was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// Of a ref of ours; with the session it belongs to, where one is named.
    Ref(PathBuf, Option<SessionId>),
    /// Of a worktree's pointer, by its git directory.
    Pointer(PathBuf, PathBuf),
    /// The one that guards all refs of a reftable repository, ours and the user's.
    Shared(PathBuf),
}

impl Left {
    pub fn path(&self) -> &Path {
        match self {
            Self::Ref(path, _) | Self::Pointer(path, _) | Self::Shared(path) => path,
        }
    }
}

/// The locks that are too old to be anybody's.
pub fn locks(repo: &Repo) -> Vec<Left> {
    let common = repo.common_dir();
    let mut found = Vec::new();
    let beside = [common.join(OURS), common.join("logs").join(OURS)];
    for path in beside.iter().flat_map(|folder| below(folder)) {
        if path.extension().is_some_and(|end| end == "lock") {
            let session = session_of(common, &path);
            if is_older(&path, STALE) || session.as_ref().is_some_and(|id| lock::died_moving(common, id, &path)) {
                found.push(Left::Ref(path, session));
            }
        }
    }
    for Worktree { git_dir, .. } in present(repo.common_dir()) {
        let path = git_dir.join(format!("{}.lock", active::POINTER));
        if is_older(&path, STALE) {
            found.push(Left::Pointer(path, git_dir.clone()));
        }
        let shared = git_dir.join("reftable/tables.list.lock");
        if is_older(&shared, SHARED) {
            found.push(Left::Shared(shared));
        }
    }
    found
}

/// Removes them, each as the one who holds what it guards. What is not ours to remove stays.
pub fn remove(repo: &Repo) -> Result<Vec<PathBuf>, StoreError> {
    let sessions = Locks::new(repo.common_dir(), PATIENCE);
    let mut removed = Vec::new();
    for left in locks(repo) {
        let gone = match &left {
            Left::Ref(path, Some(id)) => sessions.hold(id)?.remove_stale(path, STALE),
            Left::Ref(path, None) => {
                is_older(path, STALE) && holder::with_it_open(path).is_none() && fs::remove_file(path).is_ok()
            }
            Left::Pointer(_, git_dir) => active::tidy_at(repo, git_dir)?.is_some(),
            Left::Shared(_) => false,
        };
        removed.extend(gone.then(|| left.path().to_owned()));
    }
    Ok(removed)
}

/// The files of these that nobody seems to hold: locks of git's own, and neither a process that has them open nor a git in
/// one of these folders is seen. A young one is among them only where its maker would be seen. Nobody can be sure of that,
/// so they are told and never removed.
pub fn abandoned(locks: Vec<PathBuf>, folders: &[PathBuf]) -> Vec<PathBuf> {
    let is_file = |path: &Path| path.symlink_metadata().is_ok_and(|about| about.is_file());
    let nobody = |path: &Path| {
        if is_older(path, ABANDONED) {
            holder::at_work(path, folders).is_none()
        } else {
            holder::is_nobodys(path, folders)
        }
    };
    locks.into_iter().filter(|path| is_file(path) && nobody(path)).collect()
}

fn is_older(path: &Path, than: Duration) -> bool {
    #[expect(clippy::disallowed_methods, reason = "the age of a file is no fact of the session")]
    let now = SystemTime::now();
    let made = path.symlink_metadata().and_then(|about| about.modified());
    made.is_ok_and(|made| now.duration_since(made).is_ok_and(|age| age > than))
}

/// The session that a file of ours belongs to.
fn session_of(common: &Path, path: &Path) -> Option<SessionId> {
    let name = path.strip_prefix(common).ok()?.to_str()?;
    let name = name.strip_prefix("logs/").unwrap_or(name).strip_prefix(OURS)?;
    let parsed = |word: &str| SessionId::parse(word).ok();
    name.split('/').find_map(|word| {
        let word = word.strip_suffix(".lock").unwrap_or(word);
        parsed(word).or_else(|| parsed(word.rsplit_once('-')?.0))
    })
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut waiting) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => waiting.push(entry.path()),
                Ok(_) => found.push(entry.path()),
                Err(_) => {}
            }
        }
    }
    found.sort();
    found
}

/// The ref files of ours that git does not see.
pub fn files(repo: &Repo) -> Vec<PathBuf> {
    if !repo.is_reftable() {
        return Vec::new();
    }
    let mut found = below(&repo.common_dir().join(OURS));
    found.retain(|path| path.extension().is_none_or(|end| end != "lock"));
    found
}

/// Takes the ref files in that git does not see: what one names becomes a ref, of that name where there is none, and
/// beside it where there is another; the file itself is kept among the notes. What was done, in sentences.
pub fn take_in(repo: &Repo, program: &Program, by: &Person, seconds: i64) -> Result<Vec<String>, StoreError> {
    let common = program.common_dir();
    let sessions = Locks::new(common, PATIENCE);
    let mut done = Vec::new();
    for path in files(repo) {
        let Some(name) = path.strip_prefix(common).ok().and_then(Path::to_str) else { continue };
        let held = session_of(common, &path).map(|id| sessions.hold(&id).map(|held| (id, held))).transpose()?;
        let fail = |error: crate::git::Error| StoreError::Git { doing: format!("taking {name} in"), why: error.0 };
        let io = |source| StoreError::Io { doing: format!("moving {} away", path.display()), source };
        let named = regular::text(&path, regular::SHORT).ok().and_then(|text| crate::git::object::parsed(text.trim()));
        let because = Because { name: &by.name, email: &by.email, seconds, message: "grill: a stray file" };
        let to = match (named, program.named(name).map_err(fail)?) {
            (Some(stray), None) if is_fit(repo, held.as_ref().map(|(id, _)| id), name, stray) => {
                program.point(name, None, Some(stray), &because).map_err(fail)?;
                format!("{name} is a ref now")
            }
            (Some(stray), Some(now)) if now == stray => format!("{name} named the same already"),
            (Some(stray), _) if let Some((id, _)) = held.as_ref().filter(|_| is_whole(repo, stray)) => {
                let note = Note::about(common, id, &stray.to_string());
                let text =
                    format!("session: {id}\ntip: {stray}\nit was found in {}\nkept: {}\n", path.display(), note.kept());
                note.write(common, &text).map_err(io)?;
                if program.named(&note.kept()).map_err(fail)?.is_none() {
                    program.point(&note.kept(), None, Some(stray), &because).map_err(fail)?;
                }
                format!("{stray} is kept as {}", note.kept())
            }
            (_, _) => "it names nothing that git could keep".to_owned(),
        };
        let aside = common.join(ASIDE).join(name.replace('/', "-"));
        fs::create_dir_all(common.join(ASIDE)).map_err(io)?;
        fs::rename(&path, &aside).map_err(io)?;
        done.push(format!("{to}, and the file lies in {}", aside.display()));
    }
    Ok(done)
}

fn is_whole(repo: &Repo, id: Oid) -> bool {
    keeping::pieces(repo, id).is_ok_and(|pieces| pieces.whole)
}

/// Whether a stray file may become the ref whose name it has: a session's has to be that session.
fn is_fit(repo: &Repo, session: Option<&SessionId>, name: &str, stray: Oid) -> bool {
    match session.filter(|id| id.ref_name() == name) {
        Some(id) => readable(repo, id, stray).is_ok(),
        None => {
            !name.starts_with(KEPT)
                && matches!(repo.header(stray), Ok(Some((Kind::Commit, _))))
                && is_whole(repo, stray)
        }
    }
}
