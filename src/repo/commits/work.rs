//! A commit of files as they stand, gone ones too: work of an agent that was accepted. The person's hooks, identity and
//! signature count as in any commit of theirs.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;

use super::GitCommits;
use super::wording::{SIGNALLED, failed, id, not_run, odd, words};
use crate::app::ports::{CommitError, Ran, Stashing, WorkCommit, WorkCommitted};
use crate::domain::ids::ObjectId;
use crate::files::folders::upwards;
use crate::git::paths::{pieces, quoted};
use crate::text::shell::{pathspec_of_bytes, word_of_path};

const AGAIN: &str = "type it again";

/// Paths that git is told of at once where it takes none from a file.
const AT_ONCE: usize = 1_000;
/// Names that are tried where a file is to be kept aside.
const MOST_NAMES: usize = 100;
/// Pathspecs at the standard input.
pub(super) const LISTED: [&str; 2] = ["--pathspec-from-file=-", "--pathspec-file-nul"];

/// The two letters by which `git status` tells what became of a path, and the path.
type Status = ([u8; 2], Vec<u8>);

impl GitCommits<'_> {
    /// The branch on which a commit would be. Refuses where none could be made, and where it would hold a change of the
    /// user's as well.
    pub(super) fn work_is_ready(&self, paths: &[Vec<u8>]) -> Result<String, CommitError> {
        let (branch, _) = self.branch(AGAIN)?;
        if let Some(lock) = self.lock_of_nobody() {
            let typed = word_of_path(&lock);
            return Err(CommitError::Blocked {
                why: "the index is locked, and no git is at work here; one that was killed leaves its lock".to_owned(),
                hint: format!("rm -- {typed} removes the lock; then type it again"),
            });
        }
        self.fits_the_index(paths)?;
        match self.changed(paths)?.first() {
            Some(changed) => Err(CommitError::Blocked {
                why: format!("{} has changes of yours, which the commit would hold as well", quoted(changed)),
                hint: "commit or stash them first, or accept without --commit".to_owned(),
            }),
            None => Ok(branch),
        }
    }

    /// Refuses files at which git assumes that nothing changes (git-update-index(1)), and those whose commit would take
    /// something of the user's out of the index.
    fn fits_the_index(&self, paths: &[Vec<u8>]) -> Result<(), CommitError> {
        if paths.is_empty() {
            return Ok(());
        }
        let told = self.done(words(&["ls-files", "-z", "-v"]), Vec::new())?.stdout;
        let wanted: BTreeSet<&[u8]> = paths.iter().map(Vec::as_slice).collect();
        let above: BTreeSet<&[u8]> = paths.iter().flat_map(|path| upwards(path).skip(1)).collect();
        let lower: BTreeSet<String> = paths.iter().map(|path| in_lower_case(path)).collect();
        for line in pieces(&told).filter(|line| line.len() > 2) {
            let (flag, path) = (line[0], &line[2..]);
            if wanted.contains(path) {
                if flag.is_ascii_lowercase() || flag == b'S' {
                    return Err(CommitError::Blocked {
                        why: format!("git is told to overlook your changes of {}", quoted(path)),
                        hint: "git update-index --no-assume-unchanged --no-skip-worktree lets it look again".to_owned(),
                    });
                }
                continue;
            }
            let is_in_the_way = above.contains(path) || upwards(path).any(|above| wanted.contains(above));
            if is_in_the_way || lower.contains(&in_lower_case(path)) && self.ignores_case()? {
                return Err(CommitError::Blocked {
                    why: format!("the commit would remove {} from your index", quoted(path)),
                    hint: format!("accept without --commit; or git rm --cached -- {}", pathspec_of_bytes(path)),
                });
            }
        }
        Ok(())
    }

    fn ignores_case(&self) -> Result<bool, CommitError> {
        let args = words(&["config", "--type=bool", "--default=false", "--get", "core.ignoreCase"]);
        Ok(self.done(args, Vec::new())?.stdout.trim_ascii() == b"true")
    }

    /// The paths that are in one of the two alone: the change that a commit made, and what was accepted.
    fn not_in_both(&self, tip: &ObjectId, now: &ObjectId, paths: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, CommitError> {
        let range = [tip.to_string(), now.to_string()];
        let mut args = words(&["diff-tree", "-r", "-z", "--name-only", "--no-renames"]);
        args.extend(range.iter().map(OsString::from));
        let told = self.done(args, Vec::new())?.stdout;
        let (made, wanted): (BTreeSet<&[u8]>, BTreeSet<&[u8]>) =
            (pieces(&told).collect(), paths.iter().map(Vec::as_slice).collect());
        Ok(made.symmetric_difference(&wanted).map(|path| path.to_vec()).collect())
    }

    /// Commits the files; the commit, and the branch that it is on. Whatever git said at the end, its commit stands where
    /// HEAD has it.
    pub(super) fn commit_of_work(&self, wanted: &WorkCommit<'_>) -> Result<WorkCommitted, CommitError> {
        let _alone = self.alone()?;
        let (branch, tip) = self.branch(AGAIN)?;
        self.unstage_noted()?;
        let before = self.locks();
        let ran = self.committed(&tip, wanted);
        let is_whole = matches!(&ran, Ok(ran) if ran.code == 0);
        self.unlock(&ran, &before);
        let now = self.tip()?.ok_or_else(|| odd("HEAD names no commit any more"))?;
        let made = if is_whole && now != tip { Some(now) } else { self.made_since(&tip, wanted)? };
        // Where it cannot be unstaged, the note stays, and the next command does it.
        let _ = self.unstage_noted();
        match (made, ran) {
            (Some(commit), _) => {
                let differing = self.not_in_both(&tip, &commit, wanted.paths)?;
                // Where this fails, git status shows the paths as staged.
                let _ = self.follow(&tip, &differing);
                let differing = differing.iter().map(|path| quoted(path)).collect();
                Ok(WorkCommitted { commit, branch, differing, cut_off: !is_whole })
            }
            (None, Ok(ran)) if SIGNALLED.contains(&ran.code) => Err(CommitError::Interrupted),
            (None, Ok(ran)) => Err(failed(&ran)),
            (None, Err(error)) => Err(error),
        }
    }

    /// Stages the files, and has git commit them.
    fn committed(&self, tip: &ObjectId, wanted: &WorkCommit<'_>) -> Result<Ran, CommitError> {
        // git commits no file that it does not know, and knows ignored ones only when it is told of them.
        let paths = self.stage_noted(tip, wanted.paths)?;
        let mut args = words(&["commit", "--quiet", "--only"]);
        args.push(format!("--message={}", wanted.message).into());
        args.extend(words(&LISTED));
        self.git(args, listed(paths.iter())).run_hooked(self.process).map_err(|error| not_run(&error))
    }

    /// The commit that git made of the files before it was cut off. A hook may have changed its message or its files, but
    /// not both, and may have made others after it.
    fn made_since(&self, tip: &ObjectId, wanted: &WorkCommit<'_>) -> Result<Option<ObjectId>, CommitError> {
        let mut args = words(&["log", "--first-parent", "--reverse", "--format=%H %P"]);
        args.push(format!("{tip}..HEAD").into());
        let told = self.done(args, Vec::new())?.stdout;
        let told = String::from_utf8_lossy(&told);
        let first = told.lines().next().and_then(|line| line.split_once(' '));
        let Some((commit, _)) = first.filter(|(_, parents)| *parents == tip.as_str()) else { return Ok(None) };
        let commit = id(commit)?;
        let is_ours =
            self.lost(&commit, wanted.trailers)?.is_empty() || self.not_in_both(tip, &commit, wanted.paths)?.is_empty();
        Ok(is_ours.then_some(commit))
    }

    /// Those of the paths that are staged.
    pub(super) fn all_staged_at(&self, paths: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, CommitError> {
        let mut staged = Vec::new();
        for some in paths.chunks(AT_ONCE) {
            let mut args = words(&["diff", "--cached", "--name-only", "-z", "--no-renames", "--"]);
            args.extend(some.iter().map(|path| OsString::from_vec(literally(path))));
            let told = self.done(args, Vec::new())?.stdout;
            staged.extend(pieces(&told).map(<[u8]>::to_vec));
        }
        Ok(staged)
    }

    /// The commits since another that changed one of the paths, the newest first.
    pub(super) fn all_commits_at(&self, since: &ObjectId, paths: &[Vec<u8>]) -> Result<Vec<ObjectId>, CommitError> {
        let mut args = words(&["log", "--format=%H"]);
        args.extend([format!("{since}..HEAD").into(), "--".into()]);
        args.extend(paths.iter().take(AT_ONCE).map(|path| OsString::from_vec(literally(path))));
        let told = self.done(args, Vec::new())?.stdout;
        String::from_utf8_lossy(&told).lines().map(id).collect()
    }

    /// What a stash of the user's changes would do at these paths.
    pub(super) fn stashing_at(&self, paths: &[Vec<u8>]) -> Result<Stashing, CommitError> {
        let spots: BTreeSet<Vec<u8>> = paths.iter().map(|path| self.spot(path).to_vec()).collect();
        let spots: Vec<Vec<u8>> = spots.into_iter().collect();
        let found = self.statuses(&spots, "--ignored=traditional")?;
        let is_untracked = |path: &&Vec<u8>| {
            let mut below = found.iter().filter(|(_, found)| {
                found.strip_prefix(path.as_slice()).is_some_and(|rest| matches!(rest, [] | [b'/', ..]))
            });
            below.any(|(status, _)| matches!(status, b"??" | b"!!"))
        };
        let untracked: Vec<&Vec<u8>> = spots.iter().filter(is_untracked).collect();
        let is_changed = |path: &Vec<u8>| found.iter().any(|(_, found)| found == path);
        Ok(match untracked.as_slice() {
            [first, others @ ..] => match free_beside(&self.root, first) {
                Some(free) => Stashing::Untracked { first: (*first).clone(), free, more: others.len() },
                None => Stashing::Leaves,
            },
            [] if paths.iter().all(is_changed) => self.unfinished()?.map_or(Stashing::Merges, Stashing::Unfinished),
            [] => Stashing::Leaves,
        })
    }

    /// What is at a path, or in its way: a folder that it needs is a file, or a link.
    pub(super) fn spot<'p>(&self, path: &'p [u8]) -> &'p [u8] {
        let is_no_folder = |above: &&[u8]| {
            self.root.join(OsStr::from_bytes(above)).symlink_metadata().is_ok_and(|found| !found.is_dir())
        };
        upwards(path).skip(1).filter(is_no_folder).last().unwrap_or(path)
    }

    /// Those of the files that differ from HEAD in the index or the working tree.
    fn changed(&self, paths: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, CommitError> {
        let found = self.statuses(paths, "--ignored=no")?.into_iter().map(|(_, path)| path);
        let meant: BTreeSet<&Vec<u8>> = paths.iter().collect();
        Ok(found.filter(|path| meant.contains(path)).collect())
    }

    /// What became of each path that is not as HEAD has it, at or below these.
    fn statuses(&self, paths: &[Vec<u8>], ignored: &str) -> Result<Vec<Status>, CommitError> {
        let mut statuses = Vec::new();
        for some in paths.chunks(AT_ONCE) {
            let mut args = words(&["--no-optional-locks", "status", "--porcelain", "-z", "--no-renames"]);
            args.extend(words(&["--untracked-files=all", "--ignore-submodules=all", ignored, "--"]));
            args.extend(some.iter().map(|path| OsString::from_vec(literally(path))));
            let told = self.looked(args)?.stdout;
            let status = |line: &[u8]| Some((*line.first_chunk::<2>()?, line.get(3..)?.to_vec()));
            statuses.extend(pieces(&told).filter_map(status));
        }
        Ok(statuses)
    }
}

