//! The repository seam against real git: what opens, what is refused, and what it is found to be.
#![allow(clippy::unwrap_used, reason = "a test that cannot set up its repository has failed")]

mod config;
mod counting;
mod inferred;
mod layouts;
mod odd;
mod permission;
mod recheck;
mod scout;
mod targets;

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use git_grill::domain::ids::ObjectId;
use git_grill::git::Backend;
use git_grill::repo::open::{HeadState, OpenError, Opened, RepoEnv, open};

use crate::bench::template::Recipe;
use crate::bench::{ground, in_path};
use crate::spawning;

const IDENTITY: &[(&str, &str)] = &[
    ("GIT_AUTHOR_NAME", "A"),
    ("GIT_AUTHOR_EMAIL", "a@example.org"),
    ("GIT_COMMITTER_NAME", "A"),
    ("GIT_COMMITTER_EMAIL", "a@example.org"),
    ("GIT_AUTHOR_DATE", "1700000000 +0000"),
    ("GIT_COMMITTER_DATE", "1700000000 +0000"),
    ("GIT_ALLOW_PROTOCOL", "file"),
];

/// A temporary folder with git in it, and an environment that nothing else can see.
struct Bench {
    folder: tempfile::TempDir,
    vars: HashMap<String, OsString>,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir_in(ground()).unwrap();
        let home = folder.path().join("home");
        std::fs::create_dir(&home).unwrap();
        let mut bench = Self { folder, vars: HashMap::new() };
        bench.set("HOME", &home);
        bench.set("GIT_CONFIG_NOSYSTEM", "1");
        bench
    }

    /// A bench with a repository `r` on branch `main` that holds these files in one commit.
    fn with_files(files: &[(&str, &str)]) -> Self {
        let bench = Self::new();
        std::fs::create_dir(bench.path("r")).unwrap();
        Recipe { line: "git init -q -b main", variables: IDENTITY }.fill(&bench.path("r"));
        for (path, text) in files {
            bench.write(&format!("r/{path}"), text);
        }
        bench.commit("r", "the beginning");
        bench
    }

    fn set(&mut self, name: &str, value: impl AsRef<OsStr>) {
        self.vars.insert(name.to_owned(), value.as_ref().to_owned());
    }

    fn path(&self, below: impl AsRef<Path>) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(below)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn commit(&self, folder: &str, message: &str) {
        self.git(folder, &["add", "-A"]);
        self.git(folder, &["commit", "-q", "--allow-empty", "-m", message]);
    }

    /// Runs git and wants it to succeed.
    fn git<A: AsRef<OsStr>>(&self, folder: impl AsRef<Path>, args: &[A]) -> String {
        let output = Command::new(in_path("git"))
            .args(args)
            .current_dir(self.path(folder))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .envs(&self.vars)
            .envs(IDENTITY.iter().copied())
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{:?}: {}",
            args.iter().map(AsRef::as_ref).collect::<Vec<_>>(),
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }

    fn open(&self, folder: impl AsRef<Path>) -> Result<Opened, OpenError> {
        let process = spawning::with(&self.vars);
        open(&RepoEnv { cwd: self.path(folder), var: &|name| self.vars.get(name).cloned(), process })
    }

    /// Opens it, and wants the program to see the same as the library.
    fn opened(&self, folder: impl AsRef<Path>) -> Opened {
        let folder = folder.as_ref();
        let opened = self.open(folder).unwrap_or_else(|error| panic!("{error}"));
        let through_git = match self.opened_by("git", folder) {
            Ok(through_git) => through_git,
            // No git at all works there; the library looks at less of the configuration.
            Err(error) if error.to_string().contains("bad config line") => return opened,
            Err(error) => panic!("{error}"),
        };
        assert_eq!(through_git.repo.backend(), Backend::Program);
        let seen = |opened: &Opened| {
            let Opened { git_dir, common_dir, worktree, head, .. } = opened;
            (git_dir.clone(), common_dir.clone(), worktree.clone(), head.clone())
        };
        assert_eq!(seen(&through_git), seen(&opened), "{}", folder.display());
        opened
    }

    /// Opens it through the one that is named.
    fn opened_by(&self, backend: &str, folder: impl AsRef<Path>) -> Result<Opened, OpenError> {
        let var =
            |name: &str| if name == "GRILL_BACKEND" { Some(backend.into()) } else { self.vars.get(name).cloned() };
        open(&RepoEnv { cwd: self.path(folder), var: &var, process: spawning::with(&self.vars) })
    }

    /// What git says in the same folder and environment.
    fn rev_parse(&self, folder: impl AsRef<Path>, what: &str) -> PathBuf {
        self.git(folder, &["rev-parse", "--path-format=absolute", what]).into()
    }

    fn agrees(&self, folder: impl AsRef<Path>, opened: &Opened) {
        let folder = folder.as_ref();
        assert_eq!(opened.git_dir, self.rev_parse(folder, "--git-dir"));
        assert_eq!(opened.common_dir, self.rev_parse(folder, "--git-common-dir"));
        if let Some(worktree) = &opened.worktree {
            assert_eq!(*worktree, self.rev_parse(folder, "--show-toplevel"));
        }
    }
}

