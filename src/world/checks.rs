//! Runs the checks of a plan, and the commands that play a role in a debate: a shell in the working tree, which is ended with every process that it has started when its
//! time is over, when the user interrupts git grill, and when it has ended itself.

use std::ffi::OsString;
use std::io::{Error, ErrorKind};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Signal, kill_process_group};

use super::detached::{Ends, detached};
use super::environment::ROLE;
use super::interrupted::Interrupted;
use super::process::{code_of, command, id_of};
use super::run::end_at_once;
use super::tied::run_tied;
use crate::app::ports::{CheckEnd, Checks, Played, Players, Run};
use crate::pipes::{MostUnread, Tail, speak};
use crate::repo::open::Opened;

/// How long one check may take.
const LIMIT: Duration = Duration::from_mins(10);
/// How much of its output is kept, in bytes: the end of it.
const KEPT: usize = 16 * 1024;
/// How long we sleep between two looks at it.
const NAP: Duration = Duration::from_millis(5);
/// How long the processes of one that is ended are killed: some multiply meanwhile.
const ENDING: Duration = Duration::from_secs(12);
/// How long the output of a check that ended is waited for: a child of its own may hold it open for ever.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Checks, run by `sh -c`.
pub(super) struct ShellChecks {
    /// The words before the shell's own, by which it leaves the terminal and is watched.
    before: Vec<OsString>,
    /// The same where the shell runs behind walls.
    before_a_run: Vec<OsString>,
    /// Our own.
    program: OsString,
    top: PathBuf,
    limit: Duration,
}

impl ShellChecks {
    /// In the working tree that was opened; none in a bare repository.
    pub(super) fn of(opened: &Opened, program: &Path) -> Option<Self> {
        let before = detached(program, Ends::WithUs, []);
        let before_a_run = detached(program, Ends::WithItsSandbox, []);
        Some(Self { before, before_a_run, program: program.into(), top: opened.worktree.clone()?, limit: LIMIT })
    }
}

impl Checks for ShellChecks {
    fn run(&self, line: &str) -> std::io::Result<CheckEnd> {
        let (output, input) = std::io::pipe()?;
        let mut shell = self.shell(line);
        shell.stdin(Stdio::null()).stdout(input.try_clone()?).stderr(input);
        let interrupted = Interrupted::watch()?;
        let mut child = shell.spawn()?;
        // It holds the pipe open, whose end would never be seen.
        drop(shell);
        let tail = Tail::of(Box::new(output), KEPT);
        let code = code_of(self.wait(&mut child, &interrupted, || None)?);
        Ok(CheckEnd { code, output: tail.at_its_end(LAST_WORDS) })
    }
}

impl Players for ShellChecks {
    fn play(&self, line: &str, prompt: &str, most: usize) -> std::io::Result<Played> {
        let (output, written) = std::io::pipe()?;
        let (errors, said) = std::io::pipe()?;
        let mut shell = self.walled(line);
        shell.stdin(Stdio::piped()).stdout(written).stderr(said);
        let interrupted = Interrupted::watch()?;
        let mut child = run_tied(&mut shell).spawn()?;
        drop(shell);
        if let Some(input) = child.stdin.take() {
            let speaker = speak(Box::new(input), MostUnread { pieces: 1, bytes: prompt.len() });
            // One that reads nothing needs nothing.
            let _ = speaker.say(prompt.as_bytes().to_vec());
        }
        // One byte more tells that there were more.
        let (output, errors) = (Tail::of(Box::new(output), most + 1), Tail::of(Box::new(errors), KEPT));
        let too_much = || {
            let why = || Error::new(ErrorKind::FileTooLarge, format!("it wrote more than {most} bytes"));
            (output.length() > most).then(why)
        };
        let code = code_of(self.wait(&mut child, &interrupted, too_much)?);
        let text = output.at_its_end(LAST_WORDS);
        match too_much() {
            Some(error) => Err(error),
            None => Ok(Played { code, text, errors: errors.at_its_end(LAST_WORDS) }),
        }
    }
}

