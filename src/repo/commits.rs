//! Commits of written outputs, made by `git commit` as the user would make them: their hooks run, their identity and
//! signature count, and what else they have staged stays staged.
//!
//! `git commit --only` builds the commit from the tip and these files alone. It knows only files that the index knows, and
//! moves the branch before it puts the new index in place. So the files are staged first: a kill in between leaves an index
//! that agrees with the commit. If the commit fails, the index gets its earlier entries back.

mod state;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use self::state::{File, State};
use super::open::Opened;
use crate::app::ports::{CommitError, Commits, Committed, NewCommit, Process, Ran};
use crate::domain::ids::ObjectId;
use crate::domain::production::TargetPath;
use crate::git::Git;

/// What git keeps while something is unfinished, and how a person calls that. A commit would end some of them, or lose
/// the message that they have prepared.
const UNFINISHED: [(&str, &str); 9] = [
    ("rebase-merge", "a rebase"),
    ("rebase-apply", "a rebase or git am"),
    ("MERGE_HEAD", "a merge"),
    ("CHERRY_PICK_HEAD", "a cherry-pick"),
    ("REVERT_HEAD", "a revert"),
    ("sequencer", "a cherry-pick or revert of several commits"),
    ("BISECT_START", "a bisect"),
    ("SQUASH_MSG", "a squashed merge"),
    ("MERGE_MSG", "a merge, cherry-pick or revert without its commit"),
];

/// How many lines of what git and the hooks said are told.
const TOLD: usize = 20;

/// The command that tries again.
const AGAIN: &str = "git grill produce --commit";

/// Commits in one working tree.
pub struct GitCommits<'a> {
    /// Spawns git.
    pub process: &'a dyn Process,
    /// The git directory of this worktree.
    pub git_dir: PathBuf,
    /// The top of the working tree.
    pub root: PathBuf,
}

impl<'a> GitCommits<'a> {
    /// The working tree of this repository; `None` when it is bare.
    pub fn of(opened: &Opened, process: &'a dyn Process) -> Option<Self> {
        let root = opened.worktree.clone()?;
        Some(Self { process, git_dir: opened.git_dir.clone(), root })
    }

    /// Files whose content the index has lost to a commit that was cut off, while the newest commit has it as it stands in
    /// the working tree. Where something is unfinished, or HEAD is on no branch, the index is the user's work, and none of
    /// it is taken for lost.
    pub fn emptied(&self, paths: &[TargetPath]) -> Result<Vec<TargetPath>, CommitError> {
        let State { tip, files, .. } = match self.state(paths) {
            Ok(state) => state,
            Err(CommitError::Blocked { .. }) => return Ok(Vec::new()),
            Err(error @ CommitError::Failed { .. }) => return Err(error),
        };
        let is_emptied = |path: &&TargetPath| files.get(path.as_str().as_bytes()) == Some(&File::Emptied);
        let mut emptied: Vec<TargetPath> = paths.iter().filter(is_emptied).cloned().collect();
        let altered = self.altered(&tip, &emptied, &self.blobs(&emptied)?)?;
        emptied.retain(|path| !altered.contains(path));
        Ok(emptied)
    }

    /// Stages them again, and nothing else; names them.
    pub fn refill(&self, paths: &[TargetPath]) -> Result<Vec<TargetPath>, CommitError> {
        let emptied = self.emptied(paths)?;
        if !emptied.is_empty() {
            self.stage(&emptied)?;
        }
        Ok(emptied)
    }
}

