//! The git process that runs our hook: the parent of our process, or of the shells in between.
//!
//! The file that a process runs tells what it is. Its name does not: anybody may run git by another name, or a shell by
//! the name of git.

use std::fs::{canonicalize, read, read_link, read_to_string};
use std::os::unix::process::parent_id;
use std::path::Path;

use super::holder::PROCESSES;

/// The most ancestor processes that are inspected: our hooks are one shell, or two.
const ABOVE: usize = 4;
/// What runs our hooks.
const SHELL: &str = "/bin/sh";

/// The arguments of the git that runs the hook, its own name first: of the first ancestor that is no shell. None if that
/// is no git, or the system does not report them.
pub fn arguments() -> Vec<Vec<u8>> {
    let shell = canonicalize(SHELL).ok();
    let mut process = parent_id();
    for _ in 0..ABOVE {
        let at = Path::new(PROCESSES).join(process.to_string());
        let Ok(runs) = read_link(at.join("exe")) else { break };
        if is_git(&runs) {
            return read(at.join("cmdline")).map(|line| split(&line)).unwrap_or_default();
        }
        if shell.as_ref() != Some(&runs) {
            break;
        }
        let Some(parent) = read_to_string(at.join("status")).ok().and_then(|status| parent(&status)) else { break };
        process = parent;
    }
    Vec::new()
}

/// Whether an executable is git, by its own name and not by that of a link to it.
fn is_git(runs: &Path) -> bool {
    runs.file_name().and_then(|name| name.to_str()).is_some_and(|name| name == "git" || name.starts_with("git-"))
}

/// The parent of a process, from its status file (proc(5)).
fn parent(status: &str) -> Option<u32> {
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
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
        assert_eq!(parent("Name:\tgit\nUmask:\t0022\nPid:\t12\nPPid:\t11\nTracerPid:\t0\n"), Some(11));
        for status in ["", "Name:\tgit\n", "Name:\tgit\nPPid:\t-1\n"] {
            assert_eq!(parent(status), None, "{status}");
        }
        for (runs, git) in
            [("/usr/bin/git", true), ("/usr/lib/git-core/git-fetch", true), ("/tmp/g", false), ("/", false)]
        {
            assert_eq!(is_git(Path::new(runs)), git, "{runs}");
        }
        assert_eq!(split(b"git\0fetch\0\0"), [b"git".to_vec(), b"fetch".to_vec(), Vec::new()]);
    }
}
