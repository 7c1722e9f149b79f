//! Arming and disarming. `arm` makes the hooks as they should be, `disarm` takes everything back; both first repair
//! what a killed process left, because the record is written before anything else and removed after everything else.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::app::ports::Process;
use crate::files::fresh::{self, OnDisk};
use crate::files::regular;
use crate::hooks::config;
use crate::hooks::error::{HookError, file};
use crate::hooks::git;
use crate::hooks::lock::Lock;
use crate::hooks::place::{GONE_NOTE, Place};
use crate::hooks::plan::{Plan, hooks_in, plan};
use crate::hooks::record::{Record, Rule, Written, hash, read_if_there, remove_if_there};
use crate::hooks::report::displaced;
use crate::hooks::stand::is_program;
use crate::hooks::stray::{self, strays};
use crate::hooks::worktrees::others_armed;

/// What stands in the marker, for whoever looks.
const MARKER_TEXT: &str = "A git grill session is active in this worktree.\n";

#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Disarmed {
    /// Nothing of ours is installed any more.
    Removed {
        /// Hook files that somebody else has changed since; they stay.
        left: Vec<PathBuf>,
    },
    /// Another worktree still has an active session, so the hooks stay, and let this worktree pass.
    ArmedElsewhere,
}

/// What holds in this worktree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookStatus {
    /// How the repository's hooks are installed, if they are.
    pub rule: Option<Rule>,
    /// Whether this worktree's changes are judged.
    pub worktree: Guarded,
}

/// Whether the hooks judge a worktree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarded {
    /// No session is active here.
    No,
    /// A session is active and the hooks are as we left them.
    Yes,
    /// A session is active, but hooks of ours are missing, changed or hidden; arming again repairs them.
    Broken,
}

/// Installs the hooks if they are not there and says that this worktree has an active session.
pub fn arm(place: &Place, process: &dyn Process) -> Result<Rule, HookError> {
    let _lock = Lock::take(place)?;
    let was_armed = place.marker().is_file();
    let rule = match Record::load(place)? {
        Some(record) if is_intact(&record, place, process)? && strays(place, Some(&record), process)?.is_empty() => {
            match looks(&record, place, process)? {
                // Somebody has added a hook since, which ours would have to call.
                Looks::Here if record.rule == Rule::Folder && !calls_all(&record, place, process)? => {
                    reinstall(&record, place, process)?
                }
                Looks::Here => record.rule,
                // Hidden by a hooks path that was set since: a folder of our own can displace that one too.
                Looks::Elsewhere(_) if record.rule == Rule::Beside => reinstall(&record, place, process)?,
                // Nothing gentler is left, and other worktrees may rely on what is installed: touch nothing.
                Looks::Elsewhere(_) => {
                    return check_effective(&record, place, process).map(|()| record.rule);
                }
            }
        }
        Some(record) => reinstall(&record, place, process)?,
        None => install(place, process)?,
    };
    if let Err(error) = mark(place) {
        // A session that is active here goes on being protected.
        if was_armed {
            return Err(error);
        }
        // What is in the marker's place may be just as hard to remove; the hooks are not.
        let _ = unmark(place);
        if !others_armed(place)?
            && let Some(record) = Record::load(place)?
        {
            take_back(&record, place, process)?;
        }
        return Err(error);
    }
    Ok(rule)
}

/// Says that this worktree has no active session and removes the hooks when it was the last one.
pub fn disarm(place: &Place, process: &dyn Process) -> Result<Disarmed, HookError> {
    let nothing_of_ours = !place.grill_dir().exists() && !place.marker().exists();
    if nothing_of_ours && strays(place, None, process)?.is_empty() {
        return Ok(Disarmed::Removed { left: Vec::new() });
    }
    let _lock = Lock::take(place)?;
    unmark(place)?;
    if others_armed(place)? {
        return Ok(Disarmed::ArmedElsewhere);
    }
    let left = match Record::load(place)? {
        Some(record) => take_back(&record, place, process)?,
        None => Record::forget(place).map(|()| Vec::new())?,
    };
    remove_strays(place, process)?;
    Ok(Disarmed::Removed { left })
}

