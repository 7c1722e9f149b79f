//! The environment of a command: nothing is inherited but `PATH`, and every moment is git's own date variables.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// 2026-11-21 10:00:00 UTC, the moment before the first command of every bench.
const EPOCH: u64 = 1_795_255_200;

/// Steps one second per command, so that ids and dates repeat from run to run. Threads may share it.
pub struct Clock(AtomicU64);

impl Default for Clock {
    fn default() -> Self {
        Self(AtomicU64::new(EPOCH))
    }
}

impl Clock {
    /// The next moment in git's raw date form.
    pub fn tick(&self) -> String {
        let now = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        format!("{now} +0000")
    }
}

/// The program under test.
pub fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_git-grill"))
}

/// The same program for an account of the tests, with the scripted agent beside it, built once; a test run that selects only this binary has not built it.
pub fn program_of_an_account() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let arguments = ["build", "--quiet", "--offline", "--example", "git-grill", "--example", "scripted-agent"];
        let built = std::process::Command::new(cargo).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).status();
        assert!(built.expect("cargo runs").success(), "the examples build");
        // target/<profile>/deps/it-<hash> stands beside target/<profile>/examples; without a profile it is debug.
        let tests = std::env::current_exe().expect("this test has a path");
        tests.ancestors().nth(3).expect("target/<profile>/deps/it").join("debug/examples/git-grill")
    })
}

/// Every variable of a command in the world below `root`; `programs` comes first in `PATH`.
pub fn variables(root: &Path, programs: &Path, date: &str) -> Vec<(&'static str, OsString)> {
    let mut all: Vec<(&'static str, OsString)> = vec![
        ("PATH", path_with(programs)),
        ("HOME", root.join("home").into()),
        ("TMPDIR", root.join("tmp").into()),
        ("GIT_CONFIG_GLOBAL", root.join("home/.gitconfig").into()),
        // Only the program of an account asks this one.
        ("GRILL_TEST_HOME", root.join("home").into()),
        // A repository around the temporary directory must not be found from a bench that has none.
        ("GIT_CEILING_DIRECTORIES", root.into()),
    ];
    all.extend(fixed(date).map(|(name, value)| (name, OsString::from(value))));
    all
}

/// The variables that are the same in every world.
pub fn fixed(date: &str) -> [(&'static str, &str); 11] {
    [
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_AUTHOR_NAME", "Ada Author"),
        ("GIT_AUTHOR_EMAIL", "ada@example.org"),
        ("GIT_COMMITTER_NAME", "Carl Committer"),
        ("GIT_COMMITTER_EMAIL", "carl@example.org"),
        ("GIT_AUTHOR_DATE", date),
        ("GIT_COMMITTER_DATE", date),
        ("TZ", "UTC"),
        ("LC_ALL", "C.UTF-8"),
        ("COLUMNS", "100"),
    ]
}

fn path_with(first: &Path) -> OsString {
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let inherited = std::env::split_paths(&inherited).collect::<Vec<_>>();
    let all = std::iter::once(first.to_path_buf()).chain(inherited);
    std::env::join_paths(all.filter(|dir| dir.as_os_str() != OsStr::new(""))).unwrap()
}
