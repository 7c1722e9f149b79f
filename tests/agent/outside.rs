//! What the agent does outside of the protocol: it writes behind everybody's back.

use std::path::Path;
use std::process::{Command, Stdio};

/// Writes a file; what came of it.
pub fn write(path: &str, content: &str) -> String {
    match std::fs::write(Path::new(path), content) {
        Ok(()) => format!("wrote {path}"),
        Err(error) => format!("{path} was not written: {error}"),
    }
}

/// Runs a shell line, which finds this under `$ANSWER`; what came of it.
pub fn shell(line: &str, answer: &str) -> String {
    match Command::new("sh").args(["-c", line]).env("ANSWER", answer).stdin(Stdio::null()).output() {
        Ok(ran) => {
            let said = [ran.stdout, ran.stderr].concat();
            format!("{}: {}", ran.status, String::from_utf8_lossy(&said).trim())
        }
        Err(error) => error.to_string(),
    }
}
