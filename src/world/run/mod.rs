//! `git grill run`: a command behind walls that keep the repository as it is. This process stays outside and waits.

mod approved;
mod confined;
mod ending;
mod found_again;
mod kept;
mod placed;
mod record;
mod scratch;
mod stage;
mod store;
mod supervise;

use std::path::Path;
use std::process::ExitCode;

#[cfg(feature = "acp")]
pub(super) use confined::BEGINS;
pub(super) use confined::{CONFINED, become_command, confined};
pub(super) use ending::{end, end_at_once};
#[cfg(feature = "acp")]
pub(super) use found_again::Interview;
#[cfg(feature = "acp")]
pub(super) use kept::Kept;
#[cfg(feature = "acp")]
pub(super) use record::elsewhere;
pub(super) use record::{RECORD, record};
#[cfg(feature = "acp")]
pub(super) use scratch::sweep_scratch;
#[cfg(feature = "acp")]
pub(super) use stage::{Desk, missing_wall};
pub(super) use stage::{Sees, Staged, Tools, Wanted, stage};

use crate::app::context::Guardian;
use crate::app::error::AppError;
use crate::app::reply::Protection;
use crate::cli::args;
use crate::domain::posture::{FenceStands, Fencing};
use crate::domain::session::Session;
use crate::repo::extent::extent;
use crate::repo::open::{RepoEnv, open};
use crate::sandbox::broker::client::Broker;
use crate::sandbox::profile::Profile;
use crate::sandbox::{Missing, is_confined};

use super::environment::Environment;
use crate::world::process::spawner;
pub(super) use store::{forget_interviews, recover};
use supervise::BrokerServer;

/// The variable that names, inside a run, what runs.
pub(super) const RUN: &str = "GRILL_RUN";
/// The variable that names, inside a run, the socket of the broker.
pub(super) const BROKER: &str = "GRILL_BROKER";

/// The variable that says, inside a run, that a terminal outside puts the questions.
#[cfg(feature = "mcp")]
pub(super) const ASKS: &str = "GRILL_ASKS";
#[cfg(feature = "mcp")]
pub(super) const TERMINAL: &str = "terminal";
/// The value in a trial: nothing is asked, and nothing recorded.
#[cfg(feature = "mcp")]
pub(super) const TRIAL: &str = "trial";
/// The value for an agent that work was lent to: it has none of our tools.
#[cfg(feature = "mcp")]
pub(super) const LENT: &str = "lent";

/// The run that this process is in, by the name of its command.
pub(super) fn within(environment: &Environment) -> Option<String> {
    environment.text(RUN)
}

/// The way out of the run that this process is in.
pub(super) fn broker(environment: &Environment) -> Option<Broker> {
    environment.var(BROKER).map(|socket| Broker { socket: socket.into() })
}

/// The guardian inside a run: it sees how things stand, and whoever is outside arms and disarms.
pub(super) struct Onlooker<'a>(pub &'a dyn Guardian);

impl Guardian for Onlooker<'_> {
    fn arm(&self) -> Result<Protection, AppError> {
        Err(inside())
    }

    fn disarm(&self) -> Result<Vec<String>, AppError> {
        Ok(Vec::new())
    }

    fn ready(&self, _fencing: Fencing) -> Result<(), AppError> {
        Err(inside())
    }

    fn hold(&self, _session: &Session, _fencing: Fencing) -> Result<Protection, AppError> {
        Err(inside())
    }

    fn follow(&self, _session: &Session) -> Result<(), AppError> {
        Ok(())
    }

    fn fence(&self) -> Result<FenceStands, AppError> {
        self.0.fence()
    }

    fn lift(&self) -> Result<(), AppError> {
        Err(inside())
    }

    fn again(&self) -> Result<(), AppError> {
        Ok(())
    }
}

fn inside() -> AppError {
    AppError::Environment {
        code: "inside_run",
        message: "inside a read-only run no session starts, no hook changes and nothing is restored".to_owned(),
        causes: Vec::new(),
        hint: Some("type it outside of the run".to_owned()),
    }
}

pub(super) fn run(environment: &Environment, args: &args::Run) -> Result<ExitCode, AppError> {
    let var = |name: &str| environment.var(name);
    let opened = open(&RepoEnv { cwd: environment.cwd.clone(), var: &var, process: spawner() })?;
    let sealed = extent(&opened, &var, &spawner());
    if within(environment).is_some() && is_confined(&sealed) {
        // It is behind walls already, and the kernel, not the variable, says so.
        return Ok(confined::become_command(environment, &args.command, &[]));
    }
    let program = args.command.first().map_or(Path::new(""), Path::new);
    let profile = Profile::named(&args.profile, program).ok_or_else(|| AppError::Usage {
        message: format!("there is no profile '{}'", args.profile),
        hint: format!("git grill run --profile {} -- <command>", Profile::names().join("|")),
    })?;
    let wanted = Wanted {
        command: &args.command,
        profile,
        missing: if args.best_effort { Missing::Say } else { Missing::Refuse },
        name: environment.agent().map_or_else(|| name_of(program), str::to_owned),
        sees: Sees::Repository,
        tools: Tools::Inside,
        parted: false,
        interview: None,
        desk: None,
    };
    let mut staged = stage(environment, &opened, sealed, &wanted)?;
    let listener = staged.listen()?;
    let kept = kept::Kept::default();
    let record = |frame: &[u8]| record::elsewhere(environment, &wanted.name, &kept, frame);
    let broker_server = BrokerServer { listener, record: &record };
    let look = || staged.look();
    let served = supervise::supervise(&environment.program, &staged.words, &staged.variables, &broker_server, &look);
    staged.end();
    served
}

/// What a command is called in the history: the name of its program, as far as a name may hold it.
fn name_of(program: &Path) -> String {
    const LONGEST: usize = 40;
    let stem = program.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name: String = stem.chars().filter(|c| c.is_ascii_alphanumeric() || "._-".contains(*c)).take(LONGEST).collect();
    if name.is_empty() { "command".to_owned() } else { name }
}
