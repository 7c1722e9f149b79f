//! Running other programs: the only place that does.

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use crate::app::ports::{Process, Ran, Run};

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
        // A program that fills its output before it reads its input would wait for us forever.
        let feeder = std::thread::spawn(move || pipe.take().map(|mut pipe| pipe.write_all(&input)));
        let output = child.wait_with_output()?;
        // A program may end without reading everything; that is its business.
        let _ = feeder.join();
        let code = output.status.code().unwrap_or_else(|| 128 + output.status.signal().unwrap_or(0));
        Ok(Ran { code, stdout: output.stdout, stderr: output.stderr })
    }
}
