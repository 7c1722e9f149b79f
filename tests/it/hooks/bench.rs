//! Repositories in a temporary folder, a hermetic git, and a stand-in for our program.
//!
//! The stand-in is this test binary itself: a shell script starts it at [`as_the_binary`], which answers with
//! `run_hook` at the very moment and place where git asks.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use git_grill::app::ports::{Process, Ran, Run};
use git_grill::domain::posture::{Posture, ReadOnlyPhase};
use git_grill::git::Repo;
use git_grill::hooks::{CliFacts, GitFacts, Place, Rule, run_hook};

pub use crate::bench::executable;
use crate::bench::template::Recipe;
use crate::bench::{ground, in_path_of};

pub struct Bench {
    pub tmp: tempfile::TempDir,
    pub path: OsString,
    /// What `git version` pretends to be.
    pub pretends: Option<&'static str>,
}

/// Who commits, and nothing of the machine's configuration.
const IDENTITY: &[(&str, &str)] = &[
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_EDITOR", "true"),
    ("LC_ALL", "C"),
    ("GIT_AUTHOR_NAME", "a"),
    ("GIT_AUTHOR_EMAIL", "a@example.org"),
    ("GIT_COMMITTER_NAME", "c"),
    ("GIT_COMMITTER_EMAIL", "c@example.org"),
];

/// Makes three commits, a branch and a tag.
const GROW: &str = "for round in one two three; do printf $round >file.txt && git add file.txt && git commit -qm $round || exit; done && \
    git branch other HEAD~1 && git tag v1";

/// The gits of this machine, by the folder that has to come first in PATH.
pub fn gits() -> Vec<OsString> {
    let path = std::env::var_os("PATH").unwrap();
    let mut found = Vec::new();
    let mut versions = Vec::new();
    for dir in std::env::split_paths(&path).chain([PathBuf::from("/usr/bin")]) {
        let Ok(output) = Command::new(dir.join("git")).arg("version").output() else {
            continue;
        };
        if !versions.contains(&output.stdout) {
            versions.push(output.stdout);
            let first = std::env::join_paths([dir].into_iter().chain(std::env::split_paths(&path))).unwrap();
            found.push(first);
        }
    }
    assert!(!found.is_empty(), "git is needed");
    found
}

impl Bench {
    /// A bench whose git has no configured hooks, or says so: what is tested is how files are installed.
    pub fn new() -> Self {
        let bench = Self::with_path(std::env::var_os("PATH").unwrap());
        let pretends = bench.has_configured_hooks().then_some("2.47.3");
        Self { pretends, ..bench }
    }

    fn has_configured_hooks(&self) -> bool {
        self.version() >= (2, 54)
    }

    /// Major and minor.
    pub fn version(&self) -> (u32, u32) {
        let text = self.git(&self.at("."), &["version"]);
        let mut numbers = text.split(' ').nth(2).unwrap().split('.').map(|part| part.parse::<u32>().unwrap_or(0));
        (numbers.next().unwrap(), numbers.next().unwrap())
    }

    /// How hooks are installed where nobody else has any.
    pub fn plain_rule(&self) -> Rule {
        if self.pretends.is_none() && self.has_configured_hooks() { Rule::Configured } else { Rule::Beside }
    }

    pub fn with_path(path: OsString) -> Self {
        let tmp = tempfile::Builder::new().prefix("grill hooks $x ").tempdir_in(ground()).unwrap();
        let bench = Self { tmp, path, pretends: None };
        fs::create_dir(bench.at("home")).unwrap();
        bench
    }

    pub fn at(&self, name: &str) -> PathBuf {
        fs::canonicalize(self.tmp.path()).unwrap().join(name)
    }

    fn command(&self, program: &OsString) -> Command {
        let mut command = Command::new(in_path_of(&self.path, program));
        command.env_clear().env("PATH", &self.path).env("HOME", self.at("home")).envs(IDENTITY.iter().copied());
        command
    }

