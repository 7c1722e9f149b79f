//! `git grill run`: a command behind walls that keep the repository as it is. This process stays outside and waits.

mod confined;
mod scratch;
mod supervise;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub(super) use confined::{CONFINED, confined};

use crate::app::error::AppError;
use crate::cli::args;
use crate::repo::extent::extent;
use crate::repo::open::{RepoEnv, open};
use crate::sandbox::profile::Profile;
use crate::sandbox::{Confinement, Missing, grants};

use super::environment::Environment;
use super::failure::failed;
use super::speak;
use scratch::Scratch;

/// The variable that names a run from inside.
pub(super) const RUN: &str = "GRILL_RUN";

/// Runs the command; its exit code.
pub(super) fn run(environment: &Environment, args: &args::Run) -> Result<ExitCode, AppError> {
    let var = |name: &str| environment.var(name);
    let opened = open(&RepoEnv { cwd: environment.cwd.clone(), var: &var })?;
    let sealed = extent(&opened, &var);
    let program = args.command.first().map_or(Path::new(""), Path::new);
    let profile = Profile::named(&args.profile, program).ok_or_else(|| AppError::Usage {
        message: format!("there is no profile '{}'", args.profile),
        hint: format!("git grill run --profile {} -- <command>", Profile::names().join("|")),
    })?;
    let scratch = Scratch::make(environment, &sealed)?;
    let mut wanted = vec![scratch.tmp()];
    if let Some(home) = environment.var("HOME").map(PathBuf::from).filter(|home| home.is_absolute()) {
        make_folders(&profile.folders(&home))?;
        wanted.extend(profile.caches(&home));
        wanted.extend(profile.folders(&home));
        wanted.extend(profile.files(&home));
    }
    let granted = grants(&wanted, &sealed);
    for (path, why) in &granted.withheld {
        speak::err(&format!("warning: {} stays read-only in this run: {why}\n", path.display()));
    }
    let confinement = Confinement {
        walls: profile.walls(),
        missing: if args.best_effort { Missing::Say } else { Missing::Refuse },
        dir: environment.cwd.clone(),
        sealed,
        writable: granted.paths,
        kept: Vec::new(),
        hidden: Vec::new(),
        keeper: std::process::id(),
    };
    let name = environment.agent().map_or_else(|| name_of(program), str::to_owned);
    let variables: Vec<(&str, OsString)> = vec![
        ("TMPDIR", scratch.tmp().into()),
        // Reading git commands would otherwise try to refresh the index and lock it for that.
        ("GIT_OPTIONAL_LOCKS", "0".into()),
        (RUN, name.into()),
    ];
    let mut words: Vec<OsString> = vec![CONFINED.into()];
    words.extend(confinement.to_args());
    words.push("--".into());
    words.extend(args.command.iter().cloned());
    supervise::supervise(&environment.program, &words, &variables)
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