/// Looks at what is installed and changes nothing.
pub fn status(place: &Place, process: &dyn Process) -> Result<HookStatus, HookError> {
    let record = Record::load(place)?;
    let worktree = match &record {
        _ if !place.marker().exists() => Guarded::No,
        Some(record) if is_intact(record, place, process)? => match looks(record, place, process)? {
            Looks::Here => Guarded::Yes,
            Looks::Elsewhere(_) => Guarded::Broken,
        },
        Some(_) | None => Guarded::Broken,
    };
    Ok(HookStatus { rule: record.map(|record| record.rule), worktree })
}

/// Whether a shim has noted in this worktree that our program was gone.
pub fn was_gone(place: &Place) -> bool {
    place.git_dir.join(GONE_NOTE).exists()
}

/// Takes that note away, once it has been told.
pub fn forget_gone(place: &Place) {
    // One that stays is told again, and nothing else.
    let _ = fs::remove_file(place.git_dir.join(GONE_NOTE));
}

/// Whether every hook of the displaced folder has one of ours that calls it.
fn calls_all(record: &Record, place: &Place, process: &dyn Process) -> Result<bool, HookError> {
    let called = |name: &String| {
        let path = place.own_hooks().join(name);
        record.files.iter().any(|written| written.path.path() == path)
    };
    Ok(hooks_in(place, &displaced(place, process)?)?.iter().all(called))
}

/// What of ours is on no record goes; there is none when this is called.
fn remove_strays(place: &Place, process: &dyn Process) -> Result<(), HookError> {
    let found = strays(place, None, process)?;
    if found.is_empty() { Ok(()) } else { stray::remove(place, &found, process) }
}

/// Has the hooks run this program if the one that they run is gone, for the worktrees whose sessions they guard.
pub fn renew(place: &Place, process: &dyn Process) -> Result<(), HookError> {
    let _lock = Lock::take(place)?;
    match Record::load(place)? {
        Some(record) if !is_program(&record.binary.path()) => reinstall(&record, place, process).map(drop),
        Some(_) | None => Ok(()),
    }
}

fn reinstall(record: &Record, place: &Place, process: &dyn Process) -> Result<Rule, HookError> {
    take_back(record, place, process)?;
    install(place, process)
}

fn install(place: &Place, process: &dyn Process) -> Result<Rule, HookError> {
    // Else they would be taken for somebody's own, and called by ours for ever.
    remove_strays(place, process)?;
    let plan = plan(place, process)?;
    plan.record.save(place)?;
    match write(&plan, place, process) {
        Ok(()) => Ok(plan.record.rule),
        Err(error) => {
            take_back(&plan.record, place, process)?;
            Err(error)
        }
    }
}

/// Files first: the configuration must never name a folder that is not complete.
fn write(plan: &Plan, place: &Place, process: &dyn Process) -> Result<(), HookError> {
    for dir in &plan.record.made_dirs {
        fs::create_dir_all(dir.path()).map_err(file("create", &dir.path()))?;
    }
    for (path, content) in &plan.contents {
        create(path, content)?;
    }
    if let (Some(edit), Some(after)) = (&plan.record.config, &plan.config) {
        config::apply(place, edit, after)?;
    }
    check_effective(&plan.record, place, process)
}

/// Makes a hook that appears complete or not at all, and never replaces one.
fn create(path: &Path, content: &[u8]) -> Result<(), HookError> {
    let name = fresh_name(path);
    let fresh = fresh::write(&name, 0o755, OnDisk::Later, content).map_err(file("write", &name))?;
    // Whatever the umask takes away: git runs no hook that may not be executed.
    fs::set_permissions(&name, Permissions::from_mode(0o755)).map_err(file("write", &name))?;
    fresh.link(path).map_err(file("write", path))
}

/// Hidden and with a suffix, so that no hook manager takes it for a hook.
fn fresh_name(path: &Path) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    path.with_file_name(format!(".{name}.git-grill.tmp"))
}

/// Where git looks for hooks in this worktree, compared with where ours are.
pub(crate) enum Looks {
    Here,
    /// Elsewhere, because of this setting; `None` is the default folder.
    Elsewhere(Option<git::HooksPath>),
}

