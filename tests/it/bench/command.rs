//! How a shell line becomes a process: a process group of its own without a controlling terminal, and a limit on its time.
//!
//! A program under test must not find the developer's own terminal through `/dev/tty` and wait there for an answer, where
//! the same test in CI ends at once. So where the tests have a terminal, each command gets a new session.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use super::Bench;
use super::environment::variables;

/// Who runs the command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum User {
    /// Whoever runs the tests; root in CI.
    Myself,
    /// The unprivileged user `nobody`; only root can become that.
    Nobody,
}

/// Becomes the leader of a new session, then the rest of the arguments. The process id stays the same.
#[cfg(target_os = "linux")]
const DETACH: &[&str] = &["setsid"];
/// macOS ships no `setsid`, but perl.
#[cfg(not(target_os = "linux"))]
const DETACH: &[&str] = &["perl", "-MPOSIX", "-e", "POSIX::setsid(); exec @ARGV or die", "--"];

const BECOME_NOBODY: &[&str] = &["setpriv", "--reuid=4242", "--regid=4243", "--clear-groups", "--"];

/// The command for a shell line in `dir`, one tick later than the one before.
pub fn shell(bench: &Bench, dir: &Path, user: User, line: &str) -> Command {
    let programs = match user {
        User::Myself => bench.program().parent().unwrap().to_path_buf(),
        User::Nobody => bench.root.join("bin"),
    };
    let detached: &[&str] = if has_terminal() || opens_terminal(line) { DETACH } else { &[] };
    let words = detached.iter().chain(match user {
        User::Myself => &[],
        User::Nobody => BECOME_NOBODY,
    });
    let mut words = words.copied().chain(["sh", "-c", line]);
    let mut command = Command::new(in_path(words.next().unwrap()));
    if detached.is_empty() {
        command.process_group(0);
    }
    command
        .args(words)
        .current_dir(dir)
        .env_clear()
        .envs(variables(&bench.root, &programs, &bench.clock.tick()))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Whether the line opens a terminal by its name, which becomes the controlling one of who leads a session alone.
fn opens_terminal(line: &str) -> bool {
    ["/dev/pts/", "/dev/tty"].iter().any(|name| line.contains(name))
}

/// Whether the tests have a controlling terminal, which what they start would inherit.
fn has_terminal() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| File::open("/dev/tty").is_ok())
}

/// The file of a program that `PATH` has. A command whose `PATH` is set, and whose program is only a name, is started by a
/// fork of the whole test process instead of `posix_spawn`, and that costs a millisecond.
pub fn in_path(name: impl AsRef<OsStr>) -> PathBuf {
    in_path_of(&std::env::var_os("PATH").unwrap_or_default(), name)
}

/// The same for another `PATH`.
pub fn in_path_of(path: &OsStr, name: impl AsRef<OsStr>) -> PathBuf {
    let name = Path::new(name.as_ref());
    let found = std::env::split_paths(path).map(|folder| folder.join(name)).find(|file| file.is_file());
    found.filter(|file| file.is_absolute()).unwrap_or_else(|| name.to_owned())
}
