//! One directory of a bench: the repository, a linked worktree, a folder of it.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::command::{User, shell};
use super::{Bench, Output, Running, nobody};

/// A directory of the bench in which commands run.
pub struct Place<'a> {
    bench: &'a Bench,
    dir: PathBuf,
}

impl<'a> Place<'a> {
    pub(super) fn new(bench: &'a Bench, dir: PathBuf) -> Self {
        Self { bench, dir }
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Runs a shell line here, to its end, with empty input and no terminal.
    pub fn run(&self, line: &str) -> Output {
        self.start(User::Myself, Stdio::null(), line).finish()
    }

    pub fn run_with_input(&self, line: &str, stdin: impl AsRef<[u8]>) -> Output {
        let mut running = self.spawn(line);
        running.send(stdin);
        running.finish()
    }

    /// Starts a shell line here and leaves it running, with its input open.
    pub fn spawn(&self, line: &str) -> Running {
        self.start(User::Myself, Stdio::piped(), line)
    }

    /// Runs a shell line as a user whom file permissions bind: `nobody` if the tests run as root, who may write
    /// anywhere, and ourselves otherwise. As root, the whole world of the bench is given to `nobody` first, so that
    /// only the modes a test sets decide.
    pub fn as_nobody(&self, line: &str) -> Output {
        let user = nobody::unprivileged_user();
        if user == User::Nobody {
            nobody::hand_over(self.bench);
        }
        self.start(user, Stdio::null(), line).finish()
    }

    fn start(&self, user: User, stdin: Stdio, line: &str) -> Running {
        let mut command = shell(self.bench, &self.dir, user, line);
        command.stdin(stdin);
        Running::start(command, line, self.bench.root.to_str().unwrap())
    }

    /// Writes a file below this directory, with its directories.
    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.dir.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Reads a file below this directory.
    pub fn read(&self, path: &str) -> String {
        let path = self.dir.join(path);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Writes a file and commits it alone; the subject is `add <path>` or `change <path>`. Gives the commit's id.
    pub fn commit(&self, path: &str, text: impl AsRef<[u8]>) -> String {
        let verb = if self.dir.join(path).exists() { "change" } else { "add" };
        self.write(path, text);
        let line =
            format!("git add -- '{path}' && git commit --quiet -m '{verb} {path}' -- '{path}' && git rev-parse HEAD");
        self.run(&line).assert_code(0).stdout().trim_end().to_owned()
    }
}