impl ShellChecks {
    /// A shell that runs this line in the working tree, away from the terminal.
    fn shell(&self, line: &str) -> std::process::Command {
        self.apart(["sh", "-c", line].map(OsString::from).to_vec())
    }

    /// The same behind the walls of `git grill run`, which it cannot write through; where there are none, without.
    fn walled(&self, line: &str) -> std::process::Command {
        let mut words: Vec<OsString> = vec![self.program.clone()];
        words.extend(["run", "--best-effort", "--", "sh", "-c", line].map(OsString::from));
        // A run ends what it started by itself, and its processes are another namespace's.
        let mut shell = self.apart_by(&self.before_a_run, words);
        shell.env(ROLE, "1");
        shell
    }

    fn apart(&self, words: Vec<OsString>) -> std::process::Command {
        self.apart_by(&self.before, words)
    }

    fn apart_by(&self, before: &[OsString], words: Vec<OsString>) -> std::process::Command {
        let words: Vec<OsString> = before.iter().cloned().chain(words).collect();
        let mut shell = command(&Run::new(&words[0], words[1..].iter().cloned()).within(&self.top));
        // What leaves the terminal leads a group by that, and could not leave it as the leader of one.
        if self.before.is_empty() {
            shell.process_group(0);
        }
        shell
    }

    /// Waits for its end, and ends it early for this reason. The check is in another process group: the terminal does not
    /// tell it of an interrupt.
    #[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
    fn wait(
        &self,
        child: &mut Child,
        interrupted: &Interrupted,
        ends: impl Fn() -> Option<Error>,
    ) -> std::io::Result<ExitStatus> {
        let begun = Instant::now();
        let why = loop {
            if let Some(status) = child.try_wait()? {
                // What it left running is no part of anything any more.
                kill_group(child);
                return Ok(status);
            }
            if interrupted.is_so() {
                break Error::from(ErrorKind::Interrupted);
            }
            if let Some(why) = ends() {
                break why;
            }
            if begun.elapsed() >= self.limit {
                let told = format!("it was killed after {} seconds", self.limit.as_secs());
                break Error::new(ErrorKind::TimedOut, told);
            }
            std::thread::sleep(NAP);
        };
        end_at_once(child, ENDING);
        Err(why)
    }
}

/// Kills every process of the group that a check leads.
fn kill_group(child: &Child) {
    if let Some(group) = id_of(child) {
        // It may have ended just now.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checks(limit: Duration) -> (tempfile::TempDir, ShellChecks) {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().to_owned();
        (temp, ShellChecks { before: Vec::new(), before_a_run: Vec::new(), program: OsString::new(), top, limit })
    }

    #[test]
    fn p24_a_check_runs_in_the_working_tree_and_its_exit_code_alone_counts() {
        let (temp, checks) = checks(LIMIT);
        std::fs::write(temp.path().join("there"), "").unwrap();
        assert_eq!(checks.run("test -e there").unwrap(), CheckEnd { code: 0, output: String::new() });
        let end = checks.run("echo ok; echo no >&2; cat; exit 1").unwrap();
        assert_eq!(end, CheckEnd { code: 1, output: "ok\nno\n".to_owned() });
        assert_eq!(checks.run("kill -9 $$").unwrap().code, 137);
    }

    #[test]
    fn p24_the_end_of_a_long_output_is_kept() {
        let end = checks(LIMIT).1.run("head -c 300000 /dev/zero | tr '\\0' x; echo end").unwrap();
        assert!(end.output.len() == KEPT && end.output.ends_with("xend\n"), "{}", end.output.len());
    }

    #[test]
    fn p24_a_check_over_time_is_killed_with_what_it_started() {
        let (temp, checks) = checks(Duration::from_millis(50));
        let error = checks.run("sleep 60 & echo $! >child; wait").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        assert!(error.to_string().starts_with("it was killed after"), "{error}");
        drop(temp);
    }
}
