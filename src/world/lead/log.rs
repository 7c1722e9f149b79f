//! The raw log of an agent's conversation, in the clone's private folder: what was said last, for looking into what went
//! wrong. Anew with each start, one an agent.

use std::fs::{DirBuilder, OpenOptions};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use crate::acp::rawlog::RawLog;

use crate::world::environment::Environment;

/// The folder, in the one that a repository has for us.
const FOLDER: &str = "grill/agents";

/// The conversation that a log is of.
#[derive(Clone, Copy)]
pub(super) enum Of {
    Interview,
    /// A look beforehand, which leaves the log of the last interview as it is.
    Doctor,
    Trial,
}

pub(super) fn place(common: &Path, agent: &str, of: Of) -> PathBuf {
    let more = match of {
        Of::Interview => "",
        Of::Doctor => ".doctor",
        Of::Trial => ".preflight",
    };
    common.join(FOLDER).join(format!("{agent}{more}.log"))
}

/// Opens the log of this agent. One that cannot be written is no reason not to start it.
pub(super) fn open(environment: &Environment, common: &Path, agent: &str, of: Of) -> Option<RawLog> {
    let place = place(common, agent, of);
    DirBuilder::new().recursive(true).mode(0o700).create(place.parent()?).ok()?;
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    let file = options.open(place).ok()?;
    file.metadata().ok().filter(std::fs::Metadata::is_file)?;
    Some(RawLog::new(Box::new(file), &environment.secrets()))
}
