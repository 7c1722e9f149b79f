//! The few questions that only `git` itself answers, asked through the process port.

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::app::ports::{Process, Ran, Run};
use crate::git::Git;
use crate::git::command::{answer, reason};
use crate::hooks::error::HookError;
use crate::hooks::place::Place;

/// A version of git, major and minor.
pub(crate) type Version = (u32, u32);

/// A value of `core.hooksPath` that git would use in this worktree.
pub(crate) struct HooksPath {
    pub(crate) scope: String,
    pub(crate) value: PathBuf,
}

/// The version of git on the path, as it says it.
pub(crate) fn version_text(process: &dyn Process) -> Result<String, HookError> {
    let ran = succeed(process, &Git::new(["version"]).prepared())?;
    let text = String::from_utf8_lossy(&ran.stdout).trim().to_owned();
    Ok(text.strip_prefix("git version ").unwrap_or(&text).to_owned())
}

/// The value of a key as git takes it in this worktree.
pub(crate) fn value(place: &Place, process: &dyn Process, key: &str) -> Result<Option<String>, HookError> {
    let told = ask(process, &in_worktree(place, &["config", "--get", key]))?;
    Ok(told.map(|value| String::from_utf8_lossy(&value).trim_end_matches('\n').to_owned()))
}

/// Which git is on the path.
pub(crate) fn version(process: &dyn Process) -> Result<Version, HookError> {
    let run = Git::new(["version"]).prepared();
    let ran = succeed(process, &run)?;
    let text = String::from_utf8_lossy(&ran.stdout);
    let mut numbers =
        text.split_whitespace().nth(2).unwrap_or_default().split('.').map_while(|part| part.parse::<u32>().ok());
    match (numbers.next(), numbers.next()) {
        (Some(major), Some(minor)) => Ok((major, minor)),
        _ => Err(failed(&run, format!("'{}' is not a version", text.trim()))),
    }
}

/// The winning `core.hooksPath`.
pub(crate) fn hooks_path(place: &Place, process: &dyn Process) -> Result<Option<HooksPath>, HookError> {
    Ok(hooks_paths(place, process)?.pop())
}

/// Every value of `core.hooksPath`, the winning one last. One from the command line lasts only as long as the command,
/// so it does not count.
pub(crate) fn hooks_paths(place: &Place, process: &dyn Process) -> Result<Vec<HooksPath>, HookError> {
    let args = ["config", "--show-scope", "-z", "--type=path", "--get-all", "core.hooksPath"];
    let told = ask(process, &in_worktree(place, &args))?.unwrap_or_default();
    let mut fields = told.split(|byte| *byte == 0);
    let mut all = Vec::new();
    while let (Some(scope), Some(value)) = (fields.next(), fields.next()) {
        if scope != b"command" {
            let scope = String::from_utf8_lossy(scope).into_owned();
            all.push(HooksPath { scope, value: PathBuf::from(OsString::from_vec(value.to_vec())) });
        }
    }
    Ok(all)
}

/// All values of a key in one configuration file.
pub(crate) fn config_values(process: &dyn Process, file: &Path, key: &str) -> Result<Vec<Vec<u8>>, HookError> {
    let Some(told) = ask(process, &config(file, &["-z", "--get-all", key]))? else { return Ok(Vec::new()) };
    let body = told.strip_suffix(b"\0").unwrap_or(&told);
    Ok(body.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect())
}

/// Removes one value of a key from a configuration file; none is fine.
pub(crate) fn unset(process: &dyn Process, file: &Path, key: &str, value: &[u8]) -> Result<(), HookError> {
    let mut run = config(file, &["--fixed-value", "--unset-all", key]);
    run.args.push(OsString::from_vec(value.to_vec()));
    let ran = spawn(process, &run)?;
    // 5: there is nothing to remove.
    if matches!(ran.code, 0 | 5) { Ok(()) } else { Err(failed(&run, reason(&ran))) }
}

fn config(file: &Path, args: &[&str]) -> Run {
    let head = ["config".as_ref(), "--file".as_ref(), file.as_os_str()];
    Git::new(head.into_iter().chain(args.iter().map(OsStr::new))).prepared()
}

/// git as it stands in this worktree, with the user's configuration and that of the environment.
fn in_worktree(place: &Place, args: &[&str]) -> Run {
    Git::new(args.iter().copied()).of(&place.git_dir).within(&place.root).prepared()
}

/// What git answers; none where it says no.
fn ask(process: &dyn Process, run: &Run) -> Result<Option<Vec<u8>>, HookError> {
    answer(spawn(process, run)?).map_err(|said| failed(run, said))
}

fn succeed(process: &dyn Process, run: &Run) -> Result<Ran, HookError> {
    let ran = spawn(process, run)?;
    if ran.code == 0 { Ok(ran) } else { Err(failed(run, reason(&ran))) }
}

fn spawn(process: &dyn Process, run: &Run) -> Result<Ran, HookError> {
    process.run(run).map_err(|error| match &run.dir {
        // A program is not found either where it is to run in a folder that is not there.
        Some(dir) if error.kind() == ErrorKind::NotFound && !dir.exists() => HookError::Moved(dir.clone()),
        Some(_) | None => failed(run, error.to_string()),
    })
}

fn failed(run: &Run, said: String) -> HookError {
    let words = std::iter::once(&run.program).chain(&run.args);
    let command = words.map(|word| String::from_utf8_lossy(word.as_bytes()).into_owned()).collect::<Vec<_>>().join(" ");
    HookError::Git { command, said }
}