impl Commits for GitCommits<'_> {
    fn ready(&self) -> Result<(), CommitError> {
        self.state(&[]).map(drop)
    }

    fn ignored(&self, paths: &[TargetPath]) -> Result<Vec<TargetPath>, CommitError> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let names: Vec<&str> = paths.iter().map(TargetPath::as_str).collect();
        let ran = self.run(words(&["check-ignore", "-z", "--stdin"]), names.join("\0").into_bytes())?;
        // 1 is none. Of a path behind a symlink git says nothing but an error; whoever writes there looks for itself.
        let found = if ran.code == 0 { String::from_utf8_lossy(&ran.stdout).into_owned() } else { String::new() };
        Ok(paths.iter().filter(|path| found.split('\0').any(|one| one == path.as_str())).cloned().collect())
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
                let id = about.split(' ').nth(3).filter(|id| id.bytes().any(|byte| byte != b'0'));
                let blob = id.map(ObjectId::parse).transpose().map_err(|_| odd("git log named something odd"))?;
                found.extend(commit.take().map(|commit| (commit, blob)));
            } else if !line.is_empty() {
                commit = Some(ObjectId::parse(line).map_err(|_| odd("git log named something that is no commit"))?);
            }
        }
        Ok(found)
    }

    fn commit(&self, wanted: &NewCommit<'_>) -> Result<Committed, CommitError> {
        let State { branch, tip, files } = self.state(wanted.paths)?;
        let (mut paths, mut announced, mut emptied) = (Vec::new(), Vec::new(), Vec::new());
        for path in wanted.paths {
            match files.get(path.as_str().as_bytes()) {
                None => continue,
                Some(File::Changed | File::Unknown) => {}
                Some(File::Announced) => announced.push(path.clone()),
                Some(File::Emptied) => emptied.push(path.clone()),
                Some(blocked @ (File::StagedOtherwise | File::StagedAway | File::Ignored | File::Odd)) => {
                    return Err(blocked.stands_in_the_way(path));
                }
            }
            paths.push(path.clone());
        }
        if !emptied.is_empty() {
            return self.fill(wanted, &tip, &emptied);
        }
        let silent: Vec<TargetPath> = wanted.paths.iter().filter(|path| !paths.contains(path)).cloned().collect();
        if let Some(path) = self.altered(&tip, &silent, &self.blobs(&silent)?)?.first() {
            return Err(CommitError::Blocked {
                why: format!("git does not look at {path}: it is marked in the index, or lies behind a symlink"),
                hint: format!("git ls-files -v -- {path} shows a mark in lower case or an S"),
            });
        }
        if paths.is_empty() {
            return Ok(Committed::Already { commit: self.newest(wanted)? });
        }
        let message = self.message(wanted)?;
        let expected = self.blobs(&paths)?;
        let before = self.entries(&tip, &paths, &announced)?;
        self.stage(&paths)?;
        let mut args = words(&["commit", "--quiet", "--only", "--file=-", "--"]);
        args.extend(paths.iter().map(literally));
        let ran = self.run(args, message);
        let now = self.tip()?;
        if now == tip {
            self.take_back(before, &announced)?;
            return Err(ran.map_or_else(|error| error, |ran| failed(&ran)));
        }
        // Whatever git said at the end, the branch has moved.
        let altered = self.altered(&now, &paths, &expected)?;
        Ok(Committed::Made { commit: now, branch, paths, altered })
    }
}

