//! The truth about the hooks: which are installed, whether git runs them, and what becomes of everybody else's.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::app::ports::{Armed, Called, ForeignHook, HookState, HooksReport, OurHook, Process};
use crate::hooks::config;
use crate::hooks::error::HookError;
use crate::hooks::git;
use crate::hooks::install::{Looks, is_ours, looks};
use crate::hooks::place::Place;
use crate::hooks::plan::hooks_in;
use crate::hooks::record::{Record, Rule, Written};
use crate::hooks::shim::GUARDED;
use crate::hooks::stand::is_program;
use crate::hooks::stray::{Stray, is_ours_by_its_bytes, strays};
use crate::hooks::worktrees::others_armed;

/// The first git that asks a hook before HEAD is switched.
const SWITCH_ASKED_SINCE: git::Version = (2, 46);
/// The first git in which a refused `gc` goes on all the same.
const GC_DEAF_SINCE: git::Version = (2, 54);

/// Looks at the hooks and changes nothing.
pub fn report(place: &Place, process: &dyn Process) -> Result<HooksReport, HookError> {
    let record = Record::load(place)?;
    let armed = match place.marker().exists() {
        true => Armed::Here,
        false if others_armed(place)? => Armed::Elsewhere,
        false => Armed::Nowhere,
    };
    let set = git::hooks_path(place, process)?;
    let folder = set.as_ref().map_or_else(|| place.common_dir.join("hooks"), |path| place.root.join(&path.value));
    let mut ours = match &record {
        Some(record) => ours(record, place, process)?,
        None => Vec::new(),
    };
    if record.as_ref().is_some_and(|record| !is_program(&record.binary.path())) {
        ours.iter_mut()
            .filter(|hook| hook.state == HookState::Intact)
            .for_each(|hook| hook.state = HookState::ProgramGone);
    }
    ours.extend(strays(place, record.as_ref(), process)?.into_iter().map(unrecorded));
    Ok(HooksReport {
        git: git::version_text(process)?,
        armed,
        rule: record.as_ref().map(|record| rule_word(record.rule)),
        folder: folder.clone(),
        program: record.as_ref().map(|record| record.binary.path()),
        foreign: foreign(place, record.as_ref(), &folder, process)?,
        ours,
        cannot: cannot(git::version(process)?),
    })
}

fn unrecorded(stray: Stray) -> OurHook {
    let state = HookState::Unrecorded;
    match stray {
        Stray::File(path) => {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            OurHook { name, place: path.display().to_string(), state }
        }
        Stray::Key(key) => OurHook { name: key.name.clone(), place: key.name, state },
    }
}

fn rule_word(rule: Rule) -> &'static str {
    match rule {
        Rule::Configured => "configured",
        Rule::Beside => "beside",
        Rule::Folder => "folder",
    }
}

fn ours(record: &Record, place: &Place, process: &dyn Process) -> Result<Vec<OurHook>, HookError> {
    if record.rule == Rule::Configured {
        let intact = match &record.config {
            Some(edit) => config::in_place(edit, process)?,
            None => false,
        };
        let mut found = Vec::new();
        for hook in GUARDED {
            let section = format!("hook.git-grill-{hook}");
            let state = match (intact, git::value(place, process, &format!("{section}.enabled"))?) {
                (false, _) => HookState::Changed,
                (true, Some(value)) if is_no(&value) => {
                    HookState::NotEffective(format!("{section}.enabled is {value}"))
                }
                (true, _) => HookState::Intact,
            };
            found.push(OurHook { name: hook.to_owned(), place: format!("{section}.command"), state });
        }
        return Ok(found);
    }
    let hidden = match looks(record, place, process)? {
        Looks::Here => None,
        Looks::Elsewhere(None) => Some("git looks in the default folder".to_owned()),
        Looks::Elsewhere(Some(path)) => {
            Some(format!("core.hooksPath is {} at {} level", path.value.display(), path.scope))
        }
    };
    let mut found = Vec::new();
    for written in &record.files {
        let path = written.path.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let state = match (state_of(&path, written)?, &hidden) {
            (HookState::Intact, Some(why)) => HookState::NotEffective(why.clone()),
            (state, _) => state,
        };
        found.push(OurHook { name, place: path.display().to_string(), state });
    }
    Ok(found)
}

fn state_of(path: &Path, written: &Written) -> Result<HookState, HookError> {
    let Ok(meta) = fs::symlink_metadata(path) else {
        return Ok(HookState::Missing);
    };
    Ok(match is_ours(path, written)? {
        false => HookState::Changed,
        true if meta.permissions().mode() & 0o111 == 0 => {
            HookState::NotEffective("the file is not executable".to_owned())
        }
        true => HookState::Intact,
    })
}

/// git's words for no.
fn is_no(value: &str) -> bool {
    ["false", "no", "off", "0", ""].iter().any(|no| value.eq_ignore_ascii_case(no))
}

/// The hooks of everybody else, in the folder where git would look without us.
fn foreign(
    place: &Place,
    record: Option<&Record>,
    folder: &Path,
    process: &dyn Process,
) -> Result<Vec<ForeignHook>, HookError> {
    let displaced = match record {
        Some(record) if record.rule == Rule::Folder => displaced(place, process)?,
        Some(_) | None => folder.to_owned(),
    };
    let mut names = hooks_in(place, &displaced)?;
    names.extend(GUARDED.map(str::to_owned));
    let mut found = Vec::new();
    for name in names {
        let path = place.root.join(&displaced).join(&name);
        let written = |path: &Path| record.and_then(|one| one.files.iter().find(|file| file.path.path() == path));
        let runs = fs::metadata(&path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0);
        if !runs || written(&path).is_some() || is_ours_by_its_bytes(&path)? {
            continue;
        }
        let called = match record {
            Some(record) if record.rule == Rule::Folder => {
                if written(&place.own_hooks().join(&name)).is_some() {
                    Called::ByOurs
                } else {
                    Called::No
                }
            }
            Some(_) | None => Called::ByGit,
        };
        found.push(ForeignHook { name, path, called });
    }
    Ok(found)
}

/// Where git would look without our own `core.hooksPath`.
pub(crate) fn displaced(place: &Place, process: &dyn Process) -> Result<PathBuf, HookError> {
    let own = place.own_hooks();
    let set = git::hooks_paths(place, process)?;
    let theirs = set.into_iter().rev().map(|path| path.value).find(|value| *value != own);
    Ok(theirs.unwrap_or_else(|| place.common_dir.join("hooks")))
}

/// What the matrix of our facts says about this git.
fn cannot(version: git::Version) -> Vec<String> {
    let mut said = Vec::new();
    if version < SWITCH_ASKED_SINCE {
        said.push("this git asks no hook before it switches branches; git 2.46 and newer do".to_owned());
    }
    if version >= GC_DEAF_SINCE {
        said.push(
            "this git goes on with gc although a hook refused it to pack refs; no ref changes by that".to_owned(),
        );
    }
    said
}
