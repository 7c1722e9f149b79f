//! Merging one file that both changed, by git's own merge of three files, in the form that git commits.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use crate::files::regular;
use crate::git::Oid;
use crate::git::command::reason;
use crate::git::object::parsed;
use crate::git::paths::shortened;
use crate::lend::aside::Aside;
use crate::lend::error::LendError;

/// Within so many bytes a zero byte tells git that a file is no text.
const TELLING: usize = 8000;
/// Above this number an exit code is no count of conflicts.
const MOST_CONFLICTS: i32 = 127;

/// How a merge ended.
pub(super) enum Merged {
    Whole(Oid),
    /// The text with git's markers.
    Overlap(Vec<u8>),
    /// One of the three is no text.
    Binary,
}

/// The three sides of a file.
pub(super) struct Sides {
    pub base: Oid,
    pub ours: Oid,
    pub theirs: Oid,
}

/// Merges them in an empty folder of ours; `agent` is what the markers call the agent.
pub(super) fn merged(
    aside: &Aside<'_>,
    folder: &Path,
    agent: &str,
    path: &[u8],
    sides: &Sides,
) -> Result<Merged, LendError> {
    let doing = || format!("merging {}", shortened(path));
    let failed = |error: io::Error| LendError::failed(doing(), error);
    let mut words: Vec<OsString> = ["merge-file", "-p", "-q", "-L", "yours", "-L", "before", "-L", agent]
        .into_iter()
        .map(OsString::from)
        .collect();
    for (name, id) in [("ours", sides.ours), ("base", sides.base), ("theirs", sides.theirs)] {
        let bytes = aside.ask(&doing(), &["cat-file", "blob", &id.to_string()], Vec::new())?;
        if bytes.iter().take(TELLING).any(|byte| *byte == 0) {
            return Ok(Merged::Binary);
        }
        let file = folder.join(name);
        regular::write(&file, bytes).map_err(failed)?;
        words.push(file.into());
    }
    let ran = aside.git(words).run(aside.process()).map_err(failed)?;
    match ran.code {
        0 => {
            let told = aside.ask(&doing(), &["hash-object", "-w", "--no-filters", "--stdin"], ran.stdout)?;
            let id = parsed(String::from_utf8_lossy(&told).trim());
            id.map(Merged::Whole).ok_or_else(|| LendError::failed(doing(), "git named no object"))
        }
        1..=MOST_CONFLICTS => Ok(Merged::Overlap(ran.stdout)),
        _ => Err(LendError::failed(doing(), reason(&ran))),
    }
}
