//! A command that is still running, and the limit after which a test gives up on it.

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdin, Command, ExitStatus};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::Output;

/// No command of a test takes this long; one that does is waiting for something that never comes.
const LIMIT: Duration = Duration::from_mins(2);
/// Between two looks at a running command.
const PAUSE: Duration = Duration::from_millis(2);

/// A started command. Dropping it kills it with everything it started.
#[must_use]
pub struct Running {
    line: String,
    root: String,
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Option<JoinHandle<Vec<u8>>>,
    stderr: Option<JoinHandle<Vec<u8>>>,
}

impl Running {
    /// Starts `command`, whose shell line was `line`, in the world below `root`.
    pub fn start(mut command: Command, line: &str, root: &str) -> Self {
        let mut child = command.spawn().unwrap_or_else(|error| panic!("cannot start `{line}`: {error}"));
        Self {
            line: line.to_owned(),
            root: root.to_owned(),
            stdin: child.stdin.take(),
            stdout: child.stdout.take().map(drain),
            stderr: child.stderr.take().map(drain),
            child,
        }
    }

    /// The process id; also its process group and session.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes to its standard input. A command that no longer reads is not an error; its output tells the story.
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        if let Some(stdin) = &mut self.stdin {
            let _gone = stdin.write_all(bytes.as_ref()).and_then(|()| stdin.flush());
        }
    }

    /// Sends a signal to the command and everything it started. One that has just been spawned may not lead its process
    /// group yet: `setsid` makes it, and until then there is nothing to send to.
    pub fn signal(&mut self, signal: Signal) {
        let group = Pid::from_raw(self.child.id().try_into().unwrap()).unwrap();
        while kill_process_group(group, signal).is_err() && self.is_running() {
            std::thread::sleep(PAUSE);
        }
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Closes its standard input and waits for its end.
    pub fn finish(mut self) -> Output {
        drop(self.stdin.take());
        let status = self.wait();
        Output {
            line: self.line.clone(),
            root: self.root.clone(),
            stdout: collect(self.stdout.take()),
            stderr: collect(self.stderr.take()),
            code: code(status),
        }
    }

    /// Waits until it may have ended, at most for so long.
    #[cfg(target_os = "linux")]
    fn await_end(&self, limit: Duration) {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        use rustix::process::{PidfdFlags, pidfd_open};

        let process = Pid::from_raw(self.child.id().try_into().unwrap()).unwrap();
        let limit = Timespec { tv_sec: limit.as_secs().try_into().unwrap(), tv_nsec: limit.subsec_nanos().into() };
        match pidfd_open(process, PidfdFlags::empty()) {
            // A signal wakes us early, and the caller looks again.
            Ok(process) => drop(poll(&mut [PollFd::new(&process, PollFlags::IN)], Some(&limit))),
            // A kernel from before 2019.
            Err(_) => std::thread::sleep(PAUSE),
        }
    }

    /// Waits a moment: this system tells of no end.
    #[cfg(not(target_os = "linux"))]
    fn await_end(&self, limit: Duration) {
        std::thread::sleep(PAUSE.min(limit));
    }

    fn wait(&mut self) -> ExitStatus {
        let start = Instant::now();
        while start.elapsed() < LIMIT {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            self.await_end(LIMIT.saturating_sub(start.elapsed()));
        }
        panic!("`{}` did not end within {} s", self.line, LIMIT.as_secs());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            self.signal(Signal::KILL);
            let _reaped = self.child.wait();
        }
    }
}

/// Reads in a thread of its own, so that a full pipe never stops the command.
fn drain(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).unwrap();
        bytes
    })
}

fn collect(reader: Option<JoinHandle<Vec<u8>>>) -> String {
    let bytes = reader.map(|reader| reader.join().unwrap()).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The exit code; a signal counts as 128 + its number, as in a shell.
fn code(status: ExitStatus) -> i32 {
    match (status.code(), status.signal()) {
        (Some(code), _) => code,
        (None, Some(signal)) => 128 + signal,
        (None, None) => unreachable!("a command that ended has a code or a signal"),
    }
}
