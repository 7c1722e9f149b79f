//! The hermetic bench: a temporary world with a home, a git configuration, a repository and a clock that advances
//! one second per command. Nothing of the developer's machine but `PATH` reaches a command run here.

mod adopted;
mod command;
mod crowd;
mod environment;
mod executable;
mod nobody;
mod output;
mod place;
mod running;
mod selftest;
pub mod template;
mod waiting;

pub use adopted::adopt;
pub use command::{in_path, in_path_of};
pub use crowd::{crowd, side_by_side};
#[cfg(feature = "acp")]
pub use environment::program_of_an_account;
pub use executable::executable;
pub use output::{Checked, Output};
pub use place::Place;
pub use running::Running;
pub use waiting::wait_until;

use std::cell::Cell;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use environment::Clock;
use tempfile::TempDir;
use template::Recipe;

/// Whether this git makes repositories with reftable, as it does since 2.45. Where it does not, `what` is said to be
/// skipped.
pub fn git_has_reftable(what: &str) -> bool {
    let has = Bench::nowhere().run("git init -q --ref-format=reftable probe").code == 0;
    if !has {
        skip(what, "this git makes no reftable");
    }
    has
}

/// Before a command: it runs with process numbers of its own, as in a container, where its session and its group, which
/// are ours, have none. None where this machine does not allow that; then `what` is said to be skipped.
#[cfg(target_os = "linux")]
pub fn in_a_container(what: &str) -> Option<&'static str> {
    const CONTAINER: &str = "unshare --user --map-root-user --pid --fork --mount-proc";
    let can = Bench::nowhere().run(&format!("{CONTAINER} true")).code == 0;
    if !can {
        skip(what, "process numbers of one's own are not allowed here");
    }
    can.then_some(CONTAINER)
}

