//! Programs, spawned with an environment that a test chooses.

use std::ffi::OsString;
use std::io::{Error, ErrorKind, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use git_grill::app::ports::{Process, Ran, Run};

/// Spawns with these variables alone.
pub struct Spawned {
    pub variables: Vec<(String, OsString)>,
}

impl Process for Spawned {
    fn run(&self, run: &Run) -> std::io::Result<Ran> {
        let mut command = Command::new(&run.program);
        command.args(&run.args).env_clear().envs(self.variables.iter().map(|(name, value)| (name, value)));
        for name in &run.without {
            command.env_remove(name);
        }
        command.envs(run.env.iter().cloned());
        if let Some(dir) = &run.dir {
            command.current_dir(dir);
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (input, pipe) = (run.stdin.clone(), child.stdin.take());
        std::thread::spawn(move || pipe.map(|mut pipe| pipe.write_all(&input)));
        let id = child.id();
        let waited = std::thread::spawn(move || child.wait_with_output());
        let begun = Instant::now();
        while !waited.is_finished() {
            if run.limit.is_some_and(|limit| begun.elapsed() > limit) {
                Command::new("kill").args(["-9", &id.to_string()]).status()?;
                return Err(Error::from(ErrorKind::TimedOut));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let output = waited.join().unwrap()?;
        Ok(Ran { code: output.status.code().unwrap_or(128), stdout: output.stdout, stderr: output.stderr })
    }
}
