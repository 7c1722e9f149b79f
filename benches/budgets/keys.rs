//! What somebody at a terminal waits for: the first frame of a question, from the start of the process on, and after each
//! key the screen that shows it. A pseudo-terminal stands for the terminal; what a real one needs to draw comes on top.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::race::median;
use crate::table::Table;
use crate::world::{GRILL, World};

/// Questions that are opened.
const FRAMES: usize = 40;
/// Keys that are typed at one of them.
const KEYS: usize = 200;
/// When nothing came for so long, the screen is complete.
const STILL: Duration = Duration::from_millis(40);
/// Nothing that is waited for takes longer.
const LIMIT: Duration = Duration::from_secs(20);
/// The end of a frame: the line of progress at the bottom.
const LAST: &[u8] = b"resolved";

pub fn measure(world: &World, table: &mut Table) {
    let dir = world.session("asked", 3);
    let mut frames = Vec::new();
    for _ in 0..FRAMES {
        let (mut terminal, first) = Terminal::opened(world, &dir);
        frames.push(first);
        terminal.leave();
    }
    let (mut terminal, _) = Terminal::opened(world, &dir);
    let keys: Vec<f64> = (0..KEYS).map(|at| terminal.key(b'a' + u8::try_from(at % 26).unwrap())).collect();
    terminal.leave();
    let mut sorted = keys.clone();
    sorted.sort_by(f64::total_cmp);
    table.clock("key to redraw, median of 200", median(keys), 5.0);
    table.clock("key to redraw, 95 % of 200", sorted[KEYS - KEYS / 20], 5.0);
    table.clock("first frame of a question", median(frames), 15.0);
}

/// Ours on a pseudo-terminal.
struct Terminal {
    master: OwnedFd,
    child: Child,
}

impl Terminal {
    /// With the question on the screen, and how long that took.
    fn opened(world: &World, dir: &Path) -> (Self, f64) {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        tcsetwinsize(&master, Winsize { ws_row: 50, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let slave = File::from(open(&name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty()).unwrap());
        let mut command = world.command(Path::new(GRILL), dir);
        command.arg("next").env("TERM", "xterm-256color");
        let end = || Stdio::from(slave.try_clone().unwrap());
        command.stdin(end()).stdout(end()).stderr(end());
        #[expect(unsafe_code, reason = "two system calls between fork and exec, and nothing that allocates")]
        // SAFETY: both calls are safe there, and nothing else is called.
        unsafe {
            command.pre_exec(|| {
                rustix::process::setsid()?;
                rustix::process::ioctl_tiocsctty(std::io::stdin())?;
                Ok(())
            });
        }
        let begun = Instant::now();
        let child = command.spawn().unwrap();
        let terminal = Self { master, child };
        terminal.until(|seen| seen.windows(LAST.len()).any(|part| part == LAST));
        let took = begun.elapsed();
        terminal.settle();
        (terminal, 1e3 * took.as_secs_f64())
    }

    /// Types a key; how long it took until the screen showed it.
    fn key(&mut self, key: u8) -> f64 {
        let begun = Instant::now();
        rustix::io::write(&self.master, &[key]).unwrap();
        self.until(|seen| seen.contains(&key));
        let took = begun.elapsed();
        self.settle();
        1e3 * took.as_secs_f64()
    }

    fn until(&self, holds: impl Fn(&[u8]) -> bool) {
        let (begun, mut seen) = (Instant::now(), Vec::new());
        while !holds(&seen) {
            assert!(begun.elapsed() < LIMIT, "waited in vain: {}", String::from_utf8_lossy(&seen));
            self.read(LIMIT, &mut seen);
        }
    }

    /// Reads until nothing comes any more.
    fn settle(&self) {
        while self.read(STILL, &mut Vec::new()) {}
    }

    /// Reads what comes within this time; whether anything did.
    fn read(&self, within: Duration, into: &mut Vec<u8>) -> bool {
        let limit = Timespec::try_from(within).unwrap();
        if poll(&mut [PollFd::new(&self.master, PollFlags::IN)], Some(&limit)).unwrap() == 0 {
            return false;
        }
        let mut buffer = [0; 8_192];
        // When the last one at the other end has gone, reading fails.
        let Ok(count) = rustix::io::read(&self.master, &mut buffer) else { return false };
        into.extend_from_slice(&buffer[..count]);
        true
    }

    /// Pauses with Ctrl-C, and waits for the end.
    fn leave(&mut self) {
        rustix::io::write(&self.master, b"\x03").unwrap();
        self.settle();
        self.child.wait().unwrap();
    }
}