/// Says so past the harness, which keeps to itself what a test that passes says.
fn skip(what: &str, why: &str) {
    let line = format!("skipped: {what}, since {why}\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

thread_local! {
    static DISK: Cell<bool> = const { Cell::new(false) };
}

/// Where the worlds of tests are: in memory where the machine offers enough of that, since a disk is busy for a while with
/// every file that is gone again after a moment.
pub fn ground() -> PathBuf {
    const ENOUGH: u64 = 1 << 30;
    let memory = Path::new("/dev/shm");
    let has_room = rustix::fs::statvfs(memory).is_ok_and(|about| about.f_bavail * about.f_frsize >= ENOUGH);
    if has_room { memory.to_owned() } else { std::env::temp_dir() }
}

/// How far apart the rows of a long table are that a test tries: so far in `cargo test`, which has to end soon, and none
/// is left out where `GRILL_WHOLE` is set, as it is in a part of `.ci/thorough`.
pub fn one_of(usual: usize) -> usize {
    if std::env::var_os("GRILL_WHOLE").is_some() { 1 } else { usual }
}

/// A temporary world with one repository. Dropping it removes everything.
pub struct Bench {
    /// Held for its `Drop`, which removes the tree.
    temp: TempDir,
    root: PathBuf,
    repo: PathBuf,
    clock: Clock,
    /// Set once the account of this world has a word.
    account: OnceLock<()>,
}

impl Bench {
    /// A repository on `main` with one commit, `README.md`.
    pub fn new() -> Self {
        Self::with_first_commit("repo", "")
    }

    /// A repository that holds the project of this name from `fixtures/projects`, in one commit.
    pub fn with_project(name: &str) -> Self {
        let bench = Self::initialised(name, "");
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/projects").join(name);
        assert!(project.is_dir(), "there is no project {name}");
        let copied = std::process::Command::new("cp").arg("-R").arg(project.join(".")).arg(&bench.repo).status();
        assert!(copied.unwrap().success());
        bench.run("git add . && git commit --quiet --message 'Everything so far'").assert_code(0);
        bench
    }

    /// A repository on `main` without any commit.
    pub fn empty() -> Self {
        Self::initialised("repo", "")
    }

    /// Like [`Bench::new`], in a directory whose name a careless shell line would split.
    pub fn spaced() -> Self {
        Self::with_first_commit("a repo with spaces", "")
    }

    /// A bare repository that has the commit of [`Bench::new`]; commands run inside it.
    pub fn bare() -> Self {
        let mut bench = Self::new();
        bench.run("git clone --quiet --bare . ../repo.git").assert_code(0);
        bench.repo = bench.root.join("repo.git");
        bench
    }

    /// An ordinary directory that no repository contains.
    pub fn nowhere() -> Self {
        Self::in_directory("nowhere")
    }

    /// Like [`Bench::new`] with options for `git init`, such as `--object-format=sha256` or `--ref-format=reftable`.
    pub fn with_init(options: &str) -> Self {
        Self::with_first_commit("repo", options)
    }

    /// What `make` makes, on a disk: `git grill run` keeps shared memory writable for programs, and so guards no repository
    /// there.
    pub fn on_disk(make: impl FnOnce() -> Self) -> Self {
        DISK.set(true);
        let bench = make();
        DISK.set(false);
        bench
    }

    fn in_directory(name: &str) -> Self {
        Self::in_directory_of(&if DISK.get() { std::env::temp_dir() } else { ground() }, name)
    }

    fn in_directory_of(base: &Path, name: &str) -> Self {
        let temp = tempfile::Builder::new().prefix("git-grill-").tempdir_in(base).unwrap();
        // Canonical, because macOS reaches its temporary directory through a link and git prints the real path.
        let root = temp.path().canonicalize().unwrap();
        let repo = root.join(name);
        for dir in [&repo, &root.join("home"), &root.join("tmp")] {
            std::fs::create_dir(dir).unwrap();
        }
        let bench = Self { temp, root, repo, clock: Clock::default(), account: OnceLock::new() };
        bench.global_config("[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n");
        bench
    }

    fn initialised(name: &str, options: &str) -> Self {
        Self::made(name, 1, &format!("git init --quiet -b main {options}"))
    }

    /// A repository with one commit, `README.md`.
    fn with_first_commit(name: &str, options: &str) -> Self {
        let commit = "git add . && git commit --quiet -m 'add README.md'";
        Self::made(name, 2, &format!("git init --quiet -b main {options} && echo '# demo' >README.md && {commit}"))
    }

    /// A copy of what a shell line makes at this tick of the clock, which goes on behind it.
    fn made(name: &str, tick: u64, line: &str) -> Self {
        let bench = Self::in_directory(name);
        (1..tick).for_each(|_| drop(bench.clock.tick()));
        bench.fill(line);
        bench
    }

    /// Fills the directory of the repository, which is empty, with a copy of what a shell line makes in such a one.
    pub fn fill(&self, line: &str) {
        Recipe { line, variables: &environment::fixed(&self.clock.tick()) }.fill(&self.repo);
    }

    /// The directory that holds the repository, the home and everything else of this world.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The repository, where commands run.
    pub fn repo(&self) -> &Path {
        &self.repo
    }

    /// Appends `text` to the only global git configuration that commands here see.
    pub fn global_config(&self, text: &str) {
        let path = self.root.join("home/.gitconfig");
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        std::fs::write(&path, before + text).unwrap();
    }

    /// Makes the global configuration of this world its account's own: from now on `git grill` is the program that takes
    /// the account from the bench. The one that is shipped finds the machine's account, whatever variables say.
    pub fn with_account(&self) -> &Self {
        self.account.get_or_init(|| ());
        self
    }

    /// A world whose account lets scripts approve, in sessions that are started from now on.
    pub fn scripts_may_approve(&self) {
        self.with_account().global_config("[grill]\n\tapproval = script\n");
    }

    fn program(&self) -> &'static Path {
        match self.account.get() {
            None => environment::program(),
            Some(()) => environment::program_of_an_account(),
        }
    }

    /// The same world seen from `dir`; relative paths start at the repository.
    pub fn at(&self, dir: impl AsRef<Path>) -> Place<'_> {
        Place::new(self, self.repo.join(dir))
    }

    fn here(&self) -> Place<'_> {
        Place::new(self, self.repo.clone())
    }

    /// Every variable that a command started here would get, one tick later; for tests that start one themselves.
    pub fn environment(&self) -> Vec<(&'static str, OsString)> {
        let programs = self.program().parent().unwrap();
        environment::variables(&self.root, programs, &self.clock.tick())
    }

    /// Runs a shell line in the repository, to its end.
    pub fn run(&self, line: &str) -> Output {
        self.here().run(line)
    }

    pub fn run_with_input(&self, line: &str, stdin: impl AsRef<[u8]>) -> Output {
        self.here().run_with_input(line, stdin)
    }

    /// Starts a shell line in the repository and leaves it running.
    pub fn spawn(&self, line: &str) -> Running {
        self.here().spawn(line)
    }

    /// The command that would run a shell line in the repository, for who talks to it while it runs.
    pub fn command(&self, line: &str) -> std::process::Command {
        command::shell(self, &self.repo, command::User::Myself, line)
    }

    /// Runs a shell line as a user whom file permissions bind. See [`Place::as_nobody`].
    pub fn as_nobody(&self, line: &str) -> Output {
        self.here().as_nobody(line)
    }

    /// Writes a file below the repository, with its directories.
    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        self.here().write(path, text);
    }

    /// Reads a file below the repository.
    pub fn read(&self, path: &str) -> String {
        self.here().read(path)
    }

    /// Writes a file and commits it alone; the subject is `add <path>` or `change <path>`. Gives the commit's id.
    pub fn commit(&self, path: &str, text: impl AsRef<[u8]>) -> String {
        self.here().commit(path, text)
    }

    /// Adds a linked worktree beside the repository, on a new branch of the same name.
    pub fn worktree(&self, name: &str) -> Place<'_> {
        self.run(&format!("git worktree add --quiet -b {name} ../{name}")).assert_code(0);
        self.at(Path::new("..").join(name))
    }
}
