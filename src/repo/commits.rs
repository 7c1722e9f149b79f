//! Commits of written outputs, made by `git commit --only` as the user would make them: their hooks run, their identity and
//! signature count, and what else they have staged stays staged. What git refuses is told in git's words.
//!
//! git knows only files that the index knows, and moves the branch before it puts the new index in place. So the files are
//! staged first: a kill in between leaves an index that agrees with the commit. If the commit fails, they are taken out
//! again.

mod left;
mod looked;
mod staging;
mod unfinished;
mod wording;
mod work;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use self::looked::hashed;
use self::wording::{failed, id, literally, not_run, odd, words};
use super::open::Opened;
use crate::app::ports::{
    CommitError, Commits, Committed, NewCommit, Process, Ran, Stashing, WorkCommit, WorkCommitted,
};
use crate::domain::ids::{ObjectId, SessionId};
use crate::domain::production::TargetPath;
use crate::files::{lock, regular};
use crate::git::Git;
use crate::text::shell::{pathname, pathspec, word_of_bytes};

const AGAIN: &str = "git grill produce --commit";

pub struct GitCommits<'a> {
    pub process: &'a dyn Process,
    /// The git directory of this worktree.
    pub git_dir: PathBuf,
    /// The top of the working tree.
    pub root: PathBuf,
    /// The programs that git may start for a signature, as settings above every scope.
    pub signing_programs: Vec<String>,
}

impl<'a> GitCommits<'a> {
    /// The working tree of this repository; `None` when it is bare.
    pub fn of(opened: &Opened, process: &'a dyn Process, signing_programs: Vec<String>) -> Option<Self> {
        let root = opened.worktree.clone()?;
        Some(Self { process, git_dir: opened.git_dir.clone(), root, signing_programs })
    }
}

