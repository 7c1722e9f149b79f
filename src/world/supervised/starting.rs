//! Starting a supervisor: a process of its own, which reads its orders from its arguments and the prompt from us.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use super::Supervised;
use super::begin::Orders;
use super::errors::done;
use super::wire::Told;
use crate::app::error::AppError;
use crate::app::ports::Run;
use crate::domain::agents::media::Media;
use crate::files::regular;
use crate::ledger::SessionFolder;
use crate::text::shell::word_of_path;
use crate::world::detached::{Ends, detached};
use crate::world::environment::Environment;
use crate::world::failure::failed;
use crate::world::process::command;

/// So long a new supervisor may take until it is there; it waits for no agent.
const COMES: Duration = Duration::from_mins(1);

impl Supervised<'_> {
    /// Starts a supervisor in a folder, or in ours, and waits until it has the ledger.
    pub(super) fn spawn(
        &self,
        folder: &SessionFolder,
        orders: &Orders,
        dir: Option<&Path>,
        prompt: &[u8],
    ) -> Result<(), AppError> {
        let not_started = |error: &std::io::Error| failed("io", "the agent was not started", error, None);
        let program = &self.environment.program;
        let words = [program.as_os_str().to_owned()].into_iter().chain(orders.words());
        let words = detached(program, Ends::WithItsSandbox, words);
        let log =
            regular::made_at_its_end(folder.path().join("supervisor.log")).map_err(|error| not_started(&error))?;
        let mut run = Run::new(&words[0], words[1..].iter().cloned());
        run.dir = dir.map(Path::to_owned);
        let mut starting = command(&run);
        // What an agent's variables say is not for the one that it has started.
        for name in Environment::of_agents() {
            starting.env_remove(name);
        }
        let mut child = starting.stderr(Stdio::from(log)).spawn().map_err(|error| not_started(&error))?;
        let told = {
            let (input, output) = (child.stdin.take(), child.stdout.take());
            if let Some(mut input) = input {
                // One that is gone says why.
                let _ = input.write_all(prompt);
            }
            output.and_then(first_line)
        };
        // It goes on by itself, and its end is taken note of where we live longer than it does.
        std::thread::spawn(move || child.wait());
        match told {
            Some(told) => done(told),
            None => Err(AppError::Environment {
                code: "supervisor",
                message: "the agent was not started: its supervisor ended at once".to_owned(),
                causes: Vec::new(),
                hint: Some(format!("cat {} prints what it said", word_of_path(&folder.path().join("supervisor.log")))),
            }),
        }
    }
}

/// A prompt with its length before it, and the names of what goes with it: who reads it must not take half of it for the
/// whole where we are killed.
pub(super) fn framed(prompt: &str, media: &[Media]) -> Vec<u8> {
    let words = std::iter::once(prompt.len().to_string()).chain(media.iter().map(Media::file_name));
    format!("{}\n{prompt}", words.collect::<Vec<_>>().join(" ")).into_bytes()
}

/// The first line of a new supervisor, unless it takes for ever.
fn first_line(output: std::process::ChildStdout) -> Option<Told> {
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        let _ = BufReader::new(output).read_line(&mut line);
        let _ = send.send(line);
    });
    serde_json::from_str(&receive.recv_timeout(COMES).ok()?).ok()
}
