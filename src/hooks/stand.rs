//! Whether the hooks still stand as they were armed: the cheap look that every command of ours takes while a session is
//! active.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::app::ports::Process;
use crate::hooks::error::HookError;
use crate::hooks::install::{Looks, is_ours, looks};
use crate::hooks::place::Place;
use crate::hooks::record::{Record, Rule};

/// How the hooks of a worktree with an active session stand.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Stand {
    /// As they were armed.
    Sound,
    /// Somebody has changed a file of ours, taken its right to be executed, or pointed git elsewhere.
    Edited,
    /// The repository was moved or copied, and what was installed leads to where it was.
    Moved,
    /// The program that they run is not there, so they let everything pass.
    ProgramGone(PathBuf),
    /// Nothing says that this worktree is armed, or with what.
    Unrecorded,
}

/// Looks whether the hooks still stand; hook managers take them away when they install themselves. Cheap where nothing
/// is wrong: `hooks_path` is what the configuration says just now, and git is asked only when that differs.
pub fn stand(place: &Place, process: &dyn Process, hooks_path: Option<&Path>) -> Result<Stand, HookError> {
    if !place.marker().exists() {
        return Ok(Stand::Unrecorded);
    }
    let Some(record) = Record::load(place)? else {
        return Ok(Stand::Unrecorded);
    };
    let program = record.binary.path();
    if !is_program(&program) {
        return Ok(Stand::ProgramGone(program));
    }
    if record.rule == Rule::Folder && !record.is_at_home(place) {
        return Ok(Stand::Moved);
    }
    for written in &record.files {
        let path = written.path.path();
        if !is_ours(&path, written)? || !is_program(&path) {
            return Ok(Stand::Edited);
        }
    }
    if !leads_to_ours(&record, place, hooks_path)
        && let Looks::Elsewhere(_) = looks(&record, place, process)?
    {
        return Ok(Stand::Edited);
    }
    Ok(Stand::Sound)
}

/// Whether there is a program that a hook can run. The hooks themselves only ask whether the name may be executed.
pub fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// Whether this hooks path is the folder with our hooks, as far as the file system says. Hooks in the configuration
/// need none.
fn leads_to_ours(record: &Record, place: &Place, hooks_path: Option<&Path>) -> bool {
    let Some(ours) = record.files.first().map(|written| written.path.path()) else {
        return true;
    };
    let looked_in = hooks_path.map_or_else(|| place.common_dir.join("hooks"), |path| place.root.join(path));
    let same = |one: &Path, other: &Path| Some(fs::canonicalize(one).ok()? == fs::canonicalize(other).ok()?);
    ours.parent().and_then(|ours| same(ours, &looked_in)).unwrap_or(false)
}