impl Commits for GitCommits<'_> {
    fn ready(&self, paths: &[TargetPath]) -> Result<(), CommitError> {
        self.branch(AGAIN)?;
        let behind = paths.iter().find_map(|path| Some((path, self.link_before(path)?)));
        behind.map_or(Ok(()), |(path, link)| {
            Err(CommitError::Blocked {
                why: format!("{path} leads through the symlink {link}, and git takes nothing behind one"),
                hint: "without --commit it is written; after git grill stop, commit the file that the symlink leads to"
                    .to_owned(),
            })
        })
    }

    fn ignored(&self, paths: &[TargetPath]) -> Result<Vec<TargetPath>, CommitError> {
        // Behind a symlink git ignores nothing, and says nothing of any other path; whoever writes there looks for itself.
        let shown = paths.iter().filter(|path| self.link_before(path).is_none());
        // A name that begins with `:` would be a pattern.
        let dotted: Vec<(&TargetPath, String)> = shown.map(|path| (path, format!("./{path}"))).collect();
        if dotted.is_empty() {
            return Ok(Vec::new());
        }
        let names: Vec<&str> = dotted.iter().map(|(_, name)| name.as_str()).collect();
        let ran = self.run(words(&["check-ignore", "-z", "--stdin"]), names.join("\0").into_bytes())?;
        // 1 is none.
        let found = if ran.code == 0 { String::from_utf8_lossy(&ran.stdout).into_owned() } else { String::new() };
        let ignored = dotted.iter().filter(|(_, name)| found.split('\0').any(|one| one == name));
        Ok(ignored.map(|(path, _)| (*path).clone()).collect())
    }

    fn since(&self, base: &ObjectId, path: &TargetPath) -> Result<Vec<(ObjectId, Option<ObjectId>)>, CommitError> {
        let mut args =
            words(&["log", "--format=%H", "--no-renames", "--no-abbrev", "--raw", "--diff-merges=first-parent"]);
        args.extend([format!("{base}..HEAD").into(), "--".into(), literally(path)]);
        let ran = self.done(args, Vec::new())?;
        let (mut found, mut commit) = (Vec::new(), None);
        for line in String::from_utf8_lossy(&ran.stdout).lines() {
            if let Some(about) = line.strip_prefix(':') {
                // `<old mode> <new mode> <old id> <new id> <status>`; what is gone has zeroes for an id.
                let blob = about.split(' ').nth(3).filter(|id| id.bytes().any(|byte| byte != b'0'));
                let blob = blob.map(id).transpose()?;
                found.extend(commit.take().map(|commit| (commit, blob)));
            } else if !line.is_empty() {
                commit = Some(id(line)?);
            }
        }
        Ok(found)
    }

    fn uncommitted(&self, paths: &[TargetPath]) -> Result<Vec<TargetPath>, CommitError> {
        let (_, tip) = self.branch(AGAIN)?;
        self.differing(&tip, &self.blobs(paths)?)
    }

    fn commit(&self, wanted: &NewCommit<'_>) -> Result<Committed, CommitError> {
        let _alone = self.alone()?;
        let (branch, tip) = self.branch(AGAIN)?;
        let all: Vec<TargetPath> = wanted.files.iter().map(|(path, _)| path.clone()).collect();
        let written = self.blobs(&all)?;
        let paths = self.differing(&tip, &written)?;
        if paths.is_empty() {
            self.refill(&all)?;
            return Ok(Committed::Already { commit: self.newest(wanted.session, &written)? });
        }
        if let Some(path) = self.ignored(&paths)?.first() {
            return Err(CommitError::Blocked {
                why: format!("{path} is ignored by git"),
                hint: format!(
                    "git check-ignore -v -- {} says why; git add -f -- {} stages it anyway; then {AGAIN}",
                    pathname(path.as_str()),
                    pathspec(path.as_str())
                ),
            });
        }
        let (mut unstaged, mut announced) = (Vec::new(), Vec::new());
        let standing = Self::standing(|args| self.done(args, Vec::new()), &paths)?;
        for path in &paths {
            match standing.get(path.as_str()).map(String::as_str) {
                // It is staged as it was written, or git status does not look at it: git knows what it does with that.
                None | Some("M " | "A ") => {}
                Some("??" | " M") => unstaged.push(path.clone()),
                Some(" A") => announced.push(path.clone()),
                // git would take what stands in the working tree, and nobody would find the rest again.
                Some(_) => {
                    return Err(CommitError::Blocked {
                        why: format!(
                            "the staged change of {path} is not what git grill wrote, or it is no ordinary file"
                        ),
                        hint: format!(
                            "git diff --cached -- {spec} shows it; git add -- {spec} stages the written file; then {AGAIN}",
                            spec = pathspec(path.as_str())
                        ),
                    });
                }
            }
        }
        self.stage(unstaged.iter().chain(&announced))?;
        let mut args = words(&["commit", "--quiet", "--only", "--file=-"]);
        args.push("--".into());
        args.extend(paths.iter().map(literally));
        let git = self.git(args, wanted.message.as_bytes().to_vec());
        let before = self.locks();
        let ran = git.run_hooked(self.process).map_err(|error| not_run(&error));
        let now = self.tip()?.ok_or_else(|| odd("HEAD names no commit any more"))?;
        // Whatever git said at the end, its commit stands where the branch has moved; unless another command moved it.
        let is_made = now != tip && (matches!(&ran, Ok(ran) if ran.code == 0) || self.names(&now, wanted.session)?);
        self.unlock(&ran, &before);
        if !is_made {
            self.unstage(&[], &unstaged)?;
            self.unstage(&["--intent-to-add"], &announced)?;
            return Err(ran.map_or_else(|error| error, |ran| failed(&ran)));
        }
        let altered = self.differing(&now, &written)?;
        let is_as_written = |path: &TargetPath| paths.contains(path) && !altered.contains(path);
        let approved = wanted.files.iter().filter(|(path, _)| is_as_written(path));
        let approved: Vec<(TargetPath, String)> =
            approved.map(|(path, blob)| (path.clone(), blob.to_string())).collect();
        let converted = self.differing(&now, &approved)?;
        let lost = self.lost(&now, wanted.trailers)?;
        Ok(Committed::Made { commit: now, branch, paths, altered, converted, lost })
    }

    fn work_is_ready(&self, paths: &[Vec<u8>]) -> Result<String, CommitError> {
        Self::work_is_ready(self, paths)
    }

    fn commit_work(&self, wanted: &WorkCommit<'_>) -> Result<WorkCommitted, CommitError> {
        self.commit_of_work(wanted)
    }

    fn unstage_left(&self) -> Result<(), CommitError> {
        self.unstage_what_is_left()
    }

    fn lock_left(&self) -> Option<String> {
        self.lock_left_over().map(|lock| word_of_bytes(lock.as_os_str().as_bytes()))
    }

    fn stashing(&self, paths: &[Vec<u8>]) -> Result<Stashing, CommitError> {
        self.stashing_at(paths)
    }

    fn staged_at(&self, paths: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, CommitError> {
        self.all_staged_at(paths)
    }

    fn commits_at(&self, since: &ObjectId, paths: &[Vec<u8>]) -> Result<Vec<ObjectId>, CommitError> {
        self.all_commits_at(since, paths)
    }
}

