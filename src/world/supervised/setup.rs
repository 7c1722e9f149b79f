//! The command of `grill.agent.setup` (A29): run once in a new copy, behind the walls of an agent, before the agent is
//! started. The supervisor goes on answering meanwhile.

use std::ffi::OsString;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::{Duration, Instant};

use super::book::Book;
use super::supervisor::calls::{done, queued, refused};
use super::wire::{Asked, Call, Told};
use crate::app::error::AppError;
use crate::app::ports::Within;
use crate::domain::agents::command::AgentContext;
use crate::domain::agents::{Command, Refusal};
use crate::domain::harmless::harmless;
use crate::domain::text::Line;
use crate::files::regular;
use crate::repo::extent::extent;
use crate::repo::open::Opened;
use crate::sandbox::profile::Profile;
use crate::world::environment::Environment;
use crate::world::failure::failed;
use crate::world::interrupted::Interrupted;
use crate::world::process::spawner;
use crate::world::run::{self, Desk, Sees, Staged, Tools, Wanted};

/// What it printed, in the session's folder.
pub(super) const LOG: &str = "setup.log";
/// What it is called in a list of what goes on.
const NAME: &str = "grill.agent.setup";
/// The most bytes that it may print.
const MOST_PRINTED: u64 = 16 * 1024 * 1024;
/// How much of its end is looked through for a line to show.
const TAIL: u64 = 4 * 1024;
/// Between two looks at it.
const REST: Duration = Duration::from_millis(20);

/// How the step before the agent's start ended.
pub(super) enum SetUp {
    Ready,
    /// No agent is to be started, for this reason.
    Failed(String),
    /// The session was cancelled, or is to be left.
    Over,
}

/// The command, and where it runs.
pub(super) struct Setup<'a> {
    pub environment: &'a Environment,
    pub opened: &'a Opened,
    /// The line for the shell.
    pub line: &'a str,
    /// The working copy.
    pub desk: &'a Desk,
    /// The folder of the session.
    pub place: &'a Path,
    pub within: Within,
    pub limit: Duration,
    pub interrupted: &'a Interrupted,
}

/// Why it is ended before it ends by itself.
enum Halt {
    Failed(String),
    Over,
}

