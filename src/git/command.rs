//! git as the rest of this program runs it. Here alone stands which variables lead git elsewhere, how hooks are kept
//! silent, that a repository's file watcher is not started, and what counts as git's reason when it fails.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::time::Duration;

use super::error::Error;
use super::paths::within;
use crate::app::ports::{Process, Ran, Run};

/// Variables that lead git to another place, give paths another meaning, or have it say or do more than is expected.
/// Those of [`OBJECTS`] are none of them: in a hook, the objects of a push are there alone.
const MISLEADING: [&str; 17] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_ATTR_SOURCE",
    "GIT_GRAFT_FILE",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
    "GIT_REFLOG_ACTION",
    "GIT_TRACE",
    "GIT_REDIRECT_STDERR",
];

/// Variables that say where the objects of our repository are.
const OBJECTS: [&str; 2] = ["GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"];

/// The setting by which git looks for changed files itself. The repository's own configuration could name any program as
/// the one to ask.
const UNWATCHED: &str = "core.fsmonitor=false";

/// Settings by which no hook runs: those in files, and those of ours that git 2.54 takes from its configuration.
const SILENT: [&str; 3] = [
    "core.hooksPath=/dev/null",
    "hook.git-grill-reference-transaction.enabled=false",
    "hook.git-grill-pre-push.enabled=false",
];

/// Variables by which git fetches nothing, and shows each object as it is.
const OFFLINE: [(&str, &str); 3] = [
    ("GIT_NO_LAZY_FETCH", "1"),
    // Before git 2.45 only this keeps it from fetching what a partial clone left out.
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
];

/// Variables by which git only reads, beside those: it takes no lock by itself, and speaks English.
const READING: [(&str, &str); 2] = [("GIT_OPTIONAL_LOCKS", "0"), ("LC_ALL", "C")];

/// The most characters of a reason: git names paths in it as they are.
const LONGEST_REASON: usize = 1_000;

/// A run of git, as it is put together.
#[derive(Clone, Debug)]
#[must_use]
pub struct Git {
    settings: Vec<OsString>,
    run: Run,
}

impl Git {
    /// git with these words, where we are, and as the environment has it.
    pub fn new<A: Into<OsString>>(words: impl IntoIterator<Item = A>) -> Self {
        Self { settings: Vec::new(), run: Run::new("git", words) }
    }

    /// In this folder.
    pub fn within(mut self, dir: &Path) -> Self {
        self.run.dir = Some(dir.to_owned());
        self
    }

    /// In the repository that git finds from this folder, whatever the environment says.
    pub fn found_from(self, dir: &Path) -> Self {
        self.not_misled().within(dir)
    }

    /// In another repository, with this folder at its top: it is not looked for any further up, and its objects are its
    /// own.
    pub fn exactly_at(self, dir: &Path) -> Self {
        OBJECTS
            .iter()
            .fold(self.found_from(dir), |git, name| git.without(name))
            .with("GIT_CEILING_DIRECTORIES", dir.parent().unwrap_or(dir))
    }

    /// In the repository with this git directory, whatever the environment says.
    pub fn of(self, git_dir: &Path) -> Self {
        self.not_misled().with("GIT_DIR", git_dir)
    }

    /// The same, in its git directory.
    pub fn inside(self, git_dir: &Path) -> Self {
        self.of(git_dir).within(git_dir)
    }

    fn not_misled(mut self) -> Self {
        self.run.without.extend(MISLEADING.map(OsString::from));
        self.setting(UNWATCHED)
    }

    /// In this working tree of the repository; none is a bare one.
    pub fn at_work_in(self, worktree: Option<&Path>) -> Self {
        match worktree {
            Some(worktree) => self.with("GIT_WORK_TREE", worktree).within(worktree),
            None => self,
        }
    }

    /// With one more setting, `key=value`, on top of the user's.
    pub fn setting(mut self, setting: &str) -> Self {
        self.settings.extend(["-c".into(), setting.into()]);
        self
    }

    /// The same for several.
    pub fn settings<S: AsRef<str>>(self, all: impl IntoIterator<Item = S>) -> Self {
        all.into_iter().fold(self, |git, setting| git.setting(setting.as_ref()))
    }

    /// With no hook, neither the user's nor ours.
    pub fn silent(self) -> Self {
        self.settings(SILENT)
    }

    /// With nothing but the objects that are here.
    pub fn offline(self) -> Self {
        OFFLINE.iter().fold(self, |git, (name, value)| git.with(name, value))
    }

    pub fn reading(self) -> Self {
        READING.iter().fold(self.offline(), |git, (name, value)| git.with(name, value))
    }

    pub fn with(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.run.env.push((name.into(), value.into()));
        self
    }

    /// As this person, for whom git notes a change of a ref or a commit; the date as git reads dates.
    pub fn by(self, name: &str, email: &str, date: &str) -> Self {
        self.with("GIT_COMMITTER_NAME", name).with("GIT_COMMITTER_EMAIL", email).with("GIT_COMMITTER_DATE", date)
    }

    pub fn without(mut self, name: &str) -> Self {
        self.run.without.push(name.into());
        self
    }

    pub fn fed(mut self, stdin: Vec<u8>) -> Self {
        self.run.stdin = stdin;
        self
    }

    pub fn for_at_most(mut self, limit: Duration) -> Self {
        self.run.limit = Some(limit);
        self
    }