    pub fn try_git(&self, dir: &Path, args: &[&str]) -> Output {
        self.try_git_with(dir, &[], args)
    }

    pub fn try_git_with(&self, dir: &Path, variables: &[(&str, &str)], args: &[&str]) -> Output {
        let mut command = self.command(&"git".into());
        command.args(args).envs(variables.iter().copied()).current_dir(dir).stdin(Stdio::null()).output().unwrap()
    }

    /// Runs git, which must succeed; its trimmed output.
    pub fn git(&self, dir: &Path, args: &[&str]) -> String {
        let output = self.try_git(dir, args);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {args:?}: {stderr}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Runs git, which must be refused by us; what it printed.
    pub fn refused(&self, dir: &Path, args: &[&str]) -> String {
        let output = self.try_git(dir, args);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "git {args:?} was not refused");
        assert!(stderr.contains("error: git grill: "), "git {args:?}: {stderr}");
        assert!(stderr.contains("hint: git "), "git {args:?}: {stderr}");
        stderr
    }

    /// A repository with three commits on `main`, a branch `other` and a tag `v1`.
    pub fn repo(&self, name: &str) -> PathBuf {
        self.repo_with(name, &[])
    }

    /// The same, made with options for `git init`.
    pub fn repo_with(&self, name: &str, options: &[&str]) -> PathBuf {
        let dir = self.at(name);
        fs::create_dir_all(&dir).unwrap();
        if std::env::var_os("PATH").as_ref() == Some(&self.path) {
            let line = format!("git init -q -b main {} && {GROW}", options.join(" "));
            Recipe { line: &line, variables: IDENTITY }.fill(&dir);
        } else {
            self.git(&dir, &[["init", "-q", "-b", "main"].as_slice(), options].concat());
            self.grow(&dir);
        }
        dir
    }

    /// Three commits on `main`, a branch `other` and a tag `v1`.
    pub fn grow(&self, dir: &Path) {
        let ran = self.command(&"sh".into()).args(["-c", GROW]).current_dir(dir).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    }

    /// The worktree as `arm` wants it, with the stand-in as our program.
    pub fn place(&self, root: &Path) -> Place {
        let dir = |what: &str| {
            let path = self.git(root, &["rev-parse", what]);
            fs::canonicalize(root.join(path)).unwrap()
        };
        Place {
            common_dir: dir("--git-common-dir"),
            git_dir: dir("--absolute-git-dir"),
            root: root.to_owned(),
            binary: self.binary(),
        }
    }

    /// The stand-in, made when it is first asked for.
    pub fn binary(&self) -> PathBuf {
        let path = self.at("it's \"our\" $bin");
        if !path.exists() {
            let probe = std::env::current_exe().unwrap();
            let script = format!(
                "#!/bin/sh\nGRILL_PROBE_ARGS=\"$*\" GRILL_PROBE_DIR='{}' exec '{}' --exact hooks::bench::as_the_binary \
                 --ignored --nocapture --quiet >/dev/null\n",
                self.tmp.path().display(),
                probe.display(),
            );
            executable(&path, &script);
        }
        path
    }

    /// What the stand-in takes for the posture: `inactive`, `interview`, `selection`, or approved paths, one a line.
    pub fn posture(&self, text: &str) {
        fs::write(self.at("posture"), text).unwrap();
    }

    /// Everything below the bench's folder but what the bench itself keeps there: kind, mode and content by path.
    pub fn snapshot(&self) -> Snapshot {
        let mut found = BTreeMap::new();
        let mut dirs = vec![self.at(".")];
        while let Some(dir) = dirs.pop() {
            for entry in fs::read_dir(&dir).unwrap() {
                let path = entry.unwrap().path();
                let meta = fs::symlink_metadata(&path).unwrap();
                let (kind, content) = if meta.is_dir() {
                    dirs.push(path.clone());
                    ('d', Vec::new())
                } else if meta.is_symlink() {
                    ('l', fs::read_link(&path).unwrap().into_os_string().as_bytes().to_vec())
                } else {
                    ('f', fs::read(&path).unwrap())
                };
                found.insert(path, (kind, meta.permissions().mode(), content));
            }
        }
        found
    }
}