fn refused(result: Result<Opened, OpenError>) -> OpenError {
    match result {
        Ok(opened) => panic!("opened {}", opened.git_dir.display()),
        Err(error) => error,
    }
}

#[test]
fn g6_every_kind_of_repository_opens_as_git_sees_it() {
    let bench = Bench::with_files(&[("a/b.txt", "x\n")]);
    let head = ObjectId::parse(&bench.git("r", &["rev-parse", "HEAD"])).unwrap();
    let on_main = HeadState::Branch { name: "main".to_owned(), commit: head.clone() };

    let opened = bench.opened("r/a");
    bench.agrees("r/a", &opened);
    assert_eq!(opened.head, on_main);

    bench.git("r", &["worktree", "add", "-q", "-b", "side", "../linked tree"]);
    let linked = bench.opened("linked tree");
    bench.agrees("linked tree", &linked);
    assert_ne!(linked.git_dir, linked.common_dir);
    assert_eq!(linked.head.branch(), Some("side"));

    bench.git("r", &["checkout", "-q", "--detach"]);
    assert_eq!(bench.opened("r").head, HeadState::Detached { commit: head });
    bench.git("r", &["checkout", "-q", "main"]);

    bench.git(".", &["clone", "-q", "--bare", "r", "bare.git"]);
    let bare = bench.opened("bare.git");
    assert_eq!((bare.worktree.clone(), bare.head.clone()), (None, on_main.clone()));
    bench.agrees("bare.git", &bare);

    let url = format!("file://{}", bench.path("r").display());
    bench.git(".", &["clone", "-q", "--depth=1", &url, "shallow"]);
    assert_eq!(bench.opened("shallow").head, on_main);
    bench.git("r", &["config", "uploadpack.allowFilter", "true"]);
    bench.git(".", &["clone", "-q", "--no-checkout", "--filter=blob:none", &url, "partial"]);
    assert_eq!(bench.opened("partial").head, on_main);

    bench.git("r", &["-c", "protocol.file.allow=always", "submodule", "add", "-q", &url, "sub"]);
    let sub = bench.opened("r/sub");
    bench.agrees("r/sub", &sub);
    assert_eq!(sub.worktree, Some(bench.path("r/sub")));
}

#[test]
fn g6_a_repository_without_a_commit_knows_its_branch() {
    let bench = Bench::new();
    bench.git(".", &["init", "-q", "-b", "first", "r"]);
    let opened = bench.opened("r");
    assert_eq!(opened.head, HeadState::Unborn { branch: "first".to_owned() });
    assert_eq!(opened.head.commit(), None);
}

#[test]
fn g6_paths_that_are_not_utf8_are_kept_as_they_are() {
    let bench = Bench::new();
    let name = OsString::from_vec(b"sp ace \xff".to_vec());
    bench.git(".", &[OsStr::new("init"), OsStr::new("-q"), &name]);
    let opened = bench.opened(Path::new(&name));
    let worktree = opened.worktree.unwrap();
    assert_eq!(worktree.file_name().unwrap().as_bytes(), b"sp ace \xff");
}

#[test]
fn g6_formats_that_the_library_cannot_read_are_opened_by_git() {
    let bench = Bench::new();
    bench.git(".", &["init", "-q", "--ref-format=reftable", "tables"]);
    bench.git(".", &["init", "-q", "--object-format=sha256", "long"]);
    bench.git(".", &["init", "-q", "old"]);
    bench.git("old", &["config", "core.repositoryFormatVersion", "1"]);
    bench.git("old", &["config", "extensions.partialClone", "origin"]);
    for folder in ["tables", "long", "old"] {
        let opened = bench.open(folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
        assert_eq!(opened.repo.backend(), Backend::Program, "{folder}");
        bench.agrees(folder, &opened);
        let error = refused(bench.opened_by("libgit2", folder));
        assert!(error.hint().contains("unset GRILL_BACKEND"), "{error}");
        assert_eq!(bench.opened_by("git", folder).unwrap().git_dir, opened.git_dir);
    }
    assert!(matches!(refused(bench.opened_by("libgit2", "tables")), OpenError::Reftable));
    assert!(matches!(refused(bench.opened_by("libgit2", "long")), OpenError::Sha256));
    let error = refused(bench.opened_by("gix", "long"));
    assert!(matches!(&error, OpenError::Backend { value } if value == "gix"), "{error}");
    // What git itself does not know is refused by both, and both are quoted.
    bench.git("old", &["config", "extensions.fromTheFuture", "1"]);
    let error = refused(bench.open("old")).to_string();
    assert!(error.contains("extensions.") && error.to_lowercase().contains("fromthefuture"), "{error}");
}

/// Starts one ignored test of this binary again as a user who owns nothing, with `folder` in its environment. Only root
/// can do that. `open_to_all` holds the copy of the binary.
fn as_nobody(test: &str, open_to_all: &Path, folder: &Path) {
    let binary = open_to_all.join("it");
    // Copied by another process: a child that another test starts just now would keep our handle open for writing, and
    // then the copy could not be started.
    let copied = Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&binary).status().unwrap();
    assert!(copied.success());
    let mut command = Command::new("setpriv");
    command.args(["--reuid=4242", "--regid=4243", "--clear-groups"]).arg(&binary).env("GRILL_IT_FOLDER", folder);
    run_ignored(command, test);
}

