//! Working copies that agents are lent, with real git: what they are, what an agent can do to the parent from inside
//! one, what is read back from them, and how they go away.

mod accepted;
mod attacks;
mod changes;
mod cut_off;
mod filtered;
mod hard_names;
mod in_the_way;
mod included;
mod kept;
mod mixed;
mod placed;
mod proposed;
mod saved_meanwhile;

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use git_grill::git::Spawner;
use git_grill::lend::accept::{Accepted, Applied, Order, Undone, Watch, apply, undo};
use git_grill::lend::changes::unaccepted;
use git_grill::lend::place::{Wanted, place};
use git_grill::lend::standing::propose;
use git_grill::lend::{Author, CopyProof, LendError, LentFolder, Parent};

use crate::bench::{ground, in_path};
use crate::spawning;

/// In whose name work is kept.
const AGENT: Author<'static> =
    Author { name: "an agent (via git grill)", email: "git-grill@localhost", date: "1700000000 +0000" };

/// What a shell line runs in: an identity, and nothing of the machine's configuration.
const VARIABLES: &[(&str, &str)] = &[
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("LC_ALL", "C"),
    ("TZ", "UTC"),
    ("GIT_AUTHOR_NAME", "a"),
    ("GIT_AUTHOR_EMAIL", "a@example.org"),
    ("GIT_AUTHOR_DATE", "1600000000 +0000"),
    ("GIT_COMMITTER_NAME", "c"),
    ("GIT_COMMITTER_EMAIL", "c@example.org"),
    ("GIT_COMMITTER_DATE", "1600000000 +0000"),
];

/// Files of every kind, and two commits.
const GROW: &str = "mkdir -p src/in lib && echo one >src/a && echo two >src/in/b && echo l >lib/c && ln -s src/a link &&
    printf '#!/bin/sh\\n' >run && chmod +x run && printf '\\0\\1\\2' >bin && printf '*.log\\ntarget/\\n.env*\\n' >.gitignore &&
    git add -A && git commit -qm one && git tag -am v1 v1 && echo more >>src/a && git commit -qam two";

/// Every file and folder below a folder, with its permissions; not git's own.
type Tree = BTreeMap<PathBuf, (u32, Vec<u8>)>;

/// What an undo brings back to the byte.
#[derive(Debug, PartialEq, Eq)]
struct Scene {
    files: Tree,
    index: Vec<u8>,
    refs: String,
}

fn tree(top: &Path) -> Tree {
    let (mut found, mut waiting) = (Tree::new(), vec![top.to_owned()]);
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let about = path.symlink_metadata().unwrap();
            if path == top.join(".git") {
                continue;
            }
            let bytes = if about.is_dir() {
                waiting.push(path.clone());
                Vec::new()
            } else if about.is_symlink() {
                fs::read_link(&path).unwrap().as_os_str().as_bytes().to_vec()
            } else {
                fs::read(&path).unwrap()
            };
            found.insert(path.strip_prefix(top).unwrap().to_owned(), (about.permissions().mode(), bytes));
        }
    }
    found
}

/// A repository, and the folder of sessions in it.
struct Yard {
    tmp: tempfile::TempDir,
    process: Spawner,
    vars: HashMap<String, OsString>,
}

impl Yard {
    fn new() -> Self {
        Self::with("", "true")
    }

    /// Made with options for `git init`, and with one more line before the commits.
    fn with(options: &str, before: &str) -> Self {
        let tmp = tempfile::Builder::new().prefix("grill lend ").tempdir_in(ground()).unwrap();
        let mut vars: HashMap<String, OsString> =
            VARIABLES.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect();
        vars.insert("HOME".to_owned(), tmp.path().join("home").into());
        let yard = Self { process: spawning::with(&vars), tmp, vars };
        fs::create_dir(yard.at("home")).unwrap();
        fs::create_dir(yard.at("repo")).unwrap();
        yard.sh(&yard.repo(), &format!("git init -q -b main {options} && {{ {before}; }} && {GROW}"));
        fs::create_dir_all(yard.root()).unwrap();
        yard
    }