    pub fn prepared(mut self) -> Run {
        self.settings.append(&mut self.run.args);
        self.run.args = self.settings;
        self.run
    }

    /// Runs it, however it ends.
    pub fn run(self, process: &dyn Process) -> io::Result<Ran> {
        process.run(&self.prepared())
    }

    /// Runs it with the user's hooks and programs, however it ends.
    pub fn run_hooked(self, process: &dyn Process) -> io::Result<Ran> {
        process.run_hooked(&self.prepared())
    }

    /// Runs it, and takes anything but success as a failure; what it printed.
    pub fn ask(self, process: &dyn Process) -> Result<Vec<u8>, Error> {
        let verb = self.verb();
        let ran = self.run(process)?;
        if ran.code == 0 { Ok(ran.stdout) } else { Err(failed(&verb, &ran)) }
    }

    /// Runs it as a question that git may answer with no, as [`answer`] tells.
    pub fn ask_whether(self, process: &dyn Process) -> Result<Option<Vec<u8>>, Error> {
        let verb = self.verb();
        answer(self.run(process)?).map_err(|why| Error(format!("git {verb}: {why}")))
    }

    /// The first word that is no option.
    fn verb(&self) -> String {
        let words = self.run.args.iter().map(|word| word.to_string_lossy().into_owned());
        words.into_iter().find(|word| !word.starts_with('-') && !word.contains('=')).unwrap_or_default()
    }
}

/// A failed run of this verb as an error, in git's own words.
pub fn failed(verb: &str, ran: &Ran) -> Error {
    Error(format!("git {verb}: {}", reason(ran)))
}

/// What git printed in answer to a question; none where it says no, which is exit code 1. An error is its reason.
pub fn answer(ran: Ran) -> Result<Option<Vec<u8>>, String> {
    match ran.code {
        0 => Ok(Some(ran.stdout)),
        1 => Ok(None),
        _ => Err(reason(&ran)),
    }
}

/// git's reason for a failure, one line in its own words: its first complaint, since what follows is advice or a
/// consequence, else the last that it said.
pub fn reason(ran: &Ran) -> String {
    let text = String::from_utf8_lossy(&ran.stderr);
    let mut lines = text.lines().filter(|line| !line.starts_with("hint:") && !line.trim().is_empty());
    let first = lines.clone().find(|line| line.starts_with("fatal:") || line.starts_with("error:"));
    let said = first.or_else(|| lines.next_back());
    said.map_or_else(|| format!("exit code {}", ran.code), |line| within(line.to_owned(), LONGEST_REASON))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(run: &Run) -> String {
        run.args.iter().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn settings_stand_before_the_verb_whenever_they_are_added() {
        let run = Git::new(["status", "-z"]).setting("core.symlinks=true").prepared();
        assert_eq!(words(&run), "-c core.symlinks=true status -z");
    }

    #[test]
    fn the_repository_is_the_one_that_is_named_whatever_the_environment_says() {
        let run = Git::new(["show-ref"]).of(Path::new("/r/.git")).at_work_in(Some(Path::new("/r"))).prepared();
        assert!(MISLEADING.iter().all(|name| run.without.contains(&OsString::from(name))));
        let set: Vec<(&str, &str)> =
            run.env.iter().map(|(name, value)| (name.to_str().unwrap(), value.to_str().unwrap())).collect();
        assert_eq!(set, [("GIT_DIR", "/r/.git"), ("GIT_WORK_TREE", "/r")]);
        assert_eq!(run.dir.as_deref(), Some(Path::new("/r")));
        assert_eq!(words(&run), "-c core.fsmonitor=false show-ref");
    }

    #[test]
    fn another_repository_has_objects_of_its_own_and_is_no_other_further_up() {
        let run = Git::new(["status"]).exactly_at(Path::new("/r/inner")).prepared();
        assert!(MISLEADING.iter().chain(&OBJECTS).all(|name| run.without.contains(&OsString::from(name))));
        assert_eq!(run.env, [(OsString::from("GIT_CEILING_DIRECTORIES"), OsString::from("/r"))]);
        assert_eq!(run.dir.as_deref(), Some(Path::new("/r/inner")));
    }

    #[test]
    fn no_is_an_answer_and_no_failure() {
        let ran = |code| Ran { code, stdout: b"a".to_vec(), stderr: b"fatal: b\n".to_vec() };
        assert_eq!(answer(ran(0)), Ok(Some(b"a".to_vec())));
        assert_eq!(answer(ran(1)), Ok(None));
        assert_eq!(answer(ran(128)), Err("fatal: b".to_owned()));
    }

    #[test]
    fn the_reason_is_the_first_complaint() {
        let ran = |stderr: &str| Ran { code: 128, stdout: Vec::new(), stderr: stderr.into() };
        for (stderr, said) in [
            ("warning: a\nfatal: b\nhint: c\n", "fatal: b"),
            ("error: a\nfatal: b\n", "error: a"),
            ("a\nb\nhint: c\n\n", "b"),
            ("", "exit code 128"),
        ] {
            assert_eq!(reason(&ran(stderr)), said);
        }
        let long = reason(&ran(&format!("fatal: {}: no", "x".repeat(30_000))));
        assert_eq!(long.chars().count(), LONGEST_REASON + 1);
        assert!(long.starts_with("fatal: x") && long.ends_with("x: no"));
    }
}