/// Runs one ignored test of a test binary to its good end.
fn run_ignored(mut command: Command, test: &str) {
    let child = command
        .args(["--exact", test, "--ignored", "--nocapture"])
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success() && said.contains("1 passed"), "{said}{}", String::from_utf8_lossy(&child.stderr));
}

/// libgit2 reads the process's own environment too, so this one needs a process of its own.
#[test]
fn the_environment_of_the_process_does_not_lead_libgit2_astray() {
    let bench = Bench::with_files(&[("sub/x", "1")]);
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.current_dir(bench.path("r")).env("GIT_WORK_TREE", "sub").env("GRILL_IT_FOLDER", bench.path("r"));
    run_ignored(command, "repo::open_with_the_processs_environment");
}

#[test]
#[ignore = "started by the test above, in another environment"]
fn open_with_the_processs_environment() {
    let folder = PathBuf::from(std::env::var_os("GRILL_IT_FOLDER").unwrap());
    let opened =
        open(&RepoEnv { cwd: folder.clone(), var: &|name| std::env::var_os(name), process: spawning::inherited() });
    let opened = opened.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(opened.worktree, Some(folder.join("sub")));
    assert_eq!(opened.git_dir, folder.join(".git"));
}

#[test]
fn g6_somebody_elses_repository_is_refused_until_it_is_called_safe() {
    // Only root can become somebody else; for everyone else there is no foreign repository to be had.
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let bench = Bench::with_files(&[("x", "1")]);
    let all = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(bench.folder.path(), all).unwrap();
    as_nobody("repo::open_as_nobody", bench.folder.path(), &bench.path("r"));
}

#[test]
#[ignore = "started by the test above, as another user"]
fn open_as_nobody() {
    let folder = PathBuf::from(std::env::var_os("GRILL_IT_FOLDER").unwrap());
    let error = refused(open(&RepoEnv { cwd: folder.clone(), var: &|_| None, process: spawning::inherited() }));
    assert!(matches!(&error, OpenError::NotOwned { path } if *path == folder), "{error}");
    assert!(error.hint().contains("safe.directory"));
    let var = |name: &str| (name == "GRILL_BACKEND").then(|| "git".into());
    let error = refused(open(&RepoEnv { cwd: folder.clone(), var: &var, process: spawning::inherited() }));
    assert!(matches!(&error, OpenError::NotOwned { path } if *path == folder), "{error}");
}

#[test]
fn outside_a_repository_the_folder_is_named() {
    let mut bench = Bench::new();
    bench.set("GIT_CEILING_DIRECTORIES", bench.path(""));
    std::fs::create_dir(bench.path("plain")).unwrap();
    let error = refused(bench.open("plain"));
    assert!(matches!(error, OpenError::NotARepository { .. }), "{error}");
    assert!(error.to_string().contains("plain") && error.hint().starts_with("git init"));

    bench.set("GIT_DIR", "nowhere");
    let error = refused(bench.open("plain"));
    assert!(error.to_string().contains("nowhere"), "{error}");
}

#[test]
fn the_environment_points_as_it_does_for_git() {
    let mut bench = Bench::with_files(&[("x", "1")]);
    std::fs::create_dir_all(bench.path("elsewhere/deep")).unwrap();
    bench.set("GIT_DIR", "../r/.git");
    // GIT_DIR alone: the current folder is the top.
    let opened = bench.opened("elsewhere");
    bench.agrees("elsewhere", &opened);
    assert_eq!(opened.worktree, Some(bench.path("elsewhere")));
    // A relative GIT_WORK_TREE is relative to the current folder.
    bench.set("GIT_WORK_TREE", "deep");
    let opened = bench.opened("elsewhere");
    assert_eq!(opened.worktree, Some(bench.path("elsewhere/deep")));
    // Within a linked worktree git's hooks get its own git directory.
    bench.vars.remove("GIT_WORK_TREE");
    bench.vars.remove("GIT_DIR");
    bench.git("r", &["worktree", "add", "-q", "../linked"]);
    bench.set("GIT_DIR", bench.path("r/.git/worktrees/linked"));
    let opened = bench.opened("linked");
    bench.agrees("linked", &opened);
}
