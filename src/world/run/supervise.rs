//! Waiting for a run, and handing on what is meant for it.

use std::ffi::OsString;
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus};
use std::sync::Mutex;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::Signals;

use crate::app::error::AppError;

use super::super::failure::failed;
use crate::sandbox::broker::server::{Record, serve};

/// How often the run's layers are looked at.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };

/// What is needed to record for the run.
pub(super) struct BrokerServer<'a> {
    pub listener: UnixListener,
    pub record: &'a Record<'a>,
}

/// Starts our own program with `args`, waits for its end, and gives its exit code. While it runs, `look` is called now
/// and then.
#[expect(clippy::disallowed_methods, reason = "world spawns; a run keeps the terminal, which the port does not know")]
pub(super) fn supervise(
    program: &Path,
    args: &[OsString],
    variables: &[(&str, OsString)],
    broker_server: &BrokerServer<'_>,
    look: &(dyn Fn() + Sync),
) -> Result<ExitCode, AppError> {
    let mut command = Command::new(program);
    command.args(args);
    for (name, value) in variables {
        command.env(name, value);
    }
    let not_started = |error: &std::io::Error| failed("run", "the run could not be started", error, None);
    // Before signals are caught, so that the command inherits those that our caller had ignored.
    let mut child = command.spawn().map_err(|error| not_started(&error))?;
    let alive = Mutex::new(i32::try_from(child.id()).ok().and_then(Pid::from_raw));
    let mut signals =
        Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2]).map_err(|error| not_started(&error))?;
    let handle = signals.handle();
    let at_terminal = rustix::fs::open(
        "/dev/tty",
        rustix::fs::OFlags::RDWR | rustix::fs::OFlags::CLOEXEC | rustix::fs::OFlags::NOCTTY,
        rustix::fs::Mode::empty(),
    )
    .is_ok();
    let (over, told) = UnixStream::pair().map_err(|error| not_started(&error))?;
    let status = std::thread::scope(|scope| {
        // A broker that fails leaves a run in which nothing can be recorded; those who try are told.
        scope.spawn(|| serve(&broker_server.listener, &told, broker_server.record));
        scope.spawn(|| while_it_runs(&told, look));
        scope.spawn(|| {
            for signal in &mut signals {
                // The terminal sends these to the command as well; once is enough.
                if at_terminal && matches!(signal, SIGINT | SIGQUIT) {
                    continue;
                }
                let alive = alive.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                if let (Some(process), Some(signal)) = (*alive, Signal::from_named_raw(signal)) {
                    // It may have ended just now.
                    let _ = rustix::process::kill_process(process, signal);
                }
            }
        });
        let status = wait(&mut child, &alive);
        handle.close();
        drop(over);
        status
    });
    status.map(code).map_err(|error| not_started(&error))
}

/// Looks now and then, until the other end of `over` is closed.
fn while_it_runs(over: &UnixStream, look: &dyn Fn()) {
    loop {
        let mut waiting = [PollFd::new(over, PollFlags::IN)];
        match poll(&mut waiting, Some(&LOOK)) {
            Ok(0) | Err(_) => look(),
            Ok(_) => return,
        }
    }
}

/// Waits without taking the exit status first, so that no signal goes to a stranger with the same number.
fn wait(child: &mut std::process::Child, alive: &Mutex<Option<Pid>>) -> std::io::Result<ExitStatus> {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let process = *alive.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(process) = process {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(process), options) {}
    }
    *alive.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = None;
    child.wait()
}

/// The exit code; a signal counts as 128 + its number, as in a shell.
fn code(status: ExitStatus) -> ExitCode {
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))
}
