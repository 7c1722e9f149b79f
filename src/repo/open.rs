//! The one place that opens the repository, as git itself would: from `GIT_DIR` and its siblings, or by searching
//! upwards from the current folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use git2::{ErrorClass, ErrorCode, Repository, RepositoryOpenFlags};

use super::through_git::{self, RepoLocation};
use crate::domain::ids::ObjectId;
use crate::git::worktrees::{in_the_way, redirected};
use crate::git::{Program, Repo, Spawner};
use crate::text::shell::word_of_path;

/// The variable that says who reads the repository: `git` for the program, `libgit2` for the library alone. Without it
/// the library does wherever it opens the repository, and the program elsewhere.
pub const BACKEND: &str = "GRILL_BACKEND";

/// Looks up one environment variable.
pub type Vars<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// What of the process the seam looks at; `world` fills it, and tests do.
#[derive(Clone)]
pub struct RepoEnv<'a> {
    pub cwd: PathBuf,
    pub var: Vars<'a>,
    /// What runs git where the library does not open the repository.
    pub process: Spawner,
}

/// A repository that was opened, and where its parts are. Paths are absolute and may hold any bytes.
pub struct Opened {
    pub repo: Repo,
    /// The git directory of this worktree.
    pub git_dir: PathBuf,
    /// The git directory that all worktrees share.
    pub common_dir: PathBuf,
    /// The top of the working tree; `None` in a bare repository.
    pub worktree: Option<PathBuf>,
    /// Where HEAD stood when the repository was opened.
    pub head: HeadState,
}

