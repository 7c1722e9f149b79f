//! Programs for the rooms that run some, with an environment of the test's choice.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;

use git_grill::app::ports::{Process, Ran, Run, Talk};
use git_grill::git::Spawner;

/// Spawns programs with these variables, PATH and nothing else; without any, with the environment of the test.
pub struct Spawn(pub Option<HashMap<String, OsString>>);

/// With the environment of the test.
pub fn inherited() -> Spawner {
    Arc::new(Spawn(None))
}

/// With these variables and PATH.
pub fn with(vars: &HashMap<String, OsString>) -> Spawner {
    Arc::new(Spawn(Some(vars.clone())))
}

impl Spawn {
    fn command(&self, run: &Run) -> Command {
        let mut command = Command::new(crate::bench::in_path(&run.program));
        command.args(&run.args);
        if let Some(vars) = &self.0 {
            command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).envs(vars);
        }
        for name in &run.without {
            command.env_remove(name);
        }
        command.envs(run.env.iter().cloned());
        if let Some(dir) = &run.dir {
            command.current_dir(dir);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command
    }
}

impl Process for Spawn {
    fn run(&self, run: &Run) -> io::Result<Ran> {
        let mut child = self.command(run).stderr(Stdio::piped()).spawn()?;
        let (mut pipe, input) = (child.stdin.take().unwrap(), run.stdin.clone());
        let writer = std::thread::spawn(move || pipe.write_all(&input));
        let output = child.wait_with_output()?;
        // A program need not read everything.
        let _ = writer.join().unwrap();
        Ok(Ran { code: output.status.code().unwrap_or(128), stdout: output.stdout, stderr: output.stderr })
    }

    fn talk(&self, run: &Run) -> io::Result<Box<dyn Talk + Send>> {
        let mut child = self.command(run).stderr(Stdio::null()).spawn()?;
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Ok(Box::new(Talking { child, input, output }))
    }
}

struct Talking {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Talk for Talking {}

impl Read for Talking {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.output.read(buffer)
    }
}

impl BufRead for Talking {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.output.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.output.consume(amount);
    }
}

impl Write for Talking {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.input.as_mut().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.input.as_mut().unwrap().flush()
    }
}

impl Drop for Talking {
    fn drop(&mut self) {
        drop(self.input.take());
        self.child.wait().unwrap();
    }
}
