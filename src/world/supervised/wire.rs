//! What is asked of a supervisor at its socket: one line of JSON each way, one connection a request. Who may ask is settled
//! by the folder, which is its owner's alone, and by whose process it is.

use std::io::{self, BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::domain::agents::TurnHandle;
use crate::domain::agents::acceptance::Acceptance;
use crate::domain::agents::changed::ChangedFiles;
use crate::domain::agents::media::Media;
use crate::domain::drift::Spot;
use crate::domain::server_form::{ServerForm, ServerReply};
use crate::domain::text::Line;
use crate::files::patience::until;
use crate::kin;

/// The longest request: a prompt with every byte escaped.
const LONGEST: u64 = 8 * 1024 * 1024;
/// So many are served at a time.
const MOST: usize = 8;
/// How long a client may take to send its line, and to read the answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a supervisor may take for an answer; it never waits for its agent.
const ANSWERS: Duration = Duration::from_mins(1);

/// A request to a supervisor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "do", deny_unknown_fields)]
pub(super) enum Asked {
    /// Add a prompt behind those that wait, with copies of pictures.
    Send {
        prompt: String,
        #[serde(default)]
        media: Vec<Media>,
    },
    /// Cancel one turn, or the whole session.
    Cancel { turn: Option<TurnHandle> },
    /// Hand out the question of this number as it was asked.
    Show { number: u32 },
    /// Answer it.
    Answer { number: u32, reply: ServerReply },
    /// Record that work in its copy was accepted.
    Accepted { acceptance: Acceptance, rest: Option<ChangedFiles> },
    /// Record that an accept was taken back.
    TakenBack { acceptance: Acceptance, rest: Option<ChangedFiles> },
    /// Record that the person had changes in the repository taken back.
    Restored { places: ChangedFiles, left: u32, copy: Option<Line>, rest: Option<Line> },
    /// Record what the person keeps who left before all was decided.
    Kept { places: ChangedFiles, rest: Option<Line> },
    /// Take the person's word on what changed in the repository: what they keep; without it nothing is compared (A25).
    Settled { kept: Option<Vec<(Spot, Option<String>)>> },
    /// Say what the agent is doing.
    Look,
    /// End the agent; the session stays as it is.
    Leave,
}

/// The answer to one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub(super) enum Told {
    Done,
    /// Something else changed meanwhile.
    More,
    Queued {
        turn: TurnHandle,
    },
    Form {
        form: Box<ServerForm>,
    },
    /// What the agent is doing: a tool call that goes on, milliseconds since its newest sign of life, and a line.
    Doing {
        tool: Option<String>,
        quiet: u64,
        line: String,
    },
    Refused {
        code: String,
        message: String,
        hint: String,
    },
}

impl Told {
    /// The code of the refusal of one that is just ending.
    pub(super) const LEFT: &str = "supervisor_left";
    /// The code of the refusal of one that does something long.
    pub(super) const BUSY: &str = "supervisor_busy";
}

/// A request that waits for its answer.
pub(super) struct Call {
    pub(super) asked: Asked,
    answer: Sender<Told>,
}

impl Call {
    /// Answers it; whoever asked may have gone.
    pub(super) fn answer(self, told: Told) {
        let _ = self.answer.send(told);
    }
}

/// Those who are just being served.
pub(super) struct Serving(Arc<AtomicUsize>);

impl Serving {
    /// Waits until whoever asked has the answer: this process ends next.
    pub(super) fn finish(&self) {
        until(ANSWERS, || self.0.load(Ordering::Acquire) == 0);
    }
}

/// Begins to listen: the requests come out at the other end.
pub(super) fn listen(listener: UnixListener) -> (Receiver<Call>, Serving) {
    let (calls, all) = channel();
    let busy = Arc::new(AtomicUsize::new(0));
    let serving = Serving(Arc::clone(&busy));
    thread::spawn(move || {
        while let Ok((stream, _)) = listener.accept() {
            if busy.load(Ordering::Acquire) >= MOST || !may_ask(&stream) {
                continue;
            }
            busy.fetch_add(1, Ordering::AcqRel);
            let (calls, busy) = (calls.clone(), Arc::clone(&busy));
            thread::spawn(move || {
                // Whoever sends no request, or goes away, has only itself to blame.
                let _ = serve(&stream, &calls);
                busy.fetch_sub(1, Ordering::AcqRel);
            });
        }
    });
    (all, serving)
}

