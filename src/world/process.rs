//! Running other programs: the only place that does.

use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::tied::tied;
use super::{hooked, search};
use crate::app::ports::{Process, Ran, Run, Talk};
use crate::git::Spawner;

/// What an empty pipe takes without anybody reading (POSIX's `PIPE_BUF` is at least 512, and every pipe here holds more).
const AT_ONCE: usize = 512;
/// How long we sleep between two looks at a program whose time is limited.
const NAP: Duration = Duration::from_millis(2);
/// How long the output of a program that ended is waited for: a child of its own may hold it open for ever.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What runs git for the repositories that its library does not open.
pub fn spawner() -> Spawner {
    Arc::new(Programs)
}

pub(super) struct Programs;

impl Process for Programs {
    fn run(&self, run: &Run) -> std::io::Result<Ran> {
        let mut child = tied(command(run).stderr(Stdio::piped())).spawn()?;
        feed(child.stdin.take(), &run.stdin);
        let output = match run.limit {
            None => child.wait_with_output()?,
            Some(limit) => wait_within(child, limit)?,
        };
        Ok(Ran { code: code_of(output.status), stdout: output.stdout, stderr: output.stderr })
    }

    fn run_hooked(&self, run: &Run) -> std::io::Result<Ran> {
        hooked::run(run)
    }

    fn talk(&self, run: &Run) -> std::io::Result<Box<dyn Talk + Send>> {
        // What it complains of would be nobody's to read while it runs; that it ended is seen.
        // In a group of its own: an interrupt at the terminal is for us, and we may have more to ask.
        let mut child = tied(command(run).stderr(Stdio::null()).process_group(0)).spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Error::other("it has no pipes"));
        };
        Ok(Box::new(Talking { child, input: Some(input), output: BufReader::new(output) }))
    }
}

/// Gives a program its input. It may end without reading everything; that is its business.
pub(super) fn feed(pipe: Option<ChildStdin>, input: &[u8]) {
    if input.len() <= AT_ONCE {
        let _ = pipe.map(|mut pipe| pipe.write_all(input));
    } else {
        // A program that fills its output before it reads its input would wait for us forever.
        let input = input.to_vec();
        std::thread::spawn(move || pipe.map(|mut pipe| pipe.write_all(&input)));
    }
}

