//! Programs, as the rooms that need one see them: a run goes in, how it ended comes out.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// A program to run; the only way anything is spawned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Program name or absolute path.
    pub program: OsString,
    pub args: Vec<OsString>,
    /// Working directory; `None` is ours.
    pub dir: Option<PathBuf>,
    /// Variables set on top of our environment.
    pub env: Vec<(OsString, OsString)>,
    /// Variables that it must not see.
    pub without: Vec<OsString>,
    pub stdin: Vec<u8>,
    /// How long it may take before it is killed; `None` is as long as it likes.
    pub limit: Option<Duration>,
}

impl Run {
    /// A run of `program` with `args`, in our directory, with our environment and empty input.
    pub fn new<A: Into<OsString>>(program: impl Into<OsString>, args: impl IntoIterator<Item = A>) -> Self {
        Self {
            program: program.into(),
            args: args.into_iter().map(Into::into).collect(),
            dir: None,
            env: Vec::new(),
            without: Vec::new(),
            stdin: Vec::new(),
            limit: None,
        }
    }

    #[must_use]
    pub fn within(mut self, dir: impl Into<PathBuf>) -> Self {
        self.dir = Some(dir.into());
        self
    }
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// Exit code; a signal counts as 128 + its number.
    pub code: i32,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
}

/// Spawns programs. One implementation in `world`, doubles in tests.
pub trait Process {
    /// Runs to the end and collects the output. An error means that it could not be started, or that its time ran out.
    fn run(&self, run: &Run) -> std::io::Result<Ran>;

    /// The same for a program that runs others which the user chose, as git runs hooks. It is waited for until it exits,
    /// whatever it leaves running, and of its output the end is kept. If the user interrupts us, it is ended with
    /// everything that it started, and the error is `Interrupted`.
    fn run_hooked(&self, run: &Run) -> std::io::Result<Ran> {
        self.run(run)
    }

    /// Starts a program that is talked to, line by line; what `run` would give it on standard input is not sent. It is
    /// told that we are done by dropping what this gives, which waits for its end.
    fn talk(&self, _run: &Run) -> std::io::Result<Box<dyn Talk + Send>> {
        Err(std::io::ErrorKind::Unsupported.into())
    }
}

/// A running program: what is written reaches its standard input, what is read is its standard output.
pub trait Talk: std::io::BufRead + std::io::Write {}