fn serve(stream: &UnixStream, calls: &Sender<Call>) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let asked: Asked = read(stream)?;
    let (answer, answered) = channel();
    let told = match calls.send(Call { asked, answer }) {
        Ok(()) => answered.recv_timeout(ANSWERS),
        Err(_) => Err(RecvTimeoutError::Disconnected),
    };
    let told = told.unwrap_or_else(|why| match why {
        RecvTimeoutError::Disconnected => Told::Refused {
            code: Told::LEFT.to_owned(),
            message: "the supervisor of this session is just ending".to_owned(),
            hint: "type it again".to_owned(),
        },
        RecvTimeoutError::Timeout => Told::Refused {
            code: Told::BUSY.to_owned(),
            message: "the supervisor of this session did not answer within a minute".to_owned(),
            hint: format!("type it again; kill -9 {} ends it and its agent", std::process::id()),
        },
    });
    write(stream, &told)
}

/// Asks the supervisor at this socket; none where nobody listens there.
pub(super) fn ask(socket: &Path, asked: &Asked) -> io::Result<Option<Told>> {
    let stream = match UnixStream::connect(socket) {
        Ok(stream) => stream,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused) => return Ok(None),
        Err(error) => return Err(error),
    };
    if !is_ours(&stream) {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "another user listens there"));
    }
    stream.set_read_timeout(Some(ANSWERS))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    match write(&stream, asked).and_then(|()| read(&stream)) {
        Ok(told) => Ok(Some(told)),
        // It ended before it answered: whether it did what was asked, its ledger says.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe
            ) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn read<T: for<'de> Deserialize<'de>>(stream: &UnixStream) -> io::Result<T> {
    let mut line = Vec::new();
    BufReader::new(stream.take(LONGEST)).read_until(b'\n', &mut line)?;
    if line.last() != Some(&b'\n') {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    serde_json::from_slice(&line).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
}

fn write(mut stream: &UnixStream, what: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(what)?;
    line.push(b'\n');
    stream.write_all(&line)
}

/// Whether the process at the other end may ask: it is the same user's, and in no run, where an agent would answer its own
/// question as the person. A run has process numbers of its own; a process of which nothing is known any more asks nothing.
#[cfg(target_os = "linux")]
fn may_ask(stream: &UnixStream) -> bool {
    let numbers = |process: &str| std::fs::read_link(format!("/proc/{process}/ns/pid")).ok();
    let process = kin::peer(stream).ok().and_then(|peer| peer.process);
    let theirs = process.and_then(|process| numbers(&process.as_raw_nonzero().to_string()));
    is_ours(stream) && theirs.is_some() && theirs == numbers("self")
}

/// Elsewhere no run has walls.
#[cfg(not(target_os = "linux"))]
fn may_ask(stream: &UnixStream) -> bool {
    is_ours(stream)
}

/// Whether the process at the other end is the same user's.
#[cfg(target_os = "linux")]
fn is_ours(stream: &UnixStream) -> bool {
    kin::peer(stream).is_ok_and(|peer| peer.user == rustix::process::geteuid().as_raw())
}

/// Elsewhere the folder alone says who may ask: it is its owner's.
#[cfg(not(target_os = "linux"))]
fn is_ours(_stream: &UnixStream) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a10_a_request_is_answered_and_an_odd_one_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        assert_eq!(ask(&path, &Asked::Look).unwrap(), None);
        let (calls, _) = listen(UnixListener::bind(&path).unwrap());
        let serving = thread::spawn(move || {
            let call = calls.recv().unwrap();
            let asked = call.asked.clone();
            call.answer(Told::Done);
            asked
        });
        for odd in ["", "x\n", "{\"do\":\"send\",\"prompt\":\"a\",\"more\":1}\n", "{\"do\":\"sudo\"}\n"] {
            let mut stream = UnixStream::connect(&path).unwrap();
            stream.write_all(odd.as_bytes()).unwrap();
            stream.shutdown(std::net::Shutdown::Write).unwrap();
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer).unwrap();
            assert!(answer.is_empty(), "{odd:?}");
        }
        let media = vec![Media::parse(&format!("{}.png", "1a".repeat(32))).unwrap()];
        let send = Asked::Send { prompt: "a\nb\u{1b}".to_owned(), media };
        assert_eq!(ask(&path, &send).unwrap(), Some(Told::Done));
        assert_eq!(serving.join().unwrap(), send);
    }

    #[test]
    fn every_request_and_answer_comes_back_as_it_was() {
        let turn = TurnHandle::FIRST;
        for asked in [
            Asked::Cancel { turn: None },
            Asked::Cancel { turn: Some(turn) },
            Asked::Answer { number: 2, reply: ServerReply::Declined },
            Asked::Leave,
        ] {
            let text = serde_json::to_string(&asked).unwrap();
            assert_eq!(serde_json::from_str::<Asked>(&text).unwrap(), asked, "{text}");
        }
        let refused = Told::Refused { code: "c".into(), message: "m".into(), hint: String::new() };
        for told in [Told::Queued { turn }, Told::Doing { tool: None, quiet: 7, line: "thinks".into() }, refused] {
            let text = serde_json::to_string(&told).unwrap();
            assert_eq!(serde_json::from_str::<Told>(&text).unwrap(), told, "{text}");
        }
    }
}
