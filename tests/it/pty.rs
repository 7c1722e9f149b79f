//! A terminal for tests: a child process in a session of its own on a pseudo-terminal, keys in, a screen out. Every
//! wait has a limit; a test that fails shows the screen.

use std::fs::File;
use std::io::Write as _;
use std::num::NonZeroU16;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, Once};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Termios, Winsize, tcgetattr, tcsetwinsize};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT};

/// No wait is longer than this. What is waited for takes milliseconds; the rest is for a machine that builds something
/// else meanwhile.
const LIMIT: Duration = Duration::from_mins(2);
/// Bytes that show nothing and that no program writes.
const MARK: &[u8] = &[0; 8];
const STEP: Duration = Duration::from_millis(3);
/// How long a screen on which nothing is written is not looked at again.
const AGAIN: Duration = Duration::from_millis(20);

/// A child on a pseudo-terminal.
pub struct Pty {
    child: Child,
    master: Arc<OwnedFd>,
    /// Kept open, so that the modes can still be read when the child has ended.
    slave: Option<File>,
    seen: Arc<Mutex<Seen>>,
    /// Told whenever something was written to the terminal.
    written: Arc<Condvar>,
    stop: Arc<AtomicBool>,
    reader: Option<JoinHandle<()>>,
}

struct Seen {
    parser: vt100::Parser,
    raw: Vec<u8>,
}

impl Pty {
    /// Starts `command` with all three standard streams on a new terminal of this size, which is its controlling
    /// terminal.
    pub fn spawn(command: &Command, rows: u16, cols: u16) -> Self {
        Self::start(command, rows, cols, &[])
    }

    /// Like [`Pty::spawn`], but the child's standard output goes to `stdout` instead of the terminal.
    pub fn spawn_with_stdout(command: &Command, rows: u16, cols: u16, stdout: &File) -> Self {
        Self::start(command, rows, cols, &[stdout])
    }

    fn start(command: &Command, rows: u16, cols: u16, stdout: &[&File]) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a pseudo-terminal");
        grantpt(&master).expect("its other end is ours");
        unlockpt(&master).expect("its other end can be opened");
        let size = Winsize { ws_row: rows, ws_col: cols, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&master, size).expect("it has a size");
        let name = ptsname(&master, Vec::new()).expect("its other end has a name");
        let slave = {
            use rustix::fs::{Mode, OFlags, open};
            let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
            File::from(open(name.as_c_str(), flags, Mode::empty()).expect("its other end opens"))
        };

        // `setsid --ctty` does what would otherwise need code between fork and exec.
        let mut session = Command::new(crate::bench::in_path("setsid"));
        session.arg("--ctty").arg(command.get_program()).args(command.get_args());
        session.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("TERM", "xterm-256color");
        for (key, value) in command.get_envs() {
            match value {
                Some(value) => session.env(key, value),
                None => session.env_remove(key),
            };
        }
        if let Some(dir) = command.get_current_dir() {
            session.current_dir(dir);
        }
        signals_as_at_a_desk();
        let end = || Stdio::from(slave.try_clone().expect("a file can be cloned"));
        let out = stdout.first().map_or_else(end, |file| Stdio::from(file.try_clone().expect("a file can be cloned")));
        let child = session.stdin(end()).stdout(out).stderr(end()).spawn().expect("setsid is installed");

        let master = Arc::new(master);
        let seen =
            Arc::new(Mutex::new(Seen { parser: vt100::Parser::new(cells(rows), cells(cols), 1_000), raw: Vec::new() }));
        let stop = Arc::new(AtomicBool::new(false));
        let written = Arc::new(Condvar::new());
        let reader = {
            let (master, seen, stop) = (Arc::clone(&master), Arc::clone(&seen), Arc::clone(&stop));
            let written = Arc::clone(&written);
            thread::spawn(move || follow(&master, &seen, &written, &stop))
        };
        Self { child, master, slave: Some(slave), seen, written, stop, reader: Some(reader) }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn send(&mut self, keys: &str) {
        let mut bytes = keys.as_bytes();
        let started = Instant::now();
        while !bytes.is_empty() {
            assert!(started.elapsed() < LIMIT, "nobody reads the terminal\n{}", self.screen());
            let written = rustix::io::write(&*self.master, &bytes[..bytes.len().min(1024)]).expect("keys can be typed");
            bytes = &bytes[written..];
        }
        File::from(self.master.try_clone().expect("a descriptor can be cloned")).flush().expect("keys can be typed");
    }

