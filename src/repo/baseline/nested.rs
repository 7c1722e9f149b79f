//! Submodules and other repositories within the working tree: where their HEAD is and whether they have changes of
//! their own. Reported, never restored: what is in them is theirs, also where this repository tracks files in them.

use std::fs;
use std::path::{Path, PathBuf};

use super::folders::{Folders, name};
use super::git::{GitAt, faithful, pieces};
use super::{configured, gitdir};
use crate::app::ports::BaselineError;
use crate::files::regular;
use crate::git::object::{name_of, name_of_stream};
use crate::git::worktrees::in_the_way;
use crate::git::{Git, Kind, Naming};

/// A repository within the working tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Nested {
    /// Its HEAD; none when it has no commit.
    pub head: Option<String>,
    /// A fingerprint of what `git status` says in it, of the files that it names, of its branches, and of what its git is
    /// configured to do.
    pub state: String,
}

const DOING: &str = "looking at a repository within this one";
/// The state of one in which git cannot say what has changed.
const UNREADABLE: &str = "unreadable";
/// What is not as git has it, each file by itself.
const STATUS: [&str; 6] =
    ["status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=dirty"];
/// How deep repositories lie in one another that are looked at.
const DEEPEST: usize = 8;
/// The most files of one whose content is looked at.
const MOST: usize = 10_000;

/// Looks at a folder; none when there is no repository in it, such as a submodule that was never checked out.
pub(super) fn look(git: &GitAt<'_>, folders: &Folders, path: &[u8]) -> Result<Option<Nested>, BaselineError> {
    let mut dot_git = path.to_vec();
    dot_git.extend_from_slice(b"/.git");
    // Without one of its own, git would answer for the repository around it.
    let there = folders.look(&dot_git).map_err(|error| {
        BaselineError::failed(format!("looking at {}", super::git::quoted(path)), std::io::Error::from(error))
    })?;
    let (Some(_), Some(top)) = (there, &git.top) else {
        return Ok(None);
    };
    look_in(git, &top.join(name(path)), 0).map(Some)
}

/// Looks at a repository in this folder, and at those within it.
fn look_in(git: &GitAt<'_>, dir: &Path, depth: usize) -> Result<Nested, BaselineError> {
    let unreadable = |head| Nested { head, state: UNREADABLE.to_owned() };
    // git would wait there for ever.
    if in_the_way(dir).is_some() || depth > DEEPEST {
        return Ok(unreadable(None));
    }
    // A `.git` that leads nowhere must not let git look further up.
    let inside = |asked: Git| {
        let asked = faithful(asked.exactly_at(dir));
        match git.limit {
            Some(limit) => asked.for_at_most(limit),
            None => asked,
        }
    };
    let Ok(off) = git.filters_off(DOING, inside) else { return Ok(unreadable(None)) };
    let ask = |args: &[&str]| git.try_ask(DOING, inside(Git::new(args.iter().copied())).settings(&off));
    let places = ask(&["rev-parse", "--absolute-git-dir", "HEAD"])?;
    let mut told = places.stdout.split(|byte| *byte == b'\n');
    let own_dir = told.next().map(|dir| PathBuf::from(name(dir)));
    let head = told.next().filter(|_| places.code == 0);
    let head = head.map(|head| String::from_utf8_lossy(head).trim().to_owned());
    let status = ask(&STATUS)?;
    let branches = ask(&["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/stash"])?;
    let (0, 0, Some(own_dir)) = (status.code, branches.code, own_dir) else { return Ok(unreadable(head)) };
    let mut told = [status.stdout.as_slice(), b"\0", &branches.stdout].concat();
    for path in pieces(&status.stdout).filter_map(path_of).take(MOST) {
        let path = dir.join(name(path.strip_suffix(b"/").unwrap_or(path)));
        let print = if path.join(".git").symlink_metadata().is_ok() {
            let Nested { head, state } = look_in(git, &path, depth + 1)?;
            format!("{head:?} {state}")
        } else {
            print_of(&path)
        };
        told.extend_from_slice(print.as_bytes());
        told.push(0);
    }
    let here = GitAt { process: git.process, dir: own_dir.clone(), top: Some(dir.to_owned()), limit: git.limit };
    let Ok(mut settings) = configured::named(&here, &own_dir) else { return Ok(unreadable(head)) };
    settings.append(&mut gitdir::settings(&own_dir, &own_dir));
    told.extend_from_slice(gitdir::settings_text(&settings).as_bytes());
    let state = name_of(Naming::Sha1, Kind::Blob, &told);
    let state = state.map_err(|error| BaselineError::failed("naming a state", error))?.to_string();
    Ok(Nested { head, state })
}

/// The path in a line of `git status`: behind eight fields, or ten of a conflict; of an untracked file behind the mark.
fn path_of(line: &[u8]) -> Option<&[u8]> {
    let fields = match line.first()? {
        b'1' => 8,
        b'u' => 10,
        b'?' => 1,
        _ => return None,
    };
    line.splitn(fields + 1, |byte| *byte == b' ').nth(fields)
}

/// A fingerprint of a file that is not as git has it; only ever compared.
fn print_of(path: &Path) -> String {
    let Ok(about) = fs::symlink_metadata(path) else { return "gone".to_owned() };
    if about.is_symlink() {
        return fs::read_link(path).map_or_else(|error| error.to_string(), |to| to.to_string_lossy().into_owned());
    }
    let content = || {
        let mut file = regular::open(path).ok()?;
        name_of_stream(Naming::Sha1, about.len(), &mut file).ok()
    };
    content().map_or_else(|| format!("{} bytes", about.len()), |id| id.to_string())
}
