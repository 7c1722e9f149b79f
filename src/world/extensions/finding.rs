//! Finds the program of an extension: in the account's configuration, else by its file's name on `PATH`. A file in the
//! repository is never started, by whatever path.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use clap::CommandFactory as _;

use super::super::detached::DETACHED;
use super::super::environment::Environment;
use super::super::process::spawner;
use super::super::run;
use super::{QUESTIONNAIRE, failure};
use crate::app::error::AppError;
use crate::app::ports::extensions::Found;
use crate::cli::args::Cli;
use crate::domain::ui::Name;
use crate::files::regular;
use crate::repo::config::Config;
use crate::repo::extent::extent;
use crate::repo::open::{RepoEnv, open};
use crate::sandbox::probe::PROBE;

/// How the file of an extension begins, as git's own verbs do.
const PREFIX: &str = "git-grill-";
/// First arguments of our own program that are not verbs.
const UNTYPED: &[&str] = &["hook", PROBE, QUESTIONNAIRE, DETACHED, run::CONFINED, run::RECORD];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Program {
    /// The command line that starts it, its file's path first.
    pub(super) words: Vec<OsString>,
    /// The same as a person wrote them.
    pub(super) command: Vec<String>,
    /// The files that are checked for changes, by their real paths: the program, and a script among its arguments.
    pub(super) files: Vec<PathBuf>,
    pub(super) found: Found,
    /// Whether it runs in the sandbox.
    pub(super) walls: bool,
}

impl Program {
    /// Our own program as the extension that is shipped. It touches nothing, so it needs no sandbox.
    pub(super) fn shipped(environment: &Environment) -> Self {
        let file = environment.program.clone();
        Self {
            words: vec![file.clone().into(), QUESTIONNAIRE.into()],
            command: vec![file.to_string_lossy().into_owned(), QUESTIONNAIRE.to_owned()],
            files: vec![file],
            found: Found::Shipped,
            walls: false,
        }
    }

    pub(super) fn file(&self) -> &Path {
        self.words.first().map_or(Path::new(""), Path::new)
    }
}

/// The name of an extension in the account's configuration.
pub(super) fn set_name(name: &str) -> Result<Name, AppError> {
    Name::parse("an extension", name).map_err(|error| AppError::Environment {
        code: "config",
        message: format!("grill.extension.{name}.command does not name an extension: {error}"),
        causes: Vec::new(),
        hint: Some(format!("git config --global --unset-all grill.extension.{name}.command removes it")),
    })
}

pub(super) fn nowhere(name: &Name) -> AppError {
    AppError::Usage {
        message: format!(
            "there is no extension '{name}': your account's own configuration has no grill.extension.{name}.command, and \
             there is no {PREFIX}{name} on PATH outside the repository"
        ),
        hint: format!(
            "git config --global grill.extension.{name}.command \"<its command>\" sets one; git grill extensions lists \
             them"
        ),
    }
}

/// The program of an extension that a person named: in the configuration, else on `PATH`.
pub(super) fn typed(environment: &Environment, config: &Config, name: &Name) -> Result<Option<Program>, AppError> {
    refuse_taken(name)?;
    if let Some(command) = config.extension_command(name.as_str())? {
        return of_settings(environment, config, name, command).map(Some);
    }
    let inside = |file: &Path| config.belongs_to_repository(file);
    let Some(file) = on_path(environment, &format!("{PREFIX}{name}"), &inside) else { return Ok(None) };
    at(environment, config, name, &file).map(Some)
}

/// The program of a command in the account's configuration.
pub(super) fn of_settings(
    environment: &Environment,
    config: &Config,
    name: &Name,
    command: Vec<String>,
) -> Result<Program, AppError> {
    let first = command.first().map_or("", String::as_str);
    let named = Path::new(first);
    let file = if first.contains('/') {
        Some(named.to_owned()).filter(|file| file.is_absolute() && runs(file))
    } else {
        on_path(environment, first, &|file| config.belongs_to_repository(file))
    };
    let Some(file) = file else {
        let why = format!("'{first}' is neither the absolute path of an executable nor one on PATH");
        return Err(not_started(name, why));
    };
    let rest = command.iter().skip(1).map(OsString::from);
    let words: Vec<OsString> = std::iter::once(file.into_os_string()).chain(rest).collect();
    checked(environment, config, name, words, command, Found::Settings)
}

/// The program at this path, which was found on `PATH`.
pub(super) fn at(environment: &Environment, config: &Config, name: &Name, file: &Path) -> Result<Program, AppError> {
    if !runs(file) {
        return Err(not_started(name, format!("{} is not an executable file", file.display())));
    }
    let command = vec![file.to_string_lossy().into_owned()];
    checked(environment, config, name, vec![file.into()], command, Found::Path)
}

fn not_started(name: &Name, why: String) -> AppError {
    let hint = format!("git config --global --get-all grill.extension.{name}.command shows the command that is set");
    failure(name, "was not started", vec![why], hint)
}