    /// Waits until the screen has `text`, wherever its lines are broken.
    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        self.wait_until(&format!("{text:?} on the screen"), |screen| shows(screen, text));
    }

    /// Waits until the screen no longer has `text`.
    #[track_caller]
    pub fn wait_gone(&self, text: &str) {
        self.wait_until(&format!("no {text:?} on the screen"), |screen| !shows(screen, text));
    }

    #[track_caller]
    pub fn wait_until(&self, wanted: &str, holds: impl Fn(&str) -> bool) {
        let started = Instant::now();
        loop {
            let seen = self.seen.lock().expect("the reader does not panic");
            let (screen, length) = (seen.parser.screen().contents(), seen.raw.len());
            // Whoever asks may look at the terminal as well.
            drop(seen);
            if holds(&screen) {
                return self.drawn(length);
            }
            assert!(started.elapsed() < LIMIT, "waited in vain for {wanted}; the screen is\n{screen}");
            let seen = self.seen.lock().expect("the reader does not panic");
            if seen.raw.len() == length {
                // What is asked may depend on something else than the screen, so it is also asked again now and then.
                drop(self.written.wait_timeout(seen, AGAIN).expect("the reader does not panic"));
            }
        }
    }

    /// Waits until nothing is written for a moment: who looks at the rest of the screen next must not see half of it. What
    /// goes on writing is not waited for.
    fn drawn(&self, mut length: usize) {
        for _ in 0..16 {
            thread::sleep(STEP);
            let now = self.seen.lock().expect("the reader does not panic").raw.len();
            if now == length {
                return;
            }
            length = now;
        }
    }

    /// What stands on the screen now, a line each, without blanks at their ends.
    pub fn screen(&self) -> String {
        self.look(|parser| parser.screen().contents())
    }

    /// Row and column of the cursor.
    pub fn cursor(&self) -> (u16, u16) {
        self.look(|parser| parser.screen().cursor_position())
    }

    /// Rows and columns of the window.
    pub fn size(&self) -> (u16, u16) {
        let (rows, columns) = self.look(|parser| parser.screen().size());
        (rows.get(), columns.get())
    }

    /// Whether the cursor is shown and bracketed paste is off, as a shell expects it.
    pub fn is_as_a_shell_expects(&self) -> bool {
        self.look(|parser| !parser.screen().hide_cursor() && !parser.screen().bracketed_paste())
    }

    /// Everything the child wrote to the terminal.
    pub fn raw(&self) -> String {
        let seen = self.seen.lock().expect("the reader does not panic");
        String::from_utf8_lossy(&seen.raw).into_owned()
    }

    /// The modes of the terminal, in a form that can be compared.
    pub fn modes(&self) -> String {
        let modes: Termios = tcgetattr(self.slave.as_ref().expect("not hung up")).expect("a terminal has modes");
        format!("{:?} {:?} {:?}", modes.input_modes, modes.output_modes, modes.local_modes)
    }

    /// How many bytes were typed that nobody has read: what a shell would get next.
    pub fn unread(&self) -> u64 {
        rustix::io::ioctl_fionread(self.slave.as_ref().expect("not hung up")).expect("a terminal knows")
    }

    pub fn wait_until_read(&self) {
        let started = Instant::now();
        while self.unread() > 0 {
            assert!(started.elapsed() < LIMIT, "nobody reads the terminal\n{}", self.screen());
            thread::sleep(STEP);
        }
    }

    /// Gives the window another size; the child gets a signal.
    pub fn resize(&mut self, rows: u16, cols: u16) {
        self.seen.lock().expect("the reader does not panic").parser.screen_mut().set_size(cells(rows), cells(cols));
        let size = Winsize { ws_row: rows, ws_col: cols, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&*self.master, size).expect("it has a size");
    }

    /// Waits until everything that was written to the terminal before this moment is on the screen: what we write to it
    /// ourselves comes after that.
    fn catch_up(&mut self) {
        let Some(slave) = &mut self.slave else { return };
        slave.write_all(MARK).expect("the terminal can be written to");
        let started = Instant::now();
        loop {
            let mut seen = self.seen.lock().expect("the reader does not panic");
            if seen.raw.ends_with(MARK) {
                let shown = seen.raw.len() - MARK.len();
                return seen.raw.truncate(shown);
            }
            drop(seen);
            assert!(started.elapsed() < LIMIT, "the end of what was written does not come\n{}", self.screen());
            thread::sleep(STEP);
        }
    }

    /// Waits for the end; a signal counts as 128 plus its number.
    #[track_caller]
    pub fn exit_code(&mut self) -> i32 {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("the child is ours") {
                self.catch_up();
                return status.code().or(status.signal().map(|signal| 128 + signal)).expect("it ended");
            }
            assert!(started.elapsed() < LIMIT, "the program does not end; the screen is\n{}", self.screen());
            thread::sleep(STEP);
        }
    }

    /// Closes the terminal under the child, as a closed window does, and waits for its end.
    pub fn hang_up(mut self) -> i32 {
        self.slave = None;
        self.stop_reading();
        // The last descriptor of our end; the kernel tells the session now.
        self.master = Arc::new(File::open("/dev/null").expect("there is a null device").into());
        self.exit_code()
    }

    fn look<T>(&self, at: impl FnOnce(&vt100::Parser) -> T) -> T {
        at(&self.seen.lock().expect("the reader does not panic").parser)
    }

    fn stop_reading(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(reader) = self.reader.take() {
            reader.join().expect("the reader does not panic");
        }
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        // A child that already ended cannot be killed, and that is fine.
        self.child.kill().ok();
        self.child.wait().ok();
        self.slave = None;
        self.stop_reading();
    }
}