impl GitCommits<'_> {
    /// Where HEAD is and how the files stand, unless a commit would be wrong just now.
    fn state(&self, paths: &[TargetPath]) -> Result<State, CommitError> {
        if let Some((_, what)) = UNFINISHED.iter().find(|(name, _)| self.git_dir.join(name).symlink_metadata().is_ok())
        {
            return Err(CommitError::Blocked {
                why: format!("{what} is not finished here"),
                hint: format!("git status says how to finish or abort it; then {AGAIN}"),
            });
        }
        let ran = self.asked(&["ls-files", "--unmerged", "-z"])?;
        if !ran.stdout.is_empty() {
            return Err(CommitError::Blocked {
                why: "the index holds conflicts".to_owned(),
                hint: format!("git status names them; then {AGAIN}"),
            });
        }
        let asked = ["status", "--porcelain=v2", "-z", "--branch", "--no-renames", "--no-ahead-behind"];
        let more = ["--untracked-files=all", "--ignored=matching", "--ignore-submodules=all", "--"];
        let mut args = words(&["--no-optional-locks"]);
        args.extend(words(&asked));
        args.extend(words(&more));
        // Without a path the whole tree would be looked at.
        args.extend(if paths.is_empty() {
            vec![":(top,exclude)".into()]
        } else {
            paths.iter().map(literally).collect()
        });
        state::read(&self.done(args, Vec::new())?.stdout)
    }

    /// The message with its trailers, as git puts them there.
    fn message(&self, wanted: &NewCommit<'_>) -> Result<Vec<u8>, CommitError> {
        let text = format!("{}\n", wanted.message.trim_end());
        Ok(self.done(wanted.trailers.args(), text.into_bytes())?.stdout)
    }

    /// The blobs that git makes of the files, filters and line ends included.
    fn blobs(&self, paths: &[TargetPath]) -> Result<Vec<String>, CommitError> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let mut args = words(&["hash-object", "--"]);
        args.extend(paths.iter().map(|path| OsString::from(path.as_str())));
        let ran = self.done(args, Vec::new())?;
        Ok(String::from_utf8_lossy(&ran.stdout).lines().map(str::to_owned).collect())
    }

    /// Stages the files of a commit that was cut off between the branch and the index, as an earlier version left it: the
    /// commit has them, and the index knows nothing but their names. The next commit would delete them.
    fn fill(&self, wanted: &NewCommit<'_>, tip: &ObjectId, emptied: &[TargetPath]) -> Result<Committed, CommitError> {
        if let Some(path) = self.altered(tip, emptied, &self.blobs(emptied)?)?.first() {
            return Err(File::StagedAway.stands_in_the_way(path));
        }
        self.stage(emptied)?;
        self.commit(wanted)
    }

    /// Stages the files as they stand, outside of a sparse checkout too.
    fn stage(&self, paths: &[TargetPath]) -> Result<(), CommitError> {
        let names: Vec<u8> = paths.iter().flat_map(|path| path.as_str().bytes().chain([0])).collect();
        self.done(words(&["update-index", "--add", "--replace", "-z", "--stdin"]), names).map(drop)
    }

    /// What the index holds of the files, as `git update-index --index-info` reads it. A file that is not there, or only
    /// announced, has a line that removes it.
    fn entries(&self, tip: &ObjectId, paths: &[TargetPath], announced: &[TargetPath]) -> Result<Vec<u8>, CommitError> {
        let mut args = words(&["ls-files", "--stage", "-z", "--"]);
        args.extend(paths.iter().map(literally));
        let listed = self.done(args, Vec::new())?.stdout;
        let none = "0".repeat(tip.as_str().len());
        let mut entries = Vec::new();
        for path in paths {
            // `<mode> <id> <stage>\t<path>`
            let is_of = |line: &&[u8]| line.splitn(2, |byte| *byte == b'\t').nth(1) == Some(path.as_str().as_bytes());
            match listed.split(|byte| *byte == 0).find(is_of).filter(|_| !announced.contains(path)) {
                Some(line) => entries.extend_from_slice(line),
                None => entries.extend_from_slice(format!("0 {none}\t{path}").as_bytes()),
            }
            entries.push(0);
        }
        Ok(entries)
    }

    /// The index gets back what it held.
    fn take_back(&self, before: Vec<u8>, announced: &[TargetPath]) -> Result<(), CommitError> {
        self.done(words(&["update-index", "-z", "--index-info"]), before)?;
        if announced.is_empty() {
            return Ok(());
        }
        let mut args = words(&["add", "--intent-to-add", "--sparse", "--"]);
        args.extend(announced.iter().map(literally));
        self.done(args, Vec::new()).map(drop)
    }

    fn tip(&self) -> Result<ObjectId, CommitError> {
        self.id(words(&["rev-parse", "--verify", "HEAD"]))?.ok_or_else(|| odd("HEAD names no commit"))
    }

    /// The newest commit on the branch that names the session and touches one of its files.
    fn newest(&self, wanted: &NewCommit<'_>) -> Result<Option<ObjectId>, CommitError> {
        let mut args = words(&["log", "-1", "--format=%H", "--fixed-strings"]);
        args.push(format!("--grep=Grill-Session: {}", wanted.session).into());
        args.extend(words(&["HEAD", "--"]));
        args.extend(wanted.paths.iter().map(literally));
        self.id(args)
    }

    fn id(&self, args: Vec<OsString>) -> Result<Option<ObjectId>, CommitError> {
        let ran = self.done(args, Vec::new())?;
        let text = String::from_utf8_lossy(&ran.stdout);
        match text.trim() {
            "" => Ok(None),
            id => ObjectId::parse(id).map(Some).map_err(|_| odd("git named something that is no commit")),
        }
    }

    /// Files of which the commit holds other bytes than those that stood there.
    fn altered(
        &self,
        commit: &ObjectId,
        paths: &[TargetPath],
        expected: &[String],
    ) -> Result<Vec<TargetPath>, CommitError> {
        let mut altered = Vec::new();
        for (path, blob) in paths.iter().zip(expected) {
            let ran =
                self.done(words(&["ls-tree", "--full-tree", "-z", commit.as_str(), "--", path.as_str()]), vec![])?;
            // `<mode> blob <id>\t<path>`; a folder of that name would be of another kind.
            let line = String::from_utf8_lossy(&ran.stdout);
            if line.split(['\t', ' ']).nth(2) != Some(blob.as_str()) {
                altered.push(path.clone());
            }
        }
        Ok(altered)
    }

    fn asked(&self, args: &[&str]) -> Result<Ran, CommitError> {
        self.done(words(args), Vec::new())
    }

    /// Runs git to its end; anything but success is a failure.
    fn done(&self, args: Vec<OsString>, stdin: Vec<u8>) -> Result<Ran, CommitError> {
        let ran = self.run(args, stdin)?;
        if ran.code == 0 { Ok(ran) } else { Err(failed(&ran)) }
    }

    /// Runs git at the top of the working tree. It finds the repository there by itself wherever it can, since whatever
    /// we set would be seen by the user's hooks.
    fn run(&self, args: Vec<OsString>, stdin: Vec<u8>) -> Result<Ran, CommitError> {
        let git = Git::new(args).fed(stdin);
        let git = if is_found_from(&self.root, &self.git_dir) {
            git.found_from(&self.root)
        } else {
            git.of(&self.git_dir).at_work_in(Some(&self.root))
        };
        git.run(self.process).map_err(|error| CommitError::Failed { said: vec![format!("git: {error}")] })
    }
}