/// The program, unless it must not be started.
fn checked(
    environment: &Environment,
    config: &Config,
    name: &Name,
    words: Vec<OsString>,
    command: Vec<String>,
    found: Found,
) -> Result<Program, AppError> {
    // An argument that is a file may be the script that an interpreter runs; an option is not.
    let rest = words.iter().skip(1).filter(|word| !word.to_string_lossy().starts_with('-'));
    let scripts = rest.map(|word| environment.cwd.join(word)).filter(|path| path.is_file());
    let mut files = Vec::new();
    for file in words.first().map(PathBuf::from).into_iter().chain(scripts) {
        let real = file.canonicalize();
        files.push(real.map_err(|error| not_started(name, format!("{}: {error}", file.display())))?);
    }
    let mut interpreters = Vec::new();
    // What a script is run by, and what that is given, is a part of it; the list grows as it is read.
    let mut at = 0;
    while let Some(file) = files.get(at).filter(|_| at < MOST_FILES).cloned() {
        for (number, word) in first_line(&file).into_iter().enumerate() {
            let Ok(real) = word.canonicalize() else { continue };
            let known = if number == 0 { &mut interpreters } else { &mut files };
            if real.is_file() && !known.contains(&real) {
                known.push(real);
            }
        }
        at += 1;
    }
    let ours = environment.program.canonicalize().unwrap_or_else(|_| environment.program.clone());
    let all = || files.iter().chain(&interpreters);
    if all().any(|file| *file == ours) {
        return Err(not_started(name, "it is git grill itself".to_owned()));
    }
    let sealed = sealed(environment)?;
    if let Some(inside) = all().find(|file| sealed.iter().any(|folder| file.starts_with(folder))) {
        let why = format!("{} is in the repository, and git grill starts no extension from there", inside.display());
        return Err(not_started(name, why));
    }
    let walls = config.extension_sandboxed(name.as_str())?;
    Ok(Program { words, command, files, found, walls })
}

/// The most files that one extension is followed through.
const MOST_FILES: usize = 16;

/// The absolute paths behind `#!` in a script, its interpreter first; none of any other file.
fn first_line(file: &Path) -> Vec<PathBuf> {
    use std::io::Read as _;
    let mut start = Vec::new();
    let read = regular::open(file).and_then(|file| file.take(4096).read_to_end(&mut start));
    if read.is_err() || !start.starts_with(b"#!") {
        return Vec::new();
    }
    let line = String::from_utf8_lossy(&start[2..]).into_owned();
    let words = line.lines().next().unwrap_or_default().split_whitespace();
    words.map(PathBuf::from).filter(|path| path.is_absolute()).collect()
}

/// Every directory of the repository.
fn sealed(environment: &Environment) -> Result<Vec<PathBuf>, AppError> {
    let var = |name: &str| environment.var(name);
    let opened = open(&RepoEnv { cwd: environment.cwd.clone(), var: &var, process: spawner() })?;
    Ok(extent(&opened, &var, &spawner()))
}

/// The first executable of this name on `PATH`. One outside the repository comes first; one inside it is refused with
/// its path. Relative and empty entries are skipped: they may lead into the repository.
fn on_path(environment: &Environment, file: &str, is_inside: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
    let path = environment.var("PATH")?;
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    let all: Vec<PathBuf> = folders.map(|folder| folder.join(file)).filter(|file| runs(file)).collect();
    all.iter().find(|file| !is_inside(file)).or_else(|| all.first()).cloned()
}

fn runs(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

/// Refuses the name of a verb: such an extension could never be called.
fn refuse_taken(name: &Name) -> Result<(), AppError> {
    let grammar = Cli::command();
    let verbs = grammar.get_subcommands().flat_map(|verb| verb.get_name_and_visible_aliases());
    if *name != Name::questionnaire() && !verbs.chain(UNTYPED.iter().copied()).any(|verb| verb == name.as_str()) {
        return Ok(());
    }
    Err(AppError::Declined {
        code: "extension_collision",
        message: format!("no extension can be called {name}: git grill has its own command or extension of that name"),
        causes: Vec::new(),
        hint: "git grill help lists the commands; git grill extensions lists the extensions".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p6_a_name_that_git_grill_has_itself_is_refused_by_name() {
        for taken in ["status", "extensions", "questionnaire", "hook", "sandbox-exec", "plan"] {
            let error = refuse_taken(&Name::parse("an extension", taken).unwrap()).unwrap_err();
            assert!(error.to_string().contains(taken), "{error}");
            assert_eq!(error.exit_code(), 1);
        }
        assert!(refuse_taken(&Name::parse("an extension", "intake").unwrap()).is_ok());
    }

    #[test]
    fn p6_only_absolute_folders_of_path_are_searched_and_the_repository_s_last() {
        let temp = tempfile::tempdir().unwrap();
        let at = |folder: &str| temp.path().join(folder).join("git-grill-intake");
        for folder in ["one", "two"] {
            std::fs::create_dir(temp.path().join(folder)).unwrap();
            std::fs::write(at(folder), "#!/bin/sh\n").unwrap();
        }
        let path = std::env::join_paths([temp.path().join("one"), temp.path().join("two")]).unwrap();
        let path = path.into_string().unwrap();
        let on = |path: &str, inside: &dyn Fn(&Path) -> bool| {
            on_path(&Environment::with(&[("PATH", path)]), "git-grill-intake", inside)
        };
        assert_eq!(on(&path, &|_| false), None, "none can be started");
        for folder in ["one", "two"] {
            std::fs::set_permissions(at(folder), std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        assert_eq!(on(&format!(".::bin:/none:{path}"), &|_| false), Some(at("one")));
        assert_eq!(on(&path, &|file| file == at("one")), Some(at("two")));
        assert_eq!(on(&path, &|_| true), Some(at("one")), "it is refused by name");
        assert_eq!(on(".:", &|_| false), None);
    }
}
