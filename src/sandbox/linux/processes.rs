//! The processes of a run: one of ours stays outside and ends all of them, the other builds the walls. Where the kernel
//! gives the run a process namespace of its own, the other is its first process, and with it the kernel ends every one.
//! A command without walls has the one outside, too.

use std::fs;
use std::io::{self, PipeReader};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{CWD, Mode, OFlags};
use rustix::process::{
    DumpableBehavior, Pid, Signal, getegid, geteuid, set_dumpable_behavior, set_parent_process_death_signal, setsid,
};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use rustix::thread::UnshareFlags;

use super::kernel::unshare;
use super::signals::{self, Forked, Mask};
use super::streams::Streams;
use super::warden::{self, Warden};
use super::{init, terminal};
use crate::sandbox::{Part, Side};

/// The process that builds the walls.
pub struct Inside {
    /// Hung up when the process outside is gone.
    outside: PipeReader,
    mask: Mask,
    /// Why this is not the first process of a namespace.
    pub(super) own: Result<(), String>,
    pub(super) streams: Streams,
}

/// Divides this process, which is outside. Called once, before there is a second thread.
pub fn divide(keeper: u32) -> io::Result<Side> {
    let mask = signals::hold_all()?;
    let own = leave();
    divided(keeper, mask, own, Outside::HoldsStreams)
}

/// The same for a command without walls, which sees all processes as we do. Both processes leave the terminal and the
/// group of whoever started us, and each has a group of its own: what ends one group leaves the one outside.
pub fn divide_openly(keeper: u32) -> io::Result<Side> {
    setsid()?;
    let mask = signals::hold_all()?;
    let own = Err("it sees all processes".to_owned());
    let side = divided(keeper, mask, own, Outside::LetsStreamsGo)?;
    if let Side::Inside(inside) = &side {
        inside.end_with_outside()?;
        setsid()?;
    }
    Ok(side)
}

/// What the process outside does with the standard streams, which both have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outside {
    HoldsStreams,
    /// Whoever reads the command's output sees its end, although the process outside is still there.
    LetsStreamsGo,
}

fn divided(keeper: u32, mask: Mask, own: Result<(), String>, with: Outside) -> io::Result<Side> {
    if own.is_err() {
        warden::adopt_orphans()?;
    }
    let warden = Warden::of(keeper, own.is_ok());
    // It only wakes us: then we see who our parent is.
    set_parent_process_death_signal(Some(Signal::CHILD))?;
    if warden.is_alone() {
        return Err(io::Error::other("the process outside is gone"));
    }
    let terminal = terminal::ours();
    let (outside, held) = io::pipe()?;
    match signals::fork()? {
        Forked::Child => {
            drop(held);
            Ok(Side::Inside(Box::new(Inside { outside, mask, own, streams: Streams::default() })))
        }
        Forked::Parent(inside) => {
            drop(outside);
            if with == Outside::LetsStreamsGo {
                // Where it cannot, they end with the process.
                let _ = let_streams_go();
            }
            // The run could otherwise look into us and lead us.
            set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
            let over = warden::watch(&warden, inside);
            drop(held);
            if let Some(terminal) = terminal {
                terminal.take_back();
            }
            Ok(Side::Outside(over))
        }
    }
}

fn let_streams_go() -> io::Result<()> {
    let null = rustix::fs::openat(CWD, "/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    dup2_stdin(&null)?;
    dup2_stdout(&null)?;
    dup2_stderr(&null)?;
    Ok(())
}

/// Has the next process be the first of a namespace: as root directly, else within a user namespace in which we are still
/// ourselves.
fn leave() -> Result<(), String> {
    if unshare(UnshareFlags::NEWPID).is_ok() {
        return Ok(());
    }
    let cannot = |step: &str, error: &io::Error| format!("cannot {step}: {error}");
    let ourselves = Ourselves::before();
    unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWPID)
        .map_err(|error| cannot("make a process namespace", &error))?;
    ourselves.stay().map_err(|error| cannot("enter a user namespace", &error))
}

/// Our user and group, read before a user namespace is made: inside, nobody has a number yet.
pub(super) struct Ourselves {
    user: u32,
    group: u32,
}

impl Ourselves {
    pub(super) fn before() -> Self {
        Self { user: geteuid().as_raw(), group: getegid().as_raw() }
    }

    /// Keeps them in a user namespace that we have just made.
    pub(super) fn stay(&self) -> io::Result<()> {
        let Self { user, group } = self;
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
        fs::write("/proc/self/uid_map", format!("{user} {user} 1"))
    }
}

impl Inside {
    /// Ends this process with the one outside, and in a namespace of its own every process of the run with it.
    pub(super) fn end_with_outside(&self) -> io::Result<()> {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        let mut waiting = [PollFd::new(&self.outside, PollFlags::IN)];
        // It may have ended before it was watched.
        match poll(&mut waiting, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }))? {
            0 => Ok(()),
            _ => Err(io::Error::other("the process outside is gone")),
        }
    }

    /// Begins the command, behind the walls. The first process of a namespace looks after it.
    pub fn begin(&self) -> io::Result<Part> {
        if self.own.is_ok() {
            set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
            if let Some(signal) = signals::is_told_to_end() {
                return Ok(Part::Over(warden::killed_by(signal)));
            }
            if let Forked::Parent(command) = signals::fork()? {
                let code = init::look_after(command);
                self.streams.give_back();
                return Ok(Part::Over(code));
            }
        }
        self.mask.restore()?;
        Ok(Part::Command)
    }
}

/// Number of a process, as the system counts.
pub(super) fn number(process: Pid) -> i32 {
    process.as_raw_nonzero().get()
}