impl Setup<'_> {
    /// Runs the command to its end.
    pub(super) fn run(&self, book: &mut Book, calls: &Receiver<Call>) -> Result<SetUp, AppError> {
        let (mut child, staged, _listener) = self.start()?;
        let waited = self.wait(&mut child, book, calls);
        if !matches!(waited, Ok(Ok(_))) {
            run::end(&mut child, Duration::ZERO);
        }
        staged.end();
        let why = match waited? {
            Ok(status) if status.success() => None,
            Ok(status) => Some(self.told(&in_words(status))),
            Err(Halt::Failed(why)) => Some(self.told(&why)),
            Err(Halt::Over) => return Ok(SetUp::Over),
        };
        let how = Line::clipped(why.as_deref().unwrap_or("ended well"));
        book.act(&Command::RecordSetup { how })?;
        Ok(match why {
            None => SetUp::Ready,
            Some(why) => SetUp::Failed(format!("{NAME} {why}; {} has its output", self.log().display())),
        })
    }

    fn log(&self) -> PathBuf {
        self.place.join(LOG)
    }

    #[expect(clippy::disallowed_methods, reason = "world spawns; it is answered for while this runs")]
    fn start(&self) -> Result<(Child, Staged, UnixListener), AppError> {
        let not_started = |error: &io::Error| failed("setup", &format!("{NAME} was not started"), error, None);
        let var = |name: &str| self.environment.var(name);
        let sealed = extent(self.opened, &var, &spawner());
        let command: [OsString; 3] = ["sh".into(), "-c".into(), self.line.into()];
        let wanted = Wanted {
            command: &command,
            profile: Profile::Agent(None),
            missing: run::missing_wall(self.within),
            name: NAME.to_owned(),
            sees: Sees::Repository,
            tools: Tools::Outside,
            parted: false,
            interview: None,
            desk: Some(self.desk),
        };
        let mut staged = run::stage(self.environment, self.opened, sealed, &wanted)?;
        // The walls hide it. Nobody answers there: nothing in the run is to be recorded.
        let listener = staged.listen()?;
        let log = regular::made_at_its_end(self.log()).map_err(|error| not_started(&error))?;
        let errors = log.try_clone().map_err(|error| not_started(&error))?;
        let mut starting = std::process::Command::new(&self.environment.program);
        starting.args(&staged.words).envs(staged.variables.iter().map(|(name, value)| (*name, value)));
        starting.envs(self.desk.variables.iter().map(|(name, value)| (name, value)));
        // It is told of no tool of ours, as the agent is not.
        starting.env(run::ASKS, run::LENT).process_group(0);
        starting.stdin(Stdio::null()).stdout(log).stderr(errors);
        match starting.spawn() {
            Ok(child) => Ok((child, staged, listener)),
            Err(error) => {
                staged.end();
                Err(not_started(&error))
            }
        }
    }

    #[expect(clippy::disallowed_methods, reason = "how long one waits is no fact of the session")]
    fn wait(
        &self,
        child: &mut Child,
        book: &mut Book,
        calls: &Receiver<Call>,
    ) -> Result<Result<ExitStatus, Halt>, AppError> {
        let begun = Instant::now();
        let (mut printed, mut heard) = (0, begun);
        loop {
            let size = self.log().metadata().map_or(0, |about| about.len());
            if size != printed {
                (printed, heard) = (size, Instant::now());
            }
            while let Ok(call) = calls.try_recv() {
                if let Some(halt) = self.answer(call, book, heard.elapsed())? {
                    return Ok(Err(halt));
                }
            }
            if let Ok(Some(status)) = child.try_wait() {
                return Ok(Ok(status));
            }
            let halt = if self.interrupted.is_so() {
                "was ended, since git grill was told to end".to_owned()
            } else if begun.elapsed() >= self.limit {
                format!("took more than {} s (grill.agent.setupTimeout)", self.limit.as_secs())
            } else if printed > MOST_PRINTED {
                format!("printed more than {} MiB", MOST_PRINTED >> 20)
            } else {
                thread::sleep(REST);
                continue;
            };
            return Ok(Err(Halt::Failed(halt)));
        }
    }

    /// Answers what a supervisor is asked while there is no agent yet.
    fn answer(&self, call: Call, book: &mut Book, quiet: Duration) -> Result<Option<Halt>, AppError> {
        let handle = book.session().started.handle;
        let told = match call.asked.clone() {
            Asked::Look => Told::Doing {
                tool: Some(NAME.to_owned()),
                quiet: u64::try_from(quiet.as_millis()).unwrap_or(u64::MAX),
                line: self.last_line(),
            },
            Asked::Send { prompt, media } => queued(book.add(&prompt, media, AgentContext::Kept)?),
            Asked::Show { number } | Asked::Answer { number, .. } => refused(&Refusal::AnswerVoid { handle, number }),
            Asked::Settled { .. } | Asked::Restored { .. } | Asked::Kept { .. } => refused(&Refusal::NotReady {
                deed: "nothing was settled",
                handle,
                lacks: "has nothing for you to decide",
            }),
            Asked::Cancel { turn: Some(turn) } => done(book.try_act(&Command::CancelTurn { turn })?),
            Asked::Cancel { turn: None } => {
                let cancelled = book.try_act(&Command::Cancel)?;
                let is_over = cancelled.is_ok();
                call.answer(done(cancelled));
                return Ok(is_over.then_some(Halt::Over));
            }
            Asked::Accepted { acceptance, rest } => done(book.try_act(&Command::RecordAccept { acceptance, rest })?),
            Asked::TakenBack { acceptance, rest } => done(book.try_act(&Command::RecordUndo { acceptance, rest })?),
            Asked::Leave => {
                let open = book.session().open_turns().next().map(|open| open.handle);
                let Some(turn) = open else {
                    call.answer(Told::Done);
                    return Ok(Some(Halt::Over));
                };
                refused(&Refusal::TurnActive { deed: "the setup was not ended", handle, turn })
            }
        };
        call.answer(told);
        Ok(None)
    }

    /// How it ended, with the last that it printed.
    fn told(&self, how: &str) -> String {
        let last = self.last_line();
        if last.is_empty() { how.to_owned() } else { format!("{how}: {last}") }
    }

    /// The last line that it printed; it is foreign.
    fn last_line(&self) -> String {
        let text = tail(&self.log()).unwrap_or_default();
        let last = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        Line::clipped(&harmless(last)).as_str().to_owned()
    }
}

fn tail(path: &Path) -> io::Result<String> {
    let mut file = regular::open(path)?;
    let begin = file.metadata()?.len().saturating_sub(TAIL);
    file.seek(SeekFrom::Start(begin))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn in_words(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("ended with exit code {code}"),
        None => "was ended by a signal".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a29_the_end_of_a_long_output_is_read() {
        let temp = tempfile::tempdir().unwrap();
        let log = temp.path().join("log");
        std::fs::write(&log, "x\n".repeat(10_000) + "caf\u{e9}\n\n").unwrap();
        let text = tail(&log).unwrap();
        assert!(text.len() <= usize::try_from(TAIL).unwrap() + 2 && text.ends_with("caf\u{e9}\n\n"));
        assert!(tail(&temp.path().join("none")).is_err());
    }
}
