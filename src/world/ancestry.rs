//! The processes above this one. What a command of ours started is no person, whatever it took out of its variables and
//! whichever terminal it made for itself: each run of ours has a process that takes what loses its parent.

use super::run::CONFINED;
#[cfg(feature = "acp")]
use super::supervised::SUPERVISE;

/// So many processes are looked at, from this one upwards.
#[cfg(target_os = "linux")]
const MOST: usize = 64;

/// Whether a process above this one is that of a run, or supervises an agent.
#[cfg(target_os = "linux")]
pub(super) fn is_of_a_run() -> bool {
    let mut process = "self".to_owned();
    for _ in 0..MOST {
        let Some(parent) = parent(&process).filter(|parent| *parent > 0) else { return false };
        process = parent.to_string();
        if is_ours(&std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default()) {
            return true;
        }
    }
    false
}

/// Elsewhere processes are not known by their numbers alone.
#[cfg(not(target_os = "linux"))]
pub(super) fn is_of_a_run() -> bool {
    let _ = is_ours;
    false
}

#[cfg(target_os = "linux")]
fn parent(process: &str) -> Option<u32> {
    let about = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program stands in parentheses, and may hold any.
    about.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}

/// Whether these are the words of a process of ours that watches over another program.
fn is_ours(words: &[u8]) -> bool {
    let mut words = words.split(|byte| *byte == 0);
    let program = words.next().unwrap_or_default().rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let verb = words.next().unwrap_or_default();
    program.starts_with(b"git-grill") && watches(verb)
}

fn watches(verb: &[u8]) -> bool {
    #[cfg(feature = "acp")]
    if verb == SUPERVISE.as_bytes() {
        return true;
    }
    verb == CONFINED.as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_of_ours_that_watches_is_known_by_its_words() {
        for (words, ours) in [
            ("/usr/bin/git-grill\0sandbox-exec\0--\0sh", true),
            ("git-grill\0status\0", false),
            ("sh\0sandbox-exec\0", false),
            ("/opt/x/git-grill-2\0sandbox-exec\0", true),
            ("", false),
        ] {
            assert_eq!(is_ours(words.as_bytes()), ours, "{words}");
        }
        // Whatever runs the tests is none.
        let _ = is_of_a_run();
    }
}
