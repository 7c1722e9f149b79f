//! The repository that work is lent from. It is the user's own, so git is run in it; nothing is written there but our
//! ref.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::LendError;
use crate::app::ports::Process;
use crate::files::patience;
use crate::git::object::parsed;
use crate::git::paths::pieces;
use crate::git::unfinished::Operation;
use crate::git::{Error, Git, Oid, filters};

/// Settings by which no change is overlooked.
const CAREFUL: [&str; 3] = ["core.untrackedCache=false", "core.trustctime=true", "core.checkStat=default"];
/// Settings that have git force what it writes onto the disk; the second is for git before 2.36.
pub(super) const FORCED: [&str; 2] = ["core.fsync=committed,reference", "core.fsyncObjectFiles=true"];
/// How long a ref that is locked is tried.
const PATIENCE: Duration = Duration::from_secs(5);

/// A worktree of the repository that work is lent from.
#[derive(Clone)]
pub struct Parent<'a> {
    pub process: &'a dyn Process,
    /// The git directory of this worktree.
    pub git_dir: PathBuf,
    /// The git directory that all worktrees share.
    pub common_dir: PathBuf,
    /// The top of the working tree.
    pub top: PathBuf,
}

/// Where HEAD is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    pub commit: Oid,
    pub tree: Oid,
}

impl Parent<'_> {
    /// git that only looks, in this worktree.
    pub(super) fn git<A: Into<OsString>>(&self, words: impl IntoIterator<Item = A>) -> Git {
        Git::new(words).inside(&self.git_dir).settings(CAREFUL).silent().reading().at_work_in(Some(&self.top))
    }

    pub(super) fn ask(&self, doing: &str, words: &[&str]) -> Result<Vec<u8>, LendError> {
        self.git(words.iter().copied()).ask(self.process).map_err(|error| LendError::failed(doing, error))
    }

    pub(super) fn objects(&self) -> PathBuf {
        self.common_dir.join("objects")
    }

    /// Where HEAD is; a repository without a commit has none (A13).
    pub fn start(&self) -> Result<Start, LendError> {
        let commit = self.named("HEAD^{commit}")?.ok_or(LendError::NoHead)?;
        let tree = self.named("HEAD^{tree}")?.ok_or(LendError::NoHead)?;
        Ok(Start { commit, tree })
    }

    /// The object with this name, if there is one.
    pub(super) fn named(&self, name: &str) -> Result<Option<Oid>, LendError> {
        named(self.git(["rev-parse", "-q", "--verify", name]), self.process)
            .map_err(|error| LendError::failed(format!("reading {name}"), error))
    }

    /// The caller's folder below the top of the working tree.
    pub fn below_top(&self, cwd: &Path) -> Result<PathBuf, LendError> {
        let elsewhere = || LendError::Elsewhere(cwd.to_owned());
        let (cwd_real, top) = (cwd.canonicalize(), self.top.canonicalize());
        let (Ok(cwd_real), Ok(top)) = (cwd_real, top) else { return Err(elsewhere()) };
        let git_dir = self.common_dir.canonicalize().unwrap_or_else(|_| self.common_dir.clone());
        if cwd_real.starts_with(&git_dir) {
            return Err(elsewhere());
        }
        cwd_real.strip_prefix(&top).map(Path::to_owned).map_err(|_| elsewhere())
    }

    /// Refuses a working tree from which no copy can be made: without a commit, or with changes that are not in it (A13).
    pub fn admit(&self) -> Result<Start, LendError> {
        let start = self.start()?;
        let paths: Vec<Vec<u8>> = self.dirty()?.into_iter().collect();
        if paths.is_empty() {
            return Ok(start);
        }
        let is_ref = |name: &str| self.named(name).map(|found| found.is_some());
        Err(LendError::Dirty { paths, unfinished: Operation::under_way(&self.git_dir, is_ref)? })
    }

    /// Settings with which git runs no filter of the repository's own: nobody was asked about those.
    pub(super) fn filters_off(&self) -> Result<Vec<String>, Error> {
        filters::switched_off(|git| git.inside(&self.git_dir), self.process)
    }

    /// Every path with a change that is not committed, untracked ones too (A13). A file that a filter of the repository's
    /// own converts seems changed where git has not looked at it since it was written.
    pub(super) fn dirty(&self) -> Result<BTreeSet<Vec<u8>>, LendError> {
        const DOING: &str = "looking for changes that are not committed";
        let failed = |error: Error| LendError::failed(DOING, error);
        let off = self.filters_off().map_err(failed)?;
        let words =
            ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty"];
        let told = self.git(words).settings(off).ask(self.process).map_err(failed)?;
        pieces(&told)
            .map(|line| changed_path(line).ok_or_else(|| LendError::failed(DOING, format!("git said {line:?}"))))
            .collect()
    }

    /// Sets our ref, if it still names what it named; none is no ref.
    pub(super) fn point(&self, name: &str, from: Option<Oid>, to: Option<Oid>) -> Result<(), LendError> {
        let zero = || "0".repeat(to.or(from).map_or(40, |id| id.to_string().len()));
        let old = from.map_or_else(zero, |id| id.to_string());
        let set = || {
            let git = Git::new(["update-ref", "--no-deref", "-m", "grill: work of an agent", "--stdin"]);
            let line = match to {
                Some(to) => format!("update {name} {to} {old}\n"),
                None => format!("delete {name} {old}\n"),
            };
            let git = git.inside(&self.common_dir).settings(FORCED).silent().reading().fed(line.into_bytes());
            git.ask(self.process).map(drop)
        };
        patience::again(PATIENCE, set, Error::is_passing)
            .map_err(|error| LendError::failed(format!("writing {name}"), error))
    }

    /// A commit of ours with this tree.
    pub(super) fn commit(&self, new: &NewWork<'_>) -> Result<Oid, LendError> {
        const DOING: &str = "writing a commit";
        let mut words = vec!["commit-tree".to_owned(), new.tree.to_string()];
        words.extend(new.parents.iter().flat_map(|parent| ["-p".to_owned(), parent.to_string()]));
        let Author { name, email, date } = new.by;
        let git = Git::new(words).inside(&self.common_dir).settings(FORCED).silent().reading();
        let git = git.by(name, email, date).with("GIT_AUTHOR_NAME", name).with("GIT_AUTHOR_EMAIL", email);
        let git = git.with("GIT_AUTHOR_DATE", date).fed(new.message.as_bytes().to_vec());
        named(git, self.process)
            .and_then(|id| id.ok_or_else(|| Error::new("git named no commit")))
            .map_err(|error| LendError::failed(DOING, error))
    }
}