/// The exit code; a signal counts as 128 + its number.
pub(super) fn code_of(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

pub(super) fn id_of(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

/// Starts a program that goes on by itself: it reads and writes nothing of ours, and an interrupt at the terminal is not
/// for it.
pub(super) fn leave(run: &Run) -> std::io::Result<()> {
    let mut command = command(run);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    let mut child = command.spawn()?;
    // Where we live longer than it does, its end has to be taken note of.
    std::thread::spawn(move || child.wait());
    Ok(())
}

/// Becomes another program, which takes over our terminal and streams; what this gives is why it could not.
#[expect(clippy::disallowed_methods, reason = "the one place that spawns programs")]
pub(super) fn become_program(run: &Run) -> Error {
    let mut command = Command::new(&run.program);
    command.args(&run.args).env("PATH", search::path(run.dir.as_deref()));
    for name in &run.without {
        command.env_remove(name);
    }
    command.envs(run.env.iter().cloned()).exec()
}

/// Standard output of a program of the system that gets no variable at all, so that no caller leads it astray.
#[expect(clippy::disallowed_methods, reason = "the one place that spawns programs")]
pub(super) fn said_without_variables(program: &str, args: &[&str]) -> std::io::Result<Vec<u8>> {
    let mut command = Command::new(program);
    command.args(args).env_clear().stdin(Stdio::null()).stderr(Stdio::null());
    command.output().map(|output| output.stdout)
}

/// A program with pipes to and from it.
#[expect(clippy::disallowed_methods, reason = "the one place that spawns programs")]
pub(super) fn command(run: &Run) -> Command {
    let mut command = Command::new(&run.program);
    command.args(&run.args).env("PATH", search::path(run.dir.as_deref()));
    for name in &run.without {
        command.env_remove(name);
    }
    command.envs(run.env.iter().cloned());
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    if let Some(dir) = &run.dir {
        command.current_dir(dir);
    }
    command
}

struct Talking {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Talk for Talking {}

impl Read for Talking {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.output.read(buffer)
    }
}

impl BufRead for Talking {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        self.output.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.output.consume(amount);
    }
}

impl Write for Talking {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.input.as_mut().map_or_else(|| Err(ErrorKind::BrokenPipe.into()), |input| input.write(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.input.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Talking {
    fn drop(&mut self) {
        drop(self.input.take());
        // One that is still writing would wait for a reader; nobody wants the rest.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for a program and its output, and kills it when its time is over.
#[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
fn wait_within(mut child: Child, limit: Duration) -> std::io::Result<Output> {
    let stdout = child.stdout.take().map(collected);
    let stderr = child.stderr.take().map(collected);
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if begun.elapsed() >= limit {
            end(&mut child)?;
            return Err(Error::new(ErrorKind::TimedOut, "it was killed when its time was over"));
        }
        std::thread::sleep(NAP);
    };
    let last =
        |pipe: Option<Receiver<Vec<u8>>>| pipe.and_then(|pipe| pipe.recv_timeout(LAST_WORDS).ok()).unwrap_or_default();
    Ok(Output { status, stdout: last(stdout), stderr: last(stderr) })
}

/// Ends a program that ran out of time, what is below it first: git waits for the signing program, which would keep asking at
/// the terminal. The program itself has a moment to remove its temporary files.
#[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
fn end(child: &mut Child) -> std::io::Result<()> {
    for process in stopped(child, Instant::now() + LAST_WORDS) {
        let _ = kill_process(process, Signal::KILL);
    }
    for signal in [Signal::TERM, Signal::CONT] {
        if let Some(process) = id_of(child) {
            let _ = kill_process(process, signal);
        }
    }
    let begun = Instant::now();
    while begun.elapsed() < LAST_WORDS {
        if child.try_wait()?.is_some() {
            return Ok(());
        }
        std::thread::sleep(NAP);
    }
    child.kill()?;
    child.wait().map(drop)
}

/// Stops a program and everything below it, which is returned. One that runs could start another behind our back: that
/// would outlive its parent, and be nobody's child any more.
pub(super) fn stopped(child: &Child, limit: Instant) -> Vec<Pid> {
    let itself = id_of(child);
    let mut all = standing(|| itself.into_iter().chain(descendants(child.id())).collect(), limit);
    all.retain(|process| Some(*process) != itself);
    all
}

/// Stops processes, and those that come meanwhile, until no other is listed; all of them.
#[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
pub(super) fn standing(listed: impl Fn() -> Vec<Pid>, limit: Instant) -> Vec<Pid> {
    let mut all = Vec::new();
    loop {
        let new: Vec<Pid> = listed().into_iter().filter(|process| !all.contains(process)).collect();
        for process in &new {
            let _ = kill_process(*process, Signal::STOP);
        }
        let is_late = Instant::now() >= limit;
        if new.is_empty() || is_late {
            all.extend(new);
            return all;
        }
        all.extend(new);
        while !all.iter().all(|process| stands(*process)) && Instant::now() < limit {
            std::thread::sleep(NAP);
        }
    }
}

/// The processes that a process has started, and those that they have.
pub(super) fn descendants(process: u32) -> Vec<Pid> {
    let mut found = children(process);
    let mut next = 0;
    while let Some(process) = found.get(next) {
        let below = u32::try_from(process.as_raw_nonzero().get()).map(children).unwrap_or_default();
        found.extend(below);
        next += 1;
    }
    found
}

/// The processes that a process has started itself. Linux lists them; elsewhere `ps` knows.
fn children(parent: u32) -> Vec<Pid> {
    let number = |word: &str| word.parse().ok().and_then(Pid::from_raw);
    if let Ok(listed) = children_of_threads(parent) {
        return listed.split_whitespace().filter_map(number).collect();
    }
    let table = said_without_variables("ps", &["-A", "-o", "pid=", "-o", "ppid="]).unwrap_or_default();
    let of_parent = |line: &str| {
        let (process, of) = line.trim().split_once(char::is_whitespace)?;
        if of.trim().parse::<u32>() == Ok(parent) { number(process) } else { None }
    };
    String::from_utf8_lossy(&table).lines().filter_map(of_parent).collect()
}

/// Whether a process that was told to stop stands, or is over. Where the system does not say, it is taken to stand.
fn stands(process: Pid) -> bool {
    let about = std::fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero()));
    // Behind the name, which may hold anything.
    let state = about.ok().and_then(|about| about.rsplit_once(") ")?.1.chars().next());
    state.is_none_or(|state| matches!(state, 'T' | 't' | 'Z' | 'X'))
}

/// What Linux lists: the children of each thread of a process.
fn children_of_threads(parent: u32) -> std::io::Result<String> {
    let mut listed = String::new();
    for thread in std::fs::read_dir(format!("/proc/{parent}/task"))? {
        listed += &std::fs::read_to_string(thread?.path().join("children"))?;
        listed.push(' ');
    }
    Ok(listed)
}

/// Reads a pipe to its end beside us.
fn collected(mut pipe: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is all there is.
        let _ = pipe.read_to_end(&mut bytes);
        let _ = send.send(bytes);
    });
    receive
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limited(line: &str, millis: u64) -> std::io::Result<Ran> {
        Programs.run(&Run { limit: Some(Duration::from_millis(millis)), ..Run::new("sh", ["-c", line]) })
    }

    #[test]
    fn a_program_in_time_gives_all_its_output_and_one_over_time_is_killed() {
        let ran = limited("head -c 300000 /dev/zero; echo no >&2; exit 3", 20_000).unwrap();
        assert_eq!((ran.code, ran.stdout.len(), ran.stderr), (3, 300_000, b"no\n".to_vec()));
        assert_eq!(limited("exec sleep 60", 50).unwrap_err().kind(), ErrorKind::TimedOut);
    }

    #[test]
    fn what_a_program_over_time_runs_itself_ends_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("fifo");
        assert!(Programs.run(&Run::new("mkfifo", [&fifo])).unwrap().code == 0);
        let line = format!("sleep 600 >'{}' & wait", fifo.display());
        let mut child = command(&Run::new("sh", ["-c", &line])).spawn().unwrap();
        let (send, receive) = channel();
        std::thread::spawn(move || {
            let mut reading = std::fs::File::open(fifo).unwrap();
            send.send(()).unwrap();
            // It ends when nobody holds the other end open any more.
            reading.read_to_end(&mut Vec::new()).unwrap();
            send.send(()).unwrap();
        });
        receive.recv().unwrap();
        end(&mut child).unwrap();
        receive.recv_timeout(Duration::from_mins(1)).unwrap();
    }
}
