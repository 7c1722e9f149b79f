//! A terminal at which nobody sits: for the commands that ask a person and need no more of them than an editor's words.

use std::fs::File;
use std::io::Read as _;
use std::os::fd::OwnedFd;
use std::sync::{Arc, OnceLock};

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// A terminal that is opened once somebody asks for its name.
#[derive(Default)]
pub struct Terminal {
    opened: OnceLock<(String, Arc<OwnedFd>)>,
}

impl Terminal {
    /// One that nobody asked for yet.
    pub fn open() -> Self {
        Self::default()
    }

    /// Where it stands in the file system.
    pub fn name(&self) -> &str {
        &self.opened.get_or_init(start).0
    }
}

/// What is written to it is read and forgotten, so that nobody waits. Our own hold of its other end keeps it from ending
/// with the first command.
fn start() -> (String, Arc<OwnedFd>) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let held = open(name.as_c_str(), OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty()).unwrap();
    let mut written = File::from(master);
    std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        while written.read(&mut bytes).is_ok_and(|read| read > 0) {}
    });
    (name.into_string().unwrap(), Arc::new(held))
}
