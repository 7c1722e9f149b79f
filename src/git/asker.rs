//! The git process that runs our hook: the parent of our process, or of the shells in between.

use std::fs::{read, read_to_string};
use std::os::unix::process::parent_id;
use std::path::Path;

use super::holder::PROCESSES;

/// The most ancestor processes that are inspected: other hooks and hook managers start hooks.
const ABOVE: usize = 16;

/// The arguments of the nearest git among the ancestors, its own name first; none if the system does not report them.
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

/// The name and the parent of a process, from its status file (proc(5)). The name is that of the executable, whatever
/// `argv[0]` says.
fn told(status: &str) -> Option<(&str, u32)> {
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    Some((field("Name:")?, field("PPid:")?.parse().ok()?))
}

/// The arguments in a command line; each ends with a NUL byte.
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