impl GitCommits<'_> {
    /// Holds that no other git grill commits in this worktree: each would take from the index what the other one staged.
    /// A file system without locks holds nothing.
    fn alone(&self) -> Result<Option<File>, CommitError> {
        match lock::folder(&self.git_dir) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                Err(CommitError::Busy { why: "another git grill is committing here" })
            }
            held => Ok(held.ok()),
        }
    }

    /// The branch that is checked out and its commit, unless a commit of ours would be wrong there.
    fn branch(&self, again: &str) -> Result<(String, ObjectId), CommitError> {
        let blocked = |why: &str, hint: &str| CommitError::Blocked { why: why.to_owned(), hint: hint.to_owned() };
        if let Some(what) = self.unfinished()? {
            let hint = format!("git status says how to finish or abort it; then {again}");
            return Err(blocked(&format!("{what} is not finished here"), &hint));
        }
        let branch = self.line(words(&["symbolic-ref", "--quiet", "--short", "HEAD"]))?.ok_or_else(|| {
            let hint = if again == AGAIN {
                "git grill stop, then git switch -c <branch>, and commit the written files there"
            } else {
                "git switch -c <branch>, then type it again; or leave --commit out"
            };
            blocked("HEAD is detached", hint)
        })?;
        let tip = self.tip()?.ok_or_else(|| {
            blocked(
                "the branch has no commit yet, and git grill leaves the first one to you",
                "git grill stop, then git add and git commit",
            )
        })?;
        Ok((branch, tip))
    }

    /// The first folder on the way to a file that is a symlink.
    fn link_before<'p>(&self, path: &'p TargetPath) -> Option<&'p str> {
        let path = path.as_str();
        path.match_indices('/').map(|(end, _)| &path[..end]).find(|folder| self.root.join(folder).is_symlink())
    }

    fn tip(&self) -> Result<Option<ObjectId>, CommitError> {
        self.line(words(&["rev-parse", "--verify", "--quiet", "HEAD"]))?.map(|line| id(&line)).transpose()
    }

    /// How files stand that differ in the commit, the index and the working tree: the two letters of `git status`.
    fn standing(
        run: impl FnOnce(Vec<OsString>) -> Result<Ran, CommitError>,
        paths: &[TargetPath],
    ) -> Result<BTreeMap<String, String>, CommitError> {
        let mut standing = BTreeMap::new();
        // Without a path the whole tree would be looked at.
        if paths.is_empty() {
            return Ok(standing);
        }
        let mut args = words(&["--no-optional-locks", "status", "--porcelain", "-z", "--no-renames"]);
        args.extend(words(&["--untracked-files=all", "--ignore-submodules=all", "--"]));
        args.extend(paths.iter().map(literally));
        for record in run(args)?.stdout.split(|byte| *byte == 0) {
            let text = String::from_utf8_lossy(record);
            if let (Some(letters), Some(path)) = (text.get(..2), text.get(3..)) {
                // A staged deletion of a file that is there makes two records, and this is the first one.
                standing.entry(path.to_owned()).or_insert_with(|| letters.to_owned());
            }
        }
        Ok(standing)
    }

    /// The files with the blobs that git makes of them, as a commit would have them.
    fn blobs(&self, paths: &[TargetPath]) -> Result<Vec<(TargetPath, String)>, CommitError> {
        hashed(|args| self.done(args, Vec::new()), &[], paths)
    }

    /// Those of the files of which the commit holds other bytes.
    fn differing(&self, commit: &ObjectId, files: &[(TargetPath, String)]) -> Result<Vec<TargetPath>, CommitError> {
        if files.is_empty() {
            return Ok(Vec::new());
        }
        let mut args = words(&["ls-tree", "--full-tree", "-z", commit.as_str(), "--"]);
        args.extend(files.iter().map(|(path, _)| literally(path)));
        let listed = self.done(args, Vec::new())?.stdout;
        let listed = String::from_utf8_lossy(&listed);
        let is_held = |(path, blob): &(TargetPath, String)| {
            // Behind the six digits of the mode; a folder of that name is of another kind.
            let entry = format!(" blob {blob}\t{path}");
            listed.split('\0').any(|line| line.get(6..) == Some(entry.as_str()))
        };
        Ok(files.iter().filter(|file| !is_held(file)).map(|(path, _)| path.clone()).collect())
    }

    /// Those of the trailers that the message of a commit does not hold.
    fn lost(&self, commit: &ObjectId, trailers: &[String]) -> Result<Vec<String>, CommitError> {
        let commit = self.done(words(&["cat-file", "commit", commit.as_str()]), Vec::new())?.stdout;
        let commit = String::from_utf8_lossy(&commit);
        Ok(trailers.iter().filter(|one| commit.lines().all(|line| line != one.as_str())).cloned().collect())
    }

    /// Whether the message of a commit names the session.
    fn names(&self, commit: &ObjectId, session: &SessionId) -> Result<bool, CommitError> {
        Ok(self.lost(commit, &[format!("Grill-Session: {session}")])?.is_empty())
    }

    /// Stages files as they stand, outside of a sparse checkout too, and never in the place of a folder or a file that is
    /// staged: all of them or none.
    fn stage<'p>(&self, paths: impl IntoIterator<Item = &'p TargetPath>) -> Result<(), CommitError> {
        Self::staging(paths).map_or(Ok(()), |(args, names)| self.done(args, names).map(drop))
    }

    /// The words for git that stage files, and its standard input; none without files.
    fn staging<'p>(paths: impl IntoIterator<Item = &'p TargetPath>) -> Option<(Vec<OsString>, Vec<u8>)> {
        let names: Vec<u8> = paths.into_iter().flat_map(|path| path.as_str().bytes().chain([0])).collect();
        (!names.is_empty()).then(|| (words(&["update-index", "--add", "-z", "--stdin"]), names))
    }

    /// The index holds of these files again what the commit has of them, or with `--intent-to-add` their names where it has
    /// nothing.
    fn unstage(&self, options: &[&str], paths: &[TargetPath]) -> Result<(), CommitError> {
        if paths.is_empty() {
            return Ok(());
        }
        let mut args = words(&["reset", "--quiet"]);
        args.extend(words(options));
        args.push("--".into());
        args.extend(paths.iter().map(literally));
        self.done(args, Vec::new()).map(drop)
    }

    /// The newest commit on the branch that names the session and touches one of the files, with those that it holds as they
    /// were written; none where it holds none so. Whoever commits can name a session, whatever they commit.
    fn newest(
        &self,
        session: &SessionId,
        written: &[(TargetPath, String)],
    ) -> Result<Option<(ObjectId, Vec<TargetPath>)>, CommitError> {
        let mut args = words(&["log", "-1", "--format=%H", "--fixed-strings"]);
        args.push(format!("--grep=Grill-Session: {session}").into());
        args.extend(words(&["HEAD", "--"]));
        args.extend(written.iter().map(|(path, _)| literally(path)));
        let Some(commit) = self.line(args)?.map(|line| id(&line)).transpose()? else {
            return Ok(None);
        };
        let altered = self.differing(&commit, written)?;
        let paths = written.iter().map(|(path, _)| path);
        let held: Vec<TargetPath> = paths.filter(|path| !altered.contains(path)).cloned().collect();
        Ok((!held.is_empty()).then_some((commit, held)))
    }

    /// The line that git prints; none where it finds nothing.
    fn line(&self, args: Vec<OsString>) -> Result<Option<String>, CommitError> {
        let ran = self.run(args, Vec::new())?;
        match ran.code {
            0 => Ok(Some(String::from_utf8_lossy(&ran.stdout).trim().to_owned()).filter(|line| !line.is_empty())),
            1 => Ok(None),
            _ => Err(failed(&ran)),
        }
    }

    /// Runs git to its end; anything but success is a failure.
    fn done(&self, args: Vec<OsString>, stdin: Vec<u8>) -> Result<Ran, CommitError> {
        let ran = self.run(args, stdin)?;
        if ran.code == 0 { Ok(ran) } else { Err(failed(&ran)) }
    }

    /// git at the top of the working tree. It finds the repository there by itself wherever it can, since whatever
    /// we set would be seen by the user's hooks. The exception is what must not come from the repository's own
    /// configuration: programs for signatures, which a log starts too where it is told to show them.
    fn git(&self, args: Vec<OsString>, stdin: Vec<u8>) -> Git {
        let git = Git::new(args).setting("log.showSignature=false").fed(stdin);
        self.here(self.signing_programs.iter().fold(git, |git, setting| git.setting(setting)))
    }

    fn here(&self, git: Git) -> Git {
        if is_found_from(&self.root, &self.git_dir) {
            git.found_from(&self.root)
        } else {
            git.of(&self.git_dir).at_work_in(Some(&self.root))
        }
    }

    fn run(&self, args: Vec<OsString>, stdin: Vec<u8>) -> Result<Ran, CommitError> {
        self.git(args, stdin).run(self.process).map_err(|error| not_run(&error))
    }
}

/// Whether git, started at the top of the working tree, comes to this git directory.
fn is_found_from(root: &Path, git_dir: &Path) -> bool {
    let dot_git = root.join(".git");
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let there = match regular::text(&dot_git, regular::SHORT) {
        Ok(text) => text.strip_prefix("gitdir: ").map(|path| root.join(path.trim_end())),
        Err(_) => Some(dot_git),
    };
    there.is_some_and(|there| real(&there).is_some() && real(&there) == real(git_dir))
}