    fn at(&self, name: &str) -> PathBuf {
        self.tmp.path().canonicalize().unwrap().join(name)
    }

    fn repo(&self) -> PathBuf {
        self.at("repo")
    }

    /// The folder of all sessions, where the program has it.
    fn root(&self) -> PathBuf {
        self.repo().join(".git/grill/agents")
    }

    fn copy(&self) -> PathBuf {
        self.root().join("g1/tree")
    }

    /// Runs a line, which must succeed; what it printed.
    fn sh(&self, dir: &Path, line: &str) -> String {
        let (ok, told) = self.try_sh(dir, line);
        assert!(ok, "{line}: {told}");
        told
    }

    /// Runs a line, however it ends; what it printed on both outputs.
    fn try_sh(&self, dir: &Path, line: &str) -> (bool, String) {
        let mut command = Command::new(in_path(std::ffi::OsStr::new("sh")));
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).envs(&self.vars);
        let output = command.args(["-c", line]).current_dir(dir).output().unwrap();
        let told = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&told).trim_end().to_owned())
    }

    fn parent(&self) -> Parent<'_> {
        let git_dir = self.repo().join(".git");
        Parent { process: &*self.process, common_dir: git_dir.clone(), git_dir, top: self.repo() }
    }

    fn folder(&self) -> LentFolder {
        LentFolder::of(&self.root(), "g1").unwrap()
    }

    fn try_place(&self, cwd: &Path) -> Result<CopyProof, LendError> {
        fs::create_dir_all(self.root().join("g1")).unwrap();
        place(&self.parent(), &self.folder(), &Wanted { cwd, by: AGENT })
    }

    /// The working copy of a session that is at the top.
    fn place(&self) -> CopyProof {
        self.try_place(&self.repo()).unwrap()
    }

    fn scene(&self) -> Scene {
        let refs = self.sh(&self.repo(), "git for-each-ref && cat .git/HEAD");
        Scene { files: tree(&self.repo()), index: fs::read(self.repo().join(".git/index")).unwrap(), refs }
    }

    /// Accepts all that nobody has accepted yet.
    fn try_accept(&self, watch: Watch<'_>) -> Result<Applied, LendError> {
        let (parent, folder) = (self.parent(), self.folder());
        let changes = unaccepted(&parent, &folder)?;
        let plan = propose(&parent, &folder, &changes)?;
        apply(&parent, &folder, &Order { changes: &changes, plan: &plan, by: AGENT, watch })
    }

    /// The same, where nothing is in its way.
    fn accept(&self) -> Accepted {
        match self.try_accept(&|_| ()).unwrap() {
            Applied::Accepted(accepted) => accepted,
            Applied::Conflicts(conflicts) => panic!("{conflicts:?}"),
        }
    }

    fn undo(&self) -> Result<Undone, LendError> {
        self.undo_watched(&|_| ())
    }

    fn undo_watched(&self, watch: Watch<'_>) -> Result<Undone, LendError> {
        undo(&self.parent(), &self.folder(), None, watch)
    }

    /// Every file of the parent but those of the sessions, by path.
    fn bytes(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let (mut found, mut waiting) = (BTreeMap::new(), vec![self.repo()]);
        while let Some(folder) = waiting.pop() {
            for entry in fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                let about = path.symlink_metadata().unwrap();
                if path == self.repo().join(".git/grill") {
                    continue;
                }
                if about.is_dir() {
                    waiting.push(path);
                } else if about.is_symlink() {
                    let leads = fs::read_link(&path).unwrap().as_os_str().as_bytes().to_vec();
                    found.insert(path, leads);
                } else {
                    let bytes = fs::read(&path).unwrap();
                    found.insert(path, bytes);
                }
            }
        }
        found
    }
}