/// The path as a pathspec that means this path and nothing else.
fn literally(path: &[u8]) -> Vec<u8> {
    [b":(top,literal)".as_slice(), path].concat()
}

/// A name beside a path at which nothing is. One of which that cannot be told, such as a too long one, is not free.
fn free_beside(root: &Path, path: &[u8]) -> Option<Vec<u8>> {
    let mut names = (1..=MOST_NAMES).map(|count| match count {
        1 => [path, b".mine"].concat(),
        many => [path, format!(".mine{many}").as_bytes()].concat(),
    });
    let is_free = |name: &Vec<u8>| {
        let found = root.join(OsStr::from_bytes(name)).symlink_metadata();
        found.is_err_and(|error| error.kind() == ErrorKind::NotFound)
    };
    names.find(is_free)
}

fn in_lower_case(path: &[u8]) -> String {
    String::from_utf8_lossy(path).to_lowercase()
}

/// The paths as pathspecs that git reads from its standard input.
pub(super) fn listed<'p>(paths: impl Iterator<Item = &'p &'p [u8]>) -> Vec<u8> {
    paths.flat_map(|path| literally(path).into_iter().chain([0])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a39_a_file_is_kept_aside_at_a_name_where_nothing_is() {
        let temp = tempfile::tempdir().unwrap();
        let free = |path: &str| free_beside(temp.path(), path.as_bytes()).map(|free| String::from_utf8(free).unwrap());
        assert_eq!(free("new.txt").as_deref(), Some("new.txt.mine"));
        std::fs::write(temp.path().join("new.txt.mine"), "").unwrap();
        std::fs::create_dir(temp.path().join("new.txt.mine2")).unwrap();
        std::os::unix::fs::symlink("nowhere", temp.path().join("new.txt.mine3")).unwrap();
        assert_eq!(free("new.txt").as_deref(), Some("new.txt.mine4"));
        for count in 4..=MOST_NAMES {
            std::fs::write(temp.path().join(format!("new.txt.mine{count}")), "").unwrap();
        }
        assert_eq!(free("new.txt"), None);
        assert_eq!(free(&"x".repeat(255)), None, "a name that the disk does not take");
    }
}
