//! Programs that say what the bytes have them say: one answer after another, each behind a line `=== <exit code>`, the
//! last one again and again.

use std::io::{BufRead, Cursor, Read, Result, Write};
use std::sync::{Mutex, PoisonError};

use git_grill::app::ports::{Process, Ran, Run, Talk};

pub struct Scripted {
    answers: Vec<Ran>,
    given: Mutex<usize>,
}

impl Scripted {
    pub fn new(data: &[u8]) -> Self {
        let mut answers: Vec<Ran> = Vec::new();
        for line in data.split_inclusive(|byte| *byte == b'\n') {
            let code = line.strip_prefix(b"=== ").and_then(|code| std::str::from_utf8(code).ok()?.trim().parse().ok());
            match (code, answers.last_mut()) {
                (Some(code), _) => answers.push(Ran { code, stdout: Vec::new(), stderr: Vec::new() }),
                (None, Some(open)) => {
                    open.stdout.extend_from_slice(line);
                    // What went wrong is said there.
                    if open.code != 0 {
                        open.stderr.extend_from_slice(line);
                    }
                }
                (None, None) => {}
            }
        }
        Self { answers, given: Mutex::new(0) }
    }

    pub fn given(&self) -> usize {
        *self.given.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> Result<Ran> {
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let place = (*given).min(self.answers.len().saturating_sub(1));
        *given += 1;
        self.answers.get(place).cloned().ok_or_else(|| std::io::ErrorKind::NotFound.into())
    }
}

impl Process for Scripted {
    fn run(&self, _run: &Run) -> Result<Ran> {
        self.next()
    }

    fn talk(&self, _run: &Run) -> Result<Box<dyn Talk + Send>> {
        Ok(Box::new(ScriptedTalk(Cursor::new(self.next()?.stdout))))
    }
}

/// A program that says all it has to say, whatever it is asked.
struct ScriptedTalk(Cursor<Vec<u8>>);

impl Read for ScriptedTalk {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.0.read(buffer)
    }
}

impl BufRead for ScriptedTalk {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        self.0.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.0.consume(amount);
    }
}

impl Write for ScriptedTalk {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Talk for ScriptedTalk {}