/// A commit that is to be written.
pub(super) struct NewWork<'a> {
    pub tree: Oid,
    pub parents: &'a [Oid],
    pub by: Author<'a>,
    pub message: &'a str,
}

/// In whose name work is kept: the agent's, never the user's.
#[derive(Clone, Copy, Debug)]
pub struct Author<'a> {
    pub name: &'a str,
    pub email: &'a str,
    /// As git reads dates.
    pub date: &'a str,
}

/// The object that a run of git names; none where git says no.
pub(super) fn named(git: Git, process: &dyn Process) -> Result<Option<Oid>, Error> {
    let Some(told) = git.ask_whether(process)? else { return Ok(None) };
    let text = String::from_utf8_lossy(&told);
    let id = parsed(text.trim()).ok_or_else(|| Error::new(format!("git said '{}'", text.trim())))?;
    Ok(Some(id))
}

/// The path in a line of `git status --porcelain=v2 -z`.
fn changed_path(line: &[u8]) -> Option<Vec<u8>> {
    let words = match line.first()? {
        b'?' => 2,
        b'1' => 9,
        b'u' => 11,
        _ => return None,
    };
    line.splitn(words, |byte| *byte == b' ').nth(words - 1).map(<[u8]>::to_vec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a13_every_kind_of_change_has_its_path() {
        for (line, path) in [
            ("? a b", Some("a b")),
            ("1 .M N... 100644 100644 100644 1234 1234 src/a b", Some("src/a b")),
            ("u UU N... 100644 100644 100644 100644 1 2 3 c d", Some("c d")),
            ("2 R. x", None),
            ("", None),
        ] {
            assert_eq!(changed_path(line.as_bytes()).as_deref(), path.map(str::as_bytes), "{line}");
        }
    }
}