impl Process for Bench {
    fn run(&self, run: &Run) -> io::Result<Ran> {
        if let (Some(version), true) = (self.pretends, run.args == ["version"]) {
            return Ok(Ran { code: 0, stdout: format!("git version {version}\n").into_bytes(), stderr: Vec::new() });
        }
        let mut command = self.command(&run.program);
        command.args(&run.args).envs(run.env.iter().cloned()).stdin(Stdio::null());
        if let Some(dir) = &run.dir {
            command.current_dir(dir);
        }
        let output = command.output()?;
        Ok(Ran { code: output.status.code().unwrap_or(128), stdout: output.stdout, stderr: output.stderr })
    }
}

/// Kind, mode and content of files by path.
pub type Snapshot = BTreeMap<PathBuf, (char, u32, Vec<u8>)>;

/// Fails with the paths that differ, unless both are the same to the byte.
#[track_caller]
pub fn assert_same(now: &Snapshot, before: &Snapshot, when: &str) {
    let paths: BTreeSet<&PathBuf> = now.keys().chain(before.keys()).collect();
    let show = |entry: Option<&(char, u32, Vec<u8>)>| {
        entry.map(|(kind, mode, content)| format!("{kind} {mode:o} {}", content.escape_ascii()))
    };
    for path in paths {
        let (now, before) = (now.get(path), before.get(path));
        assert!(now == before, "{when}: {}: now {:?}, before {:?}", path.display(), show(now), show(before));
    }
}

/// Spawns with the environment of the hook.
struct Inherited;

impl Process for Inherited {
    fn run(&self, run: &Run) -> io::Result<Ran> {
        let mut command = Command::new(&run.program);
        for name in &run.without {
            command.env_remove(name);
        }
        let output = command.args(&run.args).envs(run.env.iter().cloned()).output()?;
        Ok(Ran { code: output.status.code().unwrap_or(128), stdout: output.stdout, stderr: output.stderr })
    }
}

/// Not a test: what the stand-in runs. Ends the process itself, with the hook's answer.
#[test]
#[ignore = "started by the stand-in for our program"]
fn as_the_binary() {
    let dir = PathBuf::from(std::env::var_os("GRILL_PROBE_DIR").expect("started by the stand-in"));
    let args = std::env::var("GRILL_PROBE_ARGS").unwrap();
    let mut words = args.split(' ');
    assert_eq!(words.next(), Some("hook"));
    let name = words.next().unwrap();
    let rest: Vec<OsString> = words.map(OsString::from).collect();
    let posture = match fs::read_to_string(dir.join("posture")).unwrap().as_str() {
        "inactive" => Posture::Inactive,
        "interview" => Posture::ReadOnly { phase: ReadOnlyPhase::Interview },
        "selection" => Posture::ReadOnly { phase: ReadOnlyPhase::OutputSelection },
        paths => Posture::Output { paths: paths.lines().map(str::to_owned).collect() },
    };
    let git_dir = fs::canonicalize(std::env::var_os("GIT_DIR").unwrap_or_else(|| ".git".into())).unwrap();
    let opened = git2::Repository::open(&git_dir).map(Repo::from);
    let outcome = if let Ok(repo @ Repo::Library(library)) = &opened {
        run_hook(name, &rest, &mut io::stdin(), &posture, &GitFacts::new(repo, library, &Inherited))
    } else {
        let place = Place { common_dir: git_dir.clone(), root: git_dir.clone(), git_dir, binary: PathBuf::new() };
        run_hook(name, &rest, &mut io::stdin(), &posture, &CliFacts::new(&place, &Inherited))
    };
    #[expect(clippy::print_stderr, reason = "this stands for our program, whose stderr the test reads")]
    {
        eprint!("{}", outcome.stderr);
    }
    std::process::exit(i32::from(outcome.code));
}