pub(crate) fn looks(record: &Record, place: &Place, process: &dyn Process) -> Result<Looks, HookError> {
    let ours = match record.rule {
        Rule::Configured => return Ok(Looks::Here),
        Rule::Folder => Some(place.own_hooks()),
        Rule::Beside => record.files.first().and_then(|written| written.path.path().parent().map(Path::to_owned)),
    };
    let found = git::hooks_path(place, process)?;
    let dir = found.as_ref().map_or_else(|| place.common_dir.join("hooks"), |path| place.root.join(&path.value));
    let same = ours.is_some_and(|ours| real(&ours) == real(&dir));
    Ok(if same { Looks::Here } else { Looks::Elsewhere(found) })
}

fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// A setting of this worktree alone would win over the shared one, and the hooks would be dead.
fn check_effective(record: &Record, place: &Place, process: &dyn Process) -> Result<(), HookError> {
    match looks(record, place, process)? {
        Looks::Here => Ok(()),
        Looks::Elsewhere(found) => {
            let (scope, value) = found.map_or_else(
                || ("default".to_owned(), "hooks".to_owned()),
                |path| (path.scope, path.value.display().to_string()),
            );
            Err(HookError::Overridden { scope, value })
        }
    }
}

/// Whether everything that was installed is still there, as we left it and for this program.
fn is_intact(record: &Record, place: &Place, process: &dyn Process) -> Result<bool, HookError> {
    if record.binary.path() != place.binary || (record.rule == Rule::Folder && !record.is_at_home(place)) {
        return Ok(false);
    }
    for written in &record.files {
        let path = written.path.path();
        // One that may not be executed git passes over, whatever stands in it.
        if !is_ours(&path, written)? || !is_program(&path) {
            return Ok(false);
        }
    }
    match &record.config {
        Some(edit) => config::in_place(edit, process),
        None => Ok(true),
    }
}

pub(crate) fn is_ours(path: &Path, written: &Written) -> Result<bool, HookError> {
    Ok(fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file())
        && read_if_there(path)?.is_some_and(|content| hash(&content) == written.hash))
}

/// Whether a hook of ours lost its bytes with the power: nobody's words are in it, and git passes over it in silence.
fn is_emptied(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() == 0)
}

/// Removes what the record lists as far as it is still ours; what somebody else has changed is left and returned.
fn take_back(record: &Record, place: &Place, process: &dyn Process) -> Result<Vec<PathBuf>, HookError> {
    if let Some(edit) = &record.config {
        config::restore(place, edit, process)?;
    }
    let mut left = Vec::new();
    for written in &record.files {
        let path = written.path.path();
        remove_if_there(&fresh_name(&path))?;
        // Hook managers that install while we are armed put the hook they find aside under these names.
        for aside in ["legacy", "old"].map(|suffix| path.with_extension(suffix)) {
            if is_ours(&aside, written)? {
                remove_if_there(&aside)?;
            }
        }
        if is_ours(&path, written)? || is_emptied(&path) {
            remove_if_there(&path)?;
        } else if fs::symlink_metadata(&path).is_ok() {
            left.push(path);
        }
    }
    for dir in record.made_dirs.iter().rev() {
        match fs::remove_dir(dir.path()) {
            // Not there, or somebody else has put something in: theirs now.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty) => {}
            other => other.map_err(file("remove", &dir.path()))?,
        }
    }
    for left in ["config.tmp", "config.edit", "config.edit.lock"] {
        remove_if_there(&place.grill_dir().join(left))?;
    }
    Record::forget(place)?;
    Ok(left)
}

fn mark(place: &Place) -> Result<(), HookError> {
    let marker = place.marker();
    if let Some(dir) = marker.parent() {
        fs::create_dir_all(dir).map_err(file("create", dir))?;
    }
    regular::write(&marker, MARKER_TEXT).map_err(file("write", &marker))
}

fn unmark(place: &Place) -> Result<(), HookError> {
    remove_if_there(&place.marker())?;
    remove_if_there(&place.git_dir.join(GONE_NOTE))?;
    if place.git_dir != place.common_dir
        && let Some(dir) = place.marker().parent()
    {
        // Other rooms may keep files there; an empty folder is of no use to anybody.
        let _ = fs::remove_dir(dir);
    }
    Ok(())
}
