//! The git that asks a hook of ours: the process above ours, or above the shells between.

use std::fs::{read, read_to_string};
use std::os::unix::process::parent_id;
use std::path::Path;

use super::holder::PROCESSES;

/// The most processes above ours that are looked at: hooks are started by other hooks, and by their managers.
const ABOVE: usize = 16;

/// The arguments of the nearest git above this process, with its own name first; none where the system does not tell.
pub fn arguments() -> Vec<Vec<u8>> {
    let mut process = parent_id();
    for _ in 0..ABOVE {
        let at = Path::new(PROCESSES).join(process.to_string());
        let Ok(status) = read_to_string(at.join("status")) else { break };
        let Some((name, parent)) = told(&status) else { break };
        if name == "git" || name.starts_with("git-") {
            return read(at.join("cmdline")).map(|line| split(&line)).unwrap_or_default();
        }
        process = parent;
    }
    Vec::new()
}

/// The name of a process and the one above it, by what the system tells of its state (proc(5)). The name is that of the
/// file that was started, whatever the process was told to call itself.
fn told(status: &str) -> Option<(&str, u32)> {
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    Some((field("Name:")?, field("PPid:")?.parse().ok()?))
}

/// The arguments in a line of them, each of which ends with a zero.
fn split(line: &[u8]) -> Vec<Vec<u8>> {
    line.strip_suffix(b"\0").unwrap_or(line).split(|byte| *byte == 0).map(<[u8]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read_and_none_is_made_up() {
        assert_eq!(told("Name:\tgit\nUmask:\t0022\nPid:\t12\nPPid:\t11\nTracerPid:\t0\n"), Some(("git", 11)));
        for status in ["", "Name:\tgit\n", "Name:\tgit\nPPid:\t-1\n", "PPid:\t1\n"] {
            assert_eq!(told(status), None, "{status}");
        }
        assert_eq!(split(b"git\0fetch\0\0"), [b"git".to_vec(), b"fetch".to_vec(), Vec::new()]);
    }
}
