//! How a shell line becomes a process: a new session without a controlling terminal, and a limit on its time.
//!
//! Without the new session a program under test would find the developer's own terminal through `/dev/tty` and wait
//! there for an answer, where the same test in CI ends at once.

use std::path::Path;
use std::process::{Command, Stdio};

use super::Bench;
use super::environment::{program, variables};

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

const BECOME_NOBODY: &[&str] = &["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"];

/// The command for a shell line in `dir`, one tick later than the one before.
pub fn shell(bench: &Bench, dir: &Path, user: User, line: &str) -> Command {
    let programs = match user {
        User::Myself => program().parent().unwrap().to_path_buf(),
        User::Nobody => bench.root.join("bin"),
    };
    let words = DETACH.iter().chain(match user {
        User::Myself => &[],
        User::Nobody => BECOME_NOBODY,
    });
    let mut words = words.copied().chain(["sh", "-c", line]);
    let mut command = Command::new(words.next().unwrap());
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
