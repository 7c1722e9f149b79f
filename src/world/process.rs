//! Running other programs: the only place that does.

use std::io::{Error, ErrorKind, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::app::ports::{Process, Ran, Run};

/// How long we sleep between two looks at a program whose time is limited.
const NAP: Duration = Duration::from_millis(2);
/// How long the output of a program that ended is waited for: a child of its own may hold it open for ever.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The machine's programs.
pub(super) struct Programs;

impl Process for Programs {
    #[expect(clippy::disallowed_methods, reason = "the one place that spawns programs")]
    fn run(&self, run: &Run) -> std::io::Result<Ran> {
        let mut command = Command::new(&run.program);
        command.args(&run.args);
        for name in &run.without {
            command.env_remove(name);
        }
        command.envs(run.env.iter().cloned());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = &run.dir {
            command.current_dir(dir);
        }
        let mut child = command.spawn()?;
        let input = run.stdin.clone();
        let mut pipe = child.stdin.take();
        // A program that fills its output before it reads its input would wait for us forever. One may also end without
        // reading everything; that is its business.
        std::thread::spawn(move || pipe.take().map(|mut pipe| pipe.write_all(&input)));
        let output = match run.limit {
            None => child.wait_with_output()?,
            Some(limit) => wait_within(child, limit)?,
        };
        let code = output.status.code().unwrap_or_else(|| 128 + output.status.signal().unwrap_or(0));
        Ok(Ran { code, stdout: output.stdout, stderr: output.stderr })
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
            child.kill()?;
            child.wait()?;
            return Err(Error::new(ErrorKind::TimedOut, "it was killed when its time was over"));
        }
        std::thread::sleep(NAP);
    };
    let last =
        |pipe: Option<Receiver<Vec<u8>>>| pipe.and_then(|pipe| pipe.recv_timeout(LAST_WORDS).ok()).unwrap_or_default();
    Ok(Output { status, stdout: last(stdout), stderr: last(stderr) })
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
}
