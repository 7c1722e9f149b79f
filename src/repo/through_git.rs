//! Finding and opening a repository through the `git` program, where git's library does not open it.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::open::{HeadState, OpenError, Opened};
use crate::app::ports::Ran;
use crate::domain::ids::ObjectId;
use crate::git::worktrees::{Linked, main_folder};
use crate::git::{Git, Naming, Program, Repo, Spawner};

/// What is asked for in one run, a line each: four lines about the repository, HEAD's commit and branch, the working tree.
const ASKED: &[&str] = &[
    "rev-parse",
    "--path-format=absolute",
    "--absolute-git-dir",
    "--git-common-dir",
    "--is-bare-repository",
    "--show-object-format",
    // In a git directory the plain name would be that of a file, too.
    "HEAD^0",
    "--symbolic-full-name",
    "HEAD",
    "--show-toplevel",
];
#[derive(Clone, Copy)]
pub(super) enum RepoLocation<'a> {
    /// The one that git finds from this folder, by its variables.
    From(&'a Path),
    /// The one at this place, whatever the variables say.
    Exactly(&'a Path),
}

impl<'a> RepoLocation<'a> {
    fn place(self) -> &'a Path {
        match self {
            Self::From(place) | Self::Exactly(place) => place,
        }
    }

    fn git(self, args: &[&str]) -> Git {
        let git = Git::new(args.iter().copied()).with("LC_ALL", "C");
        match self {
            Self::From(place) => git.within(place),
            Self::Exactly(place) => git.exactly_at(place),
        }
    }
}

/// Opens it. `because` is what the library said.
pub(super) fn open(meant: RepoLocation<'_>, because: &OpenError, process: &Spawner) -> Result<Opened, OpenError> {
    let failed = |why: String| OpenError::Program { because: Box::new(because.to_string()), why };
    let ask = |args: &[&str]| meant.git(args).run(&**process).map_err(|error| failed(error.to_string()));
    let ran = ask(ASKED)?;
    let mut lines: Vec<&[u8]> = ran.stdout.split(|byte| *byte == b'\n').collect();
    lines.pop();
    if lines.len() < 4 || lines.len() > 7 {
        return Err(refused(&ran, meant.place()).unwrap_or_else(|| failed(said(&ran))));
    }
    let path = |line: &[u8]| PathBuf::from(OsString::from_vec(line.to_vec()));
    let (git_dir, common_dir) = (path(lines[0]), path(lines[1]));
    if !git_dir.is_dir() || !common_dir.is_dir() {
        // A path with a line break in it would be taken for two.
        return Err(failed(format!("it named {} as its git directory", git_dir.display())));
    }
    let naming = match lines[3] {
        b"sha1" => Naming::Sha1,
        b"sha256" => Naming::Sha256,
        other => return Err(failed(format!("it names objects by {}", String::from_utf8_lossy(other)))),
    };
    let bare = lines[2] == b"true";
    let (head, top) = if let [_, _, _, _, id, name, top @ ..] = lines.as_slice() {
        (head_of(id, name).ok_or_else(|| failed(said(&ran)))?, top.first().copied())
    } else {
        // Without a first commit git stops at HEAD.
        let branch = ask(&["symbolic-ref", "HEAD"])?;
        if branch.code != 0 {
            return Err(failed(said(&branch)));
        }
        let text = String::from_utf8_lossy(&branch.stdout).into_owned();
        let name = text.trim_end_matches('\n');
        let branch = name.strip_prefix("refs/heads/").unwrap_or(name).to_owned();
        (HeadState::Unborn { branch }, None)
    };
    let worktree = match top {
        _ if bare => None,
        Some(top) => Some(path(top)),
        None => {
            let ran = ask(&["rev-parse", "--show-toplevel"])?;
            match (ran.code, ran.stdout.strip_suffix(b"\n")) {
                (0, Some(top)) => Some(path(top)),
                // We are in the git directory itself.
                _ => around(&git_dir, &common_dir, &|| {
                    let ran = ask(&["config", "--type=path", "core.worktree"]).ok().filter(|ran| ran.code == 0)?;
                    Some(path(ran.stdout.strip_suffix(b"\n")?))
                }),
            }
        }
    };
    let program = Program::new(Arc::clone(process), git_dir.clone(), common_dir.clone(), worktree.clone(), naming);
    Ok(Opened { repo: Repo::Program(program), git_dir, common_dir, worktree, head })
}

fn head_of(id: &[u8], name: &[u8]) -> Option<HeadState> {
    let commit = ObjectId::parse(std::str::from_utf8(id).ok()?).ok()?;
    let name = String::from_utf8_lossy(name).into_owned();
    Some(match name.as_str() {
        "HEAD" | "" => HeadState::Detached { commit },
        name => HeadState::Branch { name: name.strip_prefix("refs/heads/").unwrap_or(name).to_owned(), commit },
    })
}

/// The working tree of a git directory, seen from inside of it.
fn around(git_dir: &Path, common_dir: &Path, configured: &dyn Fn() -> Option<PathBuf>) -> Option<PathBuf> {
    if git_dir != common_dir {
        return Linked::at(git_dir).ok()??.folder().map(Path::to_owned);
    }
    if let Some(named) = configured() {
        return fs::canonicalize(git_dir.join(named)).ok();
    }
    main_folder(git_dir).map(Path::to_owned)
}

/// The refusals of git that have a way out of their own.
fn refused(ran: &Ran, start: &Path) -> Option<OpenError> {
    let text = String::from_utf8_lossy(&ran.stderr).into_owned();
    if let Some((_, rest)) = text.split_once("detected dubious ownership in repository at '") {
        return Some(OpenError::NotOwned { path: PathBuf::from(rest.split('\'').next().unwrap_or_default()) });
    }
    text.contains("not a git repository").then(|| OpenError::NotARepository { start: start.to_owned() })
}

fn said(ran: &Ran) -> String {
    let text = String::from_utf8_lossy(&ran.stderr);
    let complains = |line: &&str| line.starts_with("fatal:") || line.starts_with("error:");
    let mut lines = text.lines().skip_while(|line| !complains(line));
    match lines.next().or_else(|| text.lines().next_back()) {
        // What it does not know stands below, one a line.
        Some(line) if line.ends_with(':') => {
            let known: Vec<&str> = std::iter::once(line).chain(lines).map(str::trim).collect();
            format!("git says '{}'", known.join(" "))
        }
        Some(line) => format!("git says '{}'", line.trim()),
        None => format!("git ended with {}", ran.code),
    }
}
