//! `git grill run`: a command behind walls that keep the repository as it is. This process stays outside and waits.

mod approved;
mod confined;
mod record;
mod scratch;
mod supervise;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub(super) use confined::{CONFINED, confined};
pub(super) use record::{RECORD, record};

use crate::app::desk::Guardian;
use crate::app::error::AppError;
use crate::app::reply::Protection;
use crate::cli::args;
use crate::domain::posture::{FenceStands, Fencing};
use crate::domain::session::Session;
use crate::repo::extent::extent;
use crate::repo::open::{RepoEnv, open};
use crate::sandbox::broker::client::Broker;
use crate::sandbox::broker::server::listen;
use crate::sandbox::doors::{Surroundings, doors};
use crate::sandbox::profile::Profile;
use crate::sandbox::{Confinement, Missing, grants, is_confined};

use super::environment::Environment;
use super::failure::failed;
use super::speak;
use crate::world::process::spawner;
use approved::Approved;
use scratch::Scratch;
use supervise::Broking;

/// The variable that names, inside a run, what runs.
const RUN: &str = "GRILL_RUN";
/// The variable that names, inside a run, the socket of the broker.
const BROKER: &str = "GRILL_BROKER";

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
        message: "nothing is armed, lifted or brought back inside a read-only run".to_owned(),
        causes: Vec::new(),
        hint: Some("type it outside of the run".to_owned()),
    }
}

/// Runs the command; its exit code.
pub(super) fn run(environment: &Environment, args: &args::Run) -> Result<ExitCode, AppError> {
    let var = |name: &str| environment.var(name);
    let opened = open(&RepoEnv { cwd: environment.cwd.clone(), var: &var, process: spawner() })?;
    let sealed = extent(&opened, &var, &spawner());
    if within(environment).is_some() && is_confined(&sealed) {
        // It is behind walls already, and the kernel, not the variable, says so.
        return Ok(confined::become_command(&args.command));
    }
    let program = args.command.first().map_or(Path::new(""), Path::new);
    let profile = Profile::named(&args.profile, program).ok_or_else(|| AppError::Usage {
        message: format!("there is no profile '{}'", args.profile),
        hint: format!("git grill run --profile {} -- <command>", Profile::names().join("|")),
    })?;
    let scratch = Scratch::make(environment, &sealed)?;
    let mut wanted = vec![scratch.tmp()];
    let mut kept = Vec::new();
    if let Some(home) = environment.var("HOME").map(PathBuf::from).filter(|home| home.is_absolute()) {
        make_folders(&profile.folders(&home))?;
        wanted.extend(profile.caches(&home));
        wanted.extend(profile.folders(&home));
        wanted.extend(profile.files(&home));
        kept = profile.kept(&home).into_iter().filter_map(|path| path.canonicalize().ok()).collect();
    }
    let approved = Approved::prepare(&opened, &scratch)?;
    let mut granted = grants(&wanted, &sealed);
    granted.withheld.extend(approved.withheld.iter().cloned());
    // Deeper than what is sealed around them, and the only ones there.
    granted.paths.extend(approved.paths.iter().cloned());
    for (path, why) in &granted.withheld {
        speak::err(&format!("warning: {} stays read-only in this run: {why}\n", path.display()));
    }
    let confinement = Confinement {
        walls: profile.walls(),
        missing: if args.best_effort { Missing::Say } else { Missing::Refuse },
        dir: environment.cwd.clone(),
        sealed,
        writable: granted.paths,
        kept,
        hidden: doors(&Surroundings {
            user: rustix::process::geteuid().as_raw(),
            runtime: environment.var("XDG_RUNTIME_DIR").map(PathBuf::from),
            tmux: environment.var("TMUX_TMPDIR").map(PathBuf::from),
            name: environment.text("USER"),
        }),
        keeper: std::process::id(),
    };
    let name = environment.agent().map_or_else(|| name_of(program), str::to_owned);
    let variables: Vec<(&str, OsString)> = vec![
        ("TMPDIR", scratch.tmp().into()),
        // Reading git commands would otherwise try to refresh the index and lock it for that.
        ("GIT_OPTIONAL_LOCKS", "0".into()),
        (RUN, name.clone().into()),
        (BROKER, scratch.socket().into()),
    ];
    let mut words: Vec<OsString> = vec![CONFINED.into()];
    words.extend(confinement.to_args());
    words.push("--".into());
    words.extend(args.command.iter().cloned());
    let listener =
        listen(&scratch.socket()).map_err(|error| failed("io", "the run's broker could not be made", &error, None))?;
    let record = |frame: &[u8]| record::elsewhere(environment, &name, frame);
    let served = supervise::supervise(&environment.program, &words, &variables, &Broking { listener, record: &record });
    drop(approved);
    drop(scratch);
    served
}

/// Makes an agent's own folders, which it could not make itself.
fn make_folders(folders: &[PathBuf]) -> Result<(), AppError> {
    use std::os::unix::fs::DirBuilderExt;
    for folder in folders {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|error| {
            let message = format!("{} could not be made, which the agent keeps its own files in", folder.display());
            failed("io", &message, &error, None)
        })?;
    }
    Ok(())
}

/// What a command is called in the history: the name of its program, as far as a name may hold it.
fn name_of(program: &Path) -> String {
    const LONGEST: usize = 40;
    let stem = program.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name: String = stem.chars().filter(|c| c.is_ascii_alphanumeric() || "._-".contains(*c)).take(LONGEST).collect();
    if name.is_empty() { "command".to_owned() } else { name }
}