impl Opened {
    /// The same repository through the `git` program, whoever reads it otherwise.
    pub fn through_git(&self, process: &Spawner) -> Program {
        match &self.repo {
            Repo::Program(program) => program.again(),
            Repo::Library(_) => Program::new(
                Arc::clone(process),
                self.git_dir.clone(),
                self.common_dir.clone(),
                self.worktree.clone(),
                self.repo.naming(),
            ),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeadState {
    /// On a branch without a commit.
    Unborn {
        /// The branch that the first commit will make.
        branch: String,
    },
    Branch {
        /// Its name without `refs/heads/`.
        name: String,
        commit: ObjectId,
    },
    Detached {
        commit: ObjectId,
    },
}

impl HeadState {
    pub fn commit(&self) -> Option<&ObjectId> {
        match self {
            Self::Unborn { .. } => None,
            Self::Branch { commit, .. } | Self::Detached { commit } => Some(commit),
        }
    }

    pub fn branch(&self) -> Option<&str> {
        match self {
            Self::Unborn { branch } => Some(branch),
            Self::Branch { name, .. } => Some(name),
            Self::Detached { .. } => None,
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("{} is not in a git repository", start.display())]
    NotARepository {
        /// Where the search began, or what `GIT_DIR` names.
        start: PathBuf,
    },
    /// References are kept in a format that libgit2 does not read.
    #[error("the repository keeps its references in the reftable format, which git's library cannot read")]
    Reftable,
    /// Objects are named by SHA-256.
    #[error("the repository names its objects by SHA-256, which git's library cannot read")]
    Sha256,
    /// Another extension that libgit2 does not know.
    #[error("the repository uses {extension}, which git's library does not know")]
    Extension {
        /// Its configuration key.
        extension: String,
    },
    /// The library does not open it, and neither did the program.
    #[error("{because}, and the git program did not open it: {why}")]
    Program { because: Box<String>, why: String },
    /// The variable that names who reads the repository names nobody.
    #[error("GRILL_BACKEND is '{value}', and only git and libgit2 read repositories")]
    Backend { value: String },
    /// It belongs to somebody else, and the user did not say that it is safe.
    #[error("{} belongs to somebody else", path.display())]
    NotOwned {
        /// The folder that `safe.directory` would have to name.
        path: PathBuf,
    },
    /// A named pipe or the like, at which git and its library would wait for ever.
    #[error("the repository was not opened, because {} is not a regular file", path.display())]
    Irregular { path: PathBuf },
    /// The git directory of a main worktree says that another repository has its branches, configuration and hooks.
    #[error("the repository was not opened, because {} names another repository in its place", path.display())]
    Redirected { path: PathBuf },
    #[error("the repository could not be opened: {why}")]
    Broken {
        /// What git's library said.
        why: String,
    },
}

impl OpenError {
    /// A way out, as something to type where that is possible.
    pub fn hint(&self) -> String {
        match self {
            Self::NotARepository { .. } => "git init, or change into a repository: git -C <folder> grill".to_owned(),
            // Only where somebody allows nothing but the library.
            Self::Reftable | Self::Sha256 | Self::Extension { .. } | Self::Backend { .. } => {
                "unset GRILL_BACKEND, and the git program reads what the library cannot".to_owned()
            }
            Self::Program { .. } => "git status".to_owned(),
            Self::NotOwned { path } => {
                format!("if you trust it: git config --global --add safe.directory {}", word_of_path(path))
            }
            Self::Irregular { path } => format!("ls -l {}", word_of_path(path)),
            Self::Redirected { path } => {
                let path = word_of_path(path);
                format!("cat {path}; if nobody should have written it: rm {path}")
            }
            Self::Broken { .. } => "git fsck".to_owned(),
        }
    }
}

pub fn open(env: &RepoEnv<'_>) -> Result<Opened, OpenError> {
    let git_dir = (env.var)("GIT_DIR").map(|dir| env.cwd.join(dir));
    let git_dir = git_dir.as_deref();
    passable(git_dir.unwrap_or(&env.cwd))?;
    let wanted = (env.var)(BACKEND).filter(|value| !value.is_empty());
    match wanted.as_deref().map(|value| value.to_str()) {
        None => by_library(env, git_dir).or_else(|error| otherwise(error, RepoLocation::From(&env.cwd), &env.process)),
        Some(Some("libgit2")) => by_library(env, git_dir),
        Some(Some("git")) => {
            let because = OpenError::Broken { why: "GRILL_BACKEND leaves it to the git program".to_owned() };
            through_git::open(RepoLocation::From(&env.cwd), &because, &env.process)
        }
        Some(other) => Err(OpenError::Backend { value: other.unwrap_or("?").escape_debug().to_string() }),
    }
}

/// The program opens what the library does not know; what is wrong in another way is wrong for both.
fn otherwise(error: OpenError, meant: RepoLocation<'_>, process: &Spawner) -> Result<Opened, OpenError> {
    match error {
        OpenError::Reftable | OpenError::Sha256 | OpenError::Extension { .. } => {
            through_git::open(meant, &error, process)
        }
        OpenError::NotARepository { .. }
        | OpenError::Program { .. }
        | OpenError::Backend { .. }
        | OpenError::NotOwned { .. }
        | OpenError::Irregular { .. }
        | OpenError::Redirected { .. }
        | OpenError::Broken { .. } => Err(error),
    }
}

/// Looks before anything is opened.
fn passable(start: &Path) -> Result<(), OpenError> {
    in_the_way(start).map_or(Ok(()), |path| Err(OpenError::Irregular { path }))?;
    redirected(start).map_or(Ok(()), |path| Err(OpenError::Redirected { path }))
}

#[expect(clippy::disallowed_methods, reason = "the one place that opens the repository")]
fn by_library(env: &RepoEnv<'_>, git_dir: Option<&Path>) -> Result<Opened, OpenError> {
    let work_tree = (env.var)("GIT_WORK_TREE");
    let start = git_dir.unwrap_or(&env.cwd);

    let mut flags = RepositoryOpenFlags::FROM_ENV;
    if git_dir.is_some() {
        flags |= RepositoryOpenFlags::NO_SEARCH | RepositoryOpenFlags::NO_DOTGIT;
    }
    if work_tree.as_ref().is_some_and(|path| Path::new(path).is_relative()) {
        // libgit2 takes it relative to the git directory where git takes it relative to the current folder, and fails
        // when there is no such folder.
        flags.remove(RepositoryOpenFlags::FROM_ENV);
    }
    let ceilings = (env.var)("GIT_CEILING_DIRECTORIES").unwrap_or_default();
    let ceilings: Vec<PathBuf> = std::env::split_paths(&ceilings).filter(|path| path.is_absolute()).collect();
    let repo = Repository::open_ext(start, flags, &ceilings).map_err(|error| explained(&error, start))?;

    if let Some(path) = work_tree {
        set_worktree(&repo, &env.cwd.join(path))?;
    } else if git_dir.is_some() && worktree_is_a_guess(&repo) {
        // With GIT_DIR alone git works in the current folder; libgit2 guesses the parent of the git directory.
        set_worktree(&repo, &env.cwd)?;
    }
    taken_in(repo)
}

/// Opens the repository at `place`, a working tree or a git directory, whatever the environment says and without
/// searching.
#[expect(clippy::disallowed_methods, reason = "the one place that opens the repository")]
pub fn open_exactly(place: &Path, process: &Spawner) -> Result<Opened, OpenError> {
    passable(place)?;
    let nowhere: [&Path; 0] = [];
    let repo = Repository::open_ext(place, RepositoryOpenFlags::NO_SEARCH, nowhere);
    match repo {
        Ok(repo) => taken_in(repo),
        Err(error) => otherwise(explained(&error, place), RepoLocation::Exactly(place), process),
    }
}

fn taken_in(repo: Repository) -> Result<Opened, OpenError> {
    Ok(Opened {
        git_dir: plain(repo.path()),
        common_dir: plain(repo.commondir()),
        worktree: repo.workdir().map(plain),
        head: head_of(&repo)?,
        repo: Repo::Library(repo),
    })
}

fn set_worktree(repo: &Repository, path: &Path) -> Result<(), OpenError> {
    repo.set_workdir(path, false).map_err(|error| broken(&error))
}

/// Whether nothing but the place of the git directory told libgit2 where the working tree is.
fn worktree_is_a_guess(repo: &Repository) -> bool {
    // libgit2's own view of its own setting: what it did depends on nothing else.
    let configured = || repo.config().is_ok_and(|config| config.get_entry("core.worktree").is_ok());
    !repo.is_bare() && !repo.is_worktree() && !configured()
}

fn head_of(repo: &Repository) -> Result<HeadState, OpenError> {
    let head = repo.find_reference("HEAD").map_err(|error| broken(&error))?;
    let branch = head
        .symbolic_target_bytes()
        .map(|name| String::from_utf8_lossy(name.strip_prefix(b"refs/heads/").unwrap_or(name)).into_owned());
    let resolved = match head.resolve() {
        Ok(resolved) => resolved.target(),
        Err(error) if error.code() == ErrorCode::NotFound => None,
        Err(error) => return Err(broken(&error)),
    };
    let commit = resolved.and_then(|id| ObjectId::parse(&id.to_string()).ok());
    match (branch, commit) {
        (Some(name), Some(commit)) => Ok(HeadState::Branch { name, commit }),
        (Some(branch), None) => Ok(HeadState::Unborn { branch }),
        (None, Some(commit)) => Ok(HeadState::Detached { commit }),
        (None, None) => Err(OpenError::Broken { why: "HEAD names neither a branch nor a commit".to_owned() }),
    }
}

/// What libgit2's error means for the user. Its messages are the only place that says which extension it was.
fn explained(error: &git2::Error, start: &Path) -> OpenError {
    let message = error.message();
    if error.code() == ErrorCode::Owner {
        let named = message.split('\'').nth(1).map_or(start, Path::new);
        return OpenError::NotOwned { path: plain(named) };
    }
    if let Some(extension) = message.strip_prefix("unsupported extension name ") {
        return match extension.to_ascii_lowercase().as_str() {
            "extensions.refstorage" => OpenError::Reftable,
            _ => OpenError::Extension { extension: extension.to_owned() },
        };
    }
    if message.contains("unknown object format 'sha256'") {
        return OpenError::Sha256;
    }
    if error.code() == ErrorCode::NotFound && matches!(error.class(), ErrorClass::Repository | ErrorClass::Os) {
        return OpenError::NotARepository { start: start.to_owned() };
    }
    broken(error)
}

fn broken(error: &git2::Error) -> OpenError {
    OpenError::Broken { why: error.message().to_owned() }
}

/// The path without the slash that libgit2 puts at the end.
fn plain(path: &Path) -> PathBuf {
    path.components().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libgit2_errors_become_sentences_with_a_way_out() {
        let of = |code, class, message| explained(&git2::Error::new(code, class, message), Path::new("/here"));
        let reftable =
            of(ErrorCode::GenericError, ErrorClass::Repository, "unsupported extension name extensions.refstorage");
        assert!(matches!(reftable, OpenError::Reftable));
        assert!(reftable.hint().starts_with("unset GRILL_BACKEND"));
        assert!(matches!(
            of(ErrorCode::Invalid, ErrorClass::Repository, "unknown object format 'sha256'"),
            OpenError::Sha256
        ));
        let foreign =
            of(ErrorCode::Owner, ErrorClass::Config, "repository path '/srv/a b/' is not owned by current user");
        assert_eq!(foreign.to_string(), "/srv/a b belongs to somebody else");
        assert!(foreign.hint().ends_with("safe.directory '/srv/a b'"));
        assert!(matches!(
            of(ErrorCode::GenericError, ErrorClass::Repository, "unsupported extension name extensions.other"),
            OpenError::Extension { extension } if extension == "extensions.other"
        ));
        assert!(matches!(of(ErrorCode::GenericError, ErrorClass::Odb, "no"), OpenError::Broken { .. }));
    }
}