/// Whether git, started at the top of the working tree, comes to this git directory.
fn is_found_from(root: &Path, git_dir: &Path) -> bool {
    let dot_git = root.join(".git");
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let there = match std::fs::read_to_string(&dot_git) {
        Ok(text) => text.strip_prefix("gitdir: ").map(|path| root.join(path.trim_end())),
        Err(_) => Some(dot_git),
    };
    there.is_some_and(|there| real(&there).is_some() && real(&there) == real(git_dir))
}

/// The path as a pathspec that means this path and nothing else.
fn literally(path: &TargetPath) -> OsString {
    format!(":(top,literal){path}").into()
}

fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

fn odd(why: &str) -> CommitError {
    CommitError::Failed { said: vec![why.to_owned()] }
}

/// What git and the hooks said when it did not work: the end of it, where the reason is.
fn failed(ran: &Ran) -> CommitError {
    let text = String::from_utf8_lossy(&ran.stderr).into_owned() + &String::from_utf8_lossy(&ran.stdout);
    let mut said: Vec<String> =
        text.lines().map(str::trim_end).filter(|line| !line.is_empty()).map(str::to_owned).collect();
    if said.len() > TOLD {
        said.drain(..said.len() - TOLD);
    }
    if said.is_empty() {
        said.push(format!("git ended with exit code {} and said nothing", ran.code));
    }
    CommitError::Failed { said }
}
