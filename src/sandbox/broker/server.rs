//! The outer end: it takes connections, one request each, and hands every frame that is short enough to whoever
//! records. Nothing that is sent can stop it or the run.

use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};

use super::frame::{self, Answer};

/// How many requests are served at the same time; more wait in the queue of the socket.
const MOST: usize = 8;
/// How long a client may take to send its frame, however many pieces it sends, and to read the answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long we sleep when too many are served already.
const NAP: Duration = Duration::from_millis(5);

/// Records what a frame asks for; a line comes back.
pub type Record<'a> = dyn Fn(&[u8]) -> Vec<u8> + Sync + 'a;

/// Serves until the other end of `over` is closed. Each request has a thread; the last ones are waited for.
pub fn serve(listener: &UnixListener, over: &UnixStream, record: &Record<'_>) -> io::Result<()> {
    let busy = AtomicUsize::new(0);
    listener.set_nonblocking(true)?;
    std::thread::scope(|scope| {
        loop {
            let mut waiting = [PollFd::new(over, PollFlags::IN), PollFd::new(listener, PollFlags::IN)];
            // Interrupted or not, what was found is looked at.
            let _ = poll(&mut waiting, None);
            if !waiting[0].revents().is_empty() {
                break;
            }
            if busy.load(Ordering::Acquire) >= MOST {
                std::thread::sleep(NAP);
                continue;
            }
            let Ok((stream, _)) = listener.accept() else {
                continue;
            };
            busy.fetch_add(1, Ordering::AcqRel);
            let busy = &busy;
            scope.spawn(move || {
                // A client that goes away has only itself to blame.
                let _ = answer(stream, record);
                busy.fetch_sub(1, Ordering::AcqRel);
            });
        }
    });
    Ok(())
}

fn answer(mut stream: UnixStream, record: &Record<'_>) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let answer = match frame::read(Hurried::new(&stream)) {
        Ok(bytes) => match frame::request(&bytes) {
            Ok(_) => record(&bytes),
            Err(refused) => refused.line(),
        },
        Err(error) if error.kind() == ErrorKind::InvalidData => {
            Answer::refused("bad_frame", 2, error.to_string()).line()
        }
        Err(error) => return Err(error),
    };
    stream.write_all(&answer)
}

pub fn listen(path: &Path) -> io::Result<UnixListener> {
    UnixListener::bind(path)
}

/// A stream that has to be read within a time, all of it: a client that sends a byte now and then would otherwise hold
/// its place for ever.
struct Hurried<'a> {
    stream: &'a UnixStream,
    until: Instant,
}

impl<'a> Hurried<'a> {
    #[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
    fn new(stream: &'a UnixStream) -> Self {
        Self { stream, until: Instant::now() + PATIENCE }
    }
}

impl Read for Hurried<'_> {
    #[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        let mut stream = self.stream;
        stream.read(buffer)
    }
}
