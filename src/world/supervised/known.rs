//! Processes by id and start time (A30): an id alone may be another process's by now.

use rustix::process::{Pid, test_kill_process};

use crate::domain::agents::process::KnownProcess;
use crate::domain::agents::reconcile::Presence;

/// The process with this id as it can be known again, if it is there.
pub(super) fn known(id: u32) -> Option<KnownProcess> {
    KnownProcess::new(id, &started(id)?).ok()
}

/// Whether that process is still there.
pub(super) fn presence(process: &KnownProcess) -> Presence {
    if process.is_still(started(process.id()).as_deref()) { Presence::There } else { Presence::Gone }
}

/// What the system says of the start of a process: the boot, and the ticks since then.
#[cfg(target_os = "linux")]
fn started(id: u32) -> Option<String> {
    is_there(id)?;
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let about = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // Behind the name, which may hold anything. A process that ended and was not taken note of is gone.
    let rest = about.rsplit_once(") ")?.1;
    let mut fields = rest.split(' ');
    if matches!(fields.next()?, "Z" | "X") {
        return None;
    }
    // The 22nd field of all, the third having been taken.
    Some(format!("{}/{}", boot.trim(), fields.nth(18)?))
}

/// The same, as `ps` tells it.
#[cfg(not(target_os = "linux"))]
fn started(id: u32) -> Option<String> {
    is_there(id)?;
    let told = crate::world::process::said_without_variables("ps", &["-o", "lstart=", "-p", &id.to_string()]).ok()?;
    let start: String = String::from_utf8_lossy(&told).split_whitespace().collect::<Vec<_>>().join("-");
    Some(start).filter(|start| !start.is_empty())
}

fn is_there(id: u32) -> Option<()> {
    let process = i32::try_from(id).ok().and_then(Pid::from_raw)?;
    match test_kill_process(process) {
        Ok(()) | Err(rustix::io::Errno::PERM) => Some(()),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a30_a_process_that_ended_is_gone_and_ours_is_there() {
        let ours = known(std::process::id()).unwrap();
        assert_eq!(presence(&ours), Presence::There);
        let other = KnownProcess::new(std::process::id(), "boot/1").unwrap();
        assert_eq!(presence(&other), Presence::Gone);
        let mut child =
            crate::world::process::command(&crate::app::ports::Run::new("sh", ["-c", "read line"])).spawn().unwrap();
        let known = known(child.id()).unwrap();
        assert_eq!(presence(&known), Presence::There);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(presence(&known), Presence::Gone);
    }
}