/// Whether the text stands on the screen. Where a line is broken depends on what stands before it, and that may be a path
/// of this machine. A text with more than single blanks between its words means just them.
pub fn shows(screen: &str, text: &str) -> bool {
    screen.contains(text) || (is_one_line(text) && one_line(screen).contains(text))
}

/// Whether the text is nothing but words with a blank between them.
pub fn is_one_line(text: &str) -> bool {
    one_line(text) == text
}

pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whoever runs the tests in the background of a script has them ignore Ctrl-C, and what they start inherits that; at a
/// desk nothing does. What has a handler is inherited as if it had none, and this one does what a program without one
/// does.
fn signals_as_at_a_desk() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        for signal in [SIGINT, SIGQUIT, SIGHUP] {
            let always = Arc::new(AtomicBool::new(true));
            signal_hook::flag::register_conditional_default(signal, always).expect("a signal can be handled");
        }
    });
}

fn cells(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).expect("a window has rows and columns")
}

fn follow(master: &OwnedFd, seen: &Mutex<Seen>, written: &Condvar, stop: &AtomicBool) {
    let pause = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };
    let mut bytes = [0; 8192];
    while !stop.load(Ordering::SeqCst) {
        let ready = poll(&mut [PollFd::new(master, PollFlags::IN)], Some(&pause)).unwrap_or(0);
        if ready == 0 {
            continue;
        }
        match rustix::io::read(master, &mut bytes) {
            Ok(0) | Err(_) => thread::sleep(STEP),
            Ok(read) => {
                let mut seen = seen.lock().expect("nobody panics while looking");
                seen.raw.extend_from_slice(&bytes[..read]);
                seen.parser.process(&bytes[..read]);
                written.notify_all();
            }
        }
    }
}
