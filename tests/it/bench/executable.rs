//! Programs that a test writes and has started.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes a program that everyone may start, in a folder that is made. A child writes it: had this process the file open,
/// a fork for another test would keep it open until it becomes its program, and Linux starts no file that is open for
/// writing.
pub fn executable(path: &Path, content: impl AsRef<[u8]>) {
    let write = r#"mkdir -p "${1%/*}" && cat >"$1" && chmod 755 "$1""#;
    let mut child = Command::new("sh").args(["-c", write, "sh"]).arg(path).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(content.as_ref()).unwrap();
    assert!(child.wait().unwrap().success(), "{}", path.display());
}
